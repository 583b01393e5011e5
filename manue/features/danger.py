"""Readable features of a scene, each defined once for both training and play.

Two groups, computed together by compiled code for the three opponents of the observer:

- *opponent features* ``[3, len(OPPONENT_FEATURES)]``: how close to tenpai an opponent looks;
- *kind features* ``[3, 34, len(KIND_FEATURES)]``: how dangerous a kind looks against that opponent.

A danger model sees the features of the kind followed by those of the opponent
(`manue.features.danger_columns.ROW_FEATURES`).
"""

import numpy as np

from manue.arrays import F32, F64, I64
from manue.compiled import compiled
from manue.features.danger_columns import KIND_SIZE, MAX_STEPS, OPPONENT_SIZE
from manue.features.kind_features import neighbours, passing, river_reading, tile_values, waiting_shapes
from manue.features.opponent_features import (
    opponent_against_riichi,
    opponent_now,
    opponent_past,
    timeline_of,
)
from manue.features.scene import Scenes


def danger_features(scenes: Scenes, weights: F64) -> tuple[F32, F32]:
    """Compute every feature of every scene.

    Parameters
    ----------
    scenes : SCENE[n]
    weights : float64[12]
        See `manue.features.danger_columns.SHAPE_WEIGHTS`; those learned are in ``shapes.npz``.

    Returns
    -------
    kinds : float32[n, 3, 34, KIND_SIZE]
        Opponents in the order next, across, previous.
    opponents : float32[n, 3, OPPONENT_SIZE]
    """
    kinds = np.zeros((len(scenes), 3, 34, KIND_SIZE), np.float32)
    opponents = np.zeros((len(scenes), 3, OPPONENT_SIZE), np.float32)
    _fill(scenes, weights, kinds, opponents)
    return kinds, opponents


def danger_rows(kinds: F32, opponents: F32, at: tuple[I64, ...]) -> F32:
    """Return the input of a danger model for some kinds: float32[rows, KIND_SIZE + OPPONENT_SIZE].

    Parameters
    ----------
    kinds, opponents : float32[n, 3, 34, KIND_SIZE], float32[n, 3, OPPONENT_SIZE]
        Of `danger_features`.
    at : tuple of int64[rows]
        Which: the numbers of scenes, opponents and kinds, as `numpy.nonzero` returns them.
    """
    return np.concatenate([kinds[at], opponents[at[:2]]], axis=1)


@compiled
def _fill(scenes: Scenes, weights: F64, kinds: F32, opponents: F32) -> None:
    timeline = np.zeros((MAX_STEPS, 3), np.int16)
    for i in range(len(scenes)):
        steps = timeline_of(scenes[i], timeline)
        for opponent in range(1, 4):
            of_opponent, of_kinds = opponents[i, opponent - 1], kinds[i, opponent - 1]
            opponent_now(scenes[i], opponent, of_opponent)
            opponent_past(scenes[i], opponent, timeline, steps, of_opponent)
            opponent_against_riichi(scenes[i], opponent, timeline, steps, of_opponent)
            waiting_shapes(scenes[i], opponent, weights, of_kinds, of_opponent)
            tile_values(scenes[i], opponent, of_kinds)
            river_reading(scenes[i], opponent, of_kinds)
            neighbours(scenes[i], opponent, of_kinds)
            passing(scenes[i], opponent, timeline, steps, of_kinds)
