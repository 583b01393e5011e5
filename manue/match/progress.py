"""Progress of a match on stderr: a live line on a terminal, an occasional line when piped."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from manue.foreign import printable
from manue.match.match import OnResult
from manue.match.summary import Summary, mean_place
from manue.progress import EVERY_SECONDS
from manue.stderr import note
from manue.table.faults import fault_in_words


def placements_so_far(summary: Summary) -> str:
    """Return the mean placements so far, as in ``manue 2.31, greedy 2.56``."""
    return ", ".join(
        f"{printable(name)} {mean_place(agent.places):.2f}" for name, agent in summary.agents.items()
    )


@contextmanager
def match_progress(games: int, kept: int) -> Iterator[OnResult]:
    """Show the progress of a match; yield the function to call with every result."""
    if sys.stderr.isatty():
        with _bar() as progress:
            task = progress.add_task("games", total=games, completed=kept, rate="", placements="")
            yield _on_terminal(progress, task, kept)
    else:
        yield _on_pipe(games, kept)


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.completed}/{task.total} games"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("ETA"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[placements]}", markup=False),
        console=Console(stderr=True),
    )


class _Faults:
    """Reports why an agent failed, the first time only: the table counts all faults."""

    def __init__(self) -> None:
        self._reported: set[str] = set()

    def first_faults(self, line: dict[str, Any]) -> Iterator[str]:
        """Yield a message for every agent that failed for the first time."""
        for fault in line["faults"]:
            name = line["agents"][fault["seat"]]
            if name not in self._reported:
                self._reported.add(name)
                where = f"game {line['game']}: {printable(name)} in seat {fault['seat']}"
                yield f"{where}, {fault_in_words(fault)}"


class _Rate:
    """Games per minute since this run began."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self.games = 0

    def add(self) -> float:
        """Count a game and return the rate."""
        self.games += 1
        return self.games * 60 / max(time.monotonic() - self._started, 1e-9)


def rate_text(per_minute: float) -> str:
    """Return a rate of games for people: ``38 per minute``, or ``1 game in 17 min`` where that is below 1."""
    if per_minute >= 1:
        return f"{per_minute:.0f} per minute"
    seconds = 60 / per_minute
    return f"1 game in {seconds / 60:.0f} min" if seconds >= 120 else f"1 game in {seconds:.0f} s"


def _on_terminal(progress: Progress, task: TaskID, kept: int) -> OnResult:
    rate, faults = _Rate(), _Faults()

    def show(line: dict[str, Any], summary: Summary) -> None:
        """Move the bar on by a game, and print the first faults above it."""
        for message in faults.first_faults(line):
            progress.console.print(message, markup=False, highlight=False)
        text = rate_text(rate.add())
        progress.update(task, completed=kept + rate.games, rate=text, placements=placements_so_far(summary))

    return show


def _on_pipe(games: int, kept: int) -> OnResult:
    rate, faults = _Rate(), _Faults()
    shown = time.monotonic()

    def show(line: dict[str, Any], summary: Summary) -> None:
        """Print the first faults, and now and then a line with games, rate and time left."""
        nonlocal shown
        for message in faults.first_faults(line):
            note(message)
        per_minute = rate.add()
        now = time.monotonic()
        if now - shown < EVERY_SECONDS:
            return
        shown = now
        finished = kept + rate.games
        left = (games - finished) * 60 / per_minute
        so_far = f"{finished}/{games} games, {rate_text(per_minute)}, {left:.0f} s left"
        placements = placements_so_far(summary)
        note(f"{so_far}: {placements}" if placements else so_far)

    return show
