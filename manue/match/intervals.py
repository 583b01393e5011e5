"""Means over games with 95 % intervals over walls: walls are independent, games on the same wall are not.

Each wall is one observation (ratio estimator over clusters, Student's t).
"""

import math
from dataclasses import dataclass

# Student's t, 97.5 %, for 1..10 degrees of freedom; beyond, the expansion below is good to three digits
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_Z = 1.959964


def student_t(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5)."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    first = (_Z**3 + _Z) / 4
    second = (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96
    third = (3 * _Z**7 + 19 * _Z**5 + 17 * _Z**3 - 15 * _Z) / 384
    return _Z + first / freedom + second / freedom**2 + third / freedom**3


@dataclass(slots=True)
class WallMean:
    """Mean of an integer quantity over games, with an interval over walls; sums are exact."""

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
        spread = max(0.0, self.squares - 2 * mean * self.products + mean * mean * self.counts)
        error = math.sqrt(spread * self.walls / (self.walls - 1)) / self.count
        return student_t(self.walls - 1) * error
