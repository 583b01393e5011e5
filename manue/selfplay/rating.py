"""What a net is worth, on duplicate walls: each round with it and with the net at the start in its seats.

The rounds are from games that four of the net at the start play, each with a new deal; none is learned from.
Both nets choose what they rate highest.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from manue.arrays import F32, F64, I64
from manue.sim.games import play_next, play_rounds
from manue.sim.kit import new_kit
from manue.sim.players import GREEDY, POLICY
from manue.sim.table import Tables, new_tables

LINEUPS = {"three of the start": 1, "three greedy": 1, "two of the start": 2}
"""Against whom a net is rated, and how many seats it takes."""
_RATED, _START = range(2)
_SEED = 0x5EED
"""Seed of all ratings: nets of all courses are rated by the same rounds."""


@dataclass(frozen=True, slots=True)
class MeanGain:
    """Points a round and seat gained over the net at the start.

    Parameters
    ----------
    points : float
    error : float
        One standard error.
    """

    points: float
    error: float

    @property
    def text(self) -> str:
        """The gain for people."""
        return f"{self.points:+.0f} ± {self.error:.0f}"


class Rater:
    """Rates nets.

    Parameters
    ----------
    start : float32[weights]
    walls : int
        Rounds by which a net is rated in each line-up.
    """

    def __init__(self, start: F32, walls: int) -> None:
        self._start = start
        self._tables = _beginnings(start, walls)
        self._before = {lineup: self._play(start, lineup) for lineup in LINEUPS}

    def rate(self, weights: F32) -> dict[str, MeanGain]:
        """Return what a net, float32[weights], gains in each line-up."""
        gains = {}
        for lineup in LINEUPS:
            change = self._play(weights, lineup) - self._before[lineup]
            gains[lineup] = MeanGain(float(change.mean()), float(change.std(ddof=1) / np.sqrt(len(change))))
        return gains

    def _play(self, weights: F32, lineup: str) -> F64:
        """Return the points that the seats of a net win on average, by round."""
        tables, seats = self._tables.copy(), _seats(len(self._tables), LINEUPS[lineup])
        rows = np.arange(len(tables))[:, None]
        tables["player"] = GREEDY if "greedy" in lineup else POLICY
        tables["net"] = _START
        tables["player"][rows, seats], tables["net"][rows, seats] = POLICY, _RATED
        play_rounds(tables, new_kit(nets=[weights, self._start]))
        changed = tables["scores"] - self._tables["scores"]
        return np.asarray(changed[rows, seats].mean(axis=1), np.float64)


def _seats(count: int, taken: int) -> I64:
    """Return the seats that a net takes, by round, each as often as the others: int64[count, taken]."""
    at = np.arange(count)
    first = at % 4
    return np.stack([first, (first + 1 + at // 4 % 3) % 4], axis=1)[:, :taken]


def _beginnings(start: F32, count: int) -> Tables:
    """Return tables before rounds of games between four of a net, each with a wall of its own."""
    rng = np.random.default_rng(_SEED)
    found, kit = new_tables(count), new_kit(nets=[start])
    game: Any = new_tables(1)[0]
    game["over"] = 1
    for at in range(count):
        if game["over"]:
            game = new_tables(1)[0]
            game["player"], game["seed"] = POLICY, rng.integers(0, 1 << 63, dtype=np.uint64)
        found[at] = game
        play_next(game, kit)
    found["seed"] = rng.integers(0, 1 << 63, count, dtype=np.uint64)
    return found
