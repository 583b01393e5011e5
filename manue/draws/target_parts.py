"""The parts of target hands: what each group of tiles may contribute to each form, and what it lacks.

Parts of one form, group, number of units, pair or none, and cost (the tiles they lack) stand together in a
*bucket*. How much a suit may lack is bounded by the minimum that the other groups lack, which comes from the
rows of distances behind shanten (``manue.hand.tables``).
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import I8, I16, I64, U8
from manue.compiled import compiled, inlined
from manue.hand.shanten import TABLES, group_ids, orphans_of, seven_pairs_of
from manue.hand.shape import TRIPLET
from manue.hand.value import ORPHANS, REGULAR, SEVEN_PAIRS
from manue.tiles import COPIES, Counts

FORMS = 3
GROUPS = 4
MAX_UNITS = 7
MAX_COST = 15
_BUCKETS = FORMS * GROUPS * (MAX_UNITS + 1) * 2 * (MAX_COST + 1)
RUNS = 7
"""Number of runs in a suit; its triplets are numbered from here on."""
OUT_OF_REACH = 99
"""A cost higher than any target hand may have."""


class Parts(NamedTuple):
    """The possible contributions of the groups of tiles, sorted by bucket.

    Attributes
    ----------
    bucket : int16[n]
        As in `bucket_of`.
    group : int8[n]
        0..2 the suits, 3 the honors.
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

    bucket: I16
    group: I8
    needed: I8
    sets: I16
    pair: I8
    held: I64
    spare: I64
    lacking: I64
    tiles: I8


def _room_for(count: int) -> Parts:
    """Return ``count`` parts, not yet filled in."""
    return Parts(
        np.empty(count, np.int16),
        np.empty(count, np.int8),
        np.empty((count, 9), np.int8),
        np.empty((count, 4), np.int16),
        np.empty(count, np.int8),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty((count, 9), np.int8),
    )


def parts_of(counts: Counts, unseen: Counts, melds: int, bound: int) -> tuple[Parts, I64]:
    """List the parts of all target hands that lack at most ``bound`` tiles.

    Parameters
    ----------
    counts, unseen : int8[34]
    melds : int
        Called sets; with any, only the regular form remains.
    bound : int

    Returns
    -------
    parts : Parts
    starts : int64[buckets + 1]
        Row of the first part of each bucket; the last is the end.
    """
    capacity = 1024
    while True:
        parts = _room_for(capacity)
        found = _fill_parts(
            counts, unseen, melds, bound, TABLES.packed, TABLES.suit_rows, TABLES.honor_rows, parts
        )
        if found >= 0:
            return _sorted(parts, found)
        capacity *= 4


# ---- kernels


@inlined
def bucket_of(form: int, group: int, units: int, pair: int) -> int:
    """Return the bucket of the parts that lack nothing; those of cost c are in the c-th after it."""
    return (((form * GROUPS + group) * (MAX_UNITS + 1) + units) * 2 + pair) * (MAX_COST + 1)


@compiled
def _fill_parts(
    counts: Counts,
    unseen: Counts,
    melds: int,
    bound: int,
    tables: U8,
    suit_rows: U8,
    honor_rows: U8,
    parts: Parts,
) -> int:
    """Fill in the parts, group by group; return their number, -1 if they do not fit."""
    n = 0
    units = 4 - melds
    pairs_in_reach = melds == 0 and seven_pairs_of(counts) < bound
    orphans_in_reach = melds == 0 and orphans_of(counts) < bound
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
        _allow(rows, group, units, bound, allowed)
        n = _regular_parts(group, hand, prices, units, allowed, parts, n)
        if pairs_in_reach and n >= 0:
            n = _pair_parts(group, hand, prices, bound, parts, n)
        if orphans_in_reach and n >= 0:
            n = _orphan_parts(group, hand, prices, bound, parts, n)
        if n < 0:
            return -1
    return n


@compiled
def _allow(rows: I64, group: int, units: int, bound: int, allowed: I64) -> None:
    """Fill in how many tiles a group may lack, by its sets and pair: what the others leave of the bound."""
    rest = np.full((5, 2), OUT_OF_REACH, np.int64)
    rest[0, 0] = 0
    for other in range(GROUPS):
        if other == group:
            continue
        joined = np.full((5, 2), OUT_OF_REACH, np.int64)
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
def _sorted(parts: Parts, found: int) -> tuple[Parts, I64]:
    """Return the parts sorted by bucket, by a stable counting sort, and where each bucket starts."""
    starts = np.zeros(_BUCKETS + 1, np.int64)
    for i in range(found):
        starts[parts.bucket[i] + 1] += 1
    for bucket in range(_BUCKETS):
        starts[bucket + 1] += starts[bucket]
    place = starts.copy()
    order = np.empty(found, np.int64)
    for i in range(found):
        order[place[parts.bucket[i]]] = i
        place[parts.bucket[i]] += 1
    ordered = Parts(
        parts.bucket[order],
        parts.group[order],
        parts.needed[order],
        parts.sets[order],
        parts.pair[order],
        parts.held[order],
        parts.spare[order],
        parts.lacking[order],
        parts.tiles[order],
    )
    return ordered, starts


@compiled
def _prices(hand: I8, left: I8) -> I64:
    """Return the missing tiles for 0..7 copies of each number, int64[9, 8]; `OUT_OF_REACH` if impossible."""
    prices = np.full((9, 8), OUT_OF_REACH, np.int64)
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
        _note(REGULAR, group, hand, tiles, sets, -1, lacking, parts, n)
        _note_sets(group, chosen, sets, parts, n)
        n += 1
    for number in range(9 if group < 3 else 7):
        cost = lacking + _price(prices, tiles, number, 2)
        if cost <= allowed[sets, 1]:
            tiles[number] += 2
            _note(REGULAR, group, hand, tiles, sets, 9 * group + number, cost, parts, n)
            _note_sets(group, chosen, sets, parts, n)
            tiles[number] -= 2
            n += 1
    return n


@compiled
def _note_sets(group: int, chosen: I64, sets: int, parts: Parts, n: int) -> None:
    for i in range(4):
        parts.sets[n, i] = -1
    for i in range(sets):
        kind = chosen[i]
        parts.sets[n, i] = 9 * group + kind if kind < RUNS else 9 * group + kind - RUNS + TRIPLET


@compiled
def _note(
    form: int, group: int, hand: I8, tiles: I8, units: int, pair: int, cost: int, parts: Parts, n: int
) -> None:
    """Write a part, the kind of its pair -1 if it has none: its bucket, what it lacks and leaves over."""
    parts.bucket[n] = bucket_of(form, group, units, int(pair >= 0)) + cost
    parts.group[n] = group
    parts.pair[n] = pair
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
        _note(SEVEN_PAIRS, group, hand, tiles, units, -1, cost, parts, n)
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
            _note(ORPHANS, group, hand, tiles, 0, 9 * group + pair if pair >= 0 else -1, cost, parts, n)
            n += 1
    return n
