"""Parsing a line into a message, a reply or an array of events, and saying in one line why it is none.

Parsing is strict about what the game depends on (types, seats 0..3, tile names, numbers of tiles, ranges of
integers) and tolerant of what hosts add or leave out: unknown fields are ignored, optional ones may be
missing or ``null``, an indicator may come as a list of one, a byte order mark may stand before a line, and a
name may be cut in the middle of a character or be in another encoding.
"""

import reprlib
from codecs import BOM_UTF8
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, from_json

from manue.errors import ProtocolError, ThreePlayersError
from manue.foreign import MESSAGE, as_utf8
from manue.protocol.messages import Choice, Failure, Incoming, StartKyoku
from manue.rules import STICK

MAX_LINE = 4 << 20
"""Maximum length of a line or frame, in bytes; observations from some hosts reach 1 MiB."""
MAX_EVENTS = 1_000
"""Maximum number of events in a round; a real one has fewer than 300."""
MAX_ARRAY = 20_000
"""Maximum number of events in an array frame, which may hold a whole game so far: 1,600 of a long hanchan."""
_INCOMING: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])
_CHOICE: TypeAdapter[Choice] = TypeAdapter(Choice)
_FOR_EACH_PLAYER = {
    ("start_game", "names"),
    ("start_game", "num_players"),
    ("start_kyoku", "tehais"),
    ("start_kyoku", "scores"),
}
_MOVES_OF_THREE = {"kita", "nukidora"}
"""What hosts call the north that is set aside as a dora, which no game of four has."""
_POINTS_OF_THREE = 105_000
"""On the table in a game of three, who begin with 35000 each."""


def parse_message(line: str | bytes) -> Incoming:
    """Parse one JSON object as a message.

    Raises
    ------
    ProtocolError
        If the line is too long, not JSON, of an unknown type, or has missing or invalid fields.
    ThreePlayersError
        If it begins a three-player game.
    """
    text = _text_of(line)
    try:
        return _of_four(_INCOMING.validate_json(text))
    except ValidationError as error:
        failure = _bare_failure(text, error)
        if failure is None:
            raise _refusal(error) from None
        return failure
    except ThreePlayersError:
        raise
    except (ValueError, RecursionError) as error:
        raise ProtocolError(_not_json(error)) from None


def parse_value(value: object) -> Incoming:
    """Parse a decoded JSON value as a message; raises ProtocolError like `parse_message`."""
    try:
        return _of_four(_INCOMING.validate_python(value))
    except ValidationError as error:
        raise _refusal(error) from None
    except RecursionError as error:
        raise ProtocolError(f"nested too deeply: {error}") from None


def _of_four(message: Incoming) -> Incoming:
    """Return a message unless it is a deal to three, written with a fourth seat that is empty."""
    if isinstance(message, StartKyoku) and message.scores is not None:
        on_table = sum(message.scores) + STICK * message.kyotaku
        if message.scores[3] == 0 and on_table == _POINTS_OF_THREE:
            raise ThreePlayersError
    return message


def _refusal(error: ValidationError) -> ProtocolError:
    """Return the error to raise: for what only a game of three players has, that it is one."""
    if any(map(_is_of_three, error.errors(include_url=False))):
        return ThreePlayersError()
    return ProtocolError(_reason(error))


def _is_of_three(one: ErrorDetails) -> bool:
    """Return whether something is there three times, the fourth hand is empty, or it is a move of theirs."""
    if one["type"] == "union_tag_invalid":
        return one["ctx"]["tag"] in _MOVES_OF_THREE
    given = one["input"]
    if one["loc"] == ("start_kyoku", "tehais", 3):
        return bool(given == [])
    number = len(given) if isinstance(given, list) else given
    return one["loc"] in _FOR_EACH_PLAYER and bool(number == 3)


def parse_choice(line: str | bytes) -> Choice:
    """Parse one JSON object as a reply; raises ProtocolError like `parse_message`."""
    try:
        return _CHOICE.validate_json(_text_of(line))
    except ValidationError as error:
        raise ProtocolError(_reason(error)) from None
    except (ValueError, RecursionError) as error:
        raise ProtocolError(_not_json(error)) from None


def parse_choice_value(value: object) -> Choice:
    """Parse a decoded JSON value as a reply; raises ProtocolError like `parse_message`."""
    try:
        return _CHOICE.validate_python(value)
    except ValidationError as error:
        raise ProtocolError(_reason(error)) from None


def parse_array(line: str | bytes) -> list[object]:
    """Decode a line holding a JSON array of events, each to be parsed by `parse_value`.

    Raises
    ------
    ProtocolError
        If the line is too long, not JSON, not an array, or holds more than ``MAX_ARRAY`` events.
    """
    value = decode(line)
    if not isinstance(value, list):
        raise ProtocolError(f"not an array of events but {_kind_of_json(value)}")
    if len(value) > MAX_ARRAY:
        raise ProtocolError(f"{len(value)} events in one array (at most {MAX_ARRAY})")
    return value


def decode(line: str | bytes) -> object:
    """Decode any JSON text within the limits of length and nesting; raises ProtocolError."""
    text = _text_of(line)
    try:
        value: object = from_json(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(_not_json(error)) from None
    return value


def _not_json(damage: object) -> str:
    """Return what is wrong with a line; errors name its number where it came from, and there alone."""
    return f"not JSON: {damage}".replace(" at line 1 column ", " at column ")


def _text_of(line: str | bytes) -> bytes:
    """Return a line of permitted length as UTF-8, without the byte order mark of some programs."""
    if len(line) > MAX_LINE:
        raise ProtocolError(f"{len(line)} bytes in one line (at most {MAX_LINE})")
    text = (line.encode(errors="surrogatepass") if isinstance(line, str) else line).removeprefix(BOM_UTF8)
    return as_utf8(text)


def _bare_failure(text: bytes, error: ValidationError) -> Failure | None:
    if error.errors(include_url=False)[0]["type"] != "union_tag_not_found":
        return None
    value: object = from_json(text)
    if isinstance(value, dict) and "error" in value:
        return Failure(message=str(value["error"])[:MESSAGE])
    return None


def _kind_of_json(value: object) -> str:
    kinds = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


def _reason(error: ValidationError) -> str:
    """Describe the first error in one short line."""
    first = error.errors(include_url=False)[0]
    kind, location = first["type"], [str(part) for part in first["loc"]]
    if kind == "json_invalid":
        return _not_json(first["ctx"]["error"])
    if kind == "string_unicode":
        return "not UTF-8"
    if kind == "union_tag_not_found":
        return "no field 'type'"
    if kind == "union_tag_invalid":
        return f"unknown message type {_shown(first['ctx']['tag'])}"
    if not location or kind in {"model_type", "model_attributes_type"}:
        return f"not an object but {_kind_of_json(first['input'])}"
    return _field_reason(first, location)


def _field_reason(first: ErrorDetails, location: list[str]) -> str:
    field, of = (".".join(location[1:]), f" of {location[0]!r}") if len(location) > 1 else (location[0], "")
    if first["type"] == "missing":
        return f"missing field {field!r}{of}"
    what = "not a tile name" if "'5mr'" in first["msg"] else first["msg"][:1].lower() + first["msg"][1:]
    return f"field {field!r}{of} is {_shown(first['input'])}: {what}"


class _Brief(reprlib.Repr):
    """Writes at most the beginning of a value, whatever its size."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxdict = self.maxtuple = 20
        self.maxlevel = 3
        self.maxstring = self.maxlong = self.maxother = 200


_BRIEF = _Brief()


def _shown(value: object) -> str:
    text = _BRIEF.repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
