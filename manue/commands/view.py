"""``manue view``: one self-contained page of a game log."""

import argparse
import sys
from pathlib import Path

from manue.errors import LogError, UsageError
from manue.protocol.archive import read_games
from manue.review.page import page_data, page_html

HELP = "make one self-contained page of a game log"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "log", metavar="LOG", type=Path, help="an Mjai log, annotated or plain (.gz, .json too)"
    )
    parser.add_argument(
        "-o", "--output", metavar="PAGE.html", type=Path, required=True, help="the page to write"
    )
    parser.add_argument("--seat", type=int, choices=range(4), help="the seat shown first")
    parser.add_argument("--game", type=int, metavar="N", help="which game, if the log holds several (from 1)")


def run(options: argparse.Namespace) -> int:
    """Write the page and tell where it is."""
    games = [game for _, game in read_games([options.log])]
    if not games:
        raise LogError(f"{options.log}: no events in this file")
    if options.game is None and len(games) > 1:
        raise UsageError(f"{options.log} holds {len(games)} games; choose one with --game 1..{len(games)}")
    number = options.game or 1
    if not 1 <= number <= len(games):
        raise UsageError(f"{options.log} holds {len(games)} games, there is no game {number}")
    data = page_data(games[number - 1], source=str(options.log), title=options.log.name, seat=options.seat)
    options.output.write_text(page_html(data), "utf-8")
    size = options.output.stat().st_size / 1e6
    print(
        f"{options.output}: {len(data['rounds'])} rounds, {len(data['frames'])} moments, {size:.1f} MB",
        file=sys.stderr,
    )
    return 0
