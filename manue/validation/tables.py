"""What the reports of ``manue calibrate`` share: slices of rows, simple predictions, reliability tables."""

from collections.abc import Iterator

import numpy as np

from manue.arrays import F64, I64, Bool, Records
from manue.training.dataset import sequences_of
from manue.training.quality import (
    Labels,
    Values,
    calibration_error_by_chance,
    means_by_cell,
    reliability_by_size,
)

TABLE_PARTS = 5
"""Tables are learned with cross-validation over this many groups of games."""
MIN_ROWS = 30
"""Parts with fewer rows are left out."""


def by_threat(rows: Records) -> dict[str, Bool]:
    """Return which rows are of positions without, and with, an opponent in riichi, by title."""
    return {
        "all": np.ones(len(rows), np.bool_),
        "no riichi on the table": ~rows["threat"],
        "a riichi on the table": rows["threat"],
    }


def estimated(rows: Records) -> bool:
    """Return whether the rows have predictions of the afterstate model."""
    return not bool(np.isnan(rows["win_prob"]).any())


def slices_of_turns(turn: I64) -> dict[str, Bool]:
    """Return which rows are of early, middle and late turns, as masks bool[n] by name."""
    return {
        "turns 1-6": turn <= 6,
        "turns 7-12": (turn > 6) & (turn <= 12),
        "turns 13 and later": turn > 12,
    }


def constant(values: Labels | Values) -> F64:
    """Predict the mean of n values for each: the best single number, known only in hindsight: float64[n]."""
    return np.full(len(values), float(np.mean(values)))


def chance_error(rows: Records, predicted: F64) -> float:
    """Return the calibration error expected by chance; outcomes of one seat in one round are tied."""
    return calibration_error_by_chance(predicted, sequences_of(rows))


def by_other_games(rows: Records, columns: list[Values], values: Labels | Values) -> F64:
    """Predict the mean of the rows with equal columns among the games of the other parts: float64[n]."""
    cell = np.zeros(len(rows), np.int64)
    for column in columns:
        cell = cell * 32 + np.asarray(column, np.int64)
    _, cell = np.unique(cell, return_inverse=True)
    _, game = np.unique(rows["game"], return_inverse=True)  # numbers of skipped games are missing
    of_row = game % TABLE_PARTS
    out = np.empty(len(rows))
    for one in range(TABLE_PARTS):
        here, others = of_row == one, of_row != one
        if not others.any():  # there is but one game
            others = here
        out[here] = means_by_cell(cell[others], values[others], int(cell.max(initial=0)) + 1)[cell[here]]
    return out


def reliability_lines(title: str, predicted: Values, actual: Labels, games: I64) -> Iterator[str]:
    """Yield the lines of a reliability table in groups of equal size, errors by game."""
    yield from ("", f"| predicted {title} | n | observed |", "|---|---|---|")
    yield from (group.row() for group in reliability_by_size(predicted, actual, games))
    yield ""
