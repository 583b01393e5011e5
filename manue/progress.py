"""How far long work is, on stderr: a bar with an ETA on a terminal, else a line now and then."""

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

EVERY_SECONDS = 10.0
"""Between lines when piped."""


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Give what is to be called with the number of steps done since the last call."""
    if not sys.stderr.isatty():
        yield _on_pipe(what, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("ETA"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


def _on_pipe(what: str, total: int) -> Callable[[int], None]:
    started = told = time.monotonic()
    done = 0

    def tell(steps: int) -> None:
        nonlocal told, done
        done += steps
        now = time.monotonic()
        if now - told >= EVERY_SECONDS and done:
            told = now
            left = (total - done) * (now - started) / done
            print(f"{what}: {done} of {total}, {left:.0f} s left", file=sys.stderr, flush=True)

    return tell
