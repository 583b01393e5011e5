"""The decision of a game in which the two best options had nearly the same expected points."""

from collections.abc import Sequence

from manue.agents.base import Decision
from manue.errors import ProtocolError, UsageError
from manue.protocol.annotation import decisions_of
from manue.records.archive import LogEntry
from manue.review.frames import is_shown
from manue.tiles import Seat

MIN_OPTIONS = 8
"""Minimum number of options of a decision to be considered."""


def closest_choice(game: Sequence[LogEntry]) -> tuple[int, Seat, Decision]:
    """Return frame, seat and decision of the choice among many options whose two best are closest.

    Closest in expected points: what broke the tie between them is then shown by the other columns.

    Raises
    ------
    UsageError
        If no decision in the log has enough options with numbers.
    """
    best = None
    for at, entry in enumerate(filter(is_shown, game)):
        for seat, decision in _decisions(entry).items():
            values = [report.expected_points for report in decision.reports]
            if len(values) < MIN_OPTIONS or values[0] is None or values[1] is None:
                continue
            gap = abs(values[0] - values[1])
            if best is None or gap < best[0]:
                best = gap, (at, seat, decision)
    if best is None:
        raise UsageError(f"this log has no decision with expected points for {MIN_OPTIONS} options or more")
    return best[1]


def _decisions(entry: LogEntry) -> dict[Seat, Decision]:
    try:
        return decisions_of(entry.message.meta)
    except ProtocolError:
        return {}  # damaged: the page is shown without it, too
