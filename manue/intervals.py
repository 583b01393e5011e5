"""Errors and 95 % intervals of means whose cases depend on each other within clusters: games, rounds, walls.

The mean is a ratio estimator over clusters, each of which is one observation (Cochran, "Sampling Techniques",
1977, chapter 6).
"""

import math
from dataclasses import dataclass

import numpy as np

from manue.arrays import F64, I64

NORMAL = 1.959964
"""Standard errors in half a 95 % interval where the number of observations is large."""
# Student's t, 97.5 %, for 1..10 degrees of freedom; beyond, the expansion below is good to three digits
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def student_t(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5)."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    first = (NORMAL**3 + NORMAL) / 4
    second = (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / 96
    third = (3 * NORMAL**7 + 19 * NORMAL**5 + 17 * NORMAL**3 - 15 * NORMAL) / 384
    return NORMAL + first / freedom + second / freedom**2 + third / freedom**3


def ratio_error(squares: float, clusters: int, count: int) -> float:
    """Return the standard error of a mean over cases in clusters; nan with fewer than two clusters.

    Parameters
    ----------
    squares : float
        The sum over clusters of the squared sum of the deviations from the mean.
    clusters, count : int
        How many clusters, and how many cases in all.
    """
    if clusters < 2:
        return math.nan
    return math.sqrt(squares * clusters / (clusters - 1)) / count


def clustered_error(values: F64, clusters: I64) -> float:
    """Return the standard error of the mean of float64[n] that depend on each other within clusters int64[n].

    nan with fewer than two clusters.
    """
    if not len(values):
        return math.nan
    _, cluster = np.unique(clusters, return_inverse=True)
    sums = np.bincount(cluster, values - values.mean())
    return ratio_error(float((sums**2).sum()), len(sums), len(values))


def clustered_interval(values: F64, clusters: I64) -> float:
    """Return half the 95 % interval of the mean of float64[n] over clusters int64[n].

    nan with fewer than two clusters.
    """
    number = len(np.unique(clusters))
    return math.nan if number < 2 else student_t(number - 1) * clustered_error(values, clusters)


def with_spread(mean: str, spread: float | None, digits: int) -> str:
    """Return a mean followed by its error, or half its interval; by nothing if that is nan or ``None``."""
    return mean if spread is None or math.isnan(spread) else f"{mean} ± {spread:.{digits}f}"


def mean_with_interval(values: F64, clusters: I64, digits: int = 0) -> str:
    """Return the signed mean of float64[n] and its 95 % interval over clusters int64[n], as text.

    With fewer than two clusters there is no interval.
    """
    return with_spread(f"{values.mean():+.{digits}f}", clustered_interval(values, clusters), digits)


@dataclass(slots=True)
class WallMean:
    """Mean of an integer quantity over games, with an interval over their walls; sums are exact."""

    walls: int = 0
    count: int = 0
    total: int = 0
    squares: int = 0  # sum over walls of (wall total)^2
    products: int = 0  # ... of wall total x wall count
    counts: int = 0  # ... of (wall count)^2

    def add_wall(self, total: int, count: int) -> None:
        """Add the games of one wall: the sum of the quantity over them, and their number."""
        self.walls += 1
        self.count += count
        self.total += total
        self.squares += total * total
        self.products += total * count
        self.counts += count * count

    @property
    def mean(self) -> float | None:
        """The mean per game; ``None`` without games."""
        return self.total / self.count if self.count else None

    @property
    def ci95(self) -> float | None:
        """Half the width of the 95 % interval; ``None`` with fewer than two walls."""
        if self.walls < 2:
            return None
        mean = self.total / self.count
        squares = max(0.0, self.squares - 2 * mean * self.products + mean * mean * self.counts)
        return student_t(self.walls - 1) * ratio_error(squares, self.walls, self.count)
