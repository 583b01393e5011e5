"""The games that are learned from: who sits where."""

import numpy as np

from manue.sim.players import GREEDY, POLICY
from manue.sim.table import Tables, new_tables

LEARNER, START, OLDER = range(3)
"""Rows of the weights of a kit: the net that learns, the one it began as, an earlier generation."""
OTHERS = ((POLICY, START), (POLICY, OLDER), (GREEDY, START))
"""Foreign players and their nets, equally often."""


def new_games(rng: np.random.Generator, count: int, foreign: float, heat: float) -> Tables:
    """Return tables before the first rounds of games.

    Parameters
    ----------
    rng : numpy.random.Generator
    count : int
    foreign : float
        Share of the games in which two seats are not the learner's.
    heat : float
        By which the learner's ratings are divided.

    Returns
    -------
    TABLE[count]
    """
    tables = new_tables(count)
    tables["seed"] = rng.integers(0, 1 << 63, count, dtype=np.uint64)
    tables["rng"] = rng.integers(1, 1 << 63, count, dtype=np.uint64)
    tables["player"], tables["net"], tables["heat"] = POLICY, LEARNER, heat
    for at in np.flatnonzero(rng.random(count) < foreign):
        seats = rng.choice(4, 2, replace=False)
        player, net = OTHERS[rng.integers(len(OTHERS))]
        tables["player"][at, seats], tables["net"][at, seats], tables["heat"][at, seats] = player, net, 0
    return tables
