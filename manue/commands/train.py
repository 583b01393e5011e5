"""``manue train LOGS``: train the models on game records."""

import argparse
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from typing_extensions import Self

from manue.as_text import counted
from manue.commands.options import add_workers, path, whole
from manue.folder_lock import held
from manue.foreign import MESSAGE, printable
from manue.progress import lines_of_progress, progress_bar
from manue.records.copies import find_distinct_logs
from manue.stderr import note, report
from manue.training.dataset import Extraction
from manue.training.pipeline import EXTRACTED, TrainingTask, not_among, train
from manue.training.registry import TRAINERS, seconds_of

LEAST_DONE = 0.05
"""Share of the work after which the time taken allows an estimate; at first, code is compiled."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "LOGS are files or folders of records (Mjai, mjlog, tenhou.net/6, Mahjong Soul) with all four hands\n"
        "visible: of human games, or games written by manue match. Unusable logs are named, skipped and\n"
        "counted."
    )
    parser.add_argument("logs", nargs="+", type=path, metavar="LOGS", help="log files, or folders of them")
    parser.add_argument(
        "--extra",
        nargs="+",
        type=path,
        default=[],
        metavar="LOGS",
        help="more logs to learn from, e.g. of East-only games; most models are measured on LOGS alone",
    )
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        metavar="MODEL,...",
        help="learn these models alone; the others are those of DIR or, where it has none, the usual ones",
    )
    parser.add_argument("--out", type=path, required=True, metavar="DIR", help="folder for the models")
    parser.add_argument("--seed", type=whole, default=0, help="seed of all random choices (default: 0)")
    add_workers(parser)
    parser.add_argument(
        "--resume",
        action="store_true",
        help="continue an interrupted run with the same logs and seed",
    )


def run(options: argparse.Namespace) -> int:
    """Train and write the models."""
    logs, given = (find_distinct_logs(places) for places in (options.logs, options.extra))
    extra = not_among(given, logs)
    if len(extra) < len(given):
        left_out = f"{len(given) - len(extra):,} of the {counted(len(given), 'log')} of --extra"
        report(f"{left_out} left out: they are among LOGS")
    try:
        data = _train(options, logs, extra)
    except KeyboardInterrupt:
        if (options.out / EXTRACTED).exists():
            report(f"what is done is kept in {printable(options.out, MESSAGE)}: continue with --resume")
        raise
    for line in data.skipped:
        report(f"skipped {printable(line, MESSAGE)}")
    used = f"{counted(data.games, 'game')}, {len(data.skipped):,} skipped"
    print(f"{used}; models and MODELS.md in {options.out}")
    return 0


def _train(options: argparse.Namespace, logs: Sequence[Path], extra: Sequence[Path]) -> Extraction:
    learned = [one.name for one in TRAINERS if options.only is None or one.name in options.only]
    with held(options.out), _Display(Console(stderr=True), len(logs) + len(extra), learned) as display:
        return train(
            TrainingTask(logs, extra, options.only, options.seed),
            options.out,
            TRAINERS,
            command=_command(),
            workers=options.workers,
            resume=options.resume,
            watcher=display,
        )


def _command() -> str:
    """Return how this was called, for MODELS.md; the folder of the records by the name of its variable."""
    command = shlex.join(["manue", *sys.argv[1:]])
    records = os.environ.get("MANUE_DATA")
    return command.replace(records, "$MANUE_DATA") if records else command


class _Display:
    """Progress on stderr: a live line on a terminal, an occasional line when piped."""

    def __init__(self, console: Console, games: int, trainers: Sequence[str]) -> None:
        self._console = console
        self._games = games
        self._trainers = trainers
        self._progress = progress_bar(console)
        self._advance: Callable[[int], None] = lambda _parts: None
        self._begun: dict[str, float] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._progress.stop()

    def begin(self, trainer: str) -> None:
        """Report which model is learned, and about how long the rest takes, by the time of those before."""
        names = self._trainers
        at = names.index(trainer)
        text = f"model {at + 1} of {len(names)}, {trainer}"
        done = self._seconds(self._begun)  # not those that an earlier run has left
        if done > LEAST_DONE * self._seconds(names):
            took = time.monotonic() - min(self._begun.values())
            minutes = took / done * self._seconds(names[at:]) / 60
            text += f"; about {minutes:.0f} min left" if minutes >= 1 else "; less than a minute left"
        self._begun[trainer] = time.monotonic()
        note(text)

    def _seconds(self, trainers: Iterable[str]) -> float:
        return sum(seconds_of(trainer, self._games) for trainer in trainers)

    def step(self, text: str, parts: int | None = None) -> None:
        """Show the step that begins, in the place of the one before."""
        if self._console.is_terminal:
            for task in self._progress.task_ids:
                self._progress.remove_task(task)
            task = self._progress.add_task(text, total=parts)
            self._advance = partial(self._progress.advance, task)
        else:
            note(text)
            self._advance = lines_of_progress(text, parts or 0)

    def advance(self, parts: int) -> None:
        """Count parts of the step that are done."""
        self._advance(parts)

    def warn(self, text: str) -> None:
        """Report what is to be known of the games."""
        report(text)
