"""The columns of the features: their names and numbers, and the weights of waiting shapes.

Kind features are described in `manue.features.kind_columns`, opponent features in
`manue.features.opponent_columns`.
"""

import numpy as np

from manue.features.kind_columns import KIND_FEATURES
from manue.features.opponent_columns import OPPONENT_FEATURES

EARLY = 6  # an opponent's discards that count as early
MAX_STEPS = 128  # more than the discards of any round

ROW_FEATURES = KIND_FEATURES + OPPONENT_FEATURES
ROW_NAMES = tuple(column.name for column in ROW_FEATURES)
OPPONENT_NAMES = tuple(column.name for column in OPPONENT_FEATURES)
K, G = len(KIND_FEATURES), len(OPPONENT_FEATURES)

(
    NUMBER, YAKUHAI, UNSEEN, SUJI, RIICHI_SUJI, OPEN_SIDES, TWO_SIDED, NARROW, COMBO_SHARE, COMBO_RANK, DORA,
    DORA_NEAR, OUTSIDE_EARLY, URA_SUJI, MATAGI_SUJI, SENKI_SUJI, AIDA_4_KEN, NEXT_DISCARDS, GAP_DISCARDS,
    SUIT_SHARE, SUIT_MELDS, OTHER_MELDS, PASSED, CHANGES_SINCE, SUJI_CHANGES_SINCE, LAST_DISTANCE,
    PREVIOUS_DISTANCE, LAST_CALL_DISTANCE, UNSEEN_INNER, UNSEEN_INNER_2, UNSEEN_OUTER, UNSEEN_OUTER_2,
    INNER_AGE, INNER_2_AGE, OUTER_AGE, OUTER_2_AGE, INNER_SUJI_AGE, OUTER_SUJI_AGE,
) = range(K)  # fmt: skip
(
    RIICHI, TURN, TILES_LEFT, MELDS, SINCE_CALL, HAND_CHANGES, STREAK, SINCE_CHANGE, SUJI_RULED_OUT,
    SAFE_KINDS, RIICHI_TURN, SINCE_RIICHI, IPPATSU, DEALER, YAKUHAI_MELDS, DORA_MELDS, TANYAO_MELDS,
    TRIPLET_MELDS, ONE_SUIT, SUIT_DISCARDS_LEAST, HONOR_DISCARDS, MIDDLE_EARLY, LAST_NUMBER, DORA_DISCARDS,
    PUSHES, FOLDS, OTHER_RIICHI, OTHERS_MELDS, SCORE_LEAD, ROUND_NUMBER, COMBO_TOTAL, DORA_UNSEEN,
) = range(G)  # fmt: skip

(
    TWO_SIDED_WEIGHT, CLOSED_WEIGHT, EDGE_WEIGHT, PAIR_WEIGHT, HONOR_PAIR_WEIGHT, SINGLE_WEIGHT,
    HONOR_SINGLE_WEIGHT, EARLY_DISCOUNT, LATE_DISCOUNT, RIICHI_TILE_DISCOUNT, DORA_BOOST, FIVE_BOOST,
) = range(12)  # fmt: skip
SHAPE_NAMES = (
    "two-sided", "closed", "edge", "pair", "honor pair", "single", "honor single",
    "discarded early", "discarded late", "riichi tile", "dora", "five",
)  # fmt: skip
SHAPE_WEIGHTS = np.array([1.0, 0.05, 0.12, 0.01, 0.2, 0.02, 0.01, 0.1, 0.45, 0.7, 1.5, 0.85])
"""The weight of one way to hold a waiting shape: by the type of wait, times a factor for each of its tiles.

The factors apply per copy that the opponent discarded early, late or with its riichi, per han of dora, and to
fives. These are the starting values of `manue train`; the trained weights are in `shapes.npz`.
"""
