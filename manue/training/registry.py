"""The trainers that `manue train` runs, in order; see `manue.training.framework` for how to add one."""

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
SECONDS = {
    "shapes": 3.7,
    "opponents": 4.4,
    "danger": 5.2,
    "fold": 1.9,
    "discard_policy": 60.0,
    "afterstate": 49.0,
    "placement": 1.7,
    "call_policy": 85.0,
}
"""Seconds that each took on ten games with one process (the last: at least), to guess the time left."""


def seconds_of(name: str) -> float:
    """Return the seconds of a trainer: by `SECONDS`, or the mean of those where it is not listed."""
    return SECONDS.get(name, sum(SECONDS.values()) / len(SECONDS))
