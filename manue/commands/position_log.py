"""Positions of ``manue position`` out of Mjai events, and out of game records."""

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from manue.agents.registry import make_agent
from manue.commands.game_choice import chosen_game, report_all
from manue.errors import UsageError
from manue.game.events import Event, GameStart, RoundStart, seen_by
from manue.language.messages import ENGLISH
from manue.player import Player
from manue.records.archive import LogEntry
from manue.review.frames import game_names, named_seat, open_seats
from manue.rules import RULES
from manue.tiles import Seat

_MOMENT = re.compile(r"(.+):(East|South|West)-([1-4])(?:-(\d{1,3}))?\.(\d{1,2})", re.IGNORECASE)
Found = tuple[list[LogEntry], Seat]
"""The events up to a decision, and whose it is."""


def from_events(entries: Iterable[LogEntry], seat: str | None) -> Found:
    """Return the last game of Mjai events, and the seat of ``--seat`` or of the game's start.

    Raises
    ------
    LogError
        If reading the events does.
    UsageError
        If nothing says whose decision it is.
    """
    events = [entry for entry in entries if entry.event is not None]
    begun = [at for at, entry in enumerate(events) if isinstance(entry.event, GameStart)]
    events = events[begun[-1] :] if begun else events
    if seat is not None:
        return events, named_seat(events, seat)
    named = events[0].event.seat if events and isinstance(events[0].event, GameStart) else None
    if named is None:
        raise UsageError("whose decision? No start_game has an id, so give --seat")
    return events, named


def record_of(source: str) -> list[Path]:
    """Return the record that ``LOG:MOMENT`` names; none if a position comes from elsewhere."""
    found = _MOMENT.fullmatch(source)
    return [] if found is None else [Path(found[1])]


def from_log(source: str, options: argparse.Namespace) -> Found:
    """Return the events of a record up to a moment, ``LOG:ROUND.TURN``, and the seat of ``--seat``.

    Raises
    ------
    LogError
        If the record cannot be read.
    UsageError
        If there is no such moment or seat.
    """
    found = _MOMENT.fullmatch(source)
    if found is None:
        raise UsageError(f"{source}: a log and a moment, as in game.mjson:South-2.7 (round and turn)")
    path, wind, number, honba, turn = found.groups()
    game, notes = chosen_game(Path(path), options)
    seat = _seat_of(game, options.seat, path)
    wanted = (wind[0].upper(), int(number))
    start = next((at for at, entry in enumerate(game) if _begins(entry.event, wanted, honba)), None)
    if start is None:
        rounds = [_round_name(entry.event) for entry in game if isinstance(entry.event, RoundStart)]
        raise UsageError(f"{source}: no such round; there are {', '.join(rounds)}")
    player = Player(seat, make_agent("tsumogiri"), RULES[options.rules])
    at = _moment(game, start, player, int(turn))
    if at is None:
        raise UsageError(f"{source}: {game_names(game)[seat]} has nothing to decide in this turn")
    report_all(notes)
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
    return f"{ENGLISH.text(f'wind.{event.round_wind}')}-{event.number}{repeat}"


def _begins(event: Event | None, wanted: tuple[str, int], honba: str | None) -> bool:
    if not isinstance(event, RoundStart) or (event.round_wind, event.number) != wanted:
        return False
    return honba is None or event.honba == int(honba)


def _moment(game: Sequence[LogEntry], start: int, player: Player, turn: int) -> int | None:
    """Return the event after which the player decides in an own turn, failing that on an offered tile."""
    seat = player.state.seat
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
