"""Calibration of the costs of dealing in and of folding, at every discard of a game.

Everything is judged against the true hands: the size of a loss by the points that each opponent would really
be paid for a held kind, folding by playing the recorded round on (`manue.training.fold.points_paid`).
"""

import numpy as np
import numpy.typing as npt

from manue.arrays import F64, Bool
from manue.features.danger import features
from manue.features.fold import fold_features
from manue.features.scene import Scenes
from manue.models.danger import deal_in_probs, possible_kinds
from manue.models.fold import mean_losses
from manue.models.model_set import Models
from manue.models.opponents import LOSS_ATOMS, OpponentsModel
from manue.training.fold import points_paid
from manue.training.framework import held_kinds, in_riichi, wins_of

LOSSES = np.dtype(
    [
        ("game", np.int32),
        ("riichi", np.bool_),
        ("mean", np.float64),  # predicted points, without honba
        ("sizes", np.float64, (LOSS_ATOMS,)),  # predicted sizes, equally likely
        ("points", np.float64),  # what would really be paid
    ]
)
"""One row, at every discard, for each kind held and each opponent who would win on it."""

FOLDING_ROWS = np.dtype(
    [
        ("game", np.int32),
        ("prob", np.float64),  # P(dealing in before the round ends | folding from here)
        ("cost", np.float64),  # mean points lost by that, without honba
        ("dealt_in", np.bool_),  # when the recorded round is played on
        ("points", np.float64),  # points then paid
    ]
)
"""One row for each discard: what folding from there on would cost."""

Records = npt.NDArray[np.void]


def defence_of(game: int, scenes: Scenes, truths: Scenes, models: Models) -> tuple[Records, Records]:
    """Return LOSSES[n] and FOLDING_ROWS[m] of one game.

    Parameters
    ----------
    game : int
        Written into every row.
    scenes, truths : SCENE[m], TRUTH[m]
        As `manue.training.dataset.replay` returns them.
    models : Models
    """
    dangers, opponents = models.dangers, models.dangers.opponents
    kinds, people = features(scenes, dangers.weights)
    can_win = opponents.read(people).can_win
    prob = deal_in_probs(kinds, people, possible_kinds(scenes), can_win, dangers.kinds)
    held = held_kinds(scenes, truths)
    loss = opponents.losses(kinds, people, held)
    losses = _losses(held & wins_of(truths), loss, in_riichi(scenes), truths, opponents)
    folds = np.zeros(len(scenes), FOLDING_ROWS)
    folds["prob"] = models.fold.trees.probabilities(fold_features(scenes, prob, can_win))
    folds["cost"] = folds["prob"] * mean_losses(prob, loss, scenes["hand"])
    folds["points"] = points_paid(scenes, truths, prob)
    folds["dealt_in"] = folds["points"] > 0
    losses["game"] = folds["game"] = game
    return losses, folds


def _losses(
    mask: Bool,
    loss: F64,
    riichi: Bool,
    truths: Scenes,
    opponents: OpponentsModel,
) -> Records:
    scene, opponent, kind = np.nonzero(mask)
    rows = np.zeros(len(scene), LOSSES)
    rows["riichi"] = riichi[scene, opponent]
    rows["mean"] = loss[scene, opponent, kind]
    rows["points"] = truths["win_points"][scene, opponent, kind] * 100.0
    for row in rows:
        row["sizes"] = opponents.loss_sizes(float(row["mean"]), riichi=bool(row["riichi"]))
    return rows
