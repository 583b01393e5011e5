"""What paired rounds say (`manue.match.paired_rounds`), as a table for people."""

from collections.abc import Iterator, Sequence

import numpy as np

from manue.arrays import F64, Bool
from manue.as_text import counted, percent
from manue.intervals import mean_with_interval
from manue.match.paired_rounds import CHOICES, SAME, Gain


def gains_table(rounds: Sequence[tuple[Gain, ...]], challenger: str, reference: str) -> str:
    """Return what the challenger gained per round and seat, and by what its first different choice was about.

    Parameters
    ----------
    rounds : sequence of tuple of Gain
        By round and seat.
    challenger, reference : str
        Their names.
    """
    return "\n".join(_lines(np.array(rounds, np.float64), challenger, reference))


def _lines(gains: F64, challenger: str, reference: str) -> Iterator[str]:
    """Yield the lines from float64[rounds, 4, (choice, points, place)]."""
    choices = gains[:, :, 0].astype(np.int64)
    seats = choices.size
    dealt = f"{counted(len(gains), 'round')} dealt, {counted(seats, 'seat')}"
    yield f"{challenger} instead of {reference} in one seat, {dealt}"
    yield ""
    yield "| first different choice | seats | points per seat | expected place per seat |"
    yield "|---|---|---|---|"
    yield f"| all | {seats:,} | {_mean(gains, choices >= SAME)} |"
    for number, name in enumerate(CHOICES):
        which = choices == number
        if which.any():
            yield f"| {name} | {which.sum():,} ({percent(which.mean())}) | {_mean(gains, which)} |"
    yield ""
    yield "± 95 % intervals over rounds; a place below 0 is a gain. A game has about 11 rounds."


def _mean(gains: F64, which: Bool) -> str:
    """Return the means over some seats as two cells; seats of one round share its wall."""
    rounds, _ = np.nonzero(which)
    _, points, places = gains[which].T
    return f"{mean_with_interval(points, rounds)} | {mean_with_interval(places, rounds, 4)}"
