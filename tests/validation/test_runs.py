"""Runs of ``manue calibrate`` that are broken off: what is finished counts."""

from concurrent.futures import as_completed

import pytest

from manue.__main__ import main
from manue.validation import runs
from tests.conftest import game

LOGS = [str(game("double-riichi")), str(game("east-rules"))]


@pytest.fixture
def broken_off(monkeypatch):
    """Press Ctrl-C once the first game is finished."""

    def first_alone(futures):
        yield next(as_completed(futures))
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "as_completed", first_alone)


@pytest.mark.usefixtures("broken_off")
@pytest.mark.parametrize("options", [["--placement"], ["--agreement", "--agent", "greedy"]])
def test_ctrl_c_discarded_the_games_that_were_finished(tmp_path, capsys, options):
    command = ["calibrate", *LOGS, "--all", "--workers", "1", "--out", str(tmp_path), *options]
    assert main(command) == 130
    printed = capsys.readouterr().out
    assert printed.startswith("interrupted after 1 of 2 logs\n\n#")
    assert (tmp_path / f"{options[0].removeprefix('--')}.md").read_text() == printed


@pytest.mark.usefixtures("broken_off")
def test_data_of_some_of_the_games_are_not_written(tmp_path, capsys):
    target = tmp_path / "hands.json"
    assert main(["calibrate", *LOGS, "--all", "--workers", "1", "--hands", str(target)]) == 130
    printed = capsys.readouterr()
    assert printed.out.startswith("interrupted after 1 of 2 logs\n")
    assert f"{target}: not written, as games are missing" in printed.err
    assert not target.exists()


def test_without_a_finished_game_there_are_no_tables(monkeypatch, capsys):
    def none(_futures):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(runs, "as_completed", none)
    assert main(["calibrate", *LOGS, "--all", "--workers", "1", "--placement"]) == 130
    assert capsys.readouterr().out == ""


def test_an_option_that_corrections_do_not_depend_on_was_taken(capsys):
    assert main(["calibrate", *LOGS, "--all", "--ablation", "--policy", "points"]) == 2
    assert "--ablation does not depend on --policy" in capsys.readouterr().err
