"""The players `greedy` and `rules` do what their slow twins do, with the figures that these find."""

from collections import Counter

import pytest

from manue.agents.greedy import Greedy
from manue.agents.policy import PolicyPlayer
from manue.agents.rules import RulePlayer
from manue.agents.tsumogiri import Tsumogiri
from manue.features.scene import scene_of
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import Called, Discarded, Draw
from manue.game.legal import legal_actions
from manue.models.model_set import Models
from manue.records.decisions import recorded_decisions
from tests.agents.test_manue import state_of
from tests.conftest import FULL, GAMES, events_of
from tests.oracles.simple_agents import SlowRules, greedy_rows, kind_of

EVERY = 5 if FULL else 23
"""One decision in this many; of those with a choice that is seldom offered one in three."""
NOTES = {
    "a win": "a win is taken",
    "call": "closer to a win, with a yaku",
    "efficiency": "most useful tiles and value",
    "fold": "folds: the least danger",
    "hopeless": "a hopeless hand",
    "no choice": "no choice",
    "pass": "nothing to gain by a call",
}


def decisions():
    """Yield the state and the legal actions of decisions in the sample games; states change later."""
    number = 0
    for log in GAMES:
        for decision in recorded_decisions(events_of(log)):
            number += 1
            if number % (3 if _is_rare(decision.actions) else EVERY) == 0:
                yield decision.state, decision.actions


def _is_rare(actions):
    calls = [action for action in actions if isinstance(action, Call)]
    return len(calls) > 1 or any(isinstance(action, Riichi | NineTerminals) for action in actions)


def rows_of(decision):
    return [
        (report.action, report.discard, report.shanten, report.ukeire_kinds, report.ukeire_count)
        for report in decision.reports
    ]


def test_greedy_is_its_slow_twin():
    notes = {Win: "a win is taken", Riichi: "riichi whenever possible", Pass: "never calls", Discard: ""}
    seen = Counter()
    for state, actions in decisions():
        decision = Greedy().decide(state, actions)
        assert rows_of(decision) == greedy_rows(state, actions)
        assert decision.action == decision.reports[0].action
        assert decision.reports[0].note == notes[type(decision.action)]
        seen[type(decision.action)] += 1
    assert set(seen) == set(notes)


def test_rules_is_its_slow_twin():
    player, dangers = RulePlayer(), Models.load().dangers
    seen = Counter()
    for state, actions in decisions():
        danger = dangers.read(scene_of(state), state.seat, held_only=True)
        expected, rule = SlowRules(state, danger).rows(actions)
        decision = player.decide(state, actions)
        assert rows_of(decision) == expected, rule
        assert decision.action == decision.reports[0].action
        first, *others = (report.note for report in decision.reports)
        if rule == "riichi":
            assert first == "tenpai: riichi"
        elif rule == "call":
            assert others[-1] == ""
        else:
            assert (first, set(others)) == (NOTES[rule], {""} if others else set())
        if rule == "fold":
            others = [float(prob) for prob in danger.tenpai]
            others[state.seat] = None
            assert decision.tenpai_probs == tuple(others)
            for report in decision.reports:
                _check_danger(report, danger)
        seen[rule] += 1
    assert set(seen) >= set(NOTES) - {"hopeless"}, seen


def _check_danger(report, danger):
    """The chance of dealing in and the points lost then are those of the danger model."""
    kind = kind_of(report.action.tile)
    assert report.deal_in_prob == danger.deal_in(kind)
    if report.deal_in_prob:
        assert report.deal_in_prob * report.deal_in_points == pytest.approx(danger.cost(kind))
    else:
        assert report.deal_in_points is None


@pytest.mark.parametrize(
    ("hand", "drawn", "hopeless"),
    [("147m258p19s12345z", "F", True), ("147m159p19s12345z", "F", False), ("119m1559p129s123z", "P", False)],
)
def test_nine_terminals_are_declared_with_a_hopeless_hand(hand, drawn, hopeless):
    """Four from tenpai is hopeless; three or two from the thirteen orphans are not."""
    state = state_of(hand, Draw(0, drawn))
    actions = legal_actions(state)
    assert NineTerminals() in actions
    danger = Models.load().dangers.read(scene_of(state), state.seat, held_only=True)
    expected, rule = SlowRules(state, danger).rows(actions)
    decision = RulePlayer().decide(state, actions)
    assert rows_of(decision) == expected
    assert rule == ("hopeless" if hopeless else "efficiency")
    assert decision.action == decision.reports[0].action
    assert decision.reports[0].note == NOTES[rule]


def test_a_closed_kan_leaves_the_hand_closed():
    """Regression: with a closed kan alone, terminals were discarded as if only all simples could win."""
    state = state_of("4444p234m678s199m", Draw(0, "E"))
    kan = next(action for action in legal_actions(state) if isinstance(action, Call))
    for event in (Called(0, kan), Draw(0, "5s")):
        state.apply(event)
    actions = legal_actions(state)
    danger = Models.load().dangers.read(scene_of(state), state.seat, held_only=True)
    assert rows_of(RulePlayer().decide(state, actions)) == SlowRules(state, danger).rows(actions)[0]


def test_the_policy_net_chooses_among_what_the_host_allows():
    """Regression: a riichi that the rules allow and the host does not ended in a KeyError."""
    player, kinds = PolicyPlayer(), set()
    for log in GAMES:
        for made in recorded_decisions(events_of(log)):
            chosen = player.decide(made.state, made.actions).action
            allowed = tuple(action for action in made.actions if action != chosen)
            if allowed:
                assert player.decide(made.state, allowed).action in allowed
                kinds.add(type(chosen))
    assert kinds == {Discard, Riichi, Win, Call, Pass}


def test_the_simplest_player_discards_what_it_drew_and_never_calls():
    state = state_of("123m456p789s1122z", Draw(0, "9p"))
    decision = Tsumogiri().decide(state, legal_actions(state))
    assert decision.action == decision.reports[0].action == Discard("9p", from_draw=True)
    for event in (Discarded(0, "9p", from_draw=True), Draw(1, None), Discarded(1, "E", from_draw=False)):
        state.apply(event)
    actions = legal_actions(state)
    assert any(isinstance(action, Call) for action in actions)
    passing = Tsumogiri().decide(state, actions)
    assert passing.action == passing.reports[0].action == Pass()
    assert passing.reports[0].note == "what was drawn"
    after_call = tuple(Discard(tile, from_draw=False) for tile in ("1m", "S"))
    assert Tsumogiri().decide(state, after_call).action == after_call[-1]
