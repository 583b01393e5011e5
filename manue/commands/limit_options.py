"""The options that limit how long programs at a table may think."""

import argparse
from collections.abc import Iterable
from dataclasses import replace

from manue.commands.options import positive, seconds
from manue.errors import UsageError
from manue.table.seat_factory import is_program_or_client
from manue.table.thinking_time import Limits, option_of

_SECONDS = {
    "decision": "a decision",
    "game": "all decisions of a game together",
    "start": "the first answer of a game",
}


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Declare the time limits of programs, and ``--strikes``."""
    for name, what in _SECONDS.items():
        parser.add_argument(
            option_of(name),
            type=seconds,
            metavar="S",
            help=f"time limit of cmd: seats for {what} (default: {getattr(Limits(), name)})",
        )
    add_strikes(parser)
    parser.set_defaults(strikes=None)


def add_strikes(parser: argparse.ArgumentParser) -> None:
    """Declare ``--strikes``: ``options.strikes``, at least 1."""
    parser.add_argument(
        option_of("strikes"),
        type=positive,
        default=Limits().strikes,
        metavar="N",
        help=f"late answers in a game after which a cmd: seat is replaced (default: {Limits().strikes})",
    )


def given_limits(options: argparse.Namespace, seats: Iterable[str]) -> Limits:
    """Return the limits that options of `add_limits` set; raises UsageError if they would limit nobody."""
    values = {name: getattr(options, f"{name}_seconds") for name in _SECONDS} | {"strikes": options.strikes}
    given = {name: value for name, value in values.items() if value is not None}
    if given and not any(map(is_program_or_client, seats)):
        raise UsageError(f"{option_of(next(iter(given)))} is about programs, but no seat is a cmd: program")
    return replace(Limits(), **given)
