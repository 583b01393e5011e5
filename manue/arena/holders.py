"""From a seat's spec to who holds it."""

from dataclasses import dataclass
from functools import cache

from manue.agents.base import Agent
from manue.agents.registry import make_agent
from manue.arena.seats import AgentSeat, SeatHolder
from manue.rules import Rules
from manue.tiles import Seat


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of players outside this process, in seconds."""

    decision: float = 10.0
    game: float = 1800.0
    start: float = 60.0  # for the first answer of a game: programs load their models


@cache
def _agent(spec: str) -> Agent:
    """Make each agent once per process: models are loaded and kernels compiled only once."""
    return make_agent(spec)


def hold_seat(spec: str, seat: Seat, rules: Rules, limits: Limits) -> SeatHolder:
    """Seat whoever a spec names.

    Raises
    ------
    UsageError
        If it names nobody.
    """
    del limits
    return AgentSeat(seat, _agent(spec), rules)


def check_spec(spec: str) -> None:
    """Make sure that a spec names somebody, before any game begins.

    Raises
    ------
    UsageError
        If it does not.
    """
    _agent(spec)
