"""Results of ``manue calibrate --values`` as Markdown."""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from manue.arrays import F64, Bool, Records
from manue.as_text import counted, known, percent
from manue.decision.settings import Settings
from manue.features.call_policy import DECLARATIONS
from manue.intervals import clustered_error
from manue.training.dataset import rounds_of, sequences_of
from manue.training.quality import calibration_error_by_chance, quality
from manue.validation.choices import (
    MIN_PROB,
    Difference,
    by_declaration,
    difference,
    groups_of,
)
from manue.validation.tables import slices_of_turns
from manue.validation.values import (
    DRAW,
    ENDING_GROUPS,
    LATER,
    NOW,
    OPTION_KINDS,
    PARTS,
    TSUMO,
    WIN,
    ValuesOfGames,
)

CHANCE = float(np.sqrt(2.0 / np.pi))
"""Mean distance from 0 of what is normally distributed around 0, in standard errors."""
MIN_SLICE = 100
"""Slices with fewer rows are left out."""
LARGE_LEAD = 8000
"""Points by which a seat is far ahead, or by which it is far behind."""
_COLUMNS = "n | predicted | observed | difference | standard error | by chance"
HEADER = f"| {{}} | {_COLUMNS} |\n|---|---|---|---|---|---|---|"
CHOICE_HEADER = (
    "| {} | n | taken | predicted | observed | difference | standard error | by chance | cut |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


class Measure(NamedTuple):
    """Something predicted at every decision.

    Attributes
    ----------
    title, form : str
        What it is, and how its values are written.
    predicted, observed : float64[n]
    rows : VALUES[n]
        The decisions that it is about.
    """

    title: str
    form: str
    predicted: F64
    observed: F64
    rows: Records

    def part(self, mask: Bool) -> "Measure":
        """Return the measure for some of its decisions: bool[n]."""
        return Measure(self.title, self.form, self.predicted[mask], self.observed[mask], self.rows[mask])


def values_tables(data: ValuesOfGames, settings: Settings) -> str:
    """Return all tables."""
    rows = data.values
    counts = ", ".join(
        (counted(data.games, "game"), counted(len(rows), "decision"), counted(settings.mc_draws, "draw"))
    )
    lines = [
        "# Values",
        "",
        f"{counts}. The prediction is that for the",
        "option taken; points are counted from the decision to the end of the round, with honba and sticks",
        "on both sides. Standard errors are those of the difference, clustered by game. By chance: the mean",
        "size of the difference if the predictions were exact.",
        "",
    ]
    if len(rows):
        lines += [
            *_overview(rows),
            *_exchanges(rows),
            *_choices(data.choices),
            *_makers(data.choices),
            *_calibrations(rows),
            *_folding(data.folds),
            *_slices(rows),
        ]
    return "\n".join(lines)


def measures_of(rows: Records) -> list[Measure]:
    """Return everything that is predicted."""
    happened = [rows["ending"] == ending for ending in range(len(ENDING_GROUPS))]
    measures = [
        Measure("expPt", ".0f", rows["points"].sum(1), rows["points_then"].sum(1), rows),
        Measure("final place", ".4f", rows["place"], rows["place_then"], rows),
        *(
            Measure(f"P({name})", ".4f", rows["probs"][:, at], happened[at].astype(np.float64), rows)
            for at, name in enumerate(ENDING_GROUPS)
        ),
        Measure("P(tenpai at a draw)", ".4f", rows["tenpai"], rows["tenpai_then"].astype(np.float64), rows),
    ]
    for at, name in ((WIN, "own win"), (LATER, "deal-in later"), (TSUMO, "another's self-draw")):
        part = rows[happened[at]]
        size = part["points"][:, at] / np.maximum(part["probs"][:, at], 1e-9)
        measures.append(
            Measure(
                f"points: {name}",
                ".0f",
                size,
                part["points_then"][:, at],
                part,
            )
        )
    sticks = rows["points"][:, -1], rows["points_then"][:, -1]
    measures.append(Measure("points: sticks lost", ".0f", *sticks, rows))
    return measures


def slices_of_decisions(rows: Records) -> dict[str, Bool]:
    """Return the slices of the decisions that are judged separately, as masks bool[n] by name."""
    shanten, lead = rows["shanten"], rows["lead"]
    kinds = {f"kind: {name}": rows["kind"] == number for number, name in enumerate(OPTION_KINDS)}
    declined = {
        f"declined: {name}": rows["declined"] >> number & 1 == 1 for number, name in enumerate(DECLARATIONS)
    }
    return {
        "all": np.ones(len(rows), np.bool_),
        **kinds,
        **declined,
        **slices_of_turns(rows["turn"]),
        **{f"{number}-shanten": shanten == number for number in range(4)},
        "4-shanten or more": shanten >= 4,
        "tenpai, no riichi": (shanten == 0) & ~rows["riichi"],
        "in riichi": rows["riichi"],
        "a riichi on the table": rows["threat"],
        "no riichi on the table": ~rows["threat"],
        "open hand": rows["open"],
        "closed hand": ~rows["open"],
        "dealer": rows["dealer"],
        "not the dealer": ~rows["dealer"],
        f"behind by {LARGE_LEAD:,} or more": lead <= -LARGE_LEAD,
        "behind by less": (lead > -LARGE_LEAD) & (lead < 0),
        "ahead by less": (lead >= 0) & (lead < LARGE_LEAD),
        f"ahead by {LARGE_LEAD:,} or more": lead >= LARGE_LEAD,
        "last round": rows["last_round"],
        "earlier rounds": ~rows["last_round"],
    }


def line_of(title: str, measure: Measure) -> str:
    """Return a row below `HEADER`."""
    predicted, observed, rows = measure.predicted, measure.observed, measure.rows
    error = clustered_error(predicted - observed, rows["game"])
    return f"| {title} | {len(rows):,} | {_cells(predicted.mean(), observed.mean(), error, measure.form)} |"


def _cells(predicted: float, observed: float, error: float, form: str) -> str:
    apart = predicted - observed
    spread = "- | -" if math.isnan(error) else f"{error:{form}} | {CHANCE * error:{form}}"
    return f"{predicted:{form}} | {observed:{form}} | {apart:+{form}} | {spread}"


def _overview(rows: Records) -> Iterator[str]:
    yield from ("## All decisions", "", HEADER.format("measure"))
    yield from _lines((measure.title, measure) for measure in measures_of(rows))


def _lines(measures: Iterable[tuple[str, Measure]]) -> Iterator[str]:
    """Yield the rows below `HEADER` of those that have rows enough, and an empty line."""
    for title, measure in measures:
        if len(measure.rows) >= MIN_SLICE:
            yield line_of(title, measure)
    yield ""


def _exchanges(rows: Records) -> Iterator[str]:
    """Yield the value's parts, and what its error would be with one of them as it was observed."""
    predicted, observed = rows["points"].mean(0), rows["points_then"].mean(0)
    error = float((predicted - observed).sum())
    yield "## The parts of expPt, and its error with one of them as it was observed"
    yield ""
    yield "| part | predicted | observed | difference | by its chance | by its size | error without it |"
    yield "|---|---|---|---|---|---|---|"
    for at, name in enumerate(PARTS):
        apart = predicted[at] - observed[at]
        chance = "- | -"
        if at < len(ENDING_GROUPS):
            likely = rows["probs"][:, at].mean()
            by_chance = (likely - (rows["ending"] == at).mean()) * predicted[at] / max(likely, 1e-9)
            chance = f"{by_chance:+.0f} | {apart - by_chance:+.0f}"
        cells = f"{predicted[at]:.0f} | {observed[at]:.0f} | {apart:+.0f} | {chance} | {error - apart:+.0f}"
        yield f"| {name} | {cells} |"
    yield f"| expPt | {predicted.sum():.0f} | {observed.sum():.0f} | {error:+.0f} | | | |"
    yield ""


def _choices(rows: Records) -> Iterator[str]:
    yield from (
        "## Taking minus leaving",
        "",
        "By the predicted difference, in groups of equal size. Observed: the prediction for either side,",
        "corrected by what followed, weighted by one over the probability that people do what was done.",
        f"Cut: share of the weights lost because no probability counts as less than {MIN_PROB}.",
        "",
    )
    for measure, title, form in (
        ("points", "expPt", ".0f"),
        ("place", "place", ".4f"),
        ("win", "P(win)", ".4f"),
    ):
        for name, part in by_declaration(rows):
            if len(part) >= MIN_SLICE:
                yield CHOICE_HEADER.format(f"{title}: {name}")
                for number, group in enumerate(groups_of(part, measure), 1):
                    yield _choice_line(f"group {number}", difference(group, measure), form)
                yield _choice_line("all", difference(part, measure), form)
                ours = part[part["ours"]]  # not by what was done: the estimate weighs what could have been
                if len(ours) >= MIN_SLICE:
                    yield _choice_line("where we would take it", difference(ours, measure), form)
                yield ""


def _choice_line(title: str, found: Difference, form: str) -> str:
    cells = _cells(found.predicted, found.observed, found.error, form)
    return f"| {title} | {found.count:,} | {found.taken:,} | {cells} | {percent(found.cut)} |"


def _makers(rows: Records) -> Iterator[str]:
    """Yield how often people and the player make each declaration that is possible."""
    yield from (
        "## Declarations by people and by us",
        "",
        "| | possible | by people | by us | both |",
        "|---|---|---|---|---|",
    )
    for name, part in by_declaration(rows):
        both = int((part["taken"] & part["ours"]).sum())
        yield f"| {name} | {len(part):,} | {part['taken'].sum():,} | {part['ours'].sum():,} | {both:,} |"
    yield ""


def _calibrations(rows: Records) -> Iterator[str]:
    """Yield the calibration error of the main probabilities where they are hardest to predict."""
    slices = slices_of_decisions(rows)
    yield from (
        "## Calibration",
        "",
        "Calibration error: over 20 groups of equal size; by chance, if the predictions were exact.",
        "",
        "| chance | n | predicted | observed | log loss | AUC | calibration error | by chance |",
        "|---|---|---|---|---|---|---|---|",
    )
    for ending, names in (
        (WIN, ("all", "tenpai, no riichi", "open hand", "kind: riichi", "kind: pass", "kind: ankan")),
        (LATER, ("all", "kind: discard", "kind: pass", "a riichi on the table", "no riichi on the table")),
        (NOW, ("all", "a riichi on the table")),
        (DRAW, ("all",)),
    ):
        for name in names:
            part = rows[slices[name]]
            if len(part) >= MIN_SLICE:
                yield _calibration_line(f"P({ENDING_GROUPS[ending]}), {name}", part, ending)
    yield ""


def _calibration_line(title: str, rows: Records, ending: int) -> str:
    predicted, happened = rows["probs"][:, ending], rows["ending"] == ending
    found = quality(predicted, happened)
    tied = rounds_of(rows) if ending == DRAW else sequences_of(rows)  # a drawn round is drawn for all seats
    by_chance = calibration_error_by_chance(predicted, tied)
    return (
        f"| {title} | {len(rows):,} | {predicted.mean():.4f} | {found.share:.4f} | {found.log_loss:.4f} "
        f"| {known(found.auc, '.3f')} | {found.calibration_error:.4f} | {by_chance:.4f} |"
    )


def _folding(folds: Records) -> Iterator[str]:
    yield from (
        "## What folding costs",
        "",
        "Points without honba. If folded: from every discard on, the seat discards its safest tiles instead,",
        "against the true hands. Folded: it did discard its safest tiles to the end of the round.",
        "",
        HEADER.format("decisions"),
    )
    threat = folds["threat"]
    yield from _lines(
        (title, Measure(title, ".0f", part["cost"], part[column], part))
        for title, column, part in (
            ("if folded: all", "points", folds),
            ("if folded: a riichi on the table", "points", folds[threat]),
            ("if folded: no riichi on the table", "points", folds[~threat]),
            ("folded: a riichi on the table", "paid", folds[threat & folds["folded"]]),
        )
    )


def _slices(rows: Records) -> Iterator[str]:
    for measure in measures_of(rows):
        if len(measure.rows) >= MIN_SLICE:
            yield from (f"## {measure.title}", "", HEADER.format("decisions"))
            yield from _lines(
                (name, measure.part(mask)) for name, mask in slices_of_decisions(measure.rows).items()
            )
