"""A position written down by hand, and the events of a round that lead to it.

Seats are named by their winds in the round; ``manue.game.position_text`` says how rivers and melds are
written.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from manue.errors import EventError, PositionError
from manue.game.abortive_draws import ends_by_four_kans
from manue.game.actions import same_choice
from manue.game.consistency import problems
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    Event,
    RiichiAccepted,
    RiichiDeclared,
    RoundStart,
)
from manue.game.legal import legal_actions
from manue.game.position_kans import check_kans, check_red_fives, declare_kans
from manue.game.position_text import check_wind, meld_of, river_of
from manue.game.position_turns import Turn, WrittenTable, own_draws, turns_of
from manue.game.state import RoundState
from manue.rules import EXTRA_ROUNDS, STICK, TENHOU, Rules
from manue.tiles import WINDS, Seat, Tile, Wind, round_index, seat_wind

ALL_POINTS = 100_000
START_POINTS = TENHOU.start_points
MAX_STICKS = 1_000
"""The most honba, and the most riichi sticks: far more than any table has seen."""
MAX_POINTS = 10_000_000
"""The most points that a seat has, or owes."""

ROUND = re.compile(r"([ESW])([1-4])")
_SEAT = re.compile(r"\bseat ([0-3])\b")


@dataclass(frozen=True, slots=True)
class Position:
    """What one seat sees when it has to decide.

    Parameters
    ----------
    hand : tuple of str
        The concealed tiles without ``draw``.
    dora : str
        The dora indicator of the deal.
    draw : str or None
        The tile just drawn; ``None`` where the question is about the last discard.
    round : str
        ``E1`` to ``W4``.
    seat : {"E", "S", "W", "N"}
        Whose decision it is.
    honba : int
    deposits : int or None
        Riichi sticks on the table; ``None``: those of the riichi in the rivers.
    scores : mapping of wind to int, or None
        The points of the moment, riichi sticks paid; ``None``: the round began with 25000 each.
    melds : mapping of wind to sequence of str
    rivers : mapping of wind to str
    kan_dora : tuple of str
        The indicators that kans revealed, in order: one for each kan, or fewer if some are still to come.
    """

    hand: tuple[Tile, ...]
    dora: Tile
    draw: Tile | None = None
    round: str = "E1"
    seat: Wind = "E"
    honba: int = 0
    deposits: int | None = None
    scores: Mapping[Wind, int] | None = None
    melds: Mapping[Wind, Sequence[str]] = field(default_factory=dict)
    rivers: Mapping[Wind, str] = field(default_factory=dict)
    kan_dora: tuple[Tile, ...] = ()

    def own_seat(self) -> Seat:
        """Return the absolute seat that decides; raises PositionError for an unknown round or wind."""
        return _absolute(self, self.seat)

    def events(self) -> list[Event]:
        """Return the events of the round up to the decision, hands of others hidden.

        The own draws that the position does not name are tiles of the final hand, in its order. When the kans
        were declared is chosen by `declare_kans`.

        Raises
        ------
        PositionError
            If rivers, melds, points or the size of the hand do not fit together.
        TileError
            If a tile has an unknown name.
        """
        table = _table(self)
        turns = turns_of(table)
        check_kans(table, (*self.hand, *_known(self.draw)), (self.dora, *self.kan_dora))
        declare_kans(table, turns)
        own = [turn for turn in turns if turn.seat == table.own]
        size = 13 - 3 * len(table.melds.get(table.own, ()))
        if len(self.hand) != size:
            raise PositionError(f"a hand of {len(self.hand)} tiles, {size} expected without the drawn one")
        dealt, draws = own_draws(self.hand, own)
        paid = [turn.seat for turn in turns[:-1] if turn.discard is not None and turn.discard.riichi]
        events: list[Event] = [_start(self, paid, tuple(dealt))]
        coming = _Coming(table.own, iter([*draws, *_known(self.draw)]), iter(self.kan_dora))
        for turn in turns:
            events += _events_of(turn, coming)
        return events

    def state(self, rules: Rules = TENHOU) -> RoundState:
        """Return the state in which the decision is made, under these rules.

        Raises
        ------
        PositionError
            If the position cannot arise.
        TileError
            If a tile has an unknown name.
        """
        if round_index(*_round_of(self)) > rules.last_round + EXTRA_ROUNDS:
            raise PositionError(f"round {self.round} comes after the end of a game of this length")
        if rules.red_fives:
            check_red_fives(_table(self))
        state = RoundState(self.own_seat(), rules)
        try:
            for event in self.events():
                _refuse_by_rules(state, event)
                state.apply(event)
        except EventError as error:
            raise PositionError(_by_wind(self, str(error))) from None
        if wrong := problems(state):
            raise PositionError(_by_wind(self, "; ".join(wrong)))
        if state.me.riichi and not state.waits:
            raise PositionError(f"{self.seat} is in riichi with a hand that is not tenpai")
        return state


def _by_wind(position: Position, reason: str) -> str:
    """Return a reason that numbers seats with their winds in its place, as a position names them."""
    names = {_absolute(position, wind): wind for wind in WINDS}
    return _SEAT.sub(lambda found: names[int(found[1])], reason)


def _round_of(position: Position) -> tuple[Wind, int]:
    found = ROUND.fullmatch(position.round)
    if found is None:
        raise PositionError(f"round {position.round!r} is not E1..W4")
    return found[1], int(found[2])


def _absolute(position: Position, wind: Wind) -> Seat:
    check_wind(wind)
    return (_round_of(position)[1] - 1 + WINDS.index(wind)) % 4


def _start(position: Position, paid: list[Seat], hand: tuple[Tile, ...]) -> RoundStart:
    wind, number = _round_of(position)
    deposits = len(paid) if position.deposits is None else position.deposits
    scores = _scores_now(position, paid, deposits)
    for seat in paid:
        scores[seat] += STICK
    if deposits < len(paid):
        raise PositionError(f"{deposits} deposits with {len(paid)} riichi paid")
    if max(position.honba, deposits) > MAX_STICKS:
        raise PositionError(f"{position.honba} honba and {deposits} deposits: at most {MAX_STICKS}")
    own = position.own_seat()
    hidden = (None,) * 13
    return RoundStart(
        round_wind=wind,
        number=number,
        honba=position.honba,
        deposits=deposits - len(paid),
        dealer=number - 1,
        dora_indicator=position.dora,
        hands=tuple(hand if seat == own else hidden for seat in range(4)),
        scores=tuple(scores),
    )


def _scores_now(position: Position, paid: list[Seat], deposits: int) -> list[int]:
    """Return the scores by absolute seat, riichi sticks paid."""
    if position.scores is None:
        if deposits > len(paid):
            raise PositionError(
                f"{deposits} deposits, {len(paid)} of them in the rivers: give the scores as well"
            )
        return [START_POINTS - STICK * (seat in paid) for seat in range(4)]
    if len(position.scores) != 4 or sum(position.scores.values()) + STICK * deposits != ALL_POINTS:
        raise PositionError(f"the four scores and the deposits must add up to {ALL_POINTS} points")
    if max(map(abs, position.scores.values())) > MAX_POINTS:
        listed = " ".join(map(str, position.scores.values()))
        raise PositionError(f"scores of {listed}: at most {MAX_POINTS} points each")
    scores = [0] * 4
    for name, points in position.scores.items():
        scores[_absolute(position, name)] = points
    return scores


def _table(position: Position) -> WrittenTable:
    return WrittenTable(
        dealer=_round_of(position)[1] - 1,
        own=position.own_seat(),
        drawn=position.draw is not None,
        rivers={_absolute(position, wind): river_of(text) for wind, text in position.rivers.items()},
        melds={
            _absolute(position, wind): [meld_of(text, wind) for text in texts]
            for wind, texts in position.melds.items()
        },
    )


def _known(tile: Tile | None) -> tuple[Tile, ...]:
    return () if tile is None else (tile,)


# ---- events


@dataclass(slots=True)
class _Coming:
    """What the events that follow will show: own draws, and indicators of kans."""

    own: Seat
    draws: Iterator[Tile]
    indicators: Iterator[Tile]
    owed: int = 0  # indicators that follow the next discard or kan
    unpaid: Seat | None = None  # declared riichi, and nobody won on the discard if the round goes on

    def reveal(self) -> list[Event]:
        """Reveal the indicators that are owed, as far as the position has them."""
        shown = list(islice(self.indicators, self.owed))
        self.owed = 0
        return [DoraRevealed(tile) for tile in shown]

    def draw(self, seat: Seat) -> Draw:
        """Let a seat draw."""
        return Draw(seat, next(self.draws) if seat == self.own else None)


def _events_of(turn: Turn, coming: _Coming) -> Iterator[Event]:
    if coming.unpaid is not None:
        yield RiichiAccepted(coming.unpaid)
    seat, discard = turn.seat, turn.discard
    if turn.call is not None:
        yield Called(seat, turn.call)
    coming.owed += turn.call is not None and turn.call.is_kan
    for kan in turn.kans:
        yield coming.draw(seat)
        yield Called(seat, kan)
        if kan.kind == "ankan":
            coming.owed += 1
            yield from coming.reveal()
        else:
            yield from coming.reveal()
            coming.owed += 1
    if discard is None:
        yield from coming.reveal()  # those that the position has already, before the tile to decide about
    if turn.draws:
        yield coming.draw(seat)
    if discard is not None:
        yield from coming.reveal()
        if discard.riichi:
            yield RiichiDeclared(seat)
        yield Discarded(seat, discard.tile, discard.from_draw)
        coming.unpaid = seat if discard.riichi else None


def _refuse_by_rules(state: RoundState, event: Event) -> None:
    """Refuse what a table might let happen, but the rules do not; seats are named by their winds."""
    before = state.last_event
    if isinstance(before, Discarded) and ends_by_four_kans(state):
        wind = seat_wind(before.actor, state.dealer)
        raise PositionError(f"the round ended by four kans of several seats when {wind} discarded")
    if isinstance(event, Called) and not _allowed_in_riichi(state, event):
        kan = " ".join(event.call.consumed)
        raise PositionError(f"'ankan {kan}' of {state.seat_wind} changes the waits of a hand in riichi")


def _allowed_in_riichi(state: RoundState, event: Called) -> bool:
    """Return whether the waits allow a closed kan; of other hands they are not known."""
    if event.actor != state.seat or event.call.kind != "ankan" or not state.me.riichi:
        return True
    return any(same_choice(event.call, action) for action in legal_actions(state))
