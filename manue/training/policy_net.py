"""Learns one net of the policy from choices: plain numpy, Adam, the gradient by hand.

The loss of a choice is minus the logarithm of the softmax share of what was chosen; for nets that may
decline, declining counts as an option rated 0.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from manue.arrays import F32, F64, I64
from manue.sim.net import NetShape
from manue.training.policy_examples import TrainingExamples

Layers = list[F32]
"""The arrays of a net in the order of `NetShape.sizes`."""
Floats = npt.NDArray[np.floating[Any]]
BATCH = 2048
"""Choices of a step, unless another number is given."""
_DECAY, _SQUARE_DECAY, _MIN = 0.9, 0.999, 1e-8
_LAST_RATE = 0.03
_REPORTED = 20
"""About how many of the epochs are reported, at most twice as many."""
NOT_BIASES = (0, 1, 3, 5)
"""Places of the arrays of a net that are not biases."""


def new_arrays(shape: NetShape, rng: np.random.Generator) -> Layers:
    """Return random weights: He initialization, biases 0."""
    arrays = []
    for size in shape.sizes:
        scale = np.sqrt(2.0 / max(size[0], 1)) if len(size) == 2 else 0.0
        arrays.append((scale * rng.standard_normal(size)).astype(np.float32))
    arrays[5] = (np.sqrt(1.0 / shape.last) * rng.standard_normal(shape.last)).astype(np.float32)
    return arrays


def flat(arrays: Layers) -> F32:
    """Return the weights as kernels read them: float32[n]."""
    return np.concatenate([array.reshape(-1) for array in arrays])


@dataclass(frozen=True, slots=True)
class Batch:
    """Choices as inputs of a net: the context of each, and all their options."""

    context: F32
    rows: F32
    choice_of_row: I64
    """int64[m]: the choice that each option belongs to."""
    starts: I64
    chosen: I64
    """int64[n]: the row chosen, -1 for none."""


def batch_of(choices: TrainingExamples, which: I64) -> Batch:
    """Gather some choices: those with the numbers int64[n]."""
    sizes = (choices.starts[1:] - choices.starts[:-1])[which]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    choice_of_row = np.repeat(np.arange(len(which)), sizes)
    at = np.arange(starts[-1]) - starts[choice_of_row] + choices.starts[which][choice_of_row]
    chosen = choices.chosen[which]
    return Batch(
        choices.context[which].astype(np.float32),
        choices.rows[at].astype(np.float32),
        choice_of_row,
        starts[:-1],
        np.where(chosen < 0, -1, chosen + starts[:-1]),
    )


def shares(ratings: Floats, batch: Batch, *, declines: bool) -> Floats:
    """Return the share of each option under the softmax."""
    most = np.maximum.reduceat(ratings, batch.starts)
    if declines:
        most = np.maximum(most, 0)
    odds = np.exp(ratings - most[batch.choice_of_row])
    total = np.add.reduceat(odds, batch.starts)
    if declines:
        total += np.exp(-most)
    return np.asarray(odds / total[batch.choice_of_row])


def loss_and_slopes(arrays: Layers, batch: Batch, *, declines: bool) -> tuple[float, Layers, Floats]:
    """Return the mean loss over the choices, its gradient, and its slopes by the sums of the first layer.

    Returns
    -------
    float, list of float32 arrays, float32[options, units]
    """
    first, last = _layers(arrays, batch)
    *_, second, _, out, out_bias = arrays
    share = shares(last @ out + out_bias, batch, declines=declines)
    taken = batch.chosen >= 0
    rows = batch.chosen[taken]
    declined = 1.0 - np.add.reduceat(share, batch.starts)[~taken]
    likely = np.concatenate([share[rows], declined])
    loss = -float(np.log(np.maximum(likely, 1e-12)).mean())
    slope = share.copy()
    slope[rows] -= 1.0
    slope /= len(batch.starts)
    on_last = np.outer(slope, out) * (last > 0)
    on_first = (on_last @ second.T) * (first > 0)
    per_choice = np.add.reduceat(on_first, batch.starts, axis=0)
    gradient: list[Any] = [
        batch.context.T @ per_choice,
        batch.rows.T @ on_first,
        per_choice.sum(0),
        first.T @ on_last,
        on_last.sum(0),
        last.T @ slope,
        slope.sum(keepdims=True),
    ]
    return loss, gradient, on_first


def _layers(arrays: Layers, batch: Batch) -> tuple[F32, F32]:
    """Return what both layers make of all options: float32[options, units], float32[options, last]."""
    on_context, on_rows, bias, second, second_bias, *_ = arrays
    first = batch.rows @ on_rows + (batch.context @ on_context + bias)[batch.choice_of_row]
    np.maximum(first, 0, out=first)
    last = first @ second + second_bias
    return first, np.maximum(last, 0, out=last)


class Adam:
    """Steps of Adam, in place.

    Parameters
    ----------
    arrays : list of float32 arrays
    decaying : sequence of int
        Places of those that are not biases.
    """

    def __init__(self, arrays: Layers, decaying: Sequence[int] = NOT_BIASES) -> None:
        self._arrays = arrays
        self._decaying = decaying
        self._mean = [np.zeros_like(array) for array in arrays]
        self._square = [np.zeros_like(array) for array in arrays]
        self._steps = 0

    def memory(self) -> dict[str, npt.NDArray[Any]]:
        """Return what it needs to go on later, by name."""
        lists = {"mean": self._mean, "square": self._square}
        arrays = {f"{name}.{at}": array for name, held in lists.items() for at, array in enumerate(held)}
        return {"steps": np.array(self._steps), **arrays}

    def recall(self, memory: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from a memory."""
        self._steps = int(memory["steps"])
        for name, held in (("mean", self._mean), ("square", self._square)):
            for at, array in enumerate(held):
                array[...] = memory[f"{name}.{at}"]

    def step(self, gradient: Layers, rate: float, decay: float = 0.0) -> None:
        """Go one step; weights, not biases, shrink by the rate times the decay.

        Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.
        """
        for at in self._decaying if decay else ():
            self._arrays[at] *= 1.0 - rate * decay
        self._steps += 1
        rate *= np.sqrt(1 - _SQUARE_DECAY**self._steps) / (1 - _DECAY**self._steps)
        for at, slope in enumerate(gradient):
            self._mean[at] += (1 - _DECAY) * (slope - self._mean[at])
            self._square[at] += (1 - _SQUARE_DECAY) * (slope * slope - self._square[at])
            self._arrays[at] -= rate * self._mean[at] / (np.sqrt(self._square[at]) + _MIN)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast a net learns.

    Parameters
    ----------
    epochs : int
    rate : float
        At the start; falls along a cosine to a few percent.
    decay : float
        Of the weights, for each step of rate 1.
    batch : int
        Choices of a step.
    """

    epochs: int
    rate: float
    decay: float = 0.0
    batch: int = BATCH


def fit(
    shape: NetShape,
    choices: TrainingExamples,
    schedule: Schedule,
    rng: np.random.Generator,
    say: Callable[[str], None],
    *,
    declines: bool,
) -> Layers:
    """Learn a net.

    Parameters
    ----------
    shape : NetShape
    choices : TrainingExamples
    schedule : Schedule
    rng : numpy.random.Generator
    say : callable
        Called with a few words after epochs: after each, or after one in several if there are many.
    declines : bool
        Whether none of the options may be chosen.
    """
    arrays = new_arrays(shape, rng)

    def gradient_of(which: I64) -> tuple[float, Layers]:
        """Return the loss over some choices, and its gradient."""
        return loss_and_slopes(arrays, batch_of(choices, which), declines=declines)[:2]

    descend(Adam(arrays), gradient_of, len(choices), schedule, rng, say)
    return arrays


def descend(
    adam: Adam,
    gradient_of: Callable[[I64], tuple[float, Layers]],
    count: int,
    schedule: Schedule,
    rng: np.random.Generator,
    say: Callable[[str], None],
) -> None:
    """Learn from ``count`` choices in batches.

    ``gradient_of`` returns the loss over the choices with the numbers int64[n], and its gradient.
    """
    total = max(1, schedule.epochs * -(-count // schedule.batch))
    steps = 0
    for epoch in range(schedule.epochs):
        losses = []
        for which in _batches(count, schedule.batch, rng):
            now = _LAST_RATE + (1 - _LAST_RATE) * 0.5 * (1 + np.cos(np.pi * steps / total))
            loss, gradient = gradient_of(which)
            adam.step(gradient, schedule.rate * now, schedule.decay)
            losses.append(loss)
            steps += 1
        done = epoch + 1
        if done % max(schedule.epochs // _REPORTED, 1) == 0 or done == schedule.epochs:
            say(f"epoch {done} of {schedule.epochs}: loss {np.mean(losses):.4f}")


def _batches(count: int, size: int, rng: np.random.Generator) -> Iterator[I64]:
    order = rng.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def ratings_of(arrays: Layers, batch: Batch) -> F32:
    """Rate all options: float32[options]."""
    *_, out, out_bias = arrays
    return np.asarray(_layers(arrays, batch)[1] @ out + out_bias, np.float32)


def picks(arrays: Layers, choices: TrainingExamples, *, declines: bool) -> tuple[I64, F64]:
    """Return which option is rated highest in each choice, and the share of what was chosen.

    Returns
    -------
    int64[n], float64[n]
        The option by number, -1 for none.
    """
    picked, likely = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    for start in range(0, len(choices), BATCH):
        batch = batch_of(choices, np.arange(start, min(start + BATCH, len(choices))))
        ratings = ratings_of(arrays, batch)
        share = shares(ratings, batch, declines=declines)
        highest = np.lexsort((-ratings, batch.choice_of_row))[batch.starts]
        best = highest - batch.starts
        picked.append(np.where(ratings[highest] > 0, best, -1) if declines else best)
        declined = 1.0 - np.add.reduceat(share, batch.starts)
        likely.append(np.where(batch.chosen >= 0, share[np.maximum(batch.chosen, 0)], declined))
    return np.concatenate(picked), np.concatenate(likely).astype(np.float64)
