"""Declarations: which are found, what they are compared with, and what the call policy does with them."""

import numpy as np
import pytest

from manue.agents.manue import Manue
from manue.decision.declarations import declaration_of, declarations_of, with_call_policy
from manue.decision.evaluation import expected_values
from manue.decision.settings import Settings, position_seed
from manue.features.call_policy import CALL_POLICY_COLUMNS, DECLARATIONS
from manue.features.scene import scene_of
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi
from manue.game.events import Discarded, Draw
from manue.game.legal import legal_actions
from tests.agents.test_manue import state_of
from tests.models.loaded import shipped

COLUMN = {column.name: index for index, column in enumerate(CALL_POLICY_COLUMNS)}


KAN = state_of("111m456p2378s22z9p", Draw(0, "1m"), indicator="9s")
NINE = state_of("19m19p19s1234z456p", Draw(0, "5p"))


def pon_possible():
    state = state_of("234m456p78s5577z1m", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    state.apply(Discarded(1, "P", from_draw=False))
    return state


def rated(state):
    scene = scene_of(state)
    settings = Settings(policy="points")
    seed = position_seed(state, 0)
    valued = expected_values(state, legal_actions(state), seed, settings, shipped()).valued
    return scene, valued


def test_a_pon_is_compared_with_passing():
    scene, valued = rated(pon_possible())
    (declaration,) = declarations_of(scene, valued)
    calls = [i for i, option in enumerate(valued) if isinstance(option.report.action, Call)]
    assert (declaration.name, list(declaration.members)) == ("pon", calls)
    best = max((valued[i] for i in calls), key=lambda option: option.report.expected_points)
    (passing,) = (option for option in valued if isinstance(option.report.action, Pass))
    columns = {name: declaration.row[index] for name, index in COLUMN.items()}
    gain = best.report.expected_points - passing.report.expected_points
    assert columns["gain"] == pytest.approx(gain, rel=1e-5)
    assert (columns["shanten"], columns["without_shanten"]) == (best.report.shanten, passing.report.shanten)
    assert (columns["open"], columns["yakuhai"], columns["yakuhai_pairs"]) == (1, 1, 1)
    assert (columns["kind_worth"], columns["kind_number"], columns["kind_dora"]) == (1, 0, 0)
    assert DECLARATIONS[int(columns["declaration"])] == "pon"
    odds = [np.log(option.report.win_prob / (1 - option.report.win_prob)) for option in (best, passing)]
    assert columns["odds_gain"] == pytest.approx(odds[0] - odds[1], rel=1e-4)
    points = [max(option.report.win_points, 500) for option in (best, passing)]
    assert columns["points_gain"] == pytest.approx(np.log(points[0] / points[1]), rel=1e-4)
    deal_in = best.report.deal_in_prob
    assert (columns["deal_in"], columns["deal_in_gain"]) == pytest.approx((deal_in, deal_in))


def test_riichi_and_kans_are_declarations_of_this_seats_turn():
    scene, valued = rated(KAN)
    assert [each.name for each in declarations_of(scene, valued)] == ["ankan"]
    state = state_of("123m456p2378s22z1z", Draw(0, "4s"))
    scene, valued = rated(state)
    (declaration,) = declarations_of(scene, valued)
    assert declaration.name == "riichi"
    assert {type(valued[i].report.action) for i in declaration.members} == {Riichi}


def test_without_declarations_nothing_changes():
    scene, valued = rated(state_of("1234m56p789s1155z", Draw(0, "9m")))
    assert declarations_of(scene, valued) == []
    assert with_call_policy(scene, valued, shipped().call_policy) == valued


def test_all_options_of_a_declaration_have_the_log_odds_of_the_model_from_the_threshold():
    scene, valued = rated(pon_possible())
    (declaration,) = declarations_of(scene, valued)
    (odds,) = shipped().call_policy.odds(declaration.row[None])
    for i, option in enumerate(with_call_policy(scene, valued, shipped().call_policy)):
        assert option.value == valued[i].value
        if i in declaration.members:
            assert option.call_log_odds == pytest.approx(
                odds - shipped().call_policy.thresholds[DECLARATIONS.index("pon")]
            )
            assert option.report.played_prob == pytest.approx(1 / (1 + np.exp(-odds)))
        else:
            assert option == valued[i]


@pytest.mark.parametrize(
    "state",
    [pon_possible(), state_of("123m456p2378s22z1z", Draw(0, "4s"))],
    ids=["pon", "riichi"],
)
def test_with_enough_weight_the_call_policy_decides_a_declaration(state):
    decision = Manue(Settings(call_policy=10_000, discard_policy=0)).decide(state, legal_actions(state))
    ((declaration, prob),) = {
        (declaration_of(report.action), report.played_prob)
        for report in decision.reports
        if declaration_of(report.action)
    }
    threshold = shipped().call_policy.thresholds[DECLARATIONS.index(declaration)]
    assert (declaration_of(decision.action) != "") == (prob > 1 / (1 + np.exp(-threshold)))


def test_thresholds_can_be_turned_off():
    scene, valued = rated(pon_possible())
    (declaration,) = declarations_of(scene, valued)
    at = declaration.members[0]
    with_threshold, without = (
        with_call_policy(scene, valued, shipped().call_policy, thresholds=thresholds)[at]
        for thresholds in (True, False)
    )
    assert without.call_log_odds - with_threshold.call_log_odds == pytest.approx(
        shipped().call_policy.thresholds[DECLARATIONS.index("pon")]
    )
    assert without.report == with_threshold.report


def test_without_the_call_policy_values_decide_declarations():
    state = pon_possible()
    settings = Settings(policy="points", call_policy=0, discard_policy=0)
    decision = Manue(settings).decide(state, legal_actions(state))
    points = [report.expected_points for report in decision.reports]
    assert points[0] == max(points)


@pytest.mark.parametrize("state", [KAN, NINE], ids=["kan", "nine terminals"])
def test_kans_and_nine_terminals_can_be_turned_off(state):
    special = {action for action in legal_actions(state) if isinstance(action, Call | NineTerminals)}
    plain = Manue(Settings(kans=False, nine_terminals=False))
    for agent, expected in ((Manue(), special), (plain, set())):
        decision = agent.decide(state, legal_actions(state))
        assert {report.action for report in decision.reports} & special == expected


def test_actions_have_the_names_of_their_declarations():
    assert declaration_of(Riichi()) == "riichi"
    assert declaration_of(Call("ankan", ("1m",) * 4)) == "ankan"
    assert declaration_of(Pass()) == declaration_of(Discard("1m")) == ""


def test_a_closed_kan_in_tenpai_was_valued_as_if_no_riichi_could_follow():
    """It was worth 3,500 points, and 8,900 after the draw from the dead wall, most of it by riichi."""
    state = state_of("222m34567p44s678s", Draw(0, "2m"), indicator="1s")
    options = {type(found.report.action): found.report for found in rated(state)[1]}
    assert options[Call].win_points > options[Riichi].win_points
    assert options[Call].expected_points > options[Riichi].expected_points
