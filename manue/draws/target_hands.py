"""Target hands: the complete hands within reach, and the tiles that each still needs.

A target hand is complete once its ``needed`` tiles (target hand minus hand, by kind) have been drawn; it
allows the discard of any ``spare`` tile (hand minus target hand). All target hands that need at most
``bound`` tiles are listed, in all three forms: regular (the sets not yet called, and a pair), seven pairs,
thirteen orphans.

A target hand consists of four *parts*, one per group of tiles (three suits, honors). A part has its units
(sets, or pairs of seven pairs), may hold the pair, and lists the tiles it lacks and those it leaves over.
Parts are sorted into buckets (`manue.draws.target_parts`). Listing target hands is then a product of buckets
without any test, their number is known in advance, and ``manue.draws.win`` can do most of its work once per
part.
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import I8, I32, I64
from manue.compiled import compiled
from manue.draws.target_parts import (
    FORMS,
    GROUPS,
    MAX_COST,
    MAX_UNITS,
    OUT_OF_REACH,
    Parts,
    bucket_of,
    parts_of,
)
from manue.hand.shanten import TABLES, shanten_of
from manue.tiles import Counts

LIMIT = 20_000
"""If there are more target hands than this, one exchange less is allowed."""


class TargetHands(NamedTuple):
    """Complete hands within reach.

    Attributes
    ----------
    bound : int
        Maximum number of tiles a target hand may need.
    complete : bool
        Whether ``bound`` is as requested; it is lowered if there are more than ``LIMIT`` target hands.
    parts : Parts
        Of all forms.
    forms : int8[n]
        ``REGULAR``, ``SEVEN_PAIRS``, ``ORPHANS`` (``manue.hand.value``).
    members : int32[n, 4]
        Row of each group's part.
    costs : int8[n]
        Number of tiles needed.
    """

    bound: int
    complete: bool
    parts: Parts
    forms: I8
    members: I32
    costs: I8

    def needed(self, target: int) -> Counts:
        """Return the tiles a target hand needs: int8[34]."""
        return np.concatenate(self.parts.needed[self.members[target]])[:34]

    def tiles(self, target: int) -> Counts:
        """Return the concealed tiles of a target hand: int8[34]."""
        return np.concatenate(self.parts.tiles[self.members[target]])[:34]


def find_target_hands(
    counts: Counts, unseen: Counts, melds: int = 0, extra: int = 1, limit: int = LIMIT
) -> TargetHands:
    """List the target hands that need at most shanten + 1 + ``extra`` tiles.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles, 3n + 1 or 3n + 2.
    unseen : int8[34]
        Copies that may still be drawn; a target hand that needs more is dropped.
    melds : int
        Called sets; with any, only the regular form remains.
    extra : int
        Exchanges beyond the minimum.
    limit : int
        If there are more target hands than this, ``extra`` is lowered (not below 0).
    """
    shanten = int(shanten_of(counts, melds, TABLES.packed))
    requested = bound = min(shanten + 1 + extra, MAX_COST)
    wanted = ((4 - melds, 1), (7, 0), (0, 1))  # units and pairs of each form
    while True:
        parts, starts = parts_of(counts, unseen, melds, bound)
        totals = [_count(starts, form, *wanted[form], bound) for form in range(FORMS)]
        if sum(totals) <= limit or bound <= shanten + 1:
            break
        bound -= 1
    forms = np.repeat(np.arange(FORMS, dtype=np.int8), totals)
    members, costs = np.empty((len(forms), 4), np.int32), np.empty(len(forms), np.int8)
    end = 0
    for form, total in enumerate(totals):
        start, end = end, end + total
        _combine(starts, form, *wanted[form], bound, members[start:end], costs[start:end])
    return TargetHands(bound, bound == requested, parts, forms, members, costs)


# ---- kernels


@compiled
def _least_costs(starts: I64, form: int) -> I64:
    """Return the lowest cost of a form's parts by group, units and pair; `OUT_OF_REACH` without any."""
    least = np.full((GROUPS, MAX_UNITS + 1, 2), OUT_OF_REACH, np.int64)
    for group in range(GROUPS):
        for units in range(MAX_UNITS + 1):
            for pair in range(2):
                base = bucket_of(form, group, units, pair)
                for cost in range(MAX_COST, -1, -1):
                    if starts[base + cost + 1] > starts[base + cost]:
                        least[group, units, pair] = cost
    return least


@compiled
def _count(starts: I64, form: int, units: int, pairs: int, bound: int) -> int:
    """Count the target hands of a form: a convolution of the sizes of the buckets."""
    ways = np.zeros((units + 1, 2, bound + 1), np.int64)
    ways[0, 0, 0] = 1
    for group in range(GROUPS):
        joined = np.zeros((units + 1, 2, bound + 1), np.int64)
        for have in range(units + 1):
            for added in range(units + 1 - have):
                for pair in range(2):
                    base = bucket_of(form, group, added, pair)
                    for cost in range(bound + 1):
                        size = starts[base + cost + 1] - starts[base + cost]
                        if size == 0:
                            continue
                        for had_pair in range(2 - pair):
                            for spent in range(bound + 1 - cost):
                                joined[have + added, had_pair + pair, spent + cost] += (
                                    ways[have, had_pair, spent] * size
                                )
        ways = joined
    total = 0
    for cost in range(bound + 1):
        total += ways[units, pairs, cost]
    return total


@compiled
def _combine(starts: I64, form: int, units: int, pairs: int, bound: int, members: I32, costs: I8) -> None:
    """Write every combination of four parts with these units and pairs that lacks at most ``bound`` tiles."""
    least = _least_costs(starts, form)
    n = 0
    for u0 in range(units + 1):
        for u1 in range(units + 1 - u0):
            for u2 in range(units + 1 - u0 - u1):
                u3 = units - u0 - u1 - u2
                for holder in range(4 if pairs else 1):
                    p0 = int(pairs == 1 and holder == 0)
                    p1 = int(pairs == 1 and holder == 1)
                    p2 = int(pairs == 1 and holder == 2)
                    p3 = int(pairs == 1 and holder == 3)
                    last = least[3, u3, p3]
                    rest = last + least[2, u2, p2]
                    if least[0, u0, p0] + least[1, u1, p1] + rest > bound:
                        continue
                    b0, b1 = bucket_of(form, 0, u0, p0), bucket_of(form, 1, u1, p1)
                    b2, b3 = bucket_of(form, 2, u2, p2), bucket_of(form, 3, u3, p3)
                    for c0 in range(bound + 1 - rest - least[1, u1, p1]):
                        for i0 in range(starts[b0 + c0], starts[b0 + c0 + 1]):
                            for c1 in range(bound + 1 - rest - c0):
                                for i1 in range(starts[b1 + c1], starts[b1 + c1 + 1]):
                                    n = _combine_rest(
                                        starts, b2, b3, bound, last, i0, i1, c0 + c1, members, costs, n
                                    )


@compiled
def _combine_rest(
    starts: I64,
    b2: int,
    b3: int,
    bound: int,
    last: int,
    i0: int,
    i1: int,
    spent: int,
    members: I32,
    costs: I8,
    n: int,
) -> int:
    for c2 in range(bound + 1 - spent - last):
        for i2 in range(starts[b2 + c2], starts[b2 + c2 + 1]):
            for c3 in range(bound + 1 - spent - c2):
                for i3 in range(starts[b3 + c3], starts[b3 + c3 + 1]):
                    members[n, 0], members[n, 1], members[n, 2], members[n, 3] = i0, i1, i2, i3
                    costs[n] = spent + c2 + c3
                    n += 1
    return n
