"""Whose hands a record shows."""

from collections.abc import Iterable

from manue.game.events import RoundStart
from manue.records.archive import LogEntry


def open_hands(game: Iterable[LogEntry]) -> tuple[bool, ...]:
    """Return for each seat whether its hand is shown at the start of every round."""
    starts = [entry.event for entry in game if isinstance(entry.event, RoundStart)]
    return tuple(all(None not in start.hands[seat] for start in starts) for seat in range(4))
