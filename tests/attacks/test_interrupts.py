"""Ctrl-C while a match is played: the first waits for the games in progress, the second ends at once."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.interrupts import SIGNALS
from manue.table.specs import check_specs
from tests.waiting import wait_until

pytest.importorskip("riichienv")

BOT = Path(__file__).parent.parent / "table" / "bots" / "bot.py"
HAND = ["hand", "123m406p789s1122z"]


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """A process that has to compile says so on stderr, and takes its time."""
    assert main(HAND) == 0
    check_specs(["greedy", "tsumogiri"])


def living(pid):
    """Return whether a process runs: a dead one may wait to be collected."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def stored_games(folder):
    """Return the numbers of the finished games, as they ended: the first need not be number 0."""
    return [json.loads(line)["game"] for line in (folder / "results.jsonl").read_text().splitlines()]


@contextlib.contextmanager
def started_match(folder, *options):
    """Start a match of which all games but the first hang; whatever fails, nothing of it is left behind."""
    seats = f"cmd:{sys.executable} {BOT} line {{seat}} hang:{folder},tsumogiri,tsumogiri,tsumogiri"
    command = [sys.executable, "-m", "manue", "match", "--seats", seats, "--east", "--out", str(folder / "m")]
    command += ["--start-seconds", "1000", "--decision-seconds", "1000", "--workers", "2", *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, start_new_session=True) as match:
        try:
            yield match
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(match.pid, signal.SIGKILL)


def test_a_second_ctrl_c_hung_and_lost_finished_games(tmp_path):
    results = tmp_path / "m" / "results.jsonl"
    with started_match(tmp_path, "--games", "8") as match:
        wait_until(lambda: results.exists() and results.read_text().count("\n") == 1)
        wait_until(lambda: len(list(tmp_path.glob("hanging-*"))) == 2)
        os.killpg(match.pid, signal.SIGINT)
        assert any("Ctrl-C again" in line for line in match.stderr)
        for _ in range(3):  # the first ends it; the others come while it ends
            with contextlib.suppress(ProcessLookupError):
                os.killpg(match.pid, signal.SIGINT)
        _, errors = match.communicate(timeout=120)
    assert match.returncode == 130
    assert "Traceback" not in errors
    assert "kept 1 game in" in errors
    assert len(stored_games(tmp_path / "m")) == 1
    for mark in tmp_path.glob("hanging-*"):
        pid = int(mark.name.removeprefix("hanging-"))
        wait_until(lambda pid=pid: not living(pid))


def test_descendants_of_bots_were_left_behind(tmp_path):
    child = tmp_path / "child"
    bot = tmp_path / "bot"
    bot.write_text(
        f"sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >{child}\nexec {sys.executable} {BOT} line $1\n"
    )
    seats = f"cmd:bash {bot} {{seat}},tsumogiri,tsumogiri,tsumogiri"
    options = ["--games", "1", "--east", "--workers", "1", "--out", str(tmp_path / "m")]
    command = [sys.executable, "-m", "manue", "match", "--seats", seats, *options]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    pid = int(child.read_text())
    wait_until(lambda: not living(pid))


IN_PLAY = """
from manue.table.program import Program
from manue.table.program_spec import ProgramSpec
print(Program(ProgramSpec("cmd", "sleep 1000"), 0)._process.pid)
"""


def test_programs_of_a_table_in_play_outlived_the_server():
    """Its tables end with its process, whatever their programs are doing, and do not end these."""
    done = subprocess.run([sys.executable, "-c", IN_PLAY], check=True, capture_output=True, text=True)
    wait_until(lambda: not living(int(done.stdout)))


STARTING = """
import signal
import subprocess
import sys

from manue.interrupts import set_handler
from manue.table.program import Program
from manue.table.program_spec import ProgramSpec

class Interrupted(subprocess.Popen):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        print(self.pid, flush=True)
        signal.raise_signal(signal.{name})

set_handler(signal.default_int_handler)
subprocess.Popen = Interrupted
Program(ProgramSpec("cmd", "sleep 1000"), 0)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_program_that_was_being_started_at_a_signal_outlived_the_command(number):
    """Nobody knew of it yet."""
    command = [sys.executable, "-c", STARTING.format(name=number.name)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "KeyboardInterrupt" in done.stderr
    wait_until(lambda: not living(int(done.stdout)))


def test_programs_of_a_match_outlived_a_terminal_that_was_closed(tmp_path):
    with started_match(tmp_path, "--games", "8") as match:
        wait_until(lambda: len(list(tmp_path.glob("hanging-*"))) == 2)
        os.killpg(match.pid, signal.SIGHUP)
        assert any("Ctrl-C again" in line for line in match.stderr)
        os.killpg(match.pid, signal.SIGHUP)
        _, errors = match.communicate(timeout=120)
    assert match.returncode == 129
    assert errors.splitlines()[-1] == "manue: hung up"
    for mark in tmp_path.glob("hanging-*"):
        pid = int(mark.name.removeprefix("hanging-"))
        wait_until(lambda pid=pid: not living(pid))


MATCH = """
import signal
import sys
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from pathlib import Path

from manue.match.executors import local_executor
from manue.match.games import MatchSettings
from manue.match.match import Match
from manue.match.schedule import fixed_seats

def on_result(_line, _summary):
    pass

{interruption}

settings = MatchSettings(fixed_seats(["greedy"] * 4), length="east")
try:
    Match(settings, Path(sys.argv[1]), 8).run(partial(local_executor, 2), 4, on_result)
except KeyboardInterrupt:
    print("interrupted")
"""
TWICE = """
cancelled = Future.cancel

def cancel(future):
    if future.running():
        future._condition.acquire()
        signal.raise_signal(signal.SIGINT)
        future._condition.release()
    return cancelled(future)

def on_result(_line, _summary):
    Future.cancel = cancel
    raise KeyboardInterrupt

"""


def interrupted_match(interruption, folder):
    """Play a match until it is interrupted, which is all that it may say; return the games it stored."""
    command = [sys.executable, "-c", MATCH.format(interruption=interruption), folder]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr
    assert "Traceback" not in done.stderr
    return stored_games(folder)


def test_a_second_ctrl_c_as_games_were_dropped_left_a_lock_held(tmp_path):
    """The thread of the pool then waited for it, and the command for the thread."""
    assert interrupted_match(TWICE, tmp_path)


SUBMITTED = """
submitted = ProcessPoolExecutor.submit

def submit(*args):
    future = submitted(*args)
    while not future.running():
        pass
    signal.raise_signal(signal.SIGINT)
    return future

ProcessPoolExecutor.submit = submit
"""


def test_a_game_that_was_being_submitted_at_ctrl_c_was_played_to_its_end_and_lost(tmp_path):
    assert interrupted_match(SUBMITTED, tmp_path) == [0]


def test_nohup_keeps_a_command_where_the_terminal_is_closed():
    command = [sys.executable, "-c", ENDING, *HAND]
    with subprocess.Popen(
        ["nohup", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as ending:
        while ending.stdout.readline() != "done\n":
            pass
        ending.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            ending.wait(1)
        ending.kill()


ENDING = """
import sys, threading, time
from manue.__main__ import main
threading.Thread(target=time.sleep, args=(300,)).start()
code = main()
print("done", flush=True)
sys.exit(code)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_the_last_threads_ended_printed_a_traceback(number):
    with subprocess.Popen(
        [sys.executable, "-c", ENDING, *HAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as ending:
        while ending.stdout.readline() != "done\n":
            pass
        ending.send_signal(number)
        assert ending.wait(120) == -number
        assert ending.stderr.read() == ""
