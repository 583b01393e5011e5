"""Ties broken by the human policy: what strong players do decides where the expected values are close.

The values are estimates, and between discards the Monte Carlo draws are coarse, far from tenpai above all. So
a discard loses points for every factor e by which strong players discard it less readily than their favourite
of the hand (``manue.models.discard_policy``). Riichi, a call or a kan gains or loses points by the log-odds
that they would make it, counted from the threshold beyond which as many lie as they make
(``manue.models.call_policy``). What the values hold to be clear stays so.
"""

from collections.abc import Sequence
from dataclasses import replace

from manue.decision.values import ValuedOption

NOTE = "a tie broken by the human policy"
"""Stands in the report of an option that is first by the human policy and not by value."""


def break_ties(valued: Sequence[ValuedOption], discard_policy: int, call_policy: int) -> list[ValuedOption]:
    """Return the options with what the human policy adds to their values, and a note where that decides.

    Parameters
    ----------
    valued : sequence of ValuedOption
        All options of a decision, under ``points`` or ``placement``.
    discard_policy : int
        Points for a factor e between discards.
    call_policy : int
        Points for a factor e in the odds that a declaration is made, beyond its threshold.
    """
    rated = [one for one in valued if one.endings]
    if not rated:
        return list(valued)
    unit = _worth_of_a_point(max(rated, key=lambda one: one.value))
    moved = [
        _moved(one, unit * (discard_policy * one.log_preference + call_policy * one.call_log_odds))
        for one in valued
    ]
    before, after = (max(range(len(ones)), key=lambda i: ones[i].value) for ones in (valued, moved))
    if before != after:
        moved[after] = replace(moved[after], report=replace(moved[after].report, note=NOTE))
    return moved


def _moved(valued: ValuedOption, by: float) -> ValuedOption:
    return ValuedOption(valued.value + by, valued.report, valued.option, valued.endings) if by else valued


def _worth_of_a_point(valued: ValuedOption) -> float:
    """Return the slope of the worth of the endings over their points, by their chances after an option."""
    now, later = valued.endings
    probabilities = now.probabilities + later.probabilities
    apart = now.points - probabilities @ now.points / probabilities.sum()
    return float(probabilities @ (apart * now.worth) / max(float(probabilities @ apart**2), 1.0))
