"""Many games in one process over pipes, noise on the line: no traceback, no illegal answer, flat memory."""

import io
import json
import os
import random
import sys
import threading
import time
from pathlib import Path

import pytest

from manue.protocol.dialect import DIALECTS
from manue.transports.driver import Engagement, play
from tests.conftest import FULL, SHARED
from tests.protocol.minds import RandomMind
from tests.protocol.test_conversations import RubyJudge
from tests.transports.hosts import ruby_lines

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="needs the captured conversations in ../shared")
STATM = Path("/proc/self/statm")
GAMES = 1000 if FULL else 4
NAMES = ("tonnan-q20-client0", "tonnan-q20-client1", "tonnan-h8-client2", "tonpu-native-players-ext")


def noise(rng, line):
    """A line that is no news: broken, foreign, or the last one again."""
    choices = (
        line[: rng.randrange(1, len(line) - 1)],
        '{"type":"telepathy"}',
        '{"type":"tsumo"}',
        line,
        "[]",
    )
    return rng.choice(choices)


class NoisyHost(threading.Thread):
    """Speaks captured games into a pipe, noise between, and judges every answer."""

    def __init__(self, sink, source):
        super().__init__()
        self.sink, self.source = sink, source
        self.rng = random.Random(7)
        self.lines = self.noises = 0
        self.illegal, self.trouble, self.resident = [], [], []

    def run(self):
        try:
            with self.sink, self.source:
                for number in range(GAMES):
                    self.play(ruby_lines(NAMES[number % len(NAMES)]))
                    self.resident.append(resident_kib())
        except (OSError, ValueError) as error:
            self.trouble.append(repr(error))

    def play(self, messages):
        judge = RubyJudge()
        for message in messages:
            judge.see(message)
            line = json.dumps(message)
            reply = self.ask(line)
            self.lines += 1
            if not judge.accepts(message, reply):
                self.illegal.append((message, reply))
            if self.rng.random() < 0.02 and message["type"] not in ("start_game", "end_game"):
                self.ask(noise(self.rng, line))
                self.noises += 1

    def ask(self, line):
        self.sink.write(line.encode() + b"\n")
        self.sink.flush()
        return json.loads(self.source.readline())


def resident_kib():
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.mark.skipif(not STATM.exists(), reason="needs /proc to measure memory")
@pytest.mark.timeout(3600)
def test_many_games_with_noise(monkeypatch, capfd):
    to_us, from_host = os.pipe()
    to_host, from_us = os.pipe()
    host = NoisyHost(os.fdopen(from_host, "wb"), os.fdopen(to_host, "rb"))
    mind = RandomMind(5)
    mind.asked = NothingKept()
    started = time.monotonic()
    with os.fdopen(to_us, "rb") as stdin, os.fdopen(from_us, "wb") as stdout, monkeypatch.context() as patch:
        output = io.TextIOWrapper(stdout)
        patch.setattr(sys, "stdin", stdin)
        patch.setattr(sys, "stdout", output)
        host.start()
        code = play(Engagement(DIALECTS["review"]), mind)
        output.detach()
    host.join()
    seconds = time.monotonic() - started
    assert code == 0
    told = capfd.readouterr().err
    assert host.trouble == []
    assert host.illegal == []
    assert "Traceback" not in told
    assert host.noises > 10 * GAMES
    half = len(host.resident) // 2
    assert host.resident[-1] - host.resident[half] < 8 * 1024, "KiB in the second half of the games"
    with capfd.disabled():
        figures = f"{GAMES} games, {host.lines} lines, {host.noises} noises, {seconds:.0f} s"
        print(f" {figures}, RSS {host.resident[half] // 1024} -> {host.resident[-1] // 1024} MiB", end=" ")


class NothingKept(list):
    """A list that forgets: the mind of a long run must not be what grows."""

    def append(self, _):
        pass
