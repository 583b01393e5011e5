"""``manue bench``: speed and memory, measured on this machine; or the score on a problem book."""

import argparse
from collections.abc import Sequence

from manue.agents.registry import make_agent
from manue.bench.output import print_results, results_as_json
from manue.bench.problems import bench_problems
from manue.bench.sections import POSITIONS, SECTIONS, BenchJob, chosen_sections, measure_section
from manue.bench.timing import Row
from manue.commands.options import is_given, path, positive, whole
from manue.decision.values import POLICIES
from manue.errors import UsageError
from manue.review.problem_book import DEFAULT_BOOK

AGENTS = (*(f"manue:policy={policy}" for policy in POLICIES), "rules", "greedy")
PROBLEM_AGENTS = ("manue", "rules", "greedy")
_ONLY_FOR = {
    "positions": ("decision", "danger"),
    "logs": ("decision", "danger", "start"),
    "seed": ("decision", "danger"),
    "agent": ("decision",),
    "cold": ("start",),
}
"""Options that mean something to some sections alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = "sections:\n" + "\n".join(f"  {name:<10} {what}" for name, (what, _) in SECTIONS.items())
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--only", metavar="A,B,...", help="sections to measure (default: all but throughput)")
    parser.add_argument(
        "--positions",
        type=positive,
        metavar="N",
        help=f"number of positions (default: {POSITIONS})",
    )
    parser.add_argument(
        "--logs",
        type=path,
        nargs="+",
        default=[],
        metavar="LOGS",
        help="logs to take positions from (default: the folder in MANUE_DATA, else the sample games)",
    )
    parser.add_argument("--seed", type=whole, help="seed of the choice of positions (default: 0)")
    parser.add_argument(
        "--agent",
        action="append",
        metavar="SPEC",
        help=f"agent whose decisions are timed; may be repeated (default: {', '.join(AGENTS)})",
    )
    parser.add_argument(
        "--cold",
        action="store_true",
        help="in section start: also a start with nothing compiled, or only what came with the package",
    )
    parser.add_argument("--throughput", action="store_true", help="also measure hanchan per minute")
    parser.add_argument(
        "--problems",
        type=path,
        nargs="?",
        const=DEFAULT_BOOK,
        metavar="BOOK",
        help="answer a problem book instead (default: the one that comes with the package)",
    )


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    if options.problems is not None:
        _refuse_measuring(options)
        bench_problems(options.problems, options.agent or PROBLEM_AGENTS, as_json=options.json)
        return 0
    sections = chosen_sections(options.only, throughput=options.throughput)
    _refuse_unused(options, sections)
    agents = options.agent or list(AGENTS)
    for spec in agents:
        make_agent(spec)
    positions = POSITIONS if options.positions is None else options.positions
    job = BenchJob(agents, options.logs, positions, options.seed or 0, cold=options.cold)
    results: dict[str, list[Row]] = {}
    try:
        for name in sections:
            results[name] = measure_section(name, job)
    finally:  # what was measured before Ctrl-C is shown
        if results and options.json:
            print(results_as_json(results))
        elif results:
            print_results(results)
    return 0


def _refuse_measuring(options: argparse.Namespace) -> None:
    """Refuse what a problem book has no use for."""
    for name in ("only", "throughput", "cold", "logs", "positions", "seed"):
        if is_given(options, name):
            raise UsageError(f"--{name} is about measuring, --problems answers a book instead")


def _refuse_unused(options: argparse.Namespace, sections: Sequence[str]) -> None:
    """Refuse options of which none of the sections to be measured makes use."""
    for name, users in _ONLY_FOR.items():
        if is_given(options, name) and not set(users) & set(sections):
            raise UsageError(f"--{name} is about {', '.join(users)}, which --only leaves out")
