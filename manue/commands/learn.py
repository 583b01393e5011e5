"""``manue learn LOGS``: learn the policy net from game records."""

import argparse
import sys
from pathlib import Path

from manue.folder_lock import held
from manue.foreign import MESSAGE, foreign
from manue.records.archive import find_logs
from manue.training.policy import learn_policy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = (
        "LOGS are files or folders of Mjai logs with all four hands visible. The net is written to\n"
        "policy.npz, and described in MODELS.md in the same folder."
    )
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOGS", help="log files, or folders of them")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the model")
    parser.add_argument(
        "--epochs", type=int, default=14, help="times that every choice is learned (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (default: 0)")


def run(options: argparse.Namespace) -> int:
    """Learn the net and write it."""
    with held(options.out):
        skipped = learn_policy(
            find_logs(options.logs),
            options.out,
            epochs=options.epochs,
            seed=options.seed,
            say=lambda text: print(text, file=sys.stderr, flush=True),
        )
    for line in skipped:
        print(f"manue: skipped {foreign(line, MESSAGE)}", file=sys.stderr)
    print(f"policy.npz and MODELS.md in {options.out}")
    return 0
