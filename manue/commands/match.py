"""``manue match``: games on this machine between any agents."""

import argparse
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from manue.agents.registry import SPEC_HELP, parse_spec, with_options
from manue.errors import UsageError
from manue.match.cluster import ClusterExecutor
from manue.match.folder import finished_games
from manue.match.games import RULES, MatchSettings
from manue.match.match import Match, local_executor
from manue.match.progress import match_progress, print_situations, print_summary
from manue.match.report import write_report
from manue.match.schedule import Schedule, fixed_seats, round_robin, two_against_two
from manue.records.archive import find_logs, read_games
from manue.review.page import page_data, page_html
from manue.table.process_seat import Limits
from manue.table.referee import engine
from manue.table.seat_factory import TCP, check_spec
from manue.table.situations import warm_up

PAGES_EVERY_SECONDS = 5.0
PATIENCE_SECONDS = 2.0
FORMATS = ("seats", "self", "one-three", "two-two", "round-robin")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--seats",
        required=True,
        metavar="A,B,...",
        help=f"four for a table; for another --format, those that meet: agents ({SPEC_HELP}, each with "
        ":KEY=VALUE,... for options), cmd:PROGRAM ARGS, cmd-each:..., cmd-array:... (Mjai on stdio, {seat} "
        "filled in), tcp:[HOST:]PORT (waits for a client)",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="seats", help="who meets whom (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, default=4, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the walls (default: %(default)s)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where results and logs go")
    parser.add_argument("--resume", action="store_true", help="go on with the match in DIR")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--hanchan", dest="length", action="store_const", const="hanchan", default="hanchan")
    length.add_argument("--east", dest="length", action="store_const", const="east", help="East rounds only")
    parser.add_argument("--rules", choices=sorted(RULES), default="tenhou")
    parser.add_argument(
        "--mc-draws",
        "--trials",
        dest="mc_draws",
        type=int,
        metavar="N",
        help="Monte Carlo draws of every manue that names none",
    )
    parser.add_argument(
        "--until-ci",
        type=float,
        metavar="WIDTH",
        help="stop before --games once the first agent's mean placement is known to ± WIDTH (95 %%)",
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=os.cpu_count(),
        help="processes (default: one per core)",
    )
    _add_limits(parser)
    parser.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="play on a running Dask cluster instead"
    )
    parser.add_argument("--strict", action="store_true", help="end the match at the first fault of a player")
    parser.add_argument(
        "--pages", action="store_true", help="make the page of every game, linked in the report"
    )
    parser.add_argument(
        "--details", action="store_true", help="let every manue explain its best options in full, in the logs"
    )
    parser.add_argument(
        "--situations",
        action="store_true",
        help="print where placement is won and lost by riichi, calls, push or fold, last round; "
        "with --resume of a match that is over, too",
    )
    parser.add_argument("--no-logs", dest="logs", action="store_false", help="keep no game logs")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = Limits()
    for name, what in (
        ("decision", "a decision"),
        ("game", "all decisions of a game together"),
        ("start", "the first answer of a game"),
    ):
        parser.add_argument(
            f"--{name}-seconds",
            type=float,
            default=getattr(limits, name),
            metavar="S",
            help=f"limit of cmd: seats for {what} (default: %(default)s)",
        )


def run(options: argparse.Namespace) -> int:
    """Play the match and print its table."""
    if options.games < 1 or options.workers < 1:
        raise UsageError("--games and --workers start at 1")
    engine()  # a missing extra is told before anything is written
    agents = [with_trials(spec, options.mc_draws) for spec in split_specs(options.seats)]
    check_specs(agents)
    settings = MatchSettings(
        schedule=schedule_of(options.format, agents),
        seed=options.seed,
        length=options.length,
        rules=options.rules,
        limits=Limits(options.decision_seconds, options.game_seconds, options.start_seconds),
        strict=options.strict,
        logs=options.logs,
        details=options.details,
    )
    waits = any(spec.startswith(TCP) for spec in agents)  # all at one door, in one process
    make_executor, window = executor_of(options.scheduler, 1 if waits else options.workers)
    match = Match(settings, options.out, options.games, until_ci=options.until_ci, resume=options.resume)
    with match_progress(options.games, match.done) as on_result:
        try:
            summary = match.run(make_executor, window, on_result)
        except KeyboardInterrupt:
            told = f"{match.done} games are kept in {options.out}: the same command with --resume goes on"
            print(f"manue: {told}", file=sys.stderr)
            raise
    if options.pages:
        write_pages(options.out)
        write_report(options.out, finished_games(options.out), summary)
    print_summary(summary)
    if options.situations:
        print_situations(summary)
    print(f"report: {options.out / 'report.html'}")
    return 0


def check_specs(specs: Iterable[str]) -> None:
    """Make sure that every seat names somebody; all is warmed up, and a long compilation is told.

    Raises
    ------
    UsageError
        If a spec names nobody.
    """
    tell = partial(
        print, "warming up (the first time on a machine can take a minute)", file=sys.stderr, flush=True
    )
    told = threading.Timer(PATIENCE_SECONDS, tell)
    told.daemon = True
    told.start()
    try:
        for spec in dict.fromkeys(specs):
            check_spec(spec)
        warm_up()
    finally:
        told.cancel()


def write_pages(folder: Path) -> None:
    """Make ``pages/NNNNNN.html`` of every game that has none yet."""
    (folder / "pages").mkdir(exist_ok=True)
    logs = find_logs([folder / "games"])
    shown = time.monotonic()
    for at, log in enumerate(logs):
        page = folder / "pages" / f"{log.name.removesuffix('.mjson.gz')}.html"
        if not page.exists():
            for _, game in read_games([log]):
                data = page_data(game, source=log.name, title=f"Game {page.stem}")
                page.write_text(page_html(data), encoding="utf-8")
        if time.monotonic() - shown > PAGES_EVERY_SECONDS:
            shown = time.monotonic()
            print(f"{at + 1}/{len(logs)} pages", file=sys.stderr, flush=True)


def executor_of(scheduler: str | None, workers: int) -> tuple[Callable[[], Executor], int]:
    """Return what makes the executor, and how many games to have under way."""
    if scheduler is None:
        return partial(local_executor, workers), 1 if workers == 1 else 2 * workers
    with ClusterExecutor(scheduler) as cluster:
        slots = cluster.slots
    return partial(ClusterExecutor, scheduler), max(16, 2 * slots)  # more workers may join later


def split_specs(text: str) -> list[str]:
    """Split ``manue:policy=points,trials=500,greedy``: ``key=value`` belongs to the agent before it."""
    specs: list[str] = []
    for part in text.split(","):
        if specs and ":" in specs[-1] and re.fullmatch(r"\w+=[^:]*", part.strip()):
            specs[-1] += f",{part.strip()}"
        else:
            specs.append(part.strip())
    return specs


def with_trials(spec: str, mc_draws: int | None) -> str:
    """Add the number of Monte Carlo draws to a manue that does not name it."""
    if mc_draws is None or not re.match(r"manue(@\w+)?(:|$)", spec):
        return spec
    _, given = parse_spec(spec)
    return spec if {"mc_draws", "trials"} & given.keys() else with_options(spec, {"mc_draws": str(mc_draws)})


def schedule_of(form: str, agents: list[str]) -> Schedule:
    """Return the games of a format.

    Raises
    ------
    UsageError
        If the number of agents does not fit the format.
    """
    needed = {"self": 1, "one-three": 2, "two-two": 2}.get(form)
    if needed is not None and len(agents) != needed:
        raise UsageError(f"--format {form} takes {needed} agent{'s' * (needed > 1)}, not {len(agents)}")
    match form:
        case "self":
            return fixed_seats(agents * 4)
        case "one-three":
            return fixed_seats([agents[0], *agents[1:] * 3])
        case "two-two":
            return two_against_two(*agents)
        case "round-robin":
            return round_robin(agents)
        case _:
            return fixed_seats(agents)
