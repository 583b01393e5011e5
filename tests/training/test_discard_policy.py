"""The discard policy's trainer: what is measured, by the plainest means, and what the net learns."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.models.discard_policy import COLUMNS, LAST, SHAPE, UNITS, DiscardPolicy
from manue.training.discard_policy import Decisions, learn_net
from manue.training.framework import Run


def decisions(rng, number, most=9):
    """Decisions of 2 to ``most`` discards; two features, of far-off scales, decide which is likely."""
    sizes = rng.integers(2, most + 1, number)
    x = np.full((sizes.sum(), COLUMNS), 3.0, np.float32)
    x[:, :4] = rng.normal(size=(len(x), 4))
    x[:, 0] = 500.0 + 100.0 * x[:, 0]
    hidden = 3.0 * (x[:, 0] / 100.0 + np.abs(x[:, 1])) + rng.gumbel(size=len(x))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    chosen = [int(np.argmax(hidden[start:end])) for start, end in pairwise(starts)]
    return Decisions(x, starts, np.array(chosen))


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_measures_follow_their_definitions(seed):
    rng = np.random.default_rng(seed)
    rows = decisions(rng, 7)
    ratings = rng.integers(0, 4, len(rows.x)).astype(np.float64)
    hits, losses = rows.hits(ratings), []
    for number, (start, end) in enumerate(pairwise(rows.starts)):
        part = ratings[start:end].tolist()
        assert hits[number] == (part.index(max(part)) == rows.chosen[number])
        losses.append(-np.log(np.exp(part[rows.chosen[number]]) / np.exp(part).sum()))
    assert rows.log_loss(ratings) == pytest.approx(np.mean(losses))


def test_a_split_keeps_every_decision():
    rows = decisions(np.random.default_rng(1), 20)
    for part, wanted in zip(rows.split(13), (range(13), range(13, 20)), strict=True):
        assert len(part) == len(wanted)
        for number, original in enumerate(wanted):
            mine = part.x[part.starts[number] : part.starts[number + 1]]
            assert np.array_equal(mine, rows.x[rows.starts[original] : rows.starts[original + 1]])
            assert part.chosen[number] == rows.chosen[original]


def test_the_net_learns_what_decides(tmp_path):
    run = Run(None, 3, 1, tmp_path)
    seen = decisions(np.random.default_rng(5), 300)
    model = learn_net(decisions(np.random.default_rng(4), 3_000), run)
    ratings = model.ratings(seen.x).astype(np.float64)
    assert seen.hits(ratings).mean() > 0.7
    shares = model.shares(seen.x[: seen.starts[1]])
    assert shares.sum() == pytest.approx(1.0)
    assert seen.log_loss(ratings) < seen.log_loss(0.7 * ratings)  # neither too timid
    assert seen.log_loss(ratings) < seen.log_loss(1.5 * ratings)  # nor too sure


def test_ratings_are_those_of_the_layers():
    rng = np.random.default_rng(6)
    arrays = [rng.normal(0, 0.2, size).astype(np.float32) for size in SHAPE.sizes]
    least, most = np.full(COLUMNS, -2.0, np.float32), np.full(COLUMNS, 2.0, np.float32)
    model = DiscardPolicy(np.concatenate([array.reshape(-1) for array in arrays]), least, most)
    rows = rng.normal(0, 2, (14, COLUMNS)).astype(np.float32)
    _, on_rows, bias, second, second_bias, out, out_bias = [array.astype(np.float64) for array in arrays]
    assert (on_rows.shape, second.shape) == ((COLUMNS, UNITS), (UNITS, LAST))
    first = np.maximum(np.clip(rows, -2, 2) @ on_rows + bias, 0)
    wanted = np.maximum(first @ second + second_bias, 0) @ out + out_bias
    assert model.ratings(rows) == pytest.approx(wanted, rel=1e-4, abs=1e-4)
