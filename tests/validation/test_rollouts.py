"""What is measured about rollouts: gains without luck in choosing, other weights, hands by turn."""

import numpy as np
import pytest

from manue.agents.base import Decision
from manue.agents.manue import Manue
from manue.decision.report import Report, Worth
from manue.decision.settings import Settings
from manue.features.call_policy import DECLARATIONS
from manue.game.actions import Call, Discard, Pass, Win
from manue.rollouts.player import RolloutManue
from manue.validation.hands_by_turn import hands_data, hands_of_log, hands_table
from manue.validation.played_declarations import (
    DECLARED,
    SAMPLED_DECLARATIONS,
    Sides,
    declarations_table,
    played_declarations,
    sides_of,
)
from manue.validation.rollouts import (
    DANGERS,
    PLAYED,
    SAMPLED_KINDS,
    WEIGHTS,
    RolloutTables,
    chosen_by_weights,
    gain_in_other_half,
    rollout_tables,
)
from tests.conftest import events_of, game


def test_what_is_best_in_one_half_is_measured_in_the_other():
    worth = np.array([[0.0, 100.0], [0.0, 300.0], [0.0, -50.0], [0.0, -150.0]])
    # chosen by the first half: -100 in the second; by the second: the chosen one, 0
    assert gain_in_other_half(worth) == pytest.approx(-50.0)
    assert gain_in_other_half(worth[:2]) == pytest.approx(200.0)


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
    found = RolloutTables(np.zeros(0, DANGERS), played, np.zeros(0, DECLARED))
    lines = rollout_tables(found, 2, 100).splitlines()
    name = next(iter(SAMPLED_KINDS))
    assert lines[-6:-3] == [
        f"| {name} | x 0 | 4 | 1 (25%) | -20.0 ± 254.1 |",
        f"| {name} | x 0.5 | 4 | 0 (0%) | +0.0 ± 0.0 |",
        f"| {name} | x 2 | 4 | 1 (25%) | +5.0 ± 63.5 |",
    ]


def test_a_declaration_is_compared_with_the_best_option_that_makes_none():
    kan, chi = Call("ankan", ("1z",) * 4), Call("chi", ("1m", "2m"), "3m", 3)
    actions = (kan, chi, Discard("9p", from_draw=True), Discard("1z", from_draw=False), chi)
    reports = tuple(Report(action) for action in actions)
    worths = tuple(Worth(100.0 * (5 - place), 10.0) for place in range(5))
    decision = Decision(kan, reports, worths=worths)
    assert list(sides_of(decision)) == [Sides("ankan", 0, 2), Sides("chi", 1, 2)]
    assert list(sides_of(Decision(kan, reports[:2], worths=worths[:2]))) == []
    assert list(sides_of(Decision(kan, reports, worths=(None, *worths[1:])))) == []


def test_kans_of_a_record_are_played_on_from_both_sides():
    manue = Manue(Settings(mc_draws=50))
    rows = played_declarations(events_of(game("after-a-kan")), RolloutManue(manue, 20))
    kans = rows[[DECLARATIONS[number].endswith("kan") for number in rows["declaration"]]]
    assert len(kans)
    assert (rows["ours"] | rows["theirs"]).all()
    assert all(DECLARATIONS[number] in SAMPLED_DECLARATIONS for number in rows["declaration"])
    assert np.isfinite(rows["gain"]).all()
    assert rows["gain"].any()


def test_what_declarations_bring_is_tabled_by_who_makes_them():
    rows = np.zeros(4, DECLARED)
    rows["declaration"], rows["game"] = DECLARATIONS.index("ankan"), [0, 0, 1, 1]
    rows["ours"], rows["theirs"] = [True, True, True, False], [True, False, False, True]
    rows["value"], rows["habit"], rows["gain"] = [50.0, 10.0, 30.0, -5.0], 7.0, [80.0, 300.0, 100.0, -60.0]
    assert declarations_table(rows)[2:] == [
        "| ankan | both | 1 | +50 | +7 | +80 |",
        "| ankan | `manue` alone | 2 | +20 | +7 | +200 ± 1271 |",
        "| ankan | people alone | 1 | -5 | +7 | -60 |",
    ]


def test_hands_that_are_not_tenpai_are_counted_by_calls_and_discards():
    (counts,) = hands_of_log(game("east-rules"))
    rounds = counts[0, 0].sum()
    assert rounds >= 12  # three hands of every round that are dealt without a draw
    assert counts[0, 0, :2].sum() < counts[0, 0, 2:].sum()
    found = hands_data(counts, 1)
    assert found["hands"] == counts.sum() > 100
    assert hands_table(found).startswith(f"1 game, {found['hands']:,} hands that were not tenpai")
