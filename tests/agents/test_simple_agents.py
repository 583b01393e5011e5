"""The players `greedy` and `rules` do what their slow twins do, with the figures that these find."""

from collections import Counter

import pytest

from manue.agents.greedy import Greedy
from manue.agents.rules import RulePlayer
from manue.features.scene import scene_of
from manue.models.model_set import Models
from manue.records.decisions import recorded_decisions
from tests.conftest import FULL, GAMES, events_of
from tests.oracles.simple_agents import SlowRules, greedy_rows

EVERY = 5 if FULL else 23
"""One decision in so many."""


@pytest.fixture(scope="module")
def decisions():
    """Return (game, number) pairs' states lazily: states change as a game goes on."""

    def walk():
        number = 0
        for log in GAMES:
            for decision in recorded_decisions(events_of(log)):
                number += 1
                # riichi, nine terminals and calls are rarer than plain discards
                if number % EVERY == 0 or (number % 3 == 0 and _is_rare(decision.actions)):
                    yield decision.state, decision.actions

    return walk


def _is_rare(actions):
    return any(type(action).__name__ in {"Riichi", "NineTerminals"} for action in actions)


def rows_of(decision):
    return [
        (report.action, report.discard, report.shanten, report.ukeire_kinds, report.ukeire_count)
        for report in decision.reports
    ]


def test_greedy_is_its_slow_twin(decisions):
    seen = Counter()
    for state, actions in decisions():
        found = rows_of(Greedy().decide(state, actions))
        assert found == greedy_rows(state, actions)
        seen[type(found[0][0]).__name__] += 1
    assert {"Win", "Riichi", "Pass", "Discard"} <= set(seen)


def test_rules_is_its_slow_twin(decisions):
    player, dangers = RulePlayer(), Models.load().dangers
    seen = Counter()
    for state, actions in decisions():
        danger = dangers.read(scene_of(state), state.seat, held_only=True)
        expected, rule = SlowRules(state, danger).rows(actions)
        assert rows_of(player.decide(state, actions)) == expected, rule
        seen[rule] += 1
    assert {"a win", "call", "pass", "fold", "riichi", "efficiency", "no choice"} <= set(seen), seen
