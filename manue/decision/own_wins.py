"""How this seat's win comes about: by self-draw or by ron, and in which size.

The Monte Carlo draws know with which hands an option wins, and so which sizes are possible at all; the trees
know the mean better, because the draws take the most valuable hand that they reach. So the shares of the
draws are multiplied by a power of the size that gives the mean of the trees. Where no moderate power does,
as for a hand of a single size, the rest is reached by moving a share to the next size.
"""

from functools import lru_cache

import numpy as np

from manue.arrays import F64
from manue.compiled import compiled, inlined
from manue.hand.points import SIZES, sizes_of_wins, split_by_size

MAX_POWER = 3.0
"""The greatest power; a greater one brings the sizes of recorded wins hardly nearer (docs/history.md)."""
_STEPS = 12
_CLOSE = 1.0
"""Points within which the mean is met."""
_LEAST_SLOPE = 1.0
"""Points by which the mean rises for a power higher by 1, below which no further power is tried."""


def ways_of_wins(drawn: F64, points: F64, tsumo_share: F64, *, dealer: bool) -> F64:
    """Return P(the win is a self-draw of each size, and a ron of each size): float64[n, 2, SIZES].

    Each option's sum is 1.

    Parameters
    ----------
    drawn : float64[n, 2, SIZES]
        The same by the Monte Carlo draws; 0 for an option that won none of them.
    points : float64[n]
        Mean points of the win, without honba and deposits; means beyond the smallest and the largest size are
        cut there.
    tsumo_share : float64[n]
        P(self-draw) of a win that the draws never saw.
    dealer : bool
        Whether this seat is the dealer.
    """
    sizes, logs = _sizes(dealer=dealer)
    unseen = drawn.sum(axis=(1, 2)) == 0.0
    out = drawn.copy()
    if unseen.any():
        for way, share in enumerate((tsumo_share, 1.0 - tsumo_share)):
            out[unseen, way] = share[unseen, None] * split_by_size(points[unseen], sizes[way])
    _fit(out.reshape(-1, 2 * SIZES), sizes.reshape(-1), logs.reshape(-1), points)
    return out


@lru_cache
def _sizes(*, dealer: bool) -> tuple[F64, F64]:
    """Return the sizes by self-draw and by ron, float64[2, SIZES], and their logarithms."""
    sizes = np.stack([sizes_of_wins(dealer=dealer, tsumo=tsumo) for tsumo in (True, False)])
    return sizes, np.log(sizes)


# ---- kernels


@compiled
def _fit(shares: F64, sizes: F64, logs: F64, points: F64) -> None:
    """Adjust every row of shares, float64[n, 2 * SIZES], to the wanted mean."""
    for i in range(len(shares)):
        _multiply_by_power(shares[i], sizes, logs, points[i])
        _move_to_neighbours(shares[i], sizes, points[i])


@compiled
def _multiply_by_power(shares: F64, sizes: F64, logs: F64, points: float) -> None:
    """Find the power by Newton's method; the mean rises with it."""
    drawn = shares.copy()
    power = 0.0
    for _ in range(_STEPS):
        total = mean = middle = 0.0
        for k in range(len(shares)):
            shares[k] = drawn[k] * np.exp(power * (logs[k] - logs[SIZES // 2]))
            total += shares[k]
            mean += shares[k] * sizes[k]
            middle += shares[k] * logs[k]
        mean /= total
        middle /= total
        slope = 0.0
        for k in range(len(shares)):
            shares[k] /= total
            slope += shares[k] * (sizes[k] - mean) * (logs[k] - middle)
        if abs(points - mean) < _CLOSE or slope < _LEAST_SLOPE:
            return
        moved = min(max(power + (points - mean) / slope, -MAX_POWER), MAX_POWER)
        if moved == power:
            return
        power = moved


@compiled
def _move_to_neighbours(shares: F64, sizes: F64, points: float) -> None:
    """Move the same share of every size to the next size up or down, as often as it takes."""
    for _ in range(SIZES):
        lacking = points - _mean(shares, sizes)
        if abs(lacking) < _CLOSE:
            return
        step = 1 if lacking > 0.0 else -1
        moved = np.zeros(len(shares))
        for k in range(len(shares)):
            place = min(max(k % SIZES + step, 0), SIZES - 1)
            moved[k - k % SIZES + place] += shares[k]
        change = _mean(moved, sizes) - _mean(shares, sizes)
        if change == 0.0:
            return
        share = min(lacking / change, 1.0)
        for k in range(len(shares)):
            shares[k] += share * (moved[k] - shares[k])


@inlined
def _mean(shares: F64, sizes: F64) -> float:
    mean = 0.0
    for k in range(len(shares)):
        mean += shares[k] * sizes[k]
    return mean
