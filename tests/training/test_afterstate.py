"""What the layer over the trials is learned from, and how far apart it sets options."""

from dataclasses import replace

import numpy as np
import pytest

from manue.estimate.afterstate_rows import COLUMNS
from manue.game.events import Discarded, RiichiDeclared
from manue.training.afterstate import fit_line, odds_in_play, unseen_odds
from manue.training.afterstate_rows import COLUMN, OTHER, WIN, Sample, declares
from manue.training.dataset import replay
from tests.conftest import GAMES, events_of


def test_the_discard_that_declares_riichi_is_seen():
    """Once it was never seen, so that no riichi won at once and ippatsu was worth nothing."""
    declared = 0
    for log in GAMES:
        events = events_of(log)
        scenes, _ = replay(events, log.name, seed=0)
        at = [i for i, event in enumerate(events) if isinstance(event, Discarded)]
        expected = [isinstance(events[i - 1], RiichiDeclared) for i in at]
        assert declares(scenes).tolist() == expected
        declared += sum(expected)
    assert declared > 5


@pytest.mark.parametrize(("slope", "shift"), [(0.3, 0.0), (1.2, -0.2)])
def test_finds_how_far_hands_stand_apart(slope, shift):
    rng = np.random.default_rng(1)
    size = 6_000
    gap = -np.minimum(rng.exponential(0.8, size), 6.0) * (rng.random(size) < 0.6)
    best = np.zeros((size, len(COLUMNS)), np.float32)
    best[:, COLUMN["dora"]] = rng.integers(0, 4, size)
    best[:, COLUMN["trial_prob"]] = 0.5
    best[:, COLUMN["shanten"]] = 1
    left = best.copy()
    left[:, COLUMN["trial_prob"]] = 1 / (1 + np.exp(-gap))
    odds = best[:, COLUMN["dora"]] - 1.5 + slope * gap
    won = rng.random(size) < 1 / (1 + np.exp(-odds))
    nothing = np.zeros(size)
    rows = Sample(
        left,
        best,
        np.where(won, WIN, OTHER).astype(np.int8),
        nothing,
        np.zeros((size, 4), np.bool_),
        nothing > 0,
        nothing.astype(np.int8),
        nothing > 0,
        np.zeros((size, 3, 4)),
        nothing > 0,
    )
    own, trees = unseen_odds(rows)
    found, moved = fit_line(rows, own, trees - shift)
    assert found == pytest.approx(slope, abs=0.15)
    assert moved == pytest.approx(shift + fit_line(rows, own, trees)[1], abs=0.01)
    ready = replace(rows, x=rows.x.copy(), best=rows.best.copy())
    ready.x[::2, COLUMN["shanten"]] = 0
    ready.best[::3, COLUMN["shanten"]] = 0
    found = odds_in_play(ready, own, trees, (slope, shift))
    by_itself = np.arange(size) % 6 == 0
    assert (found[by_itself] == own[by_itself]).all()
    assert found[~by_itself] == pytest.approx((trees + shift + slope * gap)[~by_itself], abs=1e-4)
