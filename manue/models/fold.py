"""Folding: what it still costs to discard the safest tile from now until the round ends.

Every own discard to come needs a tile. While safe ones last, folding is free; after that it is not. Boosted
trees learned from records say how likely a folding seat deals in, from the dangers of the tiles it holds now,
in order, the draws left and the opponents' chances: the same position was played on in the records,
discarding the safest tile of the hand and of the tiles then drawn, against the hands that the opponents
really had.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64
from manue.compiled import compiled
from manue.features.feature import Feature
from manue.features.scene import Scenes
from manue.game.state import RoundState
from manue.models.danger import Danger
from manue.models.files import ModelFile, checked_columns, load_model, memoized
from manue.models.trees import Trees
from manue.tiles import COPIES, Counts

SAFEST = 10
"""Tiles of the hand, safest first, whose danger is looked at."""

FOLD_FEATURES = (
    *(
        Feature(f"danger_{i + 1}", f"P(deal-in) of the tile that is number {i + 1} in safety")
        for i in range(SAFEST)
    ),
    Feature("danger_needed", "sum over as many of the safest tiles as discards are still to come"),
    Feature("danger_mean", "mean over the hand"),
    Feature("own_draws", "own draws still to come"),
    Feature("riichi", "opponents in riichi"),
    Feature("can_win", "opponents able to win, expected number"),
    Feature("can_win_silent", "the same without those in riichi"),
)


@dataclass(frozen=True, slots=True)
class Fold:
    """Folding from now on: P(dealing in before the round ends), and the mean points then, without honba."""

    prob: float
    points: float

    @property
    def cost(self) -> float:
        """Points lost on average."""
        return self.prob * self.points


def fold_features(scenes: Scenes, prob: F64, can_win: F64) -> F32:
    """Describe how well scenes can be folded.

    Parameters
    ----------
    scenes : SCENE[n]
    prob : float64[n, 3, 34]
        P(the opponent wins on the kind now).
    can_win : float64[n, 3]

    Returns
    -------
    numpy.ndarray
        float32[n, len(FOLD_FEATURES)]
    """
    out = np.zeros((len(scenes), len(FOLD_FEATURES)), np.float32)
    _fill(scenes, np.ascontiguousarray(prob), np.ascontiguousarray(can_win), out)
    return out


@compiled
def _fill(scenes: Scenes, prob: F64, can_win: F64, out: F32) -> None:
    tiles = np.empty(34 * COPIES)
    for i in range(len(scenes)):
        here = scenes[i]
        count = 0
        for kind in range(34):
            passes = 1.0
            for opponent in range(3):
                passes *= 1.0 - prob[i, opponent, kind]
            for _ in range(here["hand"][kind]):
                tiles[count] = 1.0 - passes
                count += 1
        order = np.sort(tiles[:count])
        own_draws = int((here["tiles_left"] + 3) // 4)
        for at in range(SAFEST):
            out[i, at] = order[min(at, count - 1)]
        for at in range(min(own_draws + 1, count)):
            out[i, SAFEST] += order[at]
        out[i, SAFEST + 1] = order.mean()
        out[i, SAFEST + 2] = own_draws
        able = silent = 0.0
        for opponent in range(3):
            riichi = here["riichi"][opponent + 1] > 0
            out[i, SAFEST + 3] += riichi
            able += can_win[i, opponent]
            silent += 0.0 if riichi else can_win[i, opponent]
        out[i, SAFEST + 4], out[i, SAFEST + 5] = able, silent


@memoized
def fold_trees() -> Trees:
    """Load the trees of `fold.npz` once; raises ModelError if they are missing or of other features."""
    return trees_of(load_model("fold"))


def trees_of(file: ModelFile) -> Trees:
    """Take the trees out of their file."""
    checked_columns(file, FOLD_FEATURES)
    return Trees.from_arrays(file.arrays, "fold")


def fold_cost(state: RoundState, scene: Scenes, danger: Danger) -> Fold:
    """Say what folding from now on costs, the next discard included.

    Parameters
    ----------
    state : RoundState
    scene : SCENE[1]
        ``scene_of(state)``.
    danger : Danger
        ``dangers(state)``.
    """
    seats = [(state.seat + i) % 4 for i in (1, 2, 3)]
    prob = danger.prob[seats]
    row = fold_features(scene, prob[None], danger.can_win[seats][None])
    points = mean_losses(prob[None], danger.loss[seats][None], scene["hand"])[0]
    return Fold(float(fold_trees().probabilities(row)[0]), float(points))


def mean_losses(prob: F64, loss: F64, hands: Counts) -> F64:
    """Return float64[n]: the mean points of a deal-in with a tile of the hand, 0 if all are safe.

    Parameters
    ----------
    prob, loss : float64[n, 3, 34]
    hands : int8[n, 34]
    """
    weights = prob * hands[:, None, :]
    total = weights.sum((1, 2))
    return np.asarray((weights * loss).sum((1, 2)) / np.where(total > 0, total, 1.0), np.float64)
