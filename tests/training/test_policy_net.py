"""The gradient of the policy net is that of its loss; kernels rate as the trainer does; a net learns."""

import numpy as np
import pytest

from manue.sim.kit import new_kit
from manue.sim.net import (
    CONTEXT_SIZE,
    SHAPES,
    WIDE_SHAPES,
    NetShape,
    rate_call_rows,
    rate_discard_rows,
    rate_riichi_row,
)
from manue.training.policy_examples import TrainingExamples
from manue.training.policy_net import (
    Adam,
    Schedule,
    batch_of,
    descend,
    fit,
    flat,
    loss_and_slopes,
    new_arrays,
    picks,
    ratings_of,
)


def some_choices(columns, count, rng, *, declines):
    sizes = rng.integers(1, 5, count)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    chosen = rng.integers(-1 if declines else 0, sizes)
    context = rng.random((count, CONTEXT_SIZE)).astype(np.float16)
    return TrainingExamples(context, rng.random((starts[-1], columns)).astype(np.float16), starts, chosen)


@pytest.mark.parametrize("declines", [False, True])
def test_gradient(declines):
    rng = np.random.default_rng(3)
    shape = NetShape(0, 6, 5, 4)
    batch = batch_of(some_choices(6, 30, rng, declines=declines), np.arange(30))
    arrays = [array.astype(np.float64) + 0.1 for array in new_arrays(shape, rng)]
    _, gradient, _ = loss_and_slopes(arrays, batch, declines=declines)
    for array, slopes in zip(arrays, gradient, strict=True):
        assert array.shape == slopes.shape
        for _ in range(5):
            at = tuple(rng.integers(0, size) for size in array.shape)
            losses = []
            for step in (1e-5, -2e-5):
                array[at] += step
                losses.append(loss_and_slopes(arrays, batch, declines=declines)[0])
            array[at] += 1e-5
            assert (losses[0] - losses[1]) / 2e-5 == pytest.approx(slopes[at], rel=0.02, abs=2e-4)


@pytest.mark.parametrize("shapes", [SHAPES, WIDE_SHAPES], ids=["narrow", "wide"])
@pytest.mark.parametrize("name", SHAPES)
def test_kernels_rate_as_the_trainer_does(name, shapes):
    rng = np.random.default_rng(4)
    rows = {other: new_arrays(shape, rng) for other, shape in shapes.items()}
    for arrays in rows.values():
        for array in arrays:
            array[...] += rng.normal(0, 0.1, array.shape).astype(np.float32)
    kit = new_kit(nets=[np.concatenate([flat(arrays) for arrays in rows.values()])])
    choices = some_choices(SHAPES[name].columns, 12, rng, declines=False)
    for at in range(12):
        batch = batch_of(choices, np.array([at]))
        n = 1 if name == "riichi" else len(batch.rows)
        kit["context"][:] = batch.context[0]
        kit["rows"][:n, : batch.rows.shape[1]] = batch.rows[:n]
        if name == "discard":
            rate_discard_rows(kit, 0, n)
        elif name == "riichi":
            rate_riichi_row(kit, 0)
        else:
            rate_call_rows(kit, 0, n)
        np.testing.assert_allclose(
            kit["ratings"][:n], ratings_of(rows[name], batch)[:n], rtol=1e-3, atol=1e-3
        )


def test_a_net_learns_what_is_chosen():
    rng = np.random.default_rng(6)
    choices = some_choices(6, 6000, rng, declines=False)
    chosen = [
        int(choices.rows[start:end, 2].argmax())
        for start, end in zip(choices.starts[:-1], choices.starts[1:], strict=True)
    ]
    choices = TrainingExamples(choices.context, choices.rows, choices.starts, np.array(chosen))
    schedule = Schedule(epochs=80, rate=1e-2)
    arrays = fit(NetShape(0, 6, 16, 8), choices, schedule, rng, lambda _text: None, declines=False)
    picked, likely = picks(arrays, choices, declines=False)
    assert (picked == choices.chosen).mean() > 0.9
    assert likely.mean() > 0.8


def test_weights_decay_and_biases_do_not():
    shape = NetShape(0, 6, 5, 4, context=0)
    arrays = new_arrays(shape, np.random.default_rng(5))
    arrays[2][:] = 1.0
    before = [array.copy() for array in arrays]
    Adam(arrays).step([np.zeros_like(array) for array in arrays], 0.1, decay=0.5)
    for at, (array, old) in enumerate(zip(arrays, before, strict=True)):
        assert array == pytest.approx(old if array.ndim == 1 and at != 5 else 0.95 * old)


@pytest.mark.parametrize(("epochs", "lines"), [(14, 14), (1_119, 21)])
def test_few_decisions_that_are_gone_through_often_printed_a_line_each_time(epochs, lines):
    """A thousand of the net of the discard policy, where there are few games."""
    said = []
    nothing = [np.zeros(1, np.float32)]
    schedule = Schedule(epochs, 1e-3)
    descend(Adam(nothing, ()), lambda _: (0.5, nothing), 1, schedule, np.random.default_rng(0), said.append)
    assert len(said) == lines
    assert said[-1] == f"epoch {epochs} of {epochs}: loss 0.5000"
