"""Whether the player makes the same choices as people: discards, riichi and calls in recorded games.

Discards are compared by kind, where there was a choice between kinds; calls by type. Decisions whose answer
is unknown, because another seat went first, are left out. Our predictions for people's choice are recorded
together with what followed in the round.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from manue.agents.base import Agent, Decision
from manue.agents.registry import make_agent
from manue.arrays import Records
from manue.decision.declarations import declaration_of
from manue.decision.report import Report
from manue.game.actions import Action, Discard, Win, same_choice
from manue.game.state import RoundState
from manue.player import decision_of
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.games import RecordedGame, collect_games
from manue.records.results import RoundResult, round_results
from manue.tiles import KIND_OF, Kind

ACTION_TYPES = ("discard", "riichi", "chi", "pon", "kan")
"""What a decision may be about, as compared here: all kans are alike."""
DECISIONS = np.dtype(
    [
        ("game", np.int32),
        ("type", np.int8),  # index into ACTION_TYPES
        ("threat", np.bool_),  # an opponent is in riichi
        ("people", np.bool_),  # people did it; always true for discards
        ("ours", np.bool_),  # we would do it; for discards: we would discard the same kind
        ("lost_points", np.float64),  # expected: our choice minus theirs; nan if not estimated
        ("lost_rank", np.float64),  # expected placement of their choice minus that of ours
        ("shanten", np.int8),  # for discards: the lowest that any discard leaves; -1 if unknown
        ("people_lowest", np.bool_),  # for discards: their choice leaves the lowest
        ("ours_lowest", np.bool_),
        ("people_widest", np.bool_),  # for discards: theirs is the one of these with the most useful tiles
        ("ours_widest", np.bool_),
        # P(win) we predict for their choice, whose discard may deal in; nan if not estimated
        ("predicted_win", np.float64),
        ("predicted_points", np.float64),  # points we predict for that win, as in won_points
        ("preferred_win", np.float64),  # P(win) we predict for our choice
        ("won", np.bool_),  # what followed in the round: this seat won
        # from here on, without the honba and deposits there, own stick among them; 0 without a win
        ("won_points", np.float64),
        ("dealt_in", np.bool_),
    ]
)
"""One row for each question that a decision poses."""


def agreement_of_log(log: Path, spec: str, last_round: int | None = None) -> list[Records | str]:
    """Compare the choices of each game; return DECISIONS[n] or the reason why it cannot be used."""
    return collect_games(log, partial(_agreement_of_game, agent=make_agent(spec)), last_round)


def _agreement_of_game(game: RecordedGame, agent: Agent) -> Records:
    results = round_results(game.events)
    parts = [np.zeros(0, DECISIONS)]
    for choice in recorded_decisions(game.events):
        rows = _compare(choice, agent)
        _note_result(rows, choice.state, results[choice.round])
        parts.append(rows)
    return np.concatenate(parts)


def _note_result(rows: Records, state: RoundState, result: RoundResult) -> None:
    """Write whether the seat won, what that brought beyond honba and deposits, and whether it dealt in."""
    won = state.seat in result.winners
    rows["won"], rows["won_points"] = won, result.won_points(state) if won else 0
    rows["dealt_in"] = not won and result.payer == state.seat


def _compare(choice: RecordedDecision, agent: Agent) -> Records:
    """Return a row for each type of action that was possible: DECISIONS[n], without what followed."""
    chosen, types = choice.chosen, _types_to_compare(choice)
    rows = np.zeros(len(types), DECISIONS)
    if chosen is None or not types:
        return rows
    decision = decision_of(agent, choice.state, choice.actions)
    best = _report_of(decision, decision.action) or Report(decision.action)
    rated = None if isinstance(chosen, Win) else _report_of(decision, chosen)
    rows["type"] = [ACTION_TYPES.index(name) for name in types]
    rows["threat"] = choice.state.opponent_in_riichi
    _note_estimates(rows, best, rated, choice.state.bonus)
    rows["shanten"] = -1
    for row, name in zip(rows, types, strict=True):
        if isinstance(chosen, Discard) and name == "discard":
            theirs, ours = KIND_OF[chosen.tile], _kind_of(best)
            row["people"], row["ours"] = True, ours == theirs
            _note_efficiency(row, decision.reports, theirs, ours)
        else:
            row["people"], row["ours"] = _type_of(chosen) == name, _type_of(decision.action) == name
    return rows


def _types_to_compare(choice: RecordedDecision) -> list[str]:
    """Return those of `ACTION_TYPES` that a decision is about; none if its answer is unknown."""
    if choice.chosen is None:
        return []
    possible = {_type_of(action) for action in choice.actions}
    kinds = {KIND_OF[action.tile] for action in choice.actions if isinstance(action, Discard)}
    discards = isinstance(choice.chosen, Discard) and len(kinds) > 1
    return [name for name in ACTION_TYPES if name in possible or (name == "discard" and discards)]


def _report_of(decision: Decision, action: Action) -> Report | None:
    """Return the report on an action; ``None`` if the agent gives none."""
    return next((report for report in decision.reports if same_choice(report.action, action)), None)


def _note_efficiency(row: np.void, reports: Sequence[Report], theirs: Kind, ours: Kind) -> None:
    """Write the lowest shanten, whose discard leaves it, and whose does so with the most useful tiles."""
    known = [
        (report.shanten, -(report.ukeire_count or 0), _kind_of(report))
        for report in reports
        if report.shanten is not None and isinstance(report.action, Discard)
    ]
    if not known:
        return
    level, width, _ = min(known)
    lowest = {kind for shanten, _, kind in known if shanten == level}
    widest = {kind for shanten, count, kind in known if (shanten, count) == (level, width)}
    row["shanten"] = level
    row["people_lowest"], row["ours_lowest"] = theirs in lowest, ours in lowest
    row["people_widest"], row["ours_widest"] = theirs in widest, ours in widest


def _type_of(action: Action) -> str:
    """Return the type of a declaration, one for all kans; "" for a discard, a pass or a win."""
    name = declaration_of(action)
    return "kan" if name.endswith("kan") else name


def _kind_of(report: Report) -> int:
    """Return the kind that an option discards, -1 if none."""
    discard = report.action if isinstance(report.action, Discard) else report.discard
    return -1 if discard is None else KIND_OF[discard.tile]


def _note_estimates(rows: Records, best: Report, theirs: Report | None, bonus: int) -> None:
    """Write what their choice lost by our estimates, and what we predict for it and for ours.

    Points of a win are without ``bonus``, what honba and deposits bring whoever wins now.
    """
    rows["preferred_win"] = _or_nan(best.overall_win_prob)
    if theirs is None:
        for name in ("lost_points", "lost_rank", "predicted_win", "predicted_points"):
            rows[name] = np.nan
        return
    rows["lost_points"] = _difference(best.expected_points, theirs.expected_points)
    rows["lost_rank"] = _difference(theirs.expected_rank, best.expected_rank)
    rows["predicted_win"] = _or_nan(theirs.overall_win_prob)
    rows["predicted_points"] = _difference(theirs.win_points, bonus)


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _difference(one: float | None, other: float | None) -> float:
    return np.nan if one is None or other is None else one - other
