"""Game records in any supported format, recognized by content: Mjai's variants, Tenhou's XML and JSON."""

import gzip
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic_core import from_json, to_json

from manue.errors import LogError, ProtocolError, UsageError
from manue.game.events import Event
from manue.protocol.codec import message_to_event
from manue.protocol.messages import parse_value
from manue.records.archive import MAX_GAME, MAX_TOKENS, LogEntry, read_games, tokens, weight
from manue.records.length import known_length
from manue.records.mjlog import read_mjlog
from manue.records.tenhou_json import read_tenhou_json

MAX_RECORD = 8 << 20
"""Maximum size of a Tenhou record, in bytes after decompression."""
_GZIP = b"\x1f\x8b"


def read_record(path: str | Path) -> list[list[LogEntry]]:
    """Return the games of a file, whatever its format.

    Raises
    ------
    LogError
        If the file cannot be read, is cut short or is not a record; the text names the file and the place.
    """
    data = _content(Path(path))
    source = str(path)
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start == b"<":
        if len(data) == MAX_RECORD:
            raise LogError(f"{path}: larger than a record can be")
        return [_entries(read_mjlog(data, source), source)]
    value = _json_object(data) if start == b"{" else None
    if value is not None and "log" in value and "type" not in value:
        return [_entries(((1, fields) for fields in read_tenhou_json(value, source)), source)]
    del data
    return _all_games(path)


def _all_games(path: str | Path) -> list[list[LogEntry]]:
    games: list[list[LogEntry]] = []
    room = MAX_GAME
    for _, game in read_games([path]):
        room -= sum(map(weight, game))
        if room < 0:
            raise LogError(f"{path}: too long after {len(games)} games: split it")
        games.append(game)
    return games


def read_game(path: str | Path, number: int | None = None) -> list[LogEntry]:
    """Return the one game of a file, or the one asked for.

    Parameters
    ----------
    path : str or Path
    number : int, optional
        From 1; needed if the file holds several games.

    Raises
    ------
    LogError
        As `read_record`, and if the file holds no event.
    UsageError
        If there is no such game, or several and none was asked for.
    """
    games = [game for game in read_record(path) if game]
    if not games:
        raise LogError(f"{path}: no events in this file")
    if number is None and len(games) > 1:
        raise UsageError(f"{path} holds {len(games)} games; choose one (--game 1..{len(games)})")
    if number is not None and not 1 <= number <= len(games):
        raise UsageError(f"{path} holds {len(games)} games, there is no game {number}")
    return games[(number or 1) - 1]


def game_events(path: str | Path, last_round: int | None = None) -> list[Event]:
    """Return all events of a file, whatever its format, every game with its length known.

    Parameters
    ----------
    path : str or Path
    last_round : int, optional
        Index of the last planned round (``manue.rules``); by default as the record says, else guessed.

    Raises
    ------
    LogError
        As for `read_record`.
    """
    games = [known_length(game, last_round)[0] for game in read_record(path) if game]
    return [entry.event for game in games for entry in game if entry.event is not None]


def _content(path: Path) -> bytes:
    """Return a file's decompressed bytes; empty if the Mjai reader should report the error."""
    if path.exists() and not path.is_file():
        raise LogError(f"{path}: not a regular file")  # a pipe would keep us waiting for its writer
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            return file.read(MAX_RECORD)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return b""
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from None


def _json_object(data: bytes) -> dict[str, Any] | None:
    if tokens(data) > MAX_TOKENS:
        return None
    try:
        value = from_json(data.removeprefix(b"\xef\xbb\xbf"), allow_inf_nan=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _entries(events: Iterable[tuple[int, dict[str, Any]]], source: str) -> list[LogEntry]:
    entries = []
    for line, fields in events:
        try:
            message = parse_value(fields)
        except ProtocolError as error:
            raise LogError(f"{source}, line {line}: {error}") from None
        entries.append(LogEntry(line, message, message_to_event(message), to_json(fields)))
    return entries
