"""Who answers for a seat: an agent of ours in this process, or the stand-in for one that failed."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from manue.agents.base import Agent, Decision
from manue.errors import ManueError
from manue.game.events import Draw, Event, seen_by
from manue.player import Player
from manue.protocol.codec import Fields, action_to_fields
from manue.rules import Rules
from manue.table.referee import Message, Referee
from manue.tiles import Seat

LOG = logging.getLogger(__name__)


class SeatFault(ManueError):  # noqa: N818 - what went wrong at a seat, recorded; not always raised
    """A seat's player failed: it died, was late, was silent when asked, or answered what is not allowed.

    Parameters
    ----------
    kind : str
        One word for the statistics: ``illegal``, ``silent``, ``late``, ``died``, ``unreadable``.
    reason : str
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)  # both, so that it travels between processes
        self.kind = kind
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


@dataclass(frozen=True, slots=True)
class News:
    """One event of the game as the referee knows it, every tile visible."""

    message: Message
    event: Event


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's reply, the time it took, and what it says about it."""

    reply: Message
    elapsed_ms: float
    decision: Decision | None = None
    log: str | None = None
    meta: Fields | None = None


class SeatHolder(Protocol):
    """Whoever holds a seat for one game."""

    def observe(self, news: Sequence[News], *, asked: bool) -> Answer | None:
        """Take in what happened; answer if asked.

        Raises
        ------
        SeatFault
            If no usable answer can be had.
        """
        ...

    def close(self) -> None:
        """Leave the table."""
        ...


class AgentSeat:
    """An agent of ours, in this process.

    Parameters
    ----------
    seat : int
    agent : Agent
    rules : Rules
    """

    def __init__(self, seat: Seat, agent: Agent, rules: Rules) -> None:
        self._seat = seat
        self._player = Player(seat, agent, rules)

    def observe(self, news: Sequence[News], *, asked: bool) -> Answer | None:
        """Feed the player event by event; only the last event of a batch can ask for a choice."""
        decision = None
        elapsed_ms = 0.0
        for item in news:
            if decision is not None:
                raise SeatFault("illegal", f"decided {decision.action} before the turn was over")
            started = time.perf_counter()
            try:
                decision = self._player.receive(seen_by(item.event, self._seat))
            except ManueError as error:
                raise SeatFault("illegal", str(error)) from error
            except Exception as error:  # a mistake in an agent costs its seat, not the match
                LOG.exception("the agent in seat %d failed", self._seat)
                raise SeatFault("died", f"{type(error).__name__}: {error}") from error
            elapsed_ms = (time.perf_counter() - started) * 1000
        if decision is None:
            if asked:
                raise SeatFault("silent", "saw nothing to decide")
            return None
        if not asked:
            raise SeatFault("illegal", f"decided {decision.action} unasked")
        return Answer(action_to_fields(decision.action, self._seat), elapsed_ms, decision)

    def close(self) -> None:
        """Nothing to leave."""


class StandIn:
    """Plays on for a seat that failed, by the referee's legal moves: passes and discards what it draws."""

    def __init__(self, seat: Seat, referee: Referee) -> None:
        self._seat = seat
        self._referee = referee
        self._drawn: str | None = None

    def observe(self, news: Sequence[News], *, asked: bool) -> Answer | None:
        """Remember the drawn tile; answer if asked."""
        for item in news:
            if isinstance(item.event, Draw) and item.event.actor == self._seat:
                self._drawn = item.event.tile
        return Answer(self.choose(), 0.0) if asked else None

    def choose(self) -> Message:
        """Pass if one may, else discard the drawn tile, else the last discard allowed."""
        legal = self._referee.legal(self._seat)
        if any(reply["type"] == "none" for reply in legal):
            return {"type": "none"}
        drawn: Message = {"type": "dahai", "actor": self._seat, "pai": self._drawn, "tsumogiri": True}
        if any(reply.get("pai") == self._drawn for reply in legal if reply["type"] == "dahai"):
            return drawn
        return [reply for reply in legal if reply["type"] == "dahai"][-1]

    def close(self) -> None:
        """Nothing to leave."""
