"""What is measured about rollouts: gains without luck in choosing, hands by turn."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from manue.rollouts.comparison import Played
from manue.validation.hands_by_turn import hands_data, hands_of_games, hands_table
from manue.validation.rollouts import followed
from tests.conftest import game


def test_what_is_best_in_one_half_is_measured_in_the_other():
    worth = np.array([[0.0, 100.0], [0.0, 300.0], [0.0, -50.0], [0.0, -150.0]])
    # chosen by the first half: -100 in the second; by the second: the chosen one, 0
    assert followed(Played(worth, worth, worth)) == pytest.approx(-50.0)
    assert followed(Played(worth[:2], worth[:2], worth[:2])) == pytest.approx(200.0)


def test_hands_that_are_not_tenpai_are_counted_by_calls_and_discards():
    with ThreadPoolExecutor(1) as pool:
        (counts,) = hands_of_games([game("east-rules")], pool)
    rounds = counts[0, 0].sum()
    assert rounds >= 12  # three hands of every round that are dealt without a draw
    assert counts[0, 0, :2].sum() < counts[0, 0, 2:].sum()
    found = hands_data(counts, 1)
    assert found["hands"] == counts.sum() > 100
    assert hands_table(found).startswith(f"1 games, {found['hands']:,} hands that were not tenpai")
