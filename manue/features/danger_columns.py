"""The columns of the features: their names and numbers, and the weights of waiting shapes.

Kind features are described in `manue.features.kind_columns`, opponent features in
`manue.features.opponent_columns`.
"""

import numpy as np

from manue.features.feature import Feature, numbered
from manue.features.kind_columns import KIND_FEATURES
from manue.features.opponent_columns import OPPONENT_FEATURES

EARLY = 6  # an opponent's discards that count as early
MAX_STEPS = 128  # more than the discards of any round

ROW_FEATURES = KIND_FEATURES + OPPONENT_FEATURES
ROW_NAMES = tuple(column.name for column in ROW_FEATURES)
OPPONENT_NAMES = tuple(column.name for column in OPPONENT_FEATURES)
KIND_SIZE, OPPONENT_SIZE = len(KIND_FEATURES), len(OPPONENT_FEATURES)

KIND = numbered(KIND_FEATURES)
"""Numbers of the columns of a kind, by name."""
OPPONENT = numbered(OPPONENT_FEATURES)
"""Numbers of the columns of an opponent, by name."""

SHAPE_FACTORS = (
    Feature("two_sided", "weight of a two-sided wait"),
    Feature("closed", "weight of a closed wait"),
    Feature("edge", "weight of an edge wait"),
    Feature("pair", "weight of a pair that waits for its third tile"),
    Feature("honor_pair", "the same for honors"),
    Feature("single", "weight of a single tile that waits for its pair"),
    Feature("honor_single", "the same for honors"),
    Feature("discarded_early", "factor per copy that the opponent discarded early"),
    Feature("discarded_late", "factor per copy that it discarded late"),
    Feature("riichi_tile", "factor of the tile discarded with riichi"),
    Feature("dora", "factor per han of dora"),
    Feature("five", "factor of fives"),
)
FACTOR = numbered(SHAPE_FACTORS)
"""Numbers of the factors of waiting shapes, by name."""
SHAPE_WEIGHTS = np.array([1.0, 0.05, 0.12, 0.01, 0.2, 0.02, 0.01, 0.1, 0.45, 0.7, 1.5, 0.85])
"""The weight of one way to hold a waiting shape: by the type of wait, times a factor for each of its tiles.

The factors apply per copy that the opponent discarded early, late or with its riichi, per han of dora, and to
fives. These are the starting values of `manue train`; the trained weights are in `shapes.npz`.
"""
