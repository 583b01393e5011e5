"""Learns the net of the discard policy: the gradient of its convolutions by hand, plain numpy.

Each suit of each decision is mirrored at random, 1 for 9 and 2 for 8: runs, pairs and safety stay what they
were, so every mirrored hand is one more to learn from.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from manue.arrays import F32, I8, I64, Bool
from manue.models.discard_policy import CHANNELS, COLUMNS, CONV_INPUTS, CONV_SIZES, NET, WIDTH
from manue.training.policy_examples import TrainingExamples
from manue.training.policy_net import (
    NOT_BIASES,
    Adam,
    Layers,
    Schedule,
    batch_of,
    descend,
    loss_and_slopes,
    new_arrays,
)

_AROUND = WIDTH // 2
_PLACES = len(CONV_SIZES)
_DECAYING = (*range(0, _PLACES, 2), *(_PLACES + at for at in NOT_BIASES))


@dataclass(frozen=True, slots=True)
class DiscardExamples:
    """Discards of strong players as the net sees them.

    Parameters
    ----------
    examples : TrainingExamples
        Without a context; the rows have only the features.
    kinds : int64[m]
        What each row discards.
    planes : int8[n, 34, len(PLANES)]
    """

    examples: TrainingExamples
    kinds: I64
    planes: I8


def new_discard_net(rng: np.random.Generator) -> tuple[Layers, Layers]:
    """Return random weights of all layers: He initialization, biases 0."""
    conv = []
    for size in CONV_SIZES:
        scale = np.sqrt(2.0 / size[0]) if len(size) == 2 else 0.0
        conv.append((scale * rng.standard_normal(size)).astype(np.float32))
    return conv, new_arrays(NET, rng)


def fit_discard_net(
    data: DiscardExamples, schedule: Schedule, rng: np.random.Generator, say: Callable[[str], None]
) -> tuple[Layers, Layers]:
    """Learn the net; as `manue.training.policy_net.fit`."""
    conv, dense = new_discard_net(rng)

    def gradient_of(which: I64) -> tuple[float, Layers]:
        """Return the loss over some choices, with suits mirrored at random, and its gradient."""
        planes = data.planes[which].astype(np.float32)
        kinds = kinds_of(data, which)
        choice_of_row = np.repeat(np.arange(len(which)), np.diff(data.examples.starts)[which])
        mirrored = mirrored_kinds(rng.random((len(which), 3)) < 0.5)
        planes = np.take_along_axis(planes, mirrored[:, :, None], 1)
        return discard_loss(conv, dense, data.examples, which, planes, mirrored[choice_of_row, kinds])

    adam = Adam([*conv, *dense], _DECAYING)
    descend(adam, gradient_of, len(data.examples), schedule, rng, say)
    return conv, dense


def kinds_of(data: DiscardExamples, which: I64) -> I64:
    """Return what the rows of some choices discard, one choice after the other."""
    starts = data.examples.starts
    return np.concatenate([data.kinds[starts[at] : starts[at + 1]] for at in which])


def mirrored_kinds(mirrored: Bool) -> I64:
    """Return the kind that each becomes when some suits are mirrored, 1 for 9, 2 for 8: int64[n, 34].

    Mirrored twice, all is as before.

    Parameters
    ----------
    mirrored : bool[n, 3]
        Whether each suit is.
    """
    places = np.tile(np.arange(34), (len(mirrored), 1))
    for suit in range(3):
        places[mirrored[:, suit], 9 * suit : 9 * suit + 9] = np.arange(9 * suit + 8, 9 * suit - 1, -1)
    return places


def discard_loss(
    conv: Layers, dense: Layers, examples: TrainingExamples, which: I64, planes: F32, kinds: I64
) -> tuple[float, Layers]:
    """Return the mean loss over some choices, and its gradient by the arrays of all layers.

    Parameters
    ----------
    conv, dense : list of float32 arrays
        The arrays of all layers.
    examples : TrainingExamples
    which : int64[n]
        Numbers of the choices.
    planes : float32[n, 34, len(PLANES)]
    kinds : int64[m]
        What the rows of these choices discard.
    """
    plain = batch_of(examples, which)
    layers = conv_layers(conv, planes)
    seen = layers[-1]
    rows = np.concatenate([plain.rows, seen[plain.choice_of_row, kinds]], 1)
    batch = replace(plain, context=seen.mean(1), rows=rows)
    loss, gradient, on_first = loss_and_slopes(dense, batch, declines=False)
    on_context, on_rows = dense[:2]
    on_mean = np.add.reduceat(on_first, plain.starts, axis=0) @ on_context.T
    slope = np.repeat(on_mean[:, None].astype(np.float32) / np.float32(34), 34, 1)
    # no two rows of a choice discard one kind
    slope[plain.choice_of_row, kinds] += on_first @ on_rows[COLUMNS:].T
    return loss, [*_conv_gradient(conv, layers, slope), *gradient]


def conv_layers(arrays: Layers, planes: F32) -> list[F32]:
    """Return the planes and what each layer makes of the kinds: float32[n, 34, CHANNELS]."""
    layers = [planes]
    for layer in range(len(CONV_INPUTS)):
        suits, suit_bias, honors, honor_bias = arrays[4 * layer : 4 * layer + 4]
        made = np.empty((len(planes), 34, CHANNELS), np.float32)
        made[:, :27] = (_windows(layers[-1]) @ suits + suit_bias).reshape(len(planes), 27, CHANNELS)
        made[:, 27:] = layers[-1][:, 27:] @ honors + honor_bias
        layers.append(np.maximum(made, 0, out=made))
    return layers


def _windows(seen: F32) -> F32:
    """Return the neighbours of every kind of a suit, one after the other: float32[n * 27, WIDTH * inputs]."""
    inputs = seen.shape[2]
    suits = seen[:, :27].reshape(-1, 9, inputs)
    padded = np.pad(suits, ((0, 0), (_AROUND, _AROUND), (0, 0)))
    windows = sliding_window_view(padded, WIDTH, axis=1).swapaxes(2, 3)
    return np.ascontiguousarray(windows).reshape(-1, WIDTH * inputs)


def _conv_gradient(arrays: Layers, layers: list[F32], slope: F32) -> Layers:
    """Return the gradient of the convolutions, from the slopes by their outputs."""
    gradient: Layers = []
    for layer in reversed(range(len(CONV_INPUTS))):
        suits, _, honors, _ = arrays[4 * layer : 4 * layer + 4]
        before = layers[layer]
        inputs = before.shape[2]
        slope *= layers[layer + 1] > 0
        on_suits = slope[:, :27].reshape(-1, CHANNELS)
        on_honors = slope[:, 27:].reshape(-1, CHANNELS)
        gradient = [
            _windows(before).T @ on_suits,
            on_suits.sum(0),
            before[:, 27:].reshape(-1, inputs).T @ on_honors,
            on_honors.sum(0),
            *gradient,
        ]
        if layer:
            spread = (on_suits @ suits.T).reshape(-1, 9, WIDTH, inputs)
            padded = np.zeros((len(spread), 9 + 2 * _AROUND, inputs), np.float32)
            for step in range(WIDTH):
                padded[:, step : step + 9] += spread[:, :, step]
            slope = np.empty_like(before)
            slope[:, :27] = padded[:, _AROUND : _AROUND + 9].reshape(len(before), 27, inputs)
            slope[:, 27:] = (on_honors @ honors.T).reshape(len(before), 7, inputs)
    return gradient
