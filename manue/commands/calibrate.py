"""``manue calibrate LOGS``: predictions against what was observed, and choices against people's."""

import argparse
import os
from pathlib import Path

from manue.commands.options import add_length, add_mc_draws
from manue.decision.settings import Settings
from manue.decision.values import POLICIES
from manue.errors import UsageError
from manue.validation.runs import ablation, agreement, calibration, chosen_logs, losses, placement


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = (
        "LOGS are files or folders of Mjai logs with all four hands visible: records of human games, or\n"
        "games written by manue match. Training holds out one game in eight, chosen by name; only those\n"
        "are read, except with --all."
    )
    defaults = Settings()
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOGS", help="log files, or folders of them")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for calibration.md and the pictures")
    parser.add_argument("--games", type=int, metavar="N", help="number of games to read (default: all)")
    parser.add_argument(
        "--all", action="store_true", help="also read games used for training, e.g. games of self-play"
    )
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="number of processes (default: one per core)"
    )
    parser.add_argument(
        "--policy",
        choices=POLICIES,
        default=defaults.policy,
        help="policy of the player (default: %(default)s)",
    )
    add_mc_draws(
        parser, default=defaults.mc_draws, help="Monte Carlo draws per decision, default %(default)s"
    )
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
        "--losses",
        type=Path,
        metavar="FILE",
        help="instead, write what the players lose by their decisions, which reviews compare with",
    )
    add_length(parser, default="as each log says, else guessed from where the game ended")
    parser.add_argument(
        "--agent", metavar="SPEC", help="with --agreement: another agent, as in manue match --seats"
    )


def run(options: argparse.Namespace) -> int:
    """Measure, print the tables and write the files asked for."""
    if options.workers < 1 or (options.games is not None and options.games < 1):
        raise UsageError("--workers and --games must be at least 1")
    if options.agent and not options.agreement:
        raise UsageError("--agent needs --agreement: only manue makes predictions to calibrate")
    if options.agreement + options.ablation + options.placement + (options.losses is not None) > 1:
        raise UsageError("choose one of --agreement, --ablation, --placement and --losses")
    settings = Settings(policy=options.policy, mc_draws=options.mc_draws)
    if options.ablation and options.policy == "points-classic":
        raise UsageError(f"policy {settings.policy} has no corrections to take away")
    logs = chosen_logs(options.logs, options.games, every=options.all)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    length = options.last_round
    if options.losses is not None:
        text, name = losses(logs, options.workers, options.losses, length), "losses.md"
    elif options.placement:
        text, name = placement(logs, options.workers, length), "placement.md"
    elif options.agreement:
        spec = options.agent or f"manue:policy={options.policy},mc_draws={options.mc_draws}"
        text, name = agreement(logs, spec, options.workers, length), "agreement.md"
    elif options.ablation:
        text, name = ablation(logs, settings, options.workers, length), "ablation.md"
    else:
        picture = None if options.out is None else options.out / "calibration.png"
        text, name = calibration(logs, settings, options.workers, picture, length), "calibration.md"
    print(text)
    if options.out is not None:
        (options.out / name).write_text(text + "\n", encoding="utf-8")
    return 0
