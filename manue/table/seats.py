"""Who plays a seat: a built-in agent in this process, or the stand-in for a player that failed."""

import logging
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from manue.agents.base import Agent, Decision
from manue.errors import AgentError, ManueError, SeatFault, described
from manue.game.actions import Action
from manue.game.events import Called, Discarded, DoraRevealed, Draw, Event, seen_by
from manue.player import Player
from manue.protocol.codec import Fields, action_to_fields
from manue.rules import Rules
from manue.table.referee import Referee
from manue.tiles import Seat

LOG = logging.getLogger(__name__)
_REPORTED: set[tuple[str, str, str]] = set()
"""Errors of agents that this process has reported: the agent, the class of the error, where it was raised."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One event as the referee knows it, with every tile visible: its Mjai message and the parsed event."""

    message: Fields
    event: Event


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's reply, the time it took, and the player's own notes on it.

    The time is ``None`` if nobody decided: a stand-in answers, or the discard came together with a call.
    """

    reply: Fields
    elapsed_ms: float | None
    decision: Decision | None = None
    log: str | None = None
    meta: Fields | None = None


class SeatPlayer(ABC):
    """Whoever answers for a seat during one game."""

    @abstractmethod
    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Follow what happened; answer if asked.

        Raises
        ------
        SeatFault
            If the player gives no usable answer.
        """

    def refuse(self, fault: SeatFault) -> None:  # noqa: B027  most have nothing to do
        """Take note of a fault of this player."""

    def plays_on(self, fault: SeatFault) -> bool:  # noqa: ARG002
        """Return whether the player keeps its seat after a fault; for this once a stand-in answers."""
        return False

    def advice(self, reply: Fields) -> str | None:  # noqa: ARG002
        """Return what to do about an illegal reply, if that is known."""
        return None

    def close(self) -> None:  # noqa: B027  most have nothing to do
        """Leave the table."""


def acts_for(seat: Seat, reply: Fields) -> bool:
    """Return whether a reply names no other seat as its actor."""
    return reply["type"] == "none" or reply.get("actor") in (None, seat)


def is_robbed_late(events: Sequence[TableEvent]) -> bool:
    """Return whether the seats asked after these events may rob a kan that an indicator follows.

    The indicator is that of the kan before. Whoever answers every line may do so after either of the two.
    """
    return (
        len(events) > 1
        and isinstance(events[-1].event, DoraRevealed)
        and isinstance(events[-2].event, Called)
    )


class AgentSeat(SeatPlayer):
    """A built-in agent, in this process.

    Parameters
    ----------
    seat : int
    agent : Agent
    rules : Rules
    """

    def __init__(self, seat: Seat, agent: Agent, rules: Rules) -> None:
        self._seat = seat
        self._player = Player(seat, agent, rules)

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Pass the events on one by one; decide after the last if there is something to decide.

        Whatever may be chosen before that is a fault, unless an indicator follows: who robs a kan is asked
        only once the indicator of the kan before it is shown.
        """
        actions: tuple[Action, ...] = ()
        started = 0.0
        with self._faults():
            for item in events:
                if actions and not isinstance(item.event, DoraRevealed):
                    raise SeatFault("illegal", f"may choose {actions[0]} before the turn is over")
                started = time.perf_counter()
                actions = self._player.observe(seen_by(item.event, self._seat))
            if not asked and actions:
                raise SeatFault("illegal", f"may choose {actions[0]} without being asked")
            decision = self._player.decide(actions) if actions else None
        if decision is None:
            if asked:
                raise SeatFault("silent", "made no decision when asked for one")
            return None
        elapsed_ms = (time.perf_counter() - started) * 1000
        return Answer(action_to_fields(decision.action, self._seat), elapsed_ms, decision)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Raise whatever goes wrong in the player as a fault of the seat."""
        try:
            yield
        except SeatFault:
            raise
        except Exception as error:
            self._report(error)
            if isinstance(error, ManueError) and not isinstance(error, AgentError):
                raise SeatFault("illegal", str(error)) from error
            # a bug in an agent costs its seat, not the match
            place = f" ({error.where})" if isinstance(error, AgentError) and error.where else ""
            raise SeatFault("died", described(error) + place) from error

    def _report(self, error: Exception) -> None:
        """Say what went wrong, of a bug with its traceback: once, as it may come back in every game."""
        cause = (error.__cause__ or error) if isinstance(error, AgentError) else error
        raised_at = str(traceback.extract_tb(cause.__traceback__)[-1:])
        what = (self._player.agent.name, type(cause).__name__, raised_at)
        if what in _REPORTED:
            return
        _REPORTED.add(what)
        if isinstance(cause, ManueError) and not isinstance(error, AgentError):
            LOG.warning("the agent in seat %d failed: %s", self._seat, error)
        else:
            LOG.error("the agent in seat %d failed", self._seat, exc_info=cause)


class StandIn(SeatPlayer):
    """Plays on for a seat that failed, by the referee's legal moves: passes, and discards what it draws."""

    def __init__(self, seat: Seat, referee: Referee) -> None:
        self._seat = seat
        self._referee = referee
        self._drawn: str | None = None

    def observe(self, events: Sequence[TableEvent], *, asked: bool) -> Answer | None:
        """Remember the drawn tile; answer if asked."""
        for item in events:
            if isinstance(item.event, Draw) and item.event.actor == self._seat:
                self._drawn = item.event.tile
            elif isinstance(item.event, Discarded | Called) and item.event.actor == self._seat:
                self._drawn = None
        return Answer(self.choose(), None) if asked else None

    def choose(self) -> Fields:
        """Pass if allowed, else discard the drawn tile, else make the last discard allowed."""
        legal = self._referee.legal(self._seat)
        if any(reply["type"] == "none" for reply in legal):
            return {"type": "none"}
        drawn: Fields = {"type": "dahai", "actor": self._seat, "pai": self._drawn, "tsumogiri": True}
        if any(reply.get("pai") == self._drawn for reply in legal if reply["type"] == "dahai"):
            return drawn
        return [reply for reply in legal if reply["type"] == "dahai"][-1]
