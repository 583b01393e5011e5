"""``manue position``: the value of every option of one position: from flags, Mjai lines, or out of a log."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

from manue.agents.base import Decision
from manue.agents.manue import Manue
from manue.agents.registry import SPEC_HELP, make_agent
from manue.api.moments import decide_after
from manue.commands.game_choice import add_game_choice
from manue.commands.game_options import add_length, add_rules
from manue.commands.options import path, round_name, sticks
from manue.commands.outputs import check_outputs, check_page, terminal_width
from manue.commands.position_flags import are_tiles, from_flags
from manue.commands.position_log import Found, from_events, from_log, record_of
from manue.commands.rollout_options import NOT_PLAYED_ON, add_rollouts, rollout_lines
from manue.errors import UsageError
from manue.progress import progress
from manue.protocol.annotation import KEY, decision_table, decision_to_meta
from manue.records.archive import LogEntry, entries_in, lines_of
from manue.records.length import with_length
from manue.review.annotate import with_decision
from manue.review.page import page_data, write_page
from manue.rollouts.player import with_rollouts
from manue.rules import RULES
from manue.stderr import report
from manue.tiles import Seat

EXAMPLES = """\
examples:
  manue position --hand 123m406p789s1122z9m               the first turn of a game
  manue position --hand 3345567m34p6788sN --dora 9p --round S4 --seat S --scores 31000,21000,20000,28000
  manue position --hand 2m4568p34567s11z9s5z --seat S --river "E=9p 1m" "S=N" "W=C" "N=W" --riichi E@2
  manue position - < lines                                Mjai events up to the decision
  manue position game.mjson:South-2.7 --seat 1            round and turn of a log, or S2.7; S2-1.7: honba 1

In a river _ follows a tile discarded as drawn, ! one that declared riichi, ^S one that South called. A meld
is "S=pon C C + C", the tile taken last; a kan "S=daiminkan C C C + C", "S=kakan C C C + C" (the pon, of which
the third tile was taken, and the one added) or "S=ankan 1m 1m 1m 1m".
"""


_OF_THE_HAND: dict[str, Any] = {
    "dora": None,
    "round": "E1",
    "honba": 0,
    "deposits": None,
    "scores": None,
    "river": [],
    "meld": [],
    "riichi": [],
}
"""Options that describe a position together with ``--hand``, and their defaults."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "source",
        metavar="LOG:MOMENT",
        nargs="?",
        help="a game record and a moment in it (E1.5: fifth turn), or - for Mjai lines on standard input",
    )
    parser.add_argument("--hand", metavar="TILES", nargs="+", help="concealed tiles, the drawn one last")
    parser.add_argument(
        "--dora",
        metavar="TILES",
        help="dora indicator, and those revealed by kans (default: one that changes nothing)",
    )
    parser.add_argument(
        "--seat", help="whose decision: a wind with --hand (default: E), else 0..3 or the name of a player"
    )
    parser.add_argument("--round", metavar="E1..W4", type=round_name, help="round (default: %(default)s)")
    parser.add_argument("--honba", type=sticks, metavar="N", help="honba (default: %(default)s)")
    parser.add_argument("--deposits", type=sticks, metavar="N", help="riichi sticks on the table")
    parser.add_argument(
        "--scores",
        metavar="E,S,W,N",
        help="points, sticks paid (default: 25000 each)",
    )
    for name, form, what in (
        ("--river", "SEAT=TILES", "discards of a seat"),
        ("--meld", "SEAT=MELD", "called sets and kans of a seat"),
        ("--riichi", "SEAT@TURN", "riichi with this discard of the river"),
    ):
        parser.add_argument(name, metavar=form, nargs="+", action="extend", help=what)
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help=f"who evaluates: {SPEC_HELP} (default: manue)"
    )
    add_game_choice(parser)
    parser.set_defaults(**_OF_THE_HAND)
    add_length(parser, default="as the log says, else a hanchan")
    add_rules(parser)
    add_rollouts(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("-o", "--output", metavar="PAGE.html", type=path, help="write a page")


def run(options: argparse.Namespace) -> int:
    """Evaluate the position, print it and write the page asked for."""
    _check(options)
    if (options.source is None) == (options.hand is None):
        raise UsageError("a position comes from --hand, from LOG:MOMENT, or from - (standard input)")
    check_outputs([options.output], record_of(options.source or ""))
    check_page(options.output)
    entries, seat = _position(options)
    with redirect_stdout(sys.stderr):  # what an agent of one's own prints is no output of the command
        decision = _decide(entries, seat, options)
    if options.output is not None:
        _write_page(options, with_decision(entries, seat, decision), seat)
    if options.json:
        print(json.dumps(decision_to_meta(decision, seat)[KEY], ensure_ascii=False, indent=2))
    else:
        print("\n".join([decision_table(decision, terminal_width()), *rollout_lines(decision)]))
        if options.rollouts is not None and not rollout_lines(decision):
            report(NOT_PLAYED_ON)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse options that would change nothing, and a hand in the place of a record."""
    if options.source is not None and are_tiles(options.source):
        raise UsageError(f"{options.source}: the tiles of a hand go after --hand")
    if options.hand is None:
        for name, default in _OF_THE_HAND.items():
            if getattr(options, name) != default:
                raise UsageError(f"--{name} goes with --hand")
    if options.game is not None and (options.source is None or options.source == "-"):
        raise UsageError("--game goes with LOG:MOMENT")


def _position(options: argparse.Namespace) -> Found:
    """Return the events up to the decision, the length of the game as it was given, and whose it is."""
    if options.hand is not None:
        entries, seat = from_flags(options)
    elif options.source == "-":
        lines = lines_of(sys.stdin.buffer, "standard input")
        entries, seat = from_events(entries_in(lines, "standard input"), options.seat)
    else:
        entries, seat = from_log(options.source, options)
    if options.last_round is not None:
        entries = with_length(entries, options.last_round)
    return entries, seat


def _decide(entries: Sequence[LogEntry], seat: Seat, options: argparse.Namespace) -> Decision:
    rules, agent = RULES[options.rules], make_agent(options.agent)
    if isinstance(agent, Manue) and options.output is not None:
        agent = agent.explaining()
    if options.rollouts is None:
        return decide_after(entries, seat, agent, rules)
    with progress("worlds", options.rollouts) as advance:
        return decide_after(entries, seat, with_rollouts(agent, options.rollouts, advance), rules)


def _write_page(options: argparse.Namespace, entries: Sequence[LogEntry], seat: Seat) -> None:
    """Write the page of a position, the last of whose entries has the decision."""
    source = options.source or " ".join(options.hand)
    data = page_data(entries, source=source, title=source, seat=seat, rules=RULES[options.rules])
    data["game"]["cut"] = False  # one decision is all of a position
    write_page(options.output, data | {"at": len(data["frames"]) - 1})
