"""Options that say what is played."""

import argparse

from manue.rules import EAST_ONLY, HANCHAN, RULES


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
    add_rules(parser, scope="")


def add_length(parser: argparse.ArgumentParser, *, default: str) -> None:
    """Declare ``--hanchan`` and ``--east``: ``options.last_round``, ``None`` unless one is given."""
    group = parser.add_mutually_exclusive_group()
    for option, last_round, name in (
        ("--hanchan", HANCHAN, "a hanchan"),
        ("--east", EAST_ONLY, "East rounds only"),
    ):
        group.add_argument(
            option,
            dest="last_round",
            action="store_const",
            const=last_round,
            help=f"the game is {name} (default: {default})",
        )


def add_rules(
    parser: argparse.ArgumentParser, *, scope: str = ", of a game that does not name its own"
) -> None:
    """Declare ``--rules``, a name in `manue.rules.RULES`; for games that may name their own, by default."""
    parser.add_argument(
        "--rules",
        choices=sorted(RULES),
        default="tenhou",
        help=f"rules of Tenhou or of Mahjong Soul{scope} (default: %(default)s)",
    )
