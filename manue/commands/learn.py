"""``manue learn``: learn the policy net from game records, or go on from it by playing."""

import argparse

from manue.as_text import counted
from manue.commands.options import is_given, path, positive, span, whole
from manue.cores import available_cores
from manue.errors import UsageError
from manue.folder_lock import held
from manue.foreign import MESSAGE, printable
from manue.records.copies import find_distinct_logs
from manue.selfplay.learn import CURVE, MODEL, learn_from_play
from manue.selfplay.settings import SelfPlaySettings
from manue.stderr import note, report
from manue.training.policy import learn_policy

EPOCHS = 14
WALLS = 4_000
_FROM_PLAY = ("hours", "minutes", "generations")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "LOGS are files or folders of records of any format with all four hands visible. The net is\n"
        "written to policy.npz, and described in MODELS.md in the same folder. Without LOGS the net learns\n"
        "from games that it plays itself: every generation is kept and rated in DIR, the last one is\n"
        f"written to {MODEL}."
    )
    parser.add_argument("logs", nargs="*", type=path, metavar="LOGS", help="log files, or folders of them")
    parser.add_argument("--out", type=path, required=True, metavar="DIR", help="folder for the model")
    parser.add_argument(
        "--epochs", type=positive, help=f"times that every recorded choice is learned (default: {EPOCHS})"
    )
    parser.add_argument(
        "--wide",
        action="store_true",
        help="with LOGS: train a larger net, closer to the players of the logs, at a little under three "
        "fifths of the speed",
    )
    parser.add_argument("--seed", type=whole, default=0, help="seed of all random choices (default: 0)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--hours", type=span, help="learn by playing: start no new generation after this many hours"
    )
    length.add_argument("--minutes", type=span, help="the same in minutes")
    length.add_argument(
        "--generations", type=whole, metavar="N", help="learn by playing until there are N generations"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the generations in DIR")
    parser.add_argument(
        "--models", type=path, metavar="DIR", help="models to begin with (default: those of manue play)"
    )
    parser.add_argument(
        "--rounds",
        type=positive,
        metavar="N",
        help=f"rounds of a generation (default: {SelfPlaySettings().generation})",
    )
    parser.add_argument(
        "--walls",
        type=positive,
        metavar="N",
        help=f"walls on which a generation is rated (default: {WALLS})",
    )
    parser.add_argument(
        "--workers", type=positive, help="threads while playing (default: one per available core)"
    )


def run(options: argparse.Namespace) -> int:
    """Learn the net and write it."""
    from_play = next((name for name in _FROM_PLAY if is_given(options, name)), None)
    if options.logs and from_play is not None:
        raise UsageError(f"--{from_play} is about learning by playing; it does not go with LOGS")
    if not options.logs and from_play is None:
        raise UsageError(
            "give LOGS to learn from, or --hours, --minutes or --generations to learn by playing"
        )
    if options.logs:
        return _from_records(options)
    if options.epochs is not None or options.wide:
        raise UsageError(f"{'--wide' if options.wide else '--epochs'} is about LOGS")
    return _from_play(options)


def _from_records(options: argparse.Namespace) -> int:
    if any(is_given(options, name) for name in ("resume", "models", "rounds", "walls", "workers")):
        raise UsageError("--resume, --models, --rounds, --walls and --workers are about learning by playing")
    with held(options.out):
        skipped = learn_policy(
            find_distinct_logs(options.logs),
            options.out,
            epochs=EPOCHS if options.epochs is None else options.epochs,
            seed=options.seed,
            wide=options.wide,
            say=note,
        )
    for line in skipped:
        report(f"skipped {printable(line, MESSAGE)}")
    print(f"policy.npz and MODELS.md in {options.out}")
    return 0


def _from_play(options: argparse.Namespace) -> int:
    walls = WALLS if options.walls is None else options.walls
    if walls < 2:
        raise UsageError(f"--walls must be at least 2, not {walls}")
    _refuse_no_generation(options)
    rounds = SelfPlaySettings().generation if options.rounds is None else options.rounds
    settings = SelfPlaySettings(seed=options.seed, generation=rounds)
    with held(options.out):
        done = learn_from_play(
            options.models,
            options.out,
            settings,
            walls=walls,
            workers=available_cores() if options.workers is None else options.workers,
            resume=options.resume,
            goes_on=lambda number, seconds: _goes_on(options, number, seconds),
            say=lambda text: print(text, flush=True),
            note=note,
        )
    print(f"{counted(len(done), 'generation')}, {CURVE}, {MODEL} and MODELS.md in {options.out}")
    return 0


def _refuse_no_generation(options: argparse.Namespace) -> None:
    """Refuse 0 generations, hours or minutes for a new folder, which would stay empty."""
    for name in _FROM_PLAY:
        given = getattr(options, name)
        if given == 0 and not options.resume:
            raise UsageError(f"--{name} {given:g} leaves no room for a generation")


def _goes_on(options: argparse.Namespace, number: int, seconds: float) -> bool:
    """Return whether another generation is to be learned."""
    if options.generations is not None:
        return bool(number < options.generations)
    limit = 60 * options.minutes if options.minutes is not None else 3600 * options.hours
    return bool(seconds < limit)
