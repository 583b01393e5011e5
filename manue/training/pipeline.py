"""From a folder of logs to a folder of models: extract, run the trainers, write the files and MODELS.md."""

import datetime as dt
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from manue.errors import LogError, ModelError
from manue.estimate.tables import ModelFile, forget_models, read_model, write_model
from manue.training.dataset import VALIDATION_SHARE, Extraction, extract
from manue.training.framework import Run, Trainer

EXTRACTED = ".extracted"
"""Folder of extracted games within the folder of models, while training."""


def train(
    logs: Sequence[Path],
    out: Path,
    trainers: Sequence[Trainer],
    *,
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
        Game logs with all hands open; order does not matter.
    out : Path
        Folder of the models, made if missing.
    trainers : sequence of Trainer
    command : str
        How this was called, for MODELS.md.
    seed, workers : int
    resume : bool
        Keep what an interrupted run with the same logs and seed has finished.
    advance, say : callable
        Told the number of games done, and what is being done.

    Raises
    ------
    LogError
        If no game could be read.
    """
    folder = out / EXTRACTED
    if not resume:
        shutil.rmtree(folder, ignore_errors=True)
    data = extract(
        sorted(logs, key=lambda log: log.name), folder, seed=seed, workers=workers, progress=advance
    )
    if not data.games:
        reason = data.skipped[0] if data.skipped else "none given"
        raise LogError(f"no game with open hands among {len(logs)} logs: {reason}")
    if 0 in data.decisions:
        raise LogError(f"{data.games} games are too few: none is left for training or for validation")
    run = Run(data, seed, workers, {}, say)
    for trainer in trainers:
        path = out / f"{trainer.name}.npz"
        done = _finished(path, data, seed) if resume else None
        run.trained[trainer.name] = _train_one(trainer, run, path) if done is None else done
    text = _page(data, len(logs), command, run.trained)
    (out / "MODELS.md").write_text(text, encoding="utf-8")
    shutil.rmtree(folder)
    forget_models()
    return data


def _train_one(trainer: Trainer, run: Run, path: Path) -> ModelFile:
    trained = trainer.fit(run)
    notes = {**trained.meta, "data": run.data.digest, "seed": run.seed, "report": trained.report}
    write_model(path, trained.arrays, notes)
    return read_model(path)


def _finished(path: Path, data: Extraction, seed: int) -> ModelFile | None:
    """Return the model of an interrupted run on the same data, if it is whole."""
    try:
        file = read_model(path)
    except ModelError:
        return None
    same = file.meta.get("data") == data.digest and file.meta.get("seed") == seed
    return file if same else None


def _page(data: Extraction, logs: int, command: str, models: dict[str, ModelFile]) -> str:
    today = dt.datetime.now(dt.UTC).date().isoformat()
    training, validation = data.decisions
    head = [
        "# Models",
        "",
        "Written by `manue train`; do not edit. Plain arrays, read by `manue.estimate`.",
        "",
        f"- Command: `{command}`",
        f"- Date: {today}",
        f"- Data: {data.games:,} games ({logs - data.games:,} logs skipped), digest `{data.digest}`",
        f"- Split by game: one in {VALIDATION_SHARE}, by the SHA-256 of the name, is kept for",
        f"  validation: {training:,} discards for training, {validation:,} for validation. Figures below",
        "  are over validation games. Rows of one round depend on each other.",
        "",
    ]
    sections = [
        f"## {name}\n\nDigest `{file.digest}`.\n\n{file.meta['report'].strip()}\n"
        for name, file in models.items()
    ]
    return "\n".join(head) + "\n" + "\n".join(sections)
