"""The trainers that `manue train` runs, in order; see `manue.training.framework` for how to add one."""

import numpy as np

from manue.training.afterstate import AfterstateTrainer
from manue.training.call_policy import CallPolicyTrainer
from manue.training.danger import DangerTrainer
from manue.training.discard_policy import DiscardPolicyTrainer
from manue.training.fold import FoldTrainer
from manue.training.framework import Trainer
from manue.training.opponents import OpponentsTrainer
from manue.training.placement import PlacementTrainer
from manue.training.shapes import ShapesTrainer

TRAINERS: tuple[Trainer, ...] = (
    ShapesTrainer(),
    OpponentsTrainer(),
    DangerTrainer(),
    FoldTrainer(),
    DiscardPolicyTrainer(),
    AfterstateTrainer(),
    PlacementTrainer(),
    CallPolicyTrainer(),
)
FEW, MANY = 10, 2022
"""Numbers of games of `SECONDS`."""
SECONDS = {
    "shapes": (3.7, 60.0),
    "opponents": (4.4, 1680.0),
    "danger": (5.2, 1260.0),
    "fold": (1.9, 60.0),
    "discard_policy": (60.0, 3900.0),
    "afterstate": (49.0, 1400.0),
    "placement": (1.7, 100.0),
    "call_policy": (85.0, 2050.0),
}
"""Seconds that each took on `FEW` games with one process and on `MANY` with two, to guess the time left."""


def seconds_of(name: str, games: int) -> float:
    """Return about how long a trainer takes: by `SECONDS`, or as the mean of those where it is not listed."""
    of_all = {one: float(np.interp(games, (FEW, MANY), seconds)) for one, seconds in SECONDS.items()}
    return of_all.get(name, sum(of_all.values()) / len(of_all))
