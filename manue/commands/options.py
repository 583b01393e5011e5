"""Options and types that several commands share."""

import argparse
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from manue.cores import available_cores
from manue.errors import HandError, PositionError, TileError, UsageError
from manue.foreign import DIGITS, MAX_PORT, is_whole, printable
from manue.game.position import MAX_STICKS, ROUND
from manue.language.messages import LANGUAGES, language_named
from manue.stderr import report

DAY = 86_400.0


def whole(text: str) -> int:
    """Parse a whole number from 0, such as a seed."""
    return _whole_from(0, text)


def sticks(text: str) -> int:
    """Parse a number of honba or of riichi sticks on the table."""
    if not is_whole(text) or int(text) > MAX_STICKS:
        raise argparse.ArgumentTypeError(f"{printable(text)!r} is not a number of sticks, 0 to {MAX_STICKS}")
    return int(text)


def round_name(text: str) -> str:
    """Parse the name of a round."""
    if ROUND.fullmatch(text) is None:
        raise argparse.ArgumentTypeError(f"{printable(text)!r} is not a round, E1 to W4")
    return text


def positive(text: str) -> int:
    """Parse a whole number from 1."""
    return _whole_from(1, text)


def _whole_from(least: int, text: str) -> int:
    if not is_whole(text) or int(text) < least:
        raise argparse.ArgumentTypeError(
            f"{printable(text)!r} is not a whole number from {least}, of at most {DIGITS} digits"
        )
    return int(text)


def seconds(text: str) -> float:
    """Parse a time limit."""
    return _number(text, 0.01, DAY, "a time from 0.01 to 86400 seconds")


def free_seconds(text: str) -> float:
    """Parse a time that may be 0."""
    return _number(text, 0.0, DAY, "a time from 0 to 86400 seconds")


def span(text: str) -> float:
    """Parse how long work may go on, in hours or minutes; 0 means not at all."""
    return _number(text, 0.0, 10_000.0, "a time from 0 to 10000")


def width(text: str) -> float:
    """Parse half the width of an interval of placements."""
    return _number(text, 0.0001, 3.0, "a width from 0.0001 to 3 places")


def _number(text: str, least: float, most: float, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"{printable(text)!r} is not {what}")
    return value


def port(text: str) -> int:
    """Parse the number of a TCP port; 0 is any that is free."""
    if not is_whole(text) or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"{printable(text)!r} is not a port, 0 to {MAX_PORT}")
    return int(text)


def path(text: str) -> Path:
    """Parse a path; an empty one, as an unset variable leaves it, would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


def player_name(text: str) -> str:
    """Parse the name of a player; an empty one, as an unset variable leaves it, names nobody."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty")
    return text


@contextmanager
def given_as(option: str = "") -> Iterator[None]:
    """Make a UsageError of what is wrong with tiles, hands and positions given as arguments.

    The error begins with the name of the option, if there is one.
    """
    try:
        yield
    except (TileError, HandError, PositionError) as error:
        raise UsageError(f"{option}: {error}" if option else str(error)) from None


def is_given(options: argparse.Namespace, name: str) -> bool:
    """Return whether an option was given: it is not ``None``, false or an empty list, its defaults."""
    value = getattr(options, name)
    return value is not None and value is not False and value != []


class _OldTrials(argparse.Action):
    """``--trials``, accepted for one more release as another name of ``--mc-draws``."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        _option_string: str | None = None,
    ) -> None:
        report("--trials is now --mc-draws")
        setattr(namespace, self.dest, values)


def add_workers(parser: argparse.ArgumentParser, what: str = "number of processes") -> None:
    """Declare ``--workers``: ``options.workers``, at least 1."""
    parser.add_argument(
        "--workers",
        type=positive,
        default=available_cores(),
        help=f"{what} (default: one per available core)",
    )


def add_language(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare ``--lang``: ``options.lang``, one of `LANGUAGES`, ``None`` unless it is given."""
    parser.add_argument(
        "--lang",
        type=_language,
        metavar=f"{{{','.join(LANGUAGES)}}}",
        help=f"language of {what}; a region or script does not matter: zh and zh-CN are zh-Hans",
    )


def _language(text: str) -> str:
    found = language_named(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{printable(text)!r} is none of {', '.join(LANGUAGES)}")
    return found


def add_mc_draws(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002 - as argparse names it
    """Declare ``--mc-draws``, and ``--trials`` as its hidden old name."""
    parser.add_argument("--mc-draws", type=positive, metavar="N", help=help)
    parser.add_argument(
        "--trials",
        dest="mc_draws",
        type=positive,
        action=_OldTrials,
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )
