"""`manue bench`: speed and memory, measured on this machine."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from manue import __version__
from manue.agents.registry import make_agent
from manue.bench.decision import measure_danger, measure_decisions
from manue.bench.hand import Row, measure_hand
from manue.bench.matches import measure_arena, measure_scaling
from manue.bench.positions import SampledPosition, bench_logs, sample_positions
from manue.bench.problems import DEFAULT_BOOK, bench_problems
from manue.bench.score import measure_score
from manue.bench.start import STATUS, measure_start
from manue.decision.values import POLICIES
from manue.errors import UsageError
from manue.progress import progress

AGENTS = (*(f"manue:policy={policy}" for policy in POLICIES), "rules", "greedy")
PROBLEM_AGENTS = ("manue", "rules", "greedy")
GAMES = {"greedy": 12, "rules": 12, "manue": 2}
"""Agents whose hanchan are timed, and how many of them."""
SCALING_GAMES = {"greedy": 120, "manue": 24}
"""Agents whose matches are timed on one and on two workers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = "sections:\n" + "\n".join(f"  {name:<10} {what}" for name, (what, _) in SECTIONS.items())
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--only", metavar="A,B,...", help="sections to measure (default: all but throughput)")
    parser.add_argument("--positions", type=int, default=500, metavar="N", help="default: %(default)s")
    parser.add_argument(
        "--logs",
        type=Path,
        nargs="+",
        default=[],
        metavar="LOGS",
        help="where positions come from (default: the folder that MANUE_DATA names, else the sample games)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the choice of positions")
    parser.add_argument(
        "--agent",
        action="append",
        metavar="SPEC",
        help=f"whose decisions; may be repeated (default: {', '.join(AGENTS)})",
    )
    parser.add_argument("--cold", action="store_true", help="with start: with nothing compiled, too")
    parser.add_argument("--throughput", action="store_true", help="hanchan per minute, too")
    parser.add_argument(
        "--problems",
        type=Path,
        nargs="?",
        const=DEFAULT_BOOK,
        metavar="BOOK",
        help="instead of speed: answer a problem book (default: the one that comes with the package)",
    )


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    if options.problems is not None:
        bench_problems(options.problems, options.agent or PROBLEM_AGENTS, as_json=options.json)
        return 0
    if options.positions < 1:
        raise UsageError("--positions starts at 1")
    sections = chosen_sections(options.only, throughput=options.throughput)
    job = _Job(options)
    for spec in job.agents:
        make_agent(spec)
    results = {name: _measured(name, job) for name in sections}
    if options.json:
        print(
            json.dumps({"machine": machine(), "rows": list(_as_data(results))}, ensure_ascii=False, indent=1)
        )
    else:
        _print(results)
    return 0


def chosen_sections(only: str | None, *, throughput: bool) -> list[str]:
    """Return the sections to measure.

    Raises
    ------
    UsageError
        If one is unknown.
    """
    chosen = [name for name in SECTIONS if name != "throughput"] if only is None else only.split(",")
    for name in chosen:
        if name not in SECTIONS:
            raise UsageError(f"unknown section {name!r}; known: {', '.join(SECTIONS)}")
    if throughput and "throughput" not in chosen:
        chosen.append("throughput")
    return chosen


def machine() -> dict[str, Any]:
    """Say what was measured, and where."""
    model = ""
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line for line in info.read_text(encoding="utf-8").splitlines() if line.startswith("model name")
        ]
        model = names[0].partition(":")[2].strip() if names else ""
    return {
        "manue": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "system": platform.platform(terse=True),
        "processor": model or platform.processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
    }


@dataclass
class _Job:
    """What was asked for, and what several sections share."""

    options: argparse.Namespace

    @property
    def agents(self) -> list[str]:
        """The agents to measure."""
        return self.options.agent or list(AGENTS)

    @cached_property
    def logs(self) -> list[Path]:
        """The records to take positions from."""
        return bench_logs(self.options.logs)

    @cached_property
    def positions(self) -> list[SampledPosition]:
        """The sampled decisions, read once for all sections."""
        wanted = self.options.positions
        with progress("reading positions", wanted) as advance:
            return sample_positions(self.logs, wanted, self.options.seed, advance)

    def decisions(self) -> list[Row]:
        """Measure how long the agents take to decide."""
        positions = self.positions
        with progress("decisions", 2 * len(positions) * len(self.agents)) as advance:
            return measure_decisions(positions, self.agents, advance)

    def start(self) -> list[Row]:
        """Measure the start of a player, and its memory."""
        if not STATUS.exists():
            print(f"manue: memory is not measured: there is no {STATUS} here", file=sys.stderr)
        return measure_start(self.logs[0], cold=self.options.cold)

    def throughput(self) -> list[Row]:
        """Measure how many games a match plays in a time, and what more processes give."""
        rows: list[Row] = []
        with progress("matches", len(GAMES) + len(SCALING_GAMES)) as advance:
            for measure, played in ((measure_arena, GAMES), (measure_scaling, SCALING_GAMES)):
                for spec, games in played.items():
                    rows += measure(spec, games)
                    advance(1)
        return rows


SECTIONS: dict[str, tuple[str, Callable[[_Job], list[Row]]]] = {
    "hand": ("shanten, useful tiles, wait trees, beside libraries", lambda _: measure_hand()),
    "score": ("values of hands, beside libraries", lambda _: measure_score()),
    "decision": ("whole decisions on positions from records, and their parts", _Job.decisions),
    "danger": ("features and danger model on the same positions", lambda job: measure_danger(job.positions)),
    "start": ("a player's start and memory", _Job.start),
    "throughput": ("hanchan per minute, shares of the time, scaling", _Job.throughput),
}
"""Name to what it measures, and how."""


def _measured(name: str, job: _Job) -> list[Row]:
    what, measure = SECTIONS[name]
    print(f"measuring {name}: {what}", file=sys.stderr, flush=True)
    return measure(job)


def _as_data(results: dict[str, list[Row]]) -> Iterator[dict[str, Any]]:
    for section, rows in results.items():
        for name, value, unit in rows:
            yield {"section": section, "name": name, "value": value, "unit": unit}


def _print(results: dict[str, list[Row]]) -> None:
    console = Console(highlight=False) if sys.stdout.isatty() else Console(width=120, highlight=False)
    facts = machine()
    console.print(
        ", ".join(f"{name} {value}" for name, value in facts.items() if value != ""), soft_wrap=True
    )
    for section, rows in results.items():
        table = Table(title=section, title_justify="left", title_style="bold", box=None, pad_edge=False)
        table.add_column("measured")
        table.add_column("value", justify="right")
        table.add_column("unit")
        for name, value, unit in rows:
            table.add_row(name, _figure(value), unit)
        console.print(table)
        console.print()


def _figure(value: float) -> str:
    """Print three digits that count."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
