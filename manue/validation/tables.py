"""Results of ``manue calibrate`` as Markdown."""

from collections.abc import Iterator

import numpy as np

from manue.arrays import F64, I64, Bool, Records
from manue.as_text import counted, percent
from manue.decision.settings import Settings
from manue.training.dataset import sequences_of
from manue.training.quality import (
    AMOUNT_HEADER,
    QUALITY_HEADER,
    Labels,
    Values,
    amount_quality,
    calibration_error_by_chance,
    means_by_cell,
    quality,
    reliability_by_size,
)
from manue.validation.calibration import Calibration

TABLE_PARTS = 5
"""Tables are learned with cross-validation over this many groups of games."""
MIN_ROWS = 30
"""Parts with fewer rows are left out."""


def by_threat(rows: Records) -> dict[str, Bool]:
    """Return which rows are of positions without, and with, an opponent in riichi, by title."""
    return {
        "all": np.ones(len(rows), np.bool_),
        "no riichi on the table": ~rows["threat"],
        "a riichi on the table": rows["threat"],
    }


def calibration_tables(data: Calibration, games: int, settings: Settings) -> str:
    """Return the tables on winning and on the end of the round; `defence_tables` makes the others."""
    rows = data.discards
    counts = f"{counted(games, 'game')}, {counted(len(rows), 'discard')}"
    lines = [
        "# Calibration",
        "",
        f"{counts} made, {counted(settings.mc_draws, 'Monte Carlo draw')}, policy",
        f"{settings.policy}. Rows of the same round are not independent: ± is one standard error, by game.",
        "ECE: expected calibration error over 20 groups of equal size. The constant is the mean of this",
        f"sample; tables are learned from {_learned_from(games)}.",
        "",
        *_win_section(rows),
        *_points_section(rows),
        *(_round_section(rows) if estimated(rows) else ()),
    ]
    return "\n".join(lines)


def _learned_from(games: int) -> str:
    if games == 1:
        return "the same game, for want of others"
    return f"the other games of the sample ({TABLE_PARTS} parts)"


def estimated(rows: Records) -> bool:
    """Return whether the rows have predictions of the afterstate model."""
    return not bool(np.isnan(rows["win_prob"]).any())


def slices_of_turns(turn: I64) -> dict[str, Bool]:
    """Return which rows are of early, middle and late turns, as masks bool[n] by name."""
    return {
        "turns 1-6": turn <= 6,
        "turns 7-12": (turn > 6) & (turn <= 12),
        "turns 13 and later": turn > 12,
    }


def slices_of_discards(rows: Records) -> dict[str, Bool]:
    """Return the slices of the discards that are judged separately, as masks bool[n] by name."""
    return {
        "riichi just declared": rows["declared"],
        "tenpai": rows["shanten"] == 0,
        "open hand": rows["open"],
        "a riichi on the table": rows["threat"],
        **slices_of_turns(rows["turn"]),
    }


def win_models(rows: Records) -> dict[str, F64]:
    """Return P(win this round) by every model, float64[n] each, simple baselines first."""
    shanten_and_turn = [np.clip(rows["shanten"], 0, 6), np.minimum(rows["turn"], 20)]
    models = {
        "constant": constant(rows["won"]),
        "table shanten x turn": by_other_games(rows, shanten_and_turn, rows["won"]),
        "table shanten x turn x open x riichi": by_other_games(
            rows, [*shanten_and_turn, rows["open"], rows["riichi"]], rows["won"]
        ),
        "Monte Carlo draws alone": np.asarray(rows["mc_win_prob"], np.float64),
    }
    if estimated(rows):
        models["Monte Carlo draws and afterstate model"] = np.asarray(rows["win_prob"], np.float64)
    return models


def constant(values: Labels | Values) -> F64:
    """Predict the mean of n values for each: the best single number, known only in hindsight: float64[n]."""
    return np.full(len(values), float(np.mean(values)))


def chance_error(rows: Records, predicted: F64) -> float:
    """Return the calibration error expected by chance; outcomes of one seat in one round are tied."""
    return calibration_error_by_chance(predicted, sequences_of(rows))


def by_other_games(rows: Records, columns: list[Values], values: Labels | Values) -> F64:
    """Predict the mean of the rows with equal columns among the games of the other parts: float64[n]."""
    cell = np.zeros(len(rows), np.int64)
    for column in columns:
        cell = cell * 32 + np.asarray(column, np.int64)
    _, cell = np.unique(cell, return_inverse=True)
    of_row = rows["game"] % TABLE_PARTS
    out = np.empty(len(rows))
    for one in range(TABLE_PARTS):
        here, others = of_row == one, of_row != one
        if not others.any():  # a single part has no others
            others = here
        out[here] = means_by_cell(cell[others], values[others], int(cell.max(initial=0)) + 1)[cell[here]]
    return out


def _win_section(rows: Records) -> Iterator[str]:
    won = rows["won"]
    models = win_models(rows)
    yield from ("## Winning the round, at every discard made", "", QUALITY_HEADER)
    yield from _win_table(rows, models, np.ones(len(rows), np.bool_))
    for part, mask in slices_of_discards(rows).items():
        if mask.sum() >= MIN_ROWS:
            yield from ("", f"Of these, {part}:", "", QUALITY_HEADER)
            yield from _win_table(rows, models, mask)
    yield from reliability_lines("P(win)", list(models.values())[-1], won, rows["game"])
    if estimated(rows):
        same, drawn, learned = (rows[name].mean() for name in ("same_best", "mc_range", "win_range"))
        yield "Best minus worst P(win) among the discards of a decision, mean:"
        yield f"{drawn:.3f} by the Monte Carlo draws alone, {learned:.3f} with the afterstate model."
        yield f"Both prefer the same discard in {percent(same)}."
        yield ""


def _win_table(rows: Records, models: dict[str, F64], mask: Bool) -> Iterator[str]:
    for name, predicted in models.items():
        yield quality(predicted[mask], rows["won"][mask]).row(name)
    name, best = list(models.items())[-1]
    yield from (
        "",
        f"{name}: ECE expected by chance if it were exactly right {chance_error(rows[mask], best[mask]):.4f}",
    )


def reliability_lines(title: str, predicted: Values, actual: Labels, games: I64) -> Iterator[str]:
    """Yield the lines of a reliability table in groups of equal size, errors by game."""
    yield from ("", f"| predicted {title} | n | observed |", "|---|---|---|")
    yield from (group.row() for group in reliability_by_size(predicted, actual, games))
    yield ""


def _points_section(rows: Records) -> Iterator[str]:
    wins = rows[rows["won"]]
    yield from ("## Points of the wins, without the honba and deposits there were", "", AMOUNT_HEADER)
    if len(wins) < MIN_ROWS:
        return
    models = {
        "constant": constant(wins["points"]),
        "Monte Carlo draws alone": np.asarray(wins["mc_win_points"], np.float64),
    }
    if estimated(rows):
        models["Monte Carlo draws and afterstate model"] = np.asarray(wins["win_points"], np.float64)
    for part, mask in (
        ("every discard", np.ones(len(wins), np.bool_)),
        ("the last discard before the win", wins["last"]),
    ):
        for name, predicted in models.items():
            yield amount_quality(predicted[mask], wins["points"][mask]).row(f"{part}: {name}")
    if estimated(rows):
        yield from _size_lines(wins)
    yield ""


def _size_lines(wins: Records) -> Iterator[str]:
    """Yield how far the predicted sizes of wins are from the observed ones."""
    tenpai = wins["shanten"] == 0
    parts = {
        "all": np.ones(len(wins), np.bool_),
        "tenpai, in riichi": tenpai & wins["riichi"],
        "tenpai, open": tenpai & wins["open"],
        "tenpai, closed without riichi": tenpai & ~wins["riichi"] & ~wins["open"],
        "before tenpai, open": ~tenpai & wins["open"],
        "before tenpai, closed": ~tenpai & ~wins["open"],
    }
    yield from (
        "",
        "Sizes of the wins: mean error of the predicted distribution (CRPS), in points; for the mean alone",
        "it is the mean absolute error.",
        "",
        "| wins | n | CRPS | of the mean alone |",
        "|---|---|---|---|",
    )
    for title, mask in parts.items():
        if mask.sum() >= MIN_ROWS:
            part = wins[mask]
            error = np.abs(part["win_points"] - part["points"]).mean()
            yield f"| {title} | {len(part):,} | {part['crps'].mean():.0f} | {error:.0f} |"


def _round_section(rows: Records) -> Iterator[str]:
    yield from ("## The end of the round, and of the game", "", QUALITY_HEADER)
    yield quality(constant(rows["drawn"]), rows["drawn"]).row("draw: constant")
    yield quality(rows["draw_prob"], rows["drawn"]).row("draw: model")
    yield from reliability_lines("P(draw)", rows["draw_prob"], rows["drawn"], rows["game"])
    yield from (
        "| | predicted mean | observed mean | root mean squared error | of a constant |",
        "|---|---|---|---|---|",
    )
    for title, name, actual, form in (
        ("points of the rest of the round", "expected_points", rows["delta"], ".0f"),
        ("final placement", "expected_rank", rows["rank"], ".3f"),
    ):
        error, spread = np.sqrt(np.mean((rows[name] - actual) ** 2)), np.std(actual)
        yield (
            f"| {title} | {rows[name].mean():{form}} | {actual.mean():{form}} "
            f"| {error:{form}} | {spread:{form}} |"
        )
    yield ""
