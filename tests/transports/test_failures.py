"""When thinking fails: the position is kept, a review opens it and decides what the agent could not."""

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from signal import SIGINT, SIGTERM

import pytest

from manue.__main__ import main
from manue.protocol.dialect import TCP
from manue.records.archive import read_log
from manue.transports.driver import PlaySettings, _Series
from tests.protocol.minds import FailingMind, SlowMind
from tests.transports.hosts import TcpHost, ruby_lines


@pytest.mark.parametrize("mind", [FailingMind(), SlowMind(5.0)], ids=["failing", "slow"])
async def test_a_review_opens_the_position_of_a_failed_decision(mind, tmp_path, capfd):
    game = ruby_lines("fault-noendreply")[:14]
    seat = game[0]["id"]
    quick = replace(TCP, seconds=0.05)
    async with TcpHost([*game, {"type": "end_game"}]) as host:
        await _Series(PlaySettings(quick, url=host.url, log=tmp_path / "talk.jsonl"), mind).run()
    stderr = capfd.readouterr().err
    kept = sorted(tmp_path.glob("failure-*.mjson"))
    assert kept
    page, log = tmp_path / "page.html", tmp_path / "reviewed.mjson"
    for path in kept:
        assert f"the position is in {path} (open it with: manue review)" in stderr
        options = ["--seat", str(seat), "--agent", "rules", "-o", str(page), "--log", str(log)]
        assert main(["review", str(path), *options]) == 0
        assert f"seat {seat}" in capfd.readouterr().out
        *_, last = read_log(log)
        assert last.event == list(read_log(path))[-1].event
        assert "chosen" in last.message.logs[seat], (
            "the failed decision is the last event's, and was made now"
        )
        assert page.stat().st_size > 10_000


PATIENCE = 600.0
"""Seconds after which a process that does not end is killed."""
HANGING = """
import os, signal, sys, threading, time
from dataclasses import replace
from manue.errors import ManueError
from manue.protocol.dialect import REVIEW
from manue.transports import driver

class Hanging:
    name = "hanging"
    def decide(self, state, actions):
        os.write(2, b"thinking\\n")  # no lock of a file is held when the process ends
        if sys.argv[1] == "unseen":
            time.sleep(1)  # until the loop waits
            signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        time.sleep(6000)

driver.warm_up = lambda agent: 0
try:
    settings = driver.PlaySettings(replace(REVIEW, seconds=0.1 if sys.argv[1] == "late" else None))
    sys.exit(driver.play(settings, Hanging()))
except KeyboardInterrupt:
    sys.exit(130)
"""


@contextmanager
def hanging(how, lines, folder):
    """A player whose agent hangs, in a process that has been sent these lines."""
    with subprocess.Popen(
        [sys.executable, "-c", HANGING, how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"XDG_STATE_HOME": str(folder), "PYTHONPATH": ":".join(filter(None, sys.path))},
    ) as process:
        killer = threading.Timer(PATIENCE, process.kill)
        killer.start()
        process.stdin.write("".join(json.dumps(message) + "\n" for message in lines).encode())
        process.stdin.flush()
        yield process
        killer.cancel()


def to_the_first_draw():
    """Return a game, and how many of its lines come before the seat's first draw."""
    game = ruby_lines("fault-noendreply")
    return game, next(at for at, m in enumerate(game) if m["type"] == "tsumo" and m["actor"] == game[0]["id"])


@pytest.mark.parametrize(
    ("number", "code"), [(None, 0), (SIGTERM, 143), (SIGINT, 130)], ids=["the end", "SIGTERM", "Ctrl-C"]
)
def test_an_agent_that_hangs_does_not_keep_the_player(number, code, tmp_path):
    """Late answers are replaced, and neither the end of the game nor a signal waits for the agent."""
    game, turn = to_the_first_draw()
    lines = game if number is None else game[: turn + 1]
    with hanging("late" if number is None else "patient", lines, tmp_path) as process:
        answers = [process.stdout.readline() for _ in lines[: None if number is None else turn]]
        if number is None:
            process.stdin.close()
        else:
            told = iter(process.stderr.readline, b"")
            assert b"thinking\n" in told
            process.send_signal(number)
        assert process.wait() == code, process.stderr.read()
        assert b"Traceback" not in process.stderr.read()
    assert all(answers)
    assert bool(list(tmp_path.glob("manue/failures/*.mjson"))) == (number is None)


def test_a_signal_was_not_seen_while_the_loop_waited(tmp_path):
    """As one that comes just before the wait begins: its handler runs with the next event only."""
    game, turn = to_the_first_draw()
    with hanging("unseen", game[: turn + 1], tmp_path) as process:
        assert process.wait() == 143, process.stderr.read()
