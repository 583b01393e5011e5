"""The numbers of options, rounded for data and printed for tables, for many decisions at once.

Rounding and printing each number separately costs more than everything else about a log, so both are done for
whole arrays. Numbers that arrays cannot print exactly like ``%.0f`` or ``%.3f`` (ties, minus zero, and those
too long for their column) are printed one by one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from manue.arrays import F64, Bool
from manue.decision.report import Report


@dataclass(frozen=True, slots=True)
class Column:
    """One number of a report: its names on the wire and in code, and its precision.

    The data are rounded to multiples of 1 / ``scale``, a power of ten; 1 means whole numbers. Tables show
    zero or three decimals.
    """

    wire: str
    name: str
    scale: int
    shown_decimals: int


COLUMNS = (
    Column("expPt", "expected_points", 10, 0),
    Column("avgRank", "expected_rank", 10_000, 3),
    Column("horaProb", "win_prob", 100_000, 3),
    Column("avgHoraPt", "win_points", 10, 0),
    Column("unsafeProb", "deal_in_prob", 100_000, 3),
    Column("avgHojuPt", "deal_in_points", 10, 0),
    Column("ryukyokuProb", "draw_prob", 100_000, 3),
    Column("ryukyokuAvgPt", "draw_points", 10, 0),
    Column("otherHoraProb", "others_win_prob", 100_000, 3),
    Column("shanten", "shanten", 1, 0),
    Column("playedProb", "played_prob", 10_000, 3),
)
UNSHOWN = (
    Column("hojuLaterProb", "deal_in_later_prob", 100_000, 3),
    Column("horaProbError", "win_prob_error", 100_000, 3),
    Column("avgHoraPtError", "win_points_error", 10, 0),
)
"""Numbers that are in the data, not in tables."""

KEYS = ("action", *(column.wire for column in COLUMNS), "ukeire", *(column.wire for column in UNSHOWN))
"""Names of an option's data, in order."""
TITLES = ("action", *(column.wire for column in COLUMNS), "ukeire")
"""Titles of a table's columns."""

_COLUMNS = slice(1, 1 + len(COLUMNS))
_UKEIRE = 1 + len(COLUMNS)
_ALL = (*COLUMNS, *UNSHOWN)
_NUMBERS = attrgetter(*(column.name for column in _ALL), "ukeire_kinds", "ukeire_count")
_SCALES = np.array([column.scale for column in _ALL], np.float64)
_WHOLE = [at for at, column in enumerate(_ALL) if column.scale == 1]
_SHOWN_SCALES = np.array([10.0**column.shown_decimals for column in COLUMNS])
_PLAIN = [at for at, column in enumerate(COLUMNS) if not column.shown_decimals]
_THOUSANDTHS = [at for at, column in enumerate(COLUMNS) if column.shown_decimals]
_TEXTS = np.array([f"{part // 1000}.{part % 1000:03}" for part in range(4_001)], object)
"""The texts of all thousandths from 0 to 4, the last placement."""
_MIN, _MAX = np.array(
    [
        (0, len(_TEXTS) - 1)
        if column.shown_decimals
        else (1 - 10 ** (len(column.wire) - 1), 10 ** len(column.wire) - 1)
        for column in COLUMNS
    ],
    np.float64,
).T
"""The range of values that have a text and are no wider than their column's title."""
_EVERY = (True,) * len(TITLES)


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of one decision's options.

    Attributes
    ----------
    data : list of list
        By option: the values of `KEYS`, with numbers in multiples of 1 / ``scale``; NaN means unknown.
    complete : list of bool
        By option: whether all values are known.
    cells : list of list
        By option: the table cells under `TITLES`, to be printed with ``%s``.
    filled : tuple of bool
        By title: whether any option has a value there.
    widths : tuple of int
        By title: length of the longest cell or of the title.
    """

    data: list[list[Any]]
    complete: list[bool]
    cells: list[list[Any]]
    filled: tuple[bool, ...]
    widths: tuple[int, ...]


def figures_of(decisions: Sequence[Sequence[Report]], names: Sequence[Sequence[str]]) -> Iterator[Figures]:
    """Yield the figures of each decision.

    Parameters
    ----------
    decisions : sequence of sequence of Report
        Options by decision.
    names : sequence of sequence of str
        Names of the options.
    """
    reports = [report for options in decisions for report in options]
    values = np.array([_NUMBERS(report) for report in reports], np.float64).reshape(-1, len(_ALL) + 2)
    values[np.isinf(values)] = np.nan
    known: Bool = np.all(~np.isnan(values), axis=1)
    values = values[:, : len(_ALL)]
    data = np.empty((len(reports), len(KEYS)), object)
    cells = np.empty((len(reports), len(TITLES)), object)
    data[:, 0] = cells[:, 0] = [name for options in names for name in options]
    numbers = _rounded(values)
    data[:, _COLUMNS], data[:, _UKEIRE + 1 :] = numbers[:, : len(COLUMNS)], numbers[:, len(COLUMNS) :]
    odd = _print(values[:, : len(COLUMNS)], cells[:, _COLUMNS])
    first = 0
    for options in decisions:
        end = first + len(options)
        rows, printed = data[first:end].tolist(), cells[first:end].tolist()
        complete = known[first:end].tolist()
        for at, report in enumerate(options):
            kinds, count = report.ukeire_kinds, report.ukeire_count
            rows[at][_UKEIRE] = math.nan if kinds is None or count is None else [int(kinds), int(count)]
            printed[at][_UKEIRE] = "-" if count is None else f"{'-' if kinds is None else kinds}/{count}"
        widths = [len(title) for title in TITLES]
        for column in (0, _UKEIRE):
            widths[column] = max(map(len, [TITLES[column], *[row[column] for row in printed]]))
        for row, column in odd:
            if first <= row < end:
                widths[column] = max(widths[column], len(printed[row - first][column]))
        filled = _EVERY if all(complete) else _filled(options)
        yield Figures(rows, complete, printed, filled, tuple(widths))
        first = end


def _filled(options: Sequence[Report]) -> tuple[bool, ...]:
    """Return which titles have a value."""
    numbers = (any(getattr(report, column.name) is not None for report in options) for column in COLUMNS)
    return (True, *numbers, any(report.ukeire_count is not None for report in options))


def rounded(value: float | None, decimals: int) -> float | None:
    """Return a number for JSON, rounded to decimals; ``None`` where it is not known or not finite."""
    return None if value is None or not math.isfinite(value) else round(float(value), decimals)


def _rounded(values: F64) -> npt.NDArray[np.object_]:
    """Return values rounded to multiples of 1 / ``scale``, counts as integers."""
    scaled = np.rint(values * _SCALES) / _SCALES + 0.0  # avoid minus zero
    numbers = scaled.astype(object)
    for column in _WHOLE:
        known = ~np.isnan(scaled[:, column])
        numbers[known, column] = values[known, column].astype(np.int64)
    return numbers


def _print(values: F64, cells: npt.NDArray[np.object_]) -> list[tuple[int, int]]:
    """Fill in the cells of a table, and return the places of cells that may be wider than their title."""
    shown = values * _SHOWN_SCALES
    near = np.rint(shown)
    usual = (near >= _MIN) & (near <= _MAX) & (np.abs(shown - near) < 0.5)
    usual &= (near != 0) | ~np.signbit(near)
    whole = np.where(usual, near, 0).astype(np.int64)
    cells[:, _PLAIN] = whole[:, _PLAIN]
    cells[:, _THOUSANDTHS] = _TEXTS[whole[:, _THOUSANDTHS]]
    unknown = np.isnan(values)
    cells[unknown] = "-"
    odd = [(int(row), int(column)) for row, column in np.argwhere(~usual & ~unknown)]
    for row, column in odd:
        cells[row, column] = f"{values[row, column]:.{COLUMNS[column].shown_decimals}f}"
    return [(row, 1 + column) for row, column in odd]
