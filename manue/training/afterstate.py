"""Learns `models/afterstate.npz`: what a hand leads to once the discard has been made.

Rows are hands that real decisions left (discards that did not deal in, passes, kans), with the numbers that
a player would have had at that moment: dangers and Monte Carlo draws are computed exactly as in play. The
labels are what followed in the round. How densely a kind of decision is sampled does not matter to the trees,
whose features tell the kinds apart; everything else weighs the rows by the decisions they stand for.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression

from manue.arrays import F32, F64, I64, Bool
from manue.draws.win import WinStatistics
from manue.features.afterstate import AT, COLUMNS
from manue.features.scene import Scenes, declares_riichi
from manue.features.wait_discard_rates import SHAPE
from manue.models.afterstate import (
    AT_FACTS,
    GROWTH_COLUMNS,
    compared_by_draws,
    growth_rows,
    levelled,
    mc_odds,
    threat_of,
)
from manue.models.trees import Trees
from manue.tiles import KINDS, dora_of
from manue.training.afterstate_sample import (
    DEAL_IN_LATER,
    DRAWN,
    MC_DRAWS,
    OTHER_RON,
    OTHER_TSUMO,
    WIN,
    AfterstateSample,
    sample_decisions,
    sample_declared,
)
from manue.training.dataset import EXHAUSTED, TSUMO, Extraction, Shard, sequences_of
from manue.training.export import fitted
from manue.training.framework import Run, Trained
from manue.training.quality import (
    AMOUNT_HEADER,
    QUALITY_HEADER,
    amount_quality,
    calibration_error_by_chance,
    mean,
    quality,
    reliability,
)
from manue.training.wait_discard_rates import discard_rate_lines, measure_discard_rates

CROSS_VALIDATION_FOLDS = 4
WIN_TREES = 130
STICK_TREES = 60
GROWTH_TREES = 40
Line = tuple[float, float]
"""Slope and shift of the log-odds of hands compared by the Monte Carlo draws."""
BLIND: dict[str, tuple[str, ...]] = {
    "the Monte Carlo draws": ("mc_win_prob", "mc_win_points"),
    "draws and tiles left": ("own_draws", "tiles_left"),
    "opponents": (
        "riichi_opponents",
        "dealer_riichi",
        "ippatsu",
        "most_melds",
        "all_melds",
        "tenpai_max",
        "tenpai_sum",
        "safest",
        "next_safest",
        "mean_danger",
        "safe_tiles",
    ),
    "waits that win by ron": ("ron_tiles", "ron_share", "wait_tiles_to_come"),
    "how readily the waits are discarded": ("ron_share", "wait_tiles_to_come"),
    "calls made and yakuhai to call": ("open", "melds", "yakuhai", "yakuhai_pairs"),
}
"""Groups of features that the trees are fitted without, to measure what each contributes."""
RISING = ("mc_win_prob", "ron_tiles", "ron_share", "wait_tiles_to_come")
"""Features that can only raise P(win), all else equal."""


class AfterstateTrainer:
    """Boosted trees for how the round continues; tables of how wins come about."""

    name = "afterstate"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it."""
        run.say("afterstate: how wins come about")
        win_statistics = measure_win_statistics(run.data)
        run.say("afterstate: Monte Carlo draws")
        rows = sample_decisions(run, win_statistics)
        extra = None if run.extra is None else sample_declared(run, run.extra, win_statistics)
        seen, rows = rows.part(rows.validation), rows.part(~rows.validation)
        run.say("afterstate: trees")
        trees = _fit_trees(rows)
        held_out = unseen_odds(rows)
        line = fit_line(rows, *held_out)
        threat = _fit_threat(rows)
        others = rows.part((rows.ending == OTHER_TSUMO) | (rows.ending == OTHER_RON))
        drawn = float(others.weight @ (others.ending == OTHER_TSUMO))
        tsumo_share = drawn / max(float(others.weight.sum()), 1.0)
        draw_tenpai = _fit_draw_tenpai(rows)
        arrays: dict[str, npt.NDArray[np.generic]] = {
            "threat": threat,
            "other_tsumo_share": np.array(tsumo_share),
            "draw_tenpai": draw_tenpai,
            "mc_slope": np.array(line[0]),
            "mc_shift": np.array(line[1]),
            "tsumo_share": np.array(win_statistics.tsumo_share),
            "riichi_han": np.array(win_statistics.riichi_han),
            "survival": np.array(win_statistics.survival),
            "wait_discard_rates": win_statistics.discard_rates.reshape(SHAPE),
        }
        for name, model in trees.items():
            arrays |= model.to_arrays(name)
        report = _report(rows, seen, trees, win_statistics, line)
        declared = {
            f"training games, in {CROSS_VALIDATION_FOLDS} parts": _Declared.of(
                rows, _chances(odds_in_play(rows, *held_out, line))
            ),
            "validation games": _Declared.of(seen, _in_play(seen, trees["win"], line)),
        }
        if extra is not None:
            declared["further games"] = _Declared.of(extra, _in_play(extra, trees["win"], line))
        report += "\n".join(_declared_lines(declared)) + "\n"
        report += "\n".join(discard_rate_lines(win_statistics.discard_rates.reshape(SHAPE))) + "\n"
        meta = {
            "columns": [column.name for column in COLUMNS],
            "growth_columns": [column.name for column in GROWTH_COLUMNS],
        }
        return Trained(arrays, meta, report)


# ---- how wins come about


def measure_win_statistics(shards: Extraction | Sequence[Shard]) -> WinStatistics:
    """Measure how wins come about.

    These are the shares of self-draws, the han added to riichi, P(the round lasts until a seat's next draw),
    and the discard rates of waits.
    """
    tsumo, wins = np.zeros(2), np.zeros(2)
    ura = np.zeros(5)
    at_once = on = ended = 0
    for shard in shards:
        part = shard.part(validation=False)
        last = _last_discards(part.truths)
        truths, scenes = part.truths[last], part.scenes[last]
        won = truths["winner"][:, 0] > 0
        riichi = (scenes["riichi"][:, 0] > 0).astype(int)
        by_self = truths["ending"] == TSUMO
        wins += np.bincount(riichi[won], minlength=2)
        tsumo += np.bincount(riichi[won & by_self], minlength=2)
        declared = won & (riichi > 0)
        at_once += int((won & declares_riichi(scenes)).sum())
        ura += sum((_ura_distribution(scene) for scene in scenes[declared][:200]), np.zeros(5))
        open_wall = part.scenes["tiles_left"] >= 4
        on += int(open_wall.sum())
        stopped = ~won & (truths["ending"] < EXHAUSTED) & (scenes["tiles_left"] >= 4)
        ended += int(stopped.sum())
    ippatsu = at_once / max(wins[1], 1)
    ura /= max(ura.sum(), 1e-9)
    han = np.convolve(ura, [1 - ippatsu, ippatsu])
    shares = tsumo / np.maximum(wins, 1)
    survival = 1 - ended / max(on, 1)
    discard_rates = measure_discard_rates(shards).ravel()
    return WinStatistics(
        (float(shares[0]), float(shares[1])), tuple(map(float, han)), survival, discard_rates
    )


def _last_discards(truths: Scenes) -> I64:
    """Return each seat's last discard of each round."""
    key = sequences_of(truths)
    _, first_from_behind = np.unique(key[::-1], return_index=True)
    return np.sort(len(key) - 1 - first_from_behind)


def _ura_distribution(scene: Scenes) -> F64:
    """Return P(0..4 ura-dora) of one indicator, uniform over the unseen tiles, for the hand of a scene."""
    out = np.zeros(5)
    for kind in range(34):
        out[min(int(scene["hand"][dora_of(KINDS[kind])]), 4)] += 4 - int(scene["visible"][kind])
    shares: F64 = out / max(out.sum(), 1e-9)
    return shares


# ---- fits


def _classifier(
    rows: AfterstateSample,
    mask: Bool,
    hits: Bool,
    *,
    trees: int = 130,
    rising: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
) -> Trees:
    """Learn P(hit) from some of the rows, with the columns ``without`` blanked."""
    x = _blinded(rows.x[mask], without)
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
    return fitted(model, x, hits[mask])


def _fit_trees(rows: AfterstateSample) -> dict[str, Trees]:
    lost = rows.ending != WIN
    neither = lost & (rows.ending != DEAL_IN_LATER)
    won = rows.ending == WIN
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
        "win": _win_trees(rows),
        "deal_in_later": _classifier(rows, lost, rows.ending == DEAL_IN_LATER),
        "draw": _classifier(rows, neither, rows.ending == DRAWN),
        "tenpai_at_draw": _classifier(rows, rows.exhausted, rows.tenpai[:, 0]),
        "stick": _classifier(rows, _may_declare(rows), rows.stick, trees=STICK_TREES),
        "win_points": fitted(points, rows.x[won], rows.points[won]),
        "growth": _fit_growth(rows),
    }


def _may_declare(rows: AfterstateSample) -> Bool:
    """Return the rows without a win whose seat might still have declared riichi."""
    closed = (rows.x[:, AT.riichi] == 0) & (rows.x[:, AT.open] == 0)
    return np.asarray((rows.ending != WIN) & closed, np.bool_)


def _fit_growth(rows: AfterstateSample) -> Trees:
    """Learn how many times the cost of a deal-in now an opponent's win is worth.

    The points of all who pay count: of a self-draw this seat pays a third to the dealer, else half as the
    dealer and a quarter otherwise. The squared error of the points is minimized, not that of the ratio.
    """
    paid = rows.part((rows.paid > 0) & (rows.winner >= 0))
    facts = paid.opponents[np.arange(len(paid.x)), paid.winner.astype(np.int64)]
    drawn = paid.ending == OTHER_TSUMO
    payers = np.where(facts[:, AT_FACTS.dealer] > 0, 3.0, np.where(paid.x[:, AT.dealer] > 0, 2.0, 4.0))
    size = facts[:, AT_FACTS.size]
    ratio = paid.paid * np.where(drawn, payers, 1.0) / size
    x = np.where(drawn[:, None], growth_rows(facts, self_drawn=True), growth_rows(facts, self_drawn=False))
    model = HistGradientBoostingRegressor(
        max_iter=GROWTH_TREES,
        max_leaf_nodes=8,
        learning_rate=0.1,
        min_samples_leaf=int(np.clip(len(x) // 100, 20, 300)),
        l2_regularization=10.0,
        early_stopping=False,
        random_state=0,
    )
    weight = paid.weight * size**2
    return fitted(model, x, ratio, weight / max(float(weight.mean()), 1.0))


def _win_trees(rows: AfterstateSample, without: tuple[str, ...] = ()) -> Trees:
    """Learn P(win), with the columns ``without`` blanked."""
    every = np.ones(len(rows.x), np.bool_)
    return _classifier(rows, every, rows.ending == WIN, trees=WIN_TREES, rising=RISING, without=without)


def _blinded(x: F32, without: tuple[str, ...]) -> F32:
    return np.where([column.name in without for column in COLUMNS], np.float32(0.0), x)


def unseen_odds(rows: AfterstateSample) -> tuple[F64, F64]:
    """Return the log-odds of a win, from trees that have not seen the game of the row: float64[n] each.

    The first is for the hand left, the second for the hand that is best by the Monte Carlo draws.
    """
    fold = np.arange(len(rows.x)) * CROSS_VALIDATION_FOLDS // len(rows.x)  # keeps the rows of a game together
    own, best = np.empty(len(rows.x)), np.empty(len(rows.x))
    for i in range(CROSS_VALIDATION_FOLDS):
        trees, held = _win_trees(rows.part(fold != i)), fold == i
        own[held], best[held] = trees.sums(rows.x[held]), trees.sums(rows.best[held])
    return own, best


def fit_line(rows: AfterstateSample, own: F64, best: F64) -> Line:
    """Fit the slope and shift of the log-odds of hands compared by the Monte Carlo draws.

    The discard that was made was often not the best under the same plan by the Monte Carlo draws. Trees that
    have not seen the game rate the best one; slope and shift maximize the likelihood of the outcomes.

    Parameters
    ----------
    rows : AfterstateSample
    own, best : float64[n]
        From `unseen_odds`.
    """
    won = rows.ending == WIN

    def loss(line: F64) -> float:
        """Return the mean log loss with this slope and shift."""
        odds = odds_in_play(rows, own, best, (line[0], line[1]))
        return float(np.average(np.logaddexp(0.0, odds) - won * odds, weights=rows.weight))

    slope, shift = minimize(loss, np.array([0.5, 0.0]), method="L-BFGS-B", bounds=[(0.0, 2.0), (-0.5, 0.5)]).x
    return float(slope), float(shift)


def odds_in_play(rows: AfterstateSample, own: F64, best: F64, line: Line) -> F64:
    """Return the log-odds of a win as `manue.models.afterstate` computes them for options: float64[n].

    Parameters
    ----------
    rows : AfterstateSample
    own, best : float64[n]
        Log-odds by the trees of the hand left, and of the hand that is best by the Monte Carlo draws.
    line : (float, float)
        From `fit_line`.
    """
    slope, shift = line
    behind = best + shift + slope * (mc_odds(rows.x) - mc_odds(rows.best))
    return np.where(compared_by_draws(rows.x, rows.best), behind, own)


def _fit_threat(rows: AfterstateSample) -> F64:
    """Fit each opponent's share of the wins as a softmax of P(can win), riichi and dealer."""
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


def _fit_draw_tenpai(rows: AfterstateSample) -> F64:
    """Fit an opponent's tenpai at a draw from logit P(tenpai) now and the tiles left."""
    tenpai = rows.opponents[rows.exhausted][:, :, AT_FACTS.tenpai]
    left = np.repeat(rows.x[rows.exhausted][:, AT.tiles_left][:, None], 3, axis=1)
    silent = tenpai < 1.0
    clipped = np.clip(tenpai[silent], 1e-3, 1 - 1e-3)
    columns = np.stack([np.log(clipped / (1 - clipped)), left[silent]], axis=1)
    actual = rows.tenpai[rows.exhausted][:, 1:][silent]
    if actual.all() or not actual.any():  # nothing to learn: predict tenpai as it is now
        return np.array([0.0, 1.0, 0.0])
    weight = np.repeat(rows.weight[rows.exhausted][:, None], 3, axis=1)[silent]
    model = LogisticRegression().fit(columns, actual, weight)
    return np.array([model.intercept_[0], *model.coef_[0]])


# ---- quality


def _report(
    rows: AfterstateSample,
    seen: AfterstateSample,
    trees: dict[str, Trees],
    win_statistics: WinStatistics,
    line: Line,
) -> str:
    silent, riichi = win_statistics.tsumo_share
    han = ", ".join(f"{i}: {share:.1%}" for i, share in enumerate(win_statistics.riichi_han))
    lines = [
        f"What followed discards that did not deal in, passes and kans; {len(rows.x):,} rows,",
        f"{MC_DRAWS} Monte Carlo draws.",
        "",
        f"Self-draws are {silent:.1%} of the wins without riichi, {riichi:.1%} of those with it.",
        f"Han from ippatsu and ura-dora in a riichi win: {han}.",
        f"The round lasts until a seat's next draw in {win_statistics.survival:.1%} of cases.",
        f"Hands compared by the Monte Carlo draws: the log-odds of a win differ by {line[0]:.3f} times the",
        f"difference in the Monte Carlo draws, shifted by {line[1]:+.4f}.",
        "",
        "P(win):",
        "",
        QUALITY_HEADER,
        *_win_lines(rows, seen, trees["win"], line),
        "",
        "| predicted P(win) | n | observed |",
        "|---|---|---|",
    ]
    predicted = _in_play(seen, trees["win"], line)
    lines += [
        f"| {bucket.predicted:.3f} | {bucket.count:,} | {bucket.actual:.3f} ± {bucket.error:.3f} |"
        for bucket in reliability(predicted, seen.ending == WIN)
    ]
    lost = seen.ending != WIN
    neither = lost & (seen.ending != DEAL_IN_LATER)
    checks = (
        ("dealing in later, given no win", "deal_in_later", lost, seen.ending == DEAL_IN_LATER),
        ("draw, given neither", "draw", neither, seen.ending == DRAWN),
        ("tenpai, given a draw", "tenpai_at_draw", seen.exhausted, seen.tenpai[:, 0]),
        ("paying for riichi later, given no win, closed", "stick", _may_declare(seen), seen.stick),
    )
    lines += ["", "What else happens:", "", QUALITY_HEADER]
    for name, key, mask, hits in checks:
        lines.append(quality(np.full(mask.sum(), mean(hits[mask])), hits[mask]).row(f"{name}: constant"))
        own, best = trees[key].probabilities(seen.x[mask]), trees[key].probabilities(seen.best[mask])
        in_play = levelled(own, best, threat_of(seen.x[mask]))
        lines.append(quality(own, hits[mask]).row(f"{name}: trees"))
        lines.append(quality(in_play, hits[mask]).row(f"{name}: as in play"))
    won = seen.ending == WIN
    raw = seen.x[won][:, AT.mc_win_points].astype(np.float64)
    constant = np.full(won.sum(), rows.points[rows.ending == WIN].mean())
    lines += ["", "Points of a win:", "", AMOUNT_HEADER]
    lines.append(amount_quality(constant, seen.points[won]).row("constant"))
    lines.append(amount_quality(raw, seen.points[won]).row("Monte Carlo draws alone"))
    lines.append(
        amount_quality(trees["win_points"].sums(seen.x[won]), seen.points[won]).row(
            "Monte Carlo draws and trees"
        )
    )
    return "\n".join(lines) + "\n"


def _win_lines(rows: AfterstateSample, seen: AfterstateSample, win: Trees, line: Line) -> Iterator[str]:
    hits = seen.ending == WIN
    yield quality(np.full(len(hits), (rows.ending == WIN).mean()), hits).row("constant")
    yield quality(_table(rows, seen), hits).row("table shanten x draws x open x riichi")
    yield quality(seen.x[:, AT.mc_win_prob].astype(np.float64), hits).row("Monte Carlo draws alone")
    yield quality(win.probabilities(seen.x), hits).row("Monte Carlo draws and trees")
    for name, columns in BLIND.items():
        blind = _win_trees(rows, columns).probabilities(_blinded(seen.x, columns))
        yield quality(blind, hits).row(f"... trees without {name}")
    for slope in dict.fromkeys((0.0, 1.0, line[0])):
        yield quality(_in_play(seen, win, (slope, line[1])), hits).row(f"as in play, slope {slope:.3f}")
    predicted = _in_play(seen, win, line)
    x = {column.name: seen.x[:, number] for number, column in enumerate(COLUMNS)}
    parts = {
        "in riichi": x["riichi"] > 0,
        "tenpai": x["shanten"] == 0,
        "open hand": x["open"] > 0,
        "riichi on the table": x["riichi_opponents"] > 0,
        "13 draws or more left": x["own_draws"] >= 13,
        "7-12 draws left": (x["own_draws"] >= 7) & (x["own_draws"] < 13),
        "6 draws or fewer left": x["own_draws"] < 7,
    }
    for name, mask in parts.items():
        if mask.sum() > 100:
            yield quality(predicted[mask], hits[mask]).row(f"... {name}")


class _Declared(NamedTuple):
    """Declared riichi: P(win) as in play and by the Monte Carlo draws, and whether the hand won; [n] each."""

    predicted: F64
    mc_win_prob: F64
    won: Bool

    @classmethod
    def of(cls, rows: AfterstateSample, predicted: F64) -> "_Declared":
        """Take the rows that declare riichi; ``predicted`` is P(win) of all rows."""
        mask = rows.x[:, AT.declares] > 0
        mc_win_prob = rows.x[mask, AT.mc_win_prob].astype(np.float64)
        return cls(predicted[mask], mc_win_prob, rows.ending[mask] == WIN)


def _declared_lines(parts: Mapping[str, _Declared]) -> Iterator[str]:
    """Check declared riichi in all games, each game rated by trees that were not learned from it."""
    predicted, mc_win_prob, won = (np.concatenate(columns) for columns in zip(*parts.values(), strict=True))
    yield ""
    yield "P(win) when riichi is declared, each game rated by trees that were not learned from it:"
    yield ""
    yield QUALITY_HEADER
    yield quality(np.full(len(won), mean(won)), won).row("constant")
    yield quality(mc_win_prob, won).row("Monte Carlo draws alone")
    yield quality(predicted, won).row("as in play")
    for name, part in parts.items():
        yield quality(part.predicted, part.won).row(f"... {name}")
    yield ""
    by_chance = calibration_error_by_chance(predicted, np.arange(len(won)))
    yield (
        f"The mean prediction is {mean(predicted):.4f}, the observed share {mean(won):.4f}. "
        f"If the predictions were exact, the calibration error over all would be {by_chance:.4f} by chance."
    )
    yield ""


def _in_play(rows: AfterstateSample, win: Trees, line: Line) -> F64:
    """Return P(win) as in play."""
    return _chances(odds_in_play(rows, win.sums(rows.x), win.sums(rows.best), line))


def _chances(odds: F64) -> F64:
    return np.asarray(1.0 / (1.0 + np.exp(-odds)), np.float64)


def _table(rows: AfterstateSample, seen: AfterstateSample) -> F64:
    def cell(x: F32) -> I64:
        """Return the cell of each row: shanten 0..6, draws 0..18, open, riichi."""
        shanten, own_draws = np.clip(x[:, AT.shanten], 0, 6), np.clip(x[:, AT.own_draws], 0, 18)
        flags = 2 * x[:, AT.open] + x[:, AT.riichi]
        return np.asarray((shanten * 19 + own_draws) * 4 + flags, np.int64)

    size = 7 * 19 * 4
    hits = np.bincount(cell(rows.x), rows.ending == WIN, size)
    counts = np.bincount(cell(rows.x), minlength=size)
    return np.asarray(((hits + (rows.ending == WIN).mean()) / (counts + 1))[cell(seen.x)], np.float64)
