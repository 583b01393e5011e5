"""What the options of a decision are worth when they are played on, beside the one that was chosen."""

from dataclasses import dataclass

import numpy as np

from manue.arrays import F64, I64
from manue.decision.outcomes import position_of
from manue.decision.point_worth import worth_of_a_point
from manue.decision.report import Rollout
from manue.decision.settings import Settings
from manue.game.state import RoundState
from manue.intervals import clustered_interval
from manue.models.placement import PLACES, PlacementModel
from manue.rollouts.playouts import Results


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """What playing options on brought their seat, the chosen option first.

    Parameters
    ----------
    points : float64[worlds, options]
        Score changes.
    ranks : float64[worlds, options]
        Expected final places.
    worth : float64[worlds, options]
        What counts under the policy, in points; only differences mean anything.
    drawn : int64[worlds]
        Which hands the others had: equal numbers, equal hands.
    """

    points: F64
    ranks: F64
    worth: F64
    drawn: I64

    def rollouts(self) -> list[Rollout]:
        """Return the comparison of each option with the chosen one, in the same worlds."""
        return [
            Rollout(
                len(self.worth),
                *gain_of(self.worth[:, option] - self.worth[:, 0], self.drawn),
                float(self.points[:, option].mean()),
                float(self.ranks[:, option].mean()),
            )
            for option in range(self.worth.shape[1])
        ]


def valued(results: Results, state: RoundState, model: PlacementModel, settings: Settings) -> Played:
    """Value how the rounds ended for the seat whose options they are.

    Parameters
    ----------
    results : Results
    state : RoundState
        At the decision.
    model : PlacementModel
    settings : Settings
        Of the player, whose policy says what counts.
    """
    flat = model.places_after(
        results.scores.reshape(-1, 4),
        results.stays.reshape(-1),
        position_of(state),
        state.seat,
        state.rules,
        ended=results.ended.reshape(-1),
    )
    places = flat.reshape(results.scores.shape)
    points = results.scores[:, :, state.seat].astype(np.float64) - state.scores[state.seat]
    return Played(points, places @ PLACES, worth_of(points, places, settings), results.drawn)


def worth_of(points: F64, places: F64, settings: Settings) -> F64:
    """Return what results are worth, in points: float64[worlds, options].

    Ranking points are divided by what a point is worth among the results of the first option, as
    `manue.decision.tie_break.worths_in_points` does.

    Parameters
    ----------
    points : float64[worlds, options]
    places : float64[worlds, options, 4]
    settings : Settings
    """
    if settings.ranking is None:
        return points
    worth = places @ settings.ranking
    unit = worth_of_a_point(points[:, 0], worth[:, 0], np.ones(len(points)), settings.least_worth)
    return np.asarray(worth / unit, np.float64)


def gain_of(differences: F64, drawn: I64) -> tuple[float, float]:
    """Return the mean of two or more differences and half the width of its 95 % interval.

    Worlds in which the others hold the same hands are not independent and count as one, unless all are alike.
    """
    hands = drawn if (drawn != drawn[0]).any() else np.arange(len(drawn))
    return float(differences.mean()), clustered_interval(differences, hands)
