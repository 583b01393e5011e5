"""From a folder of logs to a folder of models: extract, run the trainers, write the files and MODELS.md."""

import datetime as dt
import json
import math
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from manue.as_text import counted
from manue.errors import LogError, ModelError, UsageError
from manue.foreign import printable
from manue.models.files import ModelFile, models_dir, read_model, write_model
from manue.models.model_set import READERS
from manue.records.copies import content_of
from manue.training import afterstate_sample, call_policy, discard_policy, fold
from manue.training.dataset import VALIDATION_SHARE, Extraction, extract
from manue.training.framework import Run, Trainer, Watcher
from manue.training.page import PAGE, other_models, section_of
from manue.whole_files import write_whole

EXTRACTED = ".extracted"
"""Folder of extracted games within the folder of models, while training."""

FULL_SAMPLES = {
    "fold": fold.SCENES,
    "afterstate": afterstate_sample.ROWS,
    "discard_policy": discard_policy.DECISIONS,
}
"""Discards, by model, beyond which its trainer samples some instead of taking all."""


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """What is to be learned, and from what: an unfinished run can be continued with the same task alone.

    Parameters
    ----------
    logs : sequence of Path
        Game logs with all hands open; their order does not matter.
    extra : sequence of Path
        Further logs to learn from, say of games of another length; only final places, and P(win) by trees
        that have not seen the game, are measured on them.
    only : collection of str, optional
        Names of the models to learn. The others are those of the folder, or the usual ones where it has none.
    seed : int
    """

    logs: Sequence[Path]
    extra: Sequence[Path] = ()
    only: Collection[str] | None = None
    seed: int = 0

    def noted(self) -> dict[str, Any]:
        """Return the task as a run notes it: by what a different one is called in messages."""
        return {
            "another seed": self.seed,
            "other LOGS": sorted(log.name for log in self.logs),
            "other --extra": sorted(log.name for log in self.extra),
            "another --only": None if self.only is None else sorted(self.only),
        }


def train(
    task: TrainingTask,
    out: Path,
    trainers: Sequence[Trainer],
    *,
    command: str,
    workers: int,
    resume: bool,
    watcher: Watcher,
) -> Extraction:
    """Learn every model, or some, and write them to ``out``.

    Parameters
    ----------
    task : TrainingTask
    out : Path
        Folder of the models, created if missing.
    trainers : sequence of Trainer
    command : str
        The command line, for MODELS.md.
    workers : int
        Processes.
    resume : bool
        Keep what an interrupted run with the same task finished.
    watcher : Watcher

    Raises
    ------
    LogError
        If no game could be read.
    ModelError
        If a model that is not to be learned is missing, damaged or does not fit.
    UsageError
        If the folder holds an unfinished run that is not to be resumed or is of another task or other
        models, or one whose note of these is damaged, or a finished one that is to be resumed; or if there
        is no model of a name.
    """
    kept = _kept(trainers, out, task.only)
    folder = out / EXTRACTED
    interrupted = folder.exists()
    _begin_or_refuse(out, task, resume=resume)
    watcher.step("reading games", len(task.logs) + len(task.extra))
    data, more = _games_of(task, folder, workers, watcher)
    if few := _few_games(data, more):
        watcher.warn(few)
    run = Run(data, task.seed, workers, watcher, extra=more if more.games else None)
    for trainer in trainers:
        path = out / f"{trainer.name}.npz"
        done = kept.get(trainer.name) or (_finished(path, run) if interrupted else None)
        if done is None:
            watcher.begin(trainer.name)
            done = _train_one(trainer, run, path)
        elif done.path != path:
            write_whole(path, done.path.read_bytes())
        run.trained[trainer.name] = done
    write_whole(out / PAGE, _page(run, out, command, kept))
    shutil.rmtree(folder)
    return replace(data, games=data.games + more.games, skipped=data.skipped + more.skipped)


def _kept(trainers: Sequence[Trainer], out: Path, only: Collection[str] | None) -> dict[str, ModelFile]:
    """Return the files of the models that are not to be learned; raises UsageError, ModelError."""
    names = [trainer.name for trainer in trainers]
    if only is None:
        return {}
    if unknown := [name for name in only if name not in names]:
        raise UsageError(f"--only: there is no model {printable(unknown[0])!r}, only {', '.join(names)}")
    places = {name: (out / f"{name}.npz", models_dir() / f"{name}.npz") for name in names if name not in only}
    kept = {name: read_model(own if own.exists() else usual) for name, (own, usual) in places.items()}
    for name, file in kept.items():
        READERS[name](file)  # raises what the caller is to know before hours have passed
    return kept


def _games_of(
    task: TrainingTask, folder: Path, workers: int, watcher: Watcher
) -> tuple[Extraction, Extraction]:
    """Extract the games of the logs and of the further ones; without any the folder is removed."""
    try:
        data, more = (
            extract(_in_order(part), folder, seed=task.seed, workers=workers, progress=watcher.advance)
            for part in (task.logs, task.extra)
        )
    except BaseException:
        if not any(folder.glob("*.npz")):
            shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        _check_games(data, len(task.logs))
    except LogError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return data, more


def _begin_or_refuse(out: Path, task: TrainingTask, *, resume: bool) -> None:
    """Note the task of a run; raises UsageError where it would throw away another one in the folder."""
    folder = out / EXTRACTED
    note, given = folder / "run.json", task.noted()
    if folder.exists() and not resume:
        raise UsageError(f"{out} holds an unfinished run: continue it with --resume, or choose another --out")
    if resume and not folder.exists() and (out / PAGE).exists():
        raise UsageError(f"{out} holds no unfinished run: without --resume its models are learned again")
    known = _noted(note) if note.exists() else given
    if others := [name for name, value in given.items() if known.get(name) != value]:
        raise UsageError(f"{out} holds an unfinished run with {' and '.join(others)}")
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(note, json.dumps(given))


def _noted(note: Path) -> dict[str, Any]:
    """Return the task that a run noted; raises UsageError if the note is damaged."""
    try:
        known = json.loads(note.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict):
        raise UsageError(
            f"{note} is damaged: delete {note.parent} and begin again without --resume, "
            "or choose another --out"
        )
    return known


def not_among(extra: Sequence[Path], logs: Sequence[Path]) -> list[Path]:
    """Return the further logs whose content is not that of a log: no game is to be learned from twice."""
    contents = {content_of(log) for log in logs} if extra else set()
    return [log for log in extra if content_of(log) not in contents]


def _in_order(logs: Sequence[Path]) -> list[Path]:
    """Return the logs by name, and by content where folders hold equal names."""
    names = Counter(log.name for log in logs)
    return sorted(logs, key=lambda log: (log.name, content_of(log) if names[log.name] > 1 else b""))


def _check_games(data: Extraction, logs: int) -> None:
    """Raise LogError if there is no game, or the names of the files put all on one side of the split."""
    if not data.games:
        reason = data.skipped[0] if data.skipped else "none given"
        raise LogError(f"no game with open hands among {counted(logs, 'log')}: {reason}")
    apart = data.games > 1 and logs == 1  # a name decides on all of them
    remedy = "split the file (manue convert FILE -o FOLDER)" if apart else "give a file another name"
    for decisions, purpose in zip(data.decisions, ("training", "validation"), strict=True):
        if not decisions:
            raise LogError(
                f"of {counted(data.games, 'game')} none is for {purpose}: by the names of their files one in "
                f"{VALIDATION_SHARE} is held out for validation; add games, or {remedy}"
            )


def _few_games(data: Extraction, more: Extraction) -> str:
    """Return what more games would be good for; empty if there are enough with the further ones."""
    number_of_games = data.games + more.games
    per_game = sum((*data.decisions, *more.decisions)) / number_of_games
    games = {name: math.ceil(full / per_game) for name, full in FULL_SAMPLES.items()}
    games["call_policy"] = math.ceil(call_policy.CALLS / call_policy.CALLS_OF_A_GAME)
    wanted = ", ".join(f"{number:,} ({name})" for name, number in games.items() if number_of_games < number)
    return wanted and (
        f"few games ({number_of_games:,}): the models are learned all the same, but are weaker; "
        f"samples are full with about this many games: {wanted}"
    )


def _train_one(trainer: Trainer, run: Run, path: Path) -> ModelFile:
    trained = trainer.fit(run)
    notes = {**trained.meta, **_origin(run), "report": trained.report}
    write_model(path, trained.arrays, notes)
    return read_model(path)


def _finished(path: Path, run: Run) -> ModelFile | None:
    """Return the model of an interrupted run on the same data, after the same models, if it is of use.

    It is of none if it is not complete, or was learned from features that have changed meanwhile.
    """
    try:
        file = read_model(path)
        if path.stem in READERS:
            READERS[path.stem](file)
    except ModelError:
        return None
    return file if all(file.meta.get(name) == value for name, value in _origin(run).items()) else None


def _origin(run: Run) -> dict[str, str | int]:
    """Return what a model is learned from, as noted in its file: games, seed, the models before it."""
    extra = "" if run.extra is None else run.extra.digest
    before = " ".join(file.digest[:12] for file in run.trained.values())
    return {"data": run.data.digest, "extra": extra, "seed": run.seed, "models": before}


def _page(run: Run, out: Path, command: str, kept: Collection[str]) -> str:
    data = run.data
    today = dt.datetime.now(dt.timezone.utc).date().isoformat()
    training, validation = data.decisions
    head = [
        "# Models",
        "",
        "Written by `manue train`; do not edit. Plain arrays, read by `manue.models`. The following is about",
        "the models that it learns; the sections of other models are kept.",
        "",
        f"- Command: `{command}`",
        f"- Date: {today}",
        f"- Data: {counted(data.games, 'game')} ({len(data.skipped):,} skipped), digest `{data.digest}`",
        f"- Split by game: one in {VALIDATION_SHARE}, by the SHA-256 of the name, is used for",
        f"  validation: {training:,} discards for training, {validation:,} for validation. Figures below",
        "  are over validation games unless they say otherwise. Rows of one round are not independent:",
        "  ± is one standard error, by game.",
        *_extra_lines(run.extra),
        *([f"- Of other runs: {', '.join(kept)}."] if kept else []),
        "",
    ]
    learned = [file for name, file in run.trained.items() if name not in kept]
    not_learned = [file for name, file in run.trained.items() if name in kept]
    sections = [section_of(file) for file in (*learned, *not_learned, *other_models(out, run.trained))]
    return "\n".join(head) + "\n" + "\n".join(sections)


def _extra_lines(extra: Extraction | None) -> Iterator[str]:
    if extra is not None:
        yield f"- Further games to learn from: {extra.games:,} with {extra.decisions[0]:,} discards"
        yield f"  outside validation, digest `{extra.digest}`."
