"""What the model of offers is learned from: the rows that a player would see, and what was done."""

import random

import numpy as np
import pytest

from manue.agents.manue import Settings, position_seed, rate
from manue.agents.offers import offers_among, sort_of
from manue.estimate.scene import scene_of
from manue.game.actions import Win
from manue.protocol.archive import read_log
from manue.training.choices import choices
from manue.training.offers import _offers_of


@pytest.fixture(scope="module")
def game(shared):
    log = next(iter(sorted((shared / "data/houou/tonpu").iterdir())))
    return [entry.event for entry in read_log(log) if entry.event is not None]


def test_rows_are_those_of_play_with_what_people_did(game):
    seen = taken = 0
    for choice in choices(game):
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


def test_chi_and_pon_are_thinned_out_and_riichi_and_kans_are_not(game):
    kept = {"chi": 0, "pon": 0}
    for choice in choices(game):
        sorts = {sort_of(action) for action in choice.actions} - {""}
        rows = list(_offers_of(choice, 0.0, random.Random(0)))
        if sorts <= {"chi", "pon"}:
            assert rows == []
            for sort in sorts:
                kept[sort] += 1
        elif choice.chosen is not None and not isinstance(choice.chosen, Win):
            assert rows
    assert min(kept.values()) > 0
