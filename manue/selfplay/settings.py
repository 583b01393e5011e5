"""What determines a course of learning from play."""

from dataclasses import dataclass

from manue.errors import UsageError
from manue.sim.trajectories import ROUNDS

PARTS = 4
"""Parts of a batch, which may be played side by side; a batch is the same with any number of workers."""


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """How a course of learning goes: the same settings give the same nets from the same net.

    Parameters
    ----------
    seed : int
        Of all random choices.
    generation : int
        Rounds of a generation.
    batch, small_batch : int
        Rounds from which a step is learned, and the same in the first ``small_until`` rounds; at most 2048.
    small_until : int
    head_start : int
        Rounds from which only the value net learns.
    temperature : float
        By which ratings are divided before the learner chooses at random by their softmax, above 0.
    rate, value_rate : float
        Learning rates of the policy and of the value net.
    rate_half : int
        Rounds after which the policy's rate is half of what it was: it falls as 1 / (1 + rounds / rate_half).
    gae_lambda : float
        Lambda of the advantage estimates, 0..1 (`manue.sim.learning.estimate_advantages`).
    kl_weight : float
        Weight of the divergence from the net at the start, 0 or more.
    mixed_share : float
        Share of the games in which two seats are taken by another player: the net at the start, an earlier
        generation, or `greedy`.
    place_share : float
        Share of the reward that is the change of the expected place, 0..1; the rest is points.
    """

    seed: int = 0
    generation: int = 60_000
    batch: int = 2_000
    small_batch: int = 500
    small_until: int = 120_000
    head_start: int = 8_000
    temperature: float = 0.6
    rate: float = 8e-4
    value_rate: float = 1e-3
    rate_half: int = 200_000
    gae_lambda: float = 0.93
    kl_weight: float = 0.01
    mixed_share: float = 0.2
    place_share: float = 0.5

    def __post_init__(self) -> None:
        """Check the numbers a user may give; raises UsageError."""
        if self.generation < PARTS:
            raise UsageError(f"a generation has at least {PARTS} rounds, not {self.generation}")
        if self.seed < 0:
            raise UsageError(f"the seed must not be negative: {self.seed}")
        if max(self.batch, self.small_batch) > PARTS * ROUNDS:
            raise UsageError(f"a batch has at most {PARTS * ROUNDS} rounds")

    def batch_after(self, rounds: int) -> int:
        """Return how many rounds the batch has that begins after ``rounds`` rounds."""
        return self.small_batch if rounds < self.small_until else self.batch

    def rate_after(self, rounds: int) -> float:
        """Return the learning rate of the policy after ``rounds`` rounds; 0 in the head start."""
        return 0.0 if rounds < self.head_start else self.rate / (1 + rounds / self.rate_half)
