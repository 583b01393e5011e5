"""Ties broken by the human policy: where expected values are close, what strong players do decides.

The values are estimates, and the Monte Carlo draws distinguish discards only coarsely, above all far from
tenpai. P(win) knows what strong players prefer as far as it shows in who wins; style and what no model sees
remain. So a discard loses points for every factor e by which strong players choose it less often than their
favourite from the hand (``manue.models.discard_policy``). Riichi, a call or a kan gains or loses points in
proportion to the log-odds that they would declare it, measured from the decision threshold
(``manue.models.call_policy``). Where the values differ clearly, the order stays the same.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from manue.decision.point_worth import worth_of_a_point
from manue.decision.report import Worth
from manue.decision.values import ValuedOption

NOTE = "a tie broken by the human policy"
"""The note of an option that comes first because of the human policy, not by value."""


def break_ties(
    valued: Sequence[ValuedOption], discard_policy: int, call_policy: int, least: float
) -> list[ValuedOption]:
    """Adjust the values by the human policy, and add a note to the best option if that made it the best.

    Parameters
    ----------
    valued : sequence of ValuedOption
        All options of a decision, valued under ``points`` or ``placement``.
    discard_policy : int
        Points per factor e in the shares of discards.
    call_policy : int
        Points per factor e in the odds of a declaration, measured from its threshold.
    least : float
        The least that a point is worth (``manue.decision.point_worth``).
    """
    rated = [option for option in valued if option.endings]
    if not rated:
        return list(valued)
    unit = _unit(max(rated, key=lambda option: option.value), least)
    moved = [
        _moved(option, unit * (discard_policy * option.log_preference + call_policy * option.call_log_odds))
        for option in valued
    ]
    before, after = (max(range(len(valued)), key=lambda i: options[i].value) for options in (valued, moved))
    if before != after:
        moved[after] = moved[after]._replace(report=replace(moved[after].report, note=NOTE))
    return moved


def _moved(valued: ValuedOption, by: float) -> ValuedOption:
    return valued._replace(value=valued.value + by, habit=by) if by else valued


def worths_in_points(valued: Sequence[ValuedOption], least: float) -> tuple[Worth, ...]:
    """Return what options are worth in points, by which they were put in order; () if nothing measures it.

    Ranking points are divided by what a point is worth there, so that a difference of 100 counts as much as
    100 points would; parameters as in `break_ties`.
    """
    rated = [option for option in valued if option.endings]
    if not rated:
        return ()
    unit = _unit(max(rated, key=lambda option: option.value - option.habit), least)
    return tuple(Worth(option.value / unit, option.habit / unit) for option in valued)


def _unit(valued: ValuedOption, least: float) -> float:
    """Return what a point is worth among the endings of an option, by their probabilities."""
    points, worth, probs = (np.concatenate(arrays) for arrays in zip(*valued.endings, strict=True))
    return worth_of_a_point(points, worth, probs, least)
