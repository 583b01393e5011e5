"""The option of commands that play decisions on, and what was found as a line."""

import argparse

from manue.agents.base import Decision
from manue.protocol.annotation import describe

NOT_PLAYED_ON = "manue: nothing was played on: no option is close to the best, or the position is not whole"


def add_rollouts(parser: argparse.ArgumentParser) -> None:
    """Add ``--rollouts N``."""
    parser.add_argument(
        "--rollouts",
        type=int,
        metavar="N",
        help="play close options on to the end of the round, all four seats, in N worlds that agree with "
        "what is seen: thousands, in seconds for each decision",
    )


def rollout_lines(decision: Decision) -> list[str]:
    """Return what playing on said of each option beside the chosen one; none if nothing was played on."""
    lines = []
    for report in decision.reports:
        found = report.details.rollout if report.details is not None else None
        if found is None or report.action == decision.action:
            continue
        name, chosen = describe(report.action, report.discard), _chosen(decision)
        told = "" if abs(found.gain) > found.error else ": this says nothing about which is better"
        lines.append(
            f"played on in {found.worlds:,} worlds: {name} {found.gain:+.0f} ± {found.error:.0f} points "
            f"beside {chosen}{told}"
        )
    return lines


def _chosen(decision: Decision) -> str:
    report = next(one for one in decision.reports if one.action == decision.action)
    return describe(report.action, report.discard)
