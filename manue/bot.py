"""``python -m manue.bot ID``: a bot on standard input and output, for tools that run Mjai bots.

It reads one event per line and answers only where there is a decision to make; with ``MORTAL_REVIEW_MODE=1``
in the environment it answers every line. ``--dialect arrays`` is the protocol of mjai.app.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from manue.agents.registry import make_agent
from manue.errors import ManueError
from manue.foreign import MESSAGE, foreign
from manue.protocol.dialect import DIALECTS
from manue.transports.driver import Engagement, play

REVIEW_VARIABLE = "MORTAL_REVIEW_MODE"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play on standard input and output until the input ends; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m manue.bot", description="A Mjai bot on standard input and output."
    )
    parser.add_argument("id", metavar="ID", type=int, choices=range(4), help="seat of the bot, 0..3")
    stdio = [name for name, dialect in DIALECTS.items() if dialect.transport == "stdio"]
    parser.add_argument("--dialect", choices=stdio, help="how the host speaks (default: lines)")
    parser.add_argument("--agent", default="manue", metavar="SPEC", help="who plays (default: %(default)s)")
    options = parser.parse_args(arguments)
    reviewing = os.environ.get(REVIEW_VARIABLE, "") not in {"", "0"}
    dialect = DIALECTS[options.dialect or ("review" if reviewing else "lines")]
    try:
        return play(Engagement(dialect, seat=options.id), make_agent(options.agent))
    except ManueError as error:
        print(f"manue: {foreign(error, MESSAGE)}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
