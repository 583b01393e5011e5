"""A player can be stopped whatever its host does, and loses no answer to a terminal that does not read."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from manue.agents.tsumogiri import Tsumogiri
from manue.protocol.dialect import DIALECTS
from manue.transports import driver

PLAY = [sys.executable, "-m", "manue", "play", "--id", "0", "--agent", "tsumogiri", "--dialect", "review"]
GAME = b'{"type":"start_game","id":0}\n'
NOTHING = b'{"type":"none"}\n'


def test_a_signal_in_the_first_instants_met_the_wakeup_descriptor(monkeypatch):
    async def run(_self):
        assert signal.set_wakeup_fd(-1) == -1
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr(driver._Series, "run", run)
    settings = driver.PlaySettings(DIALECTS["review"], seat=0)
    assert driver.play(settings, Tsumogiri()) == 143


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_play_could_not_be_stopped_while_nobody_read_its_output(number, code):
    with subprocess.Popen(
        PLAY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as player:
        player.stdin.write(GAME)
        player.stdin.flush()
        assert player.stdout.readline() == NOTHING.replace(b" ", b"")
        os.set_blocking(player.stdin.fileno(), False)
        written = 1
        while written:  # until it reads no more, as its own output is full
            try:
                written = os.write(player.stdin.fileno(), NOTHING * 4096)
            except BlockingIOError:
                written = not settled(player)
        player.send_signal(number)
        assert player.wait(120) == code
        player.stdin.close()


def settled(player, seen=[]):  # noqa: B006 - remembers the last size
    """Return whether the host's pipe has been full for a while."""
    seen.append(open_bytes(player.stdout.fileno()))
    return len(seen) > 3 and seen[-1] == seen[-2] >= 60_000


def open_bytes(descriptor):
    import array
    import fcntl
    import termios
    import time

    time.sleep(0.1)
    size = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, size)
    return size[0]


@pytest.mark.parametrize("stderr", ["2>/dev/full", "2>&-", "2> >(exec sleep 30 >/dev/null 2>&1)"])
def test_a_stderr_that_takes_nothing_ended_the_game(stderr):
    command = f"exec {' '.join(PLAY)} {stderr}"
    lines = GAME + b'{"type":"what?"}\n' * 3_000 + NOTHING
    done = subprocess.run(["bash", "-c", command], input=lines, capture_output=True, check=False, timeout=120)
    assert done.stdout.count(b"\n") == 3_002
    assert set(done.stdout.splitlines()) == {b'{"type":"none"}'}
