"""Reliability diagrams: predicted against observed."""

from pathlib import Path
from typing import Any

import numpy as np

from manue.arrays import I64
from manue.pictures import figure_class
from manue.training.quality import Labels, Values, reliability_by_size
from manue.validation.calibration import Calibration
from manue.validation.choices import by_declaration, differences
from manue.validation.defence_report import later_prob
from manue.validation.tables import estimated, parts_of, win_models
from manue.validation.values import ValuesOfGames
from manue.validation.values_report import MIN_ROWS, measures_of, slices_of

GROUPS = 12
PICTURED = ("all", "kind: discard", "kind: pass", "kind: riichi", "open hand", "riichi on the table")
"""Parts of the decisions that have curves of their own in the pictures of values."""
Series = dict[str, tuple[Values, Labels, I64]]
"""Predicted and observed values and the numbers of their games, by label."""
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
    slices = {
        name: mask for name, mask in slices_of(rows).items() if name in PICTURED and mask.sum() >= GROUPS
    }
    for measure in measures_of(rows):
        if len(measure.rows) == len(rows):
            diagrams[measure.title] = {
                name: (measure.predicted[mask], measure.observed[mask], rows["game"][mask])
                for name, mask in slices.items()
            }
    for name, part in by_declaration(data.choices):
        if len(part) >= MIN_ROWS:
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
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for place in places[len(diagrams) :]:
        place.set_axis_off()
    for place, (title, series) in zip(places, diagrams.items(), strict=False):
        _draw(place, title, series)
    figure.savefig(path, dpi=110, format="png")


def _draw(place: Any, title: str, series: Series) -> None:
    """Draw one diagram, with the line on which predictions would be right; intervals may leave it."""
    ends: list[float] = []
    for label, (predicted, actual, games) in series.items():
        groups = reliability_by_size(predicted, actual, games, GROUPS)
        predictions, observations = [group.predicted for group in groups], [group.actual for group in groups]
        errors = [group.interval for group in groups]
        style = {"marker": "o", "markersize": 3, "linewidth": 1, "capsize": 2}
        place.errorbar(predictions, observations, errors, label=label, **style)
        ends += [*predictions, *observations]
    low, high = min(ends), max(ends)
    margin = (high - low) / 20 or 0.5
    place.plot([low, high], [low, high], color="0.7", linewidth=1, zorder=0)
    place.set(title=title, xlabel="predicted", ylabel="observed", ylim=(low - margin, high + margin))
    place.legend(fontsize=7)


def _with_cases(series: Series) -> Series:
    return {label: of for label, of in series.items() if len(of[0])}


def _diagrams(data: Calibration) -> Diagrams:
    """Return the predicted and the observed values by title and label."""
    rows = data.discards
    won = rows["won"]
    models = {name: predicted for name, predicted in win_models(rows).items() if name != "constant"}
    best = list(models.values())[-1]
    diagrams: Diagrams = {
        "winning the round": {name: (predicted, won, rows["game"]) for name, predicted in models.items()},
        "winning, by part": {
            name: (best[mask], won[mask], rows["game"][mask])
            for name, mask in parts_of(rows).items()
            if mask.sum() >= GROUPS
        },
        "dealing in, kinds held": {
            name: (data.kinds["prob"][mask], data.kinds["wins"][mask], data.kinds["game"][mask])
            for name, mask in (
                ("a riichi on the table", data.kinds["threat"]),
                ("no riichi", np.logical_not(data.kinds["threat"])),
            )
            if mask.sum() >= GROUPS
        },
        "cost of a deal-in": {
            name: (data.losses["mean"][mask], data.losses["points"][mask], data.losses["game"][mask])
            for name, mask in (
                ("to a riichi", data.losses["riichi"]),
                ("to a silent hand", np.logical_not(data.losses["riichi"])),
            )
            if mask.sum() >= GROUPS
        },
        "dealing in while folding": {
            "model": (data.folds["prob"], data.folds["dealt_in"], data.folds["game"])
        },
        "tenpai without riichi": {
            "model": (data.opponents["tenpai"], data.opponents["is_tenpai"], data.opponents["game"])
        },
    }
    if estimated(rows):
        rest = rows[np.logical_not(rows["dealt_in"])]
        diagrams["dealing in later"] = {"model": (later_prob(rest), rest["dealt_in_later"], rest["game"])}
        diagrams["exhaustive draw"] = {"model": (rows["draw_prob"], rows["drawn"], rows["game"])}
    return diagrams
