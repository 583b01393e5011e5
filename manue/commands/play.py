"""``manue play``: take a seat at a host, or speak Mjai on standard input and output."""

import argparse
import sys
from dataclasses import replace

from manue.agents.registry import SPEC_HELP, with_options
from manue.commands.game_options import add_length, add_rules
from manue.commands.options import add_mc_draws, path, player_name, positive, seconds, whole
from manue.decision.settings import Settings
from manue.errors import UsageError
from manue.protocol.dialect import DIALECTS, Dialect, dialect_for
from manue.rules import RULES
from manue.transports.driver import PlaySettings, play
from manue.transports.websocket import TOKEN_VARIABLE
from manue.warming import agent_at_once


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "url",
        metavar="URL",
        nargs="?",
        help="mjsonp://HOST:PORT/ROOM, ws://HOST/PATH or wss://HOST/PATH (default: stdin and stdout)",
    )
    parser.add_argument(
        "--id",
        type=int,
        choices=range(4),
        help="our seat; one named by the host takes precedence, but in the dialects lines, review and mortal",
    )
    parser.add_argument(
        "--name", type=player_name, default="manue", help="name to join under (default: %(default)s)"
    )
    parser.add_argument("--dialect", choices=DIALECTS, help="how the host speaks (default: by the address)")
    parser.add_argument(
        "--agent", default="manue", metavar="SPEC", help=f"who plays: {SPEC_HELP} (default: %(default)s)"
    )
    defaults = Settings()
    add_mc_draws(parser, help=f"Monte Carlo draws per decision, default {defaults.mc_draws}")
    add_length(parser, default="as the host says, else a hanchan")
    add_rules(parser)
    parser.add_argument(
        "--seed", type=whole, metavar="N", help=f"seed of the Monte Carlo draws, default {defaults.seed}"
    )
    parser.add_argument(
        "--games",
        type=positive,
        default=1,
        metavar="N",
        help="games to play, one per connection (default: 1)",
    )
    parser.add_argument(
        "--limit", type=seconds, metavar="SECONDS", help="time limit for an answer, if the host sets none"
    )
    parser.add_argument(
        "--log",
        type=path,
        metavar="FILE",
        help="record the conversation, each game in a file: game-1.mjson, game-2.mjson, ... for game.mjson",
    )
    parser.add_argument(
        "--token-file",
        type=path,
        metavar="FILE",
        help=f"file with the bearer token (default: of a WebSocket host the variable {TOKEN_VARIABLE}; "
        "of a TCP host none)",
    )
    parser.add_argument("--strict", action="store_true", help="stop at the first invalid line")
    parser.add_argument(
        "--quiet",
        action="store_true",
        help="do not report rounds and scores on stderr; what is wrong, and who decides while kernels are "
        "compiled, is reported all the same",
    )
    parser.epilog = _dialect_help()


def _dialect_help() -> str:
    rows = [f"  {dialect.name:<10} {dialect.summary}" for dialect in DIALECTS.values()]
    return "\n".join(
        [
            "dialects:",
            *rows,
            "",
            "exit codes: 0 game over, 1 protocol error, 2 usage, 3 connection lost, 129 SIGHUP, 130 Ctrl-C,",
            "143 SIGTERM",
        ]
    )


def agent_spec(agent: str, *, mc_draws: int | None = None, seed: int | None = None) -> str:
    """Return a spec with options added: ``manue`` with 500 Monte Carlo draws is ``manue:mc_draws=500``."""
    options = {"mc_draws": mc_draws, "seed": seed}
    return with_options(agent, {name: str(value) for name, value in options.items() if value is not None})


def run(options: argparse.Namespace) -> int:
    """Play and return the exit code."""
    if options.url == "":
        raise UsageError("the address of the host is empty")
    dialect = dialect_for(options.url, options.dialect)
    _check_fitting(options, dialect)
    if options.limit is not None:
        dialect = replace(dialect, seconds=options.limit)
    settings = PlaySettings(
        dialect=dialect,
        url=options.url,
        seat=options.id,
        name=options.name,
        games=options.games,
        log=options.log,
        token_file=options.token_file,
        strict=options.strict,
        rules=RULES[options.rules],
        last_round=options.last_round,
        verbose=not options.quiet and (options.url is not None or sys.stderr.isatty()),
    )
    spec = agent_spec(options.agent, mc_draws=options.mc_draws, seed=options.seed)
    return play(settings, agent_at_once(spec, patient=dialect.patient))


def _check_fitting(options: argparse.Namespace, dialect: Dialect) -> None:
    if options.games > 1 and dialect.transport == "stdio":
        raise UsageError("--games needs an address; standard input is played to its end")
    if options.token_file is not None and dialect.transport == "stdio":
        raise UsageError("--token-file needs an address")
