"""``manue calibrate LOGS``: predictions against what was observed, and choices against people's."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from manue.agents.registry import make_agent
from manue.commands.game_options import add_length
from manue.commands.options import add_mc_draws, add_workers, is_given, path, positive
from manue.commands.outputs import check_outputs
from manue.commands.rollout_options import worlds
from manue.decision.settings import Settings
from manue.decision.values import POLICIES
from manue.errors import UsageError
from manue.pictures import figure_class
from manue.validation.runs import (
    RunResult,
    ablation,
    agreement,
    calibration,
    chosen_logs,
    hands,
    losses,
    placement,
    rollouts,
    values,
)
from manue.whole_files import write_whole

_INSTEAD = ("agreement", "ablation", "placement", "values", "losses", "hands", "rollouts")
"""Options that name what is measured instead of calibration."""
_FIXED = {
    "placement": ("policy", "mc_draws"),
    "losses": ("policy", "mc_draws"),
    "rollouts": ("policy", "mc_draws"),
    "hands": ("policy", "mc_draws", "last_round"),
    "ablation": ("policy",),
    "agent": ("policy", "mc_draws"),
}
"""Options that mean nothing to a measurement, or beside ``--agent``."""
_PICTURED = ("calibration", "values")
"""Measurements that ``--out`` also has a picture of."""
_WORDS = {"policy": "--policy", "mc_draws": "--mc-draws", "last_round": "--hanchan or --east"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "LOGS are files or folders of records with four open hands, of any format: of human games, or\n"
        "games written by manue match. Training holds out one game in eight, chosen by name; only those\n"
        "are read, except with --all."
    )
    defaults = Settings()
    parser.add_argument("logs", nargs="+", type=path, metavar="LOGS", help="log files, or folders of them")
    parser.add_argument(
        "--out",
        type=path,
        metavar="DIR",
        help="folder for the tables (calibration.md, values.md, ...) and the pictures",
    )
    parser.add_argument("--games", type=positive, metavar="N", help="number of games to read (default: all)")
    parser.add_argument(
        "--all", action="store_true", help="also read games used for training, e.g. games of self-play"
    )
    add_workers(parser)
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        help=f"policy of the player (default: {defaults.policy})",
    )
    add_mc_draws(parser, help=f"Monte Carlo draws per decision, default {defaults.mc_draws}")
    _add_measurements(parser)
    add_length(parser, default="as each log says, else guessed from where the game ended")
    parser.add_argument(
        "--agent", metavar="SPEC", help="with --agreement: another agent, as in manue match --seats"
    )


def _add_measurements(parser: argparse.ArgumentParser) -> None:
    """Declare what may be measured instead of calibration."""
    parser.add_argument(
        "--agreement", action="store_true", help="instead, compare choices with those in the logs"
    )
    parser.add_argument(
        "--ablation",
        action="store_true",
        help="instead, compare the Monte Carlo draws with and without each of their corrections",
    )
    parser.add_argument(
        "--placement",
        action="store_true",
        help="instead, compare expected final places at the start of rounds with those reached",
    )
    parser.add_argument(
        "--values",
        action="store_true",
        help="instead, compare the predicted value of each option with what followed, by kind of option",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="with --values and --out: continue an interrupted run, every finished game of which was kept",
    )
    parser.add_argument(
        "--losses",
        type=path,
        metavar="FILE",
        help="instead, write what the players lose by their decisions, which reviews compare with",
    )
    parser.add_argument(
        "--rollouts",
        type=worlds,
        metavar="N",
        help="instead, play a sample of decisions on in N worlds: what it changes, how true the worlds are",
    )
    parser.add_argument(
        "--hands",
        type=path,
        metavar="FILE",
        help="instead, write how far from tenpai hands are by turn, as rollouts draw them (with --all)",
    )


def run(options: argparse.Namespace) -> int:
    """Measure, print the tables and write the files asked for."""
    _check(options)
    name = next((name for name in _INSTEAD if is_given(options, name)), "calibration")
    logs = chosen_logs(options.logs, options.games, every=options.all)
    check_outputs([options.losses, options.hands], logs)
    if options.out is not None:
        if name in _PICTURED:
            figure_class()  # report a missing extra before anything is measured
        options.out.mkdir(parents=True, exist_ok=True)
        check_outputs([options.out / f"{name}.md", options.out / f"{name}.png"], logs)
    result = _measured(options, logs)
    print(result.text)
    if options.out is not None:
        write_whole(options.out / f"{name}.md", result.text + "\n")
    if not result.complete:
        raise KeyboardInterrupt
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if options.agent and not options.agreement:
        raise UsageError("--agent needs --agreement: only manue makes predictions to calibrate")
    if options.agent:
        make_agent(options.agent)
    if sum(is_given(options, name) for name in _INSTEAD) > 1:
        raise UsageError(f"choose one of {', '.join(f'--{name}' for name in _INSTEAD)}")
    for name, unused in _FIXED.items():
        given = [_WORDS[one] for one in unused if is_given(options, one)]
        if is_given(options, name) and given:
            raise UsageError(f"--{name} does not depend on {given[0]}")
    if options.resume and not (options.values and options.out):
        raise UsageError("--resume needs --values and --out: only these runs are kept game by game")
    if options.policy == "points-classic" and options.values:
        raise UsageError(f"policy {options.policy} has no endings to compare")


def _measured(options: argparse.Namespace, logs: Sequence[Path]) -> RunResult:
    """Take the measurement asked for."""
    given = {"policy": options.policy, "mc_draws": options.mc_draws}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    workers, out, length = options.workers, options.out, options.last_round
    if options.values:
        return values(logs, settings, workers, out, length, resume=options.resume)
    if options.losses is not None:
        return losses(logs, workers, options.losses, length)
    if options.hands is not None:
        return hands(logs, workers, options.hands)
    if options.rollouts is not None:
        return rollouts(logs, options.rollouts, workers, length)
    if options.placement:
        return placement(logs, workers, length)
    if options.agreement:
        spec = options.agent or f"manue:policy={settings.policy},mc_draws={settings.mc_draws}"
        return agreement(logs, spec, workers, length)
    if options.ablation:
        return ablation(logs, settings, workers, length)
    picture = None if out is None else out / "calibration.png"
    return calibration(logs, settings, workers, picture, length)
