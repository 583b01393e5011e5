"""The parts of the afterstate model, each fitted to the rows of a sample."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from manue.arrays import F32, F64, Bool
from manue.draws.win import WinStatistics
from manue.features.afterstate import AT, COLUMNS
from manue.log_odds import probabilities_of
from manue.models.afterstate import (
    AT_FACTS,
    GROWTH_LIMITS,
    SLOPES,
    GrowthByKan,
    compared_by_draws,
    draw_tenpai_terms,
    growth_rows,
    mc_odds,
    mc_slopes,
    points_of_wins,
    silent_tenpai,
    threat_of,
)
from manue.models.trees import Trees
from manue.training.afterstate_sample import (
    DEAL_IN_LATER,
    DRAWN,
    OTHER_TSUMO,
    WIN,
    AfterstateSample,
)
from manue.training.export import fitted
from manue.training.framework import GAME_PARTS, part_of_game
from manue.training.opponents import IndicatorFit

TREES = 130
"""Trees of a probability, where no other number is given."""
WIN_TREES = 250
"""With fewer, P(win) after a pass is too low where a chi was passed on, and too high where a pon was."""
DECLARED_WEIGHT = 3.0
"""Rows that declare riichi count so often for P(win): with equal weights they are rated .012 too low."""
STICK_TREES = 60
GROWTH_TREES = 40
PRIOR_WINS = 20
"""Wins, as large as predicted, that are added to those observed where a factor is learned from few."""
RISING = ("mc_win_prob", "ron_tiles", "ron_share", "wait_tiles_to_come")
"""Features that can only raise P(win), all else equal."""


class LogOddsLine(NamedTuple):
    """How the log-odds of hands compared by the Monte Carlo draws follow from those of the best.

    Attributes
    ----------
    slope : float64[SLOPES]
        As `manue.models.afterstate.mc_slopes` takes it.
    preference : float
        For each unit by which strong players prefer the discard, without a threat.
    shift : float
    """

    slope: F64
    preference: float
    shift: float


class KanFit(NamedTuple):
    """How much larger wins are after a kan, and the number of wins of each side that say so."""

    growth: GrowthByKan
    own_wins: int
    others_wins: int


class SilentFit(NamedTuple):
    """Points of silent tenpai hands with a yaku over those of the Monte Carlo draws, and the wins of each.

    Attributes
    ----------
    points : float64[2]
        As in `manue.models.afterstate.AfterstateModel`.
    wins : tuple of int
        Closed, open.
    """

    points: F64
    wins: tuple[int, int]


class AfterstateFits(NamedTuple):
    """What the model holds, fitted to a sample or counted in the games.

    Attributes
    ----------
    trees : dict of str to Trees
        From `fit_trees`.
    line : LogOddsLine
    silent : SilentFit
    by_kan : KanFit
    by_indicator : IndicatorFit
    draw_tenpai : float64[4]
        From `fit_draw_tenpai`.
    statistics : WinStatistics
    """

    trees: dict[str, Trees]
    line: LogOddsLine
    silent: SilentFit
    by_kan: KanFit
    by_indicator: IndicatorFit
    draw_tenpai: F64
    statistics: WinStatistics


def _classifier(
    rows: AfterstateSample,
    mask: Bool,
    hits: Bool,
    *,
    trees: int = TREES,
    rising: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    weight: F64 | None = None,
) -> Trees:
    """Learn P(hit) from some of the rows, with the columns ``without`` blanked."""
    x = blanked(rows.x[mask], without)
    model = HistGradientBoostingClassifier(
        max_iter=trees,
        max_leaf_nodes=16,
        learning_rate=0.06,
        min_samples_leaf=300 if len(x) > 50_000 else 40,
        l2_regularization=10.0,
        monotonic_cst=[int(column.name in rising) for column in COLUMNS],
        early_stopping=False,
        random_state=0,
    )
    return fitted(model, x, hits[mask], None if weight is None else weight[mask])


def fit_trees(rows: AfterstateSample) -> dict[str, Trees]:
    """Learn everything of the model that trees predict, by the names in its file."""
    lost = rows.ending != WIN
    neither = lost & (rows.ending != DEAL_IN_LATER)
    won = (rows.ending == WIN) & ~rows.kan
    points = HistGradientBoostingRegressor(
        max_iter=120,
        max_leaf_nodes=15,
        learning_rate=0.06,
        min_samples_leaf=100 if won.sum() > 10_000 else 20,
        l2_regularization=10.0,
        monotonic_cst=[int(column.name in ("mc_win_points", "dora")) for column in COLUMNS],
        early_stopping=False,
        random_state=0,
    )
    return {
        "win": win_trees(rows),
        "deal_in_later": _classifier(rows, lost, rows.ending == DEAL_IN_LATER),
        "draw": _classifier(rows, neither, rows.ending == DRAWN),
        "tenpai_at_draw": _classifier(rows, rows.exhausted, rows.tenpai[:, 0]),
        "stick": _classifier(rows, may_declare(rows), rows.stick, trees=STICK_TREES),
        "win_points": fitted(points, rows.x[won], rows.points[won]),
        "growth": fit_growth(rows.part(~rows.kan)),
    }


def may_declare(rows: AfterstateSample) -> Bool:
    """Return the rows without a win whose seat might still have declared riichi: bool[n]."""
    closed = (rows.x[:, AT.riichi] == 0) & (rows.x[:, AT.open] == 0)
    return np.asarray((rows.ending != WIN) & closed, np.bool_)


class _Payments(NamedTuple):
    """Opponents' wins that this seat paid for.

    Attributes
    ----------
    x : float32[n, len(GROWTH_COLUMNS)]
    size : float64[n]
        Points that a deal-in to the winner would have cost at the decision.
    worth : float64[n]
        Points that all who paid, paid together.
    weight : float64[n]
    """

    x: F32
    size: F64
    worth: F64
    weight: F64


def _payments(rows: AfterstateSample) -> _Payments:
    """Collect payments; of a self-draw, a third to the dealer, else a half as dealer or a quarter."""
    paid = rows.part((rows.paid > 0) & (rows.winner >= 0))
    facts = paid.opponents[np.arange(len(paid.x)), paid.winner.astype(np.int64)]
    drawn = paid.ending == OTHER_TSUMO
    payers = np.where(facts[:, AT_FACTS.dealer] > 0, 3.0, np.where(paid.x[:, AT.dealer] > 0, 2.0, 4.0))
    x = np.where(drawn[:, None], growth_rows(facts, self_drawn=True), growth_rows(facts, self_drawn=False))
    return _Payments(x, facts[:, AT_FACTS.size], paid.paid * np.where(drawn, payers, 1.0), paid.weight)


def fit_growth(rows: AfterstateSample) -> Trees:
    """Learn how many times the cost of a deal-in now an opponent's win is worth.

    The points of all who pay count. The squared error of the points is minimized, not that of the ratio.
    """
    paid = _payments(rows)
    model = HistGradientBoostingRegressor(
        max_iter=GROWTH_TREES,
        max_leaf_nodes=8,
        learning_rate=0.1,
        min_samples_leaf=int(np.clip(len(paid.x) // 100, 20, 300)),
        l2_regularization=10.0,
        early_stopping=False,
        random_state=0,
    )
    weight = paid.weight * paid.size**2
    return fitted(model, paid.x, paid.worth / paid.size, weight / max(float(weight.mean()), 1.0))


def fit_silent_points(rows: AfterstateSample) -> SilentFit:
    """Learn how much more the wins of silent tenpai hands with a yaku bring than the draws say."""
    won = (rows.ending == WIN) & ~rows.kan & silent_tenpai(rows.x)
    parts = [rows.part(won & (rows.x[:, AT.open] == opened)) for opened in (0, 1)]
    factors = [_ratio_of_sums(part.points, _drawn_points(part)) for part in parts]
    return SilentFit(np.array(factors), (len(parts[0].x), len(parts[1].x)))


def _drawn_points(rows: AfterstateSample) -> F64:
    return np.asarray(rows.x[:, AT.mc_win_points], np.float64)


def fit_growth_by_kan(kans: AfterstateSample, trees: Mapping[str, Trees], silent_points: F64) -> KanFit:
    """Learn how many times wins are worth after a kan what the trees predict, which learned from no kan.

    Parameters
    ----------
    kans : AfterstateSample
        Rows of kans.
    trees : mapping of str to Trees
        From `fit_trees`.
    silent_points : float64[2]
        From `fit_silent_points`.
    """
    won, paid = kans.part(kans.ending == WIN), _payments(kans)
    own = points_of_wins(won.x, trees["win_points"], silent_points)
    others = trees["growth"].sums(paid.x).clip(*GROWTH_LIMITS) * paid.size
    growth = GrowthByKan(_ratio_of_sums(won.points, own), _ratio_of_sums(paid.worth, others))
    return KanFit(growth, len(own), len(others))


def _ratio_of_sums(observed: F64, predicted: F64) -> float:
    """Return the ratio of the sums, of `PRIOR_WINS` wins as predicted as well: few wins change little."""
    prior = PRIOR_WINS * float(predicted.mean()) if len(predicted) else 1.0
    return float((observed.sum() + prior) / (predicted.sum() + prior))


def win_trees(rows: AfterstateSample, without: tuple[str, ...] = ()) -> Trees:
    """Learn P(win), with the columns ``without`` blanked."""
    return _classifier(
        rows,
        np.ones(len(rows.x), np.bool_),
        rows.ending == WIN,
        trees=WIN_TREES,
        rising=RISING,
        without=without,
        weight=np.where(rows.x[:, AT.declares] > 0, DECLARED_WEIGHT, 1.0),
    )


def blanked(x: F32, without: tuple[str, ...]) -> F32:
    """Return the rows with the columns ``without`` set to 0: float32[n, columns]."""
    return np.where([column.name in without for column in COLUMNS], np.float32(0.0), x)


def unseen_odds(rows: AfterstateSample) -> tuple[F64, F64]:
    """Return the log-odds of a win, from trees that have not seen the game of the row: float64[n] each.

    The first is for the hand left, the second for the hand that is best by the Monte Carlo draws.
    """
    of_row = part_of_game(rows.game)
    own, best = np.empty(len(rows.x)), np.empty(len(rows.x))
    for i in range(GAME_PARTS):
        trees, held_out = win_trees(rows.part(of_row != i)), of_row == i
        own[held_out], best[held_out] = trees.sums(rows.x[held_out]), trees.sums(rows.best[held_out])
    return own, best


def fit_line(rows: AfterstateSample, own: F64, best: F64) -> LogOddsLine:
    """Fit how the log-odds of hands compared by the Monte Carlo draws follow from those of the best.

    The discard that was made was often not the best under the same plan by the Monte Carlo draws. Trees that
    have not seen the game rate the best one; the line maximizes the likelihood of the outcomes.

    Parameters
    ----------
    rows : AfterstateSample
    own, best : float64[n]
        From `unseen_odds`.
    """
    won = rows.ending == WIN

    def loss(line: F64) -> float:
        """Return the mean log loss with these slopes, by draws and by preference, and this shift."""
        odds = odds_in_play(rows, own, best, LogOddsLine(line[:SLOPES], *line[SLOPES:]))
        return float(np.average(np.logaddexp(0.0, odds) - won * odds, weights=rows.weight))

    start, bounds = [*[0.5] * SLOPES, 0.0, 0.0], [*[(0.0, 2.0)] * SLOPES, (0.0, 0.5), (-0.5, 0.5)]
    found: F64 = minimize(loss, np.array(start), method="L-BFGS-B", bounds=bounds).x
    return LogOddsLine(found[:SLOPES], *found[SLOPES:].tolist())


def odds_in_play(rows: AfterstateSample, own: F64, best: F64, line: LogOddsLine) -> F64:
    """Return the log-odds of a win as `manue.models.afterstate` computes them for options: float64[n].

    Parameters
    ----------
    rows : AfterstateSample
    own, best : float64[n]
        Log-odds by the trees of the hand left, and of the hand that is best by the Monte Carlo draws.
    line : LogOddsLine
    """
    apart, threat = mc_odds(rows.x) - mc_odds(rows.best), threat_of(rows.x)
    slopes = mc_slopes(threat, rows.best[:, AT.shanten], line.slope)
    ahead = slopes * apart + line.preference * (1.0 - threat) * rows.preference
    behind = best + line.shift + ahead
    return np.where(compared_by_draws(rows.x, rows.best), behind, own)


def fit_win_share_weights(rows: AfterstateSample) -> F64:
    """Fit the weights of P(can win), riichi and dealer in an opponent's share of the wins: float64[3].

    The shares are the softmax of the weighted sums.
    """
    chosen = rows.winner >= 0
    if not chosen.any():
        return np.zeros(3)
    columns = [AT_FACTS.can_win, AT_FACTS.riichi, AT_FACTS.dealer]
    facts, winner = rows.opponents[chosen][:, :, columns], rows.winner[chosen].astype(np.int64)
    weight = rows.weight[chosen] / rows.weight[chosen].sum()

    def loss(weights: F64) -> float:
        """Return the mean log loss of who won, with these weights of the three facts."""
        terms = facts @ weights
        top = terms.max(axis=1, keepdims=True)
        logs = terms - top - np.log(np.exp(terms - top).sum(axis=1, keepdims=True))
        return float(-weight @ logs[np.arange(len(winner)), winner])

    found: F64 = minimize(loss, np.zeros(3), method="BFGS").x
    return found


def fit_draw_tenpai(rows: AfterstateSample) -> F64:
    """Fit an opponent's tenpai at a draw: float64[4], as `manue.models.afterstate.AfterstateModel` has it."""
    log_odds, differing, tenpai, weight = silent_at_draws(rows)
    weight = weight / max(float(weight.sum()), 1.0)

    def loss(weights: F64) -> float:
        """Return the mean log loss with these weights, and a little for weights that nothing speaks for."""
        odds = log_odds + differing @ weights
        return float(weight @ (np.logaddexp(0.0, odds) - tenpai * odds)) + 1e-6 * float(weights @ weights)

    found: F64 = minimize(loss, np.zeros(differing.shape[1]), method="BFGS").x
    return found


class SilentAtDraws(NamedTuple):
    """Opponents without riichi, at decisions of rounds that ended in an exhaustive draw.

    Attributes
    ----------
    log_odds : float64[n]
    differing : float64[n, 4]
        Both as `manue.models.afterstate.draw_tenpai_terms` returns them.
    tenpai : bool[n]
        Whether the opponent was tenpai at the draw.
    weight : float64[n]
    """

    log_odds: F64
    differing: F64
    tenpai: Bool
    weight: F64


def silent_at_draws(rows: AfterstateSample) -> SilentAtDraws:
    """Return the opponents whose tenpai at a draw had to be predicted."""
    drawn = rows.part(rows.exhausted)
    silent = drawn.opponents[:, :, AT_FACTS.tenpai] < 1.0
    in_riichi = drawn.x[:, AT.riichi].astype(np.float64) + drawn.x[:, AT.riichi_opponents]
    log_odds, differing = draw_tenpai_terms(drawn.opponents, in_riichi)
    weight = np.broadcast_to(drawn.weight[:, None], silent.shape)
    return SilentAtDraws(log_odds[silent], differing[silent], drawn.tenpai[:, 1:][silent], weight[silent])


def win_in_play(rows: AfterstateSample, win: Trees, line: LogOddsLine) -> F64:
    """Return P(win) as in play: float64[n]."""
    return probabilities_of(odds_in_play(rows, win.sums(rows.x), win.sums(rows.best), line))
