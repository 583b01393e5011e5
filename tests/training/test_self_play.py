"""Models learned from games of our own alone: they load, and a player plays with them."""

import pytest

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.game.actions import Discard
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.models.files import read_model
from manue.models.model_set import Models
from manue.records.archive import find_logs, read_log


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    out = tmp_path_factory.mktemp("match")
    seats = ("--seats", "rules,greedy", "--format", "two-two")
    assert main(["match", *seats, "--games", "8", "--seed", "3", "--workers", "1", "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def models(played, tmp_path_factory):
    out = tmp_path_factory.mktemp("models")
    assert main(["train", str(played / "games"), "--out", str(out), "--workers", "1"]) == 0
    return out


def test_logs_of_a_match_are_all_used(models):
    page = (models / "MODELS.md").read_text()
    assert "8 games (0 logs skipped)" in page


def test_a_player_decides_by_them(played, models):
    decided = _decisions(find_logs([played / "games"])[0], 40, models)
    trees = Models.load(models).dangers.kinds.riichi.value
    assert trees.tobytes() == read_model(models / "danger.npz").arrays["riichi.value"].tobytes()
    assert len(decided) == 40
    for report in decided:
        assert 0 <= report.deal_in_prob <= 1
        assert 0 < report.win_prob + report.draw_prob <= 1 + 1e-9


def _decisions(log, number, models):
    """Decide for seat 0 where it has to discard, and return the reports of the choices."""
    agent, state, reports = make_agent(f"manue:mc_draws=64,models={models}"), RoundState(0), []
    for entry in read_log(log):
        if entry.event is None:
            continue
        state.apply(entry.event)
        actions = legal_actions(state)
        if len(reports) < number and any(isinstance(action, Discard) for action in actions):
            decision = agent.decide(state, actions)
            assert decision.action in actions
            if not decision.reports[0].note:
                reports.append(decision.reports[0])
    return reports
