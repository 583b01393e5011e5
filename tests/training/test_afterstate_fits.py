"""Parts of the afterstate model on samples whose answer is counted by hand."""

from dataclasses import replace

import numpy as np
import pytest

from manue.features.afterstate import AT
from manue.models.afterstate import AT_FACTS
from manue.training.afterstate_fits import _payments, fit_trees, fit_win_share_weights, may_declare
from manue.training.afterstate_sample import DEAL_IN_LATER, DRAWN, OTHER_RON, OTHER_TSUMO, WIN
from tests.training.test_afterstate import empty_sample


def endings(counts):
    """Rows of one and the same hand, so many of each ending."""
    ending = np.repeat(list(counts), list(counts.values())).astype(np.int8)
    return replace(empty_sample(len(ending)), ending=ending)


def test_every_chance_is_learned_from_the_rows_in_which_it_was_open():
    """Of hands that are all alike each tree can only say the share."""
    rows = endings({WIN: 200, DEAL_IN_LATER: 80, DRAWN: 240, OTHER_TSUMO: 100, OTHER_RON: 380})
    number = np.arange(1_000)
    won, dealt_in, drawn = (rows.ending == one for one in (WIN, DEAL_IN_LATER, DRAWN))
    kan = number % 2 == 1
    opponents = rows.opponents.copy()
    opponents[:, :, AT_FACTS.size] = 4_000.0
    rows = replace(
        rows,
        kan=kan,
        points=np.where(won, np.where(kan, 12_000.0, 5_000.0), 0.0),
        opponents=opponents,
        winner=np.where(dealt_in, 0, -1).astype(np.int8),
        paid=np.where(dealt_in, np.where(kan, 12_000.0, 6_000.0), 0.0),
        stick=won | (number >= 880),
        exhausted=drawn & (number % 4 > 0),
        tenpai=np.repeat(((number % 4 == 0) | (number % 12 == 1))[:, None], 4, axis=1),
    )
    found = fit_trees(rows)
    hand = np.zeros((1, rows.x.shape[1]), np.float32)
    odds = {name: float(trees.sums(hand)[0]) for name, trees in found.items()}
    shares = {
        "win": 200 / 1_000,
        "deal_in_later": 80 / 800,  # not after a win
        "draw": 240 / 720,  # nor after a deal-in
        "tenpai_at_draw": 20 / 180,  # where the wall had run out
        "stick": 120 / 800,  # a win brings it back
    }
    for name, share in shares.items():
        assert odds.pop(name) == pytest.approx(np.log(share / (1 - share)), abs=1e-6), name
    assert odds == pytest.approx({"win_points": 5_000.0, "growth": 1.5})  # not after a kan


def test_a_closed_hand_that_did_not_win_might_have_declared_riichi_later():
    rows = endings({DRAWN: 3, OTHER_RON: 1, WIN: 1})
    x = rows.x.copy()
    x[1, AT.riichi], x[2, AT.open] = 1, 1
    assert may_declare(replace(rows, x=x)).tolist() == [True, False, False, True, False]


def test_a_payment_stands_for_what_all_who_paid_paid_together():
    """Of 4,000 points off this seat, or this seat's share of a self-draw; the winner is the second."""
    rows = endings({DEAL_IN_LATER: 1, OTHER_TSUMO: 3, OTHER_RON: 1, DRAWN: 1})
    x, opponents = rows.x.copy(), rows.opponents.copy()
    opponents[:, :, AT_FACTS.size] = [1_000.0, 2_000.0, 3_000.0]
    opponents[2, 1, AT_FACTS.dealer] = 1  # a dealer gets a third from each
    x[3, AT.dealer] = 1  # the dealer pays half
    paid = np.array([4_000.0, 1_000.0, 4_000.0, 2_000.0, 0.0, 0.0])
    winner = np.array([1, 1, 1, 1, 1, -1], np.int8)
    rows = replace(rows, x=x, opponents=opponents, paid=paid, winner=winner, weight=np.arange(6.0))
    found = _payments(rows)
    assert found.worth.tolist() == [4_000.0, 4 * 1_000.0, 3 * 4_000.0, 2 * 2_000.0]
    assert found.size.tolist() == [2_000.0] * 4
    assert found.x[:, -1].tolist() == [0, 1, 1, 1]  # self-drawn
    assert found.weight.tolist() == [0, 1, 2, 3]


def test_who_wins_follows_from_who_can_who_is_in_riichi_and_who_deals():
    weights, size, rng = np.array([1.5, 0.8, 0.4]), 30_000, np.random.default_rng(5)
    rows = endings({OTHER_RON: size})
    columns = [AT_FACTS.can_win, AT_FACTS.riichi, AT_FACTS.dealer]
    opponents = rows.opponents.copy()
    opponents[..., columns[0]] = rng.random((size, 3))
    opponents[..., columns[1]] = rng.random((size, 3)) < 0.2
    opponents[np.arange(size), rng.integers(0, 3, size), columns[2]] = 1
    odds = np.exp(opponents[..., columns] @ weights)
    reached = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
    winner = (rng.random((size, 1)) > reached[:, :2]).sum(axis=1)
    nobody = np.arange(size) % 10 == 0
    rows = replace(rows, opponents=opponents, winner=np.where(nobody, -1, winner).astype(np.int8))
    assert fit_win_share_weights(rows) == pytest.approx(weights, abs=0.1)
    assert fit_win_share_weights(rows.part(nobody)).tolist() == [0.0] * 3
