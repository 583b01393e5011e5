"""What learning from play needs as kernels: values of choices, advantages, and the gradients of both nets.

The policy is the softmax of the ratings divided by a temperature. Its loss is the advantage times minus the
logarithm of the share of what was chosen, plus a weight times the divergence of the policy from that of a net
which it should not leave (Kullback-Leibler, ``sum q log(q / p)`` with q of that net). Advantages are
generalized advantage estimates (Schulman and others, "High-dimensional continuous control using generalized
advantage estimation", 2016).
"""

import numpy as np

from manue.arrays import F32, F64, I32, I64
from manue.compiled import compiled, inlined
from manue.sim.net import CONTEXT_SIZE, NetShape, rate_rows
from manue.sim.table import MAX_OPTIONS

KL_EVERY = 3
"""The divergence is measured at one choice in this many, with this many times the weight."""
LOSS, ENTROPY, DIVERGENCE, CHOICES, KL_CHOICES = range(5)
"""Sums of `add_policy_gradient`."""
SUMS = 5
_LEAST_SHARE = 1e-12
"""Shares count as at least this in logarithms."""


@compiled
def estimate_advantages(
    order: I64, episodes: I64, values: F32, rewards: F32, gae_lambda: float, advantages: F32
) -> None:
    """Fill the advantage of each choice; its sum with the value is what the value net should have said.

    Parameters
    ----------
    order : int64[n]
        The choices, those of an episode one after the other.
    episodes : int64[n]
        Number of the episode, by choice.
    values, rewards : float32[n]
        What the value net says; what the episode brought in the end.
    gae_lambda : float
        Lambda of the estimates: the share of the next choice's advantage that counts for a choice, 0..1.
    advantages : float32[n]
        Filled.
    """
    advantage = 0.0
    for place in range(len(order) - 1, -1, -1):
        at = order[place]
        if place + 1 == len(order) or episodes[order[place + 1]] != episodes[at]:
            advantage = float(rewards[at]) - values[at]
        else:
            advantage = float(values[order[place + 1]]) - values[at] + gae_lambda * advantage
        advantages[at] = advantage


@compiled
def rate_values(weights: F32, shape: NetShape, context: F32, hidden: F32, values: F32) -> None:
    """Fill what a value net says: float32[n], from float32[n, CONTEXT_SIZE] and float32[n, columns]."""
    base = np.empty(shape.units, np.float32)
    first, second = np.empty((1, shape.units), np.float32), np.empty((1, shape.last), np.float32)
    for at in range(len(values)):
        rate_rows(
            weights, context[at], hidden[at : at + 1], values[at : at + 1], base, first, second, 1,
            shape.start, shape.columns, shape.units, shape.last,
        )  # fmt: skip


@compiled
def add_value_gradient(
    weights: F32, shape: NetShape, context: F32, hidden: F32, targets: F32, gradient: F32
) -> float:
    """Add the gradient of half the squared error, summed over choices; return the sum of squared errors.

    Parameters
    ----------
    weights, gradient : float32[n]
        The row of weights that has the value net; what is added to.
    context : float32[choices, CONTEXT_SIZE]
    hidden : float32[choices, HIDDEN_SIZE]
    targets : float32[choices]
        What followed.
    """
    transposed = _transposed(weights, shape)
    base = np.empty(shape.units, np.float32)
    first, second = np.empty((1, shape.units), np.float32), np.empty((1, shape.last), np.float32)
    rating, slope = np.empty(1, np.float32), np.empty(1, np.float32)
    total = 0.0
    for at in range(len(targets)):
        row = hidden[at : at + 1]
        rate_rows(
            weights, context[at], row, rating, base, first, second, 1,
            shape.start, shape.columns, shape.units, shape.last,
        )  # fmt: skip
        slope[0] = rating[0] - targets[at]
        total += float(slope[0]) * slope[0]
        _add_slopes(weights, transposed, shape, context[at], row, slope, first, second, 1, gradient)
    return total


@compiled
def add_policy_gradient(
    weights: F32,
    anchor: F32,
    shape: NetShape,
    context: F32,
    rows: F32,
    starts: I32,
    chosen: I32,
    advantages: F32,
    temperature: float,
    declines: bool,  # noqa: FBT001
    kl_weight: float,
    gradient: F32,
    sums: F64,
) -> None:
    """Add the gradient of the policy's loss, summed over the choices of one net.

    Parameters
    ----------
    weights, anchor : float32[:]
        The net that learns, and the one from which its policy is not to diverge.
    shape : NetShape
        The place and the shape of the net in both.
    context : float32[n, CONTEXT_SIZE]
    rows : float32[m, columns]
    starts : int32[n + 1]
        First row of each choice.
    chosen : int32[n]
        Which option, -1 for none.
    advantages : float32[n]
    temperature : float
        By which ratings are divided, above 0.
    declines : bool
        Whether none of the options may be chosen, which is rated 0.
    kl_weight : float
        Weight of the divergence, 0 or more.
    gradient : float32[:]
        Of the length of ``weights``; added to.
    sums : float64[SUMS]
        Added to, by number: `LOSS`, `ENTROPY` of the policy, `DIVERGENCE`, `CHOICES` (how many), and
        `KL_CHOICES`, how many of these the divergence was measured at.
    """
    transposed = _transposed(weights, shape)
    base = np.empty(shape.units, np.float32)
    first = np.empty((MAX_OPTIONS, shape.units), np.float32)
    second = np.empty((MAX_OPTIONS, shape.last), np.float32)
    shares, others = np.empty(MAX_OPTIONS, np.float32), np.empty(MAX_OPTIONS, np.float32)
    slopes = np.empty(MAX_OPTIONS, np.float32)
    for choice in range(len(chosen)):
        begin, n = int(starts[choice]), int(starts[choice + 1] - starts[choice])
        if n == 1 and not declines:
            continue
        scene, options = context[choice], rows[begin : begin + n]
        is_measured, other = kl_weight > 0 and choice % KL_EVERY == 0, 0.0
        if is_measured:
            other = _shares(
                anchor, shape, scene, options, n, temperature, declines, others, base, first, second
            )
        left = _shares(weights, shape, scene, options, n, temperature, declines, shares, base, first, second)
        _add_choice(shares, left, n, int(chosen[choice]), advantages[choice], temperature, slopes, sums)
        if is_measured:
            _add_divergence(shares, left, others, other, n, temperature, kl_weight, slopes, sums)
        _add_slopes(weights, transposed, shape, scene, options, slopes, first, second, n, gradient)


@inlined
def _add_choice(
    shares: F32,
    left: float,
    n: int,
    chosen: int,
    advantage: np.float32,
    temperature: float,
    slopes: F32,
    sums: F64,
) -> None:
    """Set the slopes of the loss in the ratings of n options by what was chosen, and add to the sums."""
    likely = shares[chosen] if chosen >= 0 else left
    sums[LOSS] -= advantage * np.log(max(likely, _LEAST_SHARE))
    sums[ENTROPY] -= left * np.log(max(left, _LEAST_SHARE))
    sums[CHOICES] += 1
    for at in range(n):
        sums[ENTROPY] -= shares[at] * np.log(max(shares[at], _LEAST_SHARE))
        slopes[at] = advantage * (shares[at] - np.float32(at == chosen)) / temperature


@inlined
def _add_divergence(
    shares: F32,
    left: float,
    others: F32,
    other: float,
    n: int,
    temperature: float,
    kl_weight: float,
    slopes: F32,
    sums: F64,
) -> None:
    """Add the divergence from the anchor's shares, ``others`` and ``other`` for declining."""
    divergence = other * np.log(max(other, _LEAST_SHARE) / max(left, _LEAST_SHARE))
    for at in range(n):
        divergence += others[at] * np.log(max(others[at], _LEAST_SHARE) / max(shares[at], _LEAST_SHARE))
        slopes[at] += KL_EVERY * kl_weight * (shares[at] - others[at]) / temperature
    sums[DIVERGENCE] += divergence
    sums[KL_CHOICES] += 1
    sums[LOSS] += KL_EVERY * kl_weight * divergence


@compiled
def _shares(
    weights: F32,
    shape: NetShape,
    context: F32,
    rows: F32,
    n: int,
    temperature: float,
    declines: bool,  # noqa: FBT001
    shares: F32,
    base: F32,
    first: F32,
    second: F32,
) -> float:
    """Fill the shares of n options; return that of declining."""
    rate_rows(
        weights, context, rows, shares, base, first, second, n,
        shape.start, shape.columns, shape.units, shape.last,
    )  # fmt: skip
    most = 0.0 if declines else float(shares[0])
    for at in range(n):
        most = max(most, float(shares[at]))
    left = np.exp(-most / temperature) if declines else 0.0
    total = left
    for at in range(n):
        shares[at] = np.exp((shares[at] - most) / temperature)
        total += shares[at]
    for at in range(n):
        shares[at] /= total
    return float(left / total)


@inlined
def _transposed(weights: F32, shape: NetShape) -> F32:
    """Return the weights of the second layer by its units: what goes back through it then lies in line."""
    at = shape.start + (CONTEXT_SIZE + shape.columns + 1) * shape.units
    out = np.empty((shape.last, shape.units), np.float32)
    for unit in range(shape.units):
        for place in range(shape.last):
            out[place, unit] = weights[at + unit * shape.last + place]
    return out


@compiled
def _add_slopes(
    weights: F32,
    transposed: F32,
    shape: NetShape,
    context: F32,
    rows: F32,
    slopes: F32,
    first_layers: F32,
    second_layers: F32,
    n: int,
    gradient: F32,
) -> None:
    """Go back through a net from the slopes of the loss in the ratings of n rows, whose layers are kept."""
    units, last = shape.units, shape.last
    rows_at = shape.start + CONTEXT_SIZE * units
    bias_at = rows_at + shape.columns * units
    second_at = bias_at + units
    second_bias = second_at + units * last
    out_at = second_bias + last
    on_context, on_first = np.zeros(units, np.float32), np.empty(units, np.float32)
    on_last = np.empty(last, np.float32)
    for row in range(n):
        slope = slopes[row]
        first, second = first_layers[row], second_layers[row]
        gradient[out_at + last] += slope
        on_first[:] = np.float32(0.0)
        for place in range(last):
            value = second[place]
            on_last[place] = np.float32(0.0)
            if value > 0:
                gradient[out_at + place] += slope * value
                on_last[place] = slope * weights[out_at + place]
                gradient[second_bias + place] += on_last[place]
                _add_multiple(on_first, on_last[place], transposed[place])
        for unit in range(units):
            if first[unit] > 0:
                _add_multiple(gradient[second_at + unit * last : second_bias], first[unit], on_last)
            else:
                on_first[unit] = np.float32(0.0)
        _add_multiple(on_context, np.float32(1.0), on_first)
        for column in range(shape.columns):
            value = rows[row, column]
            if value != 0:
                _add_multiple(gradient[rows_at + column * units : bias_at], value, on_first)
    _add_multiple(gradient[bias_at:second_at], np.float32(1.0), on_context)
    for column in range(CONTEXT_SIZE):
        value = context[column]
        if value != 0:
            _add_multiple(gradient[shape.start + column * units : rows_at], value, on_context)


@inlined
def _add_multiple(total: F32, factor: np.float32, line: F32) -> None:
    for place in range(len(line)):
        total[place] += factor * line[place]
