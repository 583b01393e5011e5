"""What the layer over the Monte Carlo draws learns from, and how it fits differences between options."""

from dataclasses import replace

import numpy as np
import pytest

from manue.features.afterstate import AT, COLUMNS
from manue.features.scene import declares_riichi
from manue.game.events import Discarded, RiichiDeclared
from manue.models.afterstate import OPPONENT_FACTS
from manue.training.afterstate_fits import LogOddsLine, fit_line, odds_in_play, unseen_odds
from manue.training.afterstate_sample import OTHER_RON, WIN, AfterstateSample
from manue.training.dataset import replay
from tests.conftest import GAMES, events_of


def test_the_discard_that_declares_riichi_is_found():
    """It was once never found, so no riichi won within a turn and ippatsu was worth nothing."""
    declared = 0
    for log in GAMES:
        events = events_of(log)
        scenes, _ = replay(events, log.name, seed=0)
        at = [i for i, event in enumerate(events) if isinstance(event, Discarded)]
        expected = [isinstance(events[i - 1], RiichiDeclared) for i in at]
        assert declares_riichi(scenes).tolist() == expected
        declared += sum(expected)
    assert declared > 5


@pytest.mark.parametrize(
    ("slopes", "by_preference", "shift"),
    [((0.3,) * 6, 0.0, 0.0), ((0.8, 0.2, 0.4, 0.6, 1.0, 1.5), 0.1, -0.2)],
)
def test_the_slopes_and_the_shift_of_compared_hands_are_found(slopes, by_preference, shift):
    rng = np.random.default_rng(1)
    size = 60_000
    riichi = rng.random(size) < 0.3
    threat = np.where(riichi, 1.0, rng.random(size) * 0.8)
    shanten = rng.integers(0, 6, size)
    calm = np.array(slopes)[np.minimum(shanten, 4)]
    slope = calm + (slopes[-1] - calm) * threat
    preference = rng.normal(0.0, 2.0, size)
    gap = -np.minimum(rng.exponential(0.8, size), 6.0) * (rng.random(size) < 0.6)
    best = np.zeros((size, len(COLUMNS)), np.float32)
    best[:, AT.dora] = rng.integers(0, 4, size)
    best[:, AT.mc_win_prob] = 0.5
    best[:, AT.shanten] = shanten
    best[:, AT.draws_before] = 3
    best[:, AT.tenpai_max] = threat
    best[:, AT.riichi_opponents] = riichi
    left = best.copy()
    left[:, AT.mc_win_prob] = 1 / (1 + np.exp(-gap))
    left[:, AT.shanten] = shanten + 1
    odds = best[:, AT.dora] - 1.5 + slope * gap + by_preference * (1.0 - threat) * preference
    won = rng.random(size) < 1 / (1 + np.exp(-odds))
    nothing = np.zeros(size)
    rows = AfterstateSample(
        left,
        best,
        preference,
        np.where(won, WIN, OTHER_RON).astype(np.int8),
        nothing,
        nothing,
        nothing > 0,
        np.zeros((size, 4), np.bool_),
        nothing > 0,
        nothing.astype(np.int8),
        np.zeros((size, 3, len(OPPONENT_FACTS))),
        nothing + 1.0,
        nothing > 0,
        np.arange(size),
        nothing > 0,
        nothing + 1.0,
    )
    own, trees = unseen_odds(rows)
    line = fit_line(rows, own, trees - shift)
    assert line.slope == pytest.approx(slopes, abs=0.25)
    assert line.preference == pytest.approx(by_preference, abs=0.02)
    assert line.shift == pytest.approx(shift + fit_line(rows, own, trees).shift, abs=0.01)
    mixed = replace(rows, x=rows.x.copy(), best=rows.best.copy())
    for hands in (mixed.x, mixed.best):
        hands[::6, AT.shanten] = 0
        hands[::6, AT.useful_tiles] = 1
        hands[4::6, AT.draws_before] = 0  # after a pass
    mixed.best[2::6, AT.mc_win_prob] = 0.0  # the draws never won
    found = odds_in_play(mixed, own, trees, LogOddsLine(np.array(slopes), by_preference, shift))
    by_itself = np.arange(size) % 2 == 0
    assert (found[by_itself] == own[by_itself]).all()
    ahead = slope * gap + by_preference * (1.0 - threat) * preference
    assert found[~by_itself] == pytest.approx((trees + shift + ahead)[~by_itself], abs=1e-4)
