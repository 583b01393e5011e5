"""``manue position``: the value of every option of one position: from flags, Mjai lines, or out of a log."""

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic_core import from_json, to_json

from manue.agents.base import Agent, Decision
from manue.agents.manue import Manue
from manue.agents.registry import SPEC_HELP, make_agent
from manue.api.decisions import described_position
from manue.api.hands import tiles_of
from manue.commands.options import add_length
from manue.commands.rollout_options import NOT_PLAYED_ON, add_rollouts, rollout_lines
from manue.commands.view import chosen_game, named_seat, write_page
from manue.errors import EventError, PositionError, ProtocolError, UsageError
from manue.game.actions import Action
from manue.game.events import Event, GameStart, RoundStart, seen_by
from manue.player import Player
from manue.progress import progress
from manue.protocol.annotation import KEY, annotation_of, decision_table, decision_to_meta
from manue.protocol.codec import event_to_fields, message_to_event
from manue.protocol.parsing import parse_array, parse_message, parse_value
from manue.records.archive import LogEntry
from manue.review.frames import game_names, open_seats
from manue.review.page import page_data
from manue.rollouts.player import with_rollouts
from manue.rules import TENHOU
from manue.tiles import WINDS, Seat, Wind

EXAMPLES = """\
examples:
  manue position --hand 123m406p789s1122z9m               the first turn of a game
  manue position --hand 3345567m34p6788sN --dora 9p --round S4 --seat S --scores 31000,21000,20000,28000
  manue position --hand 22m456p34567s11z9s5z --seat S --river "E=9p 1m" "S=N" "W=C" "N=W" --riichi E@2
  manue position - < lines                                Mjai events up to the decision
  manue position game.mjson:South-2.7 --seat 1            round and turn of a log; South-2-1.7: honba 1

In a river _ follows a tile discarded as drawn, ! one that declared riichi, ^S one that South called. A meld
is "S=pon C C + C", the tile taken last.
"""
_MOMENT = re.compile(r"(.+):(East|South|West)-([1-4])(?:-(\d{1,3}))?\.(\d{1,2})", re.IGNORECASE)
_WINDS = {"E": "East", "S": "South", "W": "West", "N": "North"}
_RIICHI = re.compile(r"([ESWN])@(\d{1,2})")
Found = tuple[list[LogEntry], Seat]
"""The events up to a decision, and whose it is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "source",
        metavar="LOG:MOMENT",
        nargs="?",
        help="a game record and a moment in it (East-1.5: fifth turn), or - for Mjai lines on standard input",
    )
    parser.add_argument("--hand", metavar="TILES", help="concealed tiles, the drawn one last")
    parser.add_argument("--dora", metavar="TILE", help="dora indicator (default: one that changes nothing)")
    parser.add_argument(
        "--seat", help="whose decision: a wind with --hand (default: E), else 0..3 or the name of a player"
    )
    parser.add_argument("--round", metavar="E1..W4", default="E1", help="round (default: %(default)s)")
    parser.add_argument("--honba", type=int, metavar="N", default=0, help="honba (default: 0)")
    parser.add_argument("--deposits", type=int, metavar="N", help="riichi sticks on the table")
    parser.add_argument("--scores", metavar="E,S,W,N", help="points, sticks paid (default: 25000 each)")
    parser.add_argument("--river", metavar="SEAT=TILES", nargs="+", default=[], help="discards of a seat")
    parser.add_argument("--meld", metavar="SEAT=MELD", nargs="+", default=[], help="called sets of a seat")
    parser.add_argument(
        "--riichi", metavar="SEAT@TURN", nargs="+", default=[], help="riichi with this discard of the river"
    )
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help=f"who evaluates: {SPEC_HELP} (default: manue)"
    )
    add_length(parser, default="as the log says, else a hanchan")
    add_rollouts(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("-o", "--output", metavar="PAGE.html", type=Path, help="write a page")


def run(options: argparse.Namespace) -> int:
    """Evaluate the position, print it and write the page asked for."""
    if (options.source is None) == (options.hand is None):
        raise UsageError("a position comes from --hand, from LOG:MOMENT, or from - (standard input)")
    if options.hand is not None:
        entries, seat = _from_flags(options)
    elif options.source == "-":
        entries, seat = _from_lines(sys.stdin.buffer.read(), options.seat)
    else:
        entries, seat = _from_log(options.source, options)
    agent = make_agent(options.agent)
    if isinstance(agent, Manue) and options.output is not None:
        agent = agent.explaining()
    decision = _decide(entries, seat, agent, options)
    if options.output is not None:
        source = str(options.source or options.hand)
        judged = _annotated(entries, seat, decision)
        data = page_data(judged, source=source, title=source, seat=seat)
        write_page(options.output, data | {"at": len(data["frames"]) - 1})
    if options.json:
        print(json.dumps(decision_to_meta(decision, seat)[KEY], ensure_ascii=False, indent=2))
    else:
        print("\n".join([decision_table(decision), *rollout_lines(decision)]))
        if options.rollouts is not None and not rollout_lines(decision):
            print(NOT_PLAYED_ON, file=sys.stderr)
    return 0


def _decide(entries: Sequence[LogEntry], seat: Seat, agent: Agent, options: argparse.Namespace) -> Decision:
    if options.rollouts is None:
        return _decision(entries, seat, agent, options.last_round)
    with progress("worlds", options.rollouts) as advance:
        return _decision(entries, seat, with_rollouts(agent, options.rollouts, advance), options.last_round)


def _decision(entries: Sequence[LogEntry], seat: Seat, agent: Agent, last_round: int | None) -> Decision:
    rules = TENHOU if last_round is None else replace(TENHOU, last_round=last_round)
    player = Player(seat, agent, rules)
    actions: tuple[Action, ...] = ()
    for entry in entries:
        if entry.event is not None:
            try:
                actions = player.observe(seen_by(entry.event, seat))
            except EventError as error:
                raise PositionError(f"line {entry.line}: {error}") from None
    if not actions:
        raise PositionError("there is nothing to decide for this seat after the last event")
    return player.decide(actions)


def _annotated(entries: Sequence[LogEntry], seat: Seat, decision: Decision) -> list[LogEntry]:
    logs, meta = annotation_of({seat: decision})
    last = entries[-1]
    message = last.message.model_copy(update={"logs": logs, "meta": meta})
    return [*entries[:-1], replace(last, message=message)]


# ---- from flags


def _from_flags(options: argparse.Namespace) -> Found:
    seat = options.seat or "E"
    if seat not in WINDS:
        raise UsageError(f"--seat {seat}: with --hand a wind, E, S, W or N")
    melds: dict[Wind, list[str]] = {}
    for wind, text in _by_seat("--meld", options.meld):
        melds.setdefault(wind, []).append(text)
    position = described_position(
        tiles_of(options.hand),
        options.dora,
        options.round,
        seat,
        _scores(options.scores),
        options.honba,
        options.deposits,
        melds,
        _rivers(options),
    )
    position.state()  # what cannot arise is refused here
    events: list[Event] = [GameStart(names=_names(position.own_seat())), *position.events()]
    fields = [from_json(to_json(event_to_fields(event))) for event in events]  # lists as on the wire
    return [_entry(1, one) for one in fields], position.own_seat()


def _names(seat: Seat) -> tuple[str, ...]:
    return tuple("You" if other == seat else f"Seat {other}" for other in range(4))


def _scores(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(points) for points in text.split(",")]
    except ValueError:
        raise UsageError(f"--scores {text}: four whole numbers, of East, South, West and North") from None


def _by_seat(option: str, given: Sequence[str]) -> list[tuple[Wind, str]]:
    found = []
    for text in given:
        wind, equals, value = text.partition("=")
        if wind not in WINDS or not equals:
            raise UsageError(f"{option} {text}: begins with a wind and =, as in E=9p")
        found.append((wind, value.strip()))
    return found


def _rivers(options: argparse.Namespace) -> Mapping[Wind, str] | None:
    """Return the rivers with the riichi marked in them; ``None`` if none are given."""
    rivers = dict(_by_seat("--river", options.river))
    for text in options.riichi:
        found = _RIICHI.fullmatch(text)
        if found is None:
            raise UsageError(f"--riichi {text}: a wind and a turn, as in W@8")
        tiles, turn = rivers.get(found[1], "").split(), int(found[2])
        if not 1 <= turn <= len(tiles):
            raise UsageError(f"--riichi {text}: the river of {found[1]} has {len(tiles)} tiles (--river)")
        tile, called, caller = tiles[turn - 1].partition("^")
        tiles[turn - 1] = f"{tile.rstrip('!')}!{called}{caller}"
        rivers[found[1]] = " ".join(tiles)
    return rivers or None


# ---- from lines


def _entry(line: int, fields: object) -> LogEntry:
    message = parse_value(fields)
    return LogEntry(line, message, message_to_event(message), to_json(fields))


def _from_lines(data: bytes, seat: str | None) -> Found:
    entries: list[LogEntry] = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            if line.lstrip().startswith(b"["):
                entries += [_entry(number, value) for value in parse_array(line)]
            else:
                message = parse_message(line)
                entries.append(LogEntry(number, message, message_to_event(message), line))
        except ProtocolError as error:
            raise ProtocolError(f"line {number}: {error}") from None
    entries = [entry for entry in entries if entry.event is not None]
    begun = [at for at, entry in enumerate(entries) if isinstance(entry.event, GameStart)]
    entries = entries[begun[-1] :] if begun else entries
    if seat is not None:
        return entries, named_seat(entries, seat)
    named = entries[0].event.seat if entries and isinstance(entries[0].event, GameStart) else None
    if named is None:
        raise UsageError("whose decision? No start_game has an id, so give --seat")
    return entries, named


# ---- from a log


def _from_log(source: str, options: argparse.Namespace) -> Found:
    found = _MOMENT.fullmatch(source)
    if found is None:
        raise UsageError(f"{source}: a log and a moment, as in game.mjson:South-2.7 (round and turn)")
    path, wind, number, honba, turn = found.groups()
    game, note = chosen_game(Path(path), None, options.last_round)
    seat = _seat_of(game, options.seat, path)
    wanted = (wind[0].upper(), int(number))
    start = next((at for at, entry in enumerate(game) if _begins(entry.event, wanted, honba)), None)
    if start is None:
        rounds = [_round_name(entry.event) for entry in game if isinstance(entry.event, RoundStart)]
        raise UsageError(f"{source}: no such round; there are {', '.join(rounds)}")
    at = _moment(game, start, seat, int(turn))
    if at is None:
        raise UsageError(f"{source}: {game_names(game)[seat]} has nothing to decide in this turn")
    if note:
        print(note, file=sys.stderr)
    return game[: at + 1], seat


def _seat_of(game: list[LogEntry], text: str | None, path: str) -> Seat:
    if text is not None:
        return named_seat(game, text)
    shown = [seat for seat, is_open in enumerate(open_seats(game, path)) if is_open]
    if len(shown) > 1:
        raise UsageError("whose decision? The log shows several hands, so give --seat")
    return shown[0]


def _round_name(event: RoundStart) -> str:
    """Return a round as a moment names it: ``South-2``, ``South-2-1`` for its first repeat."""
    repeat = f"-{event.honba}" if event.honba else ""
    return f"{_WINDS[event.round_wind]}-{event.number}{repeat}"


def _begins(event: Event | None, wanted: tuple[str, int], honba: str | None) -> bool:
    if not isinstance(event, RoundStart) or (event.round_wind, event.number) != wanted:
        return False
    return honba is None or event.honba == int(honba)


def _moment(game: Sequence[LogEntry], start: int, seat: Seat, turn: int) -> int | None:
    """Return the event after which the seat decides in a turn of its own, failing that on an offered tile."""
    player = Player(seat, make_agent("tsumogiri"))
    offered: int | None = None
    for at, entry in enumerate(game):
        if entry.event is None:
            continue
        if at > start and isinstance(entry.event, RoundStart):
            break
        actions = player.observe(seen_by(entry.event, seat))
        if at <= start or not actions or len(player.state.me.river) + 1 != turn:
            continue
        if player.state.turn == seat and player.state.offer is None:
            return at
        offered = at
    return offered
