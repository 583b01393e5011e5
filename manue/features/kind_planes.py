"""What a seat sees of each kind of tile, as input of a net that looks at neighbouring kinds together."""

import numpy as np

from manue.arrays import F32, I8, I16
from manue.compiled import compiled
from manue.features.afterstate import NO_SET, Hands
from manue.features.feature import Feature, numbered
from manue.features.scene import Scenes
from manue.hand.shape import KIND_PART, RUN, TYPE_PART

PLANES = (
    Feature("one", "one or more are held"),
    Feature("two", "two or more"),
    Feature("three", "three or more"),
    Feature("four", "all four"),
    Feature("one_unseen", "one or more are unseen"),
    Feature("two_unseen", "two or more"),
    Feature("three_unseen", "three or more"),
    Feature("four_unseen", "none is seen"),
    Feature("dora", "han it carries as dora"),
    Feature("safe_right", "the next player can no longer win on it by ron"),
    Feature("safe_across", "the player opposite can no longer"),
    Feature("safe_left", "the player before can no longer"),
    Feature("laid", "sets laid down that it is part of"),
    Feature("round_wind", "it is the wind of the round"),
    Feature("seat_wind", "it is this seat's wind"),
    Feature("river", "this seat has discarded it"),
)
"""Columns of each kind."""

AT = numbered(PLANES)
"""Column numbers by name."""


def kind_planes(scene: Scenes, hands: Hands) -> F32:
    """Compute what is seen of each kind, with the hand from which all of these hands come by a discard.

    Parameters
    ----------
    scene : SCENE[1]
        Before the discard.
    hands : Hands
        The hands that the discards leave; the first says what is held.

    Returns
    -------
    float32[34, len(PLANES)]
    """
    held = hands.counts[0].copy()
    held[hands.thrown[0]] += 1
    planes = np.zeros((34, len(PLANES)), np.float32)
    _fill(scene, held, hands.sets[0], planes)
    return planes


@compiled
def _fill(scene: Scenes, held: I8, sets: I16, planes: F32) -> None:
    here = scene[0]
    for kind in range(34):
        unseen = 4 - here["visible"][kind]
        for copies in range(4):
            planes[kind, AT.one + copies] = held[kind] > copies
            planes[kind, AT.one_unseen + copies] = unseen > copies
        planes[kind, AT.dora] = here["dora"][kind]
        for opponent in range(1, 4):
            planes[kind, AT.safe_right + opponent - 1] = here["safe"][opponent, kind] > 0
    for code in sets:
        if code != NO_SET:
            first = code & KIND_PART
            for step in range(3 if code & TYPE_PART == RUN else 1):
                planes[first + step, AT.laid] += 1
    planes[here["round_wind"], AT.round_wind] = 1
    planes[here["seat_wind"][0], AT.seat_wind] = 1
    for turn in range(here["river_len"][0]):
        planes[here["river"][0, turn], AT.river] = 1
