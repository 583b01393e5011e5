"""What the attacks of the drill are made of: rows that count inputs and failures, and measure memory."""

import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

MAX_MIB = 200
"""Memory that any input may cost over the idle process."""


def memory(pid, key="VmHWM"):
    """Return the peak memory of a process, or another line of its status, in KiB; 0 once it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{key}:")), 0)


@dataclass
class Row:
    """What came of one kind of attack.

    ``part`` is the share of the inputs to be tried, ``patience`` a factor for the times that are promised.
    """

    part: float
    patience: float
    folder: Path
    inputs: int = 0
    failures: list = field(default_factory=list)
    peak: int = 0  # KiB over the idle process

    def count(self, full, least=1):
        """Return how many inputs to try where the whole drill has ``full``."""
        return max(least, int(full * self.part))

    def some(self, cases):
        """Return a part of the cases: the first ones."""
        cases = list(cases)
        return cases[: self.count(len(cases), 2)]

    def check(self, good, text):
        if not good:
            self.failures.append(text)

    def grown(self, kib, text):
        """Note memory over the idle process; too much is a failure."""
        self.peak = max(self.peak, kib)
        self.check(kib <= MAX_MIB << 10, f"{text}: {kib >> 10} MiB")

    @contextmanager
    def in_process(self, text):
        """Measure the memory of this process while something runs in it."""
        Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here on
        before = memory("self")
        yield
        self.grown(memory("self") - before, text)


class Watched:
    """Follows the peak memory of a process until it ends."""

    def __init__(self, pid):
        self.pid = pid
        self.idle = self.peak = memory(pid)
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def is_idle(self):
        """Count from here on."""
        self.idle = memory(self.pid)

    def growth(self):
        return max(0, self.peak - self.idle)

    def _follow(self):
        while now := memory(self.pid):
            self.peak = now
            time.sleep(0.02)


@dataclass(frozen=True)
class Attack:
    name: str
    run: Callable[[Row], None]
    part: float  # of the inputs, in the tests without MANUE_FULL; 0 for none


ATTACKS: dict[str, Attack] = {}


def attack(name, part):
    """Register a row of the table; the tests try a part of its inputs."""

    def register(run):
        ATTACKS[run.__name__] = Attack(name, run, part)
        return run

    return register


def run(chosen, part, patience):
    """Run an attack; return its row and the seconds it took."""
    with tempfile.TemporaryDirectory(prefix="manue-drill-") as folder:
        row = Row(part, patience, Path(folder))
        started = time.monotonic()
        chosen.run(row)
        return row, time.monotonic() - started


def load():
    """Import the modules that register attacks, and compile what they need: that is no cost of an input."""
    from manue.agents.rules import RulePlayer
    from manue.player import warm_up

    warm_up(RulePlayer())
    from tests.attacks import (
        against_disk,
        against_files,
        against_play,
        against_processes,
        against_serve,
        against_table,
    )

    return (against_disk, against_files, against_play, against_processes, against_serve, against_table)
