"""The parts of target hands: what each group of tiles may contribute, and what it lacks.

How much a suit may lack is bounded by the minimum that the other groups lack, which comes from the rows of
distances behind shanten (``manue.hand.tables``).
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import I8, I16, I64, U8
from manue.compiled import compiled, inlined
from manue.hand.shanten import TABLES, group_ids
from manue.hand.shape import TRIPLET
from manue.hand.value import REGULAR, SEVEN_PAIRS
from manue.tiles import COPIES, Counts

GROUPS = 4
MAX_UNITS = 7
MAX_COST = 15
KEYS = (MAX_UNITS + 1) * 2 * (MAX_COST + 1)
"""Number of buckets per group."""
RUNS = 7
"""Number of runs in a suit; its triplets are numbered from here on."""
NOT_TO_BE_HAD = 99
"""A cost higher than any target hand may have."""


class Parts(NamedTuple):
    """The possible contributions of the groups of tiles, sorted by bucket.

    Attributes
    ----------
    group : int8[n]
        0..2 the suits, 3 the honors.
    key : int16[n]
        ``(units * 2 + pair) * (MAX_COST + 1) + cost``.
    needed : int8[n, 9]
        Missing tiles, by number within the group.
    sets : int16[n, 4]
        Set codes of the units (regular form).
    pair : int8[n]
        Kind of the pair, -1 if the part holds none.
    held : int64[n]
        Bit of each kind the part consists of.
    spare : int64[n]
        Bit of each kind of which the hand holds more than the part does.
    lacking : int64[n]
        Bit of each kind the part needs.
    tiles : int8[n, 9]
        Tiles of the part.
    """

    group: I8
    key: I16
    needed: I8
    sets: I16
    pair: I8
    held: I64
    spare: I64
    lacking: I64
    tiles: I8


def _room_for(count: int) -> Parts:
    """Return so many parts, not yet filled in."""
    return Parts(
        np.empty(count, np.int8),
        np.empty(count, np.int16),
        np.empty((count, 9), np.int8),
        np.empty((count, 4), np.int16),
        np.empty(count, np.int8),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty((count, 9), np.int8),
    )


NO_PARTS = _room_for(0)


def parts_of(form: int, counts: Counts, unseen: Counts, units: int, bound: int) -> Parts:
    """List the parts of a form for target hands with ``units`` units that lack at most ``bound`` tiles."""
    capacity = 1024
    while True:
        parts = _room_for(capacity)
        found = _fill_parts(
            form, counts, unseen, units, bound, TABLES.packed, TABLES.suit_rows, TABLES.honor_rows, parts
        )
        if found >= 0:
            break
        capacity *= 4
    return _sorted(parts, found)


# ---- kernels


@compiled
def _fill_parts(
    form: int,
    counts: Counts,
    unseen: Counts,
    units: int,
    bound: int,
    tables: U8,
    suit_rows: U8,
    honor_rows: U8,
    parts: Parts,
) -> int:
    """Fill in the parts of a form, group by group; return their number, -1 if they do not fit."""
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
        for number in range(size):
            hand[number], left[number] = counts[9 * group + number], unseen[9 * group + number]
        prices = _prices(hand, left)
        if form == REGULAR:
            _allow(rows, group, units, bound, allowed)
            n = _regular_parts(group, hand, prices, units, allowed, parts, n)
        elif form == SEVEN_PAIRS:
            n = _pair_parts(group, hand, prices, bound, parts, n)
        else:
            n = _orphan_parts(group, hand, prices, bound, parts, n)
        if n < 0:
            return -1
    return n


@compiled
def _allow(rows: I64, group: int, units: int, bound: int, allowed: I64) -> None:
    """Fill in how many tiles a group may lack, by its sets and pair: what the others leave of the bound."""
    rest = np.full((5, 2), 99, np.int64)
    rest[0, 0] = 0
    for other in range(GROUPS):
        if other == group:
            continue
        joined = np.full((5, 2), 99, np.int64)
        for sets in range(units + 1):
            for pair in range(2):
                for added in range(sets + 1):
                    for added_pair in range(pair + 1):
                        cost = rest[sets - added, pair - added_pair] + rows[other, 2 * added + added_pair]
                        joined[sets, pair] = min(joined[sets, pair], cost)
        rest = joined
    allowed[:] = -1
    for sets in range(units + 1):
        for pair in range(2):
            allowed[sets, pair] = bound - rest[units - sets, 1 - pair]


@compiled
def _sorted(parts: Parts, found: int) -> Parts:
    """Return the parts sorted by group and bucket, by a stable counting sort."""
    starts = np.zeros(GROUPS * KEYS + 1, np.int64)
    for i in range(found):
        starts[int(parts.group[i]) * KEYS + int(parts.key[i]) + 1] += 1
    for bucket in range(GROUPS * KEYS):
        starts[bucket + 1] += starts[bucket]
    order = np.empty(found, np.int64)
    for i in range(found):
        bucket = int(parts.group[i]) * KEYS + int(parts.key[i])
        order[starts[bucket]] = i
        starts[bucket] += 1
    return Parts(
        parts.group[order],
        parts.key[order],
        parts.needed[order],
        parts.sets[order],
        parts.pair[order],
        parts.held[order],
        parts.spare[order],
        parts.lacking[order],
        parts.tiles[order],
    )


@compiled
def _prices(hand: I8, left: I8) -> I64:
    """Return the missing tiles for 0..7 copies of each number, int64[9, 8]; `NOT_TO_BE_HAD` if impossible."""
    prices = np.full((9, 8), NOT_TO_BE_HAD, np.int64)
    for number in range(9):
        for copies in range(min(hand[number] + left[number], COPIES) + 1):
            prices[number, copies] = max(copies - hand[number], 0)
    return prices


@inlined
def _price(prices: I64, tiles: I8, number: int, copies: int) -> int:
    """Return how many more tiles are missing when this many copies are added to the target."""
    return int(prices[number, tiles[number] + copies] - prices[number, tiles[number]])


@inlined
def _price_of_set(prices: I64, tiles: I8, kind: int) -> int:
    """Return how many more tiles are missing when a set is added (0..6 runs, 7..15 triplets)."""
    if kind >= RUNS:
        return _price(prices, tiles, kind - RUNS, 3)
    return (
        _price(prices, tiles, kind, 1)
        + _price(prices, tiles, kind + 1, 1)
        + _price(prices, tiles, kind + 2, 1)
    )


@inlined
def _put(tiles: I8, kind: int, sign: int) -> None:
    """Add a set to the target or remove it."""
    if kind >= RUNS:
        tiles[kind - RUNS] += 3 * sign
    else:
        for number in range(kind, kind + 3):
            tiles[number] += sign


@compiled
def _regular_parts(group: int, hand: I8, prices: I64, units: int, allowed: I64, parts: Parts, n: int) -> int:
    """List every multiset of sets, with and without a pair, that lacks no more than allowed."""
    first, last = (0, RUNS + 9) if group < 3 else (RUNS, RUNS + 7)
    tiles = np.zeros(9, np.int8)
    chosen = np.zeros(5, np.int64)
    lacking = np.zeros(6, np.int64)  # missing tiles by number of sets
    deeper = np.full(6, -1, np.int64)  # the most that may be missing with at least this many sets
    for sets in range(units, -1, -1):
        deeper[sets] = max(deeper[sets + 1], allowed[sets, 0], allowed[sets, 1])
    n = _emit_regular(group, hand, prices, tiles, chosen, 0, 0, allowed, parts, n)
    if n < 0 or units == 0:
        return n
    depth = 0
    chosen[0] = first - 1
    while depth >= 0:
        chosen[depth] += 1
        if chosen[depth] >= last:
            depth -= 1
            if depth >= 0:
                _put(tiles, chosen[depth], -1)
            continue
        cost = lacking[depth] + _price_of_set(prices, tiles, chosen[depth])
        if cost > deeper[depth + 1]:
            continue
        _put(tiles, chosen[depth], 1)
        n = _emit_regular(group, hand, prices, tiles, chosen, depth + 1, cost, allowed, parts, n)
        if n < 0:
            return n
        if depth + 1 < units:
            depth += 1
            lacking[depth] = cost
            chosen[depth] = chosen[depth - 1] - 1
        else:
            _put(tiles, chosen[depth], -1)
    return n


@compiled
def _emit_regular(
    group: int,
    hand: I8,
    prices: I64,
    tiles: I8,
    chosen: I64,
    sets: int,
    lacking: int,
    allowed: I64,
    parts: Parts,
    n: int,
) -> int:
    """Write the sets chosen so far as parts, alone and with every pair."""
    if n + 10 > len(parts.group):
        return -1
    if lacking <= allowed[sets, 0]:
        _note(group, hand, tiles, sets, 0, lacking, parts, n)
        _note_sets(group, chosen, sets, -1, parts, n)
        n += 1
    for number in range(9 if group < 3 else 7):
        cost = lacking + _price(prices, tiles, number, 2)
        if cost <= allowed[sets, 1]:
            tiles[number] += 2
            _note(group, hand, tiles, sets, 1, cost, parts, n)
            _note_sets(group, chosen, sets, 9 * group + number, parts, n)
            tiles[number] -= 2
            n += 1
    return n


@compiled
def _note_sets(group: int, chosen: I64, sets: int, pair: int, parts: Parts, n: int) -> None:
    for i in range(4):
        parts.sets[n, i] = -1
    for i in range(sets):
        kind = chosen[i]
        parts.sets[n, i] = 9 * group + kind if kind < RUNS else 9 * group + kind - RUNS + TRIPLET
    parts.pair[n] = pair


@compiled
def _note(group: int, hand: I8, tiles: I8, units: int, pair: int, cost: int, parts: Parts, n: int) -> None:
    """Write a part: its bucket, the tiles it lacks and those it leaves over."""
    parts.group[n] = group
    parts.key[n] = (units * 2 + pair) * (MAX_COST + 1) + cost
    parts.pair[n] = -1
    held = spare = lacking = 0
    for number in range(9):
        bit = 1 << (9 * group + number)
        parts.tiles[n, number] = tiles[number]
        missing = tiles[number] - hand[number]
        parts.needed[n, number] = max(missing, 0)
        if tiles[number] > 0:
            held |= bit
        if missing > 0:
            lacking |= bit
        elif missing < 0:
            spare |= bit
    parts.held[n], parts.spare[n], parts.lacking[n] = held, spare, lacking


@compiled
def _pair_parts(group: int, hand: I8, prices: I64, bound: int, parts: Parts, n: int) -> int:
    """List every choice of kinds to pair up within a group."""
    size = 9 if group < 3 else 7
    tiles = np.zeros(9, np.int8)
    for choice in range(1 << size):
        units = cost = 0
        for number in range(size):
            chosen = choice >> number & 1
            units += chosen
            cost += chosen * prices[number, 2]
        if units > MAX_UNITS or cost > bound:
            continue
        if n >= len(parts.group):
            return -1
        for number in range(size):
            tiles[number] = 2 * (choice >> number & 1)
        _note(group, hand, tiles, units, 0, cost, parts, n)
        n += 1
    return n


@compiled
def _orphan_parts(group: int, hand: I8, prices: I64, bound: int, parts: Parts, n: int) -> int:
    """List the terminals or honors of a group, alone and with each of them as the pair."""
    size = 9 if group < 3 else 7
    for pair in range(-1, size):
        if pair >= 0 and not (group == 3 or pair in (0, 8)):
            continue
        tiles = np.zeros(9, np.int8)
        cost = 0
        for number in range(size):
            if group == 3 or number in (0, 8):
                copies = 2 if number == pair else 1
                cost += prices[number, copies]
                tiles[number] = copies
        if cost <= bound:
            if n >= len(parts.group):
                return -1
            _note(group, hand, tiles, 0, int(pair >= 0), cost, parts, n)
            parts.pair[n] = 9 * group + pair if pair >= 0 else -1
            n += 1
    return n
