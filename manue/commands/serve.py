"""``manue serve``: a match server that other bots join."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote

from manue.agents.registry import SPEC_HELP
from manue.commands.game_options import add_game
from manue.commands.limit_options import add_strikes
from manue.commands.options import free_seconds, path, port, positive, seconds, whole
from manue.commands.outputs import check_folder
from manue.errors import UsageError
from manue.folder_lock import held
from manue.foreign import printable
from manue.protocol.dialect import DEFAULT_PORT, DEFAULT_ROOM
from manue.rules import RULES
from manue.server.lobby import Finished, Lobby, ServeSettings
from manue.server.server import WEB_PATH, TcpServer, WebSocketServer
from manue.stderr import note
from manue.table.referee import engine_rules
from manue.table.specs import check_specs, split_specs
from manue.table.tcp_listener import check_listening, host_and_port, listen
from manue.table.thinking_time import ByoYomi, Limits
from manue.transports.websocket import TOKEN_VARIABLE, read_token

LOG = logging.getLogger(__name__)
SHUTDOWN_SECONDS = 2.0
"""Time that games in progress have to finish when the server stops."""

_SIGNAL_SECONDS = 0.5
"""How often the main thread wakes: Python handles no signal while it waits without a limit."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument(
        "--port", type=port, default=DEFAULT_PORT, help="TCP port, 0 for any (default: %(default)s)"
    )
    parser.add_argument("--room", default=DEFAULT_ROOM, help="name of the room (default: %(default)s)")
    parser.add_argument(
        "--ws",
        type=port,
        nargs="?",
        const=DEFAULT_PORT + 1,
        metavar="PORT",
        help=f"also serve WebSocket (default port: {DEFAULT_PORT + 1})",
    )
    parser.add_argument(
        "--token-file",
        type=path,
        metavar="FILE",
        help="file with the token that clients must send: over WebSocket as Authorization: Bearer TOKEN, "
        f"over TCP as token of their join (default: the variable {TOKEN_VARIABLE}; without either, none)",
    )
    _add_seats(parser)
    parser.add_argument("--games", type=positive, help="stop after this many games (default: never)")
    parser.add_argument(
        "--seed", type=whole, default=0, help="seed of walls and seats (default: %(default)s)"
    )
    add_game(parser)
    _add_time_limits(parser)
    parser.add_argument("--log-dir", type=path, metavar="DIR", help="write annotated logs there")


def _add_seats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--clients",
        type=int,
        default=1,
        choices=(1, 2, 3, 4),
        help="number of clients that a table waits for (default: %(default)s)",
    )
    parser.add_argument(
        "--fill",
        default="greedy",
        metavar="A,B,...",
        help=f"agents for the other seats, used in turn: {SPEC_HELP} (default: %(default)s)",
    )


def _add_time_limits(parser: argparse.ArgumentParser) -> None:
    limits = ServeSettings().limits
    parser.add_argument(
        "--decision-seconds",
        type=seconds,
        default=limits.decision,
        metavar="S",
        help=f"time limit of an answer over TCP, and of cmd: seats (default: {limits.decision:g})",
    )
    parser.add_argument(
        "--game-seconds",
        type=seconds,
        default=limits.game,
        metavar="S",
        help="time limit of all answers of a game together, over TCP and of cmd: seats "
        f"(default: {limits.game:g})",
    )
    add_strikes(parser)
    times = ByoYomi()
    parser.add_argument(
        "--grace-seconds",
        type=free_seconds,
        metavar="S",
        help=f"WebSocket: free time for each request (default: {times.grace:g})",
    )
    parser.add_argument(
        "--bank-seconds",
        type=free_seconds,
        metavar="S",
        help=f"WebSocket: time bank for each round (default: {times.bank:g})",
    )


def run(options: argparse.Namespace) -> int:
    """Serve until all games are played, or until Ctrl-C."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # not every client that breaks the protocol
    logging.getLogger("manue.server").setLevel(logging.INFO)  # who joins, who is refused
    if not options.room:
        raise UsageError("--room is empty: no client could name it")
    engine_rules(RULES[options.rules])  # report at once what no game could be played without
    times = _web_times(options)
    for number in (options.port, options.ws):
        if number is not None:
            check_listening(options.host, number)
    check_folder(options.log_dir)
    fill = split_specs(options.fill)
    check_specs(fill)
    token = read_token(options.token_file)
    with held(options.log_dir):
        return _serve(_settings(options, fill), options, times, token)


def _web_times(options: argparse.Namespace) -> ByoYomi:
    """Return the thinking time over WebSocket; refuse one that nobody would have."""
    times = {"grace": options.grace_seconds, "bank": options.bank_seconds}
    given = {name: value for name, value in times.items() if value is not None}
    if given and options.ws is None:
        raise UsageError(f"--{next(iter(given))}-seconds goes with --ws")
    return replace(ByoYomi(), **given)


def _settings(options: argparse.Namespace, fill: Sequence[str]) -> ServeSettings:
    return ServeSettings(
        clients=options.clients,
        fill=tuple(fill),
        games=options.games,
        seed=options.seed,
        length=options.length,
        rules=options.rules,
        limits=Limits(
            options.decision_seconds, options.game_seconds, options.decision_seconds, options.strikes
        ),
        log_dir=options.log_dir,
    )


def _serve(settings: ServeSettings, options: argparse.Namespace, times: ByoYomi, token: str | None) -> int:
    lobby = Lobby(settings, _report)
    listener = listen(options.host, options.port)
    tcp = TcpServer(listener, lobby, options.room, token)
    address = f"{host_and_port(options.host, tcp.port)}/{quote(options.room)}"
    note(f"TCP: mjsonp://{address}")
    servers: list[TcpServer | WebSocketServer] = [tcp]
    if options.ws is not None:
        web = WebSocketServer(options.host, options.ws, lobby, times, token)
        address = f"{host_and_port(options.host, web.port)}{WEB_PATH}"
        note(f"WebSocket: ws://{address}")
        servers.append(web)
    for server in servers:
        server.start()
    try:
        while not lobby.done.wait(_SIGNAL_SECONDS):
            pass
    finally:
        lobby.close(SHUTDOWN_SECONDS)  # first: with websockets 17 a server that closes hangs up on everybody
        for server in servers:
            server.close()
    return 0


def _report(finished: Finished) -> None:
    """Print the result of a game: players by place, and who failed."""
    record = finished.record
    names = [printable(name) for name in finished.names]
    faults = "".join(f"; {names[fault.seat]} {fault.kind}: {fault.reason}" for fault in record.faults)
    log = "" if finished.log is None else f"; {finished.log.name}"
    try:
        print(f"game {finished.game}: {record.standings(names)}{faults}{log}", flush=True)
    except (OSError, ValueError) as error:
        LOG.warning("manue: results are no longer printed: %s", error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
