"""A game with what Tenhou's formats need and Mjai may leave out: points after changes, and of wins."""

from collections.abc import Iterator, Sequence

from manue.errors import EventError, LogError
from manue.game.events import GameEnd, GameStart, RiichiAccepted, RoundDrawn, RoundStart, Won
from manue.game.state import RoundState
from manue.protocol.codec import KYOKU_FIRST, Fields
from manue.records.archive import LogEntry


def completed(game: Sequence[LogEntry], source: str) -> Iterator[Fields]:
    """Yield the Mjai fields of every event, with ``scores``, ``deltas`` and, of a win, what it was worth.

    Parameters
    ----------
    game : sequence of LogEntry
        One game with all hands open.
    source : str
        Name for error messages.

    Raises
    ------
    LogError
        If a hand is hidden, or an event cannot follow the ones before.
    """
    states = [RoundState(seat) for seat in range(4)]
    state = states[0]
    wins = 0
    for entry in game:
        event = entry.event
        if event is None:
            continue
        if isinstance(event, RoundStart):
            wins = 0
            if any(None in hand for hand in event.hands):
                raise LogError(f"{source}, line {entry.line}: this format shows all hands; one is hidden")
        before, offer = list(state.scores), state.offer
        try:
            for one in states:
                one.apply(event)
        except EventError as error:
            raise LogError(f"{source}, line {entry.line}: {error}") from None
        fields = entry.fields()
        if isinstance(event, GameStart) and event.last_round is not None:
            fields["kyoku_first"] = KYOKU_FIRST.get(event.last_round)
        if isinstance(event, RoundStart | Won | RoundDrawn | RiichiAccepted | GameEnd):
            fields["scores"] = list(event.scores or state.scores)
        if isinstance(event, Won | RoundDrawn):
            deltas = [after - points for after, points in zip(state.scores, before, strict=True)]
            fields["deltas"] = list(event.deltas or deltas)
        if isinstance(event, Won):
            drawn = states[event.actor].drawn
            won_on = event.tile or (drawn if offer is None else offer.tile)
            markers = list(event.ura_indicators)
            points = _points(event, fields["deltas"], state.honba if wins == 0 else 0)
            fields |= {"pai": won_on, "hora_points": points, "ura_markers": markers}
            fields |= {"han": event.han, "fu": event.fu, "honba": state.honba}
            wins += 1
        yield fields


def _points(event: Won, deltas: Sequence[int], honba: int) -> int:
    """Return the points of a win without honba and deposits: as recorded, else by what was paid."""
    if event.points is not None:
        return event.points
    return -sum(change for change in deltas if change < 0) - 300 * honba
