"""What happened, as immutable events. A tile that the seat does not see is ``None``."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from manue.game.actions import Call
from manue.rules import RulesName
from manue.tiles import Seat, Tile, Wind


@dataclass(frozen=True, slots=True)
class GameStart:
    """A game begins.

    Parameters
    ----------
    seat : int or None
        This seat, where the host says it.
    names : tuple of str
    last_round : int or None
        Index of the last planned round (``manue.rules``), where the host says how long the game is.
    red_fives : bool or None
        Whether the game has red fives, where the host says it.
    rules : str or None
        Name of the rules (``manue.rules.RULES``), where the host says it.
    open_tanyao : bool or None
        Whether tanyao counts with an open hand, where the host says it.
    """

    seat: Seat | None = None
    names: tuple[str, ...] = ()
    last_round: int | None = None
    red_fives: bool | None = None
    rules: RulesName | None = None
    open_tanyao: bool | None = None


@dataclass(frozen=True, slots=True)
class RoundStart:
    """Hands are dealt: 13 tiles each, ``number`` 1..4 within the wind, points in seat order."""

    round_wind: Wind
    number: int
    honba: int
    deposits: int
    dealer: Seat
    dora_indicator: Tile
    hands: tuple[tuple[Tile | None, ...], ...]
    scores: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A seat draws from the wall or, after a kan, from the dead wall."""

    actor: Seat
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discards; ``from_draw`` is true for the tile just drawn."""

    actor: Seat
    tile: Tile
    from_draw: bool


@dataclass(frozen=True, slots=True)
class Called:
    """A seat calls a discard or makes a kan."""

    actor: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class RiichiDeclared:
    """A seat announces riichi; its discard follows."""

    actor: Seat


@dataclass(frozen=True, slots=True)
class RiichiAccepted:
    """Nobody won on the riichi discard: the stick is paid."""

    actor: Seat
    scores: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DoraRevealed:
    """A new dora indicator is revealed after a kan."""

    indicator: Tile


@dataclass(frozen=True, slots=True)
class Won:
    """A seat wins, by self-draw if ``source == actor``; what the host does not report is ``None``."""

    actor: Seat
    source: Seat
    tile: Tile | None = None
    deltas: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    ura_indicators: tuple[Tile, ...] = ()
    han: int | None = None
    fu: int | None = None
    points: int | None = None  # without honba and deposits
    hand: tuple[Tile, ...] | None = None


NINE_TERMINALS_REASONS = ("kyushukyuhai", "kyushu_kyuhai")
"""Names that hosts give the abortive draw by nine terminals."""
TRIPLE_RON_REASONS = ("sanchaho",)
"""Names of the abortive draw when three seats win on one tile."""


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The round ends without a winner; ``reason`` is in the host's words, tiles not shown are ``None``."""

    reason: str = ""
    deltas: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    tenpai: tuple[bool, ...] | None = None
    hands: tuple[tuple[Tile | None, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The round is over."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The game is over."""

    scores: tuple[int, ...] | None = None


Event: TypeAlias = (
    GameStart
    | RoundStart
    | Draw
    | Discarded
    | Called
    | RiichiDeclared
    | RiichiAccepted
    | DoraRevealed
    | Won
    | RoundDrawn
    | RoundEnd
    | GameEnd
)


def stated_last_round(events: Iterable[Event]) -> int | None:
    """Return the index of the last planned round (`manue.rules`) that the start of a game states, if any."""
    return next((event.last_round for event in events if isinstance(event, GameStart)), None)


def with_given(start: GameStart, given: GameStart) -> GameStart:
    """Return a game's start with what the player was given: its length before the host's, its rules after."""
    last_round = start.last_round if given.last_round is None else given.last_round
    return replace(start, last_round=last_round, rules=start.rules or given.rules)


def seen_by(event: Event, seat: Seat) -> Event:
    """Return an event as a seat sees it: other hands and draws hidden, a game's start naming the seat."""
    match event:
        case Draw(actor, tile) if actor != seat and tile is not None:
            return Draw(actor, None)
        case RoundStart(hands=hands):
            hidden = tuple(hand if at == seat else (None,) * len(hand) for at, hand in enumerate(hands))
            return replace(event, hands=hidden)
        case GameStart():
            return replace(event, seat=seat)
        case _:
            return event
