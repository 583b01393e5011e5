"""Options and types that several commands share."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any


def positive(text: str) -> int:
    """Parse a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


class _OldTrials(argparse.Action):
    """``--trials``, accepted for one more release as another name of ``--mc-draws``."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        _option_string: str | None = None,
    ) -> None:
        print("--trials is now --mc-draws", file=sys.stderr)
        setattr(namespace, self.dest, values)


def add_mc_draws(parser: argparse.ArgumentParser, *, help: str, default: int | None = None) -> None:  # noqa: A002 - as argparse names it
    """Declare ``--mc-draws``, and ``--trials`` as its hidden old name."""
    parser.add_argument("--mc-draws", type=positive, default=default, metavar="N", help=help)
    parser.add_argument(
        "--trials",
        dest="mc_draws",
        type=positive,
        action=_OldTrials,
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )
