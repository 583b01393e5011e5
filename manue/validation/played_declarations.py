"""Declarations played on: what riichi, calls and kans bring in the worlds of rollouts, beside leaving them.

A declaration that was not made has no outcome in a record. Here both sides of it are played on in the same
worlds, so that the difference is free of most chance: by who would make it, the player or the people of the
record, beside what the player had predicted.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from manue.agents.base import Decision
from manue.arrays import Records
from manue.as_text import table_head
from manue.decision.declarations import declaration_of
from manue.decision.settings import position_seed
from manue.features.call_policy import DECLARATIONS
from manue.game.actions import Win
from manue.game.events import Event
from manue.intervals import mean_with_interval
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.rollouts.player import RolloutManue

SAMPLED_DECLARATIONS = {"riichi": 4, "chi": 8, "pon": 8, "daiminkan": 1, "ankan": 1, "kakan": 1}
"""One in this many of each that is possible is looked at."""
_SEED = 29
"""Seed of the sample."""

DECLARED = np.dtype(
    [
        ("game", np.int32),
        ("declaration", np.int8),  # index into DECLARATIONS
        ("ours", np.bool_),  # the player makes it
        ("theirs", np.bool_),  # the people of the record made it
        ("value", np.float64),  # making it minus leaving it, in points, by value alone
        ("habit", np.float64),  # the same by the human policy
        ("gain", np.float64),  # the same played on
    ]
)
"""One row for each declaration that the player or the people of the record make."""


class Sides(NamedTuple):
    """A declaration, and where the best ways to make and to leave it stand in the order of a decision."""

    name: str
    make: int
    leave: int


def played_declarations(events: Sequence[Event], player: RolloutManue) -> Records:
    """Return DECLARED[n] of one game: a sample of the declarations, both sides played on."""
    rows = [np.zeros(0, DECLARED)]
    for made in recorded_decisions(events):
        names = _sampled(made)
        if names:
            decision = player.manue.decide(made.state, made.actions)
            found = [
                _row(player, made, decision, sides) for sides in sides_of(decision) if sides.name in names
            ]
            rows += [row for row in found if row is not None]
    return np.concatenate(rows)


def sides_of(decision: Decision) -> Iterator[Sides]:
    """Yield the declarations of a decision that can be left without making another."""
    if not decision.worths or any(worth is None for worth in decision.worths):
        return
    if any(isinstance(report.action, Win) for report in decision.reports):
        return
    first: dict[str, int] = {}
    for place, report in enumerate(decision.reports):
        first.setdefault(declaration_of(report.action), place)
    leave = first.pop("", None)
    if leave is not None:
        for name, make in first.items():
            yield Sides(name, make, leave)


def _sampled(made: RecordedDecision) -> set[str]:
    """Return the declarations that are possible, answered and in the sample."""
    if made.chosen is None or any(isinstance(action, Win) for action in made.actions):
        return set()
    at = position_seed(made.state, _SEED)
    possible = {declaration_of(action) for action in made.actions} - {""}
    return {name for name in possible if at % SAMPLED_DECLARATIONS[name] == 0}


def _row(player: RolloutManue, made: RecordedDecision, decision: Decision, sides: Sides) -> Records | None:
    """Play both sides on, if either the player or the people of the record make the declaration."""
    assert made.chosen is not None  # noqa: S101  such decisions are not in the sample
    ours = declaration_of(decision.action) == sides.name
    theirs = declaration_of(made.chosen) == sides.name
    if not ours and not theirs:
        return None
    played = player.play(decision, made.state, made.actions, [sides.leave, sides.make])
    make, leave = decision.worths[sides.make], decision.worths[sides.leave]
    if played is None or make is None or leave is None:
        return None
    row = np.zeros(1, DECLARED)
    row["declaration"], row["ours"], row["theirs"] = DECLARATIONS.index(sides.name), ours, theirs
    row["habit"] = make.habit - leave.habit
    row["value"] = make.value - leave.value - row["habit"]
    row["gain"] = (played.worth[:, 1] - played.worth[:, 0]).mean()
    return row


# ---- report

_TITLES = ("declaration", "made by", "n", "by value", "by the human policy", "played on")
_MAKERS = (("both", True, True), ("`manue` alone", True, False), ("people alone", False, True))


def declarations_table(rows: Records) -> list[str]:
    """Return the lines of the table: making minus leaving, in points, with 95 % intervals over games."""
    lines = [*table_head(_TITLES)]
    for number, name in enumerate(DECLARATIONS):
        for maker, ours, theirs in _MAKERS:
            part = rows[(rows["declaration"] == number) & (rows["ours"] == ours) & (rows["theirs"] == theirs)]
            if len(part):
                lines.append(f"| {name} | {maker} | {_figures(part)} |")
    return lines


def _figures(rows: Records) -> str:
    means = " | ".join(f"{rows[column].mean():+.0f}" for column in ("value", "habit"))
    return f"{len(rows):,} | {means} | {mean_with_interval(rows['gain'], rows['game'])}"
