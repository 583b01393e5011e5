"""The exact judge: the probability that random unseen tiles complete a hand, without sampling.

Only three things about a group of tiles (three suits, the honors) matter for completeness: the row of
distances behind shanten (``manue.hand.tables``), how many kinds are held twice, and whether its terminals and
honors are all there, and one of them twice. Together they are its *label*. An automaton reads a group kind by
kind and ends in its label (equal states are merged, so it is minimal); it carries along the distribution of
the draws: tiles drawn so far, by state. The groups are then convolved in pairs, and the two halves are
combined in one sum over all divisions of the draws.

Draws are treated as in the Monte Carlo draws (``manue.draws.win``): all tiles drawn are kept, as if every
useless tile were known to be useless. This gives P(complete hand) exactly, to check the Monte Carlo draws,
which also estimate the value of the hand.
"""

from functools import cache
from math import comb
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from manue.arrays import F64, I32, I64, U8, Bool
from manue.compiled import compiled
from manue.errors import HandError
from manue.hand.counts import CountsLike, as_counts
from manue.hand.shanten import TABLES
from manue.tiles import COPIES, Counts

Forms: TypeAlias = Literal["any", "regular"]
Weights: TypeAlias = F64
Cells: TypeAlias = I32
States: TypeAlias = I32

_PAIRS = 8
_ORPHANS = 3
_SIDE = _PAIRS * _ORPHANS
"""Side states: kinds held twice, 0..7, times orphans (0: some lack, 1: all there, 2: one of them twice)."""


class Automaton(NamedTuple):
    """Reads a group of tiles, its highest kind first.

    Attributes
    ----------
    step : int32[kinds, states, 5]
        ``step[kind, state, copies]`` is the next state; it begins in state 0 and ends in a label.
    rows : int32[labels]
        Row of distances of each label.
    sides : int32[labels]
        Side state of each label.
    """

    step: States
    rows: States
    sides: States


def reach_prob(
    counts: CountsLike, melds: int, unseen: CountsLike, own_draws: int, forms: Forms = "any"
) -> float:
    """Return P(a hand and ``own_draws`` random unseen tiles together contain a complete hand).

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles; any number.
    melds : int
        Called sets, 0..4; with them only the regular form remains.
    unseen : int8[34]
        Copies that may be drawn; with ``counts`` at most four of a kind.
    own_draws : int
        Tiles drawn, without replacement; no more than are unseen.
    forms : {"any", "regular"}
        ``"any"`` counts seven pairs and thirteen orphans too.

    Returns
    -------
    float
        0..1, exact except for rounding (about 1e-14).

    Raises
    ------
    HandError
        For five of a kind, more draws than tiles, or too many melds.
    """
    hand, left = _checked(counts, melds, unseen, own_draws)
    readers = _readers(melds, forms)
    groups = [_group(hand, left, group, own_draws, readers) for group in range(4)]
    halves = _half(groups, 0, readers, own_draws), _half(groups, 1, readers, own_draws)
    return _share(*halves, melds, left, own_draws)


def reach_by_discard(
    counts: CountsLike, melds: int, unseen: CountsLike, own_draws: int, forms: Forms = "any"
) -> Weights:
    """Return the probability for every kind discarded first: float64[34], 0 for kinds not held.

    The discarded tile does not come back. Parameters and errors are those of ``reach_prob``.
    """
    hand, left = _checked(counts, melds, unseen, own_draws)
    readers = _readers(melds, forms)
    groups = [_group(hand, left, group, own_draws, readers) for group in range(4)]
    halves = [_half(groups, side, readers, own_draws) for side in range(2)]
    chances = np.zeros(34)
    for kind in np.flatnonzero(hand):
        group = int(kind) // 9
        hand[kind] -= 1
        changed = [*groups[:group], _group(hand, left, group, own_draws, readers), *groups[group + 1 :]]
        hand[kind] += 1
        side = group // 2
        halves_after = [*halves[:side], _half(changed, side, readers, own_draws), *halves[side + 1 :]]
        chances[kind] = _share(halves_after[0], halves_after[1], melds, left, own_draws)
    return chances


def _checked(counts: CountsLike, melds: int, unseen: CountsLike, own_draws: int) -> tuple[Counts, Counts]:
    hand, left = as_counts(counts).copy(), as_counts(unseen).copy()
    if not 0 <= melds <= 4:
        raise HandError(f"{melds} melds; a hand holds 0 to 4")
    if min(hand.min(), left.min()) < 0 or (hand + left).max() > COPIES:
        raise HandError("the hand and the unseen tiles hold more than four or less than no copies of a kind")
    if not 0 <= own_draws <= left.sum():
        raise HandError(f"{own_draws} draws from {left.sum()} unseen tiles")
    return hand, left


def _readers(melds: int, forms: Forms) -> tuple[Automaton, Automaton]:
    """Return the automata of suits and of honors."""
    asked: Forms = "any" if forms == "any" and melds == 0 else "regular"
    return _automaton(9, asked), _automaton(7, asked)


def _group(
    hand: Counts, left: Counts, group: int, own_draws: int, readers: tuple[Automaton, Automaton]
) -> Weights:
    """Return the ways to draw from a group by tiles drawn and label: float64[own_draws + 1, labels]."""
    reader = readers[group == 3]
    part = slice(9 * group, 34 if group == 3 else 9 * group + 9)
    return _drawn(hand[part], left[part], own_draws, reader.step, len(reader.rows))


def _half(groups: list[Weights], side: int, readers: tuple[Automaton, Automaton], own_draws: int) -> Weights:
    """Convolve the first or the last two groups: float64[own_draws + 1, combined rows, side states]."""
    first, second = groups[2 * side : 2 * side + 2]
    pair_ids = (TABLES.two_suits, TABLES.suit_honors)[side]
    sides = _SIDE if readers[0].sides.any() else 1
    out = np.zeros((own_draws + 1, int(pair_ids.max()) + 1, sides))
    _convolve(_cells(first), first, readers[0], _cells(second), second, readers[side], pair_ids, out)
    return out


def _cells(weights: Weights) -> Cells:
    """Return where weights are not 0, by rising number of tiles drawn: int32[n, 2]."""
    return np.argwhere(weights).astype(np.int32)


@cache
def _automaton(size: int, forms: Forms) -> Automaton:
    """Build the automaton of suits (9 kinds) or honors (7) from the labels of all groups."""
    ids = (TABLES.suit_ids if size == 9 else TABLES.honor_ids).astype(np.int64)
    sides = _sides(size) if forms == "any" else np.zeros_like(ids)
    labels, states = np.unique(ids * _SIDE + sides, return_inverse=True)
    steps = []
    for _ in range(size):
        digits = states.reshape(-1, 5)
        states = digits[:, 0]
        for column in range(1, 5):
            _, states = np.unique(states * (digits.max() + 1) + digits[:, column], return_inverse=True)
        _, first = np.unique(states, return_index=True)
        steps.append(digits[first])
    step = np.zeros((size, max(map(len, steps)), 5), np.int32)
    for kind, table in enumerate(steps):
        step[kind, : len(table)] = table
    return Automaton(step, (labels // _SIDE).astype(np.int32), (labels % _SIDE).astype(np.int32))


def _sides(size: int) -> I64:
    """Return the side state of every group by its base-5 code."""
    copies = np.arange(5**size)[:, None] // 5 ** np.arange(size) % 5
    orphans = copies[:, [0, 8]] if size == 9 else copies
    pairs = np.minimum((copies >= 2).sum(1), _PAIRS - 1)
    return np.asarray(
        pairs * _ORPHANS + np.where((orphans > 0).all(1), 1 + (orphans >= 2).any(1), 0), np.int64
    )


def _share(first: Weights, last: Weights, melds: int, left: Counts, own_draws: int) -> float:
    """Return the share of draws that complete the hand: the sum over their divisions between the halves."""
    reached = TABLES.final[melds] == 0
    ways = sum(_meeting(first[drawn], last[own_draws - drawn], reached) for drawn in range(own_draws + 1))
    return min(1.0, ways / comb(int(left.sum()), own_draws))


# ---- kernels


@compiled
def _drawn(hand: Counts, left: Counts, own_draws: int, step: States, labels: int) -> Weights:
    """Run the draws through the automaton: ways by tiles drawn and label, float64[own_draws + 1, labels]."""
    states = max(step.shape[1], labels)
    now = np.zeros((own_draws + 1, states))
    now[0, 0] = 1.0
    most, last = 0, 1
    for kind in range(len(hand) - 1, -1, -1):
        then = np.zeros((own_draws + 1, states))
        reached = 0
        for drawn in range(most + 1):
            for state in range(last):
                ways = now[drawn, state]
                if ways == 0.0:
                    continue
                for take in range(min(left[kind], own_draws - drawn) + 1):
                    after = step[kind, state, hand[kind] + take]
                    then[drawn + take, after] += ways * _choose(left[kind], take)
                    reached = max(reached, after)
        now = then
        most, last = min(own_draws, most + left[kind]), reached + 1
    return now[:, :labels].copy()


@compiled
def _choose(n: int, k: int) -> float:
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


@compiled
def _joined_side(first: int, second: int) -> int:
    """Combine the side states of two groups."""
    pairs = min(first // _ORPHANS + second // _ORPHANS, _PAIRS - 1)
    left, right = first % _ORPHANS, second % _ORPHANS
    return pairs * _ORPHANS + (0 if min(left, right) == 0 else max(left, right))


@compiled
def _convolve(
    first_cells: Cells,
    first: Weights,
    first_reader: Automaton,
    second_cells: Cells,
    second: Weights,
    second_reader: Automaton,
    pair_ids: U8,
    out: Weights,
) -> None:
    own_draws = len(out) - 1
    for i in range(len(first_cells)):
        drawn, label = first_cells[i]
        ways, row, side = first[drawn, label], first_reader.rows[label], first_reader.sides[label]
        for j in range(len(second_cells)):
            total = drawn + second_cells[j, 0]
            if total > own_draws:
                break
            other = second_cells[j, 1]
            joined = _joined_side(side, second_reader.sides[other])
            out[total, pair_ids[row, second_reader.rows[other]], joined] += (
                ways * second[second_cells[j, 0], other]
            )


@compiled
def _meeting(ours: Weights, theirs: Weights, reached: Bool) -> float:
    """Sum the products of two halves that together hold a complete hand."""
    total = 0.0
    by_row = np.zeros(len(theirs))
    for row in range(len(theirs)):
        by_row[row] = theirs[row].sum()
    for left in range(len(ours)):
        for side in range(ours.shape[1]):
            weight = ours[left, side]
            if weight == 0.0:
                continue
            met = 0.0
            for row in range(len(theirs)):
                if reached[left, row]:
                    met += by_row[row]
                elif ours.shape[1] > 1 and by_row[row] > 0.0:
                    for other in range(theirs.shape[1]):
                        joined = _joined_side(side, other)
                        if joined // _ORPHANS == _PAIRS - 1 or joined % _ORPHANS == 2:
                            met += theirs[row, other]
            total += weight * met
    return total
