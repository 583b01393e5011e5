"""Discard rates of waits, compared with counting event by event in real games."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.features.wait_discard_rates import CLASSES, TABLE_SHAPE
from manue.game.events import Discarded, RoundStart
from manue.game.state import RoundState
from manue.tiles import KIND_OF
from manue.training.dataset import Shard, replay
from manue.training.wait_discard_rates import PRIOR, count_copies, shares
from tests.conftest import events_of, game
from tests.oracles.wait_discard_rates import wait_class


def counted(events):
    """Return, by class, the copies that other seats discard later in the round, and the unseen copies."""
    copies, discarded = np.zeros(TABLE_SHAPE), np.zeros(TABLE_SHAPE)
    states = [RoundState(seat) for seat in range(4)]
    asked = []  # of this round: seat, kind, class
    for event in events:
        if isinstance(event, RoundStart):
            asked = []
        if isinstance(event, Discarded):
            kind = KIND_OF[event.tile]
            for seat, waited, where in asked:
                discarded[where] += seat != event.actor and waited == kind
            state = states[event.actor]
            hand = list(state.hand)
            hand.remove(event.tile)
            me = state.players[state.seat]
            for waited in range(34):
                unseen = 4 - int(state.visible[waited])
                if unseen > 0 and not me.safe[waited] and waited != kind:
                    where = wait_class(state, hand, me.melds, kind, waited, riichi=me.riichi)
                    copies[where] += unseen
                    asked.append((event.actor, waited, where))
        for state in states:
            state.apply(event)
    return discarded, copies


def test_copies_are_counted_as_they_were_discarded():
    discarded, copies = np.zeros(CLASSES), np.zeros(CLASSES)
    expected = np.zeros((2, *TABLE_SHAPE))
    for log in (game("two-manue"), game("east-rules")):
        events = events_of(log)
        scenes, truths = replay(events, log.name, seed=0)
        count_copies(Shard(scenes, truths, (log.name,)), discarded, copies)
        expected += counted(events)
    assert (copies.reshape(TABLE_SHAPE) == expected[1]).all()
    assert (discarded.reshape(TABLE_SHAPE) == expected[0]).all()
    assert np.count_nonzero(discarded) > 100


COPIES = st.tuples(*[st.integers(0, size - 1) for size in TABLE_SHAPE])


@given(st.dictionaries(COPIES, st.tuples(st.integers(1, 5_000), st.floats(0, 1)), min_size=1, max_size=12))
def test_shares_of_few_copies_are_shrunk_towards_similar_classes(cells):
    """Every share stays within those counted; the more copies, the closer to their own share."""
    copies, discarded = np.zeros(TABLE_SHAPE), np.zeros(TABLE_SHAPE)
    for where, (size, share) in cells.items():
        copies[where], discarded[where] = size, share * size
    found = shares(discarded, copies)
    counted_shares = [share for _, share in cells.values()]
    assert min(counted_shares) - 1e-9 <= found.min()
    assert found.max() <= max(counted_shares) + 1e-9
    for where, (size, share) in cells.items():
        assert abs(found[where] - share) <= PRIOR / (size + PRIOR) + 1e-9


def test_a_class_never_seen_has_the_share_of_similar_classes():
    copies, discarded = np.zeros(TABLE_SHAPE), np.zeros(TABLE_SHAPE)
    copies[2, 1, 2, 0, 1, 0], discarded[2, 1, 2, 0, 1, 0] = 1e9, 3e8
    copies[2, 1, 5, 2, 1, 0], discarded[2, 1, 5, 2, 1, 0] = 1e9, 1e8
    found = shares(discarded, copies)
    assert found[2, 1, 2, 0, 3, 1] == pytest.approx(0.3, rel=1e-4)
    assert found[2, 1, 5, 2, 3, 1] == pytest.approx(0.1, rel=1e-4)
    assert found[0, 0, 0, 0, 0, 0] == pytest.approx(0.2, rel=1e-4)
