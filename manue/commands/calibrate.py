"""`manue calibrate LOGS`: whether what the player says comes true, and whether people choose as it does."""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from manue.agents.registry import make_agent
from manue.decision.settings import Settings
from manue.decision.values import POLICIES
from manue.errors import LogError, UsageError
from manue.progress import progress
from manue.records.archive import find_logs
from manue.training.dataset import is_validation
from manue.validation.ablation import ablate_games, join_ablations
from manue.validation.ablation_report import ablation_tables
from manue.validation.agreement import agreement_of_games
from manue.validation.calibration import calibrate_games, join
from manue.validation.defence_report import defence_tables
from manue.validation.plots import plot_calibration
from manue.validation.tables import agreement_tables, calibration_tables
from manue.workers import worker_pool

_Item = TypeVar("_Item")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = (
        "LOGS are files or folders of Mjai logs in which all four hands are open: records of people or\n"
        "games written by manue match. Training keeps one game in eight apart, by its name; only those are\n"
        "read unless --all is given."
    )
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOGS", help="log files, or folders of them")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where calibration.md and the pictures go")
    parser.add_argument("--games", type=int, metavar="N", help="so many of the games (default: all)")
    parser.add_argument("--all", action="store_true", help="games of the training part too, as for self-play")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)"
    )
    parser.add_argument("--policy", choices=POLICIES, default=Settings().policy, help="default: %(default)s")
    parser.add_argument(
        "--mc-draws",
        "--trials",
        dest="mc_draws",
        type=int,
        metavar="N",
        default=Settings().mc_draws,
        help="Monte Carlo draws per decision (default: %(default)s)",
    )
    parser.add_argument(
        "--agreement", action="store_true", help="compare choices with those in the logs instead"
    )
    parser.add_argument(
        "--ablation",
        action="store_true",
        help="compare the Monte Carlo draws with and without each correction instead",
    )
    parser.add_argument(
        "--agent", metavar="SPEC", help="with --agreement: another agent, as in manue match --seats"
    )


def run(options: argparse.Namespace) -> int:
    """Measure, print the tables and write what was asked for."""
    if options.workers < 1 or (options.games is not None and options.games < 1):
        raise UsageError("--workers and --games start at 1")
    if options.agent and not options.agreement:
        raise UsageError("--agent goes with --agreement: only manue says what can be calibrated")
    if options.agreement and options.ablation:
        raise UsageError("--agreement and --ablation are two things")
    settings = Settings(policy=options.policy, mc_draws=options.mc_draws)
    if options.ablation and options.policy == "points-classic":
        raise UsageError(f"policy {settings.policy} corrects nothing")
    logs = chosen_logs(options.logs, options.games, every=options.all)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    if options.agreement:
        spec = options.agent or f"manue:policy={options.policy},mc_draws={options.mc_draws}"
        text, name = _agreement(logs, spec, options.workers), "agreement.md"
    elif options.ablation:
        text, name = _ablation(logs, settings, options.workers), "ablation.md"
    else:
        text, name = _calibration(logs, settings, options), "calibration.md"
    print(text)
    if options.out is not None:
        (options.out / name).write_text(text + "\n", encoding="utf-8")
    return 0


def chosen_logs(places: Sequence[Path], games: int | None, *, every: bool) -> list[Path]:
    """Return the logs to read: validation games, evenly spread if only some are wanted.

    Raises
    ------
    LogError
        If none is left.
    """
    logs = [log for log in find_logs(places) if every or is_validation(log.name)]
    if not logs:
        raise LogError("none of these logs is a validation game (one name in eight is): --all takes them all")
    if games is None or games >= len(logs):
        return logs
    return [logs[i * len(logs) // games] for i in range(games)]


def _calibration(logs: Sequence[Path], settings: Settings, options: argparse.Namespace) -> str:
    with worker_pool(options.workers) as pool:
        results = _watched(calibrate_games(logs, settings, pool), len(logs))
    data = join(results)
    _complain(data.skipped)
    if not data.games:
        raise LogError(f"no game could be used: {data.skipped[0]}")
    if options.out is not None:
        plot_calibration(data, options.out / "calibration.png")
    return "\n".join((calibration_tables(data, settings), defence_tables(data)))


def _ablation(logs: Sequence[Path], settings: Settings, workers: int) -> str:
    with worker_pool(workers) as pool:
        data = join_ablations(_watched(ablate_games(logs, settings, pool), len(logs)))
    _complain(data.skipped)
    if not data.games:
        raise LogError(f"no game could be used: {data.skipped[0]}")
    return ablation_tables(data, settings)


def _agreement(logs: Sequence[Path], spec: str, workers: int) -> str:
    make_agent(spec)
    with worker_pool(workers) as pool:
        results = _watched(agreement_of_games(logs, spec, pool), len(logs))
    skipped = [result for result in results if isinstance(result, str)]
    _complain(skipped)
    games = [result for result in results if not isinstance(result, str)]
    if not games:
        raise LogError(f"no game could be used: {skipped[0]}")
    return agreement_tables(np.concatenate(games), spec, len(games))


def _watched(results: Iterable[_Item], total: int) -> list[_Item]:
    taken = []
    with progress("games", total) as advance:
        for result in results:
            taken.append(result)
            advance(1)
    return taken


def _complain(skipped: Sequence[str]) -> None:
    for line in skipped:
        print(f"manue: skipped {line}", file=sys.stderr)
