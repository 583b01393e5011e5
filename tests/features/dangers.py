"""Dangers that no model made: features can be tested while no model fits them."""

import numpy as np

from manue.models.danger import Danger
from manue.tiles import opponents_of


def made_up_danger(state):
    """Return dangers of three opponents, 0 for three kinds of ten; the same for the same position."""
    rng = np.random.default_rng([state.tiles_left, state.seat])
    prob, tenpai = np.zeros((4, 34)), np.zeros(4)
    opponents = opponents_of(state.seat)
    prob[opponents] = rng.uniform(0.0, 0.2, (3, 34)) * (rng.random((3, 34)) < 0.7)
    tenpai[opponents] = rng.random(3)
    return Danger(prob, tenpai, tenpai / 2, np.full((4, 34), 5_000.0))
