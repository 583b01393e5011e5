"""The columns of the features: their names, meanings and numbers, and the weights of waiting shapes.

The tile-reading vocabulary (suji, ura-suji, matagi-suji, senki-suji, aida-4-ken, no-chance and one-chance
walls) is standard riichi theory; which features to ask for follows the public description of the Mjai Manue
player. ``combo_share`` is the share of the waiting shapes still possible that would win on the kind.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Weights = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int16]
Masks = npt.NDArray[np.uint8]

EARLY = 6  # own discards that count as early
FAR = 9  # "distance" to a tile of another suit
MAX_STEPS = 128  # more than the discards of any round
NEVER = 30  # age of a discard that was not made
LONG_AGO = 20  # hand changes since a kind was last discarded, when it never was


@dataclass(frozen=True, slots=True)
class Feature:
    """A column: its name, and how a person reads ``name <= threshold`` and its opposite."""

    name: str
    meaning: str


KIND_FEATURES = (
    Feature("number", "distance from the edge: 1 for 1/9 .. 5 for 5; 0 for honors"),
    Feature("yakuhai", "yaku this honor would give the opponent: 0, 1, 2"),
    Feature("unseen", "copies the observer does not see"),
    Feature("suji", "two-sided waits ruled out by safe tiles: 0 none, 1 one of two, 2 all"),
    Feature("riichi_suji", "the riichi tile is three away"),
    Feature("open_sides", "two-sided waits still possible (neither suji nor wall): 0..2"),
    Feature("two_sided", "ways to hold a two-sided wait on it, in pairs of unseen tiles"),
    Feature("narrow", "ways to hold a closed or edge wait on it, in pairs of unseen tiles"),
    Feature("combo_share", "share of the possible waiting shapes that win on it"),
    Feature("combo_rank", "kinds with a larger share"),
    Feature("dora", "han it carries as dora"),
    Feature("dora_near", "nearest dora in the suit: 3 itself, 2 adjacent, 1 two away, 0 further"),
    Feature("outside_early", "early discards of the opponent on the inner side of it"),
    Feature("ura_suji", "discards from hand that make it ura-suji"),
    Feature("matagi_suji", "discards from hand that make it matagi-suji, early ones left out"),
    Feature("senki_suji", "early discards that make it senki-suji"),
    Feature("aida_4_ken", "it lies between two discards five apart"),
    Feature("next_discards", "discards of the opponent one away"),
    Feature("gap_discards", "discards of the opponent two away"),
    Feature("suit_share", "share of the opponent's discards in its suit"),
    Feature("suit_melds", "melds of the opponent in its suit"),
    Feature("other_melds", "melds of the opponent in other number suits"),
    Feature("passed", "it went by since the opponent last changed its hand"),
    Feature("changes_since", "hand changes of the opponent since it was last discarded by anybody"),
    Feature("suji_changes_since", "hand changes since a suji tile of it was last discarded"),
    Feature("last_distance", "distance from the opponent's last discard from hand"),
    Feature("previous_distance", "distance from the discard from hand before that"),
    Feature("last_call_distance", "distance from the nearest tile of the opponent's last call"),
    Feature("unseen_inner", "unseen copies of the neighbour towards the middle, -1 if there is none"),
    Feature("unseen_inner_2", "the same, two away"),
    Feature("unseen_outer", "unseen copies of the neighbour towards the edge, -1 if there is none"),
    Feature("unseen_outer_2", "the same, two away"),
    Feature("inner_age", "own discards between the neighbour towards the middle and the riichi tile or now"),
    Feature("inner_2_age", "the same, two away"),
    Feature("outer_age", "the same for the neighbour towards the edge"),
    Feature("outer_2_age", "the same, two away"),
    Feature(
        "inner_suji_age", "the same for the suji tile towards the middle; -1: it only passed after the riichi"
    ),
    Feature("outer_suji_age", "the same for the suji tile towards the edge"),
)
OPPONENT_FEATURES = (
    Feature("riichi", "0 none, 1 riichi, 2 double riichi"),
    Feature("turn", "discards so far"),
    Feature("tiles_left", "tiles left in the wall"),
    Feature("melds", "melds, closed kans included"),
    Feature("since_call", "own discards since the last call"),
    Feature("hand_changes", "discards from hand"),
    Feature("streak", "discards straight from the draw, at the end of the river"),
    Feature("since_change", "tiles discarded by anybody since the hand last changed"),
    Feature("suji_ruled_out", "of the 18 two-sided lines, those ruled out by safe tiles"),
    Feature("safe_kinds", "kinds that cannot win for the opponent"),
    Feature("riichi_turn", "own discards before the riichi tile, -1 without"),
    Feature("since_riichi", "own discards after the riichi tile, -1 without"),
    Feature("ippatsu", "within one turn after the riichi"),
    Feature("dealer", "the opponent is the dealer"),
    Feature("yakuhai_melds", "yaku certain from melds of honors"),
    Feature("dora_melds", "dora and red fives in the melds"),
    Feature("tanyao_melds", "melds without terminals and honors"),
    Feature("triplet_melds", "melds of one kind"),
    Feature("one_suit", "melds in one suit and honors only, and few discards of it: 0..1"),
    Feature("suit_discards_least", "discards in the suit discarded least"),
    Feature("honor_discards", "honors discarded"),
    Feature("middle_early", "3-7 among the early discards"),
    Feature("last_number", "edge distance of the last discard from hand, 0 for an honor"),
    Feature("dora_discards", "dora and red fives discarded"),
    Feature("pushes", "discards that were not safe against another's riichi"),
    Feature("folds", "discards that were safe against another's riichi"),
    Feature("other_riichi", "other opponents and the observer in riichi"),
    Feature("others_melds", "melds of the other three"),
    Feature("score_lead", "the opponent's points less the best of the others, thousands"),
    Feature("round_number", "0-3 East, 4-7 South, ..."),
    Feature("combo_total", "waiting shapes still possible, weighted"),
    Feature("dora_unseen", "dora and red fives the observer does not see"),
)
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
"""What a way to hold a waiting shape counts: its kind of wait, times a factor for each of its tiles.

The factors: per copy the opponent discarded early, later, or with its riichi; per han of dora; for a five.
Where `manue train` starts from; the weights in use are in `shapes.npz`.
"""
