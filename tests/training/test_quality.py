"""Measures compared with scikit-learn's and with their definitions."""

import numpy as np
import pytest
from sklearn import metrics

from manue.training import quality as q


@pytest.fixture
def predictions():
    rng = np.random.default_rng(5)
    p = np.round(rng.random(3000) ** 3, 2)  # with ties
    return p, rng.random(3000) < p


def test_equal_to_sklearn(predictions):
    p, y = predictions
    assert q.auc(p, y) == pytest.approx(metrics.roc_auc_score(y, p), abs=1e-12)
    assert q.brier(p, y) == pytest.approx(metrics.brier_score_loss(y, p), abs=1e-12)
    inside = (p > q.CLIP) & (p < 1 - q.CLIP)
    assert q.log_loss(p[inside], y[inside]) == pytest.approx(
        metrics.log_loss(y[inside], p[inside]), abs=1e-12
    )


def test_auc_of_one_class_is_undefined():
    assert np.isnan(q.auc(np.array([0.1, 0.2]), np.array([True, True])))


def test_buckets_partition_the_predictions(predictions):
    p, y = predictions
    games = np.arange(len(p)) // 30
    for buckets in (q.reliability(p, y, games), q.reliability_by_size(p, y, games)):
        assert sum(bucket.count for bucket in buckets) == len(p)
        assert sum(bucket.count * bucket.actual for bucket in buckets) == pytest.approx(y.sum())
        assert sum(bucket.count * bucket.predicted for bucket in buckets) == pytest.approx(p.sum())
        assert sorted(buckets, key=lambda bucket: bucket.predicted) == buckets


def test_rows_of_one_game_are_no_independent_observations():
    """Errors of buckets counted every row, as if no outcome had been shared."""
    games = np.repeat(np.arange(50), 200)
    wins = np.repeat(np.random.default_rng(7).random(50) < 0.3, 200)
    (bucket,) = q.reliability_by_size(np.full(len(wins), 0.3), wins, games)
    share = wins.mean()
    assert bucket.error == pytest.approx(np.sqrt(share * (1 - share) / 49))
    assert bucket.interval == pytest.approx(2.0096 * bucket.error, rel=1e-3)  # t of 49
    assert bucket.row() == f"| 0.3000 | 10,000 | {share:.4f} ± {bucket.error:.4f} |"


def test_a_bucket_of_one_game_has_no_error():
    (bucket,) = q.reliability_by_size(np.full(9, 0.5), np.arange(9) < 3, np.zeros(9, np.int64))
    assert bucket.row(digits=2) == "| 0.50 | 9 | 0.33 |"


def test_the_calibration_error_is_that_of_its_buckets(predictions):
    p, y = predictions
    groups = q.reliability_by_size(p, y, np.arange(len(p)), 20)
    by_bucket = sum(group.count * abs(group.predicted - group.actual) for group in groups) / len(p)
    assert q.calibration_error(p, y) == pytest.approx(by_bucket)


def test_a_shift_raises_the_calibration_error(predictions):
    p, y = predictions
    honest = q.calibration_error(p, y)
    assert honest < 0.02
    assert q.calibration_error(np.minimum(p + 0.2, 1), y) > honest + 0.1


def test_constant_predictions_are_one_bucket():
    assert q.calibration_error(np.full(10, 0.5), np.arange(10) < 5) == pytest.approx(0.0)


def test_measures_of_amounts():
    result = q.amount_quality(np.array([2.0, 2.0]), np.array([1.0, 4.0]))
    assert (result.absolute_error, result.bias) == (1.5, pytest.approx(-0.2))


def test_no_predictions_have_no_quality():
    nothing = np.zeros(0)
    measured = q.quality(nothing, nothing > 0)
    assert measured.count == 0
    assert np.isnan([measured.share, measured.log_loss, measured.brier, measured.auc]).all()
    games = nothing.astype(np.int64)
    assert q.reliability_by_size(nothing, nothing, games) == q.reliability(nothing, nothing, games) == []
    assert np.isnan(q.amount_quality(nothing, nothing).absolute_error)


def test_what_nothing_is_known_of_is_a_dash_and_not_nan():
    """So tables said where a row had no case, or none of one class."""
    none = np.zeros(0)
    rows = (q.quality(none, none).row("a"), q.quality(np.full(2, 0.5), np.zeros(2)).row("a"))
    assert rows == (
        "| a | 0 | - | - | - | - | - |",
        "| a | 2 | 0.0000 | 0.69315 | 0.25000 | - | 0.5000 |",
    )
    assert q.amount_quality(none, none).row("a") == "| a | 0 | - | - | - | - |"
