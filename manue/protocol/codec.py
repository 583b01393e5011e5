"""Conversions between wire and game: message <-> event, action -> reply, any player's reply -> action."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from manue.errors import IllegalActionError, ProtocolError
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import (
    NINE_TERMINALS_REASONS,
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    Event,
    GameEnd,
    GameStart,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundEnd,
    RoundStart,
    Won,
)
from manue.protocol.fields import HIDDEN
from manue.protocol.messages import (
    Ankan,
    Choice,
    Dahai,
    Daiminkan,
    Dora,
    EndGame,
    EndKyoku,
    Hora,
    Incoming,
    Kakan,
    Reach,
    ReachAccepted,
    RequestAction,
    Ryukyoku,
    StartGame,
    StartKyoku,
    Taken,
    Tsumo,
)
from manue.protocol.parsing import parse_choice_value
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import Seat, Tile, plain

_M = TypeVar("_M", bound=Any)
_T = TypeVar("_T")


def _tuple(values: list[_T] | None) -> tuple[_T, ...] | None:
    return None if values is None else tuple(values)


def _seen(tile: str) -> Tile | None:
    return None if tile == HIDDEN else tile


def _hands(hands: Sequence[Sequence[str]]) -> tuple[tuple[Tile | None, ...], ...]:
    return tuple(tuple(_seen(tile) for tile in hand) for hand in hands)


def _round_start(message: StartKyoku) -> RoundStart:
    return RoundStart(
        round_wind=message.bakaze,
        number=message.kyoku,
        honba=message.honba,
        deposits=message.kyotaku,
        dealer=message.oya,
        dora_indicator=message.dora_marker,
        hands=_hands(message.tehais),
        scores=_tuple(message.scores),
    )


def _taken(message: Taken | Daiminkan) -> Called:
    call = Call(message.type, tuple(message.consumed), message.pai, message.target)
    return Called(message.actor, call)


def _won(message: Hora) -> Won:
    return Won(
        actor=message.actor,
        source=message.target,
        tile=message.pai,
        deltas=_tuple(message.deltas),
        scores=_tuple(message.scores),
        ura_indicators=tuple(message.ura_markers or message.uradora_markers or message.uradora_marker or ()),
        han=message.han if message.han is not None else message.fan,
        fu=message.fu,
        points=message.hora_points,
        hand=_tuple(message.hora_tehais),
    )


def _round_drawn(message: Ryukyoku) -> RoundDrawn:
    return RoundDrawn(
        reason=message.reason or "",
        deltas=_tuple(message.deltas),
        scores=_tuple(message.scores),
        tenpai=_tuple(message.tenpais),
        hands=None if message.tehais is None else _hands(message.tehais),
    )


KYOKU_FIRST = {HANCHAN: 0, EAST_ONLY: 4}
"""``kyoku_first`` of ``start_game`` by the last planned round."""
_LAST_ROUNDS = {number: last for last, number in KYOKU_FIRST.items()}


def game_start(message: StartGame) -> GameStart:
    """Return the start of a game as the host reports it."""
    last_round = None if message.kyoku_first is None else _LAST_ROUNDS.get(message.kyoku_first)
    return GameStart(
        message.id,
        tuple(message.names or ()),
        last_round,
        message.aka_flag,
        message.rules,
        message.kuitan_flag,
    )


_TO_EVENT: dict[type, Callable[[_M], Event]] = {
    StartGame: game_start,
    StartKyoku: _round_start,
    Tsumo: lambda m: Draw(m.actor, _seen(m.pai)),
    Dahai: lambda m: Discarded(m.actor, m.pai, m.tsumogiri),
    Taken: _taken,
    Daiminkan: _taken,
    Ankan: lambda m: Called(m.actor, Call("ankan", tuple(m.consumed))),
    Kakan: lambda m: Called(m.actor, Call("kakan", tuple(m.consumed), m.pai)),
    Reach: lambda m: RiichiDeclared(m.actor),
    ReachAccepted: lambda m: RiichiAccepted(m.actor, _tuple(m.scores)),
    Dora: lambda m: DoraRevealed(m.dora_marker),
    Hora: _won,
    Ryukyoku: _round_drawn,
    EndKyoku: lambda _: RoundEnd(),
    EndGame: lambda m: GameEnd(_tuple(m.scores)),
}


def message_to_event(message: Incoming) -> Event | None:
    """Return the event that a message reports, or ``None`` if it only concerns the conversation."""
    convert = _TO_EVENT.get(type(message))
    return None if convert is None else convert(message)


Fields = dict[str, Any]
"""A JSON object to send or write."""


def event_to_fields(event: Event) -> Fields:
    """Return the JSON object that Mjai uses for an event, without unknown values."""
    return {name: value for name, value in _FROM_EVENT[type(event)](event).items() if value is not None}


def _named(hands: Sequence[Sequence[Tile | None]]) -> list[list[str]]:
    return [[tile or HIDDEN for tile in hand] for hand in hands]


def _start_kyoku(event: RoundStart) -> Fields:
    return {
        "type": "start_kyoku",
        "bakaze": event.round_wind,
        "dora_marker": event.dora_indicator,
        "kyoku": event.number,
        "honba": event.honba,
        "kyotaku": event.deposits,
        "oya": event.dealer,
        "scores": event.scores,
        "tehais": _named(event.hands),
    }


def _hora(event: Won) -> Fields:
    return {
        "type": "hora",
        "actor": event.actor,
        "target": event.source,
        "pai": event.tile,
        "deltas": event.deltas,
        "scores": event.scores,
        "ura_markers": event.ura_indicators,
        "han": event.han,
        "fu": event.fu,
        "hora_points": event.points,
        "hora_tehais": event.hand,
    }


def _ryukyoku(event: RoundDrawn) -> Fields:
    reason = event.reason or None
    return {
        "type": "ryukyoku",
        "reason": reason,
        "deltas": event.deltas,
        "scores": event.scores,
        "tenpais": event.tenpai,
        "tehais": None if event.hands is None else _named(event.hands),
    }


_FROM_EVENT: dict[type, Callable[[_M], Fields]] = {
    GameStart: lambda e: {
        "type": "start_game",
        "id": e.seat,
        "names": list(e.names) or None,
        "kyoku_first": None if e.last_round is None else KYOKU_FIRST.get(e.last_round),
        "aka_flag": e.red_fives,
        "kuitan_flag": e.open_tanyao,
        "rules": e.rules,
    },
    RoundStart: _start_kyoku,
    Draw: lambda e: {"type": "tsumo", "actor": e.actor, "pai": e.tile or HIDDEN},
    Discarded: lambda e: {"type": "dahai", "actor": e.actor, "pai": e.tile, "tsumogiri": e.from_draw},
    Called: lambda e: _call(e.call, e.actor),
    RiichiDeclared: lambda e: {"type": "reach", "actor": e.actor},
    RiichiAccepted: lambda e: {"type": "reach_accepted", "actor": e.actor, "scores": e.scores},
    DoraRevealed: lambda e: {"type": "dora", "dora_marker": e.indicator},
    Won: _hora,
    RoundDrawn: _ryukyoku,
    RoundEnd: lambda _: {"type": "end_kyoku"},
    GameEnd: lambda e: {"type": "end_game", "scores": e.scores},
}


def _call(call: Call, actor: Seat) -> Fields:
    fields: Fields = {"type": call.kind, "actor": actor}
    if call.source is not None:
        fields["target"] = call.source
    if call.tile is not None:
        fields["pai"] = call.tile
    return fields | {"consumed": list(call.consumed)}


def action_to_fields(action: Action, seat: Seat) -> Fields:
    """Return the reply for an action, with exactly the fields that the strictest host accepts."""
    match action:
        case Discard(tile, from_draw):  # bool: of a report, it may be NumPy's
            return {"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": bool(from_draw)}
        case Pass():
            return {"type": "none"}
        case Riichi():
            return {"type": "reach", "actor": seat}
        case Call():
            return _call(action, seat)
        case Win(tile, source):
            return {"type": "hora", "actor": seat, "target": source, "pai": tile}
        case NineTerminals():
            return {"type": "ryukyoku", "actor": seat, "reason": "kyushukyuhai"}


_SINGLE: dict[str, type[Pass | Riichi | NineTerminals]] = {
    "none": Pass,
    "reach": Riichi,
    "ryukyoku": NineTerminals,
}


def matches(choice: Choice, action: Action) -> bool:
    """Return whether a reply, or an entry of a host's legal set, means this action.

    Missing fields match anything; ``consumed`` is compared as a multiset; the actor and fields that some
    hosts add (``pai`` in an ankan) do not matter.
    """
    if isinstance(action, Discard):
        flag = choice.tsumogiri
        return choice.type == "dahai" and choice.pai == action.tile and flag in (None, action.from_draw)
    if isinstance(action, Call):
        if choice.type != action.kind or (choice.pai not in (None, action.tile) and action.tile is not None):
            return False
        return choice.consumed is None or sorted(choice.consumed) == sorted(action.consumed)
    if isinstance(action, Win):
        same_tile = choice.pai in (None, action.tile)
        return choice.type == "hora" and same_tile and choice.target in (None, action.source)
    return _SINGLE.get(choice.type) is type(action)


def choice_to_action(choice: Choice, actions: Sequence[Action]) -> Action:
    """Return the legal action that a reply means.

    A discard without ``tsumogiri`` is taken from the hand if a copy is there.

    Raises
    ------
    IllegalActionError
        If the reply means none of the actions.
    """
    found = [action for action in actions if matches(choice, action)]
    if not found:
        reply = choice.model_dump(exclude_none=True, exclude={"log", "meta"})
        raise IllegalActionError(f"{reply} is not one of the legal actions")
    return min(found, key=lambda action: isinstance(action, Discard) and action.from_draw)


def allowed_by(choices: Iterable[Choice], actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions that a host's legal set contains, in their order.

    Some hosts write a red five as a plain one there: an entry that fits nothing is compared so.
    """
    allowed: set[Action] = set()
    for choice in choices:
        found = [action for action in actions if matches(choice, action)]
        if not found:
            folded = _plain_choice(choice)
            found = [action for action in actions if matches(folded, _plain_action(action))]
        allowed.update(found)
    return tuple(action for action in actions if action in allowed)


def _plain_choice(choice: Choice) -> Choice:
    """Return a choice with plain fives for red ones."""
    pai = None if choice.pai is None else plain(choice.pai)
    consumed = None if choice.consumed is None else [plain(tile) for tile in choice.consumed]
    return choice.model_copy(update={"pai": pai, "consumed": consumed})


def _plain_action(action: Action) -> Action:
    """Return an action with plain fives for red ones."""
    match action:
        case Discard(tile) | Win(tile):
            return replace(action, tile=plain(tile))
        case Call(_, consumed, tile):
            own = tuple(plain(one) for one in consumed)
            return replace(action, consumed=own, tile=None if tile is None else plain(tile))
    return action


def allowed_by_host(message: Incoming, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Keep the actions that the host permits after this message, if it says so.

    A list with an event names every choice except discards and passing, ``cannot_dahai`` names the forbidden
    discards, and a list with a request names everything.
    """
    if isinstance(message, RequestAction):
        offered = message.possible_actions
        return actions if offered is None else allowed_by(offered, actions)
    if isinstance(message, Taken | Reach) and message.cannot_dahai:
        banned = set(message.cannot_dahai)
        return tuple(a for a in actions if not (isinstance(a, Discard) and a.tile in banned))
    if isinstance(message, Tsumo | Dahai | Kakan) and message.possible_actions is not None:
        named = set(allowed_by(message.possible_actions, actions))
        return tuple(action for action in actions if isinstance(action, Discard | Pass) or action in named)
    return actions


def fields_to_action(fields: object) -> Action:
    """Return the action of a complete reply, as written by `action_to_fields`.

    Raises
    ------
    ProtocolError
        If it is not a reply or lacks a field.
    """
    choice = parse_choice_value(fields)
    pai, consumed, target = choice.pai, tuple(choice.consumed or ()), choice.target
    match choice.type:
        case "none" | "reach" | "ryukyoku":
            return _SINGLE[choice.type]()
        case "dahai" if pai is not None and choice.tsumogiri is not None:
            return Discard(pai, choice.tsumogiri)
        case "hora" if pai is not None and target is not None:
            return Win(pai, target)
        case "ankan" if len(consumed) == 4:
            return Call("ankan", consumed)
        case "kakan" if pai is not None and len(consumed) == 3:
            return Call("kakan", consumed, pai)
        case "chi" | "pon" | "daiminkan" as kind if pai is not None and target is not None and consumed:
            return Call(kind, consumed, pai, target)
    raise ProtocolError(f"incomplete {choice.type!r}: {choice.model_dump(exclude_none=True)}")


def message_to_choice(message: Incoming) -> Choice | None:
    """Return the choice that a message of a log records, or ``None`` if nobody chose anything.

    `choice_to_action` can then find it among the legal actions of ``choice.actor`` before the message.
    """
    if isinstance(message, Dahai):
        return Choice(type="dahai", actor=message.actor, pai=message.pai, tsumogiri=message.tsumogiri)
    if isinstance(message, Taken | Daiminkan):
        kind, actor, taken = message.type, message.actor, message.pai
        return Choice(type=kind, actor=actor, target=message.target, pai=taken, consumed=message.consumed)
    if isinstance(message, Ankan):
        return Choice(type="ankan", actor=message.actor, consumed=message.consumed)
    if isinstance(message, Kakan):
        return Choice(type="kakan", actor=message.actor, pai=message.pai, consumed=message.consumed)
    if isinstance(message, Reach):
        return Choice(type="reach", actor=message.actor)
    if isinstance(message, Hora):
        return Choice(type="hora", actor=message.actor, target=message.target, pai=message.pai)
    if isinstance(message, Ryukyoku) and message.reason in NINE_TERMINALS_REASONS:
        return Choice(type="ryukyoku", actor=message.actor, reason=message.reason)
    return None
