"""A player as a program of its own: time until its first answer, and its memory over a game."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from manue.bench.hand import Row
from manue.errors import ManueError
from manue.records.archive import read_log

RUNS = 3
MEBI = 1024.0
STATUS = Path("/proc/self/status")
"""Where Linux tells the memory of a process; elsewhere it is not measured."""


class Run(NamedTuple):
    """One life of a player: seconds until its first decision, and MB (2^20 bytes) of memory."""

    seconds: float
    first: float
    end: float
    peak: float


def measure_start(log: Path, spec: str = "manue", *, cold: bool = False) -> list[Row]:
    """Start players that read a recorded game on standard input, and measure them.

    Parameters
    ----------
    log : Path
        With all hands open; seat 0 is played.
    spec : str
    cold : bool
        Measure a start with an empty folder of compiled kernels as well.

    Raises
    ------
    ManueError
        If a player ends before the game does.
    """
    lines = [entry.text.strip() for entry in read_log(log)]
    live(lines, spec)  # fills the cache
    runs = [live(lines, spec) for _ in range(RUNS)]
    best = min(runs, key=lambda run: run.seconds)
    rows: list[Row] = [(f"start to first decision of {spec}, compiled before", best.seconds, "s")]
    if STATUS.exists():
        rows += _memory_rows(spec, best)
    if cold:
        with tempfile.TemporaryDirectory(prefix="manue-cold-") as folder:
            seconds = live(lines, spec, folder).seconds
        rows.append((f"start to first decision of {spec}, nothing compiled", seconds, "s"))
    return rows


def _memory_rows(spec: str, run: Run) -> list[Row]:
    return [
        (f"memory of {spec} at its first decision", run.first, "MB"),
        (f"memory of {spec} at the end of a game", run.end, "MB"),
        (f"memory of {spec}, peak", run.peak, "MB"),
        (f"memory of {spec}, peak above the first decision", run.peak - run.first, "MB"),
    ]


def live(lines: Sequence[bytes], spec: str, cache: str | None = None) -> Run:
    """Let one player live through a game; ``cache`` is where its compiled kernels go."""
    environment = dict(os.environ)
    if cache is not None:
        environment["XDG_CACHE_HOME"] = cache
        environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-m", "manue", "play", "--id", "0", "--agent", spec]
    command += ["--dialect", "review", "--quiet"]
    started = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  this interpreter and this package
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        seconds = first = end = peak = 0.0
        for line in lines:
            answer = _ask(process, line)
            end, peak = memory(process.pid)
            if not seconds and b'"dahai"' in answer:
                seconds, first = time.perf_counter() - started, end
    if not seconds:
        raise ManueError(f"{spec} never discarded in the game it was shown")
    return Run(seconds, first, end, peak)


def _ask(process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
    if process.stdin is None or process.stdout is None:
        raise ManueError("the player has no pipes")
    try:
        process.stdin.write(line + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        raise ManueError("the player ended in the middle of a game") from None
    answer = process.stdout.readline()
    if not answer:
        raise ManueError("the player ended in the middle of a game")
    return answer


def memory(pid: int) -> tuple[float, float]:
    """Return the memory of a process now and at its peak, in MB; 0 where the system does not tell."""
    if not STATUS.exists():
        return 0.0, 0.0
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    sizes = dict(line.split(":", 1) for line in status.splitlines())
    now, peak = (float(sizes[name].split()[0]) / MEBI for name in ("VmRSS", "VmHWM"))
    return now, peak
