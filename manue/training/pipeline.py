"""From a folder of logs to a folder of models: extract, run the trainers, write the files and MODELS.md."""

import datetime as dt
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from manue.errors import LogError, ModelError
from manue.models.files import ModelFile, read_model, write_model
from manue.training.dataset import VALIDATION_SHARE, Extraction, extract
from manue.training.framework import Run, Trainer

EXTRACTED = ".extracted"
"""Folder of extracted games within the folder of models, while training."""


def train(
    logs: Sequence[Path],
    out: Path,
    trainers: Sequence[Trainer],
    *,
    extra: Sequence[Path] = (),
    command: str,
    seed: int,
    workers: int,
    resume: bool,
    advance: Callable[[int], None],
    say: Callable[[str], None],
) -> Extraction:
    """Learn every model and write it to ``out``.

    Parameters
    ----------
    logs : sequence of Path
        Game logs with all hands open; their order does not matter.
    out : Path
        Folder of the models, created if missing.
    trainers : sequence of Trainer
    extra : sequence of Path
        Further logs for the samples that ask for them, say games of another length.
    command : str
        The command line, for MODELS.md.
    seed, workers : int
    resume : bool
        Keep what an interrupted run with the same logs and seed finished.
    advance, say : callable
        Called with the number of games done, and with what is being done.

    Raises
    ------
    LogError
        If no game could be read.
    """
    folder = out / EXTRACTED
    if not resume:
        shutil.rmtree(folder, ignore_errors=True)
    data, more = (
        extract(sorted(part, key=lambda log: log.name), folder, seed=seed, workers=workers, progress=advance)
        for part in (logs, extra)
    )
    if not data.games:
        reason = data.skipped[0] if data.skipped else "none given"
        raise LogError(f"no game with open hands among {len(logs)} logs: {reason}")
    if 0 in data.decisions:
        raise LogError(f"{data.games} games are too few: none is left for training or for validation")
    run = Run(data, seed, workers, out, {}, say, more if more.games else None)
    for trainer in trainers:
        path = out / f"{trainer.name}.npz"
        done = _finished(path, run) if resume else None
        run.trained[trainer.name] = _train_one(trainer, run, path) if done is None else done
    text = _page(run, len(logs), command)
    (out / "MODELS.md").write_text(text, encoding="utf-8")
    shutil.rmtree(folder)
    return replace(data, games=data.games + more.games, skipped=data.skipped + more.skipped)


def _train_one(trainer: Trainer, run: Run, path: Path) -> ModelFile:
    trained = trainer.fit(run)
    notes = {**trained.meta, **_origin(run), "report": trained.report}
    write_model(path, trained.arrays, notes)
    return read_model(path)


def _finished(path: Path, run: Run) -> ModelFile | None:
    """Return the model of an interrupted run on the same data if it is complete."""
    try:
        file = read_model(path)
    except ModelError:
        return None
    return file if all(file.meta.get(name) == value for name, value in _origin(run).items()) else None


def _origin(run: Run) -> dict[str, str | int]:
    """Return what a model is learned from, as noted in its file."""
    extra = {} if run.extra is None else {"extra": run.extra.digest}
    return {"data": run.data.digest, "seed": run.seed, **extra}


def _page(run: Run, logs: int, command: str) -> str:
    data = run.data
    today = dt.datetime.now(dt.timezone.utc).date().isoformat()
    training, validation = data.decisions
    head = [
        "# Models",
        "",
        "Written by `manue train`; do not edit. Plain arrays, read by `manue.models`.",
        "",
        f"- Command: `{command}`",
        f"- Date: {today}",
        f"- Data: {data.games:,} games ({logs - data.games:,} logs skipped), digest `{data.digest}`",
        f"- Split by game: one in {VALIDATION_SHARE}, by the SHA-256 of the name, is used for",
        f"  validation: {training:,} discards for training, {validation:,} for validation. Figures below",
        "  are over validation games. Rows of one round are not independent.",
        *_extra_lines(run.extra),
        "",
    ]
    sections = [
        f"## {name}\n\nDigest `{file.digest}`.\n\n{file.meta['report'].strip()}\n"
        for name, file in run.trained.items()
    ]
    return "\n".join(head) + "\n" + "\n".join(sections)


def _extra_lines(extra: Extraction | None) -> Iterator[str]:
    if extra is not None:
        yield f"- Further games, only to train the danger of riichi: {extra.games:,} with"
        yield f"  {extra.decisions[0]:,} discards outside validation, digest `{extra.digest}`."
