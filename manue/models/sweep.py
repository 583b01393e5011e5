"""Evaluate all boosted trees at once: one pass over their splits instead of a walk down every tree.

Every tree keeps a word with a bit for each leaf that a row may still end in. The splits of all trees are
visited feature by feature, in order of rising thresholds; a row above a threshold cannot end left of that
split and loses those leaves. In the end the leaf of a row is the lowest bit left (QuickScorer: Lucchese et
al., SIGIR 2015). There are no branches to predict and no addresses to wait for, and vector registers hold
many rows side by side: several times as fast as walking.
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I16, I32, I64, U32, U64
from manue.compiled import compiled, inlined

LeafWords = U32 | U64
LeafWord = np.uint32 | np.uint64

MAX_LEAVES = 64
"""Leaves of a tree that fit into its word; half as many fit into a short word, which is faster."""
LANES = 16
"""Most rows side by side in a vector register, with short words."""
MAX_LANES = 7 * LANES
"""Rows swept at a time: enough for all kinds and opponents of a decision, 34 x 3."""
_SHORT = 32
_LOWEST_BIT_SHORT = np.uint64(0x077CB531)
_LOWEST_BIT = np.uint64(0x03F79D71B4CB0A89)
"""De Bruijn sequences: multiplied by a power of two, the highest bits (5 of 32 in the short one, 6 of 64 in
the other) are a different number for each power."""


class Sweep(NamedTuple):
    """Boosted trees, with their splits in the order of the sweep.

    Attributes
    ----------
    columns : int32[c]
        Features that are used.
    starts : int32[c + 1]
        Where the splits of each feature begin.
    threshold : float32[splits]
        Rising within a feature; a row goes left up to and including it.
    tree : int32[splits]
        Tree of each split.
    kept : uint32[splits] or uint64[splits]
        Leaves that a row above the threshold can still end in.
    leaves : float64[trees, bits of a word]
        Values of the leaves, each in the place that the De Bruijn sequence gives to its bit.
    """

    columns: I32
    starts: I32
    threshold: F32
    tree: I32
    kept: LeafWords
    leaves: F64


def sweep_of(feature: I16, threshold: F64, children: I32, value: F64, roots: I32) -> Sweep | None:
    """Prepare trees for the sweep; ``None`` if one has more than `MAX_LEAVES` leaves.

    Parameters
    ----------
    feature, threshold, children, value, roots
        As in `manue.models.trees.Trees`: nodes grouped by tree, children after their parents.
    """
    tree = np.zeros(len(feature), np.int32)
    size = _leaves_below(feature, children)
    most = int(size[roots].max(initial=0))
    if most > MAX_LEAVES:
        return None
    short = most <= _SHORT
    kept: LeafWords = np.zeros(len(feature), np.uint32) if short else np.zeros(len(feature), np.uint64)
    leaves = np.zeros((len(roots), 8 * kept.itemsize))
    _number_leaves(feature, children, value, roots, size, tree, kept, leaves)
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
def _leaves_below(feature: I16, children: I32) -> I64:
    """Count the leaves below each node."""
    size = np.ones(len(feature), np.int64)
    for node in range(len(feature) - 1, -1, -1):
        if feature[node] >= 0:
            size[node] = size[children[node, 0]] + size[children[node, 1]]
    return size


@compiled
def _number_leaves(
    feature: I16,
    children: I32,
    value: F64,
    roots: I32,
    size: I64,
    tree: I32,
    kept: LeafWords,
    leaves: F64,
) -> None:
    """Assign numbers to the leaves of each tree, from the left."""
    first = np.zeros(len(feature), np.int64)
    for number in range(len(roots)):  # not by an array of indices: that is slow to compile, as is unpacking
        tree[roots[number]] = number
    for node in range(len(feature)):
        if feature[node] >= 0:
            left, right = children[node, 0], children[node, 1]
            tree[left] = tree[right] = tree[node]
            first[left], first[right] = first[node], first[node] + size[left]
            kept[node] = ~(((1 << size[left]) - 1) << first[node])
        else:
            bit = np.uint64(1) << np.uint64(first[node])
            leaves[tree[node], _place(bit, leaves.shape[1])] = value[node]


@inlined
def _place(leaves_left: np.uint64, bits: int) -> int:
    """Return the place of the value of the lowest leaf left."""
    lowest = leaves_left & (~leaves_left + np.uint64(1))
    if bits == _SHORT:
        return int(((lowest * _LOWEST_BIT_SHORT) & np.uint64(0xFFFFFFFF)) >> np.uint64(27))
    return int((lowest * _LOWEST_BIT) >> np.uint64(58))


@compiled
def sweep(trees: Sweep, rows: F32, base: float, out: F64) -> None:
    """Set ``out``, float64[n], to ``base`` plus the leaves that each row of float32[n, features] ends in."""
    bits = trees.leaves.shape[1]
    for start in range(0, len(rows), MAX_LANES):
        block, sums = rows[start : start + MAX_LANES], out[start : start + MAX_LANES]
        left = np.empty((len(trees.leaves), _lanes_for(len(block))), trees.kept.dtype)
        left[:] = ~np.uint64(0)
        _cut_all(trees, block, left)
        sums[:] = base
        for tree in range(len(left)):
            leaves, words = trees.leaves[tree], left[tree]
            for i in range(len(block)):
                sums[i] += leaves[_place(np.uint64(words[i]), bits)]


@compiled
def _lanes_for(rows: int) -> int:
    """Round up to whole vector registers: unused lanes cost less than a remainder loop."""
    return -(-rows // LANES) * LANES


@compiled
def _cut_all(trees: Sweep, rows: F32, left: LeafWords) -> None:
    """Apply the splits, feature by feature, as long as any row is above the threshold."""
    lanes = np.full(left.shape[1], -np.inf, np.float32)
    every = left[0, 0]  # nothing is cut yet
    for c in range(len(trees.columns)):
        highest = np.float32(-np.inf)
        for i in range(len(rows)):
            lanes[i] = rows[i, trees.columns[c]]
            highest = max(highest, lanes[i])
        start, end = trees.starts[c], trees.starts[c + 1]
        threshold, tree, kept = trees.threshold[start:end], trees.tree[start:end], trees.kept[start:end]
        for split in range(len(threshold)):
            if threshold[split] >= highest:
                break
            _cut(left[tree[split]], lanes, threshold[split], kept[split], every)


@inlined
def _cut(left: LeafWords, lanes: F32, threshold: np.float32, kept: LeafWord, every: LeafWord) -> None:
    """Remove the leaves left of a split from the rows above its threshold."""
    for i in range(len(lanes)):
        left[i] &= every if lanes[i] <= threshold else kept
