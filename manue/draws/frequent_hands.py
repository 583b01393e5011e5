"""The hands that the Monte Carlo draws win with most often, as tiles."""

from dataclasses import dataclass

import numpy as np

from manue.draws.win import SILENT, TargetTally
from manue.tiles import KINDS, RED_OF, Counts, Tile, tiles_in


@dataclass(frozen=True, slots=True)
class FrequentHand:
    """A complete hand.

    Parameters
    ----------
    tiles : tuple of str
        Concealed tiles in order.
    last : str
        The needed tile most likely to come last: the one with the most unseen copies.
    share : float
        Share of the winning Monte Carlo draws.
    points : float
        Mean points without honba and deposits.
    """

    tiles: tuple[Tile, ...]
    last: Tile
    share: float
    points: float


def frequent_hands(
    tally: TargetTally, row: int, column: int, number: int, *, reds: tuple[int, int, int], unseen: Counts
) -> list[FrequentHand]:
    """Return the hands that won the most Monte Carlo draws, in that order; ties go to the more valuable.

    Parameters
    ----------
    tally : TargetTally
        From ``estimate_wins(..., keep_targets=True)``.
    row, column : int
        Row and column of the estimate.
    number : int
        Maximum number of hands.
    reds : tuple of int
        Red fives of m, p, s held; a target hand with fives holds them too.
    unseen : int8[34]
    """
    taken = tally.taken[row, :, column]
    won = np.flatnonzero(taken)
    values = tally.values[:, 0 if row == SILENT else 1]
    first = won[np.lexsort((-values[won], -taken[won]))[:number]]
    total = taken.sum()
    found = []
    for target in first.tolist():
        needed = tally.targets.needed(target) > 0
        # a hand that was complete is so again once the tile discarded has been drawn again
        last = int(np.argmax(np.where(needed, unseen, -1))) if needed.any() else column
        tiles = tiles_in(tally.targets.tiles(target), reds)
        name = KINDS[last]
        found.append(
            FrequentHand(
                tiles,
                name if name in tiles else RED_OF[last],
                float(taken[target] / total),
                float(values[target]),
            )
        )
    return found
