"""Calibration of the danger trees: over the kinds held, predicted and observed wins are equal in number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.training.danger import _calibrated
from manue.training.export import constant_trees, single_tree
from manue.training.framework import DangerSample


def _sample(x, wins):
    zeros = np.zeros(len(wins))
    return DangerSample(x, wins, zeros, wins, wins, zeros.astype(np.int64))


@settings(deadline=None)
@given(st.floats(-3, 3), st.integers(1, 99))
def test_a_constant_becomes_the_share(value, hits):
    wins = np.arange(100) < hits
    trees = _calibrated(constant_trees(value, 100), _sample(np.zeros((100, 2), np.float32), wins))
    assert trees.probabilities(np.zeros((1, 2), np.float32))[0] == pytest.approx(hits / 100, abs=1e-6)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_predicted_sum_is_the_observed_and_the_order_stays(seed):
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(seed)
    x = rng.normal(size=(300, 3)).astype(np.float32)
    wins = rng.random(300) < rng.uniform(0.05, 0.6)
    wins[0] = True
    odds = x[:, 0].astype(np.float64) - 1
    model = DecisionTreeRegressor(max_leaf_nodes=9, random_state=0).fit(x, odds)
    trees = single_tree(model, x, odds, np.arange(300))
    calibrated = _calibrated(trees, _sample(x, wins))
    assert calibrated.probabilities(x).sum() == pytest.approx(wins.sum(), rel=1e-6)
    assert np.ptp(calibrated.sums(x) - trees.sums(x)) < 1e-9


@pytest.mark.parametrize("wins", [np.zeros(40, np.bool_), np.ones(40, np.bool_), np.zeros(0, np.bool_)])
def test_nothing_to_calibrate_on_stays_finite(wins):
    x = np.zeros((len(wins), 2), np.float32)
    calibrated = _calibrated(constant_trees(-1.0, 40), _sample(x, wins))
    assert np.isfinite(calibrated.base)
