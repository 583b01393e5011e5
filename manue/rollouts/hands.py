"""Hands that an opponent may hold, drawn at random from the tiles that a seat does not see; compiled code.

A hand in tenpai is a complete hand less one tile. Its sets and its pair are drawn one after another, in
proportion to the ways in which the tiles left can make them. A hand of a higher shanten is one of these with
some of its tiles exchanged for any others. Danger, which decides how much each of these hands counts for, is
known only later (`manue.rollouts.worlds`).
"""

from typing import Any

import numpy as np

from manue.arrays import F64, I8, I64, U8
from manue.compiled import compiled, inlined
from manue.sim.hands import add_tile, find_waits, shanten_at_rest
from manue.sim.legal import may_ron
from manue.sim.randomness import random_below, random_share

MAX_SHANTEN = 6
"""Hands of a higher shanten count as hands of this one."""
_RUNS, _SETS = 21, 55
"""Sets are numbered: first the runs, 7 a suit, then the 34 triplets."""
_SEVEN_PAIRS = 0.05
"""Share of seven pairs among the closed hands in tenpai that are drawn; danger then weighs them."""
_TRIES, _TRIES_OPEN = 12, 100
"""How often a hand is drawn at most; an open one in tenpai, which needs a wait with a yaku, more often."""


@compiled
def put_hand(t: Any, seat: int, tiles: I8, tables: U8) -> None:
    """Give a seat its concealed tiles, int8[37] by tile, with what it waits for and whether it is furiten.

    Which tiles have passed since its last discard is not on a table, so those since it last changed its hand
    count: a hand that waited for one of them did not want to win, or could not.
    """
    t["hand"][seat, :] = 0
    t["reds"][seat, :] = 0
    t["code"][seat, :] = 0
    for tile in range(len(tiles)):
        for _ in range(tiles[tile]):
            add_tile(t, seat, tile)
    find_waits(t, seat, tables)
    waits = int(t["waits"][seat])
    t["missed"][seat] = waits & int(t["passed"][seat]) != 0
    let_pass = int(t["safe"][seat]) & ~int(t["discarded"][seat])
    t["missed_riichi"][seat] = t["riichi"][seat] > 0 and waits & let_pass != 0


@compiled
def winning_kinds(t: Any, seat: int, kit: Any) -> int:
    """Return the mask of the kinds on which a seat would win if they were discarded now."""
    offered, drawn = int(t["offered"]), int(t["drawn"])
    waits, mask = int(t["waits"][seat]), 0
    t["drawn"] = -1
    for kind in range(34):
        if waits >> kind & 1:
            t["offered"] = kind
            mask |= int(may_ron(t, seat, kit)) << kind
    t["offered"], t["drawn"] = offered, drawn
    return mask


@compiled
def draw_hand(t: Any, seat: int, shanten: int, left: I8, tiles: I8, kit: Any) -> None:
    """Draw a hand of a seat, put it on the table and take its tiles from those left.

    Parameters
    ----------
    t : TABLE
        With the melds of the seat; its ``rng`` is used.
    seat : int
    shanten : int
        That the hand should have: 0 is tenpai, in riichi with a wait that it did not
        discard, after a call with one that gives a yaku, for nobody calls without. If the tiles left make no
        such hand after a number of tries, it is what was drawn last.
    left : int8[37]
        Copies not seen, by tile.
    tiles : int8[37]
        Receives the hand.
    kit : KIT
    """
    tables = kit["tables"]
    counts, hand = np.zeros(34, np.int64), np.zeros(34, np.int64)
    for _ in range(_TRIES_OPEN if t["open"][seat] and shanten == 0 else _TRIES):
        counts[:] = left[:34]
        for suit in range(3):
            counts[9 * suit + 4] += left[34 + suit]
        hand[:] = 0
        _complete(t, seat, counts, hand)
        _exchange(t, counts, hand, shanten)
        _name_tiles(t, left, hand, tiles)
        put_hand(t, seat, tiles, tables)
        if _is_wanted(t, seat, shanten, kit):
            break
    for tile in range(37):
        left[tile] -= tiles[tile]


@inlined
def _is_wanted(t: Any, seat: int, shanten: int, kit: Any) -> bool:
    if shanten == 0 and t["open"][seat]:
        return winning_kinds(t, seat, kit) != 0
    if shanten == 0:
        furiten = t["waits"][seat] & (t["discarded"][seat] | t["safe"][seat]) != 0
        return bool(t["waits"][seat] != 0 and not (t["riichi"][seat] and furiten))
    found = shanten_at_rest(t, seat, kit["tables"])
    return bool(found == shanten or (shanten == MAX_SHANTEN and found > shanten))


@compiled
def _complete(t: Any, seat: int, counts: I64, hand: I64) -> None:
    """Draw a complete hand from the counts, in part if they do not hold one, filled up with any tiles."""
    size = 14 - 3 * int(t["meld_len"][seat])
    if size == 14 and random_share(t) < _SEVEN_PAIRS:
        for _ in range(7):
            _take_pair(t, counts, hand)
    else:
        for _ in range(size // 3):
            _take_set(t, counts, hand)
        _take_pair(t, counts, hand)
    held = 0
    for kind in range(34):
        held += hand[kind]
    for _ in range(held, size):
        _move(t, counts, hand, -1)


@inlined
def _pick(t: Any, weights: F64) -> int:
    """Return a place in proportion to the weights; -1 if all are 0."""
    total = 0.0
    for weight in weights:
        total += weight
    if total <= 0:
        return -1
    wanted = random_share(t) * total
    last = -1
    for place in range(len(weights)):
        if weights[place] > 0:
            last = place
            wanted -= weights[place]
            if wanted < 0:
                break
    return last


@compiled
def _take_set(t: Any, counts: I64, hand: I64) -> None:
    weights = np.empty(_SETS)
    for place in range(_RUNS):
        low = place // 7 * 9 + place % 7
        weights[place] = counts[low] * counts[low + 1] * counts[low + 2]
    for kind in range(34):
        copies = counts[kind]
        weights[_RUNS + kind] = copies * (copies - 1) * (copies - 2) / 6
    place = _pick(t, weights)
    if place < 0:
        return
    if place < _RUNS:
        low = place // 7 * 9 + place % 7
        for kind in range(low, low + 3):
            counts[kind] -= 1
            hand[kind] += 1
    else:
        counts[place - _RUNS] -= 3
        hand[place - _RUNS] += 3


@compiled
def _take_pair(t: Any, counts: I64, hand: I64) -> None:
    """Take a pair of a kind that the hand does not hold."""
    weights = np.empty(34)
    for kind in range(34):
        weights[kind] = counts[kind] * (counts[kind] - 1) if hand[kind] == 0 else 0
    kind = _pick(t, weights)
    if kind >= 0:
        counts[kind] -= 2
        hand[kind] += 2


@compiled
def _move(t: Any, counts: I64, hand: I64, but: int) -> None:
    """Take any tile from the counts into the hand, but for one kind."""
    total = 0
    for kind in range(34):
        total += counts[kind] if kind != but else 0
    if total == 0:
        return
    wanted = random_below(t, total)
    for kind in range(34):
        if kind != but:
            wanted -= counts[kind]
            if wanted < 0:
                counts[kind] -= 1
                hand[kind] += 1
                return


@compiled
def _exchange(t: Any, counts: I64, hand: I64, shanten: int) -> None:
    """Take one tile out of a complete hand, and exchange some of the others for any."""
    _put_back(t, counts, hand)
    for _ in range(shanten):
        kind = _put_back(t, counts, hand)
        _move(t, counts, hand, kind)


@compiled
def _put_back(t: Any, counts: I64, hand: I64) -> int:
    """Put any tile of the hand back to the counts; return its kind."""
    total = 0
    for kind in range(34):
        total += hand[kind]
    wanted = random_below(t, total)
    for kind in range(34):
        wanted -= hand[kind]
        if wanted < 0:
            hand[kind] -= 1
            counts[kind] += 1
            return kind
    return -1


@compiled
def _name_tiles(t: Any, left: I8, hand: I64, tiles: I8) -> None:
    """Say which tiles the kinds of a hand are: a red five as likely as any other copy."""
    tiles[:] = 0
    for kind in range(34):
        tiles[kind] = hand[kind]
    for suit in range(3):
        five = 9 * suit + 4
        if left[34 + suit] and random_below(t, int(left[five]) + 1) < hand[five]:
            tiles[34 + suit] = 1
            tiles[five] -= 1
