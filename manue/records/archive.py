"""Reading game logs: one Mjai event per line, or a JSON array of events, plain or gzipped.

A log that is still being written, or whose writer was killed, can be read up to its last complete event:
`read_log` yields everything complete before it raises.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pydantic_core import from_json, to_json

from manue.errors import DamagedError, LogError, ProtocolError
from manue.foreign import as_utf8
from manue.game.events import Event
from manue.protocol.codec import Fields, event_to_fields, message_to_event
from manue.protocol.messages import Incoming
from manue.protocol.parsing import MAX_LINE, parse_message, parse_value
from manue.records.content import chunks
from manue.records.links import check_source
from manue.whole_files import is_special

MAX_LOG = 1 << 28
"""Maximum size of a log, in bytes after decompression."""
MAX_ARRAY = 1 << 26
"""Longest array that is read, in bytes."""
MAX_LINES = 2_000_000
"""Most lines of a log."""
MAX_GAME = 200 << 20
"""Most memory that the entries of one game may take, in bytes as `memory_of` estimates them."""
MAX_VALUES = 1_500_000
"""Most values in a JSON text that is decoded as a whole: each may take a hundred times its letters."""
_BYTES_OF_ENTRY, _BYTES_OF_VALUE = 1500, 64
"""About the memory that an entry takes beside its text, and that each value in it takes."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event of a log.

    Parameters
    ----------
    where : str
        Where it stands in the file, for messages: ``line 12``, ``line 12, element 3 of the array`` (the array
        begins there), or ``event 12`` of a record in another JSON format.
    message : Incoming
    event : Event or None
        ``None`` for messages that only concern the conversation (``none``, ``hello``).
    text : bytes
        The JSON object as it was in the file.
    """

    where: str
    message: Incoming
    event: Event | None
    text: bytes

    def fields(self) -> Fields:
        """Decode the whole object, including unknown fields."""
        value: Fields = from_json(self.text)
        return value


def annotated_fields(entry: LogEntry) -> Fields:
    """Return an event with its ``logs`` and ``meta``, which a recorded conversation has in another line."""
    annotation = {"logs": entry.message.logs, "meta": entry.message.meta}
    return entry.fields() | {name: value for name, value in annotation.items() if value is not None}


def entry_of(where: str, value: object) -> LogEntry:
    """Return a message, already read as JSON, as an entry of a log; raises ProtocolError."""
    message = parse_value(value)
    return LogEntry(where, message, message_to_event(message), to_json(value))


def entries_of(events: Iterable[Event]) -> list[LogEntry]:
    """Return events as the entries of a log."""
    fields = [from_json(to_json(event_to_fields(event))) for event in events]  # lists as on the wire
    return [entry_of(f"event {number}", one) for number, one in enumerate(fields, 1)]


def count_values(text: bytes) -> int:
    """Return how many values a JSON text holds at most, by its punctuation."""
    return text.count(b",") + text.count(b"{") + text.count(b"[")


def memory_of(entry: LogEntry) -> int:
    """Return about how many bytes an entry takes in memory."""
    return _BYTES_OF_ENTRY + len(entry.text) + _BYTES_OF_VALUE * count_values(entry.text)


def read_log(path: str | Path) -> Iterator[LogEntry]:
    """Yield the events of a log, in order.

    All complete events before the damage are yielded before an error is raised.

    Raises
    ------
    LogError
        If the file cannot be read or is cut short, or a line is not a message; the text names file and line.
    """
    return entries_in(numbered_lines(Path(path)), path)


def entries_in(lines: Iterator[tuple[int, bytes]], source: str | Path) -> Iterator[LogEntry]:
    """Yield the events in numbered lines, in order.

    Raises
    ------
    LogError
        If a line is not a message; the text names the source and the line.
    """
    for number, line in lines:
        if line.lstrip().startswith(b"["):
            yield from _array_entries(source, number, line, lines)
        elif line.strip() == b"{":
            text = _object(line, lines)
            yield _entry(source, number, text)
        elif line and not line.isspace():
            yield _entry(source, number, line)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file as UTF-8, numbered from 1; after the last whole one, raise LogError."""
    if is_special(path):
        raise LogError(f"{path}: not a regular file")
    try:
        with path.open("rb") as file:
            yield from lines_of(file, path)
    except OSError as error:
        check_source(path)
        raise LogError(f"{path}: {error.strerror or error}") from None


def lines_of(file: IO[bytes], source: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of an open file as UTF-8, numbered from 1; after the last whole one, raise LogError."""
    number = 0
    try:
        for number, line in enumerate(_limited(_lines(chunks(file))), 1):
            yield number, as_utf8(line)
    except DamagedError as error:
        until = f"; the last complete line is {number}" if number else ""
        raise LogError(f"{source}: {error}{until}") from None


def read_games(path: str | Path) -> Iterator[list[LogEntry]]:
    """Yield every game of a log.

    Raises
    ------
    LogError
        As for `read_log` and `by_game`.
    """
    return by_game(read_log(path), path)


def by_game(entries: Iterator[LogEntry], source: str | Path) -> Iterator[list[LogEntry]]:
    """Yield the entries from one ``start_game`` up to the next; a greeting alone is not a game.

    Raises
    ------
    LogError
        If reading the entries does, after the game that is cut short there; or if a game is too long.
    """
    game: list[LogEntry] = []
    room = MAX_GAME
    trouble: LogError | None = None
    try:
        for entry in entries:
            if entry.message.type == "start_game":
                if _is_game(game):
                    yield game
                game, room = [], MAX_GAME
            room -= memory_of(entry)
            if room < 0:
                game, trouble = [], LogError(f"{source}, {entry.where}: more events than a game can have")
                break
            game.append(entry)
    except LogError as error:
        trouble = error
    if _is_game(game):
        yield game
    if trouble is not None:
        raise trouble


def _is_game(entries: Iterable[LogEntry]) -> bool:
    return any(entry.event is not None for entry in entries)


def _lines(data: Iterator[bytes]) -> Iterator[bytes]:
    pending: list[bytes] = []  # chunks of an unfinished line; joining them only once keeps this linear
    total = length = 0
    for chunk in data:
        total += len(chunk)
        first, *further = chunk.split(b"\n")
        pending.append(first)
        length += len(first)
        if further:
            yield b"".join(pending)
            *whole, last = further
            yield from whole
            pending, length = [last], len(last)
        most = MAX_ARRAY if pending[0].lstrip().startswith(b"[") else MAX_LINE
        if total > MAX_LOG or length > most:
            raise DamagedError("a line longer, or more data, than a game log can hold")
    if length:
        yield b"".join(pending)


def _limited(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield lines; raise DamagedError where there are more than `MAX_LINES`."""
    for number, line in enumerate(lines, 1):
        if number > MAX_LINES:
            raise DamagedError("more lines than a game log can hold")
        yield line


def _entry(source: str | Path, line: int, text: bytes) -> LogEntry:
    try:
        message = parse_message(text)
    except ProtocolError as error:
        raise LogError(f"{source}, line {line}: {error}") from None
    return LogEntry(f"line {line}", message, message_to_event(message), text)


def _array_entries(
    source: str | Path, line: int, text: bytes, rest: Iterator[tuple[int, bytes]]
) -> Iterator[LogEntry]:
    """Yield the events of an array that begins on a line and may continue over all the following ones."""
    trouble = None
    values, damage = _elements(source, text)
    if damage is not None:
        text, cut = _joined(source, text, rest)
        values, damage = _elements(source, text)
        if damage is not None:
            whole = f"(after {len(values)} whole events)"
            trouble = cut or LogError(f"{source}, line {line}: not JSON: {damage} {whole}")
    for number, value in enumerate(values, 1):
        where = f"line {line}, element {number} of the array"
        try:
            yield entry_of(where, value)
        except ProtocolError as error:
            raise LogError(f"{source}, {where}: {error}") from None
    if trouble is not None:
        raise trouble


def _elements(source: str | Path, text: bytes) -> tuple[list[Any], ValueError | None]:
    """Return the whole elements of an array, and what is wrong after them, if anything."""
    if count_values(text) > MAX_VALUES:
        raise LogError(f"{source}: more values in one array than a game can have")
    try:
        return from_json(text), None
    except ValueError as error:
        damage = error
    try:
        return from_json(text, allow_partial=True)[:-1], damage
    except ValueError:
        return [], damage


def _joined(
    source: str | Path, text: bytes, rest: Iterator[tuple[int, bytes]]
) -> tuple[bytes, LogError | None]:
    """Return an array with all following lines, and what cut it short, if anything."""
    lines, length, cut = [text], len(text), None
    try:
        for _, line in rest:
            lines.append(line)
            length += len(line) + 1
            if length > MAX_ARRAY:
                break
    except LogError as error:
        cut = error
    if length > MAX_ARRAY:
        raise LogError(f"{source}: an array longer than a game can be")
    return b"\n".join(lines), cut


def _object(text: bytes, rest: Iterator[tuple[int, bytes]]) -> bytes:
    """Return an object over several lines, as programs print it for people: it ends with a brace alone."""
    lines, length = [text], len(text)
    for _, line in rest:
        lines.append(line)
        length += len(line) + 1
        if line.rstrip(b"\r, ") == b"}" or length > MAX_LINE:
            break
    return b"\n".join(lines).rstrip(b"\r, ")
