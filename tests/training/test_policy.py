"""The whole way from logs to the policy net, on the sample games."""

import pytest

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.errors import LogError
from manue.models.files import read_model
from manue.models.policy import load_policy
from manue.sim.net import WEIGHTS
from manue.training.policy import learn_policy
from tests.conftest import DATA, game


def test_learn_writes_the_net_and_its_section_once(tmp_path, capsys):
    (tmp_path / "MODELS.md").write_text(
        "# Models\n\n## danger\n\nText.\n\n## policy\n\nOld.\n\n## shapes\n\nMore.\n"
    )
    for _ in range(2):
        assert main(["learn", str(DATA / "games"), "--out", str(tmp_path), "--epochs", "1"]) == 0
    assert load_policy(tmp_path).shape == (WEIGHTS,)
    page = (tmp_path / "MODELS.md").read_text()
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        "## danger",
        "## shapes",
        "## policy",
    ]
    assert "Old." not in page
    assert read_model(tmp_path / "policy.npz").digest in page
    assert "| riichi |" in page
    assert make_agent(f"policy:models={tmp_path}").name == "policy"
    assert "epoch 1 of 1" in capsys.readouterr().err


def test_games_of_which_none_is_held_out(tmp_path):
    with pytest.raises(LogError, match="too few"):
        learn_policy([game("four-kans")], tmp_path / "out", epochs=1, seed=0, say=lambda _text: None)
    assert not (tmp_path / "out").exists()
