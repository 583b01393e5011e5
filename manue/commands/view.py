"""``manue view``: a self-contained page of a game log."""

import argparse
from pathlib import Path

from manue.agents.base import Decision
from manue.commands.game_choice import add_game_choice, chosen_game, report_all
from manue.commands.game_options import add_length, add_rules
from manue.commands.options import add_language, path
from manue.commands.outputs import check_outputs, check_page, terminal_width
from manue.foreign import MESSAGE, printable
from manue.language.messages import Messages, messages
from manue.protocol.annotation import decision_table
from manue.protocol.figures import COLUMNS
from manue.review.closest import closest_choice
from manue.review.frames import Json
from manue.review.page import page_data, write_page
from manue.review.player_names import named_seat, seat_name
from manue.rules import RULES
from manue.stderr import report
from manue.tiles import Seat


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "log",
        metavar="LOG",
        type=path,
        help="a record: Mjai, Tenhou mjlog, tenhou.net/6 or Mahjong Soul JSON",
    )
    parser.add_argument("-o", "--output", metavar="PAGE.html", type=path, required=True, help="page to write")
    parser.add_argument("--seat", metavar="SEAT", help="seat shown at first: 0..3, or the name of a player")
    add_length(parser, default="as the record says, else guessed from where the game ended")
    add_rules(parser)
    add_language(parser, "page and output (default: English, and on the page the browser's)")
    add_game_choice(parser)
    parser.add_argument(
        "--table",
        action="store_true",
        help="also print the closest decision of the game that the log has numbers of, and a link to it",
    )


def run(options: argparse.Namespace) -> int:
    """Write the page; with --table also print a decision."""
    check_outputs([options.output], [options.log])
    check_page(options.output)
    game, notes = chosen_game(options.log, options)
    seat = None if options.seat is None else named_seat(game, options.seat)
    rules = RULES[options.rules]
    data = page_data(game, source=str(options.log), title=options.log.name, seat=seat, rules=rules)
    words = messages(options.lang or "en")
    write_page(options.output, data, options.lang)
    report_all(notes)
    if options.table:
        found = closest_choice(game)
        if found is None:
            report(
                f"{printable(options.log, MESSAGE)}: no decision of this log has numbers; no table is printed"
            )
        else:
            _print_decision(data, found, words, options.output)
    return 0


def _print_decision(data: Json, found: tuple[int, Seat, Decision], words: Messages, page: Path) -> None:
    at, seat, decision = found
    print(_moment(data, at, seat, words))
    print(f"{decision_table(decision, terminal_width())}\n\n{_glossary(words)}\n")
    print(words.text("view.link", url=f"{page.resolve().as_uri()}#at={at}&seat={seat}"))


def _moment(data: Json, at: int, seat: Seat, words: Messages) -> str:
    name = printable(seat_name(data, seat, words))
    place = {"name": name, "n": at + 1, "total": len(data["frames"])}
    if seat in data["nameless"]:  # its number is its name
        return words.text("view.moment.unnamed", **place)
    return words.text("view.moment", **place, seat=seat)


def _glossary(words: Messages) -> str:
    """Return the meaning of every column of a decision's table, one per line."""
    names = (*(column.wire for column in COLUMNS), "ukeire", "tenpaiProbs")
    meanings = {name: words.text(f"row.{name}") for name in names}
    width = max(map(len, meanings))
    return "\n".join(f"{name:<{width}}  {meaning}" for name, meaning in meanings.items())
