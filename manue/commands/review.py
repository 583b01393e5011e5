"""``manue review``: judge a recorded game, decision by decision."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from manue.agents.base import Agent
from manue.agents.manue import Manue
from manue.agents.registry import SPEC_HELP, make_agent
from manue.commands.game_choice import add_game_choice, chosen_game, report_all
from manue.commands.game_options import add_length, add_rules
from manue.commands.options import add_language, path
from manue.commands.outputs import check_outputs, check_page
from manue.commands.review_many import run_review_of_many
from manue.commands.review_text import print_review
from manue.commands.rollout_options import add_rollouts
from manue.language.messages import messages
from manue.progress import progress
from manue.records.archive import LogEntry
from manue.records.log_writer import LogWriter
from manue.review.judge import review_game
from manue.review.page import write_page
from manue.review.player_names import named_seat
from manue.rollouts.player import with_rollouts
from manue.rules import RULES
from manue.tiles import Seat


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "logs",
        metavar="LOG",
        nargs="+",
        type=path,
        help="a game record: Mjai, Tenhou mjlog, tenhou.net/6 or Mahjong Soul JSON; or several, or folders",
    )
    parser.add_argument(
        "--seat", default="all", help="seat to judge: 0..3, the name of a player, or all (default)"
    )
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help=f"who judges: {SPEC_HELP} (default: manue)"
    )
    add_length(parser, default="as the record says, else guessed from where the game ended")
    add_rules(parser)
    add_language(parser, "page and output (default: English, and on the page the browser's)")
    add_game_choice(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PAGE.html",
        type=path,
        help="write the annotated game as a page; of several games a folder with an index",
    )
    parser.add_argument(
        "--log",
        dest="annotated",
        metavar="FILE",
        type=path,
        help="write the annotated log, compressed if FILE ends in .gz",
    )
    add_rollouts(parser)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(options: argparse.Namespace) -> int:
    """Judge the games, print the summary and write the files asked for."""
    with redirect_stdout(sys.stderr):  # what an agent of one's own prints is no output of the command
        agent = make_agent(options.agent)
    if isinstance(agent, Manue) and (options.output is not None or options.annotated is not None):
        agent = agent.explaining()
    if options.rollouts is not None:
        agent = with_rollouts(agent, options.rollouts)
    if len(options.logs) > 1 or options.logs[0].is_dir():
        return run_review_of_many(options, agent)
    return _review_one(options, agent)


def _review_one(options: argparse.Namespace, agent: Agent) -> int:
    (log,) = options.logs
    check_outputs([options.output, options.annotated], [log])
    check_page(options.output)
    game, notes = chosen_game(log, options)
    with progress("reviewing", len(game)) as advance, redirect_stdout(sys.stderr):
        seats, rules = _seats(game, options.seat), RULES[options.rules]
        entries, data = review_game(
            game, log, agent, options.agent, seats, rules=rules, step=lambda: advance(1)
        )
    if options.annotated is not None:
        _write_log(options.annotated, entries)
    if options.output is not None:
        write_page(options.output, data, options.lang)
    if options.json:
        print(json.dumps(data["review"], ensure_ascii=False, indent=2))
    else:
        print_review(data, messages(options.lang or "en"))
    report_all(notes)
    return 0


def _seats(game: list[LogEntry], text: str) -> list[Seat] | None:
    return None if text == "all" else [named_seat(game, text)]


def _write_log(path: Path, entries: Sequence[LogEntry]) -> None:
    with LogWriter(path) as writer:
        for entry in entries:
            fields = {key: value for key, value in entry.fields().items() if key not in {"logs", "meta"}}
            writer.write(fields, entry.message.logs, entry.message.meta)
