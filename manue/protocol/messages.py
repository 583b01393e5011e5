"""The messages on the wire, and parsing a line into one.

Parsing is strict about what the game depends on (types, seats 0..3, tile names, numbers of tiles, ranges of
integers) and tolerant of what hosts add or leave out: unknown fields are ignored, optional ones may be
missing or ``null``, and an indicator may come as a list of one.
"""

import reprlib
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import ErrorDetails, from_json

from manue.errors import ProtocolError, ThreePlayersError
from manue.protocol.fields import (
    Four,
    FourPoints,
    Hand,
    Indicator,
    Indicators,
    Milliseconds,
    Points,
    RequestId,
    SeatNumber,
    SeenTile,
    SmallCount,
    Three,
    TileName,
    Tiles,
    Two,
    UraIndicators,
    Wind,
    length,
)

MAX_LINE = 4 << 20
"""Maximum length of a line or frame, in bytes; observations from some hosts reach 1 MiB."""
MAX_EVENTS = 1_000
"""Maximum number of events in an array frame and in a round; a real round has fewer than 300."""
ChoiceType: TypeAlias = Literal[
    "none", "dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan", "hora", "ryukyoku"
]


class Model(BaseModel):
    """Base class of everything on the wire: no type conversions, unknown fields ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class Choice(Model):
    """A reply, or an entry of a host's legal set, which may leave out fields."""

    type: ChoiceType
    actor: SeatNumber | None = None
    target: SeatNumber | None = None
    pai: TileName | None = None
    consumed: Annotated[list[TileName], length(4)] | None = None
    tsumogiri: bool | None = None
    reason: str | None = None
    request_id: RequestId | None = None
    log: str | None = None
    meta: Any = None


Choices: TypeAlias = Annotated[list[Choice], length(500)]


class Message(Model):
    """The fields that any message may have in addition to its own.

    With ``can_act=False`` some hosts forbid a reply; ``log``, ``logs`` and ``meta`` are annotations.
    """

    can_act: bool | None = None
    logs: Annotated[list[str | None], length(4)] | None = None
    meta: Any = None


class Hello(Message):
    """The greeting of a TCP host."""

    type: Literal["hello"] = "hello"
    protocol: str
    protocol_version: SmallCount
    waiting_for: SmallCount | None = None  # clients missing at the table, the one greeted included


class Join(Message):
    """A TCP client's request for a seat."""

    type: Literal["join"] = "join"
    name: str
    room: str
    token: str | None = None


FourNames: TypeAlias = Annotated[list[str], Field(min_length=4, max_length=4)]


class StartGame(Message):
    """The start of a game."""

    type: Literal["start_game"] = "start_game"
    id: SeatNumber | None = None
    names: Annotated[list[str], Field(max_length=0)] | FourNames | None = None
    num_players: Literal[4] | None = None
    kyoku_first: int | None = None


class StartKyoku(Message):
    """The start of a round: hands are dealt."""

    type: Literal["start_kyoku"] = "start_kyoku"
    bakaze: Wind
    dora_marker: Indicator
    kyoku: Annotated[int, Field(ge=1, le=4)]
    honba: SmallCount
    kyotaku: SmallCount
    oya: SeatNumber
    scores: FourPoints | None = None
    tehais: Annotated[list[Hand], length(4, 4)]


class Tsumo(Message):
    """A draw."""

    type: Literal["tsumo"] = "tsumo"
    actor: SeatNumber
    pai: SeenTile
    possible_actions: Choices | None = None


class Dahai(Message):
    """A discard."""

    type: Literal["dahai"] = "dahai"
    actor: SeatNumber
    pai: TileName
    tsumogiri: bool
    possible_actions: Choices | None = None


class Taken(Message):
    """Chi or pon: a discard taken for a set of three."""

    type: Literal["chi", "pon"]
    actor: SeatNumber
    target: SeatNumber
    pai: TileName
    consumed: Two
    cannot_dahai: Tiles | None = None


class Daiminkan(Message):
    """A discard taken for a set of four."""

    type: Literal["daiminkan"] = "daiminkan"
    actor: SeatNumber
    target: SeatNumber
    pai: TileName
    consumed: Three


class Ankan(Message):
    """A closed kan; some hosts add ``pai``, which is redundant and rejected in replies."""

    type: Literal["ankan"] = "ankan"
    actor: SeatNumber
    consumed: Four


class Kakan(Message):
    """A fourth tile added to a pon; ``consumed`` are the three tiles of the pon."""

    type: Literal["kakan"] = "kakan"
    actor: SeatNumber
    pai: TileName
    consumed: Three
    possible_actions: Choices | None = None


class Reach(Message):
    """A riichi declaration; the discard follows."""

    type: Literal["reach"] = "reach"
    actor: SeatNumber
    cannot_dahai: Tiles | None = None


class ReachAccepted(Message):
    """The riichi stick is paid."""

    type: Literal["reach_accepted"] = "reach_accepted"
    actor: SeatNumber
    deltas: FourPoints | None = None
    scores: FourPoints | None = None


class Dora(Message):
    """A new indicator."""

    type: Literal["dora"] = "dora"
    dora_marker: Indicator


class Hora(Message):
    """A win; hosts name the details differently, and some send none."""

    type: Literal["hora"] = "hora"
    actor: SeatNumber
    target: SeatNumber
    pai: TileName | None = None
    deltas: FourPoints | None = None
    scores: FourPoints | None = None
    ura_markers: Indicators | None = None
    uradora_markers: Indicators | None = None
    uradora_marker: UraIndicators = None
    hora_tehais: Tiles | None = None
    fu: SmallCount | None = None
    han: SmallCount | None = None
    fan: SmallCount | None = None
    hora_points: Points | None = None


class Ryukyoku(Message):
    """A round without a winner; ``reason`` is in the host's own words."""

    type: Literal["ryukyoku"] = "ryukyoku"
    actor: SeatNumber | None = None
    reason: str | None = None
    deltas: FourPoints | None = None
    scores: FourPoints | None = None
    tenpais: Annotated[list[bool], length(4, 4)] | None = None


class EndKyoku(Message):
    """The round is over."""

    type: Literal["end_kyoku"] = "end_kyoku"


class EndGame(Message):
    """The game is over."""

    type: Literal["end_game"] = "end_game"
    scores: FourPoints | None = None


class Nothing(Message):
    """The reply that does nothing."""

    type: Literal["none"] = "none"


class Failure(Message):
    """An error of the host; WebSocket hosts may send just ``{"error": ...}``."""

    type: Literal["error"] = "error"
    message: str = ""


class Clock(Model):
    """The time for one request; ``deadline_ms`` takes precedence."""

    grace_ms: Milliseconds | None = None
    bank_ms: Milliseconds | None = None
    deadline_ms: Milliseconds | None = None


class RequestAction(Message):
    """A WebSocket host's request for a move, to be answered with the same ``request_id``."""

    type: Literal["request_action"] = "request_action"
    request_id: RequestId | None = None
    time: Clock | None = None
    possible_actions: Choices | None = None


class ActionAck(Message):
    """A WebSocket host's verdict on a move: accepted, rejected, unparseable, stale or defaulted."""

    type: Literal["action_ack"] = "action_ack"
    request_id: RequestId | None = None
    status: str
    reason: str | None = None
    message: str | None = None


class ValidationResult(Message):
    """The result of a validation game."""

    type: Literal["validation_result"] = "validation_result"
    passed: bool
    reason: str | None = None


Incoming: TypeAlias = (
    Hello
    | StartGame
    | StartKyoku
    | Tsumo
    | Dahai
    | Taken
    | Daiminkan
    | Ankan
    | Kakan
    | Reach
    | ReachAccepted
    | Dora
    | Hora
    | Ryukyoku
    | EndKyoku
    | EndGame
    | Nothing
    | Join
    | Failure
    | RequestAction
    | ActionAck
    | ValidationResult
)

_INCOMING: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])
_CHOICE: TypeAdapter[Choice] = TypeAdapter(Choice)
_FOR_EACH_PLAYER = {
    ("start_game", "names"),
    ("start_game", "num_players"),
    ("start_kyoku", "tehais"),
    ("start_kyoku", "scores"),
}
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
    _check_length(line)
    try:
        return _of_four(_INCOMING.validate_json(line))
    except ValidationError as error:
        failure = _bare_failure(line, error)
        if failure is None:
            raise _refusal(error) from None
        return failure
    except ThreePlayersError:
        raise
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not JSON: {error}") from None


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
        on_table = sum(message.scores) + 1000 * message.kyotaku
        if message.scores[3] == 0 and on_table == _POINTS_OF_THREE:
            raise ThreePlayersError
    return message


def _refusal(error: ValidationError) -> ProtocolError:
    """Return the error to raise: for three of something that four players have, that it is their game."""
    for one in error.errors(include_url=False, include_context=False):
        given = one["input"]
        if one["loc"][:2] in _FOR_EACH_PLAYER and (
            given == 3 or (isinstance(given, list) and len(given) == 3)
        ):
            return ThreePlayersError()
    return ProtocolError(_reason(error))


def parse_choice(line: str | bytes) -> Choice:
    """Parse one JSON object as a reply; raises ProtocolError like `parse_message`."""
    _check_length(line)
    try:
        return _CHOICE.validate_json(line)
    except ValidationError as error:
        raise ProtocolError(_reason(error)) from None
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not JSON: {error}") from None


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
        If the line is too long, not JSON, not an array, or holds more than ``MAX_EVENTS`` events.
    """
    value = decode(line)
    if not isinstance(value, list):
        raise ProtocolError(f"not an array of events but {_kind_of_json(value)}")
    if len(value) > MAX_EVENTS:
        raise ProtocolError(f"{len(value)} events in one array (at most {MAX_EVENTS})")
    return value


def decode(line: str | bytes) -> object:
    """Decode any JSON text within the limits of length and nesting; raises ProtocolError."""
    _check_length(line)
    try:
        value: object = from_json(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not JSON: {error}") from None
    return value


def _check_length(line: str | bytes) -> None:
    if len(line) > MAX_LINE:
        raise ProtocolError(f"{len(line)} bytes in one line (at most {MAX_LINE})")


def _bare_failure(line: str | bytes, error: ValidationError) -> Failure | None:
    if error.errors(include_url=False)[0]["type"] != "union_tag_not_found":
        return None
    value: object = from_json(line)
    if isinstance(value, dict) and "error" in value:
        return Failure(message=str(value["error"])[:2_000])
    return None


def _kind_of_json(value: object) -> str:
    kinds = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


def _reason(error: ValidationError) -> str:
    """Describe the first error in one short line."""
    first = error.errors(include_url=False, include_context=True)[0]
    kind, location = first["type"], [str(part) for part in first["loc"]]
    if kind == "json_invalid":
        return f"not JSON: {first.get('ctx', {}).get('error', first['msg'])}"
    if kind == "string_unicode":
        return "not UTF-8"
    if kind == "union_tag_not_found":
        return "no field 'type'"
    if kind == "union_tag_invalid":
        return f"unknown message type {_shown(first.get('ctx', {}).get('tag'))}"
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
