"""What a point is worth under the policy: the measure by which the worth of options becomes points.

Under ``points`` it is 1. Under ``placement`` it is the slope of ranking points over points among the ways in
which the round may end. That slope is steep where every point counts, and it vanishes, or is less than
nothing by chance, where hardly anything changes a place; divided by it, differences would be points by the
million. So a point is never taken for less than a small part of the way from the last place to the first.
"""

from manue.arrays import F64

MIN_WORTH = 1 / 300_000
"""The least that a point is worth, as a part of the way from the last place to the first.

The median over decisions in strong players' games is 6.5 times as much (uma ``tenhou``).
"""


def worth_of_a_point(points: F64, worth: F64, weights: F64, least: float) -> float:
    """Return the slope of worth over points, at least ``least``.

    Parameters
    ----------
    points, worth : float64[n]
        The score changes of some endings, and what they are worth under the policy.
    weights : float64[n]
        How much each counts; not all 0.
    least : float
        As `Settings.least_worth`.
    """
    apart = points - weights @ points / weights.sum()
    return max(float(weights @ (apart * worth) / max(float(weights @ apart**2), 1.0)), least)
