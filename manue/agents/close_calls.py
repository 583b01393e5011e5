"""Close calls: what decides where the expected values leave little between two options.

The values are estimates. Two things that they do not know are settled here, in points:

*practice*
    Between discards of one hand the trials are coarse, far from tenpai above all. A discard loses points for
    every factor e by which strong players discard it less readily than the one they like best
    (``manue.estimate.practice``).
*reserve*
    Chances after a riichi, a call or a kan were learned where strong players chose it: they had reasons that
    no feature tells, and elsewhere such an action does less well. So it has to be ahead by a margin.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from manue.agents.values import Valued
from manue.game.actions import Call

_LEAST_SHARE = 1e-6


def settle(valued: Sequence[Valued], practice: int, reserve: int) -> list[Valued]:
    """Return the options with what practice and reserve add to their values.

    Parameters
    ----------
    valued : sequence of Valued
        All options of a decision, under ``points`` or ``placement``.
    practice : int
        Points for a factor e.
    reserve : int
        Points by which a riichi, call or kan must be ahead.
    """
    rated = [one for one in valued if one.endings]
    if not rated:
        return list(valued)
    unit = _worth_of_a_point(max(rated, key=lambda one: one.value))
    liked: dict[int, float] = {}
    for one in valued:
        liked[_line(one)] = max(liked.get(_line(one), 0.0), _share(one))
    return [
        replace(
            one,
            value=one.value
            + practice * unit * math.log(_share(one) / liked[_line(one)])
            - reserve * unit * _commits(one),
        )
        for one in valued
    ]


def _worth_of_a_point(valued: Valued) -> float:
    """Return the slope of the worth of the endings over their points, by their chances after an option."""
    (points, worth, now), (_, _, later) = valued.endings
    chances = now + later
    apart = points - chances @ points / chances.sum()
    return float(chances @ (apart * worth) / max(float(chances @ apart**2), 1.0))


def _line(valued: Valued) -> int:
    """Tell options of different hands apart."""
    return id(valued.option and valued.option.line)


def _share(valued: Valued) -> float:
    """Return how readily strong players discard it; 1 where nobody asks."""
    share = valued.report.played_prob
    return 1.0 if share is None else max(share, _LEAST_SHARE)


def _commits(valued: Valued) -> bool:
    option = valued.option
    return option is not None and (option.pays_stick or isinstance(option.action, Call))
