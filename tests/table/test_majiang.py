"""The bridge to majiang-ai plays without a fault; with MANUE_FULL=1 it plays 100 hanchan."""

import json
import shutil
from pathlib import Path

import pytest

from manue.__main__ import main
from tests.conftest import FULL

pytest.importorskip("riichienv")

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "scripts" / "bots" / "majiang"
COMMAND = f"node {FOLDER / 'majiang.js'}"


@pytest.fixture(scope="module", autouse=True)
def _installed():
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("needs Node and npm")
    if not (FOLDER / "node_modules").exists():
        pytest.skip("needs majiang-ai: npm ci --prefix scripts/bots/majiang")


def test_it_answers_every_kind_of_line(capsys):
    assert main(["bot", "check", f"cmd:{COMMAND}"]) == 0
    assert "all is right" in capsys.readouterr().out


@pytest.mark.timeout(7200)
def test_it_plays_without_a_fault(tmp_path, capsys):
    games, length = ("100", "--hanchan") if FULL else ("1", "--east")
    seats = f"majiang=cmd-keep:{COMMAND},greedy"
    command = ["match", "--seats", seats, "--format", "one-three", "--games", games, length, "--seed", "62"]
    assert main([*command, "--workers", "1", "--no-logs", "--out", str(tmp_path / "out")]) == 0
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["faulty_games"] == 0
    if FULL:
        print(capsys.readouterr().out)
        assert summary["agents"]["majiang"]["mean_placement"] < 2.5
