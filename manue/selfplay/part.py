"""A part of a batch: games played, and the gradient of what they teach."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from manue.arrays import F32, F64, I64
from manue.models.placement import PlacementModel
from manue.selfplay.rewards import rewards_of
from manue.selfplay.settings import SelfPlaySettings
from manue.sim.learning import SUMS, add_policy_gradient, estimate_advantages, rate_values
from manue.sim.net import SHAPES, VALUE_NET, shapes_of
from manue.sim.table import Tables
from manue.sim.trajectories import play_noted

CLIP = 4.0
"""Largest advantage that counts, in deviations."""


@dataclass(frozen=True, slots=True)
class Nets:
    """The nets that a batch is played and learned with.

    Parameters
    ----------
    weights : float32[weights]
        That learns.
    start : float32[weights]
        From which its policy is not to diverge.
    value : float32[VALUE_NET.end]
    deviation : float
        Of advantages, by which they are divided.
    """

    weights: F32
    start: F32
    value: F32
    deviation: float


@dataclass(frozen=True, slots=True)
class Part:
    """What a part of a batch taught.

    Parameters
    ----------
    rounds : int
    gradient : float32[weights]
        Summed over choices.
    sums : float64[nets, SUMS]
        Of `add_policy_gradient`, by net in the order of `SHAPES`.
    context, hidden : float32[n, columns]
        What the value net is shown at each choice.
    values, targets : float32[n]
        What it says, and what it should have said.
    rewards : float32[n]
        What the round brought in the end.
    """

    rounds: int
    gradient: F32
    sums: F64
    context: F32
    hidden: F32
    values: F32
    targets: F32
    rewards: F32

    @property
    def advantages(self) -> F32:
        """By how much each choice brought more than expected: float32[n]."""
        return self.targets - self.values


def learn_part(
    tables: Tables,
    kit: Any,
    notes: Any,
    most: int,
    nets: Nets,
    placement: PlacementModel,
    settings: SelfPlaySettings,
) -> Part:
    """Play games, and return what they teach.

    Parameters
    ----------
    tables : TABLE[n]
    kit : KIT
    notes : TRAJECTORIES
    most : int
        Rounds.
    nets : Nets
    placement : PlacementModel
    settings : SelfPlaySettings
    """
    rounds = play_noted(tables, kit, notes, most)
    rewards = rewards_of(notes, placement, settings.place_share)
    context, hidden = _gathered(notes, "context"), _gathered(notes, "hidden")
    number, seat = _gathered(notes, "round"), _gathered(notes, "seat")
    episodes = (number * 4 + seat).astype(np.int64)
    values, advantages = np.zeros(len(episodes), np.float32), np.zeros(len(episodes), np.float32)
    rate_values(nets.value, VALUE_NET, context, hidden, values)
    brought = rewards[number, seat]
    order: I64 = np.lexsort((_gathered(notes, "order"), episodes))
    estimate_advantages(order, episodes, values, brought, settings.gae_lambda, advantages)
    gradient, sums = _gradient(notes, nets, advantages, settings)
    return Part(rounds, gradient, sums, context, hidden, values, values + advantages, brought)


def _gathered(notes: Any, field: str) -> Any:
    """Return a field of the choices of all nets, one net after the other."""
    return np.concatenate([notes[name][field][: notes[name]["used"]] for name in SHAPES])


def _gradient(notes: Any, nets: Nets, advantages: F32, settings: SelfPlaySettings) -> tuple[F32, F64]:
    """Return the gradient of the policy, and its sums by net."""
    gradient, sums = np.zeros_like(nets.weights), np.zeros((len(SHAPES), SUMS))
    begin = 0
    for at, (name, shape) in enumerate(shapes_of(nets.weights).items()):
        noted, used = notes[name], int(notes[name]["used"])
        add_policy_gradient(
            nets.weights,
            nets.start,
            shape,
            noted["context"],
            noted["rows"],
            noted["starts"],
            noted["chosen"][:used],
            np.clip(advantages[begin : begin + used] / nets.deviation, -CLIP, CLIP),
            settings.temperature,
            name != "discard",
            settings.kl_weight,
            gradient,
            sums[at],
        )
        begin += used
    return gradient, sums
