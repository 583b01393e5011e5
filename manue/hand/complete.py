"""Complete hands in compiled code: all regular readings, seven pairs, thirteen orphans.

A regular reading is a row of set codes (`manue.hand.shape`) and the kind of its pair.
"""

import numpy as np

from manue.arrays import I8, I16
from manue.compiled import compiled
from manue.hand.shape import TRIPLET

MAX_READINGS = 64
"""No hand has more regular readings."""


@compiled
def complete_readings(counts: I8, n_sets: int, out: I16) -> int:
    """Read concealed tiles as ``n_sets`` sets and a pair in every possible way.

    The pair and the kinds taken as triplets determine a reading: the runs then follow from the left.

    Parameters
    ----------
    counts : int8[34]
        ``3 * n_sets + 2`` tiles.
    n_sets : int
        0..4.
    out : int16[64, 5]
        Receives the set codes (the first ``n_sets`` columns) and the kind of the pair (column 4).

    Returns
    -------
    int
        The number of distinct readings.
    """
    found = 0
    work = np.empty(34, np.int8)
    triples = np.empty(5, np.int8)
    for pair in range(34):
        if counts[pair] < 2:
            continue
        n_triples = 0
        for kind in range(34):
            if counts[kind] - 2 * (kind == pair) >= 3:
                triples[n_triples] = kind
                n_triples += 1
        for choice in range(1 << n_triples):
            for kind in range(34):
                work[kind] = counts[kind]
            work[pair] -= 2
            n = 0
            for i in range(n_triples):
                if choice >> i & 1:
                    work[triples[i]] -= 3
                    out[found, n] = triples[i] + TRIPLET
                    n += 1
            if _take_runs(work, n, n_sets, out[found]):
                out[found, 4] = pair
                found += 1
    return found


@compiled
def _take_runs(work: I8, n: int, n_sets: int, out: I16) -> bool:
    """Take all remaining tiles as runs after the first ``n`` sets; return whether that works out exactly."""
    for kind in range(34):
        while work[kind] > 0:
            if kind >= 27 or kind % 9 > 6 or n == n_sets or work[kind + 1] == 0 or work[kind + 2] == 0:
                return False
            for tile in range(kind, kind + 3):
                work[tile] -= 1
            out[n] = kind
            n += 1
    return n == n_sets


@compiled
def seven_pairs_kinds(counts: I8) -> int:
    """Return the mask of the kinds if the tiles, int8[34], form seven different pairs, else 0."""
    kinds = 0
    n = 0
    for kind in range(34):
        if counts[kind] == 2:
            kinds |= 1 << kind
            n += 1
        elif counts[kind] != 0:
            return 0
    return kinds if n == 7 else 0


@compiled
def is_orphans(counts: I8) -> bool:
    """Return whether 14 tiles, int8[34], are thirteen orphans."""
    n = 0
    for kind in range(34):
        if kind < 27 and kind % 9 not in (0, 8):
            if counts[kind] != 0:
                return False
        elif counts[kind] == 0:
            return False
        else:
            n += counts[kind]
    return n == 14
