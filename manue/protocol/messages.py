"""The messages on the wire, as declarations; `manue.protocol.parsing` reads them."""

from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from manue.foreign import MESSAGE
from manue.protocol.fields import (
    HIDDEN,
    DealtHands,
    DrawnTile,
    Four,
    FourPoints,
    Indicator,
    Indicators,
    Milliseconds,
    Points,
    RequestId,
    SeatNumber,
    ShownHands,
    SmallCount,
    Sticks,
    Three,
    TileName,
    TileNames,
    Two,
    UraIndicators,
    Wind,
    length,
)
from manue.rules import RULES, RulesName

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


def _known(choices: Any) -> Any:
    """Leave out choices of a type that we do not know: we could not make them."""
    if not isinstance(choices, list):
        return choices
    return [choice for choice in choices if not isinstance(choice, dict) or _may_be_known(choice.get("type"))]


def _may_be_known(kind: object) -> bool:
    return not isinstance(kind, str) or kind in _CHOICE_TYPES


_CHOICE_TYPES = frozenset(get_args(ChoiceType))
Choices: TypeAlias = Annotated[list[Choice], length(500), BeforeValidator(_known)]


def _texts_or_none(logs: Any) -> Any:
    """Return the texts of an annotation by seat, or `None` for anything else, which says nothing."""
    by_seat = isinstance(logs, list) and len(logs) <= 4
    return logs if by_seat and all(isinstance(text, str | None) for text in logs) else None


def _count_or_none(number: object) -> int | None:
    """Return a small number, or `None` for anything else, which says nothing."""
    return number if type(number) is int and 0 <= number <= 1_000 else None


_LenientCount: TypeAlias = Annotated[int | None, BeforeValidator(_count_or_none)]
"""A number that play does not depend on: anything else is as if it were not there."""


class Message(Model):
    """The fields that any message may have in addition to its own.

    With ``can_act=False`` some hosts forbid a reply; ``log``, ``logs`` and ``meta`` are annotations.
    """

    can_act: bool | None = None
    logs: Annotated[list[str | None] | None, BeforeValidator(_texts_or_none)] = None
    meta: Any = None


class Hello(Message):
    """The greeting of a TCP host."""

    type: Literal["hello"] = "hello"
    protocol_version: _LenientCount = None
    waiting_for: _LenientCount = None  # clients missing at the table, the one greeted included


class Join(Message):
    """A TCP client's request for a seat."""

    type: Literal["join"] = "join"
    name: str
    room: str
    token: str | None = None


def _four_or_none(names: object) -> list[str] | None:
    """Return four names, blank where there is no text; `None` for anything else, which says nothing.

    Three names say that the game is one of three players.
    """
    if not isinstance(names, list):
        return None
    if len(names) == 3:
        raise PydanticCustomError("names", "there are four names or none")
    return [name if isinstance(name, str) else "" for name in names] if len(names) == 4 else None


def _true_or_false(flag: object) -> bool | None:
    """Return a flag, or `None` for anything else, which says nothing."""
    return flag if isinstance(flag, bool) else None


def _known_rules(name: object) -> object:
    """Return the name of rules, or `None` for anything else, which says nothing."""
    return name if isinstance(name, str) and name in RULES else None


class StartGame(Message):
    """The start of a game."""

    type: Literal["start_game"] = "start_game"
    id: SeatNumber | None = None
    names: Annotated[list[str] | None, BeforeValidator(_four_or_none)] = None
    num_players: Literal[4] | None = None
    kyoku_first: _LenientCount = None
    aka_flag: Annotated[bool | None, BeforeValidator(_true_or_false)] = None
    kuitan_flag: Annotated[bool | None, BeforeValidator(_true_or_false)] = None
    rules: Annotated[RulesName | None, BeforeValidator(_known_rules)] = None


class StartKyoku(Message):
    """The start of a round: hands are dealt."""

    type: Literal["start_kyoku"] = "start_kyoku"
    bakaze: Wind
    dora_marker: Indicator
    kyoku: Annotated[int, Field(ge=1, le=4)]
    honba: Sticks
    kyotaku: Sticks
    oya: SeatNumber
    scores: FourPoints = None
    tehais: DealtHands


class Tsumo(Message):
    """A draw; hosts may leave out a tile that is not shown."""

    type: Literal["tsumo"] = "tsumo"
    actor: SeatNumber
    pai: DrawnTile = HIDDEN
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
    cannot_dahai: TileNames | None = None


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
    cannot_dahai: TileNames | None = None


class ReachAccepted(Message):
    """The riichi stick is paid."""

    type: Literal["reach_accepted"] = "reach_accepted"
    actor: SeatNumber
    scores: FourPoints = None


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
    deltas: FourPoints = None
    scores: FourPoints = None
    ura_markers: Indicators | None = None
    uradora_markers: Indicators | None = None
    uradora_marker: UraIndicators = None
    hora_tehais: TileNames | None = None
    fu: SmallCount | None = None
    han: SmallCount | None = None
    fan: SmallCount | None = None
    hora_points: Points | None = None


class Ryukyoku(Message):
    """A round without a winner; ``reason`` is in the host's own words."""

    type: Literal["ryukyoku"] = "ryukyoku"
    actor: SeatNumber | None = None
    reason: str | None = None
    deltas: FourPoints = None
    scores: FourPoints = None
    tenpais: Annotated[list[bool], length(4, 4)] | None = None
    tehais: ShownHands = None


class EndKyoku(Message):
    """The round is over."""

    type: Literal["end_kyoku"] = "end_kyoku"


class EndGame(Message):
    """The game is over."""

    type: Literal["end_game"] = "end_game"
    scores: FourPoints = None


class Nothing(Message):
    """The reply that does nothing."""

    type: Literal["none"] = "none"


def _as_text(message: object) -> str:
    return message if isinstance(message, str) else "" if message is None else str(message)[:MESSAGE]


_Text: TypeAlias = Annotated[str, BeforeValidator(_as_text)]
"""What a host says in words, of whatever type; empty for none."""


class Failure(Message):
    """An error of the host, put into words differently; WebSocket hosts may send just ``{"error": ...}``."""

    type: Literal["error"] = "error"
    message: _Text = ""
    reason: _Text = ""
    error: _Text = ""
    detail: _Text = ""
    code: _Text = ""

    @property
    def words(self) -> str:
        """What the host says, empty if nothing."""
        return self.message or self.reason or self.error or self.detail or self.code


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
    reason: _Text = ""
    message: _Text = ""


class ValidationResult(Message):
    """The result of a validation game."""

    type: Literal["validation_result"] = "validation_result"
    passed: bool
    reason: _Text = ""


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
