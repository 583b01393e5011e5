"""Features of folding: how safely a seat can fold, from the dangers of the tiles it holds."""

import numpy as np

from manue.arrays import F32, F64
from manue.compiled import compiled
from manue.features.feature import Feature, numbered
from manue.features.scene import Scenes
from manue.tiles import COPIES

SAFEST = 10
"""Number of tiles of the hand, safest first, whose danger is a feature."""

FOLD_FEATURES = (
    *(
        Feature(f"danger_{i + 1}", f"P(deal-in) of the tile that is number {i + 1} in safety")
        for i in range(SAFEST)
    ),
    Feature("danger_needed", "sum over the safest tiles, one more than `own_draws`"),
    Feature("danger_mean", "mean over the hand"),
    Feature("own_draws", "this seat's remaining draws, if nobody calls"),
    Feature("riichi", "opponents in riichi"),
    Feature("can_win", "expected number of opponents able to win"),
    Feature("can_win_silent", "the same without those in riichi"),
)
AT = numbered(FOLD_FEATURES)
"""Column numbers by name."""


def fold_features(scenes: Scenes, prob: F64, can_win: F64) -> F32:
    """Compute how safely the observer can fold in each scene.

    Parameters
    ----------
    scenes : SCENE[n]
    prob : float64[n, 3, 34]
        P(the opponent wins on the kind now).
    can_win : float64[n, 3]

    Returns
    -------
    float32[n, len(FOLD_FEATURES)]
    """
    out = np.zeros((len(scenes), len(FOLD_FEATURES)), np.float32)
    _fill(scenes, np.ascontiguousarray(prob), np.ascontiguousarray(can_win), out)
    return out


@compiled
def _fill(scenes: Scenes, prob: F64, can_win: F64, out: F32) -> None:
    tiles = np.empty(34 * COPIES)
    for i in range(len(scenes)):
        here = scenes[i]
        count = 0
        for kind in range(34):
            passes = 1.0
            for opponent in range(3):
                passes *= 1.0 - prob[i, opponent, kind]
            for _ in range(here["hand"][kind]):
                tiles[count] = 1.0 - passes
                count += 1
        order = np.sort(tiles[:count])
        own_draws = int(here["tiles_left"] // 4)
        for at in range(SAFEST):
            out[i, AT.danger_1 + at] = order[min(at, count - 1)]
        for at in range(min(own_draws + 1, count)):
            out[i, AT.danger_needed] += order[at]
        out[i, AT.danger_mean] = order.mean()
        out[i, AT.own_draws] = own_draws
        able = silent = 0.0
        for opponent in range(3):
            riichi = here["riichi"][opponent + 1] > 0
            out[i, AT.riichi] += riichi
            able += can_win[i, opponent]
            silent += 0.0 if riichi else can_win[i, opponent]
        out[i, AT.can_win], out[i, AT.can_win_silent] = able, silent
