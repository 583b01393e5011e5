"""Target hands: the complete hands within reach, and the tiles that each still needs.

A target hand is complete once its ``needed`` tiles (target hand minus hand, by kind) have been drawn; it
allows the discard of any ``spare`` tile (hand minus target hand). All target hands that need at most
``bound`` tiles are listed, in all three forms: regular (the sets not yet called, and a pair), seven pairs,
thirteen orphans.

A target hand consists of four *parts*, one per group of tiles (three suits, honors). A part has its units
(sets, or pairs of seven pairs), may hold the pair, and lists the tiles it lacks and those it leaves over.
Parts are sorted into buckets by (units, pair, cost). Listing target hands is then a product of buckets
without any test, their number is known in advance, and ``manue.draws.win`` can do most of its work once per
part.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from manue.arrays import I8, I16, I32, I64
from manue.compiled import compiled
from manue.draws.target_parts import GROUPS, KEYS, MAX_COST, MAX_UNITS, NO_PARTS, Parts, parts_of
from manue.hand.shanten import TABLES, orphans_of, seven_pairs_of, shanten_of
from manue.hand.value import REGULAR, SEVEN_PAIRS
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
    parts : tuple of Parts
        The parts of the three forms.
    forms : int8[n]
        ``REGULAR``, ``SEVEN_PAIRS``, ``ORPHANS`` (``manue.hand.value``).
    members : int32[n, 4]
        Row of each group's part among the parts of that form.
    costs : int8[n]
        Number of tiles needed.
    """

    bound: int
    complete: bool
    parts: tuple[Parts, Parts, Parts]
    forms: I8
    members: I32
    costs: I8

    def needed(self, target: int) -> Counts:
        """Return the tiles a target hand needs: int8[34]."""
        return self._gather(target, [parts.needed for parts in self.parts])

    def tiles(self, target: int) -> Counts:
        """Return the concealed tiles of a target hand: int8[34]."""
        return self._gather(target, [parts.tiles for parts in self.parts])

    def _gather(self, target: int, tables: Sequence[I8]) -> Counts:
        table = tables[self.forms[target]]
        return np.concatenate([table[row] for row in self.members[target]])[:34]


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
    while True:
        parts, starts, totals = _all_parts(counts, unseen, melds, bound)
        if sum(totals) <= limit or bound <= shanten + 1:
            break
        bound -= 1
    total = sum(totals)
    forms, members = np.empty(total, np.int8), np.empty((total, 4), np.int32)
    costs = np.empty(total, np.int8)
    at = 0
    for form, (units, pairs) in enumerate(_wanted(melds)):
        if totals[form]:
            end = at + totals[form]
            forms[at:end] = form
            _combine(starts[form], units, pairs, bound, members[at:end], costs[at:end])
            at = end
    return TargetHands(bound, bound == requested, parts, forms, members, costs)


def _wanted(melds: int) -> tuple[tuple[int, int], ...]:
    """Return the units and pairs of each form."""
    return (4 - melds, 1), (7, 0), (0, 1)


def _all_parts(
    counts: Counts, unseen: Counts, melds: int, bound: int
) -> tuple[tuple[Parts, Parts, Parts], list[I32], list[int]]:
    """Return the parts of each form, where their buckets start, and how many target hands they give."""
    parts, starts, totals = [], [], []
    for form, (units, pairs) in enumerate(_wanted(melds)):
        start = np.zeros((GROUPS, KEYS + 1), np.int32)
        found, total = NO_PARTS, 0
        if form == REGULAR or (melds == 0 and _form_cost(form, counts) <= bound):
            found = parts_of(form, counts, unseen, units, bound)
            _bucket_starts(found.group, found.key, start)
            total = _count(start, units, pairs, bound)
        parts.append(found)
        starts.append(start)
        totals.append(total)
    return (parts[0], parts[1], parts[2]), starts, totals


def _form_cost(form: int, counts: Counts) -> int:
    return 1 + int(seven_pairs_of(counts) if form == SEVEN_PAIRS else orphans_of(counts))


# ---- kernels


@compiled
def _bucket_starts(group: I8, key: I16, start: I32) -> None:
    """Fill in where each bucket starts and ends: ``start[group, key]`` .. ``start[group, key + 1]``."""
    for i in range(len(group)):
        start[group[i], key[i] + 1] += 1
    total = 0
    for g in range(GROUPS):
        for k in range(start.shape[1]):
            total += start[g, k]
            start[g, k] = total


@compiled
def _least_costs(start: I32) -> I64:
    """Return the lowest cost by group, units and pair; 99 where there is no part."""
    least = np.full((GROUPS, MAX_UNITS + 1, 2), 99, np.int64)
    for group in range(GROUPS):
        for units in range(MAX_UNITS + 1):
            for pair in range(2):
                base = (units * 2 + pair) * (MAX_COST + 1)
                for cost in range(MAX_COST, -1, -1):
                    if start[group, base + cost + 1] > start[group, base + cost]:
                        least[group, units, pair] = cost
    return least


@compiled
def _count(start: I32, units: int, pairs: int, bound: int) -> int:
    """Count the target hands: a convolution of the sizes of the buckets."""
    ways = np.zeros((units + 1, 2, bound + 1), np.int64)
    ways[0, 0, 0] = 1
    for group in range(GROUPS):
        joined = np.zeros((units + 1, 2, bound + 1), np.int64)
        for have in range(units + 1):
            for added in range(units + 1 - have):
                for pair in range(2):
                    base = (added * 2 + pair) * (MAX_COST + 1)
                    for cost in range(bound + 1):
                        size = start[group, base + cost + 1] - start[group, base + cost]
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
def _combine(start: I32, units: int, pairs: int, bound: int, members: I32, costs: I8) -> int:
    """Write every combination of four parts with these units and pairs that lacks at most ``bound`` tiles."""
    least = _least_costs(start)
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
                    b0 = (u0 * 2 + p0) * (MAX_COST + 1)
                    b1 = (u1 * 2 + p1) * (MAX_COST + 1)
                    b2 = (u2 * 2 + p2) * (MAX_COST + 1)
                    b3 = (u3 * 2 + p3) * (MAX_COST + 1)
                    for c0 in range(bound + 1 - rest - least[1, u1, p1]):
                        for i0 in range(start[0, b0 + c0], start[0, b0 + c0 + 1]):
                            for c1 in range(bound + 1 - rest - c0):
                                for i1 in range(start[1, b1 + c1], start[1, b1 + c1 + 1]):
                                    n = _combine_rest(
                                        start, b2, b3, bound, last, i0, i1, c0 + c1, members, costs, n
                                    )
    return n


@compiled
def _combine_rest(
    start: I32,
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
        for i2 in range(start[2, b2 + c2], start[2, b2 + c2 + 1]):
            for c3 in range(bound + 1 - spent - c2):
                for i3 in range(start[3, b3 + c3], start[3, b3 + c3 + 1]):
                    members[n, 0], members[n, 1], members[n, 2], members[n, 3] = i0, i1, i2, i3
                    costs[n] = spent + c2 + c3
                    n += 1
    return n
