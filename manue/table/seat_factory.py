"""From the spec of a seat to its player."""

import gc
import shutil
from functools import cache
from pathlib import Path
from typing import get_args

from manue.agents.base import Agent
from manue.agents.manue import Manue
from manue.agents.registry import make_agent
from manue.errors import UsageError
from manue.models.files import models_dir
from manue.player import warm_up
from manue.rules import Rules
from manue.table.process_seat import BotFraming, Limits, ProcessSeat, split_command
from manue.table.seats import AgentSeat, SeatPlayer
from manue.table.tcp_listener import check_address, wait_for_client
from manue.tiles import Seat

TCP = "tcp:"
"""Prefix of the spec of a seat that waits for a TCP client."""


def _agent(spec: str, *, details: bool = False) -> Agent:
    return _warm_agent(spec, models_dir(), details=details)


@cache
def _warm_agent(spec: str, _default_models: Path, *, details: bool) -> Agent:
    """Make each agent once per process: models are loaded and kernels compiled only once."""
    agent = make_agent(spec)
    if details and isinstance(agent, Manue):
        agent = agent.explaining()
    warm_up(agent)
    gc.collect()
    gc.freeze()  # models and kernels live on: spare the collector from scanning them again and again
    return agent


def _program_of(spec: str) -> tuple[BotFraming, str] | None:
    """Return the framing and the command of a program's spec, ``None`` for any other spec."""
    kind, colon, command = spec.partition(":")
    for framing in get_args(BotFraming):
        if colon and kind == framing:
            return framing, command
    return None


def make_seat_player(
    spec: str, seat: Seat, rules: Rules, limits: Limits, *, details: bool = False
) -> SeatPlayer:
    """Make the player that a spec names.

    A spec is an agent; ``cmd:PROGRAM ARGS``, ``cmd-each:...`` or ``cmd-array:...``; or ``tcp:[HOST:]PORT``,
    which waits for a client of the original server's protocol. With ``details``, an agent that can explain
    its decisions does so in full.

    Raises
    ------
    UsageError
        If it names no known player, or a program that cannot be started.
    """
    program = _program_of(spec)
    if program is not None:
        return ProcessSeat(seat, *program, limits)
    if spec.startswith(TCP):
        return wait_for_client(spec.removeprefix(TCP), seat, rules, limits)
    return AgentSeat(seat, _agent(spec, details=details), rules)


def check_spec(spec: str) -> None:
    """Check before any game begins that a spec names a player.

    Raises
    ------
    UsageError
        If it does not.
    """
    program = _program_of(spec)
    if spec.startswith(TCP):
        check_address(spec.removeprefix(TCP))
        return
    if program is None:
        _agent(spec)
        return
    executable = split_command(program[1], 0)[0]
    if shutil.which(executable) is None:
        raise UsageError(f"{spec!r}: no program {executable!r}")
