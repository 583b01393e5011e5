"""The learner: the policy net, its value net, and a step from a batch of games."""

from collections.abc import Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from manue.arrays import F32, F64
from manue.futures import ThreadPool
from manue.models.placement import PlacementModel
from manue.selfplay.part import Nets, Part, learn_part
from manue.selfplay.seating import new_games
from manue.selfplay.settings import PARTS, SelfPlaySettings
from manue.sim.kit import new_kit
from manue.sim.learning import CHOICES, DIVERGENCE, ENTROPY, KL_CHOICES, add_value_gradient
from manue.sim.net import VALUE_NET, shapes_of
from manue.sim.trajectories import new_trajectories
from manue.training.policy_net import Adam, flat, new_arrays

VALUE_BATCH = 2_048
"""Choices of a step of the value net."""
_MEMORY = 0.95
"""Share of the deviation of advantages that a batch leaves as it was."""
_ROUNDS_OF_A_GAME = 5
"""A game has at least about this many rounds, on average over a few games."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a step was learned from.

    Parameters
    ----------
    rounds : int
    entropy, divergence : float
        Mean over the choices of discards: of the policy, and from the net at the start.
    explained : float
        Share of the variance of what rounds bring that the value net explains, by choice.
    """

    rounds: int
    entropy: float
    divergence: float
    explained: float


class Learner:
    """Learns by playing.

    Parameters
    ----------
    start : float32[weights]
        The net it begins as.
    settings : SelfPlaySettings
    placement : PlacementModel
    workers : int
        Threads.
    """

    def __init__(
        self, start: F32, settings: SelfPlaySettings, placement: PlacementModel, workers: int = 1
    ) -> None:
        self.start = start
        self.weights = start.copy()
        self.value = flat(new_arrays(VALUE_NET, np.random.default_rng([settings.seed, 1])))
        self.adam, self.value_adam = Adam([self.weights]), Adam([self.value])
        self.deviation = 1.0
        self.rounds = 0
        self.settings = settings
        self._placement = placement
        self._workers = workers
        self._notes: SimpleQueue[Any] = SimpleQueue()
        for _ in range(min(workers, PARTS)):
            self._notes.put(new_trajectories())

    @property
    def arrays(self) -> dict[str, Any]:
        """All that it has learned and needs to go on, by name."""
        return {
            "weights": self.weights,
            "value": self.value,
            "deviation": np.float64(self.deviation),
            "rounds": np.int64(self.rounds),
            **{f"adam.{name}": array for name, array in self.adam.memory().items()},
            **{f"value_adam.{name}": array for name, array in self.value_adam.memory().items()},
        }

    def restore(self, arrays: Any) -> None:
        """Go on from what `arrays` were."""
        self.weights[:], self.value[:] = arrays["weights"], arrays["value"]
        self.deviation, self.rounds = float(arrays["deviation"]), int(arrays["rounds"])
        for prefix, adam in (("adam.", self.adam), ("value_adam.", self.value_adam)):
            adam.recall({name: arrays[prefix + name] for name in adam.memory()})

    def step(self, older: F32, most: int) -> Step:
        """Play a batch and learn from it.

        Parameters
        ----------
        older : float32[weights]
            The net of an earlier generation, which sits in some games.
        most : int
            Rounds of the batch at most, rounded up to whole parts.
        """
        parts = self._play(older, min(most, self.settings.batch_after(self.rounds)))
        rate = self.settings.rate_after(self.rounds)
        if rate:
            self.adam.step([_mean_gradient(parts)], rate)
        self._learn_values(parts)
        advantages = np.concatenate([part.advantages for part in parts])
        share = _MEMORY if self.rounds else 0.0
        self.deviation = share * self.deviation + (1 - share) * max(float(advantages.std()), 1e-3)
        rounds = sum(part.rounds for part in parts)
        self.rounds += rounds
        return _summary(parts, rounds)

    def _play(self, older: F32, rounds: int) -> list[Part]:
        nets = Nets(self.weights, self.start, self.value, self.deviation)
        most = -(-rounds // PARTS)

        def play(part: int) -> Part:
            rng = np.random.default_rng([self.settings.seed, 2, self.rounds, part])
            count = most // _ROUNDS_OF_A_GAME + 1
            tables = new_games(rng, count, self.settings.mixed_share, self.settings.temperature)
            kit = new_kit(nets=[self.weights, self.start, older], examples=True, hidden=True)
            notes = self._notes.get()
            try:
                return learn_part(tables, kit, notes, most, nets, self._placement, self.settings)
            finally:
                self._notes.put(notes)

        with ThreadPool(min(self._workers, PARTS)) as pool:
            return list(pool.map(play, range(PARTS)))

    def _learn_values(self, parts: Sequence[Part]) -> None:
        """Go once through all choices with the value net."""
        context, hidden = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("context", "hidden")
        )
        targets = np.concatenate([part.targets for part in parts])
        order = np.random.default_rng([self.settings.seed, 3, self.rounds]).permutation(len(targets))
        for begin in range(0, len(order), VALUE_BATCH):
            which = order[begin : begin + VALUE_BATCH]
            gradient = np.zeros_like(self.value)
            add_value_gradient(self.value, VALUE_NET, context[which], hidden[which], targets[which], gradient)
            self.value_adam.step([gradient / np.float32(len(which))], self.settings.value_rate)


def _mean_gradient(parts: Sequence[Part]) -> F32:
    """Return the gradient of a batch: the mean over the choices of each net."""
    gradient: F32 = np.stack([part.gradient for part in parts]).sum(axis=0)
    for shape, sums in zip(shapes_of(gradient).values(), _sums(parts), strict=True):
        gradient[shape.start : shape.end] /= np.float32(max(sums[CHOICES], 1))
    return gradient


def _sums(parts: Sequence[Part]) -> F64:
    return np.asarray(np.sum([part.sums for part in parts], axis=0))


def _summary(parts: Sequence[Part], rounds: int) -> Step:
    discards = _sums(parts)[0]
    rewards, values = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("rewards", "values")
    )
    spread = max(float(rewards.var()), 1e-9)
    return Step(
        rounds,
        float(discards[ENTROPY] / max(discards[CHOICES], 1)),
        float(discards[DIVERGENCE] / max(discards[KL_CHOICES], 1)),
        1 - float((rewards - values).var()) / spread,
    )


def means(steps: Sequence[Step]) -> dict[str, float]:
    """Return the means of what steps were learned from, by name."""
    names = ("entropy", "divergence", "explained")
    return {name: float(np.mean([getattr(step, name) for step in steps])) for name in names}
