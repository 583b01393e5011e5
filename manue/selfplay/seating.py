"""The games that are learned from: who sits where."""

import numpy as np

from manue.sim.players import GREEDY, POLICY
from manue.sim.table import Tables, new_tables

LEARNER, START, OLDER = range(3)
"""Rows of the weights of a kit: the net that learns, the one it began as, an earlier generation."""
OTHERS = ((POLICY, START), (POLICY, OLDER), (GREEDY, START))
"""Players of the other two seats of a mixed game and their nets, equally often."""


def new_games(rng: np.random.Generator, count: int, mixed_share: float, temperature: float) -> Tables:
    """Return tables before the first rounds of games.

    Parameters
    ----------
    rng : numpy.random.Generator
    count : int
    mixed_share : float
        Share of the games in which two seats are not the learner's, 0..1.
    temperature : float
        By which the learner's ratings are divided before it chooses at random by their softmax, above 0.

    Returns
    -------
    TABLE[count]
    """
    tables = new_tables(count)
    tables["seed"] = rng.integers(0, 1 << 63, count, dtype=np.uint64)
    tables["rng"] = rng.integers(1, 1 << 63, count, dtype=np.uint64)
    tables["player"], tables["net"], tables["temperature"] = POLICY, LEARNER, temperature
    for at in np.flatnonzero(rng.random(count) < mixed_share):
        seats = rng.choice(4, 2, replace=False)
        player, net = OTHERS[rng.integers(len(OTHERS))]
        tables["player"][at, seats], tables["net"][at, seats] = player, net
        tables["temperature"][at, seats] = 0
    return tables
