"""Discard policy: how readily strong players discard each tile of a hand.

Far from tenpai the Monte Carlo draws distinguish discards only roughly: they look one exchange beyond the
fewest, and in hindsight. What strong players discard there is more informative. Boosted trees learned from
their discards (`manue.training.discard_policy`) rank the kinds and give the probability that each is the one
discarded. They do not estimate what a discard is worth: `manue.decision.tie_break` only breaks ties by them.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64
from manue.features.discard_policy import DISCARD_POLICY_COLUMNS
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees


@dataclass(frozen=True, slots=True)
class DiscardPolicy:
    """The trees of ``discard_policy.npz``.

    Parameters
    ----------
    trees : Trees
        Ratings: the likelier a kind is to be discarded, the higher.
    sharpness : float
        Factor that turns ratings into log-odds, so that the shares are calibrated.
    """

    trees: Trees
    sharpness: float

    @classmethod
    def of(cls, file: ModelFile) -> "DiscardPolicy":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, DISCARD_POLICY_COLUMNS)
        trees = Trees.from_arrays(file.arrays, "discard_policy", len(DISCARD_POLICY_COLUMNS))
        return cls(trees, file.number("sharpness"))

    def shares(self, rows: F32) -> F64:
        """Return P(a strong player makes it) for the discards of one hand: float64[n], summing to 1.

        Parameters
        ----------
        rows : float32[n, len(DISCARD_POLICY_COLUMNS)]
            `discard_policy_rows` for every kind that may be discarded.
        """
        odds = self.sharpness * self.trees.sums(rows)
        weights = np.exp(odds - odds.max())
        return np.asarray(weights / weights.sum(), np.float64)
