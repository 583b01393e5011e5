"""What ``manue play --log`` keeps of a conversation, as the games in it with their decisions.

Each line is ``{"time": ..., "dir": "in" | "out", "line": ...}``. What came in are the events, one or an array
of them; the ``log`` and ``meta`` of what went out belong to the event before it. Rules and length that the
player was given, not the host, are ``given`` in the line that starts a game, as a ``start_game`` has them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from manue.errors import LogError, ProtocolError
from manue.foreign import whole_characters
from manue.game.events import GameStart, with_given
from manue.protocol.codec import event_to_fields
from manue.records.archive import MAX_VALUES, LogEntry, by_game, count_values, entry_of, numbered_lines
from manue.tiles import Seat

_FIELDS = {"dir", "line"}


def is_conversation(data: bytes) -> bool:
    """Return whether a text begins like a recorded conversation."""
    first = data.lstrip().split(b"\n", 1)[0]
    if not all(b'"%s"' % name.encode() in first for name in _FIELDS):
        return False
    try:
        value = from_json(first)
    except ValueError:
        return False
    return isinstance(value, dict) and value.keys() >= _FIELDS


def read_conversation(path: Path) -> Iterator[list[LogEntry]]:
    """Yield the games of a recording; one that is cut short comes before the error.

    Raises
    ------
    LogError
        If a line is not one of a recording, or a game is too long.
    """
    return by_game(_entries(path), path)


def _entries(path: Path) -> Iterator[LogEntry]:
    """Yield what the host reported, each entry with the decision of the reply to it; raises LogError."""
    latest: LogEntry | None = None
    seat: Seat | None = None
    try:
        for number, line in numbered_lines(path):
            if not line.strip():
                continue
            direction, values, given = _spoken(path, number, line)
            if direction == "out":
                if latest is not None and values:
                    latest, seat = _annotated(latest, values[0], seat)
                continue
            for entry in _reported(number, values, given):
                if isinstance(entry.event, GameStart):
                    seat = entry.event.seat
                if latest is not None:
                    yield latest
                latest = entry
    except LogError:
        if latest is not None:
            yield latest
        raise
    if latest is not None:
        yield latest


def _spoken(path: Path, number: int, line: bytes) -> tuple[str, list[Any], Any]:
    """Return the direction of a line, the objects in it (none where it is not JSON), and what was given."""
    if count_values(line) > MAX_VALUES:
        raise LogError(f"{path}, line {number}: more values in one line than a game can have")
    try:
        value = from_json(line)
        direction, text, given = str(value["dir"]), value["line"], value.get("given")
    except (ValueError, KeyError, TypeError) as error:
        raise LogError(f"{path}, line {number}: not a line of a recording: {error!r}") from None
    try:
        spoken = from_json(whole_characters(text.encode()))
    except (ValueError, AttributeError):
        return direction, [], given
    return direction, spoken if isinstance(spoken, list) else [spoken], given


def _reported(number: int, values: Sequence[Any], given: Any) -> Iterator[LogEntry]:
    """Yield what a host reported in a line, the start of a game with what the player was given of it."""
    for value in values:
        entry = _entry(number, value)
        if entry is not None and isinstance(entry.event, GameStart):
            start = with_given(entry.event, _given(number, given))
            entry = entry_of(f"line {number}", value | event_to_fields(start))
        if entry is not None:
            yield entry


def _entry(number: int, value: Any) -> LogEntry | None:
    """Return what a host reported; ``None`` for what only concerns the conversation or cannot be read."""
    try:
        entry = entry_of(f"line {number}", value)
    except ProtocolError:
        return None  # the session that was recorded went on, too
    return None if entry.event is None else entry


def _given(number: int, value: Any) -> GameStart:
    """Return what the player was given of a game: nothing, where that cannot be read."""
    entry = _entry(number, value)
    return entry.event if entry is not None and isinstance(entry.event, GameStart) else GameStart()


def _annotated(entry: LogEntry, reply: Any, seat: Seat | None) -> tuple[LogEntry, Seat | None]:
    """Return the entry with the decision of the reply to it, and whose it is, where that is known."""
    if not isinstance(reply, dict):
        return entry, seat
    actor = reply.get("actor", seat)
    if not isinstance(actor, int) or not 0 <= actor <= 3 or isinstance(actor, bool):
        return entry, seat
    if reply.get("meta") is None and not isinstance(reply.get("log"), str):
        return entry, actor
    by_seat = [at == actor for at in range(4)]
    update = {
        "logs": [reply.get("log") if own else None for own in by_seat],
        "meta": [reply.get("meta") if own else None for own in by_seat],
    }
    return replace(entry, message=entry.message.model_copy(update=update)), actor
