"""What is measured about rollouts: gains without luck in choosing, other weights, hands by turn."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from manue.agents.base import Decision
from manue.decision.report import Worth
from manue.game.actions import Pass, Win
from manue.validation.hands_by_turn import hands_data, hands_of_games, hands_table
from manue.validation.rollouts import (
    DANGERS,
    PLAYED,
    SAMPLED_KINDS,
    WEIGHTS,
    chosen_by_weights,
    followed,
    rollout_tables,
)
from tests.conftest import game


def test_what_is_best_in_one_half_is_measured_in_the_other():
    worth = np.array([[0.0, 100.0], [0.0, 300.0], [0.0, -50.0], [0.0, -150.0]])
    # chosen by the first half: -100 in the second; by the second: the chosen one, 0
    assert followed(worth) == pytest.approx(-50.0)
    assert followed(worth[:2]) == pytest.approx(200.0)


def test_other_weights_of_the_human_policy_choose_another_option():
    assert WEIGHTS == (0.0, 0.5, 2.0)
    worths = (Worth(100.0, 0.0), Worth(40.0, -80.0), Worth(70.0, 50.0))
    # without the human policy 100, 120, 20; with half of it 100, 80, 45; with twice 100, -40, 120
    assert chosen_by_weights(Decision(Pass(), worths=worths)) == [1, 0, 2]
    assert chosen_by_weights(Decision(Pass(), worths=(Worth(1.0, 0.0), None))) == [0, 0, 0]
    assert chosen_by_weights(Decision(Win("1m", 0), worths=(None, *worths))) == [0, 0, 0]
    assert chosen_by_weights(Decision(Pass())) == [0, 0, 0]


def test_what_other_weights_gain_is_the_mean_over_all_decisions_of_a_kind():
    played = np.zeros(4, PLAYED)
    played["game"] = [0, 0, 1, 1]
    played["differs"][0], played["weighed"][0] = (True, False, True), (-80.0, 0.0, 20.0)
    lines = rollout_tables(np.zeros(0, DANGERS), played, 2, 100).splitlines()
    name = next(iter(SAMPLED_KINDS))
    assert lines[-3:] == [
        f"| {name} | x 0 | 4 | 1 (25%) | -20.0 ± 39.2 |",
        f"| {name} | x 0.5 | 4 | 0 (0%) | +0.0 ± 0.0 |",
        f"| {name} | x 2 | 4 | 1 (25%) | +5.0 ± 9.8 |",
    ]


def test_hands_that_are_not_tenpai_are_counted_by_calls_and_discards():
    with ThreadPoolExecutor(1) as pool:
        (counts,) = hands_of_games([game("east-rules")], pool)
    rounds = counts[0, 0].sum()
    assert rounds >= 12  # three hands of every round that are dealt without a draw
    assert counts[0, 0, :2].sum() < counts[0, 0, 2:].sum()
    found = hands_data(counts, 1)
    assert found["hands"] == counts.sum() > 100
    assert hands_table(found).startswith(f"1 games, {found['hands']:,} hands that were not tenpai")
