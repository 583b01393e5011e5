"""A few sample games, and the models learned from them: once for all tests, in whatever process they run."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.training import discard_policy
from tests.conftest import game

LEARNED_FROM = ("double-ron", "east-rules", "four-agents", "robbed-kan")
"""Two of them are held out by their names."""


@pytest.fixture(scope="session")
def games(tmp_path_factory) -> Path:
    """A folder of short games."""
    folder = tmp_path_factory.mktemp("games")
    for name in LEARNED_FROM:
        shutil.copy(game(name), folder)
    return folder


@pytest.fixture(scope="session")
def trained(games, tmp_path_factory) -> Path:
    """The folder of models that one process learns from the games, while others wait for it."""
    common = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        common = common.parent  # of all workers of this run
    out = common / "trained"
    with (common / "trained.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (out / "MODELS.md").exists():
            learn(games, out, workers=1)
    return out


def learn(games: Path, out: Path, *, workers: int) -> None:
    """Learn every model; the net of the discards in ten steps, for its many would take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discard_policy, "_MIN_STEPS", 1)
        assert main(["train", str(games), "--out", str(out), "--workers", str(workers)]) == 0
