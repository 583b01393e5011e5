"""Boosted trees that rank the alternative chosen before the others of its decision.

Classifying each row by itself as chosen or not would spend trees on separating easy decisions from hard ones.
Ranking only compares alternatives of the same decision: LambdaRank (Burges, "From RankNet to LambdaRank to
LambdaMART", 2010), in which a pair is weighted by how much swapping it would change the discounted gain. The
first trees classify; further trees are grown on the pairs by Newton steps: histogram boosting fits the
quotient of gradient and curvature, weighted by the curvature.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from manue.arrays import F32, F64, I64, Bool
from manue.models.trees import Trees
from manue.training.export import fitted, joined_trees

FIRST_TREES = 100
"""Most trees that classify."""
ROUNDS = 30
"""Most rounds of trees on pairs."""
TREES_OF_A_ROUND = 4
"""Trees grown on the same gradients before these are computed again."""
FOREMOST = 3
"""Only pairs with an alternative among this many foremost ones count."""
LEAST_CURVATURE, LONGEST_STEP = 1e-3, 6.0
"""Bounds of the Newton steps, which would be unlimited where the loss is almost flat."""
_SHAPE = {
    "max_leaf_nodes": 63,
    "max_features": 0.4,
    "learning_rate": 0.1,
    "early_stopping": False,
    "random_state": 0,
}


@dataclass(frozen=True, slots=True)
class Decisions:
    """The alternatives of decisions, decision by decision.

    Parameters
    ----------
    x : float32[n, features]
    chosen : bool[n]
        Exactly one of every decision.
    starts : int64[decisions]
        First row of each decision.
    """

    x: F32
    chosen: Bool
    starts: I64

    @property
    def decision(self) -> I64:
        """Index of the decision of every row: int64[n]."""
        sizes = np.diff([*self.starts, len(self.x)])
        return np.repeat(np.arange(len(self.starts)), sizes)

    def split(self, decisions: int) -> "tuple[Decisions, Decisions]":
        """Return the first ``decisions`` decisions, and the others."""
        row = int(self.starts[decisions]) if decisions < len(self.starts) else len(self.x)
        return (
            Decisions(self.x[:row], self.chosen[:row], self.starts[:decisions]),
            Decisions(self.x[row:], self.chosen[row:], self.starts[decisions:] - row),
        )

    def hits(self, rating: F64) -> Bool:
        """Return for each decision whether what float64[rows] rates highest was chosen: bool[decisions]."""
        order = np.lexsort((-rating, self.decision))
        return np.asarray(self.chosen[order[self.starts]], np.bool_)


def ranking_trees(rows: Decisions, rounds: int | None = None) -> Trees:
    """Learn to give the highest rating to the alternative chosen.

    Parameters
    ----------
    rows : Decisions
    rounds : int or None
        Rounds of `TREES_OF_A_ROUND` trees on pairs; with 0 the trees only classify. Default `ROUNDS`, fewer
        for few decisions.
    """
    if rounds is None:
        rounds = int(np.clip(len(rows.starts) // 1000, 2, ROUNDS))
    least = int(np.clip(len(rows.x) // 1000, 20, 200))
    first = HistGradientBoostingClassifier(
        max_iter=int(np.clip(len(rows.starts) // 100, 20, FIRST_TREES)),
        min_samples_leaf=least,
        l2_regularization=10.0,
        **_SHAPE,
    )
    parts = [fitted(first, rows.x, rows.chosen)]
    rating = parts[0].sums(rows.x)
    for _ in range(rounds):
        slope, curvature = pair_gradients(rating, rows)
        step = HistGradientBoostingRegressor(
            max_iter=TREES_OF_A_ROUND, min_samples_leaf=least, l2_regularization=1.0, **_SHAPE
        )
        wanted = np.clip(-slope / curvature, -LONGEST_STEP, LONGEST_STEP)
        parts.append(fitted(step, rows.x, wanted, curvature))
        rating += parts[-1].sums(rows.x)
    return joined_trees(parts)


def pair_gradients(rating: F64, rows: Decisions) -> tuple[F64, F64]:
    """Return the slope and the curvature of the ranking loss by the rating of every row: float64[n] each.

    The loss of a pair is ``w log(1 + exp(rating of the other - rating of the chosen))``, where ``w``, taken
    as constant, is the difference of the discounts ``1 / log2(1 + rank)`` of the two.
    """
    chosen = np.flatnonzero(rows.chosen)[rows.decision]
    rank = _ranks(rating, rows)
    discount = 1.0 / np.log2(2.0 + rank)
    weight = np.abs(discount - discount[chosen]) * ((rank < FOREMOST) | (rank[chosen] < FOREMOST))
    wrong = 1.0 / (1.0 + np.exp(rating[chosen] - rating))
    slope, curvature = weight * wrong, weight * wrong * (1.0 - wrong)
    slope[rows.chosen] = curvature[rows.chosen] = 0.0
    slope[rows.chosen] = -np.add.reduceat(slope, rows.starts)
    curvature[rows.chosen] = np.add.reduceat(curvature, rows.starts)
    return slope, np.maximum(curvature, LEAST_CURVATURE)


def _ranks(rating: F64, rows: Decisions) -> I64:
    """Return the rank of every row in its decision by its rating, 0 for the highest: int64[n]."""
    order = np.lexsort((-rating, rows.decision))
    ranks = np.empty(len(rating), np.int64)
    ranks[order] = np.arange(len(rating)) - rows.starts[rows.decision]
    return ranks
