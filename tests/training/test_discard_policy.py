"""The discard policy's trainer: what is measured, by the plainest means, and what the net learns."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.features.discard_policy import AT
from manue.features.kind_planes import PLANES
from manue.models.discard_policy import COLUMNS, CONV_SIZES, NET, DiscardPolicy
from manue.training import discard_policy
from manue.training.discard_net import DiscardExamples, discard_loss, kinds_of, mirrored_kinds
from manue.training.discard_policy import Decisions, _report, learn_net
from manue.training.framework import Run
from manue.training.policy_examples import TrainingExamples
from manue.training.policy_net import flat
from tests.training.watchers import Silent


def odds_of(x):
    """The log-odds of a discard, up to a constant."""
    return 3.0 * (x[:, 0] / 100.0 + np.abs(x[:, 1]))


def decisions(rng, number, most=9):
    """Decisions of 2 to ``most`` discards; two features, of far-off scales, decide which is likely."""
    sizes = rng.integers(2, most + 1, number)
    x = np.full((sizes.sum(), COLUMNS), 3.0, np.float32)
    x[:, :4] = rng.normal(size=(len(x), 4))
    x[:, 0] = 500.0 + 100.0 * x[:, 0]
    hidden = odds_of(x) + rng.gumbel(size=len(x))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    chosen = [int(np.argmax(hidden[start:end])) for start, end in pairwise(starts)]
    kinds = np.concatenate([rng.permutation(34)[:size] for size in sizes])
    planes = rng.integers(0, 2, (number, 34, len(PLANES))).astype(np.int8)
    return Decisions(x, starts, np.array(chosen), kinds, planes)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_measures_follow_their_definitions(seed):
    rng = np.random.default_rng(seed)
    rows = decisions(rng, 7)
    ratings = rng.integers(0, 4, len(rows.x)).astype(np.float64)
    hits, losses = rows.hits(ratings), []
    for number, (start, end) in enumerate(pairwise(rows.starts)):
        part = ratings[start:end].tolist()
        assert hits[number] == (part.index(max(part)) == rows.chosen[number])
        losses.append(-np.log(np.exp(part[rows.chosen[number]]) / np.exp(part).sum()))
    assert rows.log_loss(ratings) == pytest.approx(np.mean(losses))


def test_a_share_over_no_decision_was_nan_with_a_warning_of_numpy():
    """Held-out games in which nobody was in riichi, or as here somebody always was."""
    rows = decisions(np.random.default_rng(2), 5)
    assert (rows.x[:, AT.riichi_opponents] > 0).all()
    net = SimpleNamespace(ratings=lambda x, *_: np.zeros(len(x), np.float32))
    shares = [line for line in _report(net, rows, rows) if line.startswith("| the net")]
    assert len(shares) == 1
    assert shares[0].split(" | ")[2] == "-"


def test_a_part_keeps_its_decisions():
    rows = decisions(np.random.default_rng(1), 20)
    for wanted in (range(13), range(13, 20)):
        part = rows.part(wanted.start, wanted.stop)
        assert len(part) == len(wanted)
        for number, original in enumerate(wanted):
            mine = part.x[part.starts[number] : part.starts[number + 1]]
            there = slice(rows.starts[original], rows.starts[original + 1])
            assert np.array_equal(mine, rows.x[there])
            assert np.array_equal(
                part.kinds[part.starts[number] : part.starts[number + 1]], rows.kinds[there]
            )
            assert part.chosen[number] == rows.chosen[original]
            assert np.array_equal(part.planes[number], rows.planes[original])


def test_the_net_learns_what_decides(monkeypatch):
    """In ten epochs, as from many decisions: with smaller batches these, too, are enough steps."""
    monkeypatch.setattr(discard_policy, "BATCH", 64)
    monkeypatch.setattr(discard_policy, "_MIN_STEPS", 1)
    run = Run(None, 3, 1, Silent())
    seen = decisions(np.random.default_rng(5), 300)
    model = learn_net(decisions(np.random.default_rng(4), 2_000), run)
    ratings = seen.rated_by(model)
    one, both = seen.x[:, 0].astype(np.float64), odds_of(seen.x).astype(np.float64)
    assert seen.hits(one).mean() + 0.05 < seen.hits(ratings).mean() > 0.85 * seen.hits(both).mean()
    shares = model.shares(
        seen.x[: seen.starts[1]], seen.kinds[: seen.starts[1]], seen.planes[0].astype(np.float32)
    )
    assert shares.sum() == pytest.approx(1.0)
    assert seen.log_loss(ratings) < seen.log_loss(0.7 * ratings)  # neither too timid
    assert seen.log_loss(ratings) < seen.log_loss(1.5 * ratings)  # nor too sure


def plain_ratings(conv, dense, rows, kinds, planes, starts):
    """Rate by the definition, kind by kind, in double precision."""
    conv = [array.astype(np.float64) for array in conv]
    on_shared, on_rows, bias, second, second_bias, out, out_bias = [
        array.astype(np.float64) for array in dense
    ]
    found = []
    for hand, (start, end) in enumerate(pairwise(starts)):
        seen = planes[hand].astype(np.float64)
        for suits, suit_bias, honors, honor_bias in zip(*[iter(conv)] * 4, strict=True):
            made = []
            for kind in range(34):
                if kind < 27:
                    numbers = [kind % 9 + step for step in (-2, -1, 0, 1, 2)]
                    window = [
                        seen[kind - kind % 9 + number] if 0 <= number < 9 else np.zeros(seen.shape[1])
                        for number in numbers
                    ]
                    total = np.concatenate(window) @ suits + suit_bias
                else:
                    total = seen[kind] @ honors + honor_bias
                made.append(np.maximum(total, 0))
            seen = np.array(made)
        for row in range(start, end):
            inputs = np.concatenate([np.clip(rows[row], -2, 2), seen[kinds[row]]])
            first = np.maximum(inputs @ on_rows + seen.mean(0) @ on_shared + bias, 0)
            found.append(np.maximum(first @ second + second_bias, 0) @ out + out_bias[0])
    return np.array(found)


def some_net(rng):
    """Random weights of all layers, biases too."""
    conv = [rng.normal(0, 0.1, size).astype(np.float32) for size in CONV_SIZES]
    return conv, [rng.normal(0, 0.1, size).astype(np.float32) for size in NET.sizes]


@pytest.mark.parametrize(("number", "epochs"), [(100, 4311), (2_000, 215), (50_000, 10)])
def test_few_decisions_are_gone_through_more_often(monkeypatch, number, epochs):
    """As often as makes 400 steps of 1,024 decisions; but for one in 20 of them, which is kept apart."""
    schedules = []

    def fit(_examples, schedule, *_):
        schedules.append(schedule)
        return some_net(np.random.default_rng(1))

    monkeypatch.setattr(discard_policy, "fit_discard_net", fit)
    learn_net(decisions(np.random.default_rng(4), number), Run(None, 3, 1, Silent()))
    assert [schedule.epochs for schedule in schedules] == [epochs]


def test_ratings_are_those_of_the_layers():
    rng = np.random.default_rng(6)
    conv, dense = some_net(rng)
    some = decisions(rng, 6)
    some.x[:] = rng.normal(0, 2, some.x.shape)
    least, most = np.full(COLUMNS, -2.0, np.float32), np.full(COLUMNS, 2.0, np.float32)
    model = DiscardPolicy(flat(conv), flat(dense), least, most)
    wanted = plain_ratings(conv, dense, some.x, some.kinds, some.planes, some.starts)
    assert some.rated_by(model) == pytest.approx(wanted, rel=1e-4, abs=1e-4)


def test_the_gradient_is_that_of_the_loss():
    rng = np.random.default_rng(7)
    conv, dense = some_net(rng)
    some = decisions(rng, 5)
    examples = TrainingExamples(np.zeros((5, 0)), rng.normal(size=some.x.shape), some.starts, some.chosen)
    which = np.array([3, 0, 4])
    kinds = kinds_of(DiscardExamples(examples, some.kinds, some.planes), which)
    planes = rng.random((3, 34, len(PLANES))).astype(np.float32)
    _, gradient = discard_loss(conv, dense, examples, which, planes, kinds)
    arrays = [*conv, *dense]
    assert [slope.shape for slope in gradient] == [array.shape for array in arrays]
    for array, slope in zip(arrays, gradient, strict=True):
        size = float(np.linalg.norm(slope))
        step = (1e-3 * slope / max(size, 1e-12)).astype(np.float32)  # the last bias changes no share
        plain, losses = array.copy(), []
        for sign in (1, -1):
            array[...] = plain + sign * step
            losses.append(discard_loss(conv, dense, examples, which, planes, kinds)[0])
        array[...] = plain
        assert (losses[0] - losses[1]) / 2e-3 == pytest.approx(size, rel=0.03, abs=1e-3)


def test_a_suit_mirrored_twice_is_as_before():
    mirrored = mirrored_kinds(np.array([[True, False, True], [False, False, False]]))
    assert mirrored[0, [0, 8, 4, 9, 18, 33]].tolist() == [8, 0, 4, 9, 26, 33]
    assert np.array_equal(np.take_along_axis(mirrored, mirrored, 1), np.tile(np.arange(34), (2, 1)))
