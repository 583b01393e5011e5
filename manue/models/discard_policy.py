"""Practice: how readily strong players discard each tile of a hand, to settle what the estimates leave open.

Far from tenpai the Monte Carlo draws tell discards apart only roughly: they look one exchange beyond the fewest, and
know their draws. What strong players discard there holds more than that. Boosted trees learned from their
discards (`manue.training.discard_policy`) rank the kinds and say how likely each is the one discarded, from the
hand it leaves (``manue.features.afterstate``), the tile itself and what lies around it, and how far its
Monte Carlo draws stand behind the best ones. It is no estimate of what a discard is worth: `manue.decision.tie_break`
lets it settle close calls, no more.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64, I8
from manue.compiled import compiled
from manue.features.afterstate import COLUMNS as AFTERSTATE_COLUMNS
from manue.features.afterstate import Hands, yakuhai_of
from manue.features.feature import Feature
from manue.features.scene import Scenes
from manue.models.files import ModelFile, checked_columns, load_model, memoized
from manue.models.trees import Trees

TILE_COLUMNS = (
    Feature("number", "distance from the edge: 1 for 1/9 .. 5 for 5; 0 for honors"),
    Feature("worth", "yaku of the honor: 0, 1, 2; -1 for a number tile"),
    Feature("dragon", "it is a dragon"),
    Feature("copies", "held before the discard"),
    Feature("unseen", "copies not seen"),
    Feature("tile_dora", "han it carries as dora"),
    Feature("last_red", "the five thrown is red: no plain one is held"),
    Feature("next", "tiles held one away in the suit"),
    Feature("gap", "tiles held two away in the suit"),
    Feature("suit", "tiles held of its suit"),
    Feature("inner", "held one step towards the five; -1 where no such kind is"),
    Feature("inner_gap", "held two steps that way"),
    Feature("outer", "held one step towards the edge"),
    Feature("outer_gap", "held two steps that way"),
    Feature("inner_unseen", "copies not seen one step towards the five; -1 where no such kind is"),
    Feature("inner_gap_unseen", "the same two steps that way"),
    Feature("outer_unseen", "the same one step towards the edge"),
    Feature("outer_gap_unseen", "the same two steps that way"),
    Feature("alone", "the only copy, with nothing held within two steps"),
    Feature("dora_steps", "steps to the nearest dora of the suit, at most 3; 0 for a dora"),
    Feature("other_suit", "tiles held of the longest suit less those of its own"),
    Feature("straight", "kinds held of its suit"),
    Feature("three_colors", "of the nine tiles of a run in all suits that it is part of, most held"),
    Feature("guest_worth", "yaku of the honor, summed over the opponents"),
    Feature("drawn", "it was just drawn"),
    Feature("danger", "P(deal-in) with it now"),
    Feature("danger_gap", "the same less that of the safest tile"),
    Feature("safe_against", "opponents who cannot win on it for good"),
    Feature("safer", "kinds that may be discarded with a lower P(deal-in)"),
    Feature("river", "own discards so far"),
    Feature("shanten_gap", "shanten above the lowest to be had"),
    Feature("useful_gap", "useful tiles less the most to be had at that shanten"),
    Feature("odds_gap", "log-odds of a win by the Monte Carlo draws less the best"),
    Feature(
        "points_gap", "log of the points of the Monte Carlo draws less that of the discard with the best odds"
    ),
    Feature("yield_gap", "log of odds times points by the Monte Carlo draws less the best"),
)
DISCARD_POLICY_COLUMNS = AFTERSTATE_COLUMNS + TILE_COLUMNS

_CONTEXT = len(AFTERSTATE_COLUMNS)
_AT = {column.name: _CONTEXT + index for index, column in enumerate(TILE_COLUMNS)}
_TILE, _NEAR, _RISK, _GAPS = (_AT[name] for name in ("number", "inner", "drawn", "shanten_gap"))
_INDEX = {column.name: index for index, column in enumerate(AFTERSTATE_COLUMNS)}
_SHANTEN, _USEFUL = _INDEX["shanten"], _INDEX["useful_tiles"]
_MC_WIN_PROB, _MC_WIN_POINTS = _INDEX["mc_win_prob"], _INDEX["mc_win_points"]
_LEAST = 1e-3
_LEAST_POINTS = 500.0


@dataclass(frozen=True, slots=True)
class DiscardPolicy:
    """The trees of ``practice.npz``.

    Parameters
    ----------
    trees : Trees
        Ratings: the likelier a kind is the one discarded, the greater.
    sharpness : float
        Factor that makes them log-odds, for the shares of a hand's kinds to come true.
    """

    trees: Trees
    sharpness: float

    @classmethod
    def of(cls, file: ModelFile) -> "DiscardPolicy":
        """Take the model out of its file; raises ModelError if arrays are missing or of other features."""
        checked_columns(file, DISCARD_POLICY_COLUMNS)
        return cls(Trees.from_arrays(file.arrays, "discard_policy"), float(file.array("sharpness")))

    def shares(self, rows: F32) -> F64:
        """Return P(a strong player discards it) for the discards of one hand, summing to 1.

        Parameters
        ----------
        rows : float32[n, len(DISCARD_POLICY_COLUMNS)]
            `discard_policy_rows` of every kind that may be discarded.
        """
        odds = self.sharpness * self.trees.sums(rows)
        weights = np.exp(odds - odds.max())
        return np.asarray(weights / weights.sum(), np.float64)


@memoized
def discard_policy_model() -> DiscardPolicy:
    """Load the model once."""
    return DiscardPolicy.of(load_model("discard_policy"))


def discard_policy_rows(scene: Scenes, hands: Hands, after: F32, deal_in: F64) -> F32:
    """Compute the features of all discards of one hand.

    Parameters
    ----------
    scene : SCENE[1]
        Before the discard.
    hands : Hands
        What each of the discards leaves.
    after : float32[n, len(COLUMNS)]
        ``afterstate_rows`` of them.
    deal_in : float64[34]
        P(deal-in) of each kind now.

    Returns
    -------
    numpy.ndarray
        float32[n, len(DISCARD_POLICY_COLUMNS)]
    """
    rows = np.zeros((len(after), len(DISCARD_POLICY_COLUMNS)), np.float32)
    rows[:, :_CONTEXT] = after
    _fill_tiles(scene, hands.counts, hands.thrown, hands.reds, rows)
    _fill_neighbours(scene, hands.counts, hands.thrown, rows)
    _fill_dangers(scene, hands.thrown, deal_in, rows)
    _fill_gaps(after, rows)
    return rows


# ---- kernels


@compiled
def _fill_tiles(
    scene: Scenes,
    counts: I8,
    thrown: I8,
    reds: I8,
    rows: F32,
) -> None:
    """Fill the columns of the tile itself."""
    here = scene[0]
    most_reds = 0
    for i in range(len(thrown)):
        most_reds = max(most_reds, reds[i])
    for i in range(len(thrown)):
        kind = int(thrown[i])
        row = rows[i, _TILE:]
        suit, number = kind // 9, kind % 9
        if kind < 27:
            row[0] = min(number, 8 - number) + 1
            row[1] = -1
            for other in range(9):
                held = counts[i, 9 * suit + other]
                row[9] += held
                if abs(other - number) == 1:
                    row[7] += held
                elif abs(other - number) == 2:
                    row[8] += held
        else:
            row[1] = yakuhai_of(here, 0, kind)
            row[2] = kind >= 31
        row[3] = counts[i, kind] + 1
        row[4] = max(0, 4 - here["visible"][kind])
        row[5] = here["dora"][kind]
        row[6] = most_reds - reds[i]


@compiled
def _fill_neighbours(scene: Scenes, counts: I8, thrown: I8, rows: F32) -> None:
    """Fill what is held and unseen around the tile, and what it is part of."""
    here = scene[0]
    suits = np.zeros(3, np.int64)
    for i in range(len(thrown)):
        kind = int(thrown[i])
        row = rows[i, _NEAR:]
        suits[:] = 0
        for k in range(27):
            suits[k // 9] += counts[i, k] + (k == kind)
        longest = max(suits[0], suits[1], suits[2])
        if kind >= 27:
            row[:8] = -1
            row[8] = counts[i, kind] == 0
            row[9] = 0 if here["dora"][kind] else 3
            row[10] = longest
            for opponent in range(1, 4):
                row[13] += yakuhai_of(here, opponent, kind)
            continue
        first, number = kind - kind % 9, kind % 9
        inwards = 1 if number <= 4 else -1
        row[8] = counts[i, kind] == 0
        for j in range(4):
            other = number + (1 + j % 2) * (inwards if j < 2 else -inwards)
            if 0 <= other < 9:
                row[j] = counts[i, first + other]
                row[4 + j] = max(0, 4 - here["visible"][first + other])
                row[8] = row[8] if counts[i, first + other] == 0 else 0
            else:
                row[j] = row[4 + j] = -1
        row[9] = 3
        row[10] = longest - suits[kind // 9]
        for other in range(9):
            if here["dora"][first + other]:
                row[9] = min(row[9], np.float32(abs(other - number)))
            row[11] += counts[i, first + other] > 0 or other == number
        for start in range(max(0, number - 2), min(6, number) + 1):
            parts = 0
            for k in range(27):
                parts += start <= k % 9 < start + 3 and (counts[i, k] > 0 or k == kind)
            row[12] = max(row[12], np.float32(parts))


@compiled
def _fill_dangers(scene: Scenes, thrown: I8, deal_in: F64, rows: F32) -> None:
    """Fill the columns of what the tile risks now."""
    here = scene[0]
    safest = 1.0
    for i in range(len(thrown)):
        safest = min(safest, deal_in[thrown[i]])
    for i in range(len(thrown)):
        kind = int(thrown[i])
        row = rows[i, _RISK:]
        row[0] = here["drawn"] == kind
        row[1] = deal_in[kind]
        row[2] = deal_in[kind] - safest
        for opponent in range(1, 4):
            row[3] += here["safe"][opponent, kind]
        for j in range(len(thrown)):
            row[4] += deal_in[thrown[j]] < deal_in[kind]
        row[5] = here["river_len"][0]


@compiled
def _fill_gaps(after: F32, rows: F32) -> None:
    """Say how far each discard stands behind the best: the last five columns."""
    n = len(after)
    odds, points = np.empty(n, np.float32), np.empty(n, np.float32)
    one, least, greatest = np.float32(1.0), np.float32(_LEAST), np.float32(1.0 - _LEAST)
    best = 0
    lowest, most = np.inf, -np.inf
    for i in range(n):
        prob = min(max(after[i, _MC_WIN_PROB], least), greatest)
        odds[i] = np.log(prob / (one - prob))
        points[i] = np.log(max(after[i, _MC_WIN_POINTS], np.float32(_LEAST_POINTS)))
        best = i if odds[i] > odds[best] else best
        lowest = min(lowest, after[i, _SHANTEN])
    for i in range(n):
        if after[i, _SHANTEN] == lowest:
            most = max(most, after[i, _USEFUL])
    gain = odds + points
    greatest_gain = gain.max()
    for i in range(n):
        gaps = rows[i, _GAPS:]
        gaps[0] = after[i, _SHANTEN] - lowest
        gaps[1] = after[i, _USEFUL] - most
        gaps[2] = odds[i] - odds[best]
        gaps[3] = points[i] - points[best]
        gaps[4] = gain[i] - greatest_gain
