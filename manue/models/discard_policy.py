"""Discard policy: how readily strong players discard each tile of a hand.

Far from tenpai the Monte Carlo draws distinguish discards only roughly: they look one exchange beyond the
fewest, and in hindsight. What strong players discard there is more informative. A small net learned from
their discards (`manue.training.discard_policy`) rates the kinds; the softmax of the ratings gives the
probability that each is the one discarded. As far as what people prefer wins more often, P(win) takes it
into account (`manue.models.afterstate`); beyond that `manue.decision.tie_break` breaks ties by it.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64
from manue.compiled import compiled
from manue.features.discard_policy import DISCARD_POLICY_COLUMNS
from manue.models.files import ModelFile, checked_columns
from manue.sim.net import NetShape, rate_rows

COLUMNS = len(DISCARD_POLICY_COLUMNS)
UNITS, LAST = 192, 64
SHAPE = NetShape(0, COLUMNS, UNITS, LAST, context=0)
"""A layer of 192 units, one of 64, one output; nothing is shared between the discards of a hand."""
_NO_CONTEXT: F32 = np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class DiscardPolicy:
    """The net of ``discard_policy.npz``.

    Parameters
    ----------
    weights : float32[SHAPE.end]
        Of the net, for features as they are.
    least, most : float32[COLUMNS]
        Bounds within which the net sees each feature.
    """

    weights: F32
    least: F32
    most: F32

    @classmethod
    def of(cls, file: ModelFile) -> "DiscardPolicy":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, DISCARD_POLICY_COLUMNS)
        least, most = (file.array(name, (COLUMNS,)).astype(np.float32) for name in ("least", "most"))
        return cls(file.array("weights", (SHAPE.end,)).astype(np.float32), least, most)

    def ratings(self, rows: F32) -> F32:
        """Return the log-odds of discards, up to what those of one hand share: float32[n].

        Parameters
        ----------
        rows : float32[n, COLUMNS]
            `discard_policy_rows`.
        """
        ratings = np.empty(len(rows), np.float32)
        _rate(self.weights, _NO_CONTEXT, np.clip(rows, self.least, self.most), ratings)
        return ratings

    def shares(self, rows: F32) -> F64:
        """Return P(a strong player makes it) for the discards of one hand: float64[n], summing to 1.

        Parameters
        ----------
        rows : float32[n, COLUMNS]
            `discard_policy_rows` for every kind that may be discarded.
        """
        ratings = self.ratings(rows).astype(np.float64)
        weights = np.exp(ratings - ratings.max())
        return np.asarray(weights / weights.sum(), np.float64)


@compiled
def _rate(weights: F32, context: F32, rows: F32, ratings: F32) -> None:
    """Fill the ratings, float32[n], of rows, float32[n, COLUMNS]."""
    n = len(rows)
    base = np.empty(UNITS, np.float32)
    first, second = np.empty((n, UNITS), np.float32), np.empty((n, LAST), np.float32)
    rate_rows(weights, context, rows, ratings, base, first, second, n, 0, COLUMNS, UNITS, LAST)
