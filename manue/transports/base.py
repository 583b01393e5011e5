"""Run a conversation between a host and a session: read, think while reading, answer in time."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

from manue.agents.base import Decision
from manue.daemon_threads import DaemonThreads
from manue.errors import ConnectionLostError, ProtocolError, described
from manue.protocol.session import Session
from manue.protocol.turn import Turn

LINGER_SECONDS = 10.0
"""Seconds after the game for a request-driven host to send its verdict and hang up."""
_THINKERS = 4
"""Number of threads: one to think, the others for turns that arrive while an abandoned one still thinks."""

SaveFailure = Callable[[Session, str], None]
"""Saves the position of a decision that failed or was late, with the reason."""


class Channel(Protocol):
    """A two-way channel for lines."""

    async def receive(self) -> str | bytes | None:
        """Return the next line; ``None`` once the other side has closed.

        Raises
        ------
        ProtocolError
            If the line is longer than any message may be.
        ConnectionLostError
            If the other side has said why it goes.
        """
        ...

    async def send(self, line: str) -> None:
        """Send one line; raises ConnectionLostError if the other side is gone."""
        ...

    async def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        ...


class Conversation:
    """One connection, from the first line to the last.

    Parameters
    ----------
    session : Session
    channel : Channel
    save_failure : callable
    """

    def __init__(self, session: Session, channel: Channel, save_failure: SaveFailure) -> None:
        self.session = session
        self.channel = channel
        self._save_failure = save_failure
        self._thinkers: DaemonThreads[Decision] = DaemonThreads(_THINKERS)
        self._background: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Converse until the game is over or the other side has gone; the channel is closed in any case.

        Raises
        ------
        ProtocolError, EventError
            If the host refuses this player or ends the game with an error, or sends bad input to a strict
            session.
        UsageError
            If neither the host nor the user gives the seat.
        ConnectionLostError
            If the connection is lost before the end.
        """
        try:
            await self._converse()
        except ConnectionLostError:
            if self.session.failure is None:  # else it was the reply to the host's error that was lost
                raise
        finally:
            for task in self._background:
                task.cancel()
            await self.channel.close()
            self._thinkers.dismiss()
        session = self.session
        if session.failure is not None:
            raise ProtocolError(session.failure)
        if self._unfinished():
            raise ConnectionLostError("the host went away before the game was over")

    def _unfinished(self) -> bool:
        session = self.session
        begun = session.in_game or (session.dialect.one_game and not session.games)
        return begun and session.verdict is None

    async def _next_line(self) -> str | bytes | None:
        try:
            return await self.channel.receive()
        except ConnectionLostError:
            if self._unfinished():
                raise
            return None  # whatever the reason, the game is over

    async def _converse(self) -> None:
        session, requests = self.session, self.session.dialect.replies == "requests"
        while True:
            try:
                line = await asyncio.wait_for(self._next_line(), LINGER_SECONDS if session.over else None)
            except asyncio.TimeoutError:
                return
            if line is None:
                await self._say_last_line()
                return
            await asyncio.sleep(0)  # a flood of lines must not keep a signal waiting
            arrived = time.monotonic()
            answer = session.receive(line)
            if isinstance(answer, Turn):
                task = asyncio.ensure_future(self._think_and_send(answer, arrived))
                self._background.add(task)
                task.add_done_callback(self._background.discard)
                if not requests:
                    await task
            elif answer is not None:
                await self.channel.send(answer)
            if session.over and (not requests or session.failure is not None or session.verdict is not None):
                return

    async def _say_last_line(self) -> None:
        last = self.session.last_line()
        if last is not None:
            await self.channel.send(last)

    async def _think_and_send(self, turn: Turn, arrived: float) -> None:
        session = self.session
        reply, failure = await self._reply_in_time(turn, arrived)
        try:
            if reply is not None:
                await self.channel.send(reply)
        except ConnectionLostError:
            if session.dialect.replies != "requests":
                raise  # otherwise the reader notices it, after the last lines of the host
        finally:
            if failure is not None:
                self._save_failure(session, failure)

    async def _reply_in_time(self, turn: Turn, arrived: float) -> tuple[str | None, str | None]:
        """Return the reply, if one is still expected, and why the decision failed, if it did."""
        session = self.session
        left = None if turn.seconds is None else turn.seconds - (time.monotonic() - arrived)
        thinking = asyncio.wrap_future(self._thinkers.submit(partial(turn.think, left)))
        decision, failure = None, None
        try:
            decision = await asyncio.wait_for(thinking, left)
        except asyncio.TimeoutError:
            failure = f"no decision within {turn.seconds:.2f} s"
        except Exception as error:  # noqa: BLE001  no error of an agent may end the game for the table
            failure = described(error)
        if not session.is_open(turn):
            return None, None
        if turn.deadline is not None and time.monotonic() - arrived > turn.deadline:
            failure = failure or "the decision was too late"
            session.withdraw(turn, f"{failure}, after the host's deadline")
            return None, failure
        if decision is not None:
            try:
                return session.answer(turn, decision), None
            except Exception as error:  # noqa: BLE001  of what an agent reports, something cannot be written
                failure = described(error)
        return session.fall_back(turn, failure or ""), failure
