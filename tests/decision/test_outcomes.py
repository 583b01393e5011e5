"""What the endings of a round are worth after each option: after a kan, opponents' wins are larger."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from manue.decision.endings import Endings
from manue.decision.evaluation import expected_values
from manue.decision.outcomes import opponent_facts
from manue.decision.settings import Settings
from manue.features.scene import scene_of
from manue.game.actions import Call, Discard
from manue.game.events import (
    Called,
    Discarded,
    Draw,
    RiichiAccepted,
    RiichiDeclared,
    RoundStart,
)
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.models.afterstate import AT_FACTS, OPPONENT_FACTS, GrowthByKan
from manue.models.danger import Danger
from manue.review.problem_book import load_book, state_of
from manue.tiles import KIND_OF, parse_tiles
from tests.agents import test_manue as positions
from tests.models.loaded import dangers, shipped

BOOK = Path(__file__).parents[2] / "data/problems"


STATE = state_of(next(each for each in load_book(BOOK) if each.id == "closed-kan-in-riichi"))


def evaluated(growth):
    """The options of a hand that may declare a closed kan, with and without it."""
    models = replace(shipped(), afterstate=replace(shipped().afterstate, growth_by_kan=growth))
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


def test_after_the_last_discard_the_round_is_drawn():
    """Its hand once won in 1 of 100 cases, and the others in 2, although nobody draws any more."""
    state = positions.state_of("123m456p789p3344s", Draw(0, "E"))
    state.tiles_left = 0
    valued = expected_values(state, legal_actions(state), 0, Settings(), shipped()).valued
    for option in valued:
        report = option.report
        chances = report.win_prob, report.draw_prob, report.others_win_prob
        assert chances == pytest.approx((0.0, 1.0, 0.0))
        later = option.endings[1].probabilities[Endings.draw]
        own_tenpai = later[1::2].sum() / later.sum()
        assert own_tenpai == pytest.approx(float(report.shanten == 0))
    assert {option.report.shanten for option in valued} == {0, 1}


def may_add_to_pon(hand, tile):
    """The turn of a seat that draws a tile for its pon, against a riichi."""
    state = positions.state_of(hand, Draw(0, "9p"), Discarded(0, "9p", from_draw=True))
    for event in (
        Draw(1, None),
        Discarded(1, tile, from_draw=False),
        Called(0, Call("pon", (tile, tile), tile, 1)),
        Discarded(0, "1m", from_draw=False),
        Draw(1, None),
        Discarded(1, "9m", from_draw=True),
        Draw(2, None),
        RiichiDeclared(2),
        Discarded(2, "9m", from_draw=False),
        RiichiAccepted(2),
        Draw(3, None),
        Discarded(3, "9m", from_draw=True),
        Draw(0, tile),
    ):
        state.apply(event)
    return state


def reports_with_kan(state, growth):
    """The reports of the options by whether they declare a kan, whose dora makes others' wins larger."""
    models = replace(
        shipped(), afterstate=replace(shipped().afterstate, growth_by_kan=GrowthByKan(1.0, growth))
    )
    valued = expected_values(state, legal_actions(state), 0, Settings(), models).valued
    (kan,) = (option for option in valued if option.option.is_kan)
    now, report = kan.endings[0], kan.report
    paid = report.deal_in_prob * report.deal_in_points
    assert -now.probabilities @ now.points == pytest.approx(paid)
    return report, [option.report for option in valued if option is not kan]


@pytest.mark.parametrize("growth", [1.0, 1.5])
def test_an_added_kan_risks_its_tile(growth):
    """Only the safest tile of the hand once counted; and a robbed kan with the dora that it never reveals."""
    state = may_add_to_pon("55p123m456789s11z", "5p")
    kan, others = reports_with_kan(state, growth)
    danger, added = dangers(state), KIND_OF["5p"]
    assert kan.action.kind == "kakan"
    assert kan.deal_in_prob == pytest.approx(danger.deal_in(added))
    assert kan.deal_in_prob > min(report.deal_in_prob for report in others)
    assert kan.deal_in_points == pytest.approx(danger.cost(added) / danger.deal_in(added))


@pytest.mark.parametrize("growth", [1.0, 1.5])
def test_an_added_kan_risks_the_discard_after_it(growth):
    """Nobody waits for the last copy of a dragon; but then a tile has to be discarded, its dora revealed."""
    state = may_add_to_pon("155z1m345678p345s", "P")
    kan, _ = reports_with_kan(state, growth)
    safest = check_discard_after(kan, state, growth)
    assert dangers(state).deal_in(KIND_OF["P"]) < dangers(state).deal_in(safest)


@pytest.mark.parametrize("growth", [1.0, 1.5])
def test_the_discard_after_a_closed_kan_costs_more_by_its_dora(growth):
    """What was reported left out the dora that the value counted."""
    kan, _ = reports_with_kan(STATE, growth)
    check_discard_after(kan, STATE, growth)


def check_discard_after(kan, state, growth):
    """Check that a kan risks the safest kind of the hand left, with its dora, and return that kind."""
    danger, used = dangers(state), {KIND_OF[kan.action.tile or kan.action.consumed[0]]}
    safest = min({KIND_OF[tile] for tile in state.hand} - used, key=danger.deal_in)
    assert kan.deal_in_prob == pytest.approx(danger.deal_in(safest))
    assert kan.deal_in_points == pytest.approx(growth * danger.cost(safest) / danger.deal_in(safest))
    return safest


RIICHI_OF_TWO = (
    Draw(0, "9m"),
    Discarded(0, "9m", from_draw=True),
    Draw(1, None),
    Discarded(1, "E", from_draw=True),
    Draw(2, None),
    RiichiDeclared(2),
    Discarded(2, "9s", from_draw=False),
    RiichiAccepted(2),
    Draw(3, None),
    Discarded(3, "9s", from_draw=True),
    Draw(0, "5s"),
)


@pytest.mark.parametrize("further", [0, 1, 2])
def test_a_riichi_costs_more_for_each_further_indicator(further):
    """Its ura-dora: with two indicators a deal-in once cost 1,500 points more than was predicted."""
    state = positions.state_of("123m456p789p3344s", *RIICHI_OF_TWO)
    scene = scene_of(state).copy()
    for dora in ("2p", "F")[:further]:
        scene["dora"][0, KIND_OF[dora]] += 1
    plain, grown = (
        replace(shipped().dangers, growth_by_indicator=growth).read(scene, 0).loss for growth in (1.0, 1.2)
    )
    assert grown[2] == pytest.approx(1.2**further * plain[2])
    assert plain[2].max() > 0
    assert (grown[[1, 3]] == plain[[1, 3]]).all()
    learned = shipped().afterstate.growth_by_indicator
    assert shipped().dangers.growth_by_indicator == learned > 1.05


def test_an_opponents_tenpai_at_a_draw_is_tenpai_now_with_the_last_discard():
    """It once was far from it: .62 of those with two melds are tenpai then, .37 were thought to be."""
    facts = np.zeros((3, len(OPPONENT_FACTS)))
    facts[:, AT_FACTS.tenpai] = (0.05, 0.6, 1.0)
    nobody, somebody = shipped().afterstate.opponents_tenpai_at_draw(facts, np.array([0.0, 1.0]))
    assert nobody == pytest.approx([0.05, 0.6, 1.0])
    assert somebody == pytest.approx(nobody)
    facts[:, AT_FACTS.tiles_left] = 50
    nobody, somebody = shipped().afterstate.opponents_tenpai_at_draw(facts, np.array([0.0, 1.0]))
    assert nobody[0] > 0.2
    assert nobody[1] - nobody[0] < 0.3
    assert (somebody[:2] < nobody[:2]).all()  # many fold
    assert somebody[2] == nobody[2] == 1.0


FOUR_WINDS = (
    *(event for seat in (1, 2, 3) for event in (Draw(seat, None), Discarded(seat, "N", from_draw=False))),
    Draw(0, "9m"),
)


def test_the_fourth_wind_ends_the_round_unless_it_is_won_on():
    """It was once valued as if the round went on."""
    state = RoundState(0)
    hands = (tuple(parse_tiles("123m456p789p33s1z4z")), *(positions.HIDDEN,) * 3)
    state.apply(RoundStart("E", 2, 0, 0, 1, "1m", hands, (25_000,) * 4))
    for event in FOUR_WINDS:
        state.apply(event)
    valued = expected_values(state, legal_actions(state), 0, Settings(policy="points"), shipped()).valued
    aborted = [option for option in valued if option.report.draw_prob == 1.0]
    assert [option.report.action for option in aborted] == [Discard("N")]
    (option,) = aborted
    report = option.report
    assert (report.win_prob, report.others_win_prob, report.draw_points) == (0.0, 0.0, 0.0)
    assert option.endings[1].probabilities[-1] == pytest.approx(1.0 - report.deal_in_prob)
    assert report.expected_points == pytest.approx(-report.deal_in_prob * report.deal_in_points)
    for other in valued:
        assert sum(part.probabilities.sum() for part in other.endings) == pytest.approx(1.0)


def valued_in(state, **settings):
    return expected_values(state, legal_actions(state), 0, Settings(**settings), shipped()).valued


@pytest.mark.parametrize("points", [900, 1000])
def test_a_seat_that_cannot_pay_for_riichi_loses_no_stick(points):
    state = positions.state_of("123m456p789p3344s", *RIICHI_OF_TWO)
    state.scores[0] = points
    sticks = [option.stick for option in valued_in(state)]
    assert (max(sticks) > 0.0) == (points >= 1000)


def test_others_know_of_a_riichi_that_an_option_declares():
    """At an exhaustive draw fewer of them are tenpai then."""
    silent = (event for event in RIICHI_OF_TWO if not isinstance(event, RiichiDeclared | RiichiAccepted))
    state = positions.state_of("123m456p789p3344s", *silent)
    facts = opponent_facts(state, dangers(state))
    plans = set()
    for option in valued_in(state):
        draws = option.endings[1].probabilities[Endings.draw]
        found = [draws[np.arange(16) >> bit & 1 == 1].sum() / draws.sum() for bit in (1, 2, 3)]
        riichi = np.array([float(option.option.riichi)])
        assert found == pytest.approx(shipped().afterstate.opponents_tenpai_at_draw(facts, riichi)[0])
        plans.add(option.option.riichi)
    assert plans == {False, True}


def test_wins_of_a_riichi_are_spread_as_those_of_riichi_hands():
    """Dealing in now and later, by thirds of what wins of a mean really cost."""
    state = positions.state_of("123m456p789p3344s", *RIICHI_OF_TWO)
    table = shipped().dangers.opponents.sizes
    option = max(valued_in(state), key=lambda one: one.report.deal_in_prob)
    now, later = option.endings
    assert now.probabilities.reshape(3, 3)[1].sum() > 0.01
    for points in (now.points, later.points[Endings.deal_in] + 1000.0 * option.stick):
        for sizes, riichi in zip(-points.reshape(3, 3), (0, 1, 0), strict=True):
            if sizes.any():
                shape = sizes / sizes.mean()
                assert np.isclose(table[riichi], shape).all(axis=1).any()
                assert not np.isclose(table[1 - riichi], shape).all(axis=1).any()


def test_no_opponent_wins_less_than_the_smallest_hand():
    """Where every kind is safe, nothing says what a deal-in would cost."""
    nothing = Danger(np.zeros((4, 34)), np.zeros(4), np.zeros(4), np.zeros((4, 34)))
    state = positions.state_of("123m456p789p3344s", seat=1)
    assert opponent_facts(state, nothing)[:, AT_FACTS.size].tolist() == [1000.0, 1000.0, 1500.0]


def test_only_a_riichi_with_the_three_others_in_riichi_ends_the_round():
    events = [Draw(0, "9m"), Discarded(0, "9m", from_draw=True)]
    for seat in (1, 2, 3):
        events += [Draw(seat, None), RiichiDeclared(seat), Discarded(seat, "9s", from_draw=True)]
        events.append(RiichiAccepted(seat))
    state = positions.state_of("123m456p789p3344s", *events, Draw(0, "5s"))
    plans = set()
    for option in valued_in(state):
        riichi, later = option.option.riichi, option.endings[1].probabilities
        passes = 1.0 - option.report.deal_in_prob
        assert later[-1] == pytest.approx(passes if riichi else 0.0)
        plans.add(riichi)
    assert plans == {False, True}
