"""Every decision of a recorded game: what a seat saw, what it could have done, and what it did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win, same_choice, win_among
from manue.game.events import (
    TRIPLE_RON_REASONS,
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


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """One decision.

    Parameters
    ----------
    state : RoundState
        The state of the deciding seat. It changes as the game continues: copy it to keep it.
    states : sequence of RoundState
        Those of all seats, in order, that of the deciding one among them; likewise.
    actions : tuple of Action
        The legal actions.
    chosen : Action or None
        What was done; ``None`` if that is unknown because another seat took precedence.
    round : int
        Index of the round within the game.
    """

    state: RoundState
    states: Sequence[RoundState]
    actions: tuple[Action, ...]
    chosen: Action | None
    round: int


def recorded_decisions(events: Sequence[Event]) -> Iterator[RecordedDecision]:
    """Replay a game with all hands open and yield every decision of every seat.

    Raises
    ------
    EventError
        If the events contradict each other, or hide a hand that has to discard.
    """
    states = [RoundState(seat) for seat in range(4)]
    index = -1
    for at, event in enumerate(events):
        index += isinstance(event, RoundStart)
        for state in states:
            state.apply(event)
        if _is_asked_later(events, at):
            continue
        following: Sequence[Event] = ()
        for state in states:
            actions = legal_actions(state)
            if actions:
                following = following or _following(events, at)
                chosen = _chosen(state, actions, following)
                yield RecordedDecision(state, states, actions, chosen, max(index, 0))


def _is_asked_later(events: Sequence[Event], at: int) -> bool:
    """Return whether what an event leaves to choose is still open after the next one.

    That is so of a kan that may be robbed, where the indicator of an earlier kan comes before the answer.
    """
    event, following = events[at], events[at + 1 : at + 2]
    is_kan = isinstance(event, Called) and event.call.is_kan
    return is_kan and any(isinstance(one, DoraRevealed) for one in following)


def was_preempted(actions: Sequence[Action], event: Event) -> bool:
    """Return whether what followed took precedence over an option of a seat, whose choice is then unknown.

    A win goes before every call, a pon or kan before a chi; several seats may win on one tile.

    Parameters
    ----------
    actions : sequence of Action
        The options of a seat that did nothing.
    event : Event
        What another seat did.
    """
    if isinstance(event, Won) or won_together(event):
        taken = _WIN
    elif isinstance(event, Called):
        taken = _precedence(event.call)
    else:
        return False
    return any(_precedence(action) < taken for action in actions if action != Pass())


def won_together(event: Event) -> bool:
    """Return whether three seats declared a win on one tile, which ends the round in a draw."""
    return isinstance(event, RoundDrawn) and event.reason in TRIPLE_RON_REASONS


_CHI, _OTHER_CALL, _WIN = range(3)


def _precedence(action: Action) -> int:
    if isinstance(action, Win):
        return _WIN
    return _CHI if isinstance(action, Call) and action.kind == "chi" else _OTHER_CALL


def is_between(event: Event | None) -> bool:
    """Return whether an event comes between a choice and its result: an indicator, the stick of a riichi."""
    return isinstance(event, DoraRevealed | RiichiAccepted)


def _following(events: Sequence[Event], at: int) -> Sequence[Event]:
    """Return the next event that resulted from a choice; of several wins on one tile, all."""
    first = at + 1
    while first < len(events) and is_between(events[first]):
        first += 1
    end = first
    while end < len(events) and isinstance(events[end], Won):
        end += 1
    return events[first : max(end, first + 1)]


def _chosen(state: RoundState, actions: tuple[Action, ...], following: Sequence[Event]) -> Action | None:
    """Infer the choice from what followed."""
    seat = state.seat
    offered = Pass() in actions
    if not following:
        return None
    event = following[0]
    if won_together(event) or any(isinstance(one, Won) and one.actor == seat for one in following):
        win = win_among(actions)
        if win is not None:
            return win
    match event:
        case Called(actor=actor, call=call) if actor == seat:
            return next((action for action in actions if same_choice(action, call)), call)
        case Discarded(actor=actor, tile=tile, from_draw=from_draw) if actor == seat and not offered:
            return Discard(tile, from_draw)
        case RiichiDeclared(actor=actor) if actor == seat and not offered:
            return Riichi()
        case RoundDrawn() if not offered:
            return next((action for action in actions if isinstance(action, NineTerminals)), None)
    return Pass() if offered and not was_preempted(actions, event) else None
