"""Speed of games on this machine: hanchan per minute, where the time goes, what a second core adds."""

import tempfile
import time
from functools import partial
from pathlib import Path

from manue.arena.games import MatchSettings, play_fixture
from manue.arena.match import Match, local_executor
from manue.arena.schedule import fixed_seats
from manue.commands.bench_hand import Row

SEED = 20_000
"""Of the walls; any would do."""


def measure_arena(spec: str = "greedy", games: int = 20) -> list[Row]:
    """Measure hanchan of four of one agent in one process, logs written, kernels warm."""
    settings = MatchSettings(fixed_seats([spec] * 4), seed=SEED)
    play_fixture(settings, settings.schedule.fixture(0))
    wall, core = time.perf_counter(), time.process_time()
    lines = [play_fixture(settings, settings.schedule.fixture(1 + game))[0] for game in range(games)]
    wall, core = time.perf_counter() - wall, time.process_time() - core
    thinking = sum(timing["total_ms"] for line in lines for timing in line["timings"]) / 1000
    decisions = sum(sum(timing["bins"].values()) for line in lines for timing in line["timings"])
    return [
        (f"hanchan of four {spec}", games * 60 / wall, "per minute, one process"),
        (f"hanchan of four {spec}, by the time of the core", games * 60 / core, "per minute and core"),
        (f"one hanchan of four {spec}", sum(line["rounds"] for line in lines) / games, "rounds"),
        (f"one hanchan of four {spec}", decisions / games, "decisions"),
        (f"referee, other seats' states, log in a hanchan of four {spec}", 100 * (1 - thinking / wall), "%"),
    ]


def measure_scaling(spec: str = "greedy", games: int = 60) -> list[Row]:
    """Measure how much faster two workers play a match than one, their start not counted."""
    rates = []
    for workers in (1, 2):
        marks: list[float] = []
        with tempfile.TemporaryDirectory(prefix="manue-bench-") as folder:
            match = Match(
                MatchSettings(fixed_seats([spec] * 4), seed=SEED), Path(folder), games + 2 * workers
            )
            match.run(
                partial(local_executor, workers),
                2 * workers,
                lambda *_, marks=marks: marks.append(time.perf_counter()),
            )
        warm = 2 * workers - 1  # the first games of each worker include its start
        rates.append((len(marks) - 1 - warm) / (marks[-1] - marks[warm]))
    return [(f"two workers against one, four {spec}", rates[1] / rates[0], "times as fast")]
