"""What the layer over the Monte Carlo draws learns from, and how it fits differences between options."""

from dataclasses import replace

import numpy as np
import pytest

from manue.features.afterstate import AT, COLUMNS
from manue.features.scene import declares_riichi
from manue.game.events import Discarded, RiichiDeclared
from manue.models.afterstate import AT_FACTS, OPPONENT_FACTS
from manue.training import afterstate_fits
from manue.training.afterstate_fits import (
    LogOddsLine,
    fit_draw_tenpai,
    fit_line,
    odds_in_play,
    unseen_odds,
)
from manue.training.afterstate_report import draw_tenpai_lines
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


def empty_sample(size):
    """Rows of games of which nothing is known, each of another group."""
    nothing, no = np.zeros(size), np.zeros(size, np.bool_)
    left = np.zeros((size, len(COLUMNS)), np.float32)
    return AfterstateSample(
        left,
        left,
        nothing,
        nothing.astype(np.int8),
        nothing,
        nothing,
        no,
        np.zeros((size, 4), np.bool_),
        no,
        nothing.astype(np.int8),
        np.zeros((size, 3, len(OPPONENT_FACTS))),
        nothing + 1.0,
        no,
        np.arange(size),
        no,
        nothing + 1.0,
    )


@pytest.mark.parametrize(
    "weights", [(0.7, -0.9, 0.5, -1.2), (0.0, 0.0, 0.0, 0.0)], ids=["as learned", "as it is now"]
)
def test_how_an_opponents_tenpai_at_a_draw_follows_from_what_is_known_is_found(weights):
    """It once depended on P(tenpai) now to the same degree whether 60 tiles were left or none."""
    size, rng = 40_000, np.random.default_rng(3)
    facts = np.zeros((size, 3, len(OPPONENT_FACTS)))
    facts[..., AT_FACTS.tenpai] = rng.random((size, 3))
    facts[::5, 0, AT_FACTS.tenpai] = 1.0
    facts[..., AT_FACTS.tiles_left] = rng.integers(0, 70, (size, 1))
    facts[np.arange(size), rng.integers(0, 3, size), AT_FACTS.dealer] = 1.0
    left = np.zeros((size, len(COLUMNS)), np.float32)
    left[:, AT.riichi], left[:, AT.riichi_opponents] = rng.random(size) < 0.1, facts[:, 0, 0] == 1.0
    riichi = left[:, AT.riichi].astype(float) + left[:, AT.riichi_opponents]
    now = facts[..., AT_FACTS.tenpai].clip(1e-3, 1 - 1e-3)
    logit = np.log(now / (1 - now))
    share = np.sqrt(facts[..., AT_FACTS.tiles_left] / 70)
    shift = weights[0] + weights[1] * logit + weights[2] * facts[..., AT_FACTS.dealer]
    odds = logit + share * (shift + weights[3] * riichi[:, None])
    tenpai = np.ones((size, 4), np.bool_)
    tenpai[:, 1:] = (rng.random((size, 3)) < 1 / (1 + np.exp(-odds))) | (facts[..., AT_FACTS.tenpai] == 1.0)
    rows = replace(
        empty_sample(size), x=left, opponents=facts, tenpai=tenpai, exhausted=np.ones(size, np.bool_)
    )
    assert fit_draw_tenpai(rows) == pytest.approx(weights, abs=0.1)
    constant, now_only, in_play = list(draw_tenpai_lines(rows, np.array(weights)))[-3:]
    losses = [float(line.split("|")[4]) for line in (constant, now_only, in_play)]
    assert losses[2] <= min(losses[:2])


def test_tenpai_at_a_draw_stays_as_it_is_where_no_round_was_drawn():
    assert fit_draw_tenpai(empty_sample(50)).tolist() == [0.0] * 4


@pytest.mark.parametrize(
    ("slopes", "by_preference", "shift"),
    [((0.3,) * 6, 0.0, 0.0), ((0.8, 0.2, 0.4, 0.6, 1.0, 1.5), 0.1, -0.2)],
)
def test_the_slopes_and_the_shift_of_compared_hands_are_found(monkeypatch, slopes, by_preference, shift):
    monkeypatch.setattr(afterstate_fits, "WIN_TREES", 50)  # enough for one feature
    rng = np.random.default_rng(1)
    size = 30_000
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
    ending = np.where(won, WIN, OTHER_RON).astype(np.int8)
    rows = replace(empty_sample(size), x=left, best=best, preference=preference, ending=ending)
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
