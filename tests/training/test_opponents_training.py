"""What the model of the opponents learns beside its trees, and the tables it is measured against, by hand."""

import numpy as np
import pytest

from manue.features.danger_columns import KIND_SIZE, OPPONENT, OPPONENT_NAMES, ROW_NAMES
from manue.features.scene import SCENE
from manue.models.opponents import LOSS_BINS, OpponentsModel
from manue.training.dataset import SEQUENCES_OF_GAME, TRUTH
from manue.training.export import constant_trees
from manue.training.framework import DangerSample
from manue.training.opponents import (
    _loss_report,
    _select_riichi_with_two,
    _select_silent,
    _spread,
    _tenpai_report,
)
from tests.report_tables import cells_of


def sample_of(x, *, points=None, tenpai=None):
    no = np.zeros(len(x), np.bool_)
    return DangerSample(
        np.asarray(x, np.float32),
        no,
        np.zeros(len(x)) if points is None else np.asarray(points, np.float64),
        no if tenpai is None else np.asarray(tenpai, np.bool_),
        no,
        np.arange(len(x)) * SEQUENCES_OF_GAME,
    )


def losses_of(riichi, dealer=0.0):
    x = np.zeros((len(riichi), len(ROW_NAMES)))
    x[:, KIND_SIZE + OPPONENT.riichi] = riichi
    x[:, KIND_SIZE + OPPONENT.dealer] = dealer
    return x


def test_a_loss_is_spread_over_thirds_of_what_hands_with_that_mean_cost():
    """In every bin thirds cost 0.5, 1 and 1.5 times the mean of silent hands, 0.2, 0.6 and 2.2 in riichi."""
    bins = np.repeat(np.arange(LOSS_BINS), 30)
    mean = np.concatenate([1_000.0 + 1_000.0 * bins + np.tile(np.arange(30), LOSS_BINS)] * 2)
    riichi = np.arange(len(mean)) >= len(bins)
    thirds = np.where(riichi[:, None], [0.2, 0.6, 2.2], [0.5, 1.0, 1.5])
    cost = mean * thirds[np.arange(len(mean)), np.arange(len(mean)) % 3]
    mean[riichi] /= 2.0  # the trees know only half of what a riichi costs: the sizes keep their mean
    edges, sizes = _spread(mean, sample_of(losses_of(2.0 * riichi), points=cost / 100))
    for row, expected in ((0, [0.5, 1.0, 1.5]), (1, [0.2, 0.6, 2.2])):
        assert sizes[row] == pytest.approx(np.array([expected] * LOSS_BINS))
        below = (edges[row][:, None] > mean[riichi == row]).sum(axis=1)
        assert below.tolist() == [30 * (number + 1) for number in range(LOSS_BINS - 1)]


def test_of_too_few_hands_a_loss_has_no_spread():
    few = sample_of(losses_of(np.zeros(200)), points=np.tile([10.0, 90.0], 100))
    edges, sizes = _spread(np.full(200, 5_000.0), few)
    assert (sizes == 1.0).all()
    assert (edges == 0.0).all()


def test_what_a_further_indicator_adds_is_measured_on_riichi_with_two_on_the_table():
    scenes, truths = np.zeros(3, SCENE), np.zeros(3, TRUTH)
    scenes["riichi"][:, 2] = 1  # the second opponent
    scenes["hand"][:, [4, 5]] = 1
    scenes["safe"][:, 2, 5] = 1
    truths["win_points"][:] = 80
    scenes["dora"][0, 7], scenes["dora"][1, 7], scenes["dora"][2, [7, 9, 20]] = 1, 2, 1
    found = np.argwhere(_select_riichi_with_two(scenes, truths))
    assert found.tolist() == [[1, 1, 4]]  # not safe, in riichi; two indicators may show one dora
    assert _select_silent(scenes, truths).tolist() == [[True, False, True]] * 3


def test_tenpai_is_measured_beside_its_share_by_turn_and_melds():
    """Of 40 hands with one meld 3 in 4 are tenpai, of 40 without 1 in 4; the table knows one more of each."""
    x = np.zeros((80, len(OPPONENT_NAMES)))
    x[:, OPPONENT.turn], x[:40, OPPONENT.melds] = 30.0, 1  # after the 24th turn all are alike
    rows = sample_of(x, tenpai=np.concatenate([np.arange(40) < 30, np.arange(40) < 10]))
    held_out = sample_of(x[[0, 79]], tenpai=[True, False])
    trees = constant_trees(np.log(0.2 / 0.8), 1)
    report = _tenpai_report(rows, held_out, trees, trees)
    half = -np.log(0.5)
    table = -np.log([(30 + 0.5) / 41, 1 - (10 + 0.5) / 41]).mean()
    boosted = -np.log([0.2, 0.8]).mean()
    assert cells_of(report, "constant")[:3] == ["2", "0.5000", f"{half:.5f}"]
    assert cells_of(report, "table turn x melds")[2] == f"{table:.5f}"
    assert cells_of(report, "boosted trees")[2] == f"{boosted:.5f}"
    assert cells_of(report, "boosted trees, can win now")[:3] == ["2", "0.0000", f"{-np.log(0.8):.5f}"]


def test_a_loss_is_measured_beside_its_mean_by_dealer_and_riichi():
    """A silent child costs 2,000 points, a silent dealer 4,000, a child in riichi 6,000, a dealer 12,000."""
    riichi, dealer = np.array([0, 0, 2, 2]), np.array([0, 1, 0, 1])
    rows = sample_of(losses_of(riichi, dealer), points=[20.0, 40.0, 60.0, 120.0])
    held_out = sample_of(losses_of(riichi, dealer), points=[30.0, 40.0, 60.0, 150.0])
    trees = constant_trees(500.0, 1)  # less than any hand costs: it counts as 1,000, of a dealer as 1,500
    model = OpponentsModel(trees, trees, trees, np.zeros((2, LOSS_BINS - 1)), np.ones((2, LOSS_BINS, 3)))
    report = _loss_report(rows, held_out, model)
    assert cells_of(report, "table dealer x riichi")[:3] == ["4", "7000", "1000"]  # off by 1,000, 0, 0, 3,000
    assert cells_of(report, "constant")[2] == "3500"  # 6,000 for each: off by 3,000, 2,000, 0 and 9,000
    assert cells_of(report, "boosted trees")[2] == "5750"  # off by 2,000, 2,500, 5,000 and 13,500
