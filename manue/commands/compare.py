"""``manue compare CHALLENGER REFERENCE LOGS``: two agents, round by round, on the same walls."""

import argparse
from collections.abc import Sequence

from manue.agents.registry import SPEC_HELP, make_agent
from manue.commands.options import add_workers, path, positive, whole
from manue.match.paired_report import gains_table
from manue.match.paired_rounds import Gain, Start, gains, starts_of
from manue.progress import progress
from manue.records.finding import find_logs
from manue.workers import WorkerPool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "Each round begins as one in LOGS did, with a wall of its own. Four of REFERENCE play it, and again\n"
        "for each seat in which CHALLENGER would have chosen otherwise, with CHALLENGER in that seat. What\n"
        "differs is counted in points and in the expected final place. Two versions of a player are told\n"
        "apart in minutes, where whole games (manue match) take hours; what builds up over a game does not\n"
        "show."
    )
    parser.add_argument("challenger", metavar="CHALLENGER", help=f"an agent: {SPEC_HELP}")
    parser.add_argument("reference", metavar="REFERENCE", help="the agent it is compared with")
    parser.add_argument("logs", nargs="+", type=path, metavar="LOGS", help="log files, or folders of them")
    parser.add_argument(
        "--rounds", type=positive, default=1000, metavar="N", help="rounds dealt (default: %(default)s)"
    )
    parser.add_argument("--seed", type=whole, default=0, help="of rounds and walls (default: 0)")
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Play the rounds and print what the challenger gained; after Ctrl-C, over the rounds finished."""
    for spec in (options.challenger, options.reference):
        make_agent(spec)
    starts = starts_of(find_logs(options.logs), options.rounds, options.seed)
    done: list[tuple[Gain, ...]] = []
    try:
        _play(options, starts, done)
    finally:
        if done:
            print(gains_table(done, options.challenger, options.reference))
    return 0


def _play(options: argparse.Namespace, starts: Sequence[Start], done: list[tuple[Gain, ...]]) -> None:
    """Add what the challenger gained in each round as it is played; an interruption ends the workers."""
    with WorkerPool(options.workers, ignore_interrupts=True) as pool:  # waits for its own threads
        try:
            with progress("rounds", len(starts)) as advance:
                for found in gains(options.challenger, options.reference, starts, options.seed, pool):
                    done.append(found)
                    advance(1)
        finally:
            pool.end()
