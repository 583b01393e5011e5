"""Options that say what is played."""

import argparse

from manue.rules import RULES


def add_game(parser: argparse.ArgumentParser) -> None:
    """Declare what is played: ``--hanchan`` or ``--east`` (``options.length``), and ``--rules``."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--hanchan",
        dest="length",
        action="store_const",
        const="hanchan",
        default="hanchan",
        help="East and South rounds (default)",
    )
    length.add_argument("--east", dest="length", action="store_const", const="east", help="East rounds only")
    _add_rules(parser, "")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Declare ``--rules``, a name in `manue.rules.RULES`, for games that may name their own."""
    _add_rules(parser, ", of a game that does not name its own")


def _add_rules(parser: argparse.ArgumentParser, scope: str) -> None:
    parser.add_argument(
        "--rules",
        choices=sorted(RULES),
        default="tenhou",
        help=f"rules of Tenhou or of Mahjong Soul{scope} (default: %(default)s)",
    )
