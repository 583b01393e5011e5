"""How the rounds of a recorded game ended, and what was paid."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from manue.errors import EventError
from manue.game.events import (
    Discarded,
    DoraRevealed,
    Draw,
    Event,
    RiichiAccepted,
    RoundDrawn,
    RoundStart,
    Won,
)
from manue.game.state import RoundState
from manue.game.view import LIVE_WALL
from manue.records.drawn_rounds import says_tenpai, tenpai_at_draw, tenpai_of, word_of
from manue.records.payments import check_payments, first_of
from manue.tiles import Seat


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended, by absolute seat.

    Parameters
    ----------
    scores : tuple of int
        Points after the round; sticks that nobody won are on the table.
    winners : frozenset of int
        Empty after a draw.
    first_winner : int or None
        The winner who gets honba and sticks: of several the nearest after the seat that dealt in.
    payer : int or None
        The seat that dealt in.
    fatal_discard : int
        Which of its discards that was, 1 for the first of the round; 0 if none was (a kan can deal in, too).
    exhausted : bool
        The wall ran out; a draw that is not is an aborted round.
    tenpai : tuple of bool
        Who was tenpai at an exhaustive draw.
    sticks : tuple of bool
        Seats that paid for riichi.
    """

    scores: tuple[int, ...]
    winners: frozenset[Seat]
    first_winner: Seat | None
    payer: Seat | None
    fatal_discard: int
    exhausted: bool
    tenpai: tuple[bool, ...]
    sticks: tuple[bool, ...]

    def won_points(self, state: RoundState) -> int:
        """Return what the seat of a state in this round won, beyond the honba and sticks that were there."""
        change = self.scores[state.seat] - state.scores[state.seat]
        return change - (state.bonus if state.seat == self.first_winner else 0)


def round_results(events: Sequence[Event]) -> list[RoundResult]:
    """Return how each round of a game ended, in order, whether or not anybody discarded in it.

    Raises
    ------
    EventError
        If the events contradict each other, or a round ends without a word on its result or its payments.
    """
    state = RoundState(0)
    rounds: list[list[Event]] = []
    scores: list[tuple[int, ...]] = []
    for event in events:
        if isinstance(event, RoundStart):
            rounds.append([])
            scores.append(())
        state.apply(event)
        if rounds:
            rounds[-1].append(event)
            if isinstance(event, Won | RoundDrawn):
                check_payments(event)
                scores[-1] = tuple(state.scores)
    return [_result(part, after) for part, after in zip(rounds, scores, strict=True)]


def final_places(events: Sequence[Event]) -> tuple[int, ...]:
    """Return each seat's final place, 1..4; equal points go by seat order."""
    state = RoundState(0)
    for event in events:
        state.apply(event)
    return places_of(state.scores)


def places_of(scores: Sequence[float]) -> tuple[int, ...]:
    """Return each seat's place by its score, 1..4; equal points go by seat order."""
    order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
    return tuple(order.index(seat) + 1 for seat in range(4))


_WITH_THE_LAST_TILE = ("sanchaho", "suukaikan")
"""Abortive draws that may come with the last tile: a triple ron and four kans."""


def is_exhaustive(drawn: RoundDrawn, events: Sequence[Event]) -> bool:
    """Return whether the wall ran out: 70 tiles drawn, and no triple ron or fourth kan with the last."""
    aborted = word_of(drawn.reason) in _WITH_THE_LAST_TILE
    return not aborted and sum(isinstance(event, Draw) for event in events) == LIVE_WALL


def _result(events: Sequence[Event], scores: tuple[int, ...]) -> RoundResult:
    if not scores:
        raise EventError("a round without its result")
    wins = [event for event in events if isinstance(event, Won)]
    drawn = next((event for event in events if isinstance(event, RoundDrawn)), None)
    exhausted = drawn is not None and is_exhaustive(drawn, events)
    payer = next((win.source for win in wins if win.source != win.actor), None)
    return RoundResult(
        scores,
        frozenset(win.actor for win in wins),
        first_of(wins).actor if wins else None,
        payer,
        _fatal_discard(events, payer),
        exhausted,
        _tenpai(drawn, events) if drawn is not None and exhausted else (False,) * 4,
        tuple(
            any(isinstance(event, RiichiAccepted) and event.actor == seat for event in events)
            for seat in range(4)
        ),
    )


def _tenpai(drawn: RoundDrawn, events: Sequence[Event]) -> tuple[bool, ...]:
    """Return who was tenpai when the wall of a round ran out, by the hands where nothing else says so."""
    start = events[0]
    assert isinstance(start, RoundStart)  # noqa: S101  for the type checker
    if says_tenpai(drawn) or any(None in hand for hand in start.hands):
        return tenpai_at_draw(drawn)
    states = [RoundState(seat) for seat in range(4)]
    for event in takewhile(lambda event: event is not drawn, events):
        for state in states:
            state.apply(event)
    return tenpai_of(drawn, states)


def _fatal_discard(events: Sequence[Event], payer: Seat | None) -> int:
    earlier = takewhile(lambda event: not isinstance(event, Won), events)
    before = [event for event in earlier if not isinstance(event, DoraRevealed)]
    if payer is None or not isinstance(before[-1], Discarded):
        return 0
    return sum(isinstance(event, Discarded) and event.actor == payer for event in before)
