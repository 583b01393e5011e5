"""Learning from play: gradients against differences and the trainer's own, advantages against a slow twin."""

from itertools import pairwise

import numpy as np
import pytest

from manue.sim.learning import (
    CHOICES,
    DIVERGENCE,
    LOSS,
    SUMS,
    add_policy_gradient,
    add_value_gradient,
    estimate_advantages,
    rate_values,
)
from manue.sim.net import CONTEXT_SIZE, NetShape
from manue.training.policy_net import batch_of, flat, loss_and_slopes, new_arrays
from tests.training.test_policy_net import some_choices

SHAPE = NetShape(0, 6, 5, 4)


def some_net(rng, shape=SHAPE):
    """A net whose units are plainly on or off: differences across the bend of a ReLU say nothing."""
    arrays = [array * np.float32(0.3) for array in new_arrays(shape, rng)]
    for bias in (arrays[2], arrays[4]):
        bias[:] = np.where(np.arange(len(bias)) % 3 == 1, -4, 3)
    return flat(arrays)


def learn(weights, anchor, choices, advantages, *, temperature, declines, kl_weight):
    gradient, sums = np.zeros_like(weights), np.zeros(SUMS)
    add_policy_gradient(
        weights,
        anchor,
        SHAPE,
        choices.context.astype(np.float32),
        choices.rows.astype(np.float32),
        choices.starts.astype(np.int32),
        choices.chosen.astype(np.int32),
        advantages,
        temperature,
        declines,
        kl_weight,
        gradient,
        sums,
    )
    return gradient, sums


def differences(loss_of, weights, places, step=2e-3):
    """Yield the places and the slopes there, by differences."""
    for at in places:
        moved = weights.copy(), weights.copy()
        moved[0][at] += step
        moved[1][at] -= step
        yield at, (loss_of(moved[0]) - loss_of(moved[1])) / float(moved[0][at] - moved[1][at])


@pytest.mark.parametrize("declines", [False, True])
@pytest.mark.parametrize("kl_weight", [0.0, 0.7])
def test_policy_gradient(declines, kl_weight):
    rng = np.random.default_rng(5)
    choices = some_choices(6, 40, rng, declines=declines)
    weights, anchor = some_net(rng), some_net(rng)
    advantages = rng.standard_normal(40).astype(np.float32)
    options = {"temperature": 0.6, "declines": declines, "kl_weight": kl_weight}
    gradient, sums = learn(weights, anchor, choices, advantages, **options)

    def loss_of(moved):
        return learn(moved, anchor, choices, advantages, **options)[1][LOSS]

    for at, slope in differences(loss_of, weights, rng.integers(0, len(weights), 60)):
        assert gradient[at] == pytest.approx(slope, rel=0.02, abs=0.005)
    assert np.abs(gradient).max() > 0.5
    assert (sums[DIVERGENCE] > 0) == (kl_weight > 0)


@pytest.mark.parametrize("declines", [False, True])
def test_with_equal_advantages_it_is_the_gradient_of_imitation(declines):
    rng = np.random.default_rng(6)
    choices = some_choices(6, 50, rng, declines=declines)
    arrays = new_arrays(SHAPE, rng)
    loss, slow, _ = loss_and_slopes(arrays, batch_of(choices, np.arange(50)), declines=declines)
    ones = np.ones(50, np.float32)
    fast, sums = learn(
        flat(arrays), flat(arrays), choices, ones, temperature=1.0, declines=declines, kl_weight=0.0
    )
    np.testing.assert_allclose(fast, 50 * flat(slow), rtol=1e-3, atol=1e-3)
    assert sums[LOSS] == pytest.approx(50 * loss, rel=1e-4)
    assert sums[CHOICES] <= 50


def test_nothing_pulls_a_net_from_itself():
    rng = np.random.default_rng(7)
    choices = some_choices(6, 30, rng, declines=True)
    weights = some_net(rng)
    gradient, sums = learn(
        weights, weights, choices, np.zeros(30, np.float32), temperature=0.5, declines=True, kl_weight=1.0
    )
    assert np.abs(gradient).max() < 1e-5
    assert sums[DIVERGENCE] == pytest.approx(0, abs=1e-5)


def test_value_gradient_and_values():
    rng = np.random.default_rng(8)
    shape = NetShape(0, 7, 6, 5)
    weights = some_net(rng, shape)
    context = rng.random((20, CONTEXT_SIZE)).astype(np.float32)
    hidden = rng.random((20, 7)).astype(np.float32)
    targets = rng.standard_normal(20).astype(np.float32)
    gradient = np.zeros_like(weights)
    error = add_value_gradient(weights, shape, context, hidden, targets, gradient)
    values = np.zeros(20, np.float32)
    rate_values(weights, shape, context, hidden, values)
    assert error == pytest.approx(((values - targets) ** 2).sum(), rel=1e-4)

    def loss_of(moved):
        unused = np.zeros_like(weights)
        return add_value_gradient(moved, shape, context, hidden, targets, unused) / 2

    for at, slope in differences(loss_of, weights, rng.integers(0, len(weights), 60)):
        assert gradient[at] == pytest.approx(slope, rel=0.05, abs=0.05)


def test_advantages():
    """Against the definition: the sum of all later changes of value, each counting by a power of lambda."""
    rng = np.random.default_rng(9)
    episodes = rng.integers(0, 5, 30)
    order = np.lexsort((np.arange(30), episodes))
    values = rng.standard_normal(30).astype(np.float32)
    rewards = rng.standard_normal(5).astype(np.float32)[episodes]
    found = np.zeros(30, np.float32)
    estimate_advantages(order, episodes, values, rewards, 0.9, found)
    for episode in range(5):
        places = np.flatnonzero(episodes == episode)
        said = [*values[places], rewards[places[0]]]
        changes = [after - before for before, after in pairwise(said)]
        wanted = [
            sum(0.9**later * change for later, change in enumerate(changes[at:])) for at in range(len(places))
        ]
        assert found[places] == pytest.approx(wanted, rel=1e-4)
