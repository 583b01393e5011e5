"""Contributions of features: Shapley values against their definition, and additive on the real models."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.features.danger_columns import ROW_FEATURES
from manue.game.state import RoundState
from manue.models.contributions import contributions, paths_of
from manue.models.trees import LEAF, Trees
from tests.conftest import events_of, game
from tests.models.loaded import dangers, explain, shipped

COLUMNS = 4


@st.composite
def small_trees(draw):
    """One or two random trees over four columns with the counts of every node."""
    feature, threshold, children, value, count, roots = [], [], [], [], [], []

    def grow(rows, depth):
        node = len(feature)
        inner = depth > 0 and rows > 1 and draw(st.booleans())
        feature.append(draw(st.integers(0, COLUMNS - 1)) if inner else LEAF)
        threshold.append(float(draw(st.integers(0, 3))))
        value.append(0.0 if inner else float(draw(st.integers(-8, 8))))
        count.append(float(rows))
        children.append([0, 0])
        if inner:
            left = draw(st.integers(1, rows - 1))
            children[node] = [grow(left, depth - 1), grow(rows - left, depth - 1)]
        return node

    for _ in range(draw(st.integers(1, 2))):
        roots.append(len(feature))
        grow(draw(st.integers(2, 50)), 4)
    return Trees(
        np.array(feature, np.int16), np.array(threshold), np.array(children, np.int32), np.array(value),
        np.array(count), np.zeros(len(feature)), np.array(roots, np.int32), 0.5,
    )  # fmt: skip


def mean_given(trees, row, known, node):
    """The mean prediction of a subtree where only some features are known."""
    if trees.feature[node] == LEAF:
        return trees.value[node]
    left, right = trees.children[node]
    if trees.feature[node] in known:
        went = left if row[trees.feature[node]] <= trees.threshold[node] else right
        return mean_given(trees, row, known, went)
    shares = trees.count[[left, right]] / trees.count[node]
    return shares[0] * mean_given(trees, row, known, left) + shares[1] * mean_given(trees, row, known, right)


def by_definition(trees, row):
    def worth(known):
        return sum(mean_given(trees, row, known, root) for root in trees.roots)

    found = np.zeros(COLUMNS)
    for one in range(COLUMNS):
        others = [column for column in range(COLUMNS) if column != one]
        for size in range(COLUMNS):
            weight = factorial(size) * factorial(COLUMNS - size - 1) / factorial(COLUMNS)
            for known in combinations(others, size):
                found[one] += weight * (worth({*known, one}) - worth(set(known)))
    return found


@given(small_trees(), st.lists(st.integers(0, 4), min_size=COLUMNS, max_size=COLUMNS))
def test_contributions_are_shapley_values(trees, values):
    row = np.array(values, np.float32)
    assert contributions(paths_of(trees), row) == pytest.approx(by_definition(trees, row), abs=1e-9)


def states():
    state = RoundState(0)
    for event in events_of(game("four-riichi")):
        state.apply(event)
        if state.drawn is not None and len(state.me.river) > 5:
            yield state


@pytest.mark.parametrize("name", ["riichi", "silent"])
def test_contributions_add_up_to_the_prediction(name):
    trees = getattr(shipped().dangers.kinds, name)
    rng = np.random.default_rng(3)
    paths = paths_of(trees)
    for _ in range(20):
        row = rng.integers(-1, 20, len(ROW_FEATURES)).astype(np.float32)
        mean = paths.base + paths.value @ paths.share.prod(axis=1)  # what is predicted without any feature
        total = mean + contributions(paths, row).sum()
        assert total == pytest.approx(float(trees.sums(row[None])[0]), abs=1e-9)


def test_at_most_three_reasons_and_the_heaviest_first():
    checked = 0
    for state in states():
        danger = dangers(state)
        for seat in (1, 2, 3):
            for kind in np.flatnonzero(danger.prob[seat] > 0.02)[:3]:
                found = explain(state, seat, int(kind))
                weights = [abs(one.weight) for one in found]
                assert 1 <= len(found) <= 3
                assert weights == sorted(weights, reverse=True)
                checked += 1
        if checked > 60:
            return
    raise AssertionError(checked)
