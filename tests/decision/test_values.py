"""What is reported of an option is what its endings come to."""

from itertools import islice

import numpy as np
import pytest

from manue.decision.endings import PATTERNS, Endings
from manue.decision.evaluation import evaluate_options
from manue.decision.outcomes import risk_of
from manue.decision.settings import Settings, position_seed
from manue.game.actions import Discard, Win
from manue.game.events import Discarded, Draw, RoundStart
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.records.decisions import recorded_decisions
from manue.rules import MAHJONG_SOUL, TENHOU
from manue.tiles import parse_tiles
from tests.agents.test_manue import state_of
from tests.conftest import events_of, game
from tests.models.loaded import shipped


@pytest.fixture(scope="module", params=["points", "placement"])
def valued(request):
    """The options of decisions of a game in which riichi, calls and passes were possible."""
    settings, found = Settings(policy=request.param, mc_draws=16), []
    for made in islice(recorded_decisions(events_of(game("double-ron"))), 0, 400, 8):
        actions = tuple(action for action in made.actions if not isinstance(action, Win))
        seed = position_seed(made.state, 0)
        evaluation = evaluate_options(made.state, actions, seed, settings, shipped())
        least = 1_500 if made.state.seat == made.state.dealer else 1_000
        table = made.state.bonus, made.state.honba, least  # the state itself goes on
        for one in evaluation.valued:
            if one.endings:
                found.append((table, evaluation.bases.of(one.option).danger, one))
    assert len(found) > 150
    return request.param, found


def test_chances_are_those_of_the_endings_once_the_discard_has_passed(valued):
    for _, _, one in valued[1]:
        now, later = one.endings
        report, passes = one.report, 1 - now.probabilities.sum()
        assert report.deal_in_prob == pytest.approx(now.probabilities.sum())
        wins = later.probabilities[Endings.own_tsumo].sum() + later.probabilities[Endings.own_ron].sum()
        assert report.win_prob * passes == pytest.approx(wins, abs=1e-9)
        assert report.draw_prob * passes == pytest.approx(
            later.probabilities[Endings.any_draw].sum(), abs=1e-9
        )
        deal_ins = later.probabilities[Endings.deal_in].sum()
        assert report.deal_in_later_prob * passes == pytest.approx(deal_ins, abs=1e-9)
        others = deal_ins + sum(
            later.probabilities[where].sum() for where in (Endings.other_tsumo, Endings.other_ron)
        )
        assert report.others_win_prob * passes == pytest.approx(others, abs=1e-9)


def test_points_are_the_means_over_the_endings(valued):
    for (bonus, _, least), _, one in valued[1]:
        now, later = one.endings
        report = one.report
        mean = now.probabilities @ now.points + later.probabilities @ later.points
        assert report.expected_points == pytest.approx(mean, abs=1e-6)
        draws = later.probabilities[Endings.any_draw]
        if draws.sum() > 1e-9:
            at_draw = draws @ later.points[Endings.any_draw] / draws.sum()
            assert report.draw_points == pytest.approx(at_draw, abs=1e-6)
        wins = slice(Endings.own_tsumo.start, Endings.own_ron.stop)
        chances = later.probabilities[wins]
        if chances.sum() > 1e-9:
            size = chances @ later.points[wins] / chances.sum()
            # honba and sticks are among both; a self-draw is rounded up for each who pays
            assert -2 < size - max(report.win_points, least + bonus) < 300


def test_a_deal_in_costs_in_the_value_what_is_reported(valued):
    """The endings once paid 5,973 points for a tile that costs 8,815: their sizes were those of all tiles."""
    dear = 0
    for (_, honba, _), danger, one in valued[1]:
        now, report = one.endings[0], one.report
        risk = risk_of(one.option, danger)
        prob = 0.0 if risk is None else danger.deal_in(risk.kind)
        paid = 0.0 if risk is None else danger.cost(risk.kind) + prob * 300 * honba
        assert report.deal_in_prob == pytest.approx(prob, abs=1e-12)
        assert report.deal_in_prob * report.deal_in_points == pytest.approx(paid, abs=1e-9)
        assert -now.probabilities @ now.points == pytest.approx(paid, abs=1e-9)
        dear += prob > 0.01 and report.deal_in_points > 7_000
    assert dear > 10


@pytest.mark.parametrize("policy", ["points-classic", "points", "placement"])
def test_a_deal_in_pays_honba_under_every_policy(policy):
    """The reports of a position without honba and with two."""
    state = state_of("1234m56p789s1155z", Draw(0, "9m"))
    paid = []
    for honba in (0, 2):
        state.honba = honba
        found = evaluate_options(
            state, legal_actions(state), 0, Settings(policy=policy, mc_draws=16), shipped()
        )
        paid.append([one.report.deal_in_points for one in found.valued if one.report.deal_in_prob])
    assert len(paid[0]) > 5
    assert np.subtract(paid[1], paid[0]) == pytest.approx(np.full(len(paid[0]), 600.0))


def test_the_value_is_the_mean_worth_under_the_policy(valued):
    policy, found = valued
    for _, _, one in found:
        now, later = one.endings
        worth = now.probabilities @ now.worth + later.probabilities @ later.worth
        assert one.value - one.habit == pytest.approx(worth, abs=1e-6)
        if policy == "points":
            assert worth == pytest.approx(one.report.expected_points, abs=1e-6)
        assert 1 <= one.report.expected_rank <= 4


def test_a_hand_in_riichi_is_tenpai_in_every_draw(valued):
    tenpai = np.arange(PATTERNS) & 1 == 1
    checked = 0
    for _, _, one in valued[1]:
        if one.option.riichi:
            assert one.endings[1].probabilities[Endings.draw][~tenpai].sum() == pytest.approx(0.0, abs=1e-12)
            checked += 1
    assert checked > 1


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL])
def test_a_double_yakuman_is_valued_as_it_is_reported(rules):
    state = RoundState(1, rules)
    hidden = (None,) * 13
    hand = tuple(parse_tiles("19m19p19s1234567z"))
    state.apply(RoundStart("E", 1, 0, 0, 0, "2m", (hidden, hand, hidden, hidden), (25_000,) * 4))
    for event in (Draw(0, None), Discarded(0, "5m", from_draw=True), Draw(1, "5m")):
        state.apply(event)
    options = evaluate_options(state, legal_actions(state), 0, Settings(mc_draws=64), shipped()).valued
    (waiting,) = (one for one in options if one.report.action == Discard("5m", from_draw=True))
    points = 64_000 if rules.double_yakuman_patterns else 32_000
    assert waiting.report.win_points == pytest.approx(points)
    _, later = waiting.endings
    wins = slice(Endings.own_tsumo.start, Endings.own_ron.stop)
    chances = later.probabilities[wins]
    assert chances @ later.points[wins] / chances.sum() == pytest.approx(points, rel=1e-3)
