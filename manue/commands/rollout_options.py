"""The option of commands that play decisions on, and what was found as lines."""

import argparse

from manue.agents.base import Decision
from manue.commands.options import positive
from manue.language.messages import ENGLISH
from manue.protocol.annotation import describe

NOT_PLAYED_ON = "nothing was played on: no option is close to the best, or the position is not whole"


def add_rollouts(parser: argparse.ArgumentParser) -> None:
    """Add ``--rollouts N``."""
    parser.add_argument(
        "--rollouts",
        type=positive,
        metavar="N",
        help="play close options on to the end of the round, all four seats, in N worlds that agree with "
        "what is seen: thousands, in seconds for each decision",
    )


def rollout_lines(decision: Decision) -> list[str]:
    """Return what playing on said of each option beside the chosen one; none if nothing was played on."""
    lines = []
    best = decision.chosen_report
    for report in decision.reports:
        found = None if report.details is None else report.details.rollout
        if best is None or found is None or report is best:
            continue
        line = ENGLISH.text(
            "rollout.gain",
            worlds=f"{found.worlds:,}",
            option=describe(report.action, report.discard),
            gain=f"{found.gain:+,.0f}",
            error=f"{found.error:,.0f}",
            best=describe(best.action, best.discard),
        )
        lines.append(ENGLISH.text("rollout.unclear", gain=line) if abs(found.gain) <= found.error else line)
    return lines
