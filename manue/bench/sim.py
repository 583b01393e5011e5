"""Speed of the simulated table: rounds a second, beside the games with a referee."""

import time
from typing import Any

from manue.bench.matches import SEED
from manue.bench.timing import Row
from manue.futures import ThreadPool
from manue.match.games import MatchSettings, play_fixture
from manue.match.schedule import fixed_seats
from manue.models.policy import load_policy
from manue.sim.games import play_games
from manue.sim.kit import new_kit
from manue.sim.players import GREEDY, POLICY, RANDOM
from manue.sim.table import Tables, new_tables
from manue.table.referee import wall_seed

PLAYERS = {"choosing at random": RANDOM, "greedy": GREEDY, "policy": POLICY}
ROUNDS = 4_000
"""Rounds played by each kind of player, at least."""


def measure_sim() -> list[Row]:
    """Measure rounds a second of CPU time, those of games with the referee, and what a second core adds."""
    rows: list[Row] = []
    for name, player in PLAYERS.items():
        _play(player, 1)  # loads the kernels
        started = time.process_time()
        played = _play(player, ROUNDS)
        rows.append(
            (f"rounds of four {name}", played / (time.process_time() - started), "per second and core")
        )
    return [*rows, *_with_referee(), *_growth()]


def _kit() -> Any:
    return new_kit(nets=[load_policy()])


def _games(player: int, count: int, seed: int) -> Tables:
    tables = new_tables(count)
    tables["player"] = player
    tables["seed"] = [wall_seed(seed, at) for at in range(count)]
    return tables


def _play(player: int, rounds: int, seed: int = SEED) -> int:
    return play_games(_games(player, rounds, seed), _kit(), rounds)


def _with_referee() -> list[Row]:
    """Measure the games of one agent that exists both as a kernel and in Python."""
    settings = MatchSettings(fixed_seats(["greedy"] * 4), seed=SEED, logs=False)
    play_fixture(settings, settings.schedule.fixture(0))
    started = time.process_time()
    lines = [play_fixture(settings, settings.schedule.fixture(1 + game)).line for game in range(6)]
    rate = sum(line["rounds"] for line in lines) / (time.process_time() - started)
    return [("rounds of four greedy with the referee", rate, "per second and core")]


def _growth() -> list[Row]:
    """Measure how many times the rounds a second two threads play."""
    rates = []
    for threads in (1, 2):
        with ThreadPool(threads) as pool:
            started = time.perf_counter()
            played = sum(pool.map(lambda seed: _play(GREEDY, ROUNDS, seed), range(threads)))
            rates.append(played / (time.perf_counter() - started))
    return [("two threads against one, four greedy", rates[1] / rates[0], "times as fast")]
