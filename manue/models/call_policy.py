"""Call policy: how readily strong players declare riichi, a call or a kan when they may.

Boosted trees learned from what strong players did (`manue.training.call_policy`) see the best hand that the
declaration leads to, the best hand without it, both by expected value, and how far apart these are. Like
``manue.models.discard_policy``, the call policy does not estimate what an action is worth: it breaks ties.
"""

from dataclasses import dataclass

from manue.arrays import F32, F64
from manue.features.call_policy import CALL_POLICY_COLUMNS, DECLARATIONS
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """The trees of ``call_policy.npz``.

    Parameters
    ----------
    trees : Trees
        Log-odds that a declaration is made.
    thresholds : float64[len(DECLARATIONS)]
        Decision thresholds: the log-odds reached by as many declarations of a kind as strong players make.
        They are below even odds for kinds that are seldom made: always doing the likelier thing would mean
        calling too rarely.
    """

    trees: Trees
    thresholds: F64

    @classmethod
    def of(cls, file: ModelFile) -> "CallPolicy":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, CALL_POLICY_COLUMNS)
        trees = Trees.of(file, "call_policy", len(CALL_POLICY_COLUMNS))
        return cls(trees, file.array("thresholds", (len(DECLARATIONS),)))

    def odds(self, rows: F32) -> F64:
        """Return float64[n], the log-odds of declarations, from float32[n, len(CALL_POLICY_COLUMNS)]."""
        return self.trees.sums(rows)
