"""Ties are broken by the human policy: between discards, and over declarations."""

from dataclasses import replace

import numpy as np
import pytest

from manue.agents.manue import Manue
from manue.decision.report import Report
from manue.decision.settings import Settings
from manue.decision.tie_break import NOTE, break_ties, worths_in_points
from manue.decision.values import OutcomeDistribution, ValuedOption
from manue.errors import UsageError
from manue.game.actions import Discard, Pass, Riichi
from manue.game.events import Draw
from manue.game.legal import legal_actions
from tests.agents.test_manue import state_of

POINTS = np.array([-8000.0, 0.0, 2000.0, 12000.0])
MIN_HERE = 0.00075
CHANCES = np.array([0.1, 0.5, 0.3, 0.1])
NOTHING = np.zeros(4)


def valued(value, action, worth=POINTS, **discard_policy):
    endings = (OutcomeDistribution(POINTS, worth, NOTHING), OutcomeDistribution(POINTS, worth, CHANCES))
    return ValuedOption(value, Report(action), None, endings, **discard_policy)


def test_a_discard_loses_points_per_factor_e_behind_the_favourite():
    a, b = valued(500.0, Discard("1m"), log_preference=-1.0), valued(450.0, Discard("2m"))
    settled = break_ties([a, b], discard_policy=100, call_policy=0, least=1.0)
    assert [option.value for option in settled] == pytest.approx([400.0, 450.0])
    assert settled[0].report == a.report
    assert settled[1].report == replace(b.report, note=NOTE)


def test_a_declaration_gains_or_loses_points_by_its_log_odds():
    options = [valued(500.0, Riichi(), call_log_odds=-2.0), valued(450.0, Discard("2m"), log_preference=-1.0)]
    assert [option.value for option in break_ties(options, 10, 40, 1.0)] == pytest.approx([420.0, 440.0])
    options[0] = options[0]._replace(call_log_odds=2.0)
    assert [option.value for option in break_ties(options, 10, 40, 1.0)] == pytest.approx([580.0, 440.0])


def test_points_are_converted_to_the_unit_of_the_policy():
    """Where 1000 points are worth 3 ranking points, 100 points are worth 0.3."""
    worth = POINTS * 0.003 + 7
    options = [valued(5.0, Discard("1m"), worth, log_preference=-1.0), valued(5.0, Discard("2m"), worth)]
    assert [option.value for option in break_ties(options, 100, 0, MIN_HERE)] == pytest.approx([4.7, 5.0])


def test_what_decides_is_given_in_points():
    """Where 1000 points are worth 3 ranking points, 0.3 ranking points count as much as 100 points."""
    worth = POINTS * 0.003 + 7
    options = [valued(5.0, Discard("1m"), worth, log_preference=-1.0), valued(5.0, Discard("2m"), worth)]
    first, second = worths_in_points(break_ties(options, 100, 0, MIN_HERE), MIN_HERE)
    assert second.value - first.value == pytest.approx(100.0)
    assert (first.habit, second.habit) == pytest.approx((-100.0, 0.0))
    assert worths_in_points([ValuedOption(1.0, options[0].report)], MIN_HERE) == ()


def test_what_a_point_is_worth_goes_by_what_each_ending_pays():
    """Later endings, in which a stick is lost, once counted with the points and the worth of earlier ones."""
    now = OutcomeDistribution(np.array([-7700.0, -3900.0]), np.array([-60.0, -10.0]), np.array([0.1, 0.2]))
    later = OutcomeDistribution(POINTS - 1000.0, np.array([-70.0, 0.0, 15.0, 40.0]), 0.7 * CHANCES)
    options = [
        ValuedOption(5.0, Report(Discard(tile)), None, (now, later), log_preference=preference)
        for tile, preference in (("1m", -1.0), ("2m", 0.0))
    ]
    points, worth, chances = (np.concatenate(arrays) for arrays in zip(now, later, strict=True))
    slope, _ = np.polyfit(points, worth, 1, w=np.sqrt(chances))
    settled = break_ties(options, 100, 0, 1e-9)
    assert settled[1].value - settled[0].value == pytest.approx(100.0 * slope)
    first, second = worths_in_points(settled, 1e-9)
    assert second.value - first.value == pytest.approx(100.0)


@pytest.mark.parametrize("slope", [0.0, 1e-8, -1e-8])
def test_where_points_change_no_place_differences_are_not_points_by_the_million(slope):
    """A slope of nothing made a billion points of a difference that no one could see, or turned it round."""
    worth = POINTS * slope
    options = [valued(90.0, Discard("1m"), worth, log_preference=-1.0), valued(89.9, Discard("2m"), worth)]
    settled = break_ties(options, 200, 0, MIN_HERE)
    assert settled[1].value > settled[0].value == pytest.approx(90.0 - 200 * MIN_HERE)
    first, second = worths_in_points(settled, MIN_HERE)
    assert second.value - first.value == pytest.approx(200.0 - 0.1 / MIN_HERE)


def test_a_point_is_worth_a_point_under_points_and_a_share_of_the_way_to_the_first_place_under_placement():
    assert Settings(policy="points").least_worth == 1.0
    assert Settings(uma="tenhou").least_worth == pytest.approx(225 / 300_000)


def test_the_order_of_the_reports_is_that_of_what_decides():
    decision = _decide(state_of("1234m56p789s1155z", Draw(0, "9m")))
    values = [worth.value for worth in decision.worths]
    assert len(values) == len(decision.reports)
    assert values == sorted(values, reverse=True)
    assert any(worth.habit for worth in decision.worths)


def test_without_the_human_policy_nothing_changes():
    options = [valued(5.0, Discard("1m"), log_preference=-3.0), valued(4.0, Riichi(), call_log_odds=3.0)]
    options.append(valued(3.0, Pass()))
    assert [option.value for option in break_ties(options, 0, 0, 1.0)] == [5.0, 4.0, 3.0]


def test_the_reported_numbers_stay_the_same():
    """The human policy changes only the order."""
    state = state_of("1234m56p789s1155z", Draw(0, "9m"))
    plain, settled = _decide(state, discard_policy=0), _decide(state, discard_policy=1000)
    assert {report.action: report for report in plain.reports} == {
        report.action: replace(report, note="") for report in settled.reports
    }


def test_with_enough_weight_the_favourite_discard_is_chosen():
    state = state_of("1234m56p789s1155z", Draw(0, "9m"))
    decision = _decide(state, discard_policy=10_000)
    shares = [report.played_prob for report in decision.reports]
    assert sum(shares) == pytest.approx(1.0)
    assert shares[0] == max(shares)


def test_the_weights_of_the_human_policy_have_bounds():
    for name in ("discard_policy", "call_policy"):
        with pytest.raises(UsageError, match=name):
            Settings(**{name: 10_001})


def _decide(state, **settings):
    return Manue(Settings(**settings)).decide(state, legal_actions(state))
