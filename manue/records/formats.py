"""Game records in any supported format, recognized by content: Mjai's, Tenhou's and Mahjong Soul's."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from pydantic_core import from_json

from manue.as_text import counted
from manue.errors import DamagedError, LogError, MissingArgumentError, ProtocolError, UsageError
from manue.foreign import as_utf8, whole_characters
from manue.game.events import GameEnd, GameStart, RoundEnd
from manue.protocol.codec import Fields
from manue.records.archive import (
    MAX_GAME,
    MAX_VALUES,
    LogEntry,
    by_game,
    count_values,
    entry_of,
    memory_of,
    read_games,
)
from manue.records.content import chunks
from manue.records.conversation import is_conversation, read_conversation
from manue.records.ending import with_end
from manue.records.links import check_source, record_in_links
from manue.records.mahjong_soul import is_mahjong_soul, read_mahjong_soul
from manue.records.mjlog import read_mjlog
from manue.records.payments import with_payments
from manue.records.possible import first_impossible
from manue.records.tenhou_json import is_tenhou_json, joined_rounds, read_tenhou_json
from manue.rules import TENHOU, Rules
from manue.whole_files import is_special

MAX_RECORD = 24 << 20
"""Maximum size of a record of Tenhou or Mahjong Soul, in bytes after decompression."""
Games = list[list[LogEntry]]


class Reader(Protocol):
    """Converts a decoded JSON value to Mjai events."""

    def __call__(self, value: Any, source: str, *, cut: bool) -> Iterator[Fields]:
        """Yield the events; raises LogError, naming ``source``.

        If the text was ``cut`` short, the last part of the value may be half of one: it is left out, and the
        game has no end.
        """
        ...


_READERS: tuple[tuple[Callable[[object], bool], Reader], ...] = (
    (is_tenhou_json, read_tenhou_json),
    (is_mahjong_soul, read_mahjong_soul),
)


def read_record(path: str | Path) -> Games:
    """Return the games of a file, whatever its format.

    Raises
    ------
    LogError
        If the file cannot be read, is cut short or is not a record; the text names the file and the place.
    UsageError
        If the path is a link.
    """
    games, trouble = salvage(path)
    if trouble is not None:
        raise trouble
    return games


def salvage(path: str | Path, rules: Rules = TENHOU) -> tuple[Games, LogError | None]:
    """Return the games of a file up to the place where it is damaged, and what is wrong there, if anything.

    The last game then ends in the middle: `whole_games` drops the part that cannot be relied on. Payments
    that the record leaves out are completed (`with_payments`), by ``rules`` where it does not name them.

    Raises
    ------
    UsageError
        If the path is a link.
    """
    check_source(path)
    games: Games = []
    room = MAX_GAME
    try:
        for game in _games(Path(path)):
            room -= sum(map(memory_of, game))
            if room < 0:
                return games, LogError(f"{path}: too long after {len(games)} games: split it")
            games.append(with_payments([_seatless(entry) for entry in game], rules))
    except LogError as error:
        return games, error
    return games, None


def whole_games(path: str | Path, rules: Rules = TENHOU) -> tuple[Games, LogError | None]:
    """Return the games of a file, and what is wrong with it, if anything.

    Of a damaged game only the whole rounds are returned; one without a whole round is left out. A file
    without events counts as damaged, so that there is always a reason where no game is returned. ``rules``
    are those of `salvage`.

    Raises
    ------
    UsageError
        If the path is a link.
    """
    games, trouble = salvage(path, rules)
    if trouble is not None and games:
        games[-1] = _whole_rounds(games[-1])
    games = [game for game in games if game]
    if not games and trouble is None:
        trouble = LogError(f"{path}: no events in this file")
    return games, trouble


def _whole_rounds(game: list[LogEntry]) -> list[LogEntry]:
    """Return a game up to the end of its last whole round; empty if there is none."""
    ends = (RoundEnd, GameEnd)
    last = next((at for at in range(len(game), 0, -1) if isinstance(game[at - 1].event, ends)), 0)
    return game[:last]


def _seatless(entry: LogEntry) -> LogEntry:
    """Return an entry that names no seat as ours: in a record all seats are somebody's."""
    if isinstance(entry.event, GameStart) and entry.event.seat is not None:
        return replace(entry, event=replace(entry.event, seat=None))
    return entry


def _games(path: Path) -> Iterator[list[LogEntry]]:
    """Yield the games of a file; one that is cut short comes before the error."""
    data, cut = _content(path)
    data = record_in_links(data)
    source = str(path)
    start = data.lstrip(b" \t\r\n")[:1]
    if start == b"<":
        if len(data) == MAX_RECORD:
            raise LogError(f"{path}: larger than a record can be")
        placed = ((f"line {line}", fields) for line, fields in read_mjlog(data, source))
        yield from by_game(_converted(placed, source, cut), source)
        return
    if start == b"{" and is_conversation(data):
        yield from read_conversation(path)
        return
    if start and start not in b"{[":
        raise LogError(f"{source}: no game record (Mjai, Tenhou mjlog or tenhou.net/6, Mahjong Soul)")
    found = _json_records(data, source, cut) if start else None
    del data
    if found is None:
        yield from read_games(path)
        return
    values, cut = found
    for number, (read, value) in enumerate(values, 1):
        events = _read(read, value, source, cut if number == len(values) else None)
        yield from map(with_end, by_game(_converted(events, source), source))


def _read(read: Reader, value: object, source: str, cut: LogError | None) -> Iterator[tuple[str, Fields]]:
    """Yield the events of a decoded value with their places, then raise what cut it short."""
    for number, fields in enumerate(read(value, source, cut=cut is not None), 1):
        yield f"event {number}", fields
    if cut is not None:
        raise cut


def _converted(
    events: Iterator[tuple[str, Fields]], source: str, cut: LogError | None = None
) -> Iterator[LogEntry]:
    """Yield converted events as entries; a record that ends too early may have been ``cut``."""
    try:
        for where, fields in events:
            yield _entry(where, fields, source)
    except LogError as error:
        raise (cut or error) from None


def _entry(where: str, fields: Fields, source: str) -> LogEntry:
    try:
        return entry_of(where, fields)
    except ProtocolError as error:
        raise LogError(f"{source}, {where}: {error}") from None


def read_game(path: str | Path, number: int | None = None, rules: Rules = TENHOU) -> list[LogEntry]:
    """Return the one game of a file, or the one asked for.

    Parameters
    ----------
    path : str or Path
    number : int, optional
        From 1; needed if the file holds several games.
    rules : Rules
        As for `salvage`.

    Raises
    ------
    LogError
        As `read_record`, and if the file holds no event.
    UsageError
        If there is no such game, or several and none was asked for.
    """
    game, trouble = salvaged_game(path, number, rules)
    if trouble is not None:
        raise trouble
    return game


def salvaged_game(
    path: str | Path, number: int | None = None, rules: Rules = TENHOU
) -> tuple[list[LogEntry], LogError | None]:
    """Return the only game of a file, or that numbered ``number``, and what is wrong with it, if anything.

    Of a damaged game only the whole rounds are returned; an event that cannot follow those before it counts
    as damage. ``rules`` are those of `salvage`.

    Raises
    ------
    LogError
        If the file cannot be read, or holds no events, or no whole round before its damage.
    UsageError
        As `read_game`.
    """
    games, trouble = whole_games(path, rules)
    if trouble is not None and not games:
        raise trouble
    if number is None and len(games) > 1:
        raise MissingArgumentError(f"{path} holds {len(games)} games; choose one", "game", f"1..{len(games)}")
    if number is not None and not 1 <= number <= len(games):
        raise UsageError(f"{path} holds {counted(len(games), 'game')}, there is no game {number}")
    game = games[(number or 1) - 1]
    at, impossible = first_impossible(game, str(path), rules)
    if impossible is None:
        return game, trouble if number in {None, len(games)} else None
    before = _whole_rounds(game[:at])
    if not before:
        raise impossible
    return before, impossible


def _content(path: Path) -> tuple[bytes, LogError | None]:
    """Return the first `MAX_RECORD` bytes of a file, and what cut it short, if anything."""
    if is_special(path):
        what = "a folder, not a record" if path.is_dir() else "not a regular file"
        raise LogError(f"{path}: {what}")
    data = bytearray()
    cut = None
    try:
        with path.open("rb") as file:
            for chunk in chunks(file):
                data += chunk
                if len(data) >= MAX_RECORD:
                    break
    except DamagedError as error:
        cut = LogError(f"{path}: {error}")
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from None
    return whole_characters(bytes(data[:MAX_RECORD])), cut


def _json_records(
    data: bytes, source: str, cut: LogError | None
) -> tuple[list[tuple[Reader, Any]], LogError | None] | None:
    """Return the records of a JSON text, one, an array of them or one a line, and what cut it short.

    ``None`` if the text is something else.
    """
    if len(data) == MAX_RECORD or count_values(data) > MAX_VALUES:
        return None
    data = as_utf8(data)
    try:
        value = from_json(data, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        by_line = _one_a_line(data)
        if by_line is not None:
            return by_line, cut
        try:
            value = from_json(data, allow_inf_nan=False, allow_partial=True)
        except (ValueError, RecursionError):
            return None
        cut = cut or LogError(f"{source}: not JSON: {error}")
    reader = _reader_of(value)
    if reader is not None:
        return [(reader, value)], cut
    found = _all_read(value) if isinstance(value, list) else None
    return (found, cut) if found else None


def _reader_of(value: object) -> Reader | None:
    """Return what reads a decoded JSON value."""
    return next((read for fits, read in _READERS if fits(value)), None)


def _all_read(values: Iterable[Any]) -> list[tuple[Reader, Any]] | None:
    """Return every value with what reads it; ``None`` if one of them is not a record."""
    found = []
    for value in values:
        reader = _reader_of(value)
        if reader is None:
            return None
        found.append((reader, value))
    return found


def _one_a_line(data: bytes) -> list[tuple[Reader, Any]] | None:
    try:
        values = [from_json(line, allow_inf_nan=False) for line in data.splitlines() if line.strip()]
        return _all_read(joined_rounds(values))
    except (ValueError, RecursionError):
        return None
