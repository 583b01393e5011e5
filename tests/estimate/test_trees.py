"""The compiled walk gives scikit-learn's numbers."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier

from manue.errors import LogError, ModelError
from manue.estimate.columns import Feature
from manue.estimate.trees import LEAF, Trees
from manue.training.export import boosted_trees, fitted, single_tree


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    x = np.round(rng.normal(size=(4000, 6)) * 4).astype(np.float32)
    x[:, 5] = rng.random(4000)
    y = rng.random(4000) < 1 / (1 + np.exp(-(x[:, 0] - x[:, 1] * x[:, 5])))
    return x, y


def test_boosted_classifier_equals_sklearn(rows):
    x, y = rows
    model = HistGradientBoostingClassifier(max_iter=40, random_state=0).fit(x, y)
    trees = boosted_trees(model)
    assert np.abs(trees.probabilities(x) - model.predict_proba(x)[:, 1]).max() < 1e-12
    other = np.random.default_rng(4).normal(size=(3000, 6)).astype(np.float32) * 9
    assert np.abs(trees.probabilities(other) - model.predict_proba(other)[:, 1]).max() < 1e-12


def test_boosted_regressor_equals_sklearn(rows):
    x, y = rows
    target = y * 1000.0 + x[:, 2]
    model = HistGradientBoostingRegressor(max_iter=40, random_state=0).fit(x, target)
    assert np.abs(boosted_trees(model).sums(x) - model.predict(x)).max() < 1e-9  # of 1000: 1e-12 relative


@pytest.mark.parametrize("count", [0, 1, 300])
@pytest.mark.parametrize("happens", [False, True])
def test_what_never_differs_is_a_constant(rows, count, happens):
    """Games without a single draw stopped the training with scikit-learn's own error."""
    x = rows[0][:count]
    trees = fitted(HistGradientBoostingClassifier(), x, np.full(count, happens))
    said = trees.probabilities(rows[0])
    assert np.ptp(said) == 0
    assert said[0] == pytest.approx((happens * count + 0.5) / (count + 1))
    again = Trees.from_arrays(trees.to_arrays("t"), "t")
    assert np.array_equal(again.probabilities(rows[0]), said)
    assert not again.leaves(rows[0]).any()


def test_amounts_are_fitted_if_there_are_any(rows):
    x, y = rows
    assert fitted(HistGradientBoostingRegressor(), x[:1], np.array([7.0])).sums(x)[5] == 7
    assert fitted(HistGradientBoostingRegressor(), x, y * 1000.0).roots.size == 100
    with pytest.raises(LogError, match="too few"):
        fitted(HistGradientBoostingRegressor(), x[:0], y[:0] * 1.0)


def test_values_at_a_threshold_go_left(rows):
    x, y = rows
    model = HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(x, y)
    trees = boosted_trees(model)
    inner = np.flatnonzero(trees.feature != LEAF)
    probes = np.zeros((len(inner), 6), np.float32)
    probes[np.arange(len(inner)), trees.feature[inner]] = trees.threshold[inner]
    assert np.abs(trees.probabilities(probes) - model.predict_proba(probes)[:, 1]).max() < 1e-12


def test_single_tree_equals_sklearn_and_counts_its_cases(rows):
    x, y = rows
    model = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0).fit(x, y)
    groups = np.arange(len(x))
    tree = single_tree(model, x, y.astype(float), groups)
    assert np.abs(tree.sums(x) - model.predict_proba(x)[:, 1]).max() < 1e-12
    leaves = tree.leaves(x)
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        assert tree.count[leaf] == inside.sum()
        share = y[inside].mean()
        independent = np.sqrt(share * (1 - share) / inside.sum())
        assert tree.error[leaf] == pytest.approx(independent)  # groups of one row: the textbook formula


def test_rows_that_repeat_do_not_narrow_the_error(rows):
    x, y = rows
    groups = np.arange(len(x))
    model = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0).fit(x, y)
    once = single_tree(model, x, y.astype(float), groups)
    four = single_tree(model, np.tile(x, (4, 1)), np.tile(y, 4).astype(float), np.tile(groups, 4))
    assert np.allclose(once.error, four.error)


def test_description_holds_for_the_row(rows):
    x, y = rows
    tree = single_tree(
        DecisionTreeClassifier(max_leaf_nodes=12).fit(x, y), x, y.astype(float), np.arange(len(x))
    )
    columns = tuple(Feature(f"f{i}", "") for i in range(6))
    for row in x[:50]:
        for node, left in tree.path(row):
            assert (row[tree.feature[node]] <= tree.threshold[node]) == left
        assert len(tree.describe(row, columns)) == len({tree.feature[node] for node, _ in tree.path(row)})


def test_damaged_trees_are_refused(rows):
    x, y = rows
    trees = boosted_trees(HistGradientBoostingClassifier(max_iter=3).fit(x, y))
    arrays = trees.to_arrays("t")
    again = Trees.from_arrays(arrays, "t")
    assert np.array_equal(again.sums(x), trees.sums(x))
    loop = dict(arrays)
    loop["t.children"] = np.zeros_like(arrays["t.children"])  # every node its own ancestor
    with pytest.raises(ModelError, match="do not form trees"):
        Trees.from_arrays(loop, "t")
    del arrays["t.value"]
    with pytest.raises(ModelError, match="value"):
        Trees.from_arrays(arrays, "t")
