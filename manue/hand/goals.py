"""Goals: the complete hands within reach, and the tiles that each still needs.

A goal is complete when its ``needed`` tiles (goal less hand, by kind) have been drawn; a discard serves it
when the tile is ``spare`` (hand less goal). All goals that need at most ``bound`` tiles are listed, of all
three forms: regular (as many sets as are not called, and a pair), seven pairs, thirteen orphans.

A goal is put together from four *parts*, one per group of tiles (three suits, honors). A part knows its
units (sets, or pairs of seven pairs), whether it holds the pair, the tiles it lacks and leaves. Parts are
sorted into buckets by (units, pair, cost), so that listing goals is a product of buckets without a test,
their number is known before, and whoever works through the goals (``manue.estimate.win``) can do most of
its work once per part.

How far a suit may go is bounded by what the other suits lack at least, from the rows of distances behind
shanten (``manue.hand.tables``).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from manue.compiled import compiled
from manue.hand.shanten import TABLES, group_ids, orphans_of, regular_of, seven_pairs_of
from manue.hand.tables import Bytes
from manue.hand.value import REGULAR, SEVEN_PAIRS
from manue.hand.yaku import TRIPLET
from manue.tiles import Counts

GROUPS = 4
MAX_UNITS = 7
MAX_COST = 15
LIMIT = 20_000
"""With more goals than this one exchange less is allowed."""

Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


class Parts(NamedTuple):
    """What groups of tiles may contribute, sorted by bucket.

    Attributes
    ----------
    group : int8[n]
        0..2 the suits, 3 the honors.
    key : int16[n]
        ``(units * 2 + pair) * (MAX_COST + 1) + cost``.
    needed : int8[n, 9]
        Tiles lacking, by number within the group.
    sets : int16[n, 4]
        Set codes of the units (regular form).
    pair : int8[n]
        Kind of the pair, -1 if the part holds none.
    held : int64[n]
        Bit of each kind the part consists of.
    spare : int64[n]
        Bit of each kind of which the hand holds more than the part.
    lacking : int64[n]
        Bit of each kind the part needs.
    target : int8[n, 9]
        Tiles of the part.
    """

    group: Int8
    key: Int16
    needed: Int8
    sets: Int16
    pair: Int8
    held: Int64
    spare: Int64
    lacking: Int64
    target: Int8


class Goals(NamedTuple):
    """Complete hands within reach.

    Attributes
    ----------
    bound : int
        Most tiles a goal may need.
    complete : bool
        Whether ``bound`` is the one asked for; one less where there were more than ``LIMIT`` goals.
    parts : tuple of Parts
        Of the three forms.
    forms : int8[n]
        ``REGULAR``, ``SEVEN_PAIRS``, ``ORPHANS`` (``manue.hand.value``).
    members : int32[n, 4]
        Row of each group's part in the parts of that form.
    costs : int8[n]
        Tiles needed.
    """

    bound: int
    complete: bool
    parts: tuple[Parts, Parts, Parts]
    forms: Int8
    members: Int32
    costs: Int8

    def needed(self, goal: int) -> Counts:
        """Return the tiles a goal needs: int8[34]."""
        return self._gather(goal, 2)

    def target(self, goal: int) -> Counts:
        """Return the concealed tiles of a goal: int8[34]."""
        return self._gather(goal, 8)

    def _gather(self, goal: int, field: int) -> Counts:
        table = self.parts[self.forms[goal]][field]
        return np.concatenate([table[row] for row in self.members[goal]])[:34]


def find_goals(counts: Counts, unseen: Counts, melds: int = 0, extra: int = 1, limit: int = LIMIT) -> Goals:
    """List the goals that need at most shanten + 1 + ``extra`` tiles.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles, 3n + 1 or 3n + 2.
    unseen : int8[34]
        Copies that may still be drawn; a goal that needs more is dropped.
    melds : int
        Called sets; with them only the regular form remains.
    extra : int
        Exchanges beyond the fewest.
    limit : int
        With more goals than this, ``extra`` is lowered (not below 0).
    """
    shanten = _least_shanten(counts, melds, TABLES.packed)
    asked = bound = min(shanten + 1 + extra, MAX_COST)
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
    return Goals(bound, bound == asked, parts, forms, members, costs)


def _wanted(melds: int) -> tuple[tuple[int, int], ...]:
    """Units and pairs of each form."""
    return (4 - melds, 1), (7, 0), (0, 1)


_NO_PARTS = Parts(
    np.empty(0, np.int8),
    np.empty(0, np.int16),
    np.empty((0, 9), np.int8),
    np.empty((0, 4), np.int16),
    np.empty(0, np.int8),
    np.empty(0, np.int64),
    np.empty(0, np.int64),
    np.empty(0, np.int64),
    np.empty((0, 9), np.int8),
)


def _all_parts(
    counts: Counts, unseen: Counts, melds: int, bound: int
) -> tuple[tuple[Parts, Parts, Parts], list[Int32], list[int]]:
    """Return the parts of each form, where their buckets start, and how many goals they make."""
    parts, starts, totals = [], [], []
    for form, (units, pairs) in enumerate(_wanted(melds)):
        start = np.zeros((GROUPS, (MAX_UNITS + 1) * 2 * (MAX_COST + 1) + 1), np.int32)
        found, total = _NO_PARTS, 0
        if form == REGULAR or (melds == 0 and _form_cost(form, counts) <= bound):
            found = _parts_of(form, counts, unseen, units, bound)
            _bucket_starts(found.group, found.key, start)
            total = _count(start, units, pairs, bound)
        parts.append(found)
        starts.append(start)
        totals.append(total)
    return (parts[0], parts[1], parts[2]), starts, totals


def _form_cost(form: int, counts: Counts) -> int:
    return 1 + int(seven_pairs_of(counts) if form == SEVEN_PAIRS else orphans_of(counts))


def _parts_of(form: int, counts: Counts, unseen: Counts, units: int, bound: int) -> Parts:
    capacity = 1024
    while True:
        parts = Parts(
            np.empty(capacity, np.int8),
            np.empty(capacity, np.int16),
            np.empty((capacity, 9), np.int8),
            np.empty((capacity, 4), np.int16),
            np.empty(capacity, np.int8),
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int64),
            np.empty((capacity, 9), np.int8),
        )
        found = _fill_parts(
            form, counts, unseen, units, bound, TABLES.packed, TABLES.suit_rows, TABLES.honor_rows, parts
        )
        if found >= 0:
            break
        capacity *= 4
    order = np.lexsort((parts.key[:found], parts.group[:found]))
    return Parts._make(array[:found][order] for array in parts)


# ---- kernels


@compiled
def _least_shanten(counts: Counts, melds: int, tables: Bytes) -> int:
    best = regular_of(counts, melds, tables)
    if melds == 0:
        best = min(best, seven_pairs_of(counts), orphans_of(counts))
    return int(best)


@compiled
def _fill_parts(
    form: int,
    counts: Counts,
    unseen: Counts,
    units: int,
    bound: int,
    tables: Bytes,
    suit_rows: Bytes,
    honor_rows: Bytes,
    parts: Parts,
) -> int:
    """Fill the parts of a form, group by group; return their number, -1 if there is no room."""
    n = 0
    hand = np.zeros(9, np.int8)
    left = np.zeros(9, np.int8)
    ids = group_ids(counts, tables)
    rows = np.empty((GROUPS, 10), np.int64)
    for column in range(10):
        rows[0, column] = suit_rows[ids[0], column]
        rows[1, column] = suit_rows[ids[1], column]
        rows[2, column] = suit_rows[ids[2], column]
        rows[3, column] = honor_rows[ids[3], column]
    allowed = np.empty((5, 2), np.int64)
    for group in range(GROUPS):
        size = 9 if group < 3 else 7
        hand[:] = 0
        left[:] = 0
        hand[:size] = counts[9 * group : 9 * group + size]
        left[:size] = unseen[9 * group : 9 * group + size]
        if form == REGULAR:
            _allow(rows, group, units, bound, allowed)
            n = _regular_parts(group, hand, left, units, allowed, parts, n)
        elif form == SEVEN_PAIRS:
            n = _pair_parts(group, hand, left, bound, parts, n)
        else:
            n = _orphan_parts(group, hand, left, bound, parts, n)
        if n < 0:
            return -1
    return n


@compiled
def _allow(rows: Int64, group: int, units: int, bound: int, allowed: Int64) -> None:
    """Tell how many tiles a group may lack, by its sets and pair: what the others leave of the bound."""
    rest = np.full((5, 2), 99, np.int64)
    rest[0, 0] = 0
    for other in range(GROUPS):
        if other == group:
            continue
        joined = np.full((5, 2), 99, np.int64)
        for sets in range(units + 1):
            for pair in range(2):
                for own in range(sets + 1):
                    for own_pair in range(pair + 1):
                        cost = rest[sets - own, pair - own_pair] + rows[other, 2 * own + own_pair]
                        joined[sets, pair] = min(joined[sets, pair], cost)
        rest = joined
    allowed[:] = -1
    for sets in range(units + 1):
        for pair in range(2):
            allowed[sets, pair] = bound - rest[units - sets, 1 - pair]


@compiled
def _lack(target: Int8, hand: Int8, left: Int8) -> int:
    """Count the tiles a target lacks; 99 if they are no longer to be had."""
    cost = 0
    for number in range(9):
        missing = target[number] - hand[number]
        if missing > 0:
            if missing > left[number]:
                return 99
            cost += missing
    return cost


@compiled
def _add_set(target: Int8, kind: int, sign: int) -> bool:
    """Put a set (0..6 runs, 7..15 triplets) into the target or take it out; tell whether four copies do."""
    fits = True
    if kind < 7:
        for number in range(kind, kind + 3):
            target[number] += sign
            fits = fits and target[number] <= 4
    else:
        target[kind - 7] += 3 * sign
        fits = target[kind - 7] <= 4
    return fits


@compiled
def _regular_parts(
    group: int, hand: Int8, left: Int8, units: int, allowed: Int64, parts: Parts, n: int
) -> int:
    """List every multiset of sets, with and without a pair, that lacks no more than allowed."""
    first, last = (0, 16) if group < 3 else (7, 14)
    target = np.zeros(9, np.int8)
    chosen = np.zeros(5, np.int64)
    deeper = np.full(6, -1, np.int64)  # most that may be lacking with at least so many sets
    for sets in range(units, -1, -1):
        deeper[sets] = max(deeper[sets + 1], allowed[sets, 0], allowed[sets, 1])
    n = _emit_regular(group, hand, left, target, chosen, 0, allowed, parts, n)
    if n < 0 or units == 0:
        return n
    depth = 0
    chosen[0] = first - 1
    while depth >= 0:
        chosen[depth] += 1
        if chosen[depth] >= last:
            depth -= 1
            if depth >= 0:
                _add_set(target, chosen[depth], -1)
            continue
        fits = _add_set(target, chosen[depth], 1)
        if fits and _lack(target, hand, left) <= deeper[depth + 1]:
            n = _emit_regular(group, hand, left, target, chosen, depth + 1, allowed, parts, n)
            if n < 0:
                return n
            if depth + 1 < units:
                depth += 1
                chosen[depth] = chosen[depth - 1] - 1
                continue
        _add_set(target, chosen[depth], -1)
    return n


@compiled
def _emit_regular(
    group: int,
    hand: Int8,
    left: Int8,
    target: Int8,
    chosen: Int64,
    sets: int,
    allowed: Int64,
    parts: Parts,
    n: int,
) -> int:
    """Note the sets chosen so far, alone and with every pair."""
    if n + 10 > len(parts.group):
        return -1
    cost = _lack(target, hand, left)
    if cost <= allowed[sets, 0]:
        _note(group, hand, target, sets, 0, cost, parts, n)
        _note_sets(group, chosen, sets, -1, parts, n)
        n += 1
    for number in range(9 if group < 3 else 7):
        if target[number] <= 2:
            target[number] += 2
            cost = _lack(target, hand, left)
            if cost <= allowed[sets, 1]:
                _note(group, hand, target, sets, 1, cost, parts, n)
                _note_sets(group, chosen, sets, 9 * group + number, parts, n)
                n += 1
            target[number] -= 2
    return n


@compiled
def _note_sets(group: int, chosen: Int64, sets: int, pair: int, parts: Parts, n: int) -> None:
    for i in range(4):
        parts.sets[n, i] = -1
    for i in range(sets):
        kind = chosen[i]
        parts.sets[n, i] = 9 * group + kind if kind < 7 else 9 * group + kind - 7 + TRIPLET
    parts.pair[n] = pair


@compiled
def _note(
    group: int, hand: Int8, target: Int8, units: int, pair: int, cost: int, parts: Parts, n: int
) -> None:
    """Write a part: its bucket, what it lacks and what it leaves."""
    parts.group[n] = group
    parts.key[n] = (units * 2 + pair) * (MAX_COST + 1) + cost
    parts.pair[n] = -1
    held = spare = lacking = 0
    for number in range(9):
        bit = 1 << (9 * group + number)
        parts.target[n, number] = target[number]
        missing = target[number] - hand[number]
        parts.needed[n, number] = max(missing, 0)
        if target[number] > 0:
            held |= bit
        if missing > 0:
            lacking |= bit
        elif missing < 0:
            spare |= bit
    parts.held[n], parts.spare[n], parts.lacking[n] = held, spare, lacking


@compiled
def _pair_parts(group: int, hand: Int8, left: Int8, bound: int, parts: Parts, n: int) -> int:
    """List every choice of kinds to pair up within a group."""
    size = 9 if group < 3 else 7
    target = np.zeros(9, np.int8)
    for choice in range(1 << size):
        units = 0
        for number in range(size):
            chosen = choice >> number & 1
            target[number] = 2 * chosen
            units += chosen
        if units > MAX_UNITS:
            continue
        cost = _lack(target, hand, left)
        if cost <= bound:
            if n >= len(parts.group):
                return -1
            _note(group, hand, target, units, 0, cost, parts, n)
            n += 1
    return n


@compiled
def _orphan_parts(group: int, hand: Int8, left: Int8, bound: int, parts: Parts, n: int) -> int:
    """List the terminals or honors of a group, alone and with each of them as the pair."""
    size = 9 if group < 3 else 7
    for pair in range(-1, size):
        target = np.zeros(9, np.int8)
        for number in range(size):
            if group == 3 or number in (0, 8):
                target[number] = 2 if number == pair else 1
        if pair >= 0 and target[pair] != 2:
            continue
        cost = _lack(target, hand, left)
        if cost <= bound:
            if n >= len(parts.group):
                return -1
            _note(group, hand, target, 0, int(pair >= 0), cost, parts, n)
            parts.pair[n] = 9 * group + pair if pair >= 0 else -1
            n += 1
    return n


@compiled
def _bucket_starts(group: Int8, key: Int16, start: Int32) -> None:
    """Fill where each bucket starts: ``start[group, key]`` .. ``start[group, key + 1]``."""
    for i in range(len(group)):
        start[group[i], key[i] + 1] += 1
    total = 0
    for g in range(GROUPS):
        for k in range(start.shape[1]):
            total += start[g, k]
            start[g, k] = total


@compiled
def _least_costs(start: Int32) -> Int64:
    """Return the least cost by group, units and pair; 99 where there is no part."""
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
def _count(start: Int32, units: int, pairs: int, bound: int) -> int:
    """Count the goals: a convolution of the sizes of the buckets."""
    ways = np.zeros((units + 1, 2, bound + 1), np.int64)
    ways[0, 0, 0] = 1
    for group in range(GROUPS):
        joined = np.zeros((units + 1, 2, bound + 1), np.int64)
        for have in range(units + 1):
            for own in range(units + 1 - have):
                for pair in range(2):
                    base = (own * 2 + pair) * (MAX_COST + 1)
                    for cost in range(bound + 1):
                        size = start[group, base + cost + 1] - start[group, base + cost]
                        if size == 0:
                            continue
                        for had_pair in range(2 - pair):
                            for spent in range(bound + 1 - cost):
                                joined[have + own, had_pair + pair, spent + cost] += (
                                    ways[have, had_pair, spent] * size
                                )
        ways = joined
    total = 0
    for cost in range(bound + 1):
        total += ways[units, pairs, cost]
    return total


@compiled
def _combine(start: Int32, units: int, pairs: int, bound: int, members: Int32, costs: Int8) -> int:
    """Write every combination of four parts with the wanted units and pairs that lacks at most ``bound``."""
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
    start: Int32,
    b2: int,
    b3: int,
    bound: int,
    last: int,
    i0: int,
    i1: int,
    spent: int,
    members: Int32,
    costs: Int8,
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
