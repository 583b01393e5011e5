"""The rule player: legal and fast; it reports which rule decided and deals in less because it folds."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from manue.agents.registry import make_agent
from manue.agents.rules import RulePlayer
from manue.game.actions import Call, Pass, Riichi
from manue.game.events import Discarded, Draw
from manue.game.legal import legal_actions
from manue.match.games import MatchSettings, play_fixture
from manue.match.schedule import fixed_seats
from manue.rules import TENHOU
from manue.table.referee import Referee, wall_seed
from manue.table.seats import AgentSeat
from manue.table.table import Table
from manue.table.tally import SeatTally
from tests.agents.test_manue import state_of
from tests.conftest import FULL
from tests.models.loaded import dangers

pytest.importorskip("riichienv")


class Watched:
    """An agent that remembers what it decided."""

    def __init__(self, agent):
        self.agent = agent
        self.name = agent.name
        self.decisions = []

    def decide(self, state, actions):
        decision = self.agent.decide(state, actions)
        self.decisions.append((actions, decision))
        return decision


@pytest.fixture(scope="module")
def watched():
    watched = Watched(RulePlayer())
    for wall in range(12 if FULL else 3):
        referee = Referee(wall_seed(21, wall))
        Table(referee, [AgentSeat(seat, watched, TENHOU) for seat in range(4)], strict=True).play()
    return watched


def test_every_decision_reports_which_rule_decided(watched):
    notes = Counter()
    for actions, decision in watched.decisions:
        assert decision.action in actions
        assert decision.reports[0].action == decision.action
        assert decision.reports[0].note
        notes[decision.reports[0].note.split(":")[0].rstrip("0123456789 ")] += 1
    assert {"folds", "most useful tiles and value", "a win is taken", "closer to a win, with a yaku"} <= set(
        notes
    )


def test_riichi_names_its_discard(watched):
    riichi = [decision for _, decision in watched.decisions if decision.action == Riichi()]
    assert riichi
    for decision in riichi:
        assert decision.reports[0].discard == decision.reports[1].action


def test_a_fold_takes_the_least_danger(watched):
    folds = [decision for _, decision in watched.decisions if decision.reports[0].note.startswith("folds")]
    assert folds
    for decision in folds:
        costs = [(report.deal_in_prob or 0) * (report.deal_in_points or 0) for report in decision.reports]
        assert costs[0] <= min(costs) + 1


def test_calls_come_with_a_pass(watched):
    rated = [one for actions, one in watched.decisions if Pass() in actions and len(one.reports) > 1]
    assert rated
    assert all(decision.reports[-1].action == Pass() for decision in rated)


def test_it_deals_in_less_than_the_greedy_player(watched):
    del watched
    settings = MatchSettings(fixed_seats(["rules", "greedy", "rules", "greedy"]), seed=8, logs=False)
    tallies = {"rules": SeatTally(), "greedy": SeatTally()}
    for game in range(40 if FULL else 8):
        line, _ = play_fixture(settings, settings.schedule.fixture(game))
        assert line["faults"] == []
        for name, seat in zip(line["agents"], line["seats"], strict=True):
            tallies[name].add(SeatTally(**seat))
    rates = {name: tally.deal_ins / tally.rounds for name, tally in tallies.items()}
    assert rates["rules"] < 0.6 * rates["greedy"]


@pytest.mark.parametrize("open_tanyao", [True, False])
def test_all_simples_open_a_hand_where_they_count(open_tanyao):
    """Regression: by rules without open tanyao a hand was opened that could never win."""
    state = state_of("23477m34588p4s67s", Draw(0, "E"), Discarded(0, "E", from_draw=True), Draw(1, None))
    state.rules = replace(TENHOU, open_tanyao=open_tanyao)
    state.apply(Discarded(1, "7m", from_draw=True))
    decision = RulePlayer().decide(state, legal_actions(state))
    assert isinstance(decision.action, Call) == open_tanyao


def test_it_is_built_by_name():
    assert make_agent("rules").name == "rules"


def test_rating_only_the_kinds_held_changes_no_number():
    rng = np.random.default_rng(5)
    seen = []

    class Looking(RulePlayer):
        def decide(self, state, actions):
            if rng.random() < 0.1:
                full, held = dangers(state), dangers(state, held_only=True)
                own = state.counts > 0
                np.testing.assert_allclose(held.prob[:, own], full.prob[:, own])
                np.testing.assert_allclose(held.loss[:, own], full.loss[:, own])
                np.testing.assert_allclose(held.can_win, full.can_win)
                seen.append(float(full.prob.max()))
            return super().decide(state, actions)

    player = Looking()
    Table(
        Referee(wall_seed(4, 1)), [AgentSeat(seat, player, TENHOU) for seat in range(4)], strict=True
    ).play()
    assert max(seen) > 0.05
