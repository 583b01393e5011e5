"""From the spec of a seat to its player."""

import gc
from collections.abc import Iterable
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from manue.agents.base import Agent
from manue.agents.manue import Manue
from manue.agents.registry import is_meant_as_program, make_agent
from manue.errors import UnknownAgentError, UsageError
from manue.models.files import models_dir
from manue.player import warm_up
from manue.rules import Rules
from manue.table.conversation_log import ConversationLog
from manue.table.process_seat import ProcessSeat
from manue.table.program_spec import parse_program, without_name
from manue.table.seats import AgentSeat, SeatPlayer
from manue.table.tcp_listener import parse_address, wait_for_client
from manue.table.thinking_time import Limits
from manue.tiles import Seat

TCP_PREFIX = "tcp:"
"""Prefix of the spec of a seat that waits for a TCP client."""


@cache
def _made_agent(spec: str, _default_models: Path, *, details: bool) -> Agent:
    """Make an agent once per process and folder of default models: models are loaded only once."""
    agent = make_agent(spec)
    return agent.explaining() if details and isinstance(agent, Manue) else agent


@cache
def _warm_agent(spec: str, default_models: Path, *, details: bool) -> Agent:
    agent = _made_agent(spec, default_models, details=details)
    warm_up(agent)
    gc.collect()
    gc.freeze()  # models and kernels live on: spare the collector from scanning them again and again
    return agent


def make_seat_player(
    spec: str, seat: Seat, rules: Rules, limits: Limits, *, details: bool = False, log: Path | None = None
) -> SeatPlayer:
    """Make the player that a spec names.

    A spec is an agent; ``cmd:PROGRAM ARGS``, ``cmd-each:...`` or ``cmd-array:...``, kept for several games as
    ``cmd-keep:...`` and so on; or ``tcp:[HOST:]PORT``, which waits for a client of the original server's
    protocol. The last two may have a name: ``NAME=cmd:...``. With ``details``, an agent that can explain its
    decisions does so in full. A program's conversation goes to the file ``log``.

    Raises
    ------
    UsageError
        If it names no known player, or a program that cannot be started.
    """
    spec = without_name(spec)
    program = parse_program(spec)
    if program is not None:
        return ProcessSeat(seat, program, limits, None if log is None else ConversationLog(log))
    if spec.startswith(TCP_PREFIX):
        return wait_for_client(spec.removeprefix(TCP_PREFIX), seat, rules, limits)
    return AgentSeat(seat, _warm_agent(spec, models_dir(), details=details), rules)


def seated(players: Iterable[SeatPlayer]) -> list[SeatPlayer]:
    """Return the players of a table as they are made; if one cannot be, those made before it are closed."""
    made = []
    with ExitStack() as unfinished:
        for player in players:
            unfinished.callback(player.close)
            made.append(player)
        unfinished.pop_all()
    return made


def check_spec(spec: str) -> None:
    """Check before any game begins that a spec names a player; agents are made, but not warmed up.

    Raises
    ------
    UsageError
        If it does not.
    """
    spec = without_name(spec)
    program = parse_program(spec)
    if spec.startswith(TCP_PREFIX):
        parse_address(spec.removeprefix(TCP_PREFIX))
    elif program is not None:
        program.check()
    elif is_meant_as_program(spec):
        raise UsageError(
            f"{spec!r}: a program is [NAME=]cmd[-each|-array][-keep]:PROGRAM ARGS, NAME without any of =:,"
        )
    else:
        try:
            _made_agent(spec, models_dir(), details=False)
        except UnknownAgentError as error:
            written = spec if "/" in spec else f"./{spec}"
            example = f"cmd:{written}" if Path(spec).is_file() else "cmd:PROGRAM ARGS"
            hint = f"a program of your own is {example} (a comma in it needs quotes)"
            raise UsageError(f"{error}; {hint}") from error


def warm_up_spec(spec: str) -> None:
    """Compile what an agent needs; programs and clients need nothing."""
    if not is_program_or_client(spec):
        _warm_agent(without_name(spec), models_dir(), details=False)


def is_program_or_client(spec: str) -> bool:
    """Return whether a player is a program, or a client that joins over the network."""
    spec = without_name(spec)
    return parse_program(spec) is not None or spec.startswith(TCP_PREFIX)
