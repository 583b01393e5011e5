"""Limits and payments: han and fu -> points, for one win and as look-up tables for thousands.

The value of a win is addressed by its *cell*, ``row * FU_COLUMNS + column``. The row is the han (capped at
13) or, from `YAKUMAN_ROW` on, the number of yakuman; the column is ``fu // 10`` (25 fu are in column 1).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from manue.arrays import F32, F64, I64, Bool
from manue.compiled import inlined
from manue.rules import Rules

COUNTED_HAN = 13
YAKUMAN_ROW = 13
"""Row ``YAKUMAN_ROW + n`` holds n yakuman."""
ROWS = YAKUMAN_ROW + 9
FU_COLUMNS = 15
CELLS = ROWS * FU_COLUMNS

MANGAN, HANEMAN, BAIMAN, SANBAIMAN, YAKUMAN = 2000, 3000, 4000, 6000, 8000
"""Base points of the limits; at a self-draw each pays that, twice that where either is the dealer."""
_LIMIT_OF_HAN = {
    5: MANGAN,
    6: HANEMAN,
    7: HANEMAN,
    8: BAIMAN,
    9: BAIMAN,
    10: BAIMAN,
    11: SANBAIMAN,
    12: SANBAIMAN,
}


SIZE_BASES = (240, 480, 960, 1280, MANGAN, HANEMAN, BAIMAN, YAKUMAN, 2 * YAKUMAN)
"""Base points of the sizes by which wins are distinguished: 1,000, 2,000, 3,900, 5,200... of a non-dealer."""
SIZES = len(SIZE_BASES)
LEAST_WIN, LEAST_DEALER_WIN = 1000.0, 1500.0
"""Points of the smallest win, one han and 30 fu by ron: of a non-dealer and of the dealer."""


def least_wins(dealer: Bool) -> F64:
    """Return the points of the smallest win of seats that are the dealer or not, in the given shape."""
    return np.where(dealer, LEAST_DEALER_WIN, LEAST_WIN)


def base_points(han: int, fu: int, yakuman: int, rules: Rules) -> int:
    """Return the base points: what a non-dealer pays another non-dealer for a self-draw, before rounding.

    Parameters
    ----------
    han : int
        Han with dora, at least 1 unless there is a yakuman.
    fu : int
        Rounded fu.
    yakuman : int
        Number of yakuman, 0 for an ordinary hand.
    rules : Rules
    """
    if yakuman:
        return YAKUMAN * yakuman
    if han >= COUNTED_HAN:
        return YAKUMAN if rules.counted_yakuman else SANBAIMAN
    if han in _LIMIT_OF_HAN:
        return _LIMIT_OF_HAN[han]
    base = fu << (han + 2)
    if rules.kiriage_mangan and base == 1920:  # 4 han 30 fu, 3 han 60 fu
        return MANGAN
    return min(base, MANGAN)


def limit_name(base: int) -> str:
    """Return the name of the limit that base points reach, ``""`` below mangan."""
    if base > YAKUMAN:
        return f"{base // YAKUMAN} yakuman"
    names = {
        MANGAN: "mangan",
        HANEMAN: "haneman",
        BAIMAN: "baiman",
        SANBAIMAN: "sanbaiman",
        YAKUMAN: "yakuman",
    }
    return names.get(base, "")


def ron_payment(base: int, *, dealer: bool) -> int:
    """Return what the discarder pays, without honba."""
    return _to_hundreds(base * (6 if dealer else 4))


def tsumo_payments(base: int, *, dealer: bool) -> tuple[int, int]:
    """Return what the dealer pays (0 if the dealer wins) and what each other seat pays, without honba."""
    return (0, _to_hundreds(base * 2)) if dealer else (_to_hundreds(base * 2), _to_hundreds(base))


def _to_hundreds(points: int) -> int:
    return -(-points // 100) * 100


def win_total(base: int, *, dealer: bool, tsumo: bool) -> int:
    """Return what the winner receives in total, without honba and deposits."""
    if not tsumo:
        return ron_payment(base, dealer=dealer)
    from_dealer, from_other = tsumo_payments(base, dealer=dealer)
    return from_dealer + from_other * (3 if dealer else 2)


@lru_cache
def sizes_of_wins(*, dealer: bool, tsumo: bool) -> F64:
    """Return what the winner receives for each size, without honba and deposits.

    Returns
    -------
    float64[SIZES]
        Rising, read-only.
    """
    sizes = np.array([win_total(base, dealer=dealer, tsumo=tsumo) for base in SIZE_BASES], np.float64)
    sizes.flags.writeable = False
    return sizes


def between(points: F64, steps: F64) -> tuple[I64, F64]:
    """Find the two neighbouring steps between which points lie.

    Parameters
    ----------
    points : float64[n]
        What lies beyond the outermost step counts for that step.
    steps : float64[k]
        Rising, two or more.

    Returns
    -------
    upper : int64[n]
        Index of the upper step.
    share : float64[n]
        Its share, 0..1, if points are divided between the two so that the mean is kept.
    """
    inside = np.clip(points, steps[0], steps[-1])
    upper = np.asarray(np.clip(np.searchsorted(steps, inside, side="right"), 1, len(steps) - 1), np.int64)
    share = (inside - steps[upper - 1]) / (steps[upper] - steps[upper - 1])
    return upper, np.asarray(share, np.float64)


def split_by_size(points: F64, sizes: F64) -> F64:
    """Divide points between the two neighbouring sizes so that the mean is kept: float64[n, SIZES].

    Parameters
    ----------
    points : float64[n]
        What lies beyond the outermost size counts for that size.
    sizes : float64[SIZES]
    """
    upper, share = between(points, sizes)
    rows, out = np.arange(len(points)), np.zeros((len(points), SIZES))
    out[rows, upper - 1] = 1.0 - share
    out[rows, upper] = share
    return out


@inlined
def cell_of(han: int, fu: int, yakuman: int) -> int:
    """Return the address of a win in a table of points."""
    column = fu // 10 if fu != 25 else 1
    if yakuman > 0:
        return (YAKUMAN_ROW + yakuman) * FU_COLUMNS + column
    return min(han, COUNTED_HAN) * FU_COLUMNS + column


@lru_cache(maxsize=256)
def points_table(rules: Rules, *, dealer: bool, tsumo: bool, extra_han: Sequence[float] = (1.0,)) -> F32:
    """Tabulate the expected points of every cell: float32[CELLS], read-only.

    Parameters
    ----------
    rules : Rules
    dealer, tsumo : bool
        The winner is the dealer; the win is by self-draw (the sum of the three payments).
    extra_han : tuple of float
        Probability of 0, 1, 2... han beyond those of the cell (ura-dora, ippatsu); sums to 1.

    Notes
    -----
    Row 0 (no han at all) is zero whatever the extra han: a hand without yaku cannot win.
    """
    return _with_extra_han(_totals(rules, dealer=dealer, tsumo=tsumo), extra_han).reshape(-1)


@lru_cache(maxsize=256)
def size_table(rules: Rules, *, dealer: bool, tsumo: bool, extra_han: Sequence[float] = (1.0,)) -> F32:
    """Tabulate how likely each size is in every cell: float32[CELLS, SIZES], read-only.

    A row keeps the expected points of its cell, up to the largest size, and sums to 1; without any han it is
    0. Parameters as in `points_table`.
    """
    points = _totals(rules, dealer=dealer, tsumo=tsumo)
    sizes = split_by_size(points, sizes_of_wins(dealer=dealer, tsumo=tsumo))
    sizes[points == 0.0] = 0.0
    return _with_extra_han(sizes, extra_han)


def _totals(rules: Rules, *, dealer: bool, tsumo: bool) -> F64:
    """Return the points of every cell without extra han: float64[CELLS]."""
    totals = np.zeros((ROWS, FU_COLUMNS))
    for han in range(1, COUNTED_HAN + 1):
        for column in range(1, FU_COLUMNS):
            fu = 25 if column == 1 else column * 10
            totals[han, column] = win_total(base_points(han, fu, 0, rules), dealer=dealer, tsumo=tsumo)
    for yakuman in range(1, ROWS - YAKUMAN_ROW):
        totals[YAKUMAN_ROW + yakuman] = win_total(YAKUMAN * yakuman, dealer=dealer, tsumo=tsumo)
    return totals.reshape(-1)


def _with_extra_han(cells: F64, extra_han: Sequence[float]) -> F32:
    """Return the mean over the extra han of what every cell holds: float32[CELLS, m], read-only."""
    plain = cells.reshape(ROWS, FU_COLUMNS, -1)
    expected = plain.copy()
    for han in range(1, COUNTED_HAN + 1):
        rows = np.minimum(han + np.arange(len(extra_han)), COUNTED_HAN)
        expected[han] = np.tensordot(np.asarray(extra_han), plain[rows], axes=1)
    table = expected.reshape(CELLS, -1).astype(np.float32)
    table.flags.writeable = False
    return table
