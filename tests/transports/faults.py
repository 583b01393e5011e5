"""A host on pipes that speaks captured games badly: late, in pieces, twice, foreign, cut, or to the deaf."""

import json
import os
import random
import select
import signal
import subprocess
import threading
import time
from functools import cache
from pathlib import Path

from tests.captures import lines_of, names
from tests.protocol.test_conversations import RubyJudge, same
from tests.transports.hosts import ruby_lines

PATIENCE = 600.0
"""Seconds after which a bot that says nothing is called dead."""
START = 1200.0
"""Seconds to wait for a process that compiles everything."""
STALL = 1.0
"""Seconds without a processor."""
UNKNOWN = (
    b'{"type":"telepathy"}',
    b'{"type":"tsumo"}',
    b'{"type":"dahai","actor":7,"pai":"1m","tsumogiri":true}',
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"type":"flower","actor":0,"pai":"N"}',
)
PER_LINE = {"delay": 0.002, "pieces": 0.002, "twice": 0.005, "unknown": 0.005, "copy": 0.005, "lost": 0.001}
"""How often each fault befalls a line."""


class EnvJudge:
    """What a captured game of riichienv allowed, message by message."""

    def __init__(self, legal):
        self.legal = legal

    def see(self, message):
        pass

    def accepts(self, message, reply):
        legal = self.legal.get(id(message))
        return reply["type"] == "none" if legal is None else any(same(reply, entry) for entry in legal)


@cache
def captured_games():
    """Whole hanchan as (messages, maker of their judge)."""
    ruby = [name.removeprefix("ruby-server-") for name in names("ruby-server-tonnan-")]
    games = [(ruby_lines(name), RubyJudge) for name in ruby]
    seats = {}
    for item in lines_of("riichienv-mixed"):
        seats.setdefault((item["game"], item["seat"]), []).append(item)
    return games + [env_game(items) for items in seats.values()]


def env_game(items):
    messages, legal = [], {}
    for item in items:
        if "legal" in item:
            legal[id(messages[-1])] = item["legal"]
        elif item["event"]["type"] == "start_game":
            messages.append(item["event"] | {"id": item["seat"]})
        else:
            messages.append(item["event"])
    return messages, lambda: EnvJudge(legal)


class Bot:
    """A process that plays on its standard input and output."""

    def __init__(self, command, errors: Path):
        self.errors = errors
        with errors.open("wb") as stderr:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0
            )
        self.rest = b""

    def wait_until_ready(self):
        """Let it load and compile, which is not what its answers are timed for."""
        self.say(b'{"type":"none"}\n')
        select.select([self.process.stdout], [], [], START)
        assert self.hear() == b'{"type":"none"}'

    def say(self, data):
        self.process.stdin.write(data)

    def hear(self):
        """Return the next line; raises TimeoutError or EOFError."""
        source = self.process.stdout.fileno()
        while b"\n" not in self.rest:
            if not select.select([source], [], [], PATIENCE)[0]:
                raise TimeoutError
            data = os.read(source, 1 << 16)
            if not data:
                raise EOFError
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def signal(self, number):
        self.process.send_signal(number)

    def resident_kib(self):
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // 1024

    def finish(self):
        """End its input; return the exit code, the rest of its output, and its stderr."""
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        extra = self.rest + self.process.stdout.read()
        self.process.stdout.close()
        return code, extra, self.errors.read_text("utf-8")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class FaultyHost:
    """Speaks captured games to a bot that answers every line, with faults by chance, and judges every answer.

    A line that only arrives cut is lost to the bot, and the round with it: the answer to that line need only
    be an answer, and what the captured player then called cannot be answered by one who did not see it
    (``excused``). Everything else has to be acceptable to the host in such a round too.

    Parameters
    ----------
    bot : Bot
    seed : int
    stalls : float
        Stops of the process for a second, per game.
    """

    def __init__(self, bot, seed, stalls):
        self.bot = bot
        self.rng = random.Random(seed)
        self.stalls = stalls
        self.times, self.stalled, self.resident, self.illegal = [], [], [], []
        self.done = dict.fromkeys([*PER_LINE, "stall"], 0)
        self.excused = 0
        self.lost = False

    def play(self, messages, judge):
        for message in messages:
            self.turn(message, judge, self.fault(message, len(messages)))
        self.resident.append(self.bot.resident_kib())

    def fault(self, message, lines):
        chances = PER_LINE | {"stall": self.stalls / lines}
        weights = [*chances.values(), 1 - sum(chances.values())]
        (fault,) = self.rng.choices([*chances, None], weights)
        if fault is None or (message["type"] == "start_game" and fault == "lost"):
            return None  # only that line gives the seat
        self.done[fault] += 1
        return fault

    def turn(self, message, judge, fault):
        judge.see(message)
        line = json.dumps(message).encode()
        if message["type"] == "start_kyoku":
            self.lost = False
        if fault == "lost":
            self.lost = True
            reply = self.ask(self.cut(line))
            assert isinstance(reply["type"], str)
            return
        if fault in {"unknown", "copy"}:
            noise = self.rng.choice(UNKNOWN) if fault == "unknown" else self.cut(line)
            if (reply := self.ask(noise)) != {"type": "none"}:
                self.illegal.append((noise, reply))
        self.judged(message, judge, self.ask(line, fault))
        if fault == "twice":
            self.judged(message, judge, self.ask(line))

    def cut(self, line):
        return line[: self.rng.randrange(1, len(line))]

    def judged(self, message, judge, reply):
        if judge.accepts(message, reply):
            return
        if self.lost and message["type"] in {"chi", "pon", "reach"}:
            self.excused += 1
        else:
            self.illegal.append((message, reply, self.lost))

    def ask(self, line, fault=None):
        if fault == "delay":
            time.sleep(self.rng.uniform(0, 0.02))
        elif fault == "pieces":
            at = self.rng.randrange(len(line))
            self.bot.say(line[:at])
            time.sleep(self.rng.uniform(0, 0.02))
            line = line[at:]
        if fault == "stall":
            return self.ask_stalled(line)
        asked = time.monotonic()
        self.bot.say(line + b"\n")
        reply = self.bot.hear()
        self.times.append(time.monotonic() - asked)
        return json.loads(reply)

    def ask_stalled(self, line):
        """Ask a process that gets no processor for a second, from before the line or from soon after it."""
        asleep = threading.Timer(STALL, self.bot.signal, [signal.SIGCONT])
        late = self.rng.random() < 0.5
        if not late:
            self.bot.signal(signal.SIGSTOP)
        asleep.start()
        asked = time.monotonic()
        self.bot.say(line + b"\n")
        if late:
            time.sleep(self.rng.uniform(0, 0.002))
            self.bot.signal(signal.SIGSTOP)
        reply = self.bot.hear()
        self.stalled.append(time.monotonic() - asked)
        asleep.join()
        return json.loads(reply)
