"""Features of a declaration (riichi, a call, a kan): the best way to take it and the best without it."""

from typing import NamedTuple

import numpy as np

from manue.arrays import F32
from manue.features.afterstate import AT as AT_AFTERSTATE
from manue.features.afterstate import COLUMNS_OF_DISCARDS, LEAST_POINTS, LEAST_PROB
from manue.features.feature import Feature, numbered
from manue.features.scene import Scenes, yakuhai_of
from manue.log_odds import log_odds_of
from manue.tiles import EDGE_DISTANCE, Kind

DECLARATIONS = ("riichi", "chi", "pon", "daiminkan", "ankan", "kakan")
_WITHOUT = (
    "shanten",
    "useful_kinds",
    "useful_tiles",
    "furiten",
    "dora",
    "yakuhai_pairs",
    "pairs",
    "safest",
    "next_safest",
    "mean_danger",
    "safe_tiles",
    "mc_win_prob",
    "mc_win_points",
    "ron_tiles",
)
_WITHOUT_AT = [getattr(AT_AFTERSTATE, name) for name in _WITHOUT]
_OWN_COLUMNS = (
    Feature("declaration", "0 riichi, 1 chi, 2 pon, 3 open kan, 4 closed kan, 5 added kan"),
    Feature("kind_worth", "yaku of the tile called as a triplet: 0, 1, 2"),
    Feature("kind_number", "distance from the edge of the tile called: 1..5; 0 for honors"),
    Feature("kind_dora", "han it carries as dora"),
    Feature("gain", "expected points with it minus those without it"),
    Feature("odds_gain", "the same for the log-odds of a win"),
    Feature("points_gain", "the same for the log of the points of a win"),
    Feature("deal_in", "P(deal-in) of the discard that follows"),
    Feature("deal_in_gain", "the same minus that without it"),
)
CALL_POLICY_COLUMNS = (
    *COLUMNS_OF_DISCARDS,
    *(Feature(f"without_{name}", f"{name} of the best hand without it") for name in _WITHOUT),
    *_OWN_COLUMNS,
)
AT = numbered(CALL_POLICY_COLUMNS)
"""Column numbers by name."""


class Alternative(NamedTuple):
    """The best way to take or to leave a declaration.

    Attributes
    ----------
    after : float32[n]
        ``afterstate_rows`` of the hand left.
    expected_points, win_prob, win_points, deal_in_prob : float
    """

    after: F32
    expected_points: float
    win_prob: float
    win_points: float
    deal_in_prob: float


def call_policy_row(
    scene: Scenes, declaration: str, kind: Kind, taken: Alternative, left: Alternative
) -> F32:
    """Compute the features of one declaration.

    Parameters
    ----------
    scene : SCENE[1]
    declaration : str
        One of `DECLARATIONS`.
    kind : int
        The tile called or declared; with riichi, -1.
    taken, left : Alternative
        The best way of each, by expected points.

    Returns
    -------
    float32[len(CALL_POLICY_COLUMNS)]
    """
    here = scene[0]
    odds = log_odds_of(np.clip([taken.win_prob, left.win_prob], LEAST_PROB, 1.0 - LEAST_PROB))
    own = {
        "declaration": DECLARATIONS.index(declaration),
        "kind_worth": yakuhai_of(here, 0, kind) if kind >= 27 else 0,
        "kind_number": EDGE_DISTANCE[kind] if kind >= 0 else 0,
        "kind_dora": int(here["dora"][kind]) if kind >= 0 else 0,
        "gain": taken.expected_points - left.expected_points,
        "odds_gain": odds[0] - odds[1],
        "points_gain": np.log(max(taken.win_points, LEAST_POINTS) / max(left.win_points, LEAST_POINTS)),
        "deal_in": taken.deal_in_prob,
        "deal_in_gain": taken.deal_in_prob - left.deal_in_prob,
    }
    values = np.array([own[column.name] for column in _OWN_COLUMNS], np.float32)
    return np.concatenate([taken.after[: len(COLUMNS_OF_DISCARDS)], left.after[_WITHOUT_AT], values])
