"""Taking a declaration against leaving it: the difference predicted, and the difference observed.

What was not done has no outcome, and what strong players leave is worth less than what they take. So both
sides are measured over all decisions in which the declaration was possible: the prediction for either side,
corrected by the residual of what was done, which is weighted by one over the probability of doing that
(doubly robust: Robins, Rotnitzky and Zhao, "Estimation of regression coefficients when some regressors are
not always observed", 1994). The mean is right if either the predictions or the probabilities are. The
probabilities are those of the human policy; they are kept from falling below `MIN_PROB`, and where that
happens is shown: there the observed difference leans on the predictions.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from manue.arrays import F64, Records
from manue.features.call_policy import DECLARATIONS
from manue.intervals import clustered_error

MIN_PROB = 0.05
"""Probabilities of what was done count as at least this: no decision weighs more than 20."""
GROUPS = 10
MIN_GROUP = 50
"""Groups of the predicted difference are larger than this, or fewer."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Taking minus leaving over some decisions.

    Parameters
    ----------
    count, taken : int
    predicted, observed : float
    error : float
        Standard error of the difference of the two, clustered by game.
    cut : float
        Share of the weights that keeping probabilities from `MIN_PROB` took away.
    """

    count: int
    taken: int
    predicted: float
    observed: float
    error: float
    cut: float


def differences(rows: Records, measure: str) -> F64:
    """Return an estimate of taking minus leaving at each decision: float64[n].

    Its mean is unbiased over decisions that are not selected by what was done, up to the cut of the weights.

    Parameters
    ----------
    rows : CHOICES[n]
    measure : {"points", "place", "win"}
    """
    taken, done, base = rows["taken"], _prob_of_done(rows), rows[measure]
    followed = rows["won" if measure == "win" else f"{measure}_then"]
    residual = (followed - base[:, 2]) / np.maximum(done, MIN_PROB)
    return np.asarray(base[:, 0] - base[:, 1] + np.where(taken, residual, -residual), np.float64)


def difference(rows: Records, measure: str) -> Difference:
    """Compare the predicted with the observed difference over some decisions (CHOICES[n])."""
    predicted = rows[measure][:, 0] - rows[measure][:, 1]
    observed = differences(rows, measure)
    weights = 1.0 / np.maximum(_prob_of_done(rows), 1e-6)
    return Difference(
        len(rows),
        int(rows["taken"].sum()),
        float(predicted.mean()),
        float(observed.mean()),
        clustered_error(observed - predicted, rows["game"]),
        float(1.0 - np.minimum(weights, 1.0 / MIN_PROB).sum() / weights.sum()),
    )


def groups_of(rows: Records, measure: str) -> Iterator[Records]:
    """Yield the decisions in up to `GROUPS` groups of equal size by the predicted difference."""
    order = np.argsort(rows[measure][:, 0] - rows[measure][:, 1], kind="stable")
    number = int(np.clip(len(rows) // MIN_GROUP, 1, GROUPS))
    yield from (rows[part] for part in np.array_split(order, number))


def by_declaration(rows: Records) -> Iterator[tuple[str, Records]]:
    """Yield the name and the decisions of every declaration that was possible somewhere."""
    for number, name in enumerate(DECLARATIONS):
        part = rows[rows["declaration"] == number]
        if len(part):
            yield name, part


def _prob_of_done(rows: Records) -> F64:
    return np.asarray(np.where(rows["taken"], rows["prob"], 1.0 - rows["prob"]), np.float64)
