"""Progress of long work on stderr: a bar with an ETA on a terminal, otherwise an occasional line."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from manue.stderr import note

EVERY_SECONDS = 10.0
"""Between lines of progress when piped."""


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show progress; yield the function to call with the number of steps done since its last call."""
    if not sys.stderr.isatty():
        yield lines_of_progress(what, total)
        return
    with progress_bar(Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


def progress_bar(console: Console, *, transient: bool = False) -> Progress:
    """Return a bar with the steps done, the time passed and an ETA; on a pipe it shows nothing."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("ETA"),
        TimeRemainingColumn(),
        console=console,
        transient=transient,
        disable=not console.is_terminal,
    )


def lines_of_progress(what: str, total: int) -> Callable[[int], None]:
    """Return the function to call with the number of steps done; now and then it prints how many that is.

    The time left goes by the steps after the first ones, once they are a hundredth of all: before and among
    these, workers start and code is compiled.
    """
    printed = time.monotonic()
    done, first, started = 0, 0, printed

    def advance(steps: int) -> None:
        """Count steps as done; print a line if the last one is long ago."""
        nonlocal printed, done, first, started
        done += steps
        now = time.monotonic()
        if not first:
            first, started = done, now
        if now - printed >= EVERY_SECONDS and done:
            printed = now
            counted = done - first
            left = (total - done) * (now - started) / counted if counted * 100 >= total else None
            rest = "" if left is None else f", {left:.0f} s left"
            note(f"{what}: {done:,} of {total:,}{rest}")

    return advance
