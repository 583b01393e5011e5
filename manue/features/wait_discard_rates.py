"""Discard rates of waits: how readily the three opponents discard a kind, given what they can see.

In the Monte Carlo draws every unseen tile is equally likely to come. Opponents, however, discard honors and
edge tiles sooner than middle tiles, and suji of a river sooner than non-suji, and they keep dora. A table
learned from records (`manue.training.wait_discard_rates`) gives the share of the unseen copies of a kind that
they discard within the rest of the round, by the kind's class (`AXES`). It is looked up for the kinds a
tenpai hand waits for, and becomes columns of ``manue.features.afterstate``.
"""

import math
from typing import Any

from manue.arrays import F64, I8
from manue.compiled import compiled
from manue.tiles import EDGE_DISTANCE, Kind

CLOSED, OPENED, DECLARED = range(3)
"""How this seat's hand looks to the others: no calls; called sets; in riichi."""

AXES = (
    ("how this seat's hand looks", ("closed", "open", "in riichi")),
    ("tiles left in the wall", ("48 or more", "32-47", "16-31", "under 16")),
    ("shape", ("other winds", "dragons and the round wind", "1 and 9", "2 and 8", "3 and 7", "4 to 6")),
    ("ryanmen that may wait on it", ("none", "one", "two")),
    ("copies all can see", ("none", "1", "2", "3")),
    ("dora", ("no", "yes")),
)
"""The attributes that define a class, with the names of their values.

A ryanmen on a kind is impossible if its other end lies in this seat's river (suji), or if everybody sees four
copies of a tile that it would hold.
"""

TABLE_SHAPE = tuple(len(values) for _, values in AXES)
CLASSES = math.prod(TABLE_SHAPE)
_STAGE_TILES = 16


# ---- kernels


@compiled
def wait_class(here: Any, counts: I8, thrown: Kind, kind: Kind, manner: int) -> int:
    """Return the class of a kind: its index in a flattened table of `TABLE_SHAPE`.

    Parameters
    ----------
    here : SCENE
        Before the decision.
    counts : int8[34]
        Concealed tiles after it.
    thrown : int
        The kind discarded, -1 if none.
    kind : int
    manner : {CLOSED, OPENED, DECLARED}
    """
    stage = 3 - min(int(here["tiles_left"]) // _STAGE_TILES, 3)
    sides = 0
    if kind >= 27:
        shape = int(kind >= 31 or kind == here["round_wind"])
    else:
        shape = 2 + min(int(EDGE_DISTANCE[kind]) - 1, 3)
        sides = _ryanmen(here, counts, thrown, kind, -1) + _ryanmen(here, counts, thrown, kind, 1)
    seen = min(max(int(here["visible"][kind]) - int(counts[kind]), 0), 3)
    dora = int(here["dora"][kind] > 0)
    place = (manner * TABLE_SHAPE[1] + stage) * TABLE_SHAPE[2] + shape
    return ((place * TABLE_SHAPE[3] + sides) * TABLE_SHAPE[4] + seen) * TABLE_SHAPE[5] + dora


@compiled
def _ryanmen(here: Any, counts: I8, thrown: Kind, kind: Kind, step: int) -> int:
    """Return whether, to the others, a ryanmen of the tiles on one side of the kind may wait on it."""
    other = kind % 9 + 3 * step
    if other < 0 or other > 8:
        return 0
    end = kind + 3 * step
    if here["safe"][0, end] != 0 or end == thrown:
        return 0
    for i in (1, 2):
        held = kind + i * step
        if here["visible"][held] - counts[held] >= 4:
            return 0
    return 1


@compiled
def expected_ron_tiles(here: Any, counts: I8, thrown: Kind, waits: int, manner: int, table: F64) -> float:
    """Return the expected number of copies of the waits that opponents will discard.

    Parameters
    ----------
    here, counts, thrown, manner
        As for `wait_class`.
    waits : int
        Bit k is set for a kind k that the hand may win on by ron.
    table : float64[CLASSES]
    """
    total = 0.0
    for kind in range(34):
        unseen = 4 - int(here["visible"][kind])
        if waits >> kind & 1 and unseen > 0:
            total += unseen * table[wait_class(here, counts, thrown, kind, manner)]
    return total
