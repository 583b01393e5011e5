"""Models learned only from games between agents: they load, and a player plays with them."""

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.game.actions import Discard
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.models.files import read_model
from manue.models.model_set import Models
from manue.records.archive import read_log
from manue.training.registry import TRAINERS
from tests.conftest import game


def test_all_logs_of_a_match_are_used(tmp_path, monkeypatch, capsys):
    """Annotated logs included; `test_train.py` checks what is learned from games."""
    played = tmp_path / "match"
    seats = ["--seats", "rules,greedy", "--format", "two-two", "--east", "--games", "8", "--seed", "3"]
    assert main(["match", *seats, "--workers", "1", "--out", str(played)]) == 0
    monkeypatch.setattr("manue.commands.train.TRAINERS", TRAINERS[:1])
    logs, out = played / "games", tmp_path / "models"
    assert main(["train", str(logs), "--out", str(out), "--workers", "1"]) == 0
    assert "8 games, 0 skipped" in capsys.readouterr().out


def test_a_player_decides_with_models_of_our_own_games(trained):
    decided = _decisions(game("two-manue"), 40, trained)
    trees = Models.load(trained).dangers.kinds.riichi.value
    assert trees.tobytes() == read_model(trained / "danger.npz").arrays["riichi.value"].tobytes()
    assert len(decided) == 40
    for report in decided:
        assert 0 <= report.deal_in_prob <= 1
        assert 0 < report.win_prob + report.draw_prob <= 1 + 1e-9


def _decisions(log, number, models):
    """Decide for seat 0 whenever it has to discard, and return the reports of the choices."""
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
