"""Learns `models/opponents.npz`: P(tenpai), P(can win) and the points of a deal-in."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from manue.arrays import F32, F64, I64, Bool
from manue.features.danger_columns import KIND_SIZE, OPPONENT, OPPONENT_NAMES, ROW_NAMES
from manue.features.scene import Scenes
from manue.models.opponents import LOSS_BINS, LOSS_SIZES, MANUE_LOSS, OpponentsModel
from manue.models.trees import Trees
from manue.training.export import fitted
from manue.training.framework import (
    DangerSample,
    Run,
    Trained,
    boosting,
    held_kinds,
    in_riichi,
    sample,
    wins_of,
)
from manue.training.quality import (
    AMOUNT_HEADER,
    QUALITY_HEADER,
    amount_quality,
    means_by_cell,
    quality,
    reliability_by_size,
)

ROWS, LOSS_ROWS = 1_600_000, 600_000
"""Most rows that the trees for tenpai and for can win are fitted on, and those for the loss."""
TREES, LOSS_TREES, COLUMN_SHARE = 300, 150, 0.5
"""Trees for tenpai and for can win, and for the loss; share of the columns that splits of the former see."""
VALIDATION_ROWS = 400_000
"""Most rows that each of them is measured on."""


def _select_silent(scenes: Scenes, _truths: Scenes) -> Bool:
    return ~in_riichi(scenes)


def _select_losses(scenes: Scenes, truths: Scenes) -> Bool:
    return held_kinds(scenes, truths) & wins_of(truths)


def _select_riichi_with_two(scenes: Scenes, truths: Scenes) -> Bool:
    """Select what `_select_losses` does of opponents in riichi, with two dora indicators on the table."""
    two = scenes["dora"].sum(axis=1) == 2
    return np.asarray(
        _select_losses(scenes, truths) & (in_riichi(scenes) & two[:, None])[:, :, None], np.bool_
    )


def _classifier(x: F32, hits: Bool) -> Trees:
    settings = boosting(len(x), TREES, columns=COLUMN_SHARE)
    return fitted(HistGradientBoostingClassifier(**settings), x, hits)


def _regressor(x: F32, points: F64) -> Trees:
    model = HistGradientBoostingRegressor(**boosting(len(x), LOSS_TREES))
    return fitted(model, x, points)


class OpponentsTrainer:
    """Boosted trees for tenpai, can win and the mean loss; thirds of the loss by its mean."""

    name = "opponents"

    def fit(self, run: Run) -> Trained:
        """Learn the model and measure it."""
        run.step("opponents: tenpai")
        rows = sample(run, "opponents", _select_silent, ROWS)
        tenpai, can_win = _classifier(rows.x, rows.tenpai), _classifier(rows.x, rows.can_win)
        held_out = sample(run, "opponents", _select_silent, VALIDATION_ROWS, validation=True)
        report = _tenpai_report(rows, held_out, tenpai, can_win)
        run.step("opponents: losses")
        rows = sample(run, "losses", _select_losses, LOSS_ROWS)
        loss = _regressor(rows.x, rows.points * 100)
        edges, sizes = _spread(loss.sums(rows.x), rows)
        model = OpponentsModel(tenpai, can_win, loss, edges, sizes)
        held_out = sample(run, "losses", _select_losses, VALIDATION_ROWS, validation=True)
        report += "\n" + _loss_report(rows, held_out, model)
        arrays: dict[str, npt.NDArray[np.generic]] = {"loss.edges": edges, "loss.atoms": sizes}
        arrays |= tenpai.to_arrays("tenpai") | can_win.to_arrays("can_win") | loss.to_arrays("loss")
        meta = {
            "columns": list(ROW_NAMES),
            "opponent_columns": list(OPPONENT_NAMES),
        }
        return Trained(arrays, meta, report)


class IndicatorFit(NamedTuple):
    """How much more a deal-in to a riichi costs for each dora indicator beyond the first.

    Attributes
    ----------
    growth : float
        As `manue.models.danger.DangerReader` has it; 1 without a row.
    rows : int
        Held kinds that would deal in, with two indicators on the table.
    """

    growth: float
    rows: int


def indicator_growth(run: Run) -> IndicatorFit:
    """Measure how much more a deal-in to a riichi costs than ``opponents`` says, for a further indicator.

    ``afterstate.npz`` holds it, beside what the same ura-dora add to this seat's wins.
    """
    run.step("what a further indicator adds to a riichi")
    rows = sample(run, "indicators", _select_riichi_with_two, LOSS_ROWS)
    if not len(rows.points):
        return IndicatorFit(1.0, 0)
    predicted = OpponentsModel.of(run.trained["opponents"]).points(rows.x)
    return IndicatorFit(float(rows.points.sum() * 100 / predicted.sum()), len(rows.points))


def _spread(mean: F64, rows: DangerSample) -> tuple[F64, F64]:
    """Return bin edges of the predicted mean, and the mean of each third of the real points as a multiple."""
    edges = np.zeros((2, LOSS_BINS - 1))
    sizes = np.ones((2, LOSS_BINS, LOSS_SIZES))
    for riichi in (0, 1):
        mask = (rows.x[:, KIND_SIZE + OPPONENT.riichi] > 0) == riichi
        if mask.sum() < LOSS_BINS * LOSS_SIZES * 10:
            continue
        predicted, ratio = mean[mask], rows.points[mask] * 100 / mean[mask]
        edges[riichi] = np.quantile(predicted, np.linspace(0, 1, LOSS_BINS + 1)[1:-1])
        bins = np.searchsorted(edges[riichi], predicted)
        for i in range(LOSS_BINS):
            thirds = np.array_split(np.sort(ratio[bins == i]), LOSS_SIZES)
            means = np.array([third.mean() if len(third) else 1.0 for third in thirds])
            sizes[riichi, i] = means / means.mean()
    return edges, sizes


def _tenpai_report(rows: DangerSample, held_out: DangerSample, tenpai: Trees, can_win: Trees) -> str:
    def cell(x: F32) -> I64:
        """Return the cell of each row: turn 0..24, melds 0..4."""
        return (np.minimum(x[:, OPPONENT.turn], 24) * 5 + x[:, OPPONENT.melds]).astype(np.int64)

    table = means_by_cell(cell(rows.x), rows.tenpai, 25 * 5)[cell(held_out.x)]
    predicted = tenpai.probabilities(held_out.x)
    lines = [
        f"Tenpai without riichi, at the discards of others; {len(rows.wins):,} rows.",
        "",
        QUALITY_HEADER,
        quality(np.full(len(held_out.wins), rows.tenpai.mean()), held_out.tenpai).row("constant"),
        quality(table, held_out.tenpai).row("table turn x melds"),
        quality(predicted, held_out.tenpai).row("boosted trees"),
        quality(can_win.probabilities(held_out.x), held_out.can_win).row("boosted trees, can win now"),
        "",
        "| predicted P(tenpai) | n | observed |",
        "|---|---|---|",
    ]
    lines += [group.row() for group in reliability_by_size(predicted, held_out.tenpai, held_out.game)]
    return "\n".join(lines) + "\n"


def _loss_report(rows: DangerSample, held_out: DangerSample, model: OpponentsModel) -> str:
    def cell(x: F32) -> I64:
        """Return the cell of each row: riichi, dealer."""
        return (
            np.minimum(x[:, KIND_SIZE + OPPONENT.riichi], 1) * 2 + x[:, KIND_SIZE + OPPONENT.dealer]
        ).astype(np.int64)

    actual = held_out.points * 100
    sums, counts = np.bincount(cell(rows.x), rows.points * 100, 4), np.bincount(cell(rows.x), minlength=4)
    lines = [
        f"Points of a deal-in, without honba, over held kinds that would deal in; {len(rows.wins):,} rows.",
        "",
        AMOUNT_HEADER,
        amount_quality(np.full(len(actual), MANUE_LOSS), actual).row(f"constant {MANUE_LOSS:.0f}"),
        amount_quality(np.full(len(actual), rows.points.mean() * 100), actual).row("constant"),
        amount_quality((sums / np.maximum(counts, 1))[cell(held_out.x)], actual).row("table dealer x riichi"),
        amount_quality(model.points(held_out.x), actual).row("boosted trees"),
        "",
    ]
    return "\n".join(lines)
