"""The sections of ``manue bench``: what each measures, and on what."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from manue.as_text import counted
from manue.bench.decision import measure_danger, measure_decisions
from manue.bench.hand import measure_hand
from manue.bench.matches import measure_arena, measure_scaling
from manue.bench.positions import SampledPosition, bench_logs, sample_positions
from manue.bench.score import measure_score
from manue.bench.sim import measure_sim
from manue.bench.start import STATUS, measure_start
from manue.bench.timing import Row
from manue.errors import UsageError
from manue.progress import progress
from manue.stderr import note, report

POSITIONS = 500
"""How many decisions are measured, unless another number is asked for."""
GAMES = {"greedy": 12, "rules": 12, "manue": 2}
"""Agents whose hanchan are timed, and how many hanchan of each."""
SCALING_GAMES = {"greedy": 120, "manue": 24}
"""Agents whose matches are timed on one and on two workers, and how many games of each."""


@dataclass
class BenchJob:
    """What to measure, and what several sections share.

    Parameters
    ----------
    agents : sequence of str
        Specs of the agents whose decisions are timed.
    places : sequence of Path
        Logs to take positions from, or folders of them; if empty, the default of `bench_logs`. The first log
        is also played for the section ``start``.
    positions_wanted : int
    seed : int
        Seed of the choice of positions.
    cold : bool
        In the section ``start``, also measure a start with no compiled kernels but those of the package.
    """

    agents: Sequence[str]
    places: Sequence[Path]
    positions_wanted: int = POSITIONS
    seed: int = 0
    cold: bool = False

    @cached_property
    def logs(self) -> list[Path]:
        """The logs, looked up only by the sections that need them."""
        return bench_logs(self.places)

    @cached_property
    def positions(self) -> list[SampledPosition]:
        """The sampled decisions, read once for all sections."""
        with progress("reading positions", self.positions_wanted) as advance:
            found = sample_positions(self.logs, self.positions_wanted, self.seed, advance)
        if len(found) < self.positions_wanted:
            report(f"{counted(len(found), 'position')}: the games chosen have no more")
        return found

    def decisions(self) -> list[Row]:
        """Measure how long the agents take to decide."""
        positions = self.positions
        with progress("decisions", 2 * len(positions) * len(self.agents)) as advance:
            return measure_decisions(positions, self.agents, advance)

    def danger(self) -> list[Row]:
        """Measure the features and the danger model."""
        return measure_danger(self.positions)

    def start(self) -> list[Row]:
        """Measure the start of a player, and its memory."""
        if not STATUS.exists():
            report(f"memory is not measured: there is no {STATUS} here")
        return measure_start(self.logs[0], cold=self.cold)

    def throughput(self) -> list[Row]:
        """Measure how many games a match plays per minute, and what a second process adds."""
        rows: list[Row] = []
        with progress("matches", len(GAMES) + len(SCALING_GAMES)) as advance:
            for measure, played in ((measure_arena, GAMES), (measure_scaling, SCALING_GAMES)):
                for spec, games in played.items():
                    rows += measure(spec, games)
                    advance(1)
        return rows


SECTIONS: dict[str, tuple[str, Callable[[BenchJob], list[Row]]]] = {
    "hand": ("shanten, useful tiles and wait trees, compared with libraries", lambda _: measure_hand()),
    "score": ("values of hands, compared with libraries", lambda _: measure_score()),
    "decision": ("whole decisions on positions from records, and their parts", BenchJob.decisions),
    "danger": ("features and danger model on the same positions", BenchJob.danger),
    "sim": ("rounds a second at the simulated table", lambda _: measure_sim()),
    "start": ("start of a player, and its memory", BenchJob.start),
    "throughput": ("hanchan per minute, where the time goes, scaling", BenchJob.throughput),
}
"""Name of a section -> what it measures, and the function that does."""


def chosen_sections(only: str | None, *, throughput: bool) -> list[str]:
    """Return the sections to measure.

    Parameters
    ----------
    only : str or None
        Names separated by commas; ``None`` for all but ``throughput``.
    throughput : bool
        Add ``throughput``.

    Raises
    ------
    UsageError
        If a name is unknown, or given twice.
    """
    chosen = [name for name in SECTIONS if name != "throughput"] if only is None else only.split(",")
    for name in chosen:
        if name not in SECTIONS:
            raise UsageError(f"unknown section {name!r}; known: {', '.join(SECTIONS)}")
        if chosen.count(name) > 1:
            raise UsageError(f"--only names {name} twice")
    if throughput and "throughput" not in chosen:
        chosen.append("throughput")
    return chosen


def measure_section(name: str, job: BenchJob) -> list[Row]:
    """Measure one section, announcing it on stderr."""
    what, measure = SECTIONS[name]
    note(f"measuring {name}: {what}")
    return measure(job)
