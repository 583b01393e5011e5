"""Exported trees reproduce scikit-learn's numbers; the sweep agrees with a walk."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier

from manue.errors import LogError, ModelError
from manue.models.files import ModelFile
from manue.models.trees import LEAF, Trees
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
def test_labels_that_are_all_equal_give_a_constant(rows, count, happens):
    """Games without a single draw once stopped the training with an error of scikit-learn."""
    x = rows[0][:count]
    trees = fitted(HistGradientBoostingClassifier(), x, np.full(count, happens))
    predicted = trees.probabilities(rows[0])
    assert np.ptp(predicted) == 0
    assert predicted[0] == pytest.approx((happens * count + 0.5) / (count + 1))
    again = Trees.of(_file(trees.to_arrays("t")), "t", 6)
    assert np.array_equal(again.probabilities(rows[0]), predicted)
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


def test_repeated_rows_do_not_reduce_the_error(rows):
    x, y = rows
    groups = np.arange(len(x))
    model = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0).fit(x, y)
    once = single_tree(model, x, y.astype(float), groups)
    four = single_tree(model, np.tile(x, (4, 1)), np.tile(y, 4).astype(float), np.tile(groups, 4))
    assert np.allclose(once.error, four.error)


def test_damaged_trees_are_refused(rows):
    x, y = rows
    trees = boosted_trees(HistGradientBoostingClassifier(max_iter=3).fit(x, y))
    arrays = trees.to_arrays("t")
    again = Trees.of(_file(arrays), "t", 6)
    assert np.array_equal(again.sums(x), trees.sums(x))
    loop = dict(arrays)
    loop["t.children"] = np.zeros_like(arrays["t.children"])  # every node its own ancestor
    with pytest.raises(ModelError, match="do not form trees"):
        Trees.of(_file(loop), "t", 6)
    del arrays["t.value"]
    with pytest.raises(ModelError, match=r"^folder/some.npz has no t.value: run manue train RECORDS"):
        Trees.of(_file(arrays), "t", 6)


@pytest.mark.parametrize(
    ("name", "array", "said"),
    [
        ("value", np.zeros(2), "has t.value as float64[2], which fits no trees"),
        ("base", np.zeros(1), "has t.base, which is not a number"),
        ("feature", np.full(1, 6, np.int16), "has trees 't' with features that no row has"),
        ("roots", np.zeros(0, np.int32), "has trees 't' without a node"),
    ],
)
def test_an_error_of_trees_names_the_file_and_what_to_do(name, array, said):
    arrays = {**_leaf().to_arrays("t"), f"t.{name}": array}
    with pytest.raises(ModelError, match=re.escape(f"folder/some.npz {said}: run manue train RECORDS")):
        Trees.of(_file(arrays), "t", 6)


def test_trees_without_a_node_were_a_traceback():
    empty = {name: array[:0] for name, array in _leaf().to_arrays("t").items() if name != "t.base"}
    with pytest.raises(ModelError, match="without a node"):
        Trees.of(_file({**empty, "t.roots": np.zeros(1, np.int32), "t.base": np.array(0.0)}), "t", 6)


def _leaf():
    """Return a tree that is a single leaf."""
    numbers, whole = np.zeros(1), np.zeros(1, np.int32)
    return Trees(np.full(1, LEAF, np.int16), numbers, np.zeros((1, 2), np.int32), *[numbers] * 3, whole, 0.0)


def _file(arrays):
    return ModelFile(Path("folder/some.npz"), arrays, {}, "")


def _walked(trees, row):
    """Walk down every tree from its root: the slow equivalent of the sweep."""
    total = trees.base
    for root in trees.roots:
        node = root
        while trees.feature[node] != LEAF:
            left = row[trees.feature[node]] <= trees.threshold[node]
            node = trees.children[node, 0 if left else 1]
        total += trees.value[node]
    return total


@pytest.mark.parametrize("leaves", [2, 15, 31, 32, 33, 63, 64, 65, 70])
@pytest.mark.parametrize("count", [0, 1, 16, 17, 112, 113, 230])
def test_the_sweep_ends_in_the_leaves_of_a_walk(rows, leaves, count):
    x, y = rows
    model = HistGradientBoostingRegressor(max_iter=12, max_leaf_nodes=leaves, min_samples_leaf=5)
    trees = boosted_trees(model.fit(x, y * 1000.0 + x[:, 2]))
    assert (trees._prepare() is None) == (leaves > 64)
    seen = x[np.random.default_rng(count).integers(0, len(x), count)]
    assert trees.sums(seen).tolist() == [_walked(trees, row) for row in seen]


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(-4, 4), st.integers(0, 62)), min_size=1, max_size=63),
    st.integers(1, 40),
    st.randoms(),
)
def test_the_sweep_agrees_for_any_tree_and_rows_near_its_thresholds(splits, count, random):
    """A threshold lies between two 32-bit numbers: the one below goes left, the one above goes right."""
    trees = _grown(splits)
    near = [np.float32(threshold) for _, threshold, _ in splits]
    near += [np.nextafter(value, np.float32(side), dtype=np.float32) for value in near for side in (-9, 9)]
    seen = np.array([[random.choice(near) for _ in range(3)] for _ in range(count)], np.float32)
    assert trees.sums(seen).tolist() == [_walked(trees, row) for row in seen]


def _grown(splits):
    """Grow one tree: each split divides one of the existing leaves."""
    feature, threshold, children = [LEAF], [0.0], [(0, 0)]
    for column, bound, at in splits:
        grown = [node for node, asked in enumerate(feature) if asked == LEAF]
        node = grown[at % len(grown)]
        feature[node], threshold[node] = column, bound
        children[node] = (len(feature), len(feature) + 1)
        feature += [LEAF, LEAF]
        threshold += [0.0, 0.0]
        children += [(0, 0), (0, 0)]
    nodes = len(feature)
    return Trees(
        feature=np.array(feature, np.int16),
        threshold=np.array(threshold),
        children=np.array(children, np.int32),
        value=np.arange(nodes) + 0.5,
        count=np.zeros(nodes),
        error=np.zeros(nodes),
        roots=np.zeros(1, np.int32),
        base=0.25,
    )


def test_fitting_warns_of_nothing_where_the_filters_of_warnings_are_empty(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The threads of scikit-learn leave them empty at times, and the next fit then warns once per feature."""
    monkeypatch.setattr(warnings, "filters", [])
    monkeypatch.setattr(warnings, "showwarning", lambda *args, **_more: print(args[0]))
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 4)).astype(np.float32)
    fitted(HistGradientBoostingClassifier(max_iter=2, early_stopping=False), x, x[:, 0] > 0)
    assert not capsys.readouterr().out
