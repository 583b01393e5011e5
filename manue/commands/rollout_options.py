"""The option of commands that play decisions on, and what was found as lines."""

import argparse

from manue.agents.base import Decision
from manue.foreign import is_whole, printable
from manue.language.messages import ENGLISH
from manue.rollouts.player import MAX_WORLDS, MIN_WORLDS

NOT_PLAYED_ON = "nothing was played on: no option is close to the best, or the position is not whole"


def worlds(text: str) -> int:
    """Parse the number of worlds in which options are played on."""
    if not is_whole(text) or not MIN_WORLDS <= int(text) <= MAX_WORLDS:
        raise argparse.ArgumentTypeError(
            f"{printable(text)!r} is not a number of worlds, {MIN_WORLDS} to {MAX_WORLDS}"
        )
    return int(text)


def add_rollouts(parser: argparse.ArgumentParser) -> None:
    """Add ``--rollouts N``."""
    parser.add_argument(
        "--rollouts",
        type=worlds,
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
            option=report.label,
            gain=f"{found.gain:+,.0f}",
            error=f"{found.error:,.0f}",
            best=best.label,
        )
        lines.append(ENGLISH.text("rollout.unclear", gain=line) if abs(found.gain) <= found.error else line)
    return lines
