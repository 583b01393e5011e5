"""What programs and clients are sent and what they reply, as lines of JSON."""

from pydantic_core import to_json

from manue.errors import ProtocolError, SeatFault
from manue.protocol.annotation import KEY
from manue.protocol.codec import Fields
from manue.protocol.messages import Choice
from manue.protocol.parsing import parse_array, parse_choice, parse_choice_value
from manue.table.seats import Answer


def encoded(message: Fields) -> bytes:
    """Return a message as a line of JSON, including its LF."""
    return to_json(message) + b"\n"


def read_choices(line: bytes) -> list[Choice]:
    """Parse a reply: one object, or an array of a move and its follow-up discard.

    Raises
    ------
    SeatFault
        ``unreadable``.
    """
    try:
        if line.lstrip().startswith(b"["):
            return [parse_choice_value(value) for value in parse_array(line)]
        return [parse_choice(line)]
    except ProtocolError as error:
        raise SeatFault("unreadable", str(error), line) from error


def answer_of(choice: Choice, elapsed_ms: float | None) -> Answer:
    """Return a parsed reply as an `Answer`."""
    reply = choice.model_dump(exclude_none=True, exclude={"log", "meta", "request_id"})
    meta = choice.meta if isinstance(choice.meta, dict) else {}
    meta = {name: value for name, value in meta.items() if name != KEY}  # only we write under our key
    return Answer(reply, elapsed_ms, log=choice.log, meta=meta or None)
