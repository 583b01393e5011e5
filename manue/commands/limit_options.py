"""The options that limit how long programs at a table may think."""

import argparse

from manue.commands.options import positive, seconds
from manue.table.process_seat import Limits

_SECONDS = {
    "decision": "a decision",
    "game": "all decisions of a game together",
    "start": "the first answer of a game",
}


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Declare the time limits of programs, and ``--strikes``."""
    for name, what in _SECONDS.items():
        parser.add_argument(
            f"--{name}-seconds",
            type=seconds,
            default=getattr(Limits(), name),
            metavar="S",
            help=f"time limit of cmd: seats for {what} (default: %(default)s)",
        )
    add_strikes(parser)


def add_strikes(parser: argparse.ArgumentParser) -> None:
    """Declare ``--strikes``: ``options.strikes``, at least 1."""
    parser.add_argument(
        "--strikes",
        type=positive,
        default=Limits().strikes,
        metavar="N",
        help="late answers in a game after which a cmd: seat is replaced (default: %(default)s)",
    )


def given_limits(options: argparse.Namespace) -> Limits:
    """Return the limits that the options of `add_limits` set."""
    return Limits(options.decision_seconds, options.game_seconds, options.start_seconds, options.strikes)
