"""Declarations: how readily strong players declare riichi, call or declare a kan where they may.

An declaration is one kind of action beside letting it go. Boosted trees learned from what strong players did
(`manue.training.call_policy`) see the best hand that taking it leads to beside the best without it, by the
expected values, and how far these stand apart. Like ``manue.models.discard_policy`` it is no estimate of what an
action is worth: it settles close calls.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64
from manue.errors import ModelError
from manue.features.afterstate import COLUMNS as AFTERSTATE_COLUMNS
from manue.features.feature import Feature
from manue.features.scene import Scenes
from manue.models.files import ModelFile, checked_columns, load_model, memoized
from manue.models.trees import Trees
from manue.tiles import Kind

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
_WITHOUT_AT = [[column.name for column in AFTERSTATE_COLUMNS].index(name) for name in _WITHOUT]
CALL_POLICY_COLUMNS = (
    *AFTERSTATE_COLUMNS,
    *(Feature(f"without_{name}", f"{name} of the best hand without it") for name in _WITHOUT),
    Feature("declaration", "0 riichi, 1 chi, 2 pon, 3 open kan, 4 closed kan, 5 added kan"),
    Feature("kind_worth", "yaku of the tile called as a triplet: 0, 1, 2"),
    Feature("kind_number", "distance from the edge of the tile called: 1..5; 0 for honors"),
    Feature("kind_dora", "han it carries as dora"),
    Feature("gain", "expected points more with it than without"),
    Feature("odds_gain", "log-odds of a win, the same way"),
    Feature("points_gain", "log of the points of a win, the same way"),
    Feature("deal_in", "P(deal-in) of the discard that follows at once"),
    Feature("deal_in_gain", "the same less that without it"),
)
_LEAST = 1e-3


class Alternative(NamedTuple):
    """The best way to take or to leave an declaration.

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


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """The trees of ``declarations.npz``.

    Parameters
    ----------
    trees : Trees
        Log-odds that an declaration is taken.
    thresholds : float64[len(DECLARATIONS)]
        Log-odds beyond which as many declarations of a kind lie as strong players take. They are below even for
        kinds that are seldom taken: who always did the likelier thing would call too little.
    """

    trees: Trees
    thresholds: F64

    @classmethod
    def of(cls, file: ModelFile) -> "CallPolicy":
        """Take the model out of its file; raises ModelError if arrays are missing or of other features."""
        checked_columns(file, CALL_POLICY_COLUMNS)
        thresholds = file.array("thresholds")
        if thresholds.shape != (len(DECLARATIONS),):
            raise ModelError(
                f"model {file.name} has thresholds of other kinds of declarations: train it again"
            )
        return cls(Trees.from_arrays(file.arrays, "call_policy"), thresholds)

    def odds(self, rows: F32) -> F64:
        """Return the log-odds that strong players take it, for float32[n, len(CALL_POLICY_COLUMNS)]."""
        return self.trees.sums(rows)


@memoized
def call_policy_model() -> CallPolicy:
    """Load the model once."""
    return CallPolicy.of(load_model("call_policy"))


def call_policy_row(
    scene: Scenes, declaration: str, kind: Kind, taken: Alternative, left: Alternative
) -> F32:
    """Compute the features of one declaration.

    Parameters
    ----------
    scene : SCENE[1]
    kind : str
        One of `DECLARATIONS`.
    kind : int
        The tile called or declared; with riichi, -1.
    taken, left : Weighed
        The best by expected points of either.

    Returns
    -------
    numpy.ndarray
        float32[len(CALL_POLICY_COLUMNS)]
    """
    here = scene[0]
    worth = number = dora = 0
    if kind >= 0:
        dora = int(here["dora"][kind])
        if kind < 27:
            number = min(kind % 9, 8 - kind % 9) + 1
        else:
            worth = int(kind >= 31) + int(kind == here["round_wind"]) + int(kind == here["seat_wind"][0])
    more = (
        DECLARATIONS.index(declaration),
        worth,
        number,
        dora,
        taken.expected_points - left.expected_points,
        _log_odds(taken.win_prob) - _log_odds(left.win_prob),
        np.log(max(taken.win_points, 500.0) / max(left.win_points, 500.0)),
        taken.deal_in_prob,
        taken.deal_in_prob - left.deal_in_prob,
    )
    return np.concatenate([taken.after, left.after[_WITHOUT_AT], np.array(more, np.float32)])


def _log_odds(chance: float) -> float:
    sure = min(max(chance, _LEAST), 1.0 - _LEAST)
    return float(np.log(sure / (1.0 - sure)))
