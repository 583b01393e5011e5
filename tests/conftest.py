"""Where the data of the tests is, and fixtures shared by all of them."""

import gzip
import os
import signal
import threading
from pathlib import Path

import pytest
from hypothesis import settings

from manue import progress
from manue.match import progress as match_progress
from manue.records.archive import read_log
from manue.table import specs

# a shell lets its background jobs, and the programs that they start, ignore Ctrl-C
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as under nohup; programs do not inherit a handler
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)
# what commands say on stderr only because the machine is slow, they do not say in a process of tests
specs.PATIENCE_SECONDS = progress.EVERY_SECONDS = match_progress.EVERY_SECONDS = threading.TIMEOUT_MAX
settings.register_profile("manue", deadline=None)  # a first call compiles kernels
settings.load_profile("manue")

DATA = Path(__file__).parent / "data"
CAPTURES = DATA / "captures"
GAMES = sorted((DATA / "games").glob("*.mjson.gz"))
"""Whole games of our own agents, which hold between them whatever seldom happens."""
FULL = bool(os.environ.get("MANUE_FULL"))
"""Set MANUE_FULL=1 to run the large sweeps."""


def game(name: str) -> Path:
    """Return the sample game of a name."""
    return DATA / "games" / f"{name}.mjson.gz"


def events_of(log: Path) -> list:
    """Return the events of a log."""
    return [entry.event for entry in read_log(log) if entry.event is not None]


def one_file(path: Path, *logs: Path) -> Path:
    """Write the games of several logs into one file, a plain one, and return its path."""
    path.write_bytes(b"".join(gzip.decompress(log.read_bytes()) for log in logs))
    return path


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of records of strong players that MANUE_DATA names; without it the sweeps over them skip."""
    folder = os.environ.get("MANUE_DATA")
    if not folder:
        pytest.skip("a sweep over records: MANUE_DATA names no folder (docs/data.md)")
    return Path(folder) / "houou"


@pytest.fixture(scope="session", params=["games", "records"])
def rare_logs(request) -> list[Path]:
    """The sample games; and as a sweep the records picked for rare events: one in 9, all with MANUE_FULL."""
    if request.param == "games":
        return GAMES
    logs = sorted((request.getfixturevalue("records") / "hanchan_selected").iterdir())
    return logs if FULL else logs[::9]
