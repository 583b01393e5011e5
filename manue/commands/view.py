"""``manue view``: one self-contained page of a game log."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from manue.agents.base import Decision
from manue.errors import UsageError
from manue.protocol.annotation import decision_table, decisions_of
from manue.protocol.figures import COLUMNS
from manue.records.archive import LogEntry
from manue.records.formats import read_game
from manue.review.frames import Json, is_shown
from manue.review.page import page_data, page_html
from manue.tiles import Seat

FEWEST_OPTIONS = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("log", metavar="LOG", type=Path, help="Mjai, Tenhou mjlog or tenhou.net/6 JSON")
    parser.add_argument(
        "-o", "--output", metavar="PAGE.html", type=Path, required=True, help="the page to write"
    )
    parser.add_argument("--seat", type=int, choices=range(4), help="the seat shown first")
    parser.add_argument("--game", type=int, metavar="N", help="which game, if the log holds several (from 1)")
    parser.add_argument(
        "--table",
        action="store_true",
        help="also print the numbers of one decision, that of the closest choice, and the link to it",
    )


def write_page(path: Path, data: Json) -> None:
    """Write a page and tell its size on stderr."""
    path.write_text(page_html(data), "utf-8")
    size = path.stat().st_size / 1e6
    print(
        f"{path}: {len(data['rounds'])} rounds, {len(data['frames'])} moments, {size:.1f} MB", file=sys.stderr
    )


def run(options: argparse.Namespace) -> int:
    """Write the page and tell where it is."""
    game = read_game(options.log, options.game)
    data = page_data(game, source=str(options.log), title=options.log.name, seat=options.seat)
    write_page(options.output, data)
    if options.table:
        at, seat, decision = closest_choice(game)
        print(f"{data['names'][seat]} (seat {seat}), moment {at + 1} of {len(data['frames'])}:")
        print(f"{decision_table(decision)}\n\n{_glossary()}\n")
        print(
            f"page: {options.output.resolve().as_uri()}#at={at}&seat={seat}   (this decision, in a browser)"
        )
    return 0


def closest_choice(game: Sequence[LogEntry]) -> tuple[int, Seat, Decision]:
    """Return frame, seat and decision where the two best options of many were worth nearly the same.

    Raises
    ------
    UsageError
        If no decision of the log tells its numbers.
    """
    best = None
    for at, entry in enumerate(filter(is_shown, game)):
        for seat, decision in decisions_of(entry.fields().get("meta")).items():
            values = [report.expected_points for report in decision.reports]
            if len(values) < FEWEST_OPTIONS or values[0] is None or values[1] is None:
                continue
            gap = abs(values[0] - values[1])
            if best is None or gap < best[0]:
                best = gap, (at, seat, decision)
    if best is None:
        raise UsageError("this log has no decision with numbers")
    return best[1]


def _glossary() -> str:
    """Return what the columns of a decision's table mean, a line each."""
    meanings = {column.wire: column.meaning for column in COLUMNS}
    meanings |= {
        "ukeire": "useful tiles: kinds/copies unseen",
        "tenpaiProbs": "chance that each seat is tenpai",
    }
    width = max(map(len, meanings))
    return "\n".join(f"{name:<{width}}  {meaning}" for name, meaning in meanings.items())
