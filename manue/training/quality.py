"""The quality of predictions: log loss, Brier score, AUC, calibration; for training and `calibrate`.

Most functions take ``predicted`` (float[n]) and ``actual`` (0/1 or bool [n]; for amounts, float[n]).
"""

import math
from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64, I64, U8, Bool
from manue.as_text import known, percent
from manue.intervals import clustered_error, clustered_interval, with_spread

Values = F64 | F32
Labels = Bool | U8 | F64


CLIP = 1e-6
"""Probabilities are clipped this far from 0 and 1 in the log loss."""
BUCKETS = 10
"""Groups of a reliability table."""
CALIBRATION_BUCKETS = 20
"""Groups of equal size over which the calibration error is taken."""
SIMULATIONS = 40
"""Number of simulated outcomes that the calibration error by chance is averaged over."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """Predictions of similar size.

    Parameters
    ----------
    count : int
    predicted, actual : float
        The mean predicted, and the mean observed.
    error, interval : float
        Of the mean observed: its standard error and half its 95 % interval, by game; nan for a single game.
    """

    count: int
    predicted: float
    actual: float
    error: float
    interval: float

    def row(self, digits: int = 4) -> str:
        """Return a row of a Markdown table: predicted, number, observed with one standard error."""
        observed = with_spread(f"{self.actual:.{digits}f}", self.error, digits)
        return f"| {self.predicted:.{digits}f} | {self.count:,} | {observed} |"


@dataclass(frozen=True, slots=True)
class Quality:
    """Measures of predicted probabilities against what was observed."""

    count: int
    share: float
    log_loss: float
    brier: float
    auc: float
    calibration_error: float

    def row(self, name: str) -> str:
        """Return a row of a Markdown table with the header `QUALITY_HEADER`."""
        return (
            f"| {name} | {self.count:,} | {known(self.share, '.4f')} | {known(self.log_loss, '.5f')} "
            f"| {known(self.brier, '.5f')} | {known(self.auc, '.4f')} "
            f"| {known(self.calibration_error, '.4f')} |"
        )


QUALITY_HEADER = "| model | n | share | log loss | Brier | AUC | ECE |\n|---|---|---|---|---|---|---|"


def quality(predicted: Values, actual: Labels) -> Quality:
    """Return all measures of `Quality`: of probabilities float64[n] and whether each came about, bool[n]."""
    return Quality(
        count=len(actual),
        share=mean(actual),
        log_loss=log_loss(predicted, actual),
        brier=brier(predicted, actual),
        auc=auc(predicted, actual),
        calibration_error=calibration_error(predicted, actual),
    )


def mean(values: Labels | Values) -> float:
    """Return the mean; nan if there are no values."""
    return float(np.mean(values)) if len(values) else float("nan")


def log_loss(predicted: Values, actual: Labels) -> float:
    """Return the mean negative log of the probability predicted for what was observed, in nats.

    ``predicted`` and ``actual`` are as in `quality`.
    """
    p = np.clip(predicted, CLIP, 1 - CLIP)
    hit = np.asarray(actual, np.bool_)
    return -mean(np.where(hit, np.log(p), np.log1p(np.negative(p))))


def brier(predicted: Values, actual: Labels) -> float:
    """Return the mean squared difference.

    ``predicted`` and ``actual`` are as in `quality`.
    """
    return mean((predicted - np.asarray(actual, np.float64)) ** 2)


def auc(predicted: Values, actual: Labels) -> float:
    """Return P(a random hit is rated above a random miss), ties counting half; nan without hits or misses.

    ``predicted`` and ``actual`` are as in `quality`.
    """
    hit = np.asarray(actual, np.bool_)
    hits = int(hit.sum())
    misses = len(hit) - hits
    if not hits or not misses:
        return float("nan")
    _, inverse, counts = np.unique(predicted, return_inverse=True, return_counts=True)
    ranks = np.asarray(np.cumsum(counts) - (counts - 1) / 2, np.float64)
    return float((ranks[inverse][hit].sum() - hits * (hits + 1) / 2) / (hits * misses))


def reliability(predicted: Values, actual: Labels, games: I64) -> list[Bucket]:
    """Group predictions into buckets of equal width between 0 and the largest; empty ones are left out.

    ``predicted`` and ``actual`` are as in `quality`; rows of one game, int64[n], depend on each other.
    """
    top = max(float(np.max(predicted)), 1e-12) if len(predicted) else 1.0
    return _buckets(predicted, actual, games, np.linspace(0, top, BUCKETS + 1))


def reliability_by_size(
    predicted: Values, actual: Labels, games: I64, buckets: int = BUCKETS
) -> list[Bucket]:
    """Group predictions into buckets of about equal numbers; parameters as in `reliability`."""
    return _buckets(predicted, actual, games, _edges_by_size(predicted, buckets)) if len(predicted) else []


def _edges_by_size(predicted: Values, buckets: int) -> F64:
    return np.unique(np.quantile(predicted, np.linspace(0, 1, buckets + 1)))


def calibration_error(predicted: Values, actual: Labels) -> float:
    """Return the expected calibration error: mean gap of predicted and observed share over equal buckets.

    ``predicted`` and ``actual`` are as in `quality`; nan if there are none.
    """
    if not len(predicted):
        return math.nan
    p, hit = np.asarray(predicted, np.float64), np.asarray(actual, np.float64)
    gaps = np.bincount(_bucket_of(p, _edges_by_size(predicted, CALIBRATION_BUCKETS)), p - hit)
    return float(np.abs(gaps).sum() / len(p))


def calibration_error_by_chance(predicted: Values, group: I64) -> float:
    """Return the calibration error that predictions would show by chance if they were exact.

    The mean over `SIMULATIONS`, in which outcomes are sampled with the predicted probabilities, those of one
    group together.
    """
    rng = np.random.default_rng(0)
    _, index = np.unique(group, return_inverse=True)
    samples = (rng.random(int(index.max(initial=0)) + 1)[index] for _ in range(SIMULATIONS))
    return float(np.mean([calibration_error(predicted, sampled < predicted) for sampled in samples]))


def means_by_cell(cells: I64, values: Labels | Values, size: int) -> F64:
    """Return the mean of the values, bool[n] or float[n], by cell, int64[n] of 0..size - 1: float64[size].

    Every cell has one value more, the mean of all, which decides where there is no other.
    """
    observed = np.asarray(values, np.float64)
    sums, counts = np.bincount(cells, observed, size), np.bincount(cells, minlength=size)
    return np.asarray((sums + observed.sum() / max(len(observed), 1)) / (counts + 1), np.float64)


def _bucket_of(predicted: F64, edges: F64) -> I64:
    """Return the bucket between the edges that each prediction belongs to: int64[n]."""
    inside = np.searchsorted(edges, predicted, side="right") - 1
    return np.asarray(np.clip(inside, 0, max(len(edges) - 2, 0)), np.int64)


def _buckets(predicted: Values, actual: Labels, games: I64, edges: F64) -> list[Bucket]:
    p, hit = np.asarray(predicted, np.float64), np.asarray(actual, np.float64)
    index = _bucket_of(p, edges)
    buckets = []
    for i in np.unique(index).tolist():
        mask = index == i
        observed, game = hit[mask], games[mask]
        means = float(p[mask].mean()), float(observed.mean())
        errors = clustered_error(observed, game), clustered_interval(observed, game)
        buckets.append(Bucket(len(observed), *means, *errors))
    return buckets


@dataclass(frozen=True, slots=True)
class AmountQuality:
    """Measures of predicted amounts."""

    count: int
    mean_actual: float
    mean_predicted: float
    absolute_error: float
    squared_error: float  # root of the mean

    @property
    def bias(self) -> float:
        """Relative error of the mean."""
        return self.mean_predicted / self.mean_actual - 1 if self.mean_actual else float("nan")

    def row(self, name: str) -> str:
        """Return a row of a Markdown table with the header `AMOUNT_HEADER`."""
        return (
            f"| {name} | {self.count:,} | {known(self.mean_actual, '.0f')} "
            f"| {known(self.absolute_error, '.0f')} | {known(self.squared_error, '.0f')} "
            f"| {percent(self.bias, 2, signed=True)} |"
        )


AMOUNT_HEADER = (
    "| model | n | mean | mean absolute error | root mean squared error | bias |\n|---|---|---|---|---|---|"
)


def amount_quality(predicted: Values, actual: Values) -> AmountQuality:
    """Measure predicted amounts against observed ones, both float64[n]."""
    difference = np.asarray(predicted, np.float64) - actual
    return AmountQuality(
        count=len(actual),
        mean_actual=mean(actual),
        mean_predicted=mean(predicted),
        absolute_error=mean(np.abs(difference)),
        squared_error=float(np.sqrt(mean(difference**2))),
    )


def continuous_ranked_scores(values: F64, probs: F64, actual: Values) -> F64:
    """Return the CRPS of n predicted distributions, float64[n]: E|X - y| - E|X - X'| / 2, at least 0.

    That of a distribution with a single value is its absolute error (Gneiting and Raftery 2007).

    Parameters
    ----------
    values, probs : float64[n, k]
        The values and how likely each is; rows of ``probs`` sum to 1.
    actual : float64[n]
        What was observed.
    """
    error = (probs * np.abs(values - np.asarray(actual, np.float64)[:, None])).sum(axis=1)
    order = np.argsort(values, axis=1)
    below = np.cumsum(np.take_along_axis(probs, order, axis=1), axis=1)[:, :-1]
    steps = np.diff(np.take_along_axis(values, order, axis=1), axis=1)
    return np.asarray(error - (below * (1.0 - below) * steps).sum(axis=1), np.float64)
