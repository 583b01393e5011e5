"""Errors of means over clusters, beside the bootstrap over clusters and hand-made figures."""

import math

import numpy as np
import pytest

from manue.intervals import WallMean, clustered_error, clustered_interval, mean_with_interval


def test_cases_of_one_cluster_count_as_one():
    by_game = np.random.default_rng(1).standard_normal(4_000)
    alone = clustered_error(by_game, np.arange(4_000))
    assert alone == pytest.approx(1.0 / np.sqrt(4_000), rel=0.05)
    assert clustered_error(np.repeat(by_game, 5), np.repeat(np.arange(4_000), 5)) == pytest.approx(alone)


def test_the_error_of_rows_of_one_game_counts_them_once():
    values, games = np.repeat([1.0, -1.0, 1.0, -1.0], 100), np.repeat(np.arange(4), 100)
    assert clustered_error(values, games) == pytest.approx(np.sqrt(4 / 3) / 2)
    assert clustered_error(values, np.arange(400)) == pytest.approx(1 / 20, rel=0.01)


def test_games_of_different_lengths_had_too_large_an_error():
    """Long games have large sums though their mean is like that of others."""
    rng = np.random.default_rng(2)
    sizes = rng.integers(1, 40, 300)
    games = np.repeat(np.arange(300), sizes)
    values = 5.0 + rng.standard_normal(300)[games] + rng.standard_normal(len(games))
    sums, counts = np.bincount(games, values), np.bincount(games)
    chosen = rng.integers(0, 300, (4_000, 300))
    bootstrap = (sums[chosen].sum(1) / counts[chosen].sum(1)).std()
    assert clustered_error(values, games) == pytest.approx(bootstrap, rel=0.05)


def test_walls_and_rows_have_the_same_error():
    rng = np.random.default_rng(3)
    walls = np.sort(rng.integers(0, 40, 500))
    values = rng.integers(1, 5, 500).astype(np.float64)
    mean = WallMean()
    for wall in np.unique(walls):
        mean.add_wall(int(values[walls == wall].sum()), int((walls == wall).sum()))
    assert mean.ci95 == pytest.approx(2.0227 * clustered_error(values, walls), rel=1e-4)  # t of 39


def test_the_interval_over_few_games_is_that_of_student_s_t():
    """It was that of many games, which holds less often where there are few."""
    rng = np.random.default_rng(4)
    games = np.arange(4)
    held = [
        abs(values.mean()) <= clustered_interval(values, games) for values in rng.standard_normal((4_000, 4))
    ]
    assert np.mean(held) == pytest.approx(0.95, abs=0.01)
    values = np.array([1.0, 2.0, 3.0])
    expected = 4.303 / np.sqrt(3)  # t of 2, standard deviation 1
    assert mean_with_interval(values, games[:3], 2) == f"+2.00 ± {expected:.2f}"
    assert mean_with_interval(values, np.zeros(3, np.int64)) == "+2"


def test_one_cluster_says_nothing_of_the_error():
    assert math.isnan(clustered_error(np.ones(3), np.zeros(3, np.int64)))
    assert math.isnan(clustered_error(np.ones(0), np.zeros(0, np.int64)))
    assert math.isnan(clustered_interval(np.ones(3), np.zeros(3, np.int64)))


def test_two_clusters_have_the_widest_interval():
    interval = clustered_interval(np.array([1.0, -1.0]), np.arange(2))
    assert interval == pytest.approx(12.706)  # t of 1, standard error 1
