"""Take a seat and play: connect, converse, reconnect if the protocol allows it, and end cleanly."""

import asyncio
import signal
import sys
import time
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import unquote, urlsplit

from manue import interrupts
from manue.agents.base import Agent
from manue.errors import ConnectionLostError, ProtocolError, UsageError
from manue.foreign import printable
from manue.game.events import GameStart
from manue.player import warm_up
from manue.protocol.dialect import DEFAULT_PORT, DEFAULT_ROOM, Dialect
from manue.protocol.session import Session, waiting_as
from manue.rules import TENHOU, Rules, stated_name
from manue.tiles import Seat
from manue.transports.base import Channel, Conversation
from manue.transports.notes import Notes
from manue.transports.recording import ConversationFiles, FailureKeeper, LoggedChannel
from manue.transports.streams import StdioChannel, TcpChannel
from manue.transports.websocket import WebSocketChannel, read_token
from manue.warming import WarmingUp

_MAX_RETRIES = 8
"""Attempts to reach a host again that has been reached before."""
_LONGEST_PAUSE = 8
"""The longest pause between attempts, in multiples of the first; each is twice the one before."""
_MAX_COMPLAINTS = 200
"""Lines about bad input that are reported of a connection."""
_WAKING_SECONDS = 1.0
"""A signal that comes just before the loop begins to wait is seen after this time at the latest."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """Where to play, and how.

    Parameters
    ----------
    dialect : Dialect
    url : str or None
        ``None`` for standard input and output.
    seat : int or None
    name : str
    games : int
        Number of connections to make; on standard input, games continue until it ends.
    log : Path or None
        Where to record the conversation.
    token_file : Path or None
        File with the bearer token; by default it is taken from the environment.
    strict : bool
        Whether bad input ends the conversation.
    rules : Rules
    last_round : int or None
        The last planned round; ``None``: as the host says, else that of a hanchan.
    verbose : bool
        Whether to report rounds and scores on stderr.

    Raises
    ------
    UsageError
        If the recording has no folder: before an agent is made, or anybody called.
    """

    dialect: Dialect
    url: str | None = None
    seat: Seat | None = None
    name: str = "manue"
    games: int = 1
    log: Path | None = None
    token_file: Path | None = None
    strict: bool = False
    rules: Rules = TENHOU
    last_round: int | None = None
    verbose: bool = False

    def __post_init__(self) -> None:
        if self.log is not None and not self.log.parent.is_dir():
            raise UsageError(f"{self.log}: there is no folder {self.log.parent}")


def play(settings: PlaySettings, agent: Agent) -> int:
    """Play to the end and return the exit code: 0 if all games were completed, 128 + N after signal N.

    Raises
    ------
    ProtocolError, EventError
        If the host ended a game with an error, or bad input ended a strict conversation.
    ConnectionLostError
        If the host could not be reached, or the connection was lost during a game.
    UsageError
        If there is no seat, or a given token is unusable.
    """
    series = _Series(settings, agent)
    # what an agent prints would come between the lines
    aside = redirect_stdout(sys.stderr) if settings.dialect.transport == "stdio" else nullcontext()
    try:
        with aside:
            if not isinstance(agent, WarmingUp):
                started = time.monotonic()
                _note(f"warming up {agent.name}")
                warm_up(agent)
                _note(f"ready after {time.monotonic() - started:.1f} s")
            return asyncio.run(_until_terminated(series))
    finally:
        _note.flush()


async def _until_terminated(series: "_Series") -> int:
    task = asyncio.ensure_future(series.run())
    ended_by: list[int] = []

    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        """Cancel the game and note why."""
        ended_by.append(number)
        task.cancel()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        """Have the loop end the game: a signal handler may not touch it."""
        loop.call_soon_threadsafe(end, number)

    waking: asyncio.TimerHandle

    def wake() -> None:
        """Let the interpreter run the handlers of signals: it does not while the loop waits."""
        nonlocal waking
        waking = loop.call_later(_WAKING_SECONDS, wake)

    # not by the loop: its wakeup descriptor complains of a signal that comes while it begins or ends
    loop.set_exception_handler(_note_trouble)
    before = interrupts.set_handler(on_signal)
    wake()
    try:
        await task
    except asyncio.CancelledError:
        if not ended_by:
            raise  # Ctrl-C
        _note(interrupts.MEANINGS[ended_by[0]])
        return interrupts.exit_code(ended_by[0])
    finally:
        waking.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0


_note = Notes()


class _Complaints:
    """Notes what is wrong with a host's lines, up to a bound: a flood must not fill a disk."""

    def __init__(self) -> None:
        self._left = _MAX_COMPLAINTS

    def __call__(self, text: str) -> None:
        self._left -= 1
        if self._left >= 0:
            _note(text)
        elif self._left == -1:
            _note("further trouble with this host is not reported")


def _note_trouble(_loop: asyncio.AbstractEventLoop, trouble: dict[str, Any]) -> None:
    """Note in one line what a callback could not cope with; the connection ends by itself."""
    error = trouble.get("exception")
    text = trouble["message"] if error is None else f"{type(error).__name__}: {error}"
    _note(f"trouble with the connection: {text}")


def _is_exposed(url: str) -> bool:
    """Return whether the connection to an address can be read by others."""
    address = urlsplit(url)
    return address.scheme in {"ws", "mjsonp"} and address.hostname not in {"localhost", "127.0.0.1", "::1"}


class _Series:
    """Plays the games that are asked for, one after another."""

    def __init__(self, settings: PlaySettings, agent: Agent) -> None:
        self._settings = settings
        self._dialect = settings.dialect
        self._output = sys.stdout
        self._agent = agent
        asked = self._dialect.transport == "websocket" or settings.token_file is not None
        self._token = read_token(settings.token_file) if asked else None
        given = GameStart(rules=stated_name(settings.rules), last_round=settings.last_round)
        self._files = None if settings.log is None else ConversationFiles(settings.log, given)
        self._keep_failure = FailureKeeper(None if settings.log is None else settings.log.parent)
        self._connected_before = False

    async def run(self) -> None:
        """Play all games; a lost connection is reported, and the next game is still played."""
        games, lost = self._settings.games, 0
        for number in range(1, games + 1):
            try:
                await self._one_game()
            except ConnectionLostError as error:
                if games == 1 or not self._connected_before:
                    raise
                lost += 1
                _note(f"game {number} of {games}: {error}")
                if number < games:
                    await self._pause(1)
        if lost:
            raise ConnectionLostError(f"{lost} of {games} games were lost with the connection")

    async def _one_game(self) -> None:
        """Connect and play; retry with growing pauses if the host has no free seat."""
        for attempt in count(1):
            channel = await self._open()
            self._connected_before = True
            session = self._session()
            try:
                await Conversation(session, channel, self._keep_failure).run()
            except ProtocolError as error:
                refusal = session.failure or ""
                if session.in_game or not any(word in refusal for word in self._dialect.retry_on):
                    raise
                _note(f"{error}; trying again")
                await self._pause(attempt)
                continue
            if session.verdict is not None and not session.verdict.passed:
                raise ProtocolError(
                    f"the host did not accept this player: {printable(session.verdict.reason or 'no reason')}"
                )
            return

    def _session(self) -> Session:
        settings = self._settings
        return Session(
            self._agent,
            settings.dialect,
            rules=settings.rules,
            last_round=settings.last_round,
            complain=_Complaints(),
            inform=_note if settings.verbose else lambda _: None,
            seat=settings.seat,
            name=settings.name,
            room=unquote(urlsplit(settings.url or "").path.strip("/")) or DEFAULT_ROOM,
            token=self._token if settings.dialect.transport == "tcp" else None,
            strict=settings.strict,
        )

    async def _open(self) -> Channel:
        channel = await self._connect_patiently()
        return channel if self._files is None else LoggedChannel(channel, self._files)

    async def _connect_patiently(self) -> Channel:
        """Connect; only a host that we have reached before gets time to come back."""
        for attempt in count(1):
            try:
                return await self._connect()
            except ConnectionLostError as error:
                if not self._connected_before or attempt > _MAX_RETRIES:
                    raise
                _note(f"{error}; trying again")
                await self._pause(attempt)
        raise AssertionError("unreachable: the loop is endless")

    async def _connect(self) -> Channel:
        url = self._settings.url
        if url is None:
            if None in (sys.stdin, self._output):
                raise UsageError("standard input or output is closed")
            if sys.stdin.isatty():
                _note("reading Mjai events from standard input (to join a match server, give its address)")
            return StdioChannel(sys.stdin.fileno(), self._output.fileno())
        if self._token is not None and _is_exposed(url):
            _note(f"the token travels unencrypted to {urlsplit(url).hostname}: use wss://")
        if self._dialect.transport == "websocket":
            channel = await WebSocketChannel.open(url, self._token, self._settings.name)
            if self._settings.verbose:
                _note(waiting_as(f"joined as {self._settings.name}", channel.missing))
            return channel
        address = urlsplit(url)
        return await TcpChannel.open(address.hostname or "", address.port or DEFAULT_PORT)

    async def _pause(self, attempt: int) -> None:
        await asyncio.sleep(self._dialect.retry_seconds * min(2 ** (attempt - 1), _LONGEST_PAUSE))
