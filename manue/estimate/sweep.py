"""Boosted trees asked all at once: one pass over their splits instead of a walk down every tree.

Every tree keeps a word with a bit for each leaf that a row may still end in. The splits of all trees are gone
through feature by feature, thresholds rising; a row above a threshold cannot end left of that split, and
loses those leaves. In the end the leaf of a row is the lowest bit left (QuickScorer: Lucchese et al., SIGIR
2015). There is no branch to guess and no address to wait for, and many rows go side by side in the vector
registers: several times as fast as walking.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from manue.compiled import compiled, inlined

Doubles = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]
Int32 = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint32]

MOST_LEAVES = 32
"""Leaves of a tree that fit in its word."""
LANES = 16
"""Rows side by side in a vector register at most."""
MOST_LANES = 7 * LANES
"""Rows swept at a time: those of all tiles and opponents of a decision, 34 x 3, in one go."""
_EVERY_LEAF = np.uint32(0xFFFFFFFF)
_LOWEST_BIT = np.uint64(0x077CB531)
"""De Bruijn sequence: times a power of two it has that power's own number in bits 27 to 31."""


class Sweep(NamedTuple):
    """Boosted trees in the order in which they are swept.

    Attributes
    ----------
    columns : int32[c]
        Features that are asked.
    starts : int32[c + 1]
        Where the splits of each begin.
    threshold : float32[splits]
        Rising within a feature; a row goes left up to and including it.
    tree : int32[splits]
    kept : uint32[splits]
        Leaves that are left for a row above the threshold.
    leaves : float64[trees, MOST_LEAVES]
        Values of the leaves, each in the place that the De Bruijn sequence gives its bit.
    """

    columns: Int32
    starts: Int32
    threshold: Rows
    tree: Int32
    kept: Words
    leaves: Doubles


def sweep_of(
    feature: npt.NDArray[np.int16], threshold: Doubles, children: Int32, value: Doubles, roots: Int32
) -> Sweep | None:
    """Order trees for sweeping; ``None`` if one has more than `MOST_LEAVES` leaves.

    Parameters
    ----------
    feature, threshold, children, value, roots
        As in `manue.estimate.trees.Trees`: each tree's nodes together, children after their parents.
    """
    tree = np.zeros(len(feature), np.int32)
    kept = np.zeros(len(feature), np.uint32)
    leaves = np.zeros((len(roots), MOST_LEAVES))
    if not _number_leaves(feature, children, value, roots, tree, kept, leaves):
        return None
    single = threshold.astype(np.float32)
    below = np.where(single > threshold, np.nextafter(single, np.float32(-np.inf)), single)
    splits = np.flatnonzero(feature >= 0)
    splits = splits[np.lexsort((below[splits], feature[splits]))]
    columns, starts = np.unique(feature[splits], return_index=True)
    return Sweep(
        columns.astype(np.int32),
        np.append(starts, len(splits)).astype(np.int32),
        below[splits],
        tree[splits],
        kept[splits],
        leaves,
    )


# ---- kernels


@compiled
def _number_leaves(
    feature: npt.NDArray[np.int16],
    children: Int32,
    value: Doubles,
    roots: Int32,
    tree: Int32,
    kept: Words,
    leaves: Doubles,
) -> bool:
    """Give the leaves of each tree numbers from the left; tell whether they fit in a word."""
    size = np.ones(len(feature), np.int64)
    first = np.zeros(len(feature), np.int64)
    tree[roots] = np.arange(len(roots))
    for node in range(len(feature) - 1, -1, -1):
        if feature[node] >= 0:
            size[node] = size[children[node, 0]] + size[children[node, 1]]
    for root in roots:
        if size[root] > MOST_LEAVES:
            return False
    for node in range(len(feature)):
        if feature[node] >= 0:
            left, right = children[node]
            tree[left] = tree[right] = tree[node]
            first[left], first[right] = first[node], first[node] + size[left]
            kept[node] = ~(((1 << size[left]) - 1) << first[node])
        else:
            leaves[tree[node], _place(np.uint32(1 << first[node]))] = value[node]
    return True


@compiled
def _place(leaves_left: np.uint32) -> int:
    """Return where the value of the lowest leaf left stands."""
    word = np.uint64(leaves_left)
    lowest = word & (~word + np.uint64(1))
    return int(((lowest * _LOWEST_BIT) & np.uint64(0xFFFFFFFF)) >> np.uint64(27))


@compiled
def sweep(trees: Sweep, rows: Rows, out: Doubles) -> None:
    """Add to ``out``, float64[n], the leaves that every row of float32[n, features] ends in."""
    for start in range(0, len(rows), MOST_LANES):
        block = rows[start : start + MOST_LANES]
        left = np.full((len(trees.leaves), _lanes_for(len(block))), _EVERY_LEAF, np.uint32)
        _cut_all(trees, block, left)
        for tree in range(len(left)):
            for i in range(len(block)):
                out[start + i] += trees.leaves[tree, _place(left[tree, i])]


@compiled
def _lanes_for(rows: int) -> int:
    """Fill whole vector registers: what is over costs less than a remainder."""
    return -(-rows // LANES) * LANES


@compiled
def _cut_all(trees: Sweep, rows: Rows, left: Words) -> None:
    """Go through the splits, feature by feature, as long as a row is above the threshold."""
    highest = _highest(rows)
    lanes = np.full(left.shape[1], -np.inf, np.float32)
    for c in range(len(trees.columns)):
        column = trees.columns[c]
        for i in range(len(rows)):
            lanes[i] = rows[i, column]
        for split in range(trees.starts[c], trees.starts[c + 1]):
            if trees.threshold[split] >= highest[column]:
                break
            _cut(left[trees.tree[split]], lanes, trees.threshold[split], trees.kept[split])


@compiled
def _highest(rows: Rows) -> Rows:
    """Return the greatest value of each column."""
    highest = np.full(rows.shape[1], -np.inf, np.float32)
    for i in range(len(rows)):
        for column in range(rows.shape[1]):
            highest[column] = max(highest[column], rows[i, column])
    return highest


@inlined
def _cut(left: Words, lanes: Rows, threshold: np.float32, kept: np.uint32) -> None:
    """Take from the rows above a threshold the leaves left of it."""
    for i in range(len(lanes)):
        left[i] &= kept | -np.uint32(lanes[i] <= threshold)
