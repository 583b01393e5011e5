"""Reliability diagrams: predicted against observed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from manue.arrays import I64, Bool, Records
from manue.pictures import figure_class
from manue.training.quality import Labels, Values, reliability_by_size
from manue.validation.calibration import Calibration
from manue.validation.calibration_report import slices_of_discards, win_models
from manue.validation.choices import by_declaration, differences
from manue.validation.defence_report import later_prob
from manue.validation.tables import estimated
from manue.validation.values import ValuesOfGames
from manue.validation.values_report import MIN_SLICE, measures_of, slices_of_decisions

GROUPS = 12
PICTURED = ("all", "kind: discard", "kind: pass", "kind: riichi", "open hand", "a riichi on the table")
"""Parts of the decisions that have curves of their own in the pictures of values."""
Compared = tuple[Values, Labels, I64]
"""Predicted and observed values and the numbers of their games."""
Series = dict[str, Compared]
"""Those of each curve, by label."""
Diagrams = dict[str, Series]
"""Those of each diagram, by title."""


def plot_calibration(data: Calibration, path: Path) -> None:
    """Write a picture with the diagrams of winning, dealing in and its cost, folding, tenpai and draws.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    draw_diagrams(_diagrams(data), path)


def plot_values(data: ValuesOfGames, path: Path) -> None:
    """Write a picture with the diagrams of every chance, of values, and of taking minus leaving.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    rows = data.values
    diagrams: Diagrams = {}
    slices = {name: mask for name, mask in slices_of_decisions(rows).items() if name in PICTURED}
    for measure in measures_of(rows):
        if len(measure.rows) == len(rows):
            diagrams[measure.title] = _by_part((measure.predicted, measure.observed, rows["game"]), slices)
    for name, part in by_declaration(data.choices):
        if len(part) >= MIN_SLICE:
            predicted = part["points"][:, 0] - part["points"][:, 1]
            diagrams[f"taking minus leaving: {name}"] = {
                "expPt": (predicted, differences(part, "points"), part["game"])
            }
    draw_diagrams(diagrams, path)


def draw_diagrams(diagrams: Diagrams, path: Path) -> None:
    """Draw reliability diagrams, three in a row, with 95 % intervals; those without a case are left out."""
    diagrams = {title: shown for title, series in diagrams.items() if (shown := _with_cases(series))}
    columns = 3
    rows = max(-(-len(diagrams) // columns), 1)
    figure = figure_class()(figsize=(13, 4.3 * rows), layout="constrained")
    diagrams_axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in diagrams_axes[len(diagrams) :]:
        axes.set_axis_off()
    for axes, (title, series) in zip(diagrams_axes, diagrams.items(), strict=False):
        _draw(axes, title, series)
    figure.savefig(path, dpi=110, format="png")


def _draw(axes: Any, title: str, series: Series) -> None:
    """Draw one diagram, with the line on which predictions would be right; intervals may leave it."""
    ends: list[float] = []
    for label, (predicted, actual, games) in series.items():
        groups = reliability_by_size(predicted, actual, games, GROUPS)
        predictions, observations = [group.predicted for group in groups], [group.actual for group in groups]
        errors = [group.interval for group in groups]
        style = {"marker": "o", "markersize": 3, "linewidth": 1, "capsize": 2}
        axes.errorbar(predictions, observations, errors, label=label, **style)
        ends += [*predictions, *observations]
    low, high = min(ends), max(ends)
    margin = (high - low) / 20 or 0.5
    axes.plot([low, high], [low, high], color="0.7", linewidth=1, zorder=0)
    axes.set(title=title, xlabel="predicted", ylabel="observed", ylim=(low - margin, high + margin))
    axes.legend(fontsize=7)


def _with_cases(series: Series) -> Series:
    return {label: values for label, values in series.items() if len(values[0])}


def _diagrams(data: Calibration) -> Diagrams:
    """Return the predicted and the observed values by title and label."""
    rows, losses, folds, opponents = data.discards, data.losses, data.folds, data.opponents
    won = rows["won"]
    models = {name: predicted for name, predicted in win_models(rows).items() if name != "constant"}
    best = list(models.values())[-1]
    threat, riichi = data.kinds["threat"], losses["riichi"]
    tables = {"a riichi on the table": threat, "no riichi": np.logical_not(threat)}
    payees = {"to a riichi": riichi, "to a silent hand": np.logical_not(riichi)}
    diagrams: Diagrams = {
        "winning the round": {name: (predicted, won, rows["game"]) for name, predicted in models.items()},
        "winning, by part": _by_part((best, won, rows["game"]), slices_of_discards(rows)),
        "dealing in, kinds held": _by_part(_columns(data.kinds, "prob", "wins"), tables),
        "cost of a deal-in": _by_part(_columns(losses, "mean", "points"), payees),
        "dealing in while folding": {"model": _columns(folds, "prob", "dealt_in")},
        "tenpai without riichi": {"model": _columns(opponents, "tenpai", "is_tenpai")},
    }
    if estimated(rows):
        rest = rows[np.logical_not(rows["dealt_in"])]
        diagrams["dealing in later"] = {"model": (later_prob(rest), rest["dealt_in_later"], rest["game"])}
        diagrams["draw"] = {"model": _columns(rows, "draw_prob", "drawn")}
    return diagrams


def _columns(rows: Records, predicted: str, observed: str) -> Compared:
    return rows[predicted], rows[observed], rows["game"]


def _by_part(compared: Compared, parts: Mapping[str, Bool]) -> Series:
    """Return the values of each part of the rows that has enough of them for a curve."""
    predicted, observed, games = compared
    return {
        name: (predicted[mask], observed[mask], games[mask])
        for name, mask in parts.items()
        if mask.sum() >= GROUPS
    }
