"""Ties broken by the human policy: where expected values are close, what strong players do decides.

The values are estimates, and the Monte Carlo draws distinguish discards only coarsely, above all far from
tenpai. So a discard loses points for every factor e by which strong players choose it less often than their
favourite from the hand (``manue.models.discard_policy``). Riichi, a call or a kan gains or loses points in
proportion to the log-odds that they would declare it, measured from the decision threshold
(``manue.models.call_policy``). Where the values differ clearly, the order stays the same.
"""

from collections.abc import Sequence
from dataclasses import replace

from manue.decision.report import Worth
from manue.decision.values import ValuedOption

NOTE = "a tie broken by the human policy"
"""The note of an option that comes first because of the human policy, not by value."""
_NOTHING = 1e-9
"""A point that is worth no more than this changes no place."""


def break_ties(valued: Sequence[ValuedOption], discard_policy: int, call_policy: int) -> list[ValuedOption]:
    """Adjust the values by the human policy, and add a note to the best option if that made it the best.

    Parameters
    ----------
    valued : sequence of ValuedOption
        All options of a decision, valued under ``points`` or ``placement``.
    discard_policy : int
        Points per factor e in the shares of discards.
    call_policy : int
        Points per factor e in the odds of a declaration, measured from its threshold.
    """
    rated = [option for option in valued if option.endings]
    if not rated:
        return list(valued)
    unit = _worth_of_a_point(max(rated, key=lambda option: option.value))
    moved = [
        _moved(option, unit * (discard_policy * option.log_preference + call_policy * option.call_log_odds))
        for option in valued
    ]
    before, after = (max(range(len(valued)), key=lambda i: options[i].value) for options in (valued, moved))
    if before != after:
        moved[after] = replace(moved[after], report=replace(moved[after].report, note=NOTE))
    return moved


def _moved(valued: ValuedOption, by: float) -> ValuedOption:
    if not by:
        return valued
    return ValuedOption(valued.value + by, valued.report, valued.option, valued.endings, habit=by)


def worths_in_points(valued: Sequence[ValuedOption]) -> tuple[Worth, ...]:
    """Return what options are worth in points, by which they were put in order; () if nothing measures it.

    Ranking points are divided by what a point is worth there (`break_ties`), so that a difference of 100
    counts as much as 100 points would.
    """
    rated = [option for option in valued if option.endings]
    if not rated:
        return ()
    unit = _worth_of_a_point(max(rated, key=lambda option: option.value - option.habit))
    if unit <= _NOTHING:
        return ()
    return tuple(Worth(option.value / unit, option.habit / unit) for option in valued)


def _worth_of_a_point(valued: ValuedOption) -> float:
    """Return the slope of the endings' worth over their points, weighted by their probabilities."""
    now, later = valued.endings
    probabilities = now.probabilities + later.probabilities
    apart = now.points - probabilities @ now.points / probabilities.sum()
    return float(probabilities @ (apart * now.worth) / max(float(probabilities @ apart**2), 1.0))
