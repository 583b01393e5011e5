"""``manue match``: games between any agents, on this machine."""

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from manue.agents.registry import BUILDERS, SPEC_HELP
from manue.as_text import counted
from manue.commands.game_options import add_game
from manue.commands.limit_options import add_limits, given_limits
from manue.commands.options import (
    add_language,
    add_mc_draws,
    add_workers,
    path,
    positive,
    whole,
    width,
)
from manue.commands.outputs import check_folder
from manue.decision.settings import Settings
from manue.errors import UsageError
from manue.interrupts import Interrupts
from manue.language.messages import messages
from manue.match.cluster import check_address
from manue.match.executors import executor_factory
from manue.match.fast import KERNELS, check_fast
from manue.match.folder import check_match
from manue.match.games import MatchSettings
from manue.match.match import Match
from manue.match.pages import write_pages
from manue.match.progress import match_progress
from manue.match.report import write_report
from manue.match.result_lines import finished_games
from manue.match.schedule import FORMATS, Schedule, schedule_of
from manue.match.summary import failed_in_every_game
from manue.match.tables import print_situations, print_summary
from manue.rules import RULES
from manue.stderr import report
from manue.table.program_spec import PROGRAM_HELP, parse_program, without_name
from manue.table.referee import engine_rules
from manue.table.seat_factory import TCP_PREFIX
from manue.table.specs import check_specs, is_manue, split_specs, with_mc_draws

FAULTS = 4
"""Exit code of a match that was played out, though not without faults of its players."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    _add_match(parser)
    add_limits(parser)
    _add_faults(parser)
    parser.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="play on a running Dask cluster instead"
    )
    parser.add_argument("--strict", action="store_true", help="stop the match at the first fault of a player")
    _add_output(parser)


def _add_match(parser: argparse.ArgumentParser) -> None:
    """Declare who plays, how much, and where to."""
    parser.add_argument(
        "--seats",
        required=True,
        metavar="A,B,...",
        help="the four players by seat, or those that meet under another --format: agents "
        f"({SPEC_HELP}; options as :KEY=VALUE,...), {PROGRAM_HELP}, or tcp:[HOST:]PORT, which waits for a "
        "client; NAME=cmd:... names a program in tables",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="seats", help="who meets whom (default: %(default)s)"
    )
    parser.add_argument("--games", type=positive, default=4, help="number of games (default: %(default)s)")
    parser.add_argument("--seed", type=whole, default=0, help="seed of the walls (default: %(default)s)")
    parser.add_argument("--out", type=path, required=True, metavar="DIR", help="where results and logs go")
    parser.add_argument("--resume", action="store_true", help="continue the match in DIR")
    add_game(parser)
    add_mc_draws(
        parser,
        help=f"Monte Carlo draws per decision, default {Settings().mc_draws}; for every manue that does not "
        "set mc_draws",
    )
    parser.add_argument(
        "--until-ci",
        type=width,
        metavar="WIDTH",
        help="stop before --games, after 10 walls at the earliest, as soon as the first agent's mean "
        "placement is known to ± WIDTH (95 %%)",
    )
    add_workers(parser, "processes")
    add_language(parser, "the report and its pages (default: English, and on the pages the browser's)")


def _add_faults(parser: argparse.ArgumentParser) -> None:
    """Declare what programs at the table may do wrong."""
    parser.add_argument(
        "--allow-faults",
        action="store_true",
        help="exit with 0 despite faults, unless a player failed in every game",
    )
    parser.add_argument(
        "--log-bots",
        type=path,
        metavar="DIR",
        help="keep what cmd: seats are sent, answer and write to stderr: a file for each game and seat",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Declare what is written of the games."""
    parser.add_argument(
        "--pages", action="store_true", help="make a page for every game, linked in the report"
    )
    parser.add_argument(
        "--details", action="store_true", help="let every manue explain its best options in full in the logs"
    )
    parser.add_argument(
        "--situations",
        action="store_true",
        help="print where placement is won and lost: riichi, calls, pushing or folding, the last round; "
        "works with --resume on a finished match, too",
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="play at a table in compiled code: the same games, hundreds of times as fast, but only for "
        f"{', '.join(KERNELS)} by Tenhou's rules",
    )
    parser.add_argument("--no-logs", dest="logs", action="store_false", help="keep no game logs")


def run(options: argparse.Namespace) -> int:
    """Play the match and print its tables."""
    agents = [with_mc_draws(spec, options.mc_draws) for spec in split_specs(options.seats)]
    settings = _settings(options, schedule_of(options.format, agents), agents)
    _check_effects(options, settings)
    _check_playable(options, settings)
    check_specs(agents)
    workers = options.workers if _client_in(agents) is None else 1  # clients join at a single process
    make_executor, window = executor_factory(options.scheduler, workers, agents)
    words = messages(options.lang or "en")
    match = Match(
        settings,
        options.out,
        options.games,
        until_ci=options.until_ci,
        resume=options.resume,
        log_bots=_made_folder(options.log_bots),
        fast=options.fast,
        words=words,
    )
    summary = _played(match, options, make_executor, window)
    print_summary(summary)
    if options.situations:
        print_situations(summary)
    if options.pages:
        write_pages(options.out, options.lang, RULES[options.rules])
        write_report(options.out, finished_games(options.out), summary, words)
    print(f"report: {options.out / 'report.html'}")
    allowed = options.allow_faults and not failed_in_every_game(summary)
    return 0 if allowed or not summary["faulty_games"] else FAULTS


def _check_effects(options: argparse.Namespace, settings: MatchSettings) -> None:
    """Refuse options that would have no effect; raises UsageError."""
    agents = settings.schedule.agents()
    if options.pages and not options.logs:
        raise UsageError("--pages shows the logs of the games, which --no-logs does not keep")
    if options.details and not options.logs:
        raise UsageError("--details explains options in the logs of the games, which --no-logs does not keep")
    if options.mc_draws is not None and not any(map(is_manue, agents)):
        raise UsageError("--mc-draws sets the draws of manue, but no seat is one")
    if options.details and all(spec in BUILDERS and not is_manue(spec) for spec in agents):
        raise UsageError("--details lets manue explain its options, but no seat is one")
    if options.log_bots is not None and not any(map(parse_program, agents)):
        raise UsageError("--log-bots keeps what programs are sent and answer, but no seat is a cmd: program")
    if options.until_ci is not None and len(agents) == 1:
        raise UsageError("--until-ci: an agent with all four seats has a mean placement of 2.5")


def _check_playable(options: argparse.Namespace, settings: MatchSettings) -> None:
    """Check, before anything is warmed up, what no game could be played or kept without.

    Raises
    ------
    UsageError
        If the match cannot be played as asked for, or there is no place for its games.
    MissingExtraError
        If the referee is not installed.
    """
    if options.fast:
        check_fast(settings)
    else:
        engine_rules(RULES[options.rules])
    client = _client_in(settings.schedule.agents())
    if client is not None and options.scheduler is not None:
        raise UsageError(f"{client}: a client joins at this machine, where --scheduler plays no game")
    if options.scheduler is not None:
        check_address(options.scheduler)
    for folder in (options.out, options.log_bots):
        check_folder(folder)
    check_match(options.out, settings, resume=options.resume)


def _client_in(agents: Sequence[str]) -> str | None:
    """Return the first player that joins over the network, if there is one."""
    return next((spec for spec in agents if without_name(spec).startswith(TCP_PREFIX)), None)


def _settings(options: argparse.Namespace, schedule: Schedule, agents: Sequence[str]) -> MatchSettings:
    """Return what determines the games."""
    return MatchSettings(
        schedule=schedule,
        seed=options.seed,
        length=options.length,
        rules=options.rules,
        limits=given_limits(options, agents),
        strict=options.strict,
        logs=options.logs,
        details=options.details,
    )


def _played(
    match: Match, options: argparse.Namespace, make_executor: Callable[[], Executor], window: int
) -> dict[str, Any]:
    """Play the games that are left, report how it goes, and return the summary."""
    if match.beyond:
        report(
            f"{options.out} holds {counted(match.beyond, 'game')} more than --games: only the first "
            f"{options.games} count"
        )
    with match_progress(options.games, match.kept) as on_result:
        try:
            summary = match.run(make_executor, window, on_result)
        except (KeyboardInterrupt, OSError):  # for example a full disk
            with Interrupts() as interrupts, interrupts.put_off():
                kept = f"kept {counted(match.kept, 'game')} in {options.out}"
                report(f"{kept}; to continue, repeat the command with --resume")
            raise
    if match.done < options.games:
        report(
            f"ended after {match.done} of {counted(options.games, 'game')}: ± {options.until_ci:g} is reached"
        )
    return summary


def _made_folder(path: Path | None) -> Path | None:
    """Make a folder that workers will write to, wherever they are started."""
    if path is not None:
        path.mkdir(parents=True, exist_ok=True)
    return None if path is None else path.resolve()
