"""The quality of the afterstate model on held-out games, as Markdown."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I64, Bool
from manue.as_text import known
from manue.features.afterstate import AT
from manue.intervals import clustered_error
from manue.log_odds import probabilities_of
from manue.models.afterstate import SLOPES, levelled, points_of_wins, silent_tenpai, threat_of
from manue.models.trees import Trees
from manue.rules import EAST_ONLY
from manue.training.afterstate_fits import (
    AfterstateFits,
    LogOddsLine,
    blanked,
    may_declare,
    silent_at_draws,
    win_in_play,
    win_trees,
)
from manue.training.afterstate_sample import (
    DEAL_IN_LATER,
    DRAWN,
    MC_DRAWS,
    WIN,
    AfterstateSample,
)
from manue.training.quality import (
    AMOUNT_HEADER,
    QUALITY_HEADER,
    amount_quality,
    calibration_error_by_chance,
    mean,
    means_by_cell,
    quality,
    reliability,
)

BLANKED: dict[str, tuple[str, ...]] = {
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
MIN_OF_A_KIND = 100
"""Kinds of hands with fewer rows are left out."""


def quality_report(rows: AfterstateSample, held_out: AfterstateSample, fits: AfterstateFits) -> str:
    """Return the part of MODELS.md: learned from ``rows``, measured on ``held_out``."""
    statistics, line, silent, by_indicator = fits.statistics, fits.line, fits.silent, fits.by_indicator
    by_silent, by_riichi = statistics.tsumo_share
    ippatsu = statistics.riichi_han[1]
    ura = ", ".join(f"{i}: {share:.1%}" for i, share in enumerate(statistics.ura_han))
    growth, own, others = fits.by_kan
    lines = [
        f"What followed discards that did not deal in, passes and kans; {len(rows.x):,} rows,",
        f"{MC_DRAWS} Monte Carlo draws.",
        "",
        f"Self-draws are {by_silent:.1%} of the wins without riichi, {by_riichi:.1%} of those with it.",
        f"Ippatsu comes with {ippatsu:.1%} of riichi wins; ura-dora of one indicator: {ura}.",
        f"The round lasts until a seat's next draw in {statistics.survival:.1%} of cases.",
        "Hands compared by the Monte Carlo draws: the log-odds of a win differ by these multiples of the",
        f"difference in the draws: {_slopes(line)}; shifted by {line.shift:+.4f}.",
        f"Without a threat they are higher by {line.preference:.4f} for every factor e by which strong",
        "players make the discard more often.",
        "A silent tenpai hand with a yaku wins these multiples of the points of the draws:",
        f"{silent.points[0]:.3f} if closed ({silent.wins[0]:,} wins), {silent.points[1]:.3f} if open",
        f"({silent.wins[1]:,} wins).",
        f"The dora that a kan reveals makes own wins {growth.own:.3f} times as large ({own:,} wins),",
        f"those of others {growth.others:.3f} times ({others:,} wins paid for).",
        f"A deal-in to a riichi costs {by_indicator.growth:.3f} times as much for each dora indicator beyond",
        f"the first ({by_indicator.rows:,} kinds held, with two indicators).",
        "",
        "P(win):",
        "",
        QUALITY_HEADER,
        *_win_lines(rows, held_out, fits.trees["win"], line),
        "",
        "| predicted P(win) | n | observed |",
        "|---|---|---|",
    ]
    predicted = win_in_play(held_out, fits.trees["win"], line)
    lines += [
        bucket.row(digits=3) for bucket in reliability(predicted, held_out.ending == WIN, held_out.game)
    ]
    lines += _others_lines(held_out, fits.trees)
    lines += _points_lines(rows, held_out, fits.trees["win_points"], silent.points)
    return "\n".join(lines) + "\n"


def _slopes(line: LogOddsLine) -> str:
    """Return the slopes of the draws in words."""
    *near, far, riichi = line.slope
    by_shanten = ", ".join(f"{slope:.3f} at {shanten} shanten" for shanten, slope in enumerate(near))
    return f"{by_shanten}, {far:.3f} farther off, and {riichi:.3f} against a riichi"


def _others_lines(held_out: AfterstateSample, trees: Mapping[str, Trees]) -> Iterator[str]:
    lost = held_out.ending != WIN
    neither = lost & (held_out.ending != DEAL_IN_LATER)
    checks = (
        ("dealing in later, given no win", "deal_in_later", lost, held_out.ending == DEAL_IN_LATER),
        ("draw, given neither", "draw", neither, held_out.ending == DRAWN),
        ("tenpai, given a draw", "tenpai_at_draw", held_out.exhausted, held_out.tenpai[:, 0]),
        ("paying for riichi later, given no win, closed", "stick", may_declare(held_out), held_out.stick),
    )
    yield from ("", "What else happens:", "", QUALITY_HEADER)
    for name, key, mask, hits in checks:
        yield quality(np.full(mask.sum(), mean(hits[mask])), hits[mask]).row(f"{name}: constant")
        own, best = trees[key].probabilities(held_out.x[mask]), trees[key].probabilities(held_out.best[mask])
        in_play = levelled(own, best, threat_of(held_out.x[mask]))
        yield quality(own, hits[mask]).row(f"{name}: trees")
        yield quality(in_play, hits[mask]).row(f"{name}: as in play")


def draw_tenpai_lines(held_out: AfterstateSample, weights: F64) -> Iterator[str]:
    """Measure the tenpai of opponents at a draw; ``weights`` as in `fit_draw_tenpai`."""
    log_odds, differing, tenpai, _ = silent_at_draws(held_out)
    yield from ("", "An opponent without riichi is tenpai, given a draw:", "", QUALITY_HEADER)
    yield quality(np.full(len(tenpai), mean(tenpai)), tenpai).row("constant")
    yield quality(probabilities_of(log_odds), tenpai).row("P(tenpai) now")
    yield quality(probabilities_of(log_odds + differing @ weights), tenpai).row("as in play")


def _points_lines(
    rows: AfterstateSample, held_out: AfterstateSample, trees: Trees, silent_points: F64
) -> Iterator[str]:
    won = held_out.part(held_out.ending == WIN)
    raw = won.x[:, AT.mc_win_points].astype(np.float64)
    alone, in_play = trees.sums(won.x), points_of_wins(won.x, trees, silent_points)
    constant = np.full(len(raw), rows.points[rows.ending == WIN].mean())
    yield from ("", "Points of a win:", "", AMOUNT_HEADER)
    for name, part in (
        ("", np.ones(len(raw), np.bool_)),
        ("silent tenpai with a yaku: ", silent_tenpai(won.x)),
    ):
        yield amount_quality(constant[part], won.points[part]).row(f"{name}constant")
        yield amount_quality(raw[part], won.points[part]).row(f"{name}Monte Carlo draws alone")
        yield amount_quality(alone[part], won.points[part]).row(f"{name}trees")
        yield amount_quality(in_play[part], won.points[part]).row(f"{name}as in play")


def _win_lines(
    rows: AfterstateSample, held_out: AfterstateSample, win: Trees, line: LogOddsLine
) -> Iterator[str]:
    hits = held_out.ending == WIN
    yield quality(np.full(len(hits), (rows.ending == WIN).mean()), hits).row("constant")
    yield quality(_table(rows, held_out), hits).row("table shanten x draws x open x riichi")
    yield quality(held_out.x[:, AT.mc_win_prob].astype(np.float64), hits).row("Monte Carlo draws alone")
    yield quality(win.probabilities(held_out.x), hits).row("Monte Carlo draws and trees")
    for name, columns in BLANKED.items():
        lesser = win_trees(rows, columns).probabilities(blanked(held_out.x, columns))
        yield quality(lesser, hits).row(f"... trees without {name}")
    for name, changed in (
        ("slopes of the draws 0", line._replace(slope=np.zeros(SLOPES))),
        ("slopes of the draws 1", line._replace(slope=np.ones(SLOPES))),
        ("without preference", line._replace(preference=0.0)),
        ("as fitted", line),
    ):
        yield quality(win_in_play(held_out, win, changed), hits).row(f"as in play, {name}")


def unseen_lines(rows: AfterstateSample, predicted: F64) -> Iterator[str]:
    """Check P(win) by the kind of hand; ``predicted`` is as in play, by trees not learned from the game."""
    yield from (
        "",
        "P(win) as in play by the kind of hand, each game rated by trees that were not learned from it",
        "(the dangers and preferences that they see, and the slopes, were learned from the training games).",
        "Standard errors are those of the difference, clustered by game. By chance: the calibration error",
        "that exact predictions would show.",
        "",
        "| hands | n | predicted | observed | difference | standard error | log loss | ECE | by chance |",
        "|---|---|---|---|---|---|---|---|---|",
    )
    won, games, even = rows.ending == WIN, rows.game, _evenly_sampled(rows)
    for name, kind in _kinds_of_hands(rows.x).items():
        mask = kind & even
        if mask.sum() < MIN_OF_A_KIND:
            continue
        found = quality(predicted[mask], won[mask])
        difference = predicted[mask] - won[mask]
        by_chance = calibration_error_by_chance(predicted[mask], rows.group[mask])
        yield (
            f"| {name} | {found.count:,} | {mean(predicted[mask]):.4f} | {found.share:.4f} "
            f"| {mean(difference):+.4f} | {clustered_error(difference, games[mask]):.4f} "
            f"| {found.log_loss:.4f} | {found.calibration_error:.4f} | {by_chance:.4f} |"
        )
    yield ""


def _evenly_sampled(rows: AfterstateSample) -> Bool:
    """Leave out rows of the validation games at random, so that they count no more than others: bool[n]."""
    return np.asarray(np.random.default_rng(0).random(len(rows.even)) < rows.even, np.bool_)


def _kinds_of_hands(x: F32) -> dict[str, Bool]:
    """Return which rows are of which kind of hand: bool[n] each."""
    tenpai, riichi, opened = x[:, AT.shanten] == 0, x[:, AT.riichi] > 0, x[:, AT.open] > 0
    declares = x[:, AT.declares] > 0
    return {
        "all": np.ones(len(x), np.bool_),
        "tenpai": tenpai,
        "... closed, no riichi": tenpai & ~opened & ~riichi,
        "... open": tenpai & opened,
        "... riichi declared now": declares,
        "... in riichi": riichi & ~declares,
        "1 from tenpai": x[:, AT.shanten] == 1,
        "2 from tenpai": x[:, AT.shanten] == 2,
        "3 from tenpai or more": x[:, AT.shanten] >= 3,
        "open": opened,
        "after a pass or a kan": x[:, AT.draws_before] < 3,
        "... a chi passed on": x[:, AT.passed_chi] > 0,
        "... a pon passed on": x[:, AT.passed_pon] > 0,
        "a riichi on the table": x[:, AT.riichi_opponents] > 0,
        "East-only games": x[:, AT.round_number] + x[:, AT.rounds_left] == EAST_ONLY,
        "13 draws or more left": x[:, AT.own_draws] >= 13,
        "7-12 draws left": (x[:, AT.own_draws] >= 7) & (x[:, AT.own_draws] < 13),
        "6 draws or fewer left": x[:, AT.own_draws] < 7,
    }


class Declared(NamedTuple):
    """Declared riichi: P(win) as in play and by the Monte Carlo draws, and whether the hand won; [n] each."""

    predicted: F64
    mc_win_prob: F64
    won: Bool

    @classmethod
    def of(cls, rows: AfterstateSample, predicted: F64) -> "Declared":
        """Take the rows that declare riichi; ``predicted`` is P(win) of all rows."""
        mask = rows.x[:, AT.declares] > 0
        mc_win_prob = rows.x[mask, AT.mc_win_prob].astype(np.float64)
        return cls(predicted[mask], mc_win_prob, rows.ending[mask] == WIN)


def declared_lines(parts: Mapping[str, Declared]) -> Iterator[str]:
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
        f"The mean prediction is {known(mean(predicted), '.4f')}, "
        f"the observed share {known(mean(won), '.4f')}. "
        "If the predictions were exact, the calibration error over all would be "
        f"{known(by_chance, '.4f')} by chance."
    )
    yield ""


def _table(rows: AfterstateSample, held_out: AfterstateSample) -> F64:
    """Return P(win) of the rows held out by a table of those learned from: float64[n], a baseline."""

    def cell(x: F32) -> I64:
        """Return the cell of each row: shanten 0..6, draws 0..18, open, riichi."""
        shanten, own_draws = np.clip(x[:, AT.shanten], 0, 6), np.clip(x[:, AT.own_draws], 0, 18)
        flags = 2 * x[:, AT.open] + x[:, AT.riichi]
        return np.asarray((shanten * 19 + own_draws) * 4 + flags, np.int64)

    return means_by_cell(cell(rows.x), rows.ending == WIN, 7 * 19 * 4)[cell(held_out.x)]
