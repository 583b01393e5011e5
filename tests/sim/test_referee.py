"""Simulated games of all players, judged by riichienv and by our own state; MANUE_FULL=1: 20 000 rounds."""

import random
from collections import Counter

import numpy as np
import pytest

from manue.models.placement import RoundPosition
from manue.sim.players import EAGER, GREEDY, POLICY, RANDOM, TSUMOGIRI
from manue.sim.wall import TILE_OF_PHYSICAL, fill_wall
from manue.table.referee import Referee, wall_seed
from tests.conftest import FULL
from tests.oracles.stacked_walls import stacked_wall
from tests.sim.judge import compare, judge, judged_kit, simulate, simulate_round

riichienv = pytest.importorskip("riichienv", reason="needs the extra 'arena'")

TABLES = (
    [RANDOM] * 4,
    [EAGER] * 4,
    [GREEDY] * 4,
    [EAGER, GREEDY, EAGER, RANDOM],
    [POLICY, EAGER, POLICY, GREEDY],
    [TSUMOGIRI, POLICY, RANDOM, EAGER],
)
ROUNDS = 20_000 if FULL else 100
STACKED = 20_000 if FULL else 400


@pytest.mark.timeout(7200 if FULL else 600)
def test_events_legal_sets_scores_and_deposits_are_the_referees():
    rounds = choices = games = 0
    met: Counter[str] = Counter()
    while rounds < ROUNDS:
        seed, east = wall_seed(17, games), games % 7 == 6
        game = simulate(seed, TABLES[games % len(TABLES)], last_index=3 if east else 7, rng=games)
        choices += judge(seed, game, length="east" if east else "hanchan")
        rounds += game.rounds
        games += 1
        met.update(kinds_of(game.messages))
    print(f"{games} games, {rounds} rounds, {choices} choices: {dict(sorted(met.items()))}")
    assert {"chi", "pon", "daiminkan", "ankan", "kakan", "ron", "tsumo win", "exhaustive_draw"} <= set(met)
    if FULL:
        assert {"chankan", "double ron", "rinshan", "sufuurenta", "suukansansen", "kyushu_kyuhai"} <= set(met)


def test_a_kan_is_robbed_after_the_indicator_of_the_kan_before():
    """In this game a kan is added right after another; riichienv shows an indicator before it asks."""
    seed = wall_seed(17, 6047)
    game = simulate(seed, [EAGER, GREEDY, EAGER, RANDOM], last_index=3, rng=6047)
    assert [message["type"] for message in game.messages[67:71]] == ["tsumo", "kakan", "dora", "hora"]
    judge(seed, game, length="east")


def test_rounds_on_stacked_walls_are_the_referees():
    """Regression: the riichi of a triple ron was paid for, and pao covered its own yakuman alone."""
    kit = judged_kit()
    met: Counter[str] = Counter()
    for seed in range(STACKED):
        rng = random.Random(seed)
        wall = stacked_wall(rng)
        index = rng.randrange(8)
        position = RoundPosition(index, index % 4, rng.choice((0, 0, 1, 3)), rng.choice((0, 0, 2)))
        scores = [rng.choice((25_000, 900, 1_000, 40_000)) for _ in range(4)]
        players = rng.choices((EAGER, EAGER, RANDOM, GREEDY), k=4)
        played = simulate_round(wall, position, scores, players, kit, rng=seed)
        referee = Referee(0)
        compare(played, referee, referee.start_at(position, scores, wall))
        met.update(kinds_of(played.messages))
    print(dict(sorted(met.items())))
    assert {"ankan", "kakan", "daiminkan", "rinshan", "double ron", "sanchaho", "suukansansen"} <= set(met)


def kinds_of(messages):
    """Name what happened, and what seldom happens."""
    before: list[dict] = [{}, {}]
    for message in messages:
        kind = message["type"]
        if kind == "hora":
            ron = message["actor"] != message["target"]
            yield "ron" if ron else "tsumo win"
            if before[-1]["type"] == "hora":
                yield "double ron"
            if before[-1]["type"] == "kakan" or (
                before[-1]["type"] == "dora" and before[-2]["type"] == "kakan"
            ):
                yield "chankan"
            if not ron and before[-2]["type"] in {"ankan", "kakan", "daiminkan", "dora"}:
                yield "rinshan"
        elif kind == "ryukyoku":
            yield message["reason"]
        elif kind not in {"tsumo", "dahai"}:
            yield kind
        before = [before[-1], message]


def wall_of(seed, number):
    wall = np.empty(136, np.int16)
    fill_wall(np.uint64(seed), number, wall)
    return wall


@pytest.mark.parametrize("seed", [0, 7, wall_seed(1, 2), 2**63 - 1])
def test_walls_are_riichienvs(seed):
    env = riichienv.RiichiEnv(game_mode="4p-red-half", seed=seed)
    env.reset()
    left = [TILE_OF_PHYSICAL[tile] for tile in reversed(env.wall)]
    assert wall_of(seed, 0)[136 - len(left) :].tolist() == left
    assert wall_of(seed, 1).tolist() == wall_of(seed + 1, 0).tolist()
    assert sorted(wall_of(seed, 3)) == sorted(TILE_OF_PHYSICAL)
