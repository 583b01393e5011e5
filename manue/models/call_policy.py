"""Call policy: how readily strong players declare riichi, call or declare a kan where they may.

A declaration is one kind of action beside letting it go. Boosted trees learned from what strong players did
(`manue.training.call_policy`) see the best hand that taking it leads to beside the best without it, by the
expected values, and how far these stand apart. Like ``manue.models.discard_policy`` it is no estimate of what
an action is worth: it breaks ties.
"""

from dataclasses import dataclass

from manue.arrays import F32, F64
from manue.errors import ModelError
from manue.features.call_policy import CALL_POLICY_COLUMNS, DECLARATIONS
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """The trees of ``declarations.npz``.

    Parameters
    ----------
    trees : Trees
        Log-odds that an declaration is taken.
    thresholds : float64[len(DECLARATIONS)]
        Log-odds beyond which as many declarations of a kind lie as strong players take. They are below even for
        kinds that are seldom taken: who always did the likelier thing would call too little.
    """

    trees: Trees
    thresholds: F64

    @classmethod
    def of(cls, file: ModelFile) -> "CallPolicy":
        """Take the model out of its file; raises ModelError if arrays are missing or of other features."""
        checked_columns(file, CALL_POLICY_COLUMNS)
        thresholds = file.array("thresholds")
        if thresholds.shape != (len(DECLARATIONS),):
            raise ModelError(
                f"model {file.name} has thresholds of other kinds of declarations: train it again"
            )
        return cls(Trees.from_arrays(file.arrays, "call_policy"), thresholds)

    def odds(self, rows: F32) -> F64:
        """Return the log-odds that strong players take it, for float32[n, len(CALL_POLICY_COLUMNS)]."""
        return self.trees.sums(rows)
