"""`scripts/original-mjai` ends, with all it has started, whatever becomes of the original's programs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT
from tests.test_warming import is_running
from tests.waiting import wait_until


def run(*arguments, **options):
    command = [sys.executable, ROOT / "scripts" / "original-mjai", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300, **options
    )


@pytest.fixture
def original(tmp_path):
    """A checkout whose one player fails, and whose other waits for ever."""
    programs = {
        "mjai": "exit 7",
        "mjai-shanten": "exit 3",
        "mjai-tsumogiri": f"echo $$ > {tmp_path}/waiting; exec sleep 600",
    }
    (tmp_path / "bin").mkdir()
    for name, text in programs.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["host", "--against", "foo"], "--against: three of shanten, caller, tsumogiri, not 'foo'"),
        (["host", "--games", "0"], "--games: 1 or more, not 0"),
        (["host", "--mjai", "nodir"], "--mjai: there is no program nodir/bin/mjai"),
    ],
    ids=["against", "games", "mjai"],
)
def test_what_cannot_be_played_was_a_traceback(arguments, said, original, tmp_path):
    ran = run("--mjai", original, "--out", tmp_path / "logs", *arguments)
    assert ran.returncode == 2
    assert ran.stderr.endswith(f"error: {said}\n")
    assert not (tmp_path / "logs").exists()


def test_a_client_that_failed_was_waited_for_and_the_others_left_behind(original, tmp_path):
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    options = ["--against", "tsumogiri,shanten,tsumogiri", "--east", "--cache", cache]
    ran = run("clients", "--mjai", original, "--out", tmp_path / "logs", *options)
    assert ran.returncode == 1, ran.stderr
    (game,) = map(json.loads, (tmp_path / "logs" / "results.jsonl").read_text().splitlines())
    assert game["error"].startswith("exit codes of the server and the clients")
    wait_until(lambda: not is_running(int((original / "waiting").read_text())))


def test_a_server_that_fails_is_an_error_of_its_game(original, tmp_path):
    """Regression: the exit code, as of a Ruby that is not there, was not said."""
    ran = run("host", "--mjai", original, "--out", tmp_path / "logs")
    assert ran.returncode == 1
    assert "the game did not end; the server ended with code 7, see 0.stderr" in ran.stdout
