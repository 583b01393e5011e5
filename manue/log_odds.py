"""Probabilities as log-odds and back; kernels have these formulas in place."""

import numpy as np

from manue.arrays import F64


def log_odds_of(probs: F64) -> F64:
    """Return the log-odds of probabilities, which lie strictly between 0 and 1."""
    return np.asarray(np.log(probs / (1.0 - probs)), np.float64)


def probabilities_of(log_odds: F64) -> F64:
    """Return the probabilities of log-odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-log_odds)), np.float64)
