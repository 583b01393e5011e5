"""Many hanchan in one process over pipes with a host full of faults, and inputs that end anywhere.

With MANUE_FULL=1: 1000 hanchan of ``rules`` and 20 of ``manue``; the figures are printed (``pytest -s``).
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FULL
from tests.transports.faults import STALL, Bot, FaultyHost, captured_games

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc to measure memory")
LIMIT = 2.0 if FULL else 60.0
"""Seconds in which the host wants an answer; the player gets half a second less."""
PLAY = [sys.executable, "-m", "manue", "play", "--dialect", "review", "--limit", str(LIMIT - 0.5)]


def part(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def figures(host):
    every = host.times + host.stalled
    times = f"p50 {part(every, 0.5):.5f} p99 {part(every, 0.99):.5f} max {max(every):.3f}"
    late = host.stalled
    stalled = f"stalled {len(late)}: p99 {part(late, 0.99):.3f} max {part(late, 1):.3f}"
    tenths = host.resident[:: max(1, len(host.resident) // 10)] + host.resident[-1:]
    memory = " ".join(str(kib // 1024) for kib in tenths)
    faults = " ".join(f"{name} {count}" for name, count in host.done.items())
    games = (
        f"{len(host.resident)} games, {len(every)} lines, {len(host.illegal)} illegal, {host.excused} excused"
    )
    return f"{games}; {faults}; seconds {times}, {stalled}; MiB {memory}"


@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    ("agent", "games", "stalls"),
    [("rules", 1000 if FULL else 3, 0.1 if FULL else 1), ("manue", 20 if FULL else 1, 5 if FULL else 2)],
    ids=["rules", "manue"],
)
def test_many_games_with_faults(tmp_path, agent, games, stalls):
    bot = Bot([*PLAY, "--agent", agent], tmp_path / "errors")
    host = FaultyHost(bot, 7, stalls)
    try:
        bot.wait_until_ready()
        for number in range(1, games + 1):
            messages, judge = host.rng.choice(captured_games())
            host.play(messages, judge())
            if number % max(1, games // 10) == 0:
                print(figures(host), flush=True)
        code, extra, stderr = bot.finish()
    finally:
        bot.kill()
    assert host.illegal == []
    assert (code, extra) == (0, b"")
    assert [line for line in stderr.splitlines() if not line.startswith("manue: ")] == []
    assert "no decision within" not in stderr
    assert games == 1 or all(host.done.values()), host.done
    assert part(host.times + host.stalled, 0.99) < LIMIT - STALL
    assert max(host.times + host.stalled) < LIMIT
    warm = len(host.resident) // 10
    assert host.resident[-1] - host.resident[warm] < 8 * 1024, "KiB after the first tenth of the games"


COMMANDS = {
    "review": PLAY,
    "lines": [sys.executable, "-m", "manue.bot", "0"],
}
MOST = 24 if FULL else 3


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("dialect", COMMANDS)
def test_the_input_ends_anywhere_and_a_fresh_process_goes_on(dialect):
    """A game over several processes: each ends where its input does, the next starts a later round."""
    rng = random.Random(3)
    plans = (plan for _ in range(MOST) for plan in processes(rng))
    for _, (messages, judge, torn, over) in zip(range(MOST), plans, strict=False):
        lines = [json.dumps(message).encode() for message in messages]
        if torn:
            lines[-1] = lines[-1][: rng.randrange(1, len(lines[-1]) - 1)]
        ended = subprocess.run(
            [*COMMANDS[dialect], "--agent", "rules"],
            input=b"\n".join(lines) + (b"" if torn else b"\n"),
            capture_output=True,
            check=False,
        )
        stderr = ended.stderr.decode()
        assert ended.returncode == (0 if over else 3), stderr
        assert ("manue: the host went away before the game was over" in stderr) == (not over)
        assert (f"manue: line {len(lines)}: not JSON" in stderr) == torn
        assert [line for line in stderr.splitlines() if not line.startswith("manue: ")] == []
        replies = [json.loads(reply) for reply in ended.stdout.splitlines()]
        if dialect == "review":
            assert len(replies) == len(lines)
            for message, reply in list(zip(messages, replies, strict=True))[: -1 if torn else None]:
                judge.see(message)
                assert judge.accepts(message, reply), (message, reply)


def processes(rng):
    """Cut a game of seat 0 into what each process gets: messages, their judge, if torn, if over."""
    games = [game for game in captured_games() if game[0][0]["id"] == 0]
    messages, make_judge = rng.choice(games)
    starts = [at for at, message in enumerate(messages) if message["type"] == "start_kyoku"]
    begin = 1
    while True:
        end = begin + rng.randrange(1, len(messages) // 2)
        over = end >= len(messages)
        yield [messages[0], *messages[begin:end]], make_judge(), not over and rng.random() < 0.4, over
        begin = next((start for start in starts if start >= end), None)
        if begin is None:
            return
