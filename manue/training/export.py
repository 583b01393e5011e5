"""From scikit-learn's estimators to plain arrays (`manue.models.trees.Trees`)."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from manue.arrays import F32, F64, I32, I64
from manue.errors import LogError
from manue.models.trees import LEAF, Trees


def fitted(
    model: Any, x: F32, y: npt.NDArray[np.generic], weight: npt.NDArray[np.float64] | None = None
) -> Trees:
    """Fit histogram boosting and export it.

    The games of some players lack what a model is about (no draw, no riichi): if all labels are the same, the
    prediction is a constant.

    Parameters
    ----------
    model : HistGradientBoostingClassifier or HistGradientBoostingRegressor
        Not fitted yet.
    x : float32[n, features]
    y : bool[n] or float64[n]
    weight : float64[n], optional

    Raises
    ------
    LogError
        If there are no amounts to learn from.
    """
    if not hasattr(model, "predict_proba"):
        if not len(y):
            raise LogError("these games are too few: nothing was won in them")
        return _boosted(model, x, y, weight) if len(y) > 1 else constant_trees(float(y.mean()), 1)
    hits = int(np.count_nonzero(y))
    if 0 < hits < len(y):
        return _boosted(model, x, y, weight)
    return constant_trees(float(np.log((hits + 0.5) / (len(y) - hits + 0.5))), len(y))


def _boosted(model: Any, x: F32, y: npt.NDArray[np.generic], weight: F64 | None) -> Trees:
    """Fit with filters of warnings of its own: threads of scikit-learn may leave none, which it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        return boosted_trees(model.fit(x, y, weight))


def constant_trees(value: float, count: int) -> Trees:
    """Return a tree of a single leaf, seen in ``count`` rows."""
    return Trees(
        feature=np.array([LEAF], np.int16),
        threshold=np.zeros(1),
        children=np.zeros((1, 2), np.int32),
        value=np.array([value]),
        count=np.array([float(count)]),
        error=np.zeros(1),
        roots=np.zeros(1, np.int32),
        base=0.0,
    )


def boosted_trees(model: Any) -> Trees:
    """Export a fitted HistGradientBoostingClassifier (binary) or -Regressor.

    The sums of the result equal scikit-learn's raw predictions; missing values are not supported.

    Raises
    ------
    ValueError
        If a split is by category.
    """
    nodes = [stage[0].nodes for stage in model._predictors]  # noqa: SLF001  no public access to the trees
    starts = np.cumsum([0, *(len(part) for part in nodes)])
    joined = np.concatenate(nodes)
    if joined["is_categorical"].any():
        raise ValueError("categorical splits are not supported")
    offset = np.repeat(starts[:-1], np.diff(starts))
    leaf = joined["is_leaf"].astype(bool)
    children = np.stack([joined["left"], joined["right"]], axis=1).astype(np.int64) + offset[:, None]
    children[leaf] = 0
    return Trees(
        feature=np.where(leaf, LEAF, joined["feature_idx"]).astype(np.int16),
        threshold=np.where(leaf, 0.0, joined["num_threshold"]).astype(np.float64),
        children=children.astype(np.int32),
        value=np.where(leaf, joined["value"], 0.0).astype(np.float64),
        count=joined["count"].astype(np.float64),
        error=np.zeros(len(joined)),
        roots=starts[:-1].astype(np.int32),
        base=float(np.ravel(model._baseline_prediction)[0]),  # noqa: SLF001
    )


def single_tree(model: Any, rows: F32, actual: F64, groups: I64) -> Trees:
    """Export a fitted DecisionTreeClassifier (binary) or -Regressor, with sample sizes and standard errors.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
    rows, actual : float32[n, features], float64[n]
        What it was fitted on.
    groups : int64[n]
        Dependent rows (say of one round) share a number: the standard error of a leaf sums the deviations
        within a group before squaring (cluster-robust).
    """
    tree = model.tree_
    leaf = tree.children_left < 0
    value = tree.value[:, 0, 1] if hasattr(model, "classes_") else tree.value[:, 0, 0]
    children = np.stack([tree.children_left, tree.children_right], axis=1)
    children[leaf] = 0
    exported = Trees(
        feature=np.where(leaf, LEAF, tree.feature).astype(np.int16),
        threshold=np.where(leaf, 0.0, tree.threshold).astype(np.float64),
        children=children.astype(np.int32),
        value=value.astype(np.float64),
        count=tree.n_node_samples.astype(np.float64),
        error=np.zeros(len(value)),
        roots=np.zeros(1, np.int32),
        base=0.0,
    )
    reached = exported.leaves(rows)
    exported.error[:] = _clustered_errors(reached, actual - exported.value[reached], groups, len(value))
    return exported


def _clustered_errors(leaves: I32, residual: F64, groups: I64, size: int) -> F64:
    """Return the standard error of each leaf: root of the sum of squared residuals of the groups, over n."""
    key = leaves.astype(np.int64) * (int(groups.max()) + 1) + groups
    pairs, inverse = np.unique(key, return_inverse=True)
    sums = np.bincount(inverse, residual)
    squares = np.bincount(pairs // (int(groups.max()) + 1), sums * sums, size)
    counts = np.bincount(leaves, minlength=size)
    return np.asarray(np.sqrt(squares) / np.maximum(counts, 1), np.float64)
