"""Every decision of a recorded game: what a seat saw, what it could have done, and what it did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from manue.game.actions import Action, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Event,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundStart,
    Won,
)
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.rules import TENHOU, Rules


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """One decision.

    Parameters
    ----------
    state : RoundState
        The state of the deciding seat. It changes as the game continues: copy it to keep it.
    actions : tuple of Action
        The legal actions.
    chosen : Action or None
        What was done; ``None`` if that is unknown because another seat took precedence.
    round : int
        Index of the round within the game.
    """

    state: RoundState
    actions: tuple[Action, ...]
    chosen: Action | None
    round: int


def recorded_decisions(events: Sequence[Event], rules: Rules = TENHOU) -> Iterator[RecordedDecision]:
    """Replay a game with all hands open and yield every decision of every seat.

    Raises
    ------
    EventError
        If the events contradict each other, or hide a hand that has to discard.
    """
    states = [RoundState(seat, rules) for seat in range(4)]
    index = -1
    for at, event in enumerate(events):
        index += isinstance(event, RoundStart)
        for state in states:
            state.apply(event)
        following: Event | None = None
        for state in states:
            actions = legal_actions(state)
            if actions:
                following = following or _following(events, at)
                yield RecordedDecision(state, actions, _chosen(state, actions, following), max(index, 0))


def _following(events: Sequence[Event], at: int) -> Event | None:
    """Return the next event that resulted from a choice."""
    for event in events[at + 1 :]:
        if not isinstance(event, DoraRevealed | RiichiAccepted):
            return event
    return None


def _chosen(state: RoundState, actions: tuple[Action, ...], event: Event | None) -> Action | None:
    """Infer the choice from the event that followed."""
    seat = state.seat
    offered = Pass() in actions
    match event:
        case Won(actor=actor):
            return (
                next((action for action in actions if isinstance(action, Win)), None)
                if actor == seat
                else None
            )
        case Called(actor=actor, call=call):
            if actor == seat:
                return call
            # every other call takes precedence over a chi, so seats that could have made one passed
            only_chi = all(getattr(action, "kind", "") == "chi" or action == Pass() for action in actions)
            return Pass() if call.kind == "chi" and not only_chi else None
        case Discarded(actor=actor, tile=tile, from_draw=from_draw) if actor == seat and not offered:
            return Discard(tile, from_draw)
        case RiichiDeclared(actor=actor) if actor == seat and not offered:
            return Riichi()
        case RoundDrawn() if not offered:
            return next((action for action in actions if isinstance(action, NineTerminals)), None)
        case None:
            return None
    return Pass() if offered else None
