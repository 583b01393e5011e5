"""The hands that trials win with most often, in tiles."""

from dataclasses import dataclass

import numpy as np

from manue.draws.win import SILENT, Tally
from manue.tiles import KINDS, RED_OF, Counts, Tile


@dataclass(frozen=True, slots=True)
class FrequentHand:
    """A complete hand.

    Parameters
    ----------
    tiles : tuple of str
        Concealed tiles in order.
    last : str
        The needed tile that most likely comes last: the one of which most copies are unseen.
    share : float
        Of the trials won.
    points : float
        Mean points without honba and deposits.
    """

    tiles: tuple[Tile, ...]
    last: Tile
    share: float
    points: float


def frequent_hands(
    tally: Tally, row: int, column: int, number: int, *, reds: tuple[int, int, int], unseen: Counts
) -> list[FrequentHand]:
    """Return the hands that won the most trials, most first, the more valuable of equals first.

    Parameters
    ----------
    tally : Tally
        Of ``estimate_wins(..., tell_goals=True)``.
    row, column : int
        Row and column of the estimate.
    number : int
        How many at most.
    reds : tuple of int
        Red fives of m, p, s held; a goal with fives holds them too.
    unseen : int8[34]
    """
    taken = tally.taken[row, :, column]
    won = np.flatnonzero(taken)
    values = tally.values[:, 0 if row == SILENT else 1]
    first = won[np.lexsort((-values[won], -taken[won]))[:number]]
    total = taken.sum()
    found = []
    for goal in first.tolist():
        needed = tally.goals.needed(goal) > 0
        last = int(np.argmax(np.where(needed, unseen, -1)))
        tiles = _names(tally.goals.target(goal), reds)
        name = KINDS[last]
        found.append(
            FrequentHand(
                tiles,
                name if name in tiles else RED_OF[last],
                float(taken[goal] / total),
                float(values[goal]),
            )
        )
    return found


def _names(target: Counts, reds: tuple[int, int, int]) -> tuple[Tile, ...]:
    """Name the tiles of a goal, a held red five in place of a plain one."""
    tiles = [KINDS[kind] for kind in np.repeat(np.arange(34), target)]
    for (kind, red), held in zip(RED_OF.items(), reds, strict=True):
        if held and KINDS[kind] in tiles:
            tiles[tiles.index(KINDS[kind])] = red
    return tuple(tiles)
