"""Folding: what it costs to discard the safest tile from now until the round ends.

Every discard still to come needs a tile. Folding is free only as long as the safe ones last. Boosted trees
learned from records predict whether a folding seat deals in, from the sorted dangers of the tiles it holds,
the draws left and the opponents' P(can win). What it then pays grows from what it would pay now, since hands
grow: a line for positions with a riichi on the table and one for the others. In training, from a position
of a record on the seat discards the safest of its tiles and of those it then drew, against the opponents'
real hands.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F64, Bool
from manue.features.fold import AT, FOLD_FEATURES, fold_features
from manue.features.scene import Scenes
from manue.hand.points import LEAST_WIN
from manue.models.danger import Danger
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees
from manue.tiles import Counts, Seat, opponents_of


@dataclass(frozen=True, slots=True)
class Fold:
    """Folding from now on: P(dealing in before the round ends), and mean points paid then, without honba."""

    prob: float
    points: float

    @property
    def cost(self) -> float:
        """Mean points lost."""
        return self.prob * self.points


@dataclass(frozen=True, slots=True)
class FoldModel:
    """The trees and lines of ``fold.npz``.

    Parameters
    ----------
    trees : Trees
        Log-odds of dealing in before the round ends, by `FOLD_FEATURES`.
    intercept, slope : float64[2]
        Points paid then, by what a deal-in with a tile of the hand costs now; without and with a riichi on
        the table.
    """

    trees: Trees
    intercept: F64
    slope: F64

    @classmethod
    def of(cls, file: ModelFile) -> "FoldModel":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, FOLD_FEATURES)
        trees = Trees.of(file, "fold", len(FOLD_FEATURES))
        return cls(trees, file.array("intercept", (2,)), file.array("slope", (2,)))

    def points(self, means: F64, threatened: Bool) -> F64:
        """Return the mean points paid if a folding seat deals in: float64[n].

        Parameters
        ----------
        means : float64[n]
            From `mean_losses`.
        threatened : bool[n]
            Whether an opponent is in riichi.
        """
        at = threatened.astype(np.intp)
        return np.asarray(np.maximum(self.intercept[at] + self.slope[at] * means, LEAST_WIN), np.float64)

    def cost(self, scene: Scenes, danger: Danger, seat: Seat) -> Fold:
        """Return what folding from now on costs, including the next discard.

        Parameters
        ----------
        scene : SCENE[1]
        danger : Danger
            The danger in that scene.
        seat : int
            The observer's absolute seat.
        """
        opponents = opponents_of(seat)
        prob = danger.prob[opponents]
        row = fold_features(scene, prob[None], danger.can_win[opponents][None])
        means = mean_losses(prob[None], danger.loss[opponents][None], scene["hand"])
        points = self.points(means, row[:, AT.riichi] > 0)
        return Fold(float(self.trees.probabilities(row)[0]), float(points[0]))


def mean_losses(prob: F64, loss: F64, hands: Counts) -> F64:
    """Return the mean points of a deal-in with a tile of the hand, 0 if all are safe: float64[n].

    Parameters
    ----------
    prob, loss : float64[n, 3, 34]
    hands : int8[n, 34]
    """
    weights = prob * hands[:, None, :]
    total = weights.sum((1, 2))
    return np.asarray((weights * loss).sum((1, 2)) / np.where(total > 0, total, 1.0), np.float64)
