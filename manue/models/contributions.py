"""How much each feature contributes to a prediction of boosted trees: exact Shapley values.

The value of a set of known features is the mean prediction of the tree if the other features are unknown: at
their splits both ways are taken, in the proportion of the rows seen in training (path-dependent TreeSHAP:
Lundberg et al., Nature Machine Intelligence 2020). A leaf alone is worth a product over the features of its
path, and the Shapley value of such a product is an integral over [0, 1] of a polynomial, which Gauss-Legendre
quadrature gives exactly. The contributions of all features and the mean prediction add up to the prediction.
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I64
from manue.models.trees import LEAF, Trees

_Way = dict[int, tuple[float, float, float]]
"""By feature: low, high and share, as in `Paths`."""


class Paths(NamedTuple):
    """The way to every leaf of some trees, each feature of a way once; l leaves, at most d features each.

    Attributes
    ----------
    columns : int64[l, d]
        Features of the way; 0 in unused places.
    low, high : float64[l, d]
        The row takes the way if its value is above ``low`` and at most ``high``; infinite in unused places.
    share : float64[l, d]
        Proportion of the rows in training that took the way at the splits of that feature; 1 if unused.
    value : float64[l]
        What the leaf adds to the prediction.
    base : float
    """

    columns: I64
    low: F64
    high: F64
    share: F64
    value: F64
    base: float


def paths_of(trees: Trees) -> Paths:
    """Return the ways to all leaves of trees whose training recorded the rows of every node."""
    ways: list[tuple[_Way, float]] = []
    stack: list[tuple[int, _Way]] = [(root, {}) for root in trees.roots.tolist()]
    while stack:
        node, way = stack.pop()
        column = int(trees.feature[node])
        if column == LEAF:
            ways.append((way, float(trees.value[node])))
            continue
        low, high, share = way.get(column, (-np.inf, np.inf, 1.0))
        threshold, rows = float(trees.threshold[node]), float(trees.count[node])
        left, right = trees.children[node].tolist()
        below = (low, min(high, threshold), share * float(trees.count[left]) / rows)
        above = (max(low, threshold), high, share * float(trees.count[right]) / rows)
        stack += [(left, {**way, column: below}), (right, {**way, column: above})]
    deepest = max((len(way) for way, _ in ways), default=0)
    shape = (len(ways), max(deepest, 1))
    found = Paths(
        np.zeros(shape, np.int64),
        np.full(shape, -np.inf),
        np.full(shape, np.inf),
        np.ones(shape),
        np.array([value for _, value in ways]),
        trees.base,
    )
    for leaf, (way, _) in enumerate(ways):
        for place, (column, (low, high, share)) in enumerate(way.items()):
            found.columns[leaf, place] = column
            found.low[leaf, place], found.high[leaf, place] = low, high
            found.share[leaf, place] = share
    return found


def contributions(paths: Paths, row: F32) -> F64:
    """Return what each feature of a row adds to the mean prediction: Shapley values, float64[features]."""
    values = row.astype(np.float64)[paths.columns]
    taken = ((values > paths.low) & (values <= paths.high)).astype(np.float64)
    nodes, weights = np.polynomial.legendre.leggauss((paths.columns.shape[1] + 1) // 2)
    known = ((nodes + 1) / 2)[:, None, None]
    factors = known * taken + (1 - known) * paths.share
    others = (weights[:, None, None] / 2 * factors.prod(axis=2, keepdims=True) / factors).sum(axis=0)
    added = paths.value[:, None] * (taken - paths.share) * others
    return np.asarray(np.bincount(paths.columns.ravel(), added.ravel(), len(row)), np.float64)
