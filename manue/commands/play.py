"""``manue play``: take a seat at a host, or speak Mjai on standard input and output."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from manue.agents.registry import SPEC_HELP, make_agent, with_options
from manue.errors import UsageError
from manue.protocol.dialect import DIALECTS, Dialect, dialect_for
from manue.transports.driver import Engagement, play
from manue.transports.websocket import TOKEN_VARIABLE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "url",
        metavar="URL",
        nargs="?",
        help="mjsonp://HOST:PORT/ROOM, ws://HOST/PATH, wss://HOST/PATH; without it stdin and stdout",
    )
    parser.add_argument("--id", type=int, choices=range(4), help="our seat, where the host does not tell it")
    parser.add_argument(
        "--name", default="manue", help="the name to join a TCP room with (default: %(default)s)"
    )
    parser.add_argument("--dialect", choices=DIALECTS, help="how the host speaks (default: by the address)")
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help=f"who plays: {SPEC_HELP} (default: %(default)s)"
    )
    parser.add_argument(
        "--mc-draws",
        "--trials",
        dest="mc_draws",
        type=_positive,
        metavar="N",
        help="Monte Carlo draws per decision",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the decisions' randomness")
    parser.add_argument(
        "--games", type=_positive, default=1, metavar="N", help="games to play, one per connection"
    )
    parser.add_argument(
        "--limit", type=_seconds, metavar="SECONDS", help="time for an answer, if the host tells none"
    )
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="keep the conversation, in FILE-1, FILE-2, ... by game"
    )
    parser.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help=f"the bearer token (default: the variable {TOKEN_VARIABLE})",
    )
    parser.add_argument("--strict", action="store_true", help="stop at the first line that makes no sense")
    parser.add_argument("--quiet", action="store_true", help="do not tell rounds and scores on stderr")
    parser.epilog = _dialect_help()


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time from 0.01 to 3600 seconds")
    return value


def _dialect_help() -> str:
    rows = [f"  {dialect.name:<10} {dialect.summary}" for dialect in DIALECTS.values()]
    return "\n".join(
        [
            "dialects:",
            *rows,
            "",
            "exit codes: 0 game over, 1 protocol error, 2 usage, 3 connection lost, 130 Ctrl-C, 143 SIGTERM",
        ]
    )


def agent_spec(agent: str, *, mc_draws: int | None = None, seed: int | None = None) -> str:
    """Return the spec with options added: ``manue`` with 500 Monte Carlo draws is ``manue:mc_draws=500``."""
    options = {"mc_draws": mc_draws, "seed": seed}
    return with_options(agent, {name: str(value) for name, value in options.items() if value is not None})


def run(options: argparse.Namespace) -> int:
    """Play and return the exit code."""
    dialect = dialect_for(options.url, options.dialect)
    _check_fitting(options, dialect)
    if options.limit is not None:
        dialect = replace(dialect, seconds=options.limit)
    engagement = Engagement(
        dialect=dialect,
        url=options.url,
        seat=options.id,
        name=options.name,
        games=options.games,
        log=options.log,
        token_file=options.token_file,
        strict=options.strict,
        verbose=not options.quiet and (options.url is not None or sys.stderr.isatty()),
    )
    return play(
        engagement, make_agent(agent_spec(options.agent, mc_draws=options.mc_draws, seed=options.seed))
    )


def _check_fitting(options: argparse.Namespace, dialect: Dialect) -> None:
    if options.games > 1 and dialect.transport == "stdio":
        raise UsageError("--games needs an address: on standard input games go on until it ends")
    if options.token_file is not None and dialect.transport != "websocket":
        raise UsageError("--token-file needs a WebSocket address")
