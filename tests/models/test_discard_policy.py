"""Features of a discard against their definitions, on real games; shares that make sense."""

import math

import numpy as np
import pytest

from manue.decision.afterstates import afterstates_of, discards_by_hand
from manue.decision.options import DrawSettings, options_of
from manue.draws.win import WinStatistics
from manue.features.discard_policy import TILE_COLUMNS
from manue.features.scene import scene_of
from manue.game.events import Draw
from manue.game.legal import legal_actions
from manue.tiles import KIND_OF, KINDS, WINDS, dora_of, is_red
from tests.agents.test_manue import state_of
from tests.conftest import GAMES
from tests.features.dangers import made_up_danger
from tests.models.loaded import shipped
from tests.models.test_afterstate import decisions

MC_DRAWS = DrawSettings(seed=1, number=64, extra=0, win_statistics=WinStatistics())


def discards_of(state, actions, danger=None):
    """Return the options that discard without riichi or call, what the net sees of them, and the danger."""
    scene = scene_of(state)
    danger = danger or shipped().dangers.read(scene, state.seat)
    options = [
        option
        for option in options_of(state, scene, actions, MC_DRAWS)
        if option.branch.action is None and not option.riichi
    ]
    if not options:
        return [], None, danger
    after = afterstates_of(scene, options, danger, state.seat, MC_DRAWS.win_statistics.discard_rates)
    (hand,) = discards_by_hand(scene, options, after, danger)
    return options, hand, danger


_NEAR = ("inner", "inner_gap", "outer", "outer_gap")
AROUND = (*_NEAR, *(f"{name}_unseen" for name in _NEAR))


def winds_of_others(state):
    """The seat winds of the opponents."""
    return [WINDS[(seat - state.dealer) % 4] for seat in range(4) if seat != state.seat]


def expected(state, option, options, danger):
    """Return the columns of the tile, computed in the plainest way."""
    kind = option.kind
    suit, number = divmod(kind, 9)
    held = [KIND_OF[tile] for tile in state.hand]
    held.remove(kind)
    near = [abs(other - kind) for other in held if kind < 27 and other // 9 == suit]
    winds = (state.round_wind, state.seat_wind)
    inwards = 1 if number <= 4 else -1
    steps = (inwards, 2 * inwards, -inwards, -2 * inwards)
    there = [kind + step if kind < 27 and 0 <= number + step < 9 else None for step in steps]
    suits = [sum(other // 9 == each for other in (*held, kind)) for each in range(3)]
    dora = [dora_of(tile) for tile in state.dora_indicators]
    runs = [set(range(start, start + 3)) for start in range(7) if start <= number <= start + 2]
    around = [9 * each + n for each in range(3) for n in range(9)]
    points = max(option.mc_win_points, 500.0)
    lowest = min(one.shanten for one in options)
    unseen = np.maximum(4 - state.visible, 0)
    width = {one.kind: int(unseen[one.useful].sum()) for one in options}
    best = max(options, key=lambda one: _odds(one.mc_win_prob))
    return {
        "number": min(number, 8 - number) + 1 if kind < 27 else 0,
        "worth": -1 if kind < 27 else (kind >= 31) + sum(KINDS[kind] == wind for wind in winds),
        "dragon": kind >= 31,
        "copies": sum(KIND_OF[tile] == kind for tile in state.hand),
        "unseen": unseen[kind],
        "tile_dora": sum(dora_of(tile) == kind for tile in state.dora_indicators),
        "last_red": is_red(option.discard.tile),
        "next": near.count(1),
        "gap": near.count(2),
        "suit": len(near),
        **dict(zip(AROUND[:4], (-1 if k is None else held.count(k) for k in there), strict=True)),
        **dict(zip(AROUND[4:], (-1 if k is None else unseen[k] for k in there), strict=True)),
        "alone": kind not in held and not any(k in held for k in there if k is not None),
        "dora_steps": min(
            [3, *(abs(one - kind) for one in dora if one == kind or (kind < 27 and one // 9 == suit))]
        ),
        "other_suit": max(suits) - (suits[suit] if kind < 27 else 0),
        "straight": len({one for one in (*held, kind) if one // 9 == suit}) if kind < 27 else 0,
        "three_colors": max(
            (sum(k in (*held, kind) and k % 9 in run for k in around) for run in runs), default=0
        )
        if kind < 27
        else 0,
        "guest_worth": sum(
            (kind >= 31) + (KINDS[kind] == state.round_wind) + (KINDS[kind] == wind)
            for wind in winds_of_others(state)
        ),
        "drawn": state.drawn is not None and KIND_OF[state.drawn] == kind,
        "danger": danger.deal_in(kind),
        "danger_gap": danger.deal_in(kind) - min(danger.deal_in(one.kind) for one in options),
        "safe_against": sum(bool(state.players[(state.seat + i) % 4].safe[kind]) for i in (1, 2, 3)),
        "safer": sum(danger.deal_in(one.kind) < danger.deal_in(kind) for one in options),
        "river": len(state.me.river),
        "shanten_gap": option.shanten - lowest,
        "useful_gap": width[kind] - max(width[one.kind] for one in options if one.shanten == lowest),
        "odds_gap": _odds(option.mc_win_prob) - _odds(best.mc_win_prob),
        "points_gap": math.log(points) - math.log(max(best.mc_win_points, 500.0)),
        "yield_gap": _gain(option) - max(_gain(one) for one in options),
    }


def _odds(prob):
    prob = min(max(prob, 0.001), 0.999)
    return math.log(prob / (1 - prob))


def _gain(option):
    return _odds(option.mc_win_prob) + math.log(max(option.mc_win_points, 500.0))


def test_every_column_follows_its_definition():
    checked = 0
    for log in GAMES[::3]:
        for state, actions in decisions(log, every=23):
            options, hand, danger = discards_of(state, actions, made_up_danger(state))
            for option, row in zip(options, hand.rows if options else (), strict=True):
                values = expected(state, option, options, danger)
                assert list(values) == [column.name for column in TILE_COLUMNS]
                for name, value in zip(values, row[-len(TILE_COLUMNS) :], strict=True):
                    assert value == pytest.approx(float(values[name]), rel=1e-3, abs=1e-3), (
                        name,
                        option.kind,
                    )
                checked += 1
    assert checked > 300


def test_a_lone_wind_is_discarded_before_the_dora_in_a_run():
    state = state_of("234m3456p678s12z9s", Draw(0, "9m"), indicator="3p")
    options, hand, _ = discards_of(state, legal_actions(state))
    shares = shipped().discard_policy.shares(hand.rows, hand.kinds, hand.planes)
    share = dict(zip((option.discard.tile for option in options), shares, strict=True))
    assert sum(share.values()) == pytest.approx(1.0)
    assert min(share["S"], share["9m"]) > 10 * share["4p"]
