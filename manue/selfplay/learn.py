"""Learning from play, from the policy net to a folder of generations."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from manue.arrays import F32
from manue.as_text import counted, table_head
from manue.errors import UsageError
from manue.models.files import ModelFile, models_dir, read_model, write_model
from manue.models.placement import PlacementModel
from manue.models.policy import NET_COLUMNS, SELFPLAY, load_policy
from manue.progress import progress
from manue.selfplay.curve import curve_svg
from manue.selfplay.generations import FOLDER, Generation, Generations, digest_of_weights
from manue.selfplay.learner import Learner, means
from manue.selfplay.rating import LINEUPS, Rater
from manue.selfplay.settings import SelfPlaySettings
from manue.training.page import put_section
from manue.whole_files import write_whole

CURVE = f"{FOLDER}/curve.svg"
MODEL = f"{SELFPLAY}.npz"


def learn_from_play(
    models: Path | None,
    out: Path,
    settings: SelfPlaySettings,
    *,
    walls: int,
    workers: int,
    resume: bool,
    goes_on: Callable[[int, float], bool],
    say: Callable[[str], None],
    note: Callable[[str], None],
) -> list[Generation]:
    """Learn generation after generation, and keep each as it is finished.

    Parameters
    ----------
    models : Path or None
        Folder of the models to begin with; None for those of the package or of ``$MANUE_MODELS``, which
        also give the placement model where the folder has none, as where only a net was learned.
    out : Path
        Folder, created if missing: the generations with the curve of their gains, and the last one as a
        model with its section of the page.
    settings : SelfPlaySettings
    walls : int
        Rounds by which a generation is rated in each line-up.
    workers : int
        Threads.
    resume : bool
        Whether to go on from the generations of the folder.
    goes_on : callable
        Called before each generation with the number of those in the folder and the seconds since the
        first began; returns whether there is to be another.
    say : callable
        Called with a line on each generation.
    note : callable
        Called with a line on what takes long before the first.

    Returns
    -------
    list of Generation
        Those in the folder.

    Raises
    ------
    UsageError
        If the folder holds generations and is not to be resumed, holds none and is, or holds another course.
    ModelError
        If a model is missing or damaged.
    """
    start, placement_file = load_policy(models), _placement_of(models)
    learner = Learner(start, settings, PlacementModel.of(placement_file), workers)
    digest = digest_of_weights(start)
    origin = {"course": asdict(settings), "walls": walls, "start": digest, "placement": placement_file.digest}
    kept = Generations(out, origin)
    done: list[Generation] = []
    if resume:
        done, arrays = kept.read()
        learner.restore(arrays)
        _write(out, learner.weights, done, digest)
    elif kept.exist():
        raise UsageError(f"{out} holds generations already: --resume goes on with them")
    if not goes_on(len(done), 0.0):
        return done
    note(f"rating the net at the start on {walls:,} walls (the first time on a machine this takes minutes)")
    rater = Rater(start, walls)
    begun = time.monotonic()  # compiling kernels is not learning
    while goes_on(len(done), time.monotonic() - begun):
        half = len(done) // 2
        older = kept.weights(half) if half else start
        generation = _learn_one(learner, rater, older, done)
        kept.keep(generation, learner.arrays)
        done.append(generation)
        _write(out, learner.weights, done, digest)
        say(line_of(generation))
    return done


def _placement_of(models: Path | None) -> ModelFile:
    """Return the placement model of a folder, if it has one, else the usual one."""
    given, usual = ((folder or models_dir()) / "placement.npz" for folder in (models, None))
    return read_model(given if given.exists() else usual)


def _learn_one(learner: Learner, rater: Rater, older: F32, done: Sequence[Generation]) -> Generation:
    """Learn and rate the next generation."""
    number, began, steps = len(done) + 1, time.process_time(), []
    goal = number * learner.settings.generation
    with progress(f"generation {number}", goal - learner.rounds) as advance:
        while learner.rounds < goal:
            steps.append(learner.step(older, goal - learner.rounds))
            advance(steps[-1].rounds)
    seconds = time.process_time() - began + (done[-1].cpu_seconds if done else 0.0)
    return Generation(number, learner.rounds, seconds, means(steps), rater.rate(learner.weights))


def _write(out: Path, weights: F32, done: Sequence[Generation], start: str) -> None:
    """Write the net as a model, its section, and the curve."""
    meta = {"columns": NET_COLUMNS, "report": "\n".join(_report(done, start))}
    write_model(out / MODEL, {"weights": weights}, meta)
    put_section(out, SELFPLAY)
    write_whole(out / CURVE, curve_svg(done))


def line_of(generation: Generation) -> str:
    """Return a line on a generation for people."""
    gains = "; ".join(f"{generation.rating[lineup].text} against {lineup}" for lineup in LINEUPS)
    learned = f"{counted(generation.rounds, 'round')}, {generation.cpu_seconds:.0f} s"
    return f"generation {generation.number}, {learned}: {gains} (± one standard error)"


def _report(done: Sequence[Generation], start: str) -> list[str]:
    last = done[-1]
    return [
        f"Written by `manue learn`: the policy net with weights `{start[:12]}` after learning from",
        f"{last.rounds:,} rounds that it played, in {last.cpu_seconds:,.0f} s of CPU time. Points a round",
        "and seat gained over that net on duplicate walls from which nothing was learned, ± one standard",
        "error:",
        "",
        *table_head(["generation", "rounds", *(f"against {lineup}" for lineup in LINEUPS), "divergence"]),
        *(
            f"| {one.number} | {one.rounds:,} | "
            + " | ".join(one.rating[lineup].text for lineup in LINEUPS)
            + f" | {one.learned['divergence']:.3f} |"
            for one in done
        ),
    ]
