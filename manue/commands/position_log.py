"""Positions of ``manue position`` out of Mjai events, and out of game records."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from manue.api.moments import NOTATION, moment_of, until_moment
from manue.commands.game_choice import chosen_game, report_all
from manue.errors import UsageError
from manue.game.events import GameStart
from manue.records.archive import LogEntry
from manue.review.frames import open_seats
from manue.review.player_names import named_seat
from manue.rules import RULES
from manue.tiles import Seat

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
    path, _, text = source.rpartition(":")
    return [Path(path)] if path and (moment_of(text) is not None or _is_file(path)) else []


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except OSError:  # a name that no file can have
        return False


def from_log(source: str, options: argparse.Namespace) -> Found:
    """Return the events of a record up to a moment, ``LOG:ROUND.TURN``, and the seat of ``--seat``.

    Raises
    ------
    LogError
        If the record cannot be read.
    UsageError
        If there is no such moment or seat.
    """
    records = record_of(source)
    if not records:
        raise UsageError(f"{source}: a log and a moment, as in game.mjson:{NOTATION}")
    game, notes = chosen_game(records[0], options)
    seat = _seat_of(game, options.seat, str(records[0]))
    entries = until_moment(game, source.rpartition(":")[2], seat, RULES[options.rules])
    report_all(notes)
    return list(entries), seat


def _seat_of(game: list[LogEntry], text: str | None, path: str) -> Seat:
    if text is not None:
        return named_seat(game, text)
    shown = [seat for seat, is_open in enumerate(open_seats(game, path)) if is_open]
    if len(shown) > 1:
        raise UsageError("whose decision? The log shows several hands, so give --seat")
    return shown[0]
