"""Reading the opponents: how likely tenpai, how likely able to win, and what their win would cost.

P(tenpai) and P(can win: tenpai, with a yaku, not furiten) come from boosted trees over the opponent's
features; both are 1 after riichi (furiten riichi is rare and counted in P(kind wins)). The cost of dealing in
is fitted with squared loss, so that it is a mean; its spread is read from tables of what hands of a similar
mean really cost.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64, Bool
from manue.features.danger_columns import RIICHI, ROW_FEATURES
from manue.features.opponent_columns import OPPONENT_FEATURES
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees

MANUE_LOSS = 6265.0
"""The classic player's constant: mean points of a deal-in in its self-play. A named baseline."""

LOSS_ATOMS = 3
"""Sizes by which the spread of a loss is told."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """float64[n, 3] each: P(tenpai), P(can win now)."""

    tenpai: F64
    can_win: F64


@dataclass(frozen=True, slots=True)
class OpponentsModel:
    """The trees and tables of `opponents.npz`.

    ``atoms`` is float64[2, bins, 3]: for silent and riichi hands, by bin of the predicted mean (``edges``,
    float64[2, bins - 1]), the sizes of the smallest, middle and largest third of the losses, as multiples of
    the mean.
    """

    tenpai: Trees
    can_win: Trees
    loss: Trees
    edges: F64
    atoms: F64

    @classmethod
    def of(cls, file: ModelFile) -> "OpponentsModel":
        """Take the model out of its file; raises ModelError if arrays are missing or of other features."""
        checked_columns(file, OPPONENT_FEATURES, "opponent_columns")
        checked_columns(file, ROW_FEATURES)
        return cls(
            tenpai=Trees.from_arrays(file.arrays, "tenpai"),
            can_win=Trees.from_arrays(file.arrays, "can_win"),
            loss=Trees.from_arrays(file.arrays, "loss"),
            edges=file.array("loss.edges"),
            atoms=file.array("loss.atoms"),
        )

    def read(self, opponents: F32) -> Opponents:
        """Read float32[n, 3, G] opponents."""
        rows = opponents.reshape(-1, opponents.shape[-1])
        silent = np.flatnonzero(rows[:, RIICHI] == 0)
        tenpai, can_win = np.ones(len(rows)), np.ones(len(rows))
        if len(silent):
            chosen = np.ascontiguousarray(rows[silent])
            tenpai[silent] = self.tenpai.probabilities(chosen)
            can_win[silent] = np.minimum(self.can_win.probabilities(chosen), tenpai[silent])
        return Opponents(tenpai.reshape(-1, 3), can_win.reshape(-1, 3))

    def losses(self, kinds: F32, opponents: F32, wanted: Bool) -> F64:
        """Return float64[n, 3, 34]: mean points without honba if the kind is won on; 0 where not wanted."""
        loss = np.zeros(wanted.shape)
        scene, opponent, kind = np.nonzero(wanted)
        if len(scene):
            rows = np.concatenate([kinds[scene, opponent, kind], opponents[scene, opponent]], axis=1)
            loss[scene, opponent, kind] = np.maximum(self.loss.sums(rows), 1000.0)
        return loss

    def loss_sizes(self, mean: float, *, riichi: bool) -> F64:
        """Return three equally likely sizes, float64[3], points without honba, whose mean is ``mean``."""
        row = int(riichi)
        at = int(np.searchsorted(self.edges[row], mean))
        return np.asarray(self.atoms[row, at] * mean, np.float64)
