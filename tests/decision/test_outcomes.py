"""What the endings of a round are worth after each option: after a kan, opponents' wins are larger."""

from dataclasses import replace
from pathlib import Path

import pytest

from manue.decision.endings import Endings
from manue.decision.evaluation import expected_values
from manue.decision.settings import Settings
from manue.game.legal import legal_actions
from manue.models.afterstate import GrowthByKan
from manue.review.problem_book import load_book, state_of
from tests.models.loaded import MODELS

BOOK = Path(__file__).parents[2] / "data/problems"


STATE = state_of(next(each for each in load_book(BOOK) if each.id == "closed-kan-in-riichi"))


def evaluated(growth):
    """The options of a hand that may declare a closed kan, with and without it."""
    models = replace(MODELS, afterstate=replace(MODELS.afterstate, growth_by_kan=growth))
    valued = expected_values(STATE, legal_actions(STATE), 0, Settings(), models).valued
    return {option.option.is_kan: option for option in valued if option.option is not None}


def paid_to_others(option):
    later = option.endings[1]
    return later.points[Endings.other_tsumo], later.points[Endings.deal_in]


def test_opponents_wins_are_larger_after_a_kan_and_only_after_it():
    """The dora that a kan reveals was once worth nothing to the others."""
    plain, grown = evaluated(GrowthByKan(1.0, 1.0)), evaluated(GrowthByKan(1.0, 1.25))
    assert set(plain) == {True, False}
    for before, after in zip(paid_to_others(plain[True]), paid_to_others(grown[True]), strict=True):
        assert (after < before).all()
        assert after == pytest.approx(1.25 * before, abs=300)  # payments of three are rounded up
    for before, after in zip(paid_to_others(plain[False]), paid_to_others(grown[False]), strict=True):
        assert (after == before).all()
    assert grown[True].report.expected_points < plain[True].report.expected_points
    assert grown[False].report == plain[False].report


def test_own_wins_are_larger_after_a_kan_and_only_after_it():
    plain, grown = evaluated(GrowthByKan(1.0, 1.0)), evaluated(GrowthByKan(1.2, 1.0))
    before, after = (found[True].report.win_points - STATE.bonus for found in (plain, grown))
    assert after == pytest.approx(1.2 * before)
    assert grown[True].report.expected_points > plain[True].report.expected_points
    assert grown[False].report == plain[False].report
