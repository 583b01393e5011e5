"""Speed of games on this machine: hanchan per minute, where the time goes, what a second core adds."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from manue.agents.base import Agent, Decision
from manue.agents.registry import make_agent
from manue.bench.timing import Row
from manue.game.actions import Action
from manue.game.state import RoundState
from manue.match.executors import local_executor
from manue.match.games import MatchSettings, play_fixture
from manue.match.match import Match
from manue.match.schedule import fixed_seats
from manue.rules import Rules
from manue.table.seats import AgentSeat, Answer, TableEvent
from manue.tiles import Seat

SEED = 20_000
"""Seed of the walls; any other would do."""


def measure_arena(spec: str, games: int) -> list[Row]:
    """Measure hanchan between four copies of an agent in one process, writing logs, with kernels compiled."""
    settings = MatchSettings(fixed_seats([spec] * 4), seed=SEED)
    play_fixture(settings, settings.schedule.fixture(0))
    wall, core = time.perf_counter(), time.process_time()
    lines = [play_fixture(settings, settings.schedule.fixture(1 + game)).line for game in range(games)]
    wall, core = time.perf_counter() - wall, time.process_time() - core
    decisions = sum(sum(timing["bins"].values()) for line in lines for timing in line["timings"])
    return [
        (f"hanchan of four {spec}", games * 60 / wall, "per minute, one process"),
        (f"hanchan of four {spec}, CPU time", games * 60 / core, "per minute and core"),
        (f"one hanchan of four {spec}", sum(line["rounds"] for line in lines) / games, "rounds"),
        (f"one hanchan of four {spec}", decisions / games, "decisions"),
        *_shares(settings, games),
        *_shares(replace(settings, logs=False), games),
    ]


class _ClockedSeat(AgentSeat):
    """A seat that adds up the CPU time of its player: in all, and for its decisions."""

    def __init__(self, agent: Agent, spent: dict[str, float], seat: Seat, rules: Rules) -> None:
        super().__init__(seat, self, rules)
        self.name = agent.name
        self._agent = agent
        self._spent = spent

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Follow the game and choose, adding up the time."""
        started = time.thread_time()
        answer = super().observe(events, asked=asked)
        self._spent["player"] += time.thread_time() - started
        return answer

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Choose, adding up the time."""
        started = time.thread_time()
        decision = self._agent.decide(state, actions)
        self._spent["deciding"] += time.thread_time() - started
        return decision


def _shares(settings: MatchSettings, games: int) -> list[Row]:
    """Measure where the CPU time goes, in the same games played once more."""
    spec = settings.schedule.agents()[0]
    played = f"four {spec}" if settings.logs else f"four {spec}, no logs"
    rest = "referee, bookkeeping and annotated log" if settings.logs else "referee and bookkeeping"
    agent = make_agent(spec)
    spent = {"player": 0.0, "deciding": 0.0}
    started = time.thread_time()
    for game in range(games):
        play_fixture(
            settings,
            settings.schedule.fixture(1 + game),
            lambda _spec, seat, rules, *_, **__: _ClockedSeat(agent, spent, seat, rules),
        )
    total = time.thread_time() - started
    shares = {
        "decisions": spent["deciding"],
        "players follow the game": spent["player"] - spent["deciding"],
        rest: total - spent["player"],
    }
    return [(f"{played}: {what}", 100 * share / total, "% of the core") for what, share in shares.items()]


def measure_scaling(spec: str, games: int) -> list[Row]:
    """Measure how much faster two workers play a match than one, not counting their start."""
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
