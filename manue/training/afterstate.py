"""Learns `models/afterstate.npz`: what a hand leads to once the discard has been made.

Rows are hands that real decisions left (discards that did not deal in, passes, kans), with the numbers that
a player would have had at that moment: dangers and Monte Carlo draws are computed exactly as in play. The
labels are what followed in the round. The trees, whose features tell the kinds of decisions apart, the
factors for silent hands and kans, and the measures of quality take the rows as they are; everything else
weighs them by the decisions they stand for.
"""

import numpy as np

from manue.arrays import F64
from manue.draws.win import WinStatistics
from manue.features.afterstate import COLUMNS
from manue.features.wait_discard_rates import TABLE_SHAPE
from manue.log_odds import probabilities_of
from manue.models.afterstate import GROWTH_COLUMNS
from manue.models.files import Arrays
from manue.models.trees import Trees
from manue.training.afterstate_fits import (
    AfterstateFits,
    LogOddsLine,
    fit_draw_tenpai,
    fit_growth_by_kan,
    fit_line,
    fit_silent_points,
    fit_trees,
    fit_win_share_weights,
    odds_in_play,
    unseen_odds,
    win_in_play,
)
from manue.training.afterstate_report import (
    Declared,
    declared_lines,
    draw_tenpai_lines,
    quality_report,
    unseen_lines,
)
from manue.training.afterstate_sample import (
    OTHER_RON,
    OTHER_TSUMO,
    AfterstateSample,
    joined,
    sample_decisions,
)
from manue.training.framework import GAME_PARTS, Run, Trained
from manue.training.opponents import indicator_growth
from manue.training.wait_discard_rates import discard_rate_lines


class AfterstateTrainer:
    """Boosted trees for how the round continues; tables of how wins come about."""

    name = "afterstate"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it; needs ``opponents``, ``danger`` and ``discard_policy``."""
        statistics = run.win_statistics()
        by_indicator = indicator_growth(run)
        rows = sample_decisions(run, by_indicator.growth)
        held_out, rows = rows.part(rows.validation), rows.part(~rows.validation)
        run.step("afterstate: trees")
        trees = fit_trees(rows)
        odds = unseen_odds(rows)
        line = fit_line(rows, *odds)
        silent = fit_silent_points(rows)
        by_kan = fit_growth_by_kan(rows.part(rows.kan), trees, silent.points)
        draw_tenpai = fit_draw_tenpai(rows)
        fits = AfterstateFits(trees, line, silent, by_kan, by_indicator, draw_tenpai, statistics)
        unseen = probabilities_of(odds_in_play(rows, *odds, line))
        report = quality_report(rows, held_out, fits)
        report += "\n".join(draw_tenpai_lines(held_out, draw_tenpai)) + "\n"
        report += _lines_of_wins(rows, held_out, unseen, trees["win"], line)
        report += "\n".join(discard_rate_lines(statistics.discard_rates.reshape(TABLE_SHAPE))) + "\n"
        meta = {
            "columns": [column.name for column in COLUMNS],
            "growth_columns": [column.name for column in GROWTH_COLUMNS],
        }
        return Trained(_arrays(rows, fits), meta, report)


def _arrays(rows: AfterstateSample, fits: AfterstateFits) -> Arrays:
    """Return everything that was fitted, and how the round ends for others, for the file."""
    return {
        **_round_arrays(rows),
        "draw_tenpai": fits.draw_tenpai,
        "mc_slope": fits.line.slope,
        "preference_slope": np.array(fits.line.preference),
        "mc_shift": np.array(fits.line.shift),
        "silent_points": fits.silent.points,
        "growth_by_kan": np.array(fits.by_kan.growth),
        "growth_by_indicator": np.array(fits.by_indicator.growth),
        **_win_arrays(fits.statistics),
        **{key: array for name, trees in fits.trees.items() for key, array in trees.to_arrays(name).items()},
    }


def _round_arrays(rows: AfterstateSample) -> Arrays:
    """Learn how the round ends where this seat neither wins nor deals in."""
    others = rows.part((rows.ending == OTHER_TSUMO) | (rows.ending == OTHER_RON))
    drawn = float(others.weight @ (others.ending == OTHER_TSUMO))
    return {
        "threat": fit_win_share_weights(rows),
        "other_tsumo_share": np.array(drawn / max(float(others.weight.sum()), 1.0)),
    }


def _win_arrays(statistics: WinStatistics) -> Arrays:
    """Return how wins come about, for the file."""
    return {
        "tsumo_share": np.array(statistics.tsumo_share),
        "riichi_han": np.array(statistics.riichi_han),
        "ura_han": np.array(statistics.ura_han),
        "survival": np.array(statistics.survival),
        "wait_discard_rates": statistics.discard_rates.reshape(TABLE_SHAPE),
    }


def _lines_of_wins(
    rows: AfterstateSample,
    held_out: AfterstateSample,
    unseen: F64,
    win: Trees,
    line: LogOddsLine,
) -> str:
    """Report P(win) in games that the trees for it have not seen, over all options and of declared riichi."""
    in_validation = win_in_play(held_out, win, line)
    declared = {
        f"training games, in {GAME_PARTS} parts": Declared.of(rows, unseen),
        "validation games": Declared.of(held_out, in_validation),
    }
    lines = [
        *unseen_lines(joined((rows, held_out)), np.concatenate((unseen, in_validation))),
        *declared_lines(declared),
    ]
    return "\n".join(lines) + "\n"
