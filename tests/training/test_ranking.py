"""Ranking: gradients compared with differences of the loss, and the order that is learned."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.training.ranking import FOREMOST, LEAST_CURVATURE, Decisions, pair_gradients, ranking_trees


def decisions(rng, number, features=4, most=9):
    """Decisions of 2 to ``most`` alternatives; the one with the largest hidden value is chosen."""
    sizes = rng.integers(2, most + 1, number)
    starts = np.cumsum([0, *sizes[:-1]])
    x = rng.normal(size=(sizes.sum(), features)).astype(np.float32)
    decision = np.repeat(np.arange(number), sizes)
    hidden = x[:, 0] + 0.5 * np.abs(x[:, 1]) + 0.1 * rng.normal(size=len(x))
    best = np.lexsort((-hidden, decision))[starts]
    chosen = np.zeros(len(x), np.bool_)
    chosen[best] = True
    return Decisions(x, chosen, starts)


def loss(rating, rows, weights):
    """The loss over all pairs of a chosen alternative and another; ``weights`` by row of the other."""
    total = 0.0
    for start, end in zip(rows.starts, [*rows.starts[1:], len(rows.x)], strict=True):
        first = next(i for i in range(start, end) if rows.chosen[i])
        for i in range(start, end):
            if i != first:
                total += weights[i] * np.log1p(np.exp(rating[i] - rating[first]))
    return total


def pair_weights(rating, rows):
    """The weight of a pair: the difference of the discounts of the two ranks, if either is foremost."""
    weights = {}
    for start, end in zip(rows.starts, [*rows.starts[1:], len(rows.x)], strict=True):
        places = sorted(range(start, end), key=lambda i: -rating[i])
        first = next(i for i in range(start, end) if rows.chosen[i])
        for i in range(start, end):
            here, there = places.index(i), places.index(first)
            gap = abs(1 / np.log2(2 + here) - 1 / np.log2(2 + there))
            weights[i] = gap if min(here, there) < FOREMOST else 0.0
    return weights


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_gradients_are_those_of_the_loss(seed):
    rng = np.random.default_rng(seed)
    rows = decisions(rng, 4)
    rating = rng.normal(size=len(rows.x))
    weights = pair_weights(rating, rows)
    slope, curvature = pair_gradients(rating, rows)
    for i in range(len(rating)):
        step = np.zeros(len(rating))
        step[i] = 1e-4
        ahead, here, behind = (loss(rating + by, rows, weights) for by in (step, 0, -step))
        assert slope[i] == pytest.approx((ahead - behind) / 2e-4, abs=1e-6)
        bend = (ahead - 2 * here + behind) / 1e-8
        assert curvature[i] == pytest.approx(max(bend, LEAST_CURVATURE), abs=1e-5)


def test_ranking_puts_the_chosen_first_more_often_than_classifying():
    rng = np.random.default_rng(0)
    rows, unseen = decisions(rng, 3000), decisions(rng, 1000)
    plain, ranked = (ranking_trees(rows, rounds).sums(unseen.x) for rounds in (0, 10))
    assert unseen.hits(ranked).mean() > max(unseen.hits(plain).mean() + 0.005, 0.8)


def test_splitting_keeps_every_decision():
    rows = decisions(np.random.default_rng(1), 10)
    for at in (0, 3, 10):
        first, second = rows.split(at)
        assert len(first.starts) == at
        assert first.chosen.sum() + second.chosen.sum() == 10
        assert np.array_equal(np.concatenate([first.x, second.x]), rows.x)
        if at < 10:
            assert second.starts[0] == 0
            assert second.decision[-1] == 9 - at


def test_hits_are_the_decisions_whose_highest_rated_is_chosen():
    rows = decisions(np.random.default_rng(2), 50)
    assert rows.hits(rows.chosen.astype(float)).all()
    assert not rows.hits(-rows.chosen.astype(float)).any()
