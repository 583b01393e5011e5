"""What the model of offers is learned from: the rows that a player would see, and what was done."""

import random

import numpy as np
import pytest

from manue.agents.manue import Settings, position_seed, rate
from manue.agents.offers import offers_among, sort_of
from manue.estimate.scene import scene_of
from manue.game.actions import Win
from manue.training.choices import choices
from manue.training.offers import COLUMN, SORTS, Sample, _level, _levels, _offers_of
from tests.conftest import events_of, game


@pytest.fixture(scope="module")
def events():
    return events_of(game("two-manue"))


def test_rows_are_those_of_play_with_what_people_did(events):
    seen = taken = 0
    for choice in choices(events):
        told = list(_offers_of(choice, 1.0, random.Random(0)))
        offered = {sort_of(action) for action in choice.actions} - {""}
        if choice.chosen is None or isinstance(choice.chosen, Win) or not offered:
            assert told == []
            continue
        did = sort_of(choice.chosen)
        assert len(told) == (1 if did else len(offered))
        assert any(answer for _, answer in told) == bool(did)
        seen, taken = seen + len(told), taken + bool(did)
        if seen % 5 == 0:
            scene = scene_of(choice.state)
            actions = tuple(action for action in choice.actions if not isinstance(action, Win))
            seed = position_seed(choice.state, 0)
            _, _, valued = rate(choice.state, scene, actions, seed, Settings(policy="points"))
            rows = [row for sort, _, row in offers_among(scene, valued) if did in {"", sort}]
            assert np.array_equal(rows, [row for row, _ in told])
    assert 0 < taken < seen


def test_as_many_lie_beyond_the_level_as_were_taken():
    rng = np.random.default_rng(1)
    odds, taken = rng.normal(size=400), rng.random(400) < 0.1
    assert (odds >= _level(odds, taken)).sum() == taken.sum()
    assert _level(odds, np.zeros(400, np.bool_)) == 0.0


def test_a_sort_seldom_taken_has_its_level_below_even():
    rng = np.random.default_rng(2)
    x = np.zeros((10_000, len(COLUMN)), np.float32)
    x[:, COLUMN["gain"]] = rng.normal(size=10_000)
    x[:, COLUMN["sort"]] = np.arange(10_000) % 2
    chance = 1 / (1 + np.exp(3.0 * x[:, COLUMN["sort"]] - 1.5 * x[:, COLUMN["gain"]]))
    rows = Sample(x, rng.random(10_000) < chance)
    _, chi, *others = _levels(rows)
    assert chi < -0.4
    assert others == [0.0] * (len(SORTS) - 2)


def test_chi_and_pon_are_thinned_out_and_riichi_and_kans_are_not(events):
    kept = {"chi": 0, "pon": 0}
    for choice in choices(events):
        sorts = {sort_of(action) for action in choice.actions} - {""}
        rows = list(_offers_of(choice, 0.0, random.Random(0)))
        if sorts <= {"chi", "pon"}:
            assert rows == []
            for sort in sorts:
                kept[sort] += 1
        elif choice.chosen is not None and not isinstance(choice.chosen, Win):
            assert rows
    assert min(kept.values()) > 0
