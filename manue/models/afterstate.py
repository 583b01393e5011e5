"""What a hand leads to once the discard has been made: P(win), P(dealing in later), P(draw), points.

The Monte Carlo draws tell one hand from another, but they know all their draws, nothing of rons, calls and opponents
who win first. A learned layer over the Monte Carlo draws and some features of the hand and the scene makes chances
that come true: three boosted trees in a row (own win; if not, dealing in later; if neither, an exhaustive
draw), one for the points of the own win, one for being tenpai at a draw. It is learned from what followed
the discards of strong players (``manue.training.afterstate``), so it knows that a player folds a bad hand
later. No feature speaks of the discarded tile itself: options that were not played are rated as well.
"""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F32, F64, I64, Bool
from manue.compiled import compiled
from manue.draws.win import WinStatistics
from manue.errors import ModelError
from manue.features.afterstate import AT, COLUMNS
from manue.features.wait_discard_rates import SHAPE
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees

_LEAST = 1e-3
"""Trials say nothing of smaller chances."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """What each hand leads to, provided its discard is not won on; float64[n] each.

    Parameters
    ----------
    win : P(own win)
    deal_in_later : P(dealing in with a later tile)
    draw : P(exhaustive draw)
    win_points : mean points of the own win, without honba and deposits
    tenpai_at_draw : P(own tenpai, given a draw)
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
    threat : float64[3]
        Weights of P(can win), riichi and dealer in an opponent's share of the wins (log scale).
    other_tsumo_share : float
        Share of self-draws among opponents' wins not off this seat.
    draw_tenpai : float64[3]
        Intercept and weights of logit P(tenpai) and of tiles left for an opponent's tenpai at a draw.
    mc_slope : float
        How far apart the log-odds of a win stand for hands whose Monte Carlo draws stand apart by one.
    mc_shift : float
        What is added to the log-odds of hands compared by the Monte Carlo draws, so that their mean comes true.
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
        """Take the model out of its file; raises ModelError if arrays are missing or of other features."""
        checked_columns(file, COLUMNS)
        names = ("win", "deal_in_later", "draw", "tenpai_at_draw", "win_points")
        trees = {name: Trees.from_arrays(file.arrays, name) for name in names}
        return cls(
            **trees,
            threat=file.array("threat"),
            other_tsumo_share=float(file.array("other_tsumo_share")),
            draw_tenpai=file.array("draw_tenpai"),
            mc_slope=float(file.array("mc_slope")),
            mc_shift=float(file.array("mc_shift")),
            win_statistics=win_statistics_of(file),
        )

    def prospects(self, rows: F32, groups: I64) -> Prospects:
        """Rate rows of `COLUMNS`.

        The trees know how good a hand is; which of two discards of the same hand is better the Monte Carlo draws know
        better. So within a group (discards of one hand under one plan) only the hand with the best Monte Carlo draws is
        rated by the trees. The log-odds of the others stand behind it by `mc_slope` of what those of the
        Monte Carlo draws do, their points in the ratio of the Monte Carlo draws. Only where both are tenpai do the trees rate both:
        they know how readily opponents discard the waits. What may happen otherwise differs between hands as
        far as somebody threatens, else it is that of their mean.

        Parameters
        ----------
        rows : float32[n, len(COLUMNS)]
        groups : int64[n]
            F32 with the same number, from 0, are compared by the Monte Carlo draws.
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
        """Return P(tenpai at the end, given a draw) of opponents whose P(tenpai) is known now."""
        sure = np.clip(tenpai, 1e-3, 1.0 - 1e-3)
        intercept, slope, by_tiles = self.draw_tenpai
        later = intercept + slope * np.log(sure / (1.0 - sure)) + by_tiles * tiles_left
        return np.asarray(np.where(tenpai >= 1.0, 1.0, 1.0 / (1.0 + np.exp(-later))), np.float64)


def win_statistics_of(file: ModelFile) -> WinStatistics:
    """Return what the file says of how wins come about.

    Raises
    ------
    ModelError
        If arrays are missing, or the discard rates of waits is told by other classes.
    """
    silent, riichi = (float(share) for share in file.array("tsumo_share"))
    han = tuple(float(share) for share in file.array("riichi_han"))
    return WinStatistics((silent, riichi), han, float(file.array("survival")), _discard_rates_of(file))


def _discard_rates_of(file: ModelFile) -> F64:
    table = file.array("wait_discard_rates")
    if table.shape != SHAPE:
        raise ModelError(
            f"model {file.name} tells the discard rates of waits by other classes: train it again"
        )
    return table.ravel()


def mc_odds(rows: F32) -> F64:
    """Return the log-odds of a win by the Monte Carlo draws, as far as they can tell: float64[n]."""
    return _log_odds(np.clip(rows[:, AT.mc_win_prob].astype(np.float64), _LEAST, 1.0 - _LEAST))


def compared_by_draws(rows: F32, best: F32) -> Bool:
    """Tell where the Monte Carlo draws compare a hand with the best of its group: unless both are tenpai. bool[n]."""
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
    """Let the chances and points of each group stand to those of its best Monte Carlo draws as the Monte Carlo draws do."""
    for group in range(groups.max() + 1):
        best = -1
        for i in np.flatnonzero(groups == group):
            if best < 0 or rows[i, AT.mc_win_prob] > rows[best, AT.mc_win_prob]:
                best = int(i)
        if best < 0 or rows[best, AT.mc_win_prob] == 0.0:
            continue
        own, most = np.log(win[best] / (1.0 - win[best])), points[best]
        tried = max(rows[best, AT.mc_win_points], np.float32(1.0))
        for i in np.flatnonzero(groups == group):
            if rows[i, AT.shanten] != 0 or rows[best, AT.shanten] != 0:
                win[i] = 1.0 / (1.0 + np.exp(-(own + shift + slope * (odds[i] - odds[best]))))
            ratio = min(max(rows[i, AT.mc_win_points] / tried, np.float32(0.5)), np.float32(2.0))
            points[i] = max(most * ratio, 1000.0)


@compiled
def _level(groups: I64, threat: F64, chances: tuple[F64, F64, F64]) -> None:
    """Draw the chances of each group to their mean as far as nobody threatens."""
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        for chance in chances:
            mean = chance[members].mean()
            for i in members:
                chance[i] = threat[i] * chance[i] + (1.0 - threat[i]) * mean
