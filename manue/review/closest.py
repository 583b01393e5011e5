"""The decision of a game in which the two best options had nearly the same expected points."""

from collections.abc import Sequence

from manue.agents.base import Decision
from manue.errors import ProtocolError
from manue.protocol.annotation import decisions_of
from manue.records.archive import LogEntry
from manue.review.frames import is_shown
from manue.tiles import Seat

MANY_OPTIONS = 8
"""So many options make a decision worth showing; one with fewer is shown only if there is no other."""


def closest_choice(game: Sequence[LogEntry]) -> tuple[int, Seat, Decision] | None:
    """Return frame, seat and decision of the choice among many options whose two best are closest.

    Closest in expected points: what broke the tie between them is then shown by the other columns. Without
    many options it is a choice between fewer, else one without points; ``None`` if no decision has reports.
    """
    choices = [
        (at, seat, decision)
        for at, entry in enumerate(filter(is_shown, game))
        for seat, decision in _decisions(entry).items()
        if decision.reports
    ]
    return min(choices, key=lambda choice: _rank(choice[2]), default=None)


def _rank(decision: Decision) -> tuple[int, float]:
    """Return how late a decision is chosen, and the expected points between its two best options."""
    best, *others = (report.expected_points for report in decision.reports)
    if best is None or not others or others[0] is None:
        return 2, -len(others)
    return (0 if len(decision.reports) >= MANY_OPTIONS else 1), abs(best - others[0])


def _decisions(entry: LogEntry) -> dict[Seat, Decision]:
    try:
        return decisions_of(entry.message.meta)
    except ProtocolError:
        return {}  # damaged: the page is shown without it, too
