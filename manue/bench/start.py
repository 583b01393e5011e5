"""A player as a separate program: the time until its first answer, and its memory over a game."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

from pydantic_core import to_json

from manue.bench.timing import Row
from manue.errors import LogError, ManueError
from manue.foreign import printable
from manue.kernel_cache import shipped_dir
from manue.records.formats import read_record

AGENT = "manue"
"""Whose start is measured."""
RUNS = 3
KB_PER_MB = 1024.0
STATUS = Path("/proc/self/status")
"""Where Linux shows the memory of a process; on other systems it is not measured."""


class PlayerRun(NamedTuple):
    """One run of a player: seconds until its first decision, and memory in MB (2^20 bytes)."""

    seconds: float
    first: float
    end: float
    peak: float


def measure_start(log: Path, *, cold: bool) -> list[Row]:
    """Start players that read a recorded game on standard input, and measure them.

    Parameters
    ----------
    log : Path
        A record with all hands visible; the player plays seat 0 of its first game.
    cold : bool
        Also measure a start with an empty cache of compiled kernels; those that came with the package serve.

    Raises
    ------
    LogError
        If the record cannot be read.
    ManueError
        If a player exits before the end of the game.
    """
    lines = recorded_lines(log)
    play_recorded_game(lines, AGENT)  # fills the cache of kernels
    runs = [play_recorded_game(lines, AGENT) for _ in range(RUNS)]
    best = min(runs, key=lambda run: run.seconds)
    rows: list[Row] = [(f"start to first decision of {AGENT}, kernels compiled", best.seconds, "s")]
    if STATUS.exists():
        rows += _memory_rows(best)
    if cold:
        with tempfile.TemporaryDirectory(prefix="manue-cold-") as folder:
            seconds = play_recorded_game(lines, AGENT, folder).seconds
        what = "nothing compiled" if shipped_dir() is None else "only the kernels of the package compiled"
        rows.append((f"start to first decision of {AGENT}, {what}", seconds, "s"))
    return rows


def recorded_lines(log: Path) -> list[bytes]:
    """Return the first game of a record, whatever its format, as lines of Mjai; raises LogError."""
    games = read_record(log)
    if not games:
        raise LogError(f"{log}: no events in this file")
    return [to_json(entry.fields()) for entry in games[0] if entry.event is not None]


def _memory_rows(run: PlayerRun) -> list[Row]:
    return [
        (f"memory of {AGENT} at its first decision", run.first, "MB"),
        (f"memory of {AGENT} at the end of a game", run.end, "MB"),
        (f"memory of {AGENT}, peak", run.peak, "MB"),
        (f"memory of {AGENT}, peak above the first decision", run.peak - run.first, "MB"),
    ]


def play_recorded_game(lines: Sequence[bytes], spec: str, cache: str | None = None) -> PlayerRun:
    """Run a player through a recorded game; ``cache`` is the folder for its compiled kernels.

    Raises
    ------
    ManueError
        If the player ends before the game, with what it said last, or never discards.
    """
    environment = dict(os.environ)
    if cache is not None:
        environment["XDG_CACHE_HOME"] = cache
        environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-m", "manue", "play", "--id", "0", "--agent", spec]
    command += ["--dialect", "review", "--quiet"]
    started = time.perf_counter()
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(  # noqa: S603  this interpreter and this package
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, env=environment
        ) as process,
    ):
        seconds = first = end = peak = 0.0
        for line in lines:
            answer = _ask(process, line)
            if not answer:
                process.wait()
                raise ManueError(f"the player ended in the middle of a game: {_last_line(said)}")
            end, peak = memory(process.pid)
            if not seconds and b'"dahai"' in answer:
                seconds, first = time.perf_counter() - started, end
    if not seconds:
        raise ManueError(f"{spec} never discarded in the recorded game")
    return PlayerRun(seconds, first, end, peak)


def _ask(process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
    """Return the player's answer to a line; empty if it has ended."""
    if process.stdin is None or process.stdout is None:
        raise ManueError("the player has no pipes")
    try:
        process.stdin.write(line + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return process.stdout.readline()


def _last_line(said: IO[bytes]) -> str:
    """Return what a player said last on standard error: the reason for its end."""
    said.seek(0)
    lines = said.read().decode(errors="replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "it does not say why")
    return printable(last.removeprefix("manue: "))


def memory(pid: int) -> tuple[float, float]:
    """Return the memory of a process now and at its peak, in MB; 0 if the system does not show it."""
    if not STATUS.exists():
        return 0.0, 0.0
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    sizes = dict(line.split(":", 1) for line in status.splitlines())
    now, peak = (float(sizes[name].split()[0]) / KB_PER_MB for name in ("VmRSS", "VmHWM"))
    return now, peak
