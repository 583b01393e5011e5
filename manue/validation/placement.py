"""Expected final places at the start of every round, beside the places reached: by length of the game."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from manue.arrays import Records
from manue.as_text import counted
from manue.intervals import clustered_error
from manue.models.model_set import Models
from manue.models.placement import PLACES, exact_places
from manue.records.games import RecordedGame, collect_games
from manue.records.length import NAMES
from manue.records.round_starts import round_starts
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import round_name

ROUND_STARTS = np.dtype(
    [
        ("game", np.int32),
        ("last_round", np.int8),
        ("round", np.int8),  # index, East 1 being 0
        ("seat", np.int8),
        ("rank", np.int8),  # 0..3 by the scores at the start of the round
        ("predicted", np.float64, (4,)),  # P(place)
        ("as_hanchan", np.float64, (4,)),  # the same, the game taken for a hanchan
        ("place", np.int8),  # reached, 0..3
    ]
)
"""One row for each seat at the start of each round."""

MIN_CASES = 1000
"""Cases below which a group is marked, and its figures are not counted."""

NEAR = 0.02
"""Within which a figure P(place) is to come true."""


def placement_of_log(log: Path, last_round: int | None = None) -> list[Records | str]:
    """Return ROUND_STARTS[n] of each game of a log, or the reason why it could not be used."""
    return collect_games(log, _rows, last_round)


def _rows(game: RecordedGame) -> Records:
    starts = round_starts(game.events)
    rows = np.zeros((len(starts.scores), 4), ROUND_STARTS)
    rows["last_round"], rows["round"] = starts.last, starts.index[:, None]
    rows["seat"], rows["place"] = np.arange(4), starts.places
    rows["rank"] = exact_places(starts.scores).argmax(axis=2)
    model = Models.load().placement
    for name, last in (("predicted", starts.last), ("as_hanchan", HANCHAN)):
        rows[name] = model.places_at(starts.scores, starts.index, starts.dealer, starts.honba, last)
    return rows.ravel()


def placement_tables(rows: Records) -> str:
    """Return as Markdown how well the places are predicted, by length of the game, round and rank."""
    lines = ["# Expected final places", ""]
    for length in (HANCHAN, EAST_ONLY):
        part = rows[rows["last_round"] == length]
        if len(part):
            lines += list(_length_lines(part, length))
    return "\n".join(lines)


def _length_lines(rows: Records, length: int) -> Iterator[str]:
    games = len(np.unique(rows["game"]))
    seats = counted(len(rows), "seat")
    yield f"{counted(games, 'game')}, each {NAMES[length]}; {seats} at the start of a round."
    yield ""
    yield "| P(place) | log loss |"
    yield "|---|---|"
    yield f"| constant, 1/4 | {np.log(4.0):.4f} |"
    yield f"| the model | {_log_loss(rows, 'predicted'):.4f} |"
    if length != HANCHAN:
        yield f"| the model, the game taken for a hanchan | {_log_loss(rows, 'as_hanchan'):.4f} |"
    yield ""
    yield "| round | rank at its start | n | predicted place | observed | standard error by game |"
    yield "|---|---|---|---|---|---|"
    for index in range(length + 1):
        for rank in range(4):
            part = rows[(rows["round"] == index) & (rows["rank"] == rank)]
            if len(part):
                yield _group_line(part, f"{round_name(index)} | {rank + 1}")
    for rank in range(4):
        part = rows[rows["rank"] == rank]
        yield _group_line(part, f"all | {rank + 1}")
    yield ""
    yield from _figures_line(rows)


def _figures_line(rows: Records) -> Iterator[str]:
    """Count the figures P(place) by round and rank that hold, and those that chance allows."""
    off, errors = [], []
    for name in np.unique(rows[["round", "rank"]]):
        part = rows[rows[["round", "rank"]] == name]
        if len(part) >= MIN_CASES and name["round"] <= part["last_round"][0]:
            for place in range(4):
                wrong = part["predicted"][:, place] - (part["place"] == place)
                off.append(abs(float(wrong.mean())))
                errors.append(clustered_error(wrong, part["game"]))
    if off:
        near, chance = np.array(off) <= NEAR, np.array(off) <= 2.0 * np.array(errors)
        squares = float(np.mean(np.square(np.array(off) / np.array(errors))))
        yield f"P(place) by round and rank, {len(off)} figures of {MIN_CASES:,} cases or more:"
        yield f"{near.sum()} within {NEAR}, {(near | chance).sum()} within that or two standard errors;"
        yield f"the mean squared error is {squares:.2f} squared standard errors."
        yield ""


def _group_line(rows: Records, name: str) -> str:
    predicted, observed = rows["predicted"] @ PLACES, rows["place"] + 1.0
    error = clustered_error(predicted - observed, rows["game"])
    spread = "-" if np.isnan(error) else f"± {error:.3f}"  # of one game nothing is known
    few = "" if len(rows) >= MIN_CASES else " (few)"
    return f"| {name} | {len(rows):,}{few} | {predicted.mean():.3f} | {observed.mean():.3f} | {spread} |"


def _log_loss(rows: Records, name: str) -> float:
    reached = rows[name][np.arange(len(rows)), rows["place"]]
    return float(-np.log(np.clip(reached, 1e-6, 1.0)).mean())
