"""What a hand leads to once the discard has been made: P(win), P(dealing in later), P(draw), points.

The Monte Carlo draws distinguish hands, but they choose discards in hindsight and ignore rons, calls and
opponents who win first. A learned layer over them and some features of the hand and the scene gives
calibrated probabilities: three boosted-tree models in sequence (win; if not, dealing in later; if neither, an
exhaustive draw), one for the points of a win, one for tenpai at a draw. It is learned from what followed the
discards of strong players (``manue.training.afterstate``), so it knows that players fold bad hands later. No
feature describes the discarded tile itself, so options that nobody played can be rated too.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64, I64, Bool
from manue.compiled import compiled
from manue.draws.win import WinStatistics
from manue.features.afterstate import AT, COLUMNS
from manue.features.wait_discard_rates import SHAPE
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees

_LEAST = 1e-3
"""The Monte Carlo draws give no information about smaller probabilities."""
_RIICHI_HAN = 6
"""Numbers of han that ippatsu and ura-dora may add: 0 to 5."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """What each hand leads to if its discard does not deal in; float64[n] each.

    Parameters
    ----------
    win : P(this seat wins)
    deal_in_later : P(it deals in with a later tile)
    draw : P(exhaustive draw)
    win_points : mean points of its win, without honba and deposits
    tenpai_at_draw : P(it is tenpai, given a draw)
    """

    win: F64
    deal_in_later: F64
    draw: F64
    win_points: F64
    tenpai_at_draw: F64


@dataclass(frozen=True, slots=True)
class AfterstateModel:
    """The trees and tables of ``afterstate.npz``.

    Parameters
    ----------
    win, deal_in_later, draw, tenpai_at_draw : Trees
        Log-odds; the second given no win, the third given neither, the last given a draw.
    win_points : Trees
        Points without honba and deposits, given a win.
    threat : float64[3]
        Weights of P(can win), riichi and dealer in an opponent's share of the wins (log scale).
    other_tsumo_share : float
        Share of self-draws among the opponents' wins that are not off this seat.
    draw_tenpai : float64[3]
        Logit of an opponent's tenpai at a draw: intercept, weights of logit P(tenpai) now and of tiles left.
    mc_slope : float
        Difference in the log-odds of a win per unit of difference in the log-odds of the Monte Carlo draws.
    mc_shift : float
        Added to the log-odds of hands compared by the Monte Carlo draws, to make their mean right.
    win_statistics : WinStatistics
    """

    win: Trees
    deal_in_later: Trees
    draw: Trees
    tenpai_at_draw: Trees
    win_points: Trees
    threat: F64
    other_tsumo_share: float
    draw_tenpai: F64
    mc_slope: float
    mc_shift: float
    win_statistics: WinStatistics

    @classmethod
    def of(cls, file: ModelFile) -> "AfterstateModel":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, COLUMNS)
        names = ("win", "deal_in_later", "draw", "tenpai_at_draw", "win_points")
        trees = {name: Trees.from_arrays(file.arrays, name, len(COLUMNS)) for name in names}
        return cls(
            **trees,
            threat=file.array("threat", (3,)),
            other_tsumo_share=file.number("other_tsumo_share"),
            draw_tenpai=file.array("draw_tenpai", (3,)),
            mc_slope=file.number("mc_slope"),
            mc_shift=file.number("mc_shift"),
            win_statistics=win_statistics_of(file),
        )

    def prospects(self, rows: F32, groups: I64) -> Prospects:
        """Predict what hands lead to from their features.

        The trees are good at rating a hand, the Monte Carlo draws at comparing two discards from the same
        hand. So within a group (discards from one hand under one plan) the trees rate only the hand that is
        best by the Monte Carlo draws. The log-odds of the others are lower by `mc_slope` times the difference
        in the Monte Carlo draws, and their points are scaled by the ratio there. If both hands are tenpai the
        trees rate both, because they know how readily opponents discard the waits. The other outcomes differ
        within a group to the degree that an opponent threatens; without a threat a group shares the mean.

        Parameters
        ----------
        rows : float32[n, len(COLUMNS)]
        groups : int64[n]
            Rows with the same number, counted from 0, are compared by the Monte Carlo draws.
        """
        threat = np.where(rows[:, AT.riichi_opponents] > 0, 1.0, rows[:, AT.tenpai_max]).astype(np.float64)
        win, points = self.win.probabilities(rows), np.maximum(self.win_points.sums(rows), 1000.0)
        later, draw = self.deal_in_later.probabilities(rows), self.draw.probabilities(rows)
        tenpai = self.tenpai_at_draw.probabilities(rows)
        _compare(rows, groups, mc_odds(rows), self.mc_slope, self.mc_shift, win, points)
        _level(groups, threat, (later, draw, tenpai))
        later *= 1.0 - win
        return Prospects(win, later, (1.0 - win - later) * draw, points, tenpai)

    def threats(self, can_win: F64, riichi: F64, dealer: F64) -> F64:
        """Return each opponent's share of the opponents' wins: float64[..., 3], summing to 1."""
        terms = np.stack([can_win, riichi, dealer], axis=-1)
        weights = np.exp(terms @ self.threat)
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True), np.float64)

    def opponents_tenpai_at_draw(self, tenpai: F64, tiles_left: float) -> F64:
        """Return P(tenpai at the end, given a draw) of opponents from their P(tenpai) now."""
        clipped = np.clip(tenpai, 1e-3, 1.0 - 1e-3)
        intercept, slope, by_tiles = self.draw_tenpai
        later = intercept + slope * np.log(clipped / (1.0 - clipped)) + by_tiles * tiles_left
        return np.asarray(np.where(tenpai >= 1.0, 1.0, 1.0 / (1.0 + np.exp(-later))), np.float64)


def win_statistics_of(file: ModelFile) -> WinStatistics:
    """Return the win statistics in the file: how wins come about.

    Raises
    ------
    ModelError
        If arrays are missing or have other shapes.
    """
    silent, riichi = (float(share) for share in file.array("tsumo_share", (2,)))
    han = tuple(float(share) for share in file.array("riichi_han", (_RIICHI_HAN,)))
    rates = file.array("wait_discard_rates", SHAPE).ravel()
    return WinStatistics((silent, riichi), han, file.number("survival"), rates)


def mc_odds(rows: F32) -> F64:
    """Return the log-odds of a win by the Monte Carlo draws, clipped to what they can measure: float64[n]."""
    return _log_odds(np.clip(rows[:, AT.mc_win_prob].astype(np.float64), _LEAST, 1.0 - _LEAST))


def compared_by_draws(rows: F32, best: F32) -> Bool:
    """Return whether the Monte Carlo draws compare a hand with the best of its group: bool[n].

    They do unless both hands are tenpai.
    """
    return np.asarray((rows[:, AT.shanten] != 0) | (best[:, AT.shanten] != 0), np.bool_)


def _log_odds(chance: F64) -> F64:
    return np.asarray(np.log(chance / (1.0 - chance)), np.float64)


# ---- kernels


@compiled
def _compare(
    rows: F32,
    groups: I64,
    odds: F64,
    slope: float,
    shift: float,
    win: F64,
    points: F64,
) -> None:
    """Set P(win) and points within each group relative to the hand that is best by the Monte Carlo draws."""
    for group in range(groups.max() + 1):
        best = -1
        for i in np.flatnonzero(groups == group):
            if best < 0 or rows[i, AT.mc_win_prob] > rows[best, AT.mc_win_prob]:
                best = int(i)
        if best < 0 or rows[best, AT.mc_win_prob] == 0.0:
            continue
        own, most = np.log(win[best] / (1.0 - win[best])), points[best]
        mc_points = max(rows[best, AT.mc_win_points], np.float32(1.0))
        for i in np.flatnonzero(groups == group):
            if rows[i, AT.shanten] != 0 or rows[best, AT.shanten] != 0:
                win[i] = 1.0 / (1.0 + np.exp(-(own + shift + slope * (odds[i] - odds[best]))))
            ratio = min(max(rows[i, AT.mc_win_points] / mc_points, np.float32(0.5)), np.float32(2.0))
            points[i] = max(most * ratio, 1000.0)


@compiled
def _level(groups: I64, threat: F64, chances: tuple[F64, F64, F64]) -> None:
    """Move the probabilities of each group towards their mean, the more so the smaller the threat."""
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        for chance in chances:
            mean = chance[members].mean()
            for i in members:
                chance[i] = threat[i] * chance[i] + (1.0 - threat[i]) * mean
