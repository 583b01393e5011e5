"""What the call policy learns from: the rows that a player would see, and what was declared."""

import random

import numpy as np
import pytest

from manue.decision.declarations import declaration_of, declarations_of
from manue.decision.evaluation import expected_values
from manue.decision.settings import Settings, position_seed
from manue.features.call_policy import AT, CALL_POLICY_COLUMNS
from manue.game.actions import Win
from manue.records.decisions import recorded_decisions
from manue.training.call_policy import (
    DECLARATIONS,
    DeclarationSample,
    _rows_of,
    _threshold,
    _thresholds,
)
from tests.conftest import events_of, game
from tests.models.loaded import shipped


@pytest.fixture(scope="module")
def events():
    return events_of(game("two-manue"))


def test_rows_are_those_of_play_with_what_was_declared(events):
    seen = taken = 0
    for choice in recorded_decisions(events):
        samples = list(_rows_of(choice, shipped(), 1.0, random.Random(0)))
        possible = {declaration_of(action) for action in choice.actions} - {""}
        if choice.chosen is None or isinstance(choice.chosen, Win) or not possible:
            assert samples == []
            continue
        did = declaration_of(choice.chosen)
        assert len(samples) == (1 if did else len(possible))
        assert any(answer for _, answer in samples) == bool(did)
        seen, taken = seen + len(samples), taken + bool(did)
        if seen % 5 == 0:
            actions = tuple(action for action in choice.actions if not isinstance(action, Win))
            seed = position_seed(choice.state, 0)
            settings = Settings(policy="points")
            found = expected_values(choice.state, actions, seed, settings, shipped())
            declarations = declarations_of(found.scene, found.valued)
            rows = [row for name, _, row in declarations if did in {"", name}]
            assert np.array_equal(rows, [row for row, _ in samples])
    assert 0 < taken < seen


def test_as_many_odds_exceed_the_threshold_as_declarations_were_made():
    rng = np.random.default_rng(1)
    odds, taken = rng.normal(size=400), rng.random(400) < 0.1
    assert (odds >= _threshold(odds, taken)).sum() == taken.sum()
    assert _threshold(odds, np.zeros(400, np.bool_)) == 0.0


def test_a_kind_seldom_declared_has_its_threshold_below_even_odds():
    rng = np.random.default_rng(2)
    x = np.zeros((10_000, len(CALL_POLICY_COLUMNS)), np.float32)
    x[:, AT.gain] = rng.normal(size=10_000)
    x[:, AT.declaration] = np.arange(10_000) % 2
    chance = 1 / (1 + np.exp(3.0 * x[:, AT.declaration] - 1.5 * x[:, AT.gain]))
    rows = DeclarationSample(x, rng.random(10_000) < chance, np.arange(10_000) // 100)
    _, chi, *others = _thresholds(rows)
    assert chi < -0.4
    assert others == [0.0] * (len(DECLARATIONS) - 2)


def test_chi_and_pon_are_sampled_and_riichi_and_kans_are_all_kept(events):
    left_out = {"chi": 0, "pon": 0}
    for choice in recorded_decisions(events):
        declarations = {declaration_of(action) for action in choice.actions} - {""}
        sampled = [
            DECLARATIONS[int(row[AT.declaration])]
            for row, _ in _rows_of(choice, shipped(), 0.0, random.Random(0))
        ]
        assert not {"chi", "pon"} & set(sampled)
        for declaration in declarations & {"chi", "pon"}:
            left_out[declaration] += 1
        if choice.chosen is not None and not isinstance(choice.chosen, Win):
            did = declaration_of(choice.chosen)
            others = declarations - {"chi", "pon"}
            assert set(sampled) == (others if not did else others & {did})
    assert min(left_out.values()) > 0
