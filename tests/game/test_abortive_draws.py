"""Abortive draws are foreseen at the discard that brings them, in every round of the games."""

from manue.game.abortive_draws import aborting_kinds
from manue.game.events import Called, Discarded, Draw, RoundDrawn
from manue.game.state import RoundState
from manue.records.drawn_rounds import is_aborted
from manue.records.games import games_of
from manue.tiles import KIND_OF
from tests.conftest import GAMES


def foreseen_and_followed(log):
    """For each discard that nobody won on: whether it was to abort the round, and the draw that did."""
    states = [RoundState(seat) for seat in range(4)]
    foreseen = None
    for event in games_of(log)[0].events:
        if foreseen is not None and isinstance(event, Draw | Called | RoundDrawn):
            aborted = isinstance(event, RoundDrawn) and is_aborted(event)
            yield foreseen, event.reason if aborted else None
            foreseen = None
        if isinstance(event, Discarded):
            state = states[event.actor]
            foreseen = KIND_OF[event.tile] in aborting_kinds(state, riichi=state.me.riichi)
        for state in states:
            state.apply(event)


def test_what_aborts_a_round_is_foreseen(rare_logs):
    found = set()
    for log in rare_logs:
        for foreseen, reason in foreseen_and_followed(log):
            assert foreseen == (reason is not None)
            found.add(reason)
    if rare_logs == GAMES:
        assert found == {None, "suufonrenta", "suukaikan", "suuchariichi"}
