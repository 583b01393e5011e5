"""Playing recorded positions on by folding, compared with a slow equivalent."""

import numpy as np
import pytest

from manue.training.dataset import replay
from manue.training.fold import points_paid
from tests.conftest import events_of, game


@pytest.fixture(scope="module")
def replayed():
    return replay(events_of(game("two-manue")), "two-manue", 0)


def slow_points(scenes, truths, prob, start):
    """Hold the tiles of a scene, draw as recorded, discard the safest until somebody wins on it."""
    same = (truths["round"] == truths["round"][start]) & (truths["seat"] == truths["seat"][start])
    hand = [kind for kind in range(34) for _ in range(scenes["hand"][start, kind])]
    for at in [at for at in np.flatnonzero(same).tolist() if at >= start]:
        if at > start:
            if scenes["drawn"][at] < 0:
                continue
            hand.append(int(scenes["drawn"][at]))
        risk = 1 - np.prod(1 - prob[at], axis=0)
        thrown = min(hand, key=lambda kind: (risk[kind], kind))
        hand.remove(thrown)
        paid = int(truths["win_points"][at, :, thrown].sum(dtype=int)) * 100
        if paid:
            return paid
    return 0


@pytest.mark.parametrize("seed", [0, 1])
def test_folding_pays_the_same_as_the_slow_equivalent(replayed, seed):
    """The safest tiles by random numbers, so that deal-ins happen."""
    scenes, truths = replayed
    prob = np.random.default_rng(seed).random((len(scenes), 3, 34)) * 0.3
    paid = points_paid(scenes, truths, prob)
    assert paid.tolist() == [slow_points(scenes, truths, prob, at) for at in range(len(scenes))]
    assert 0.02 < (paid > 0).mean() < 0.9


def test_perfect_knowledge_never_deals_in_while_a_safe_tile_is_held(replayed):
    scenes, truths = replayed
    wins = (truths["win_points"] > 0).astype(float)
    last = np.array(
        [at == len(truths) - 1 or truths["round"][at] != truths["round"][at + 1] for at in range(len(truths))]
    )
    safe_held = ((scenes["hand"] > 0) & (wins.max(1) == 0)).any(1)
    paid = points_paid(scenes, truths, wins)
    assert not paid[last & safe_held].any()
