"""Calibration of the costs of dealing in and of folding, at every discard of a game.

Everything is judged against the true hands: the size of a loss by the points that each opponent would really
be paid for a held kind, folding by playing the recorded round on (`manue.training.fold.points_paid`).
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import F64, Bool, Records
from manue.features.danger import danger_features
from manue.features.fold import fold_features
from manue.features.scene import Scenes
from manue.models.danger import any_deal_in, deal_in_probs, possible_kinds
from manue.models.fold import mean_losses
from manue.models.model_set import Models
from manue.models.opponents import LOSS_SIZES
from manue.training.dataset import sequences_of
from manue.training.fold import points_paid
from manue.training.framework import held_kinds, in_riichi, wins_of

LOSSES = np.dtype(
    [
        ("game", np.int32),
        ("riichi", np.bool_),
        ("mean", np.float64),  # predicted points, without honba
        ("sizes", np.float64, (LOSS_SIZES,)),  # predicted sizes, equally likely
        ("points", np.float64),  # what would really be paid
    ]
)
"""One row, at every discard, for each kind held and each opponent who would win on it."""

FOLDING_ROWS = np.dtype(
    [
        ("game", np.int32),
        ("prob", np.float64),  # P(dealing in before the round ends | folding from here)
        ("cost", np.float64),  # mean points lost by that, without honba
        ("dealt_in", np.bool_),  # if it folds from here
        ("points", np.float64),  # points then paid
        ("threat", np.bool_),  # an opponent is in riichi
        ("folded", np.bool_),  # from here on the seat discarded only its safest tiles
        ("paid", np.float64),  # points that it paid for dealing in with the last of them
    ]
)
"""One row for each discard: what folding from there on would cost, and did cost where the seat folded."""
NO_SAFER = 0.002
"""A tile counts as the safest if no other has a P(deal-in) lower by this."""


def defence_of(scenes: Scenes, truths: Scenes, models: Models) -> tuple[Records, Records]:
    """Return LOSSES[n] and FOLDING_ROWS[m] of one game, its number left at 0.

    Parameters
    ----------
    scenes, truths : SCENE[m], TRUTH[m]
        As `manue.training.dataset.replay` returns them.
    models : Models
    """
    read = _read(scenes, truths, models)
    return _losses(scenes, truths, read, models), _folds(scenes, truths, read, models)


def folding_rows(scenes: Scenes, truths: Scenes, models: Models) -> Records:
    """Return FOLDING_ROWS[m] of one game, its number left at 0; parameters as in `defence_of`."""
    return _folds(scenes, truths, _read(scenes, truths, models), models)


class _Dangers(NamedTuple):
    """What the models say of every scene, opponent and kind."""

    prob: F64  # float64[m, 3, 34]: P(deal-in)
    can_win: F64  # float64[m, 3]: P(the opponent can win)
    held: Bool  # bool[m, 3, 34]: the kind is in the hand and not safe against the opponent
    loss: F64  # float64[m, 3, 34]: mean points of a deal-in with a kind held


def _read(scenes: Scenes, truths: Scenes, models: Models) -> _Dangers:
    dangers = models.dangers
    kinds, opponents = danger_features(scenes, dangers.weights)
    can_win = dangers.opponents.read(opponents).can_win
    prob = deal_in_probs(kinds, opponents, possible_kinds(scenes), can_win, dangers.kinds)
    held = held_kinds(scenes, truths)
    return _Dangers(prob, can_win, held, dangers.losses(scenes, kinds, opponents, held))


def _folds(scenes: Scenes, truths: Scenes, read: _Dangers, models: Models) -> Records:
    folds = np.zeros(len(scenes), FOLDING_ROWS)
    folds["prob"] = models.fold.trees.probabilities(fold_features(scenes, read.prob, read.can_win))
    folds["threat"] = in_riichi(scenes).any(axis=1)
    means = mean_losses(read.prob, read.loss, scenes["hand"])
    folds["cost"] = folds["prob"] * models.fold.points(means, folds["threat"])
    folds["points"] = points_paid(scenes, truths, read.prob)
    folds["dealt_in"] = folds["points"] > 0
    folds["folded"], folds["paid"] = folded(scenes, truths, read.prob)
    return folds


def folded(scenes: Scenes, truths: Scenes, prob: F64) -> tuple[Bool, F64]:
    """Return whether the seat folded from each discard to the end of the round, and the points it paid then.

    Parameters
    ----------
    scenes, truths : SCENE[m], TRUTH[m]
    prob : float64[m, 3, 34]
        P(the opponent wins on the kind now).
    """
    at, thrown = np.arange(len(scenes)), truths["discarded"].astype(np.int64)
    danger = any_deal_in(prob)
    safest = np.where(scenes["hand"] > 0, danger, 1.0).min(axis=1)
    safe = (danger[at, thrown] < safest + NO_SAFER) & (scenes["riichi"][:, 0] == 0)
    cost = truths["win_points"][at, :, thrown].sum(axis=1) * 100.0
    key = sequences_of(truths)
    still: dict[int, tuple[bool, float]] = {}
    for i in at[::-1].tolist():
        later, paid = still.get(int(key[i]), (True, 0.0))
        still[int(key[i])] = safe[i], cost[i] = bool(safe[i] and later), float(cost[i] + paid)
    return safe, cost


def _losses(scenes: Scenes, truths: Scenes, read: _Dangers, models: Models) -> Records:
    scene, opponent, kind = np.nonzero(read.held & wins_of(truths))
    rows = np.zeros(len(scene), LOSSES)
    rows["riichi"] = in_riichi(scenes)[scene, opponent]
    rows["mean"] = read.loss[scene, opponent, kind]
    rows["points"] = truths["win_points"][scene, opponent, kind] * 100.0
    rows["sizes"] = models.dangers.opponents.loss_sizes(rows["mean"], rows["riichi"])
    return rows
