"""What options are valued on: a call is worth what its discard is worth once the call has been made."""

from collections import Counter

import numpy as np
import pytest

from manue.decision.basis import unless_won
from manue.decision.evaluation import expected_values
from manue.decision.settings import Settings
from manue.game.actions import Call, Discard, Pass
from manue.game.events import Called, Draw
from manue.game.legal import legal_actions
from manue.records.decisions import recorded_decisions
from manue.records.games import games_of
from manue.tiles import KINDS
from tests.models.loaded import shipped

SETTINGS = Settings(mc_draws=100)


def values_of(state, actions):
    """Return by call and discard what an option is worth, and its chances."""
    found = expected_values(state, actions, 7, SETTINGS, shipped())
    return {
        (one.option.branch.action, one.option.discard, one.option.riichi): (
            one.value,
            one.report.expected_points,
            one.report.win_points,
            one.report.deal_in_prob,
            one.report.deal_in_later_prob,
            one.report.played_prob,
        )
        for one in found.valued
        if one.option is not None
    }


def answers(logs):
    """Yield every decision in which a discard may be called."""
    for log in logs:
        for made in recorded_decisions(games_of(log)[0].events):
            if any(isinstance(action, Call) and not action.is_kan for action in made.actions):
                yield made


def test_a_call_is_worth_what_follows_it_once_it_has_been_made(rare_logs):
    seen = Counter()
    for number, made in enumerate(answers(rare_logs)):
        now = unless_won(made.state)
        pending = now is not made.state
        ippatsu = any(player.ippatsu for player in now.players)
        if not (ippatsu or number % 10 == 0):
            continue
        before = values_of(made.state, made.actions)
        for call in made.actions:
            if not isinstance(call, Call) or call.is_kan:
                continue
            after = now.copied()
            after.apply(Called(now.seat, call))
            discards = tuple(action for action in legal_actions(after) if isinstance(action, Discard))
            for (_, discard, riichi), value in values_of(after, discards).items():
                assert before[call, discard, riichi] == pytest.approx(value, rel=1e-6, abs=1e-6)
                seen[ippatsu, pending] += 1
    assert seen[False, False] > 100
    assert seen[True, True] > 0
    assert seen[True, False] > 0


def test_the_stick_of_a_riichi_that_may_be_passed_is_on_the_table(rare_logs):
    seen = 0
    for made in answers(rare_logs):
        state = unless_won(made.state)
        if state is made.state:
            continue
        source = made.state.offer.source
        assert state.deposits == made.state.deposits + 1
        assert state.scores[source] == made.state.scores[source] - 1000
        assert not made.state.players[source].riichi_accepted
        passing = next(action for action in made.actions if isinstance(action, Pass))
        assert values_of(made.state, (passing,)) == values_of(state, (passing,))
        seen += 1
    assert seen > 0


def test_a_copy_of_a_state_goes_on_by_itself(rare_logs):
    seen = 0
    for made in answers(rare_logs[:3]):
        state = made.state
        before = (str(vars(state)), str(state.players), state.hand, state.visible.tolist())
        copied = state.copied()
        assert (copied.hand, copied.visible.tolist()) == (state.hand, state.visible.tolist())
        for call in made.actions:
            if isinstance(call, Call):
                unless_won(copied.copied()).apply(Called(state.seat, call))
        unseen = KINDS[int(np.argmin(state.visible))]
        copied.apply(Draw(state.turn, unseen if state.turn == state.seat else None))
        assert before == (str(vars(state)), str(state.players), state.hand, state.visible.tolist())
        seen += 1
    assert seen > 20
