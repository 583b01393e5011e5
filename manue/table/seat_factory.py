"""From a seat's spec to who holds it."""

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
from manue.table.process_seat import Dialect, Limits, ProgramSeat, split_command
from manue.table.seats import AgentSeat, SeatHolder
from manue.table.tcp_listener import check_address, wait_for_client
from manue.tiles import Seat

TCP = "tcp:"
"""Begins the spec of a seat that waits for a client."""


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
    gc.freeze()  # models and kernels stay: the collector need not go through them again and again
    return agent


def _outside(spec: str) -> tuple[Dialect, str] | None:
    kind, colon, command = spec.partition(":")
    for dialect in get_args(Dialect):
        if colon and kind == dialect:
            return dialect, command
    return None


def hold_seat(spec: str, seat: Seat, rules: Rules, limits: Limits, *, details: bool = False) -> SeatHolder:
    """Seat whoever a spec names.

    An agent; ``cmd:PROGRAM ARGS``, ``cmd-each:...`` or ``cmd-array:...``; or ``tcp:[HOST:]PORT``, where a
    client of the original server's protocol is waited for. With ``details`` an agent that can explain itself
    does so in full.

    Raises
    ------
    UsageError
        If it names nobody, or a program that cannot be started.
    """
    outside = _outside(spec)
    if outside is not None:
        return ProgramSeat(seat, *outside, limits)
    if spec.startswith(TCP):
        return wait_for_client(spec.removeprefix(TCP), seat, rules, limits)
    return AgentSeat(seat, _agent(spec, details=details), rules)


def check_spec(spec: str) -> None:
    """Make sure that a spec names somebody, before any game begins.

    Raises
    ------
    UsageError
        If it does not.
    """
    outside = _outside(spec)
    if spec.startswith(TCP):
        check_address(spec.removeprefix(TCP))
        return
    if outside is None:
        _agent(spec)
        return
    program = split_command(outside[1], 0)[0]
    if shutil.which(program) is None:
        raise UsageError(f"{spec!r}: no program {program!r}")
