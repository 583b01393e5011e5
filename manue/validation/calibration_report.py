"""Results of ``manue calibrate`` as Markdown: winning, its points, and the end of the round."""

from collections.abc import Iterator

import numpy as np

from manue.arrays import F64, Bool, Records
from manue.as_text import counted, percent
from manue.decision.settings import Settings
from manue.training.quality import AMOUNT_HEADER, QUALITY_HEADER, amount_quality, quality
from manue.validation.calibration import Calibration
from manue.validation.tables import (
    MIN_ROWS,
    TABLE_PARTS,
    by_other_games,
    chance_error,
    constant,
    estimated,
    reliability_lines,
    slices_of_turns,
)


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
