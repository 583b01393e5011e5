"""Reading the opponents: P(tenpai), P(can win), and what dealing in to them would cost.

P(tenpai) and P(can win: tenpai, with a yaku, not furiten) come from boosted trees over the opponent's
features; both are 1 after riichi (furiten riichi is rare and accounted for in P(kind wins)). The cost of
dealing in is fitted with squared loss, so it is a mean; its spread comes from tables of what hands with a
similar mean really cost.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64, Bool
from manue.compiled import compiled
from manue.features.danger import danger_rows
from manue.features.danger_columns import KIND_SIZE, OPPONENT, ROW_FEATURES
from manue.features.opponent_columns import OPPONENT_FEATURES
from manue.hand.points import least_wins
from manue.log_odds import probabilities_of
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees

MANUE_LOSS = 6265.0
"""Mean points of a deal-in in the classic player's self-play, its constant; kept as a baseline."""

LOSS_SIZES = 3
"""Number of sizes that represent an opponent's win: the spread of a loss to it."""

LOSS_BINS = 8
"""Number of bins of the predicted mean, each with sizes of its own."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """P(tenpai) and P(can win now) of the opponents, float64[n, 3] each."""

    tenpai: F64
    can_win: F64


@dataclass(frozen=True, slots=True)
class OpponentsModel:
    """The trees and tables of `opponents.npz`.

    Parameters
    ----------
    tenpai, can_win : Trees
        Log-odds, of opponents without riichi.
    loss : Trees
        Mean points of a deal-in, without honba.
    edges : float64[2, LOSS_BINS - 1]
        Bounds of the bins of the predicted mean, in points: for silent and for riichi hands.
    sizes : float64[2, LOSS_BINS, LOSS_SIZES]
        By bin, the smallest, middle and largest third of the losses as multiples of their mean.
    """

    tenpai: Trees
    can_win: Trees
    loss: Trees
    edges: F64
    sizes: F64

    @classmethod
    def of(cls, file: ModelFile) -> "OpponentsModel":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, OPPONENT_FEATURES, "opponent_columns")
        checked_columns(file, ROW_FEATURES)
        return cls(
            tenpai=Trees.of(file, "tenpai", len(OPPONENT_FEATURES)),
            can_win=Trees.of(file, "can_win", len(OPPONENT_FEATURES)),
            loss=Trees.of(file, "loss", len(ROW_FEATURES)),
            edges=file.array("loss.edges", (2, LOSS_BINS - 1)),
            sizes=file.array("loss.atoms", (2, LOSS_BINS, LOSS_SIZES)),
        )

    def read(self, opponents: F32) -> Opponents:
        """Return P(tenpai) and P(can win now) from the opponents' features, float32[n, 3, OPPONENT_SIZE]."""
        rows = opponents.reshape(-1, opponents.shape[-1])
        silent = rows[:, OPPONENT.riichi] == 0
        probs = np.ones((2, len(rows)))
        if silent.any():
            chosen = rows[silent]
            log_odds = np.array([trees.sums(chosen) for trees in (self.tenpai, self.can_win)])
            probs[:, silent] = probabilities_of(log_odds)
        tenpai, can_win = probs.reshape(2, -1, 3)
        return Opponents(tenpai, np.minimum(tenpai, can_win))

    def losses(self, kinds: F32, opponents: F32, wanted: Bool) -> F64:
        """Return the mean points of dealing in, without honba: float64[n, 3, 34]; 0 for kinds not wanted."""
        loss = np.zeros(wanted.shape)
        at = np.nonzero(wanted)
        if len(at[0]):
            loss[at] = self.points(danger_rows(kinds, opponents, at))
        return loss

    def points(self, rows: F32) -> F64:
        """Return the mean points of dealing in, without honba: float64[n], from rows of `danger_rows`."""
        least = least_wins(rows[:, KIND_SIZE + OPPONENT.dealer] > 0)
        return np.maximum(self.loss.sums(rows), least)

    def loss_sizes(self, means: F64, riichi: Bool) -> F64:
        """Return three equally likely sizes with each mean, of silent or riichi hands: float64[n, 3].

        Parameters
        ----------
        means : float64[n]
            Points without honba, as the sizes.
        riichi : bool[n]
        """
        out = np.empty((len(means), LOSS_SIZES))
        _fill_sizes(means, riichi, self.edges, self.sizes, out)
        return out


# ---- kernels


@compiled
def _fill_sizes(means: F64, riichi: Bool, edges: F64, sizes: F64, out: F64) -> None:
    for i in range(len(means)):
        hand, place = int(riichi[i]), 0
        for edge in edges[hand]:
            place += edge < means[i]
        for size in range(LOSS_SIZES):
            out[i, size] = sizes[hand, place, size] * means[i]
