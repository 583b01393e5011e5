"""Probabilities as log-odds and back."""

import math

import numpy as np
import pytest

from manue.log_odds import log_odds_of, probabilities_of


def test_three_to_one_is_three_quarters():
    odds = np.log([1.0, 3.0, 1 / 3])
    assert probabilities_of(odds) == pytest.approx([0.5, 0.75, 0.25])
    assert log_odds_of(np.array([0.5, 0.75, 0.25])) == pytest.approx(odds)
    assert math.isclose(probabilities_of(np.array(-7.0)), 1 / (1 + math.e**7))
