"""All Monte Carlo draws at once: bits for what each one drew, and one pass over the target hands.

For every statement "at least c copies of kind k were drawn" there is a row of bits, one for each Monte Carlo
draw. The draws that reach a part of a target hand are the intersection of a few rows, and those that reach
the whole hand the intersection of its four parts. The target hands are processed by descending value, and
each discard takes the draws that it has not won yet. The cost therefore hardly depends on the number of
Monte Carlo draws.
"""

from typing import Any

import numpy as np

from manue.arrays import F32, F64, I8, I32, U64, Bool
from manue.compiled import compiled, inlined
from manue.draws.target_parts import Parts
from manue.splitmix import STEP, splitmix64
from manue.tiles import Counts

NO_DISCARD = 34
"""Column of an estimate for hands that need no discard (13 tiles)."""
_VALUE_STEP = 50.0
_VALUE_LEVELS = 4096


@compiled
def _next_random(state: U64) -> Any:
    """Return the next number of Splitmix64, uint64, whose state is in ``state[0]``."""
    word = splitmix64(state[0])
    state[0] += STEP
    return word


@compiled
def draw_rows(unseen: Counts, own_draws: int, mc_draws: int, survival: float, seed: int) -> U64:
    """Run the draws: bit t of ``rows[4 * kind + c - 1]`` is set if draw t has at least c copies of a kind.

    Each Monte Carlo draw has its own section of the generator's sequence. The pool of tiles is not reset:
    each draw starts from the order in which the previous one left it.

    Parameters
    ----------
    unseen : int8[34]
        Copies that may be drawn.
    own_draws : int
        Most tiles of one Monte Carlo draw.
    mc_draws : int
        Number of Monte Carlo draws.
    survival : float
        P(the round lasts until the seat's next draw), 0..1.
    seed : int

    Returns
    -------
    uint64[136, words]
        Words of 64 Monte Carlo draws, the first in the lowest bit.
    """
    words = (mc_draws + 63) // 64
    rows = np.zeros((4 * 34, words), np.uint64)
    pool = np.empty(136, np.int8)
    size = 0
    for kind in range(34):
        for _ in range(unseen[kind]):
            pool[size] = kind
            size += 1
    state = np.array([seed], np.uint64)
    stop = np.uint64(min(max(1.0 - survival, 0.0), 1.0) * 2**32)
    count = np.zeros(34, np.int64)
    for mc_draw in range(mc_draws):
        word, bit = mc_draw >> 6, np.uint64(1) << np.uint64(mc_draw & 63)
        drawn = 0
        for i in range(min(own_draws, size)):
            value = _next_random(state)
            if (value & np.uint64(0xFFFFFFFF)) < stop:
                break
            at = i + int(((value >> np.uint64(32)) * np.uint64(size - i)) >> np.uint64(32))
            pool[i], pool[at] = pool[at], pool[i]
            drawn = i + 1
        state[0] = np.uint64(seed) + np.uint64(mc_draw + 1) * np.uint64(0xD1B54A32D192ED03)
        for i in range(drawn):
            kind = int(pool[i])
            rows[4 * kind + count[kind], word] |= bit
            count[kind] += 1
        for i in range(drawn):
            count[pool[i]] = 0
    return rows


@compiled
def part_rows(parts: Parts, rows: U64) -> U64:
    """Return the Monte Carlo draws in which the needed tiles of each part were drawn: uint64[n, words].

    Parameters
    ----------
    parts : Parts
        n of them.
    rows : uint64[136, words]
        Of `draw_rows`.
    """
    out = np.empty((len(parts.group), rows.shape[1]), np.uint64)
    for i in range(len(out)):
        out[i] = ~np.uint64(0)
        for number in range(9):
            if parts.needed[i, number] > 0:
                row = 4 * (9 * int(parts.group[i]) + number) + int(parts.needed[i, number]) - 1
                for word in range(rows.shape[1]):
                    out[i, word] &= rows[row, word]
    return out


@compiled
def reached_targets(members: I32, bits: U64) -> Bool:
    """Return which target hands any Monte Carlo draw reaches: bool[n].

    Parameters
    ----------
    members : int32[n, 4]
        Parts of each target hand, one of each group.
    bits : uint64[parts, words]
        Of `part_rows`.
    """
    reached = np.zeros(len(members), np.bool_)
    for target in range(len(members)):
        a, b, c, d = members[target]
        for word in range(bits.shape[1]):
            if bits[a, word] & bits[b, word] & bits[c, word] & bits[d, word]:
                reached[target] = True
                break
    return reached


@compiled
def _all_of(mc_draws: int) -> U64:
    """Return a row with the bit of every Monte Carlo draw set: uint64[words]."""
    row = np.zeros((mc_draws + 63) // 64, np.uint64)
    for mc_draw in range(mc_draws):
        row[mc_draw >> 6] |= np.uint64(1) << np.uint64(mc_draw & 63)
    return row


@compiled
def _ones(x: np.uint64) -> int:
    """Count the bits set in a word (compiles to one instruction)."""
    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def _by_falling_value(values: F32) -> I32:
    """Order target hands by value in steps of 50 points, without worthless ones, by a counting sort."""
    starts = np.zeros(_VALUE_LEVELS + 1, np.int32)
    for i in range(len(values)):
        if values[i] > 0.0:
            starts[_level(values[i]) + 1] += 1
    for level in range(_VALUE_LEVELS):
        starts[level + 1] += starts[level]
    order = np.empty(starts[_VALUE_LEVELS], np.int32)
    for i in range(len(values)):
        if values[i] > 0.0:
            level = _level(values[i])
            order[starts[level]] = i
            starts[level] += 1
    return order


@compiled
def _level(value: float) -> int:
    return _VALUE_LEVELS - 1 - min(int(value / _VALUE_STEP), _VALUE_LEVELS - 1)


@compiled
def tally(
    counts: Counts,
    members: I32,
    costs: I8,
    bound: int,
    values: F32,
    parts: Parts,
    bits: U64,
    rows: U64,
    mc_draws: int,
    wins: F64,
    won: I32,
) -> int:
    """Process the target hands by descending value; add up wins, points and squared points for every option.

    Parameters
    ----------
    counts : int8[34]
    members : int32[n, 4]
        Parts of each target hand, one of each group.
    costs : int8[n]
        Tiles it lacks.
    bound : int
        Most tiles that a target hand may lack.
    values : float32[n]
        Points.
    parts : Parts
    bits : uint64[parts, words]
        The draws that bring what each part needs (`part_rows`).
    rows : uint64[136, words]
        Of `draw_rows`.
    mc_draws : int
        Number of Monte Carlo draws.
    wins : float64[NO_DISCARD + 1, 3]
        Where wins, points and squared points are added for each option: a kind discarded, or none.
    won : int32[m, 3]
        Receives a row (target hand, option, Monte Carlo draws won) for each that wins any, hand by hand; as
        long as `room_for_wins` says.

    Returns
    -------
    int
        Number of these rows.
    """
    found = 0
    words = rows.shape[1]
    tiles = 0
    for kind in range(34):
        tiles += counts[kind]
    discards = tiles % 3 == 2
    open_mc_draws = np.empty((NO_DISCARD + 1, words), np.uint64)
    all_mc_draws = _all_of(mc_draws)
    for option in range(NO_DISCARD + 1):
        for word in range(words):
            open_mc_draws[option, word] = all_mc_draws[word]
    reached = np.empty(words, np.uint64)
    order = _by_falling_value(values)
    for target in order:
        a, b, c, d = members[target]
        some = np.uint64(0)
        for word in range(words):
            reached[word] = bits[a, word] & bits[b, word] & bits[c, word] & bits[d, word]
            some |= reached[word]
        if some == 0:
            continue
        value = float(values[target])
        if not discards:
            count = _take(reached, open_mc_draws[NO_DISCARD], value, wins[NO_DISCARD])
            found = _note_wins(target, NO_DISCARD, count, won, found)
            continue
        spare = parts.spare[a] | parts.spare[b] | parts.spare[c] | parts.spare[d]
        rest = spare
        for kind in range(34):
            if rest >> kind & 1:
                count = _take(reached, open_mc_draws[kind], value, wins[kind])
                found = _note_wins(target, kind, count, won, found)
        if costs[target] >= bound:
            continue
        for kind in range(34):
            if counts[kind] == 0 or spare >> kind & 1:
                continue
            copy = int(parts.needed[members[target, kind // 9], kind % 9])
            if copy < 4:
                row = rows[4 * kind + copy]
                count = _take_redrawn(reached, row, open_mc_draws[kind], value, wins[kind])
                found = _note_wins(target, kind, count, won, found)
    return found


def room_for_wins(targets: int, mc_draws: int) -> int:
    """Return how many rows `tally` may note for these numbers of target hands and Monte Carlo draws."""
    return (NO_DISCARD + 1) * min(targets, mc_draws)


@inlined
def _note_wins(target: int, option: int, count: int, won: I32, found: int) -> int:
    """Add a row to ``won`` if there is anything to note; return the number of rows."""
    if count == 0:
        return found
    won[found, 0], won[found, 1], won[found, 2] = target, option, count
    return found + 1


@compiled
def _take_redrawn(reached: U64, redrawn: U64, still_open: U64, value: float, wins: F64) -> int:
    """Count the target hand for the discard of a tile that it needs, where a further copy was drawn."""
    both = np.empty(len(reached), np.uint64)
    for word in range(len(reached)):
        both[word] = reached[word] & redrawn[word]
    return _take(both, still_open, value, wins)


@compiled
def _take(reached: U64, still_open: U64, value: float, wins: F64) -> int:
    """Count the Monte Carlo draws that reach the target hand and are still open, and close them."""
    count = 0
    for word in range(len(reached)):
        new = reached[word] & still_open[word]
        if new != 0:
            count += _ones(new)
            still_open[word] ^= new
    if count:
        wins[0] += count
        wins[1] += count * value
        wins[2] += count * value * value
    return count
