"""What folding costs, and what a deal-in costs by its tile, reckoned tile by tile."""

from dataclasses import replace

import numpy as np
import pytest

from manue.features.scene import scene_of
from manue.game.events import Discarded
from manue.game.state import RoundState
from manue.models.fold import Fold, mean_losses
from tests.conftest import events_of, game
from tests.models.loaded import shipped


def test_what_a_deal_in_costs_is_the_mean_over_every_tile_held():
    """Two copies of a kind are two chances to deal in with it; a safe hand costs nothing."""
    rng = np.random.default_rng(4)
    hands = rng.integers(0, 3, (20, 34)).astype(np.int8)
    prob, loss = rng.random((20, 3, 34)) * 0.2, rng.uniform(1_000, 12_000, (20, 3, 34))
    prob[0] = 0.0
    found = mean_losses(prob, loss, hands)
    for row in range(20):
        tiles = [kind for kind in range(34) for _ in range(hands[row, kind])]
        cases = [(prob[row, other, kind], loss[row, other, kind]) for kind in tiles for other in range(3)]
        chance = sum(one for one, _ in cases)
        assert found[row] == pytest.approx(sum(one * cost for one, cost in cases) / chance if chance else 0.0)


def test_folding_costs_its_points_as_often_as_it_deals_in():
    assert Fold(0.25, 4_000.0).cost == 1_000.0
    assert Fold(0.0, 4_000.0).cost == 0.0


def test_a_deal_in_of_a_fold_costs_at_least_the_smallest_win():
    model = replace(shipped().fold, intercept=np.array([-500.0, 2000.0]), slope=np.array([1.0, 0.5]))
    means, threatened = np.array([0.0, 1400.0, 1600.0, 0.0]), np.array([False, False, False, True])
    assert model.points(means, threatened).tolist() == [1000.0, 1000.0, 1100.0, 2000.0]


def test_a_riichi_costs_more_for_each_indicator_beyond_the_first():
    """Nothing else changes, and nothing for opponents without riichi."""
    dangers = shipped().dangers
    assert dangers.growth_by_indicator > 1.0
    states, checked = [RoundState(seat) for seat in range(4)], 0
    for event in events_of(game("four-riichi")):
        if isinstance(event, Discarded):
            state = states[event.actor]
            if state.opponent_in_riichi and checked < 20:
                scene = scene_of(state)
                shown = int(scene["dora"].sum())
                plain = dangers.__class__(dangers.weights, dangers.opponents, dangers.kinds)
                found, as_learned = (one.read(scene, state.seat).loss for one in (dangers, plain))
                for seat, player in enumerate(state.players):
                    times = dangers.growth_by_indicator ** (shown - 1) if player.riichi else 1.0
                    assert found[seat] == pytest.approx(as_learned[seat] * times)
                checked += 1
        for state in states:
            state.apply(event)
    assert checked == 20
