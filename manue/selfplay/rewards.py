"""What a round brought each seat: points, and places through the placement model."""

from typing import Any

import numpy as np

from manue.arrays import F32, F64, I64
from manue.models.placement import PLACES, PlacementModel, exact_places

POINTS = 5_000
"""Points that are a reward of 1."""
POINTS_OF_A_PLACE = 15_000
"""Points that a whole place counts as: about what they are worth to it in East 1."""


def rewards_of(notes: Any, placement: PlacementModel, place_share: float) -> F32:
    """Return the rewards of the rounds played.

    Parameters
    ----------
    notes : TRAJECTORIES
    placement : PlacementModel
    place_share : float
        Share of the expected place, 0..1; the rest is points.

    Returns
    -------
    float32[rounds, 4]
    """
    rounds = int(notes["rounds"])
    scores = notes["scores"][:rounds].astype(np.float64)
    index, honba = notes["index"][:rounds].astype(np.int64), notes["honba"][:rounds].astype(np.int64)
    before = _expected(placement, scores[:, 0], index[:, 0], honba[:, 0])
    after = _expected(placement, scores[:, 1], index[:, 1], honba[:, 1])
    over = notes["over"][:rounds] != 0
    after[over] = exact_places(scores[over, 1]) @ PLACES
    points = scores[:, 1] - scores[:, 0]
    total = (1 - place_share) * points + place_share * POINTS_OF_A_PLACE * (before - after)
    return np.asarray(total / POINTS, np.float32)


def _expected(placement: PlacementModel, scores: F64, index: I64, honba: I64) -> F64:
    """Return the expected places before rounds: float64[n, 4]."""
    return np.asarray(placement.places_at(scores, index, index % 4, honba) @ PLACES)
