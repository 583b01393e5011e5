"""What a hand leads to once the discard has been made: P(win), P(dealing in later), P(draw), points.

The Monte Carlo draws distinguish hands, but they choose discards in hindsight and ignore rons, calls and
opponents who win first. Learned trees over them and some features of the hand and the scene give
calibrated probabilities: three boosted-tree models in sequence (win; if not, dealing in later; if neither, an
exhaustive draw), one for the points of a win, one for tenpai at a draw, one for a stick paid for riichi later
and lost. They are learned from what followed the decisions of strong players
(``manue.training.afterstate``), so they know that players fold bad hands later. No feature describes the
discarded tile itself, so options that nobody played can be rated too. Which of two discards strong players
prefer says something about the win that the draws do not know; how much is learned as well.

Opponents' hands grow until they win: another table of trees says how many times what a deal-in would cost now
their win will be worth. The dora that a kan reveals makes all wins larger, this seat's and the others'.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I64, Bool
from manue.compiled import compiled
from manue.draws.win import WinStatistics
from manue.features.afterstate import AT, COLUMNS, LEAST_PROB
from manue.features.feature import Feature, numbered
from manue.features.wait_discard_rates import TABLE_SHAPE
from manue.game.view import LIVE_WALL
from manue.hand.points import LEAST_DEALER_WIN, LEAST_WIN, least_wins
from manue.log_odds import log_odds_of, probabilities_of
from manue.models.files import ModelFile, checked_columns
from manue.models.trees import Trees

OPPONENT_FACTS = (
    Feature("tenpai", "P(tenpai); 1 in riichi"),
    Feature("can_win", "P(tenpai with a yaku and not furiten); 1 in riichi"),
    Feature("riichi", "in riichi"),
    Feature("dealer", "the dealer"),
    Feature("size", "mean points of a deal-in to it now"),
    Feature("tiles_left", "tiles left in the wall"),
)
"""What is known of an opponent, for its share of the wins and the size of its win."""
AT_FACTS = numbered(OPPONENT_FACTS)
"""Column numbers by name."""
GROWTH_COLUMNS = (*OPPONENT_FACTS, Feature("self_drawn", "it wins by self-draw"))
GROWTH_LIMITS = (0.5, 3.0)
_LEARNED_POINTS, _YAKUMAN_POINTS = 24_000.0, 32_000.0
"""Hands that bring more than the first by the Monte Carlo draws are too few for the trees to learn from. From
the second on they mostly win with a yakuman or not at all."""
SLOPES = 6
"""Slopes of the draws: by shanten 0, 1, 2, 3 and 4 or more without a threat, and against a riichi."""
_LEAST_PREFERENCE = -6.0
"""Log of the share of a discard, relative to the favourite, below which all are alike: 1 in 400."""

_IPPATSU_HAN, _URA_HAN = 2, 5
"""Numbers of han that ippatsu may add, and one indicator of ura-dora: 0 and 1, 0 to 4."""


class GrowthByKan(NamedTuple):
    """Factors by which wins after a kan are larger than they would be without its new dora."""

    own: float
    others: float


@dataclass(frozen=True, slots=True)
class Prospects:
    """What each hand leads to if its discard does not deal in.

    Parameters
    ----------
    win, deal_in_later, draw : float64[n]
        P(this seat wins), P(it deals in with a later tile), P(draw).
    win_points : float64[n]
        Mean points of its win, without the honba and deposits on the table; with sticks yet to come.
    tenpai_at_draw : float64[n]
        P(it is tenpai, given a draw).
    stick : float64[n]
        P(it pays for riichi later, given that it does not win).
    """

    win: F64
    deal_in_later: F64
    draw: F64
    win_points: F64
    tenpai_at_draw: F64
    stick: F64

    def aborted(self, where: Bool) -> "Prospects":
        """Return the same with an abortive draw once the discard has passed, where bool[n] is set."""
        if not where.any():
            return self
        win, later, stick = (
            np.where(where, 0.0, chance) for chance in (self.win, self.deal_in_later, self.stick)
        )
        draw = np.where(where, 1.0, self.draw)
        return replace(self, win=win, deal_in_later=later, draw=draw, stick=stick)


@dataclass(frozen=True, slots=True)
class AfterstateModel:
    """The trees and tables of ``afterstate.npz``.

    Parameters
    ----------
    win, deal_in_later, draw, tenpai_at_draw, stick : Trees
        Log-odds; the second given no win, the third given neither, the fourth given a draw, the last given no
        win, for a closed hand not in riichi.
    win_points : Trees
        Points without honba and deposits, given a win.
    growth : Trees
        Points of an opponent's win over those of a deal-in to it now, by `GROWTH_COLUMNS`.
    win_share_weights : float64[3]
        Weights of P(can win), riichi and dealer in an opponent's share of the wins (log scale).
    other_tsumo_share : float
        Share of self-draws among the opponents' wins that are not off this seat.
    draw_tenpai : float64[4]
        How the log-odds of an opponent's tenpai at a draw differ from those of P(tenpai) now, times the
        square root of the share of the wall that is left: by itself, for each unit of the log-odds now, for
        the dealer, and for each player in riichi.
    mc_slope : float64[SLOPES]
        Difference in the log-odds of a win for each unit by which those of the Monte Carlo draws differ
        (`mc_slopes`): without a threat by the shanten of the best hand, and against a riichi. Without a
        threat lesser hands catch up, in ways that the draws do not know; under a threat they are mostly
        folded.
    preference_slope : float
        Difference in the log-odds of a win for every factor e by which strong players make one discard more
        often than another, without a threat: they know more of slow hands than the draws do. Against a riichi
        it is 0; there they choose by danger.
    mc_shift : float
        Added to the log-odds of hands compared by the Monte Carlo draws, to make their mean right.
    silent_points : float64[2]
        Points of the win of a silent tenpai hand with a yaku over those by the Monte Carlo draws: closed,
        open. Its draws know the very hands that it can win with, the trees only features of them.
    growth_by_kan : GrowthByKan
    growth_by_indicator : float
        Factor by which a win in riichi is larger than ``opponents.npz`` says, for each dora indicator beyond
        the first (`manue.models.danger.DangerReader`).
    win_statistics : WinStatistics
    """

    win: Trees
    deal_in_later: Trees
    draw: Trees
    tenpai_at_draw: Trees
    stick: Trees
    win_points: Trees
    growth: Trees
    win_share_weights: F64
    other_tsumo_share: float
    draw_tenpai: F64
    mc_slope: F64
    preference_slope: float
    mc_shift: float
    silent_points: F64
    growth_by_kan: GrowthByKan
    growth_by_indicator: float
    win_statistics: WinStatistics

    @classmethod
    def of(cls, file: ModelFile) -> "AfterstateModel":
        """Read the model from its file; raises ModelError if arrays are missing or it has other features."""
        checked_columns(file, COLUMNS)
        checked_columns(file, GROWTH_COLUMNS, "growth_columns")
        names = ("win", "deal_in_later", "draw", "tenpai_at_draw", "stick", "win_points", "growth")
        columns = dict.fromkeys(names, len(COLUMNS)) | {"growth": len(GROWTH_COLUMNS)}
        trees = {name: Trees.of(file, name, columns[name]) for name in names}
        return cls(
            **trees,
            win_share_weights=file.array("threat", (3,)),
            other_tsumo_share=file.number("other_tsumo_share"),
            draw_tenpai=file.array("draw_tenpai", (4,)),
            mc_slope=file.array("mc_slope", (SLOPES,)),
            preference_slope=file.number("preference_slope"),
            mc_shift=file.number("mc_shift"),
            silent_points=file.array("silent_points", (2,)),
            growth_by_kan=GrowthByKan(*file.array("growth_by_kan", (2,)).tolist()),
            growth_by_indicator=file.number("growth_by_indicator"),
            win_statistics=_win_statistics_of(file),
        )

    def prospects(self, rows: F32, groups: I64, kan: Bool, preference: F64) -> Prospects:
        """Predict what hands lead to from their features.

        The trees are good at rating a hand, the Monte Carlo draws at comparing two discards from the same
        hand. So within a group (discards from one hand under one plan) the trees rate only the hand that is
        best by the Monte Carlo draws. The log-odds of the others are lower by a slope times the difference in
        the Monte Carlo draws (`mc_slopes`), and higher by another times how far strong players prefer the
        discard, the less so the more an opponent threatens. Their points are scaled by the ratio in the
        draws. If both hands wait for a tile that is left the trees rate both, because they know how readily
        opponents discard the waits; the points of silent tenpai hands with a yaku and those of yakuman hands
        follow from the draws alone (`points_of_wins`). The other outcomes differ within a group to the degree
        that an opponent threatens; without a threat they are those of the best hand, which people mostly
        leave: the mean of a group would count hands that nobody leaves. Without an own draw left a hand,
        unless it calls, stays tenpai or not, deals in no more and declares no riichi. Once the last discard
        has passed the round is drawn. A hand in riichi of whose waits no copy is left wins nothing.

        Parameters
        ----------
        rows : float32[n, len(COLUMNS)]
        groups : int64[n]
            Rows with the same number, counted from 0, are compared by the Monte Carlo draws.
        kan : bool[n]
            Whether a kan leads to the hand: its new dora makes the win larger.
        preference : float64[n]
            Log of how often strong players make the discard, relative to their favourite; 0 for what is no
            discard without riichi.
        """
        threat, best, odds = threat_of(rows), best_by_draws(rows, groups), mc_odds(rows)
        win, points = self.win.probabilities(rows), points_of_wins(rows, self.win_points, self.silent_points)
        preferred = (1.0 - threat) * preferred_by(preference, preference[best])
        slopes = mc_slopes(threat, rows[best, AT.shanten], self.mc_slope)
        ahead = slopes * (odds - odds[best]) + self.preference_slope * preferred
        large = rows[:, AT.mc_win_points] > _LEARNED_POINTS
        apart = silent_tenpai(rows) | large | large[best]
        compared = compared_by_draws(rows, rows[best])
        _compare(rows, best, self.mc_shift + ahead, compared, apart, win, points)
        points[kan] *= self.growth_by_kan.own
        others = (self.deal_in_later, self.draw, self.tenpai_at_draw, self.stick)
        own = probabilities_of(np.array([trees.sums(rows) for trees in others]))
        later, draw, tenpai, stick = levelled(own, own[:, best], threat)
        _set_what_is_certain(rows, win, later, draw, tenpai, stick)
        later *= 1.0 - win
        return Prospects(win, later, (1.0 - win - later) * draw, points, tenpai, stick)

    def win_shares(self, can_win: F64, riichi: F64, dealer: F64) -> F64:
        """Return each opponent's share of the opponents' wins: float64[..., 3], summing to 1."""
        by_tenpai, by_riichi, by_dealer = self.win_share_weights.tolist()
        weights = np.exp(by_tenpai * can_win + by_riichi * riichi + by_dealer * dealer)
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True), np.float64)

    def growths(self, facts: F64) -> F64:
        """Return an opponent's win over the cost of a deal-in to it now: off a discard, and by self-draw.

        Parameters
        ----------
        facts : float64[n, len(OPPONENT_FACTS)]

        Returns
        -------
        float64[2, n]
            A self-draw counts as what all pay together.
        """
        rows = np.concatenate([growth_rows(facts, self_drawn=drawn) for drawn in (False, True)])
        return self.growth.sums(rows).clip(*GROWTH_LIMITS).reshape(2, -1)

    def opponents_tenpai_at_draw(self, facts: F64, riichi: F64) -> F64:
        """Return P(each opponent is tenpai at the end, given a draw): float64[n, 3].

        With the last discard it is P(tenpai) now; the more tiles are left, the less that says.

        Parameters
        ----------
        facts : float64[3, len(OPPONENT_FACTS)]
        riichi : float64[n]
            How many players are in riichi.
        """
        tenpai = facts[:, AT_FACTS.tenpai]
        log_odds, differing = draw_tenpai_terms(facts[None], riichi)
        later = probabilities_of(log_odds + differing @ self.draw_tenpai)
        return np.where(tenpai >= 1.0, 1.0, later)


def _win_statistics_of(file: ModelFile) -> WinStatistics:
    """Return how wins come about; raises ModelError if arrays are missing or have other shapes."""
    silent, riichi = (float(share) for share in file.array("tsumo_share", (2,)))
    han = tuple(file.array("riichi_han", (_IPPATSU_HAN,)).tolist())
    ura = tuple(file.array("ura_han", (_URA_HAN,)).tolist())
    rates = file.array("wait_discard_rates", TABLE_SHAPE).ravel()
    return WinStatistics((silent, riichi), han, ura, file.number("survival"), rates)


def silent_tenpai(rows: F32) -> Bool:
    """Return whether a hand is tenpai without riichi, with a yaku by ron: bool[n].

    Closed hands without one often declare riichi later and then win more than their draws say.
    """
    waits = (rows[:, AT.riichi] == 0) & (rows[:, AT.ron_tiles] > 0)
    return np.asarray(waits & (rows[:, AT.mc_win_points] > 0), np.bool_)


def points_of_wins(rows: F32, trees: Trees, silent_points: F64) -> F64:
    """Return the mean points of the win with each hand, without the dora that a kan reveals: float64[n].

    The trees predict them; for silent tenpai hands with a yaku they are those of the Monte Carlo draws times
    a factor. Of hands larger than the trees have learned from, more and more is what the draws say.

    Parameters
    ----------
    rows : float32[n, len(COLUMNS)]
    trees : Trees
    silent_points : float64[2]
        As in `AfterstateModel`.
    """
    points, silent = trees.sums(rows), silent_tenpai(rows)
    factor = silent_points[rows[silent, AT.open].astype(np.intp)]
    points[silent] = factor * rows[silent, AT.mc_win_points]
    drawn = rows[:, AT.mc_win_points].astype(np.float64)
    by_draws = ((drawn - _LEARNED_POINTS) / (_YAKUMAN_POINTS - _LEARNED_POINTS)).clip(0.0, 1.0)
    return np.maximum(points + by_draws * (drawn - points), least_wins(rows[:, AT.dealer] > 0))


def mc_odds(rows: F32) -> F64:
    """Return the log-odds of a win by the Monte Carlo draws, clipped to what they can measure: float64[n]."""
    return log_odds_of(rows[:, AT.mc_win_prob].astype(np.float64).clip(LEAST_PROB, 1.0 - LEAST_PROB))


def mc_slopes(threat: F64, shanten: F32, slopes: F64) -> F64:
    """Return how far log-odds differ for a difference of 1 in the Monte Carlo draws: float64[n].

    Parameters
    ----------
    threat : float64[n]
        From `threat_of`.
    shanten : float32[n]
        Of the hand that is best by the draws.
    slopes : float64[SLOPES]
        Without a threat by that shanten, the last for all that are farther, and then against a riichi.
    """
    calm = slopes[shanten.clip(0, SLOPES - 2).astype(np.intp)]
    return np.asarray(calm + (slopes[-1] - calm) * threat, np.float64)


def preferred_by(preference: F64, other: F64) -> F64:
    """Return how far strong players prefer one discard to another, of one hand: float64[n].

    Parameters
    ----------
    preference, other : float64[n]
        Log of how often they make each, relative to their favourite.
    """
    return np.asarray(
        np.maximum(preference, _LEAST_PREFERENCE) - np.maximum(other, _LEAST_PREFERENCE), np.float64
    )


def compared_by_draws(rows: F32, best: F32) -> Bool:
    """Return whether the Monte Carlo draws compare a hand with the best of its group: bool[n].

    They do unless both hands wait for a tile that is left, or none of them ever won. After a pass or a kan
    there is one hand, and nothing to compare it with.
    """
    discards = rows[:, AT.draws_before] == 3
    both_wait = (rows[:, AT.shanten] == 0) & (rows[:, AT.useful_tiles] > 0)
    both_wait &= (best[:, AT.shanten] == 0) & (best[:, AT.useful_tiles] > 0)
    return np.asarray(discards & ~both_wait & (best[:, AT.mc_win_prob] > 0), np.bool_)


def best_by_draws(rows: F32, groups: I64) -> I64:
    """Return for each hand the index of the one in its group that is best by the draws: int64[n].

    Of equal hands, as where no draw has won, it is one that is nearest to tenpai.
    """
    best = np.empty(len(rows), np.int64)
    _find_best(rows, groups, best)
    return best


def levelled(own: F64, best: F64, threat: F64) -> F64:
    """Move probabilities towards those of the best hand of the group, the more so the smaller the threat.

    ``threat`` is float64[n], the others are float64[..., n].
    """
    return np.asarray(threat * own + (1.0 - threat) * best, np.float64)


def draw_tenpai_terms(facts: F64, riichi: F64) -> tuple[F64, F64]:
    """Return what an opponent's tenpai at a draw follows from: `AfterstateModel.draw_tenpai`.

    Parameters
    ----------
    facts : float64[n or 1, 3, len(OPPONENT_FACTS)]
    riichi : float64[n]
        How many players are in riichi.

    Returns
    -------
    log_odds : float64[n or 1, 3]
        Log-odds of tenpai now.
    differing : float64[n, 3, 4]
        What the weights are of.
    """
    log_odds = log_odds_of(facts[..., AT_FACTS.tenpai].clip(LEAST_PROB, 1.0 - LEAST_PROB))
    differing = np.empty((len(riichi), 3, 4))
    differing[..., 0] = 1.0
    differing[..., 1] = log_odds
    differing[..., 2] = facts[..., AT_FACTS.dealer]
    differing[..., 3] = riichi[:, None]
    differing *= np.sqrt(facts[..., AT_FACTS.tiles_left, None] / LIVE_WALL)
    return log_odds, differing


def threat_of(rows: F32) -> F64:
    """Return the highest P(tenpai) of an opponent, 1 with a riichi on the table: float64[n]."""
    riichi = rows[:, AT.riichi_opponents] > 0
    return np.where(riichi, 1.0, rows[:, AT.tenpai_max]).astype(np.float64)


def growth_rows(facts: F64, *, self_drawn: bool) -> F32:
    """Return the features of the growth of opponents' hands: float32[n, len(GROWTH_COLUMNS)]."""
    drawn = np.full((len(facts), 1), float(self_drawn))
    return np.concatenate([facts, drawn], axis=1).astype(np.float32)


# ---- kernels


@compiled
def _find_best(rows: F32, groups: I64, out: I64) -> None:
    """Find the first hand of each group that is best by the draws, of equal ones nearest to tenpai."""
    best = np.full(groups.max() + 1, -1)
    for i in range(len(rows)):
        at = best[groups[i]]
        nearer = rows[i, AT.shanten] < rows[at, AT.shanten]
        equal = rows[i, AT.mc_win_prob] == rows[at, AT.mc_win_prob]
        if at < 0 or rows[i, AT.mc_win_prob] > rows[at, AT.mc_win_prob] or (equal and nearer):
            best[groups[i]] = i
    for i in range(len(rows)):
        out[i] = best[groups[i]]


@compiled
def _compare(
    rows: F32,
    best: I64,
    ahead: F64,
    compared: Bool,
    apart: Bool,
    win: F64,
    points: F64,
) -> None:
    """Set P(win) and points relative to the hand of the group that is best by the Monte Carlo draws.

    The log-odds of a hand that is compared are those of the best by the trees, and by how much it is ahead.
    The points of hands set apart stay as they are, and those of hands that never won.
    """
    own, most = np.log(win / (1.0 - win)), points.copy()
    for i in range(len(rows)):
        at = best[i]
        if compared[i]:
            win[i] = 1.0 / (1.0 + np.exp(-(own[at] + ahead[i])))
        if apart[i] or rows[at, AT.mc_win_prob] == 0.0:
            continue
        mc_points = max(rows[at, AT.mc_win_points], np.float32(1.0))
        ratio = min(max(rows[i, AT.mc_win_points] / mc_points, np.float32(0.5)), np.float32(2.0))
        points[i] = max(most[at] * ratio, LEAST_DEALER_WIN if rows[i, AT.dealer] > 0 else LEAST_WIN)


@compiled
def _set_what_is_certain(rows: F32, win: F64, later: F64, draw: F64, tenpai: F64, stick: F64) -> None:
    """Set the chances that the rules leave no doubt about; ``later`` and ``draw`` are still conditional."""
    for i in range(len(rows)):
        riichi = rows[i, AT.riichi] > 0
        if riichi or rows[i, AT.open] > 0:
            stick[i] = 0.0
        if rows[i, AT.own_draws] == 0:
            later[i] = stick[i] = 0.0
            tenpai[i] = rows[i, AT.shanten] == 0
        if rows[i, AT.tiles_left] == 0:
            win[i], draw[i] = 0.0, 1.0
        if riichi and rows[i, AT.useful_tiles] == 0:
            win[i] = 0.0
