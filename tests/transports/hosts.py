"""Hosts on loopback: one in the manner of the original TCP server, one in the manner of RiichiLab."""

import asyncio
import contextlib
import json
import time
from collections import Counter
from functools import cache

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from manue.transports.driver import PlaySettings, _Series
from tests.captures import lines_of
from tests.protocol.minds import RandomMind


def joining(host, mind=None, *, dialect, **options):
    """Return what plays at a host, to be awaited."""
    return _Series(PlaySettings(dialect, url=host.url, **options), mind or RandomMind()).run()


@cache
def ruby_lines(name):
    """What the original server said in a captured conversation, after its greeting."""
    lines = lines_of(f"ruby-server-{name}")
    return [line["msg"] for line in lines if line["dir"] == "in" and isinstance(line["msg"], dict)][1:]


class TcpHost:
    """Sends a given script line by line, and waits for one answer to each line before the next.

    Each script serves one connection; a script holds messages, or bytes to be sent as they are (without end
    of line no answer is awaited), or ``None`` for hanging up. With ``together`` nobody hears anything before
    all have joined, and then one line at a time is out, as in a real game.
    """

    def __init__(self, *scripts, room="default", together=False):
        self.scripts = list(scripts)
        self.room = room
        self.conversations = []
        self.missing = len(scripts) if together else 1
        self.complete = asyncio.Event()
        self.turns = asyncio.Semaphore(1 if together else len(scripts))
        self.talks = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.talk, "127.0.0.1", 0, limit=1 << 24)
        port = self.server.sockets[0].getsockname()[1]
        self.url = f"mjsonp://127.0.0.1:{port}/{self.room}"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        await self.server.wait_closed()
        await asyncio.wait_for(asyncio.gather(*self.talks), 60)

    async def talk(self, reader, writer):
        self.talks.add(asyncio.current_task())
        script, said = self.scripts.pop(0), []
        self.conversations.append(said)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await self.hold(script, said, reader, writer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async def hold(self, script, said, reader, writer):
        await self.ask({"type": "hello", "protocol": "mjsonp", "protocol_version": 3}, said, reader, writer)
        self.missing -= 1
        if self.missing <= 0:
            self.complete.set()
        await self.complete.wait()
        for message in script:
            if message is None:
                return
            async with self.turns:
                await self.ask(message, said, reader, writer)
        extra = await reader.read()
        assert extra == b"", "said something unasked"

    async def ask(self, message, said, reader, writer):
        writer.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        await writer.drain()
        if isinstance(message, bytes) and not message.endswith(b"\n"):
            return
        answer = await reader.readline()
        if answer:
            said.append((message, json.loads(answer)))


@cache
def riichienv_game(seat=0, game=0):
    """What one seat of a captured game sees, and where it is asked with which legal replies."""
    return [item for item in lines_of("riichienv-mixed") if (item["game"], item["seat"]) == (game, seat)]


def first_request(seat=0):
    """The events of a game until its first question, and the short legal set of that."""
    game = riichienv_game(seat)
    at = next(i for i, item in enumerate(game) if "legal" in item)
    start, *events = (item["event"] for item in game[:at])
    return [start | {"id": seat}, *events], short(game[at]["legal"])


def short(legal):
    """A legal set as RiichiLab writes it: few fields, an entry twice."""
    entries = [{k: v for k, v in entry.items() if k in ("type", "pai", "consumed")} for entry in legal]
    return entries + entries[:1]


class WebSocketHost:
    """Runs a script for each connection; what the player said, and when, is kept by connection."""

    def __init__(self, *scripts, ssl=None, **hooks):
        self.scripts = list(scripts)
        self.heard = []
        self.headers = []
        self.ssl = ssl
        self.hooks = hooks

    async def __aenter__(self):
        self.server = await serve(self.talk, "127.0.0.1", 0, max_size=1 << 24, ssl=self.ssl, **self.hooks)
        port = self.server.sockets[0].getsockname()[1]
        self.url = f"{'wss' if self.ssl else 'ws'}://localhost:{port}/ws/ranked"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        await self.server.wait_closed()

    async def talk(self, connection):
        talk = Talk(connection)
        self.heard.append(talk.heard)
        self.headers.append(connection.request.headers)
        listener = asyncio.ensure_future(talk.listen())
        try:
            with contextlib.suppress(ConnectionClosed):
                await self.scripts.pop(0)(talk)
        finally:
            listener.cancel()


class Talk:
    """One connection as the host sees it."""

    def __init__(self, connection):
        self.connection = connection
        self.heard = []
        self.news = asyncio.Event()

    async def listen(self):
        with contextlib.suppress(ConnectionClosed):
            async for frame in self.connection:
                self.heard.append((time.monotonic(), json.loads(frame)))
                self.news.set()

    async def say(self, *messages):
        for message in messages:
            await self.connection.send(message if isinstance(message, bytes | str) else json.dumps(message))

    async def request(self, number, legal, deadline_ms=60_000, **extra):
        clock = {"grace_ms": 0, "bank_ms": deadline_ms, "deadline_ms": deadline_ms}
        fields = {"type": "request_action", "request_id": number, "possible_actions": legal, "time": clock}
        await self.say(fields | extra)

    async def ack(self, number, status, **extra):
        await self.say({"type": "action_ack", "request_id": number, "status": status} | extra)

    async def answer_to(self, number, patience=60.0):
        """Wait for the answer to a request; ``None`` if there is none in time."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for _, reply in self.heard:
                if reply.get("request_id") == number:
                    return reply
            self.news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.news.wait(), end - time.monotonic())
        return None

    def drop(self):
        """Hang up without a closing frame."""
        self.connection.transport.abort()

    def counts(self):
        return Counter(reply.get("request_id") for _, reply in self.heard)
