"""The state kept step by step against the same facts worked out anew from the raw events."""

from collections import Counter

import pytest

from manue.game.events import Event, RoundStart
from manue.game.state import RoundState
from manue.records.archive import read_log
from manue.tiles import counts_of
from tests.oracles import round_facts as facts


def kinds(mask) -> set[int]:
    return set(map(int, mask.nonzero()[0]))


def compare(state: RoundState, events: list[Event]) -> None:
    seat = state.seat
    assert Counter(state.hand) == facts.own_tiles(events, seat)
    assert (state.counts == counts_of(state.hand)).all()
    assert (state.visible == counts_of(facts.visible_tiles(events, seat).elements())).all()
    assert state.gone_by == facts.kinds_since_own_discard(events, seat)
    assert state.furiten == facts.is_furiten(events, seat, state.waits)
    for player in state.players:
        assert kinds(player.safe) == facts.safe_kinds(events, player.seat)
        assert kinds(player.passed) == facts.kinds_since_hand_changed(events, player.seat)
        assert player.ippatsu == facts.has_ippatsu(events, player.seat)
        assert player.double_riichi == facts.is_double_riichi(events, player.seat)


@pytest.mark.parametrize("seat", range(4))
def test_states_agree_with_the_bare_events(rare_logs, seat):
    compared = 0
    for path in rare_logs[seat::4]:
        state, events = RoundState(seat), []
        for number, entry in enumerate(read_log(path)):
            state.apply(entry.event)
            events = [entry.event] if isinstance(entry.event, RoundStart) else [*events, entry.event]
            if state.in_round and number % 5 == seat:
                compare(state, events)
                compared += 1
    assert compared > 100
