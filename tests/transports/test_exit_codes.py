"""``manue play`` as a process at hosts on loopback: its exit code, a line for the reason, no traceback."""

import asyncio
import http
import os
import re
import sys

import pytest

from tests.transports.hosts import TcpHost, WebSocketHost, first_request, ruby_lines

WHILE_WARMING_UP = re.compile("^manue: (warming up|compiling|tsumogiri ready)")
"""Its notes while it compiles, in a thread of its own: they come at any time."""
LOST = "manue: the host went away before the game was over"


async def played(url, **environment):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "manue", "play", url, "--agent", "tsumogiri", "--quiet"),
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | environment,
    )
    _, stderr = await asyncio.wait_for(process.communicate(), 600)
    lines = stderr.decode().splitlines()
    return process.returncode, [line for line in lines if not WHILE_WARMING_UP.search(line)]


@pytest.mark.parametrize(
    ("name", "end", "code", "messages"),
    [
        ("fault-noendreply", None, 0, []),
        ("fault-noendreply", 9, 3, [LOST]),
        (
            "join-badroom",
            None,
            1,
            ["manue: the host refused this player: No such room. Available room: default"],
        ),
    ],
    ids=["over", "lost", "refused"],
)
async def test_tcp(name, end, code, messages):
    script = ruby_lines(name)
    async with TcpHost(script if end is None else [*script[:end], None]) as host:
        assert await played(host.url) == (code, messages)


@pytest.mark.parametrize(
    ("last", "code", "messages"),
    [
        ({"type": "end_game"}, 0, []),
        (None, 3, [LOST]),
        (
            {"type": "error", "message": "slow"},
            3,
            ["manue: line N: the host reports an error: slow", LOST],
        ),
    ],
    ids=["over", "dropped", "error"],
)
async def test_websocket(last, code, messages):
    events, legal = first_request()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal)
        assert await talk.answer_to(1)
        if last is not None:
            await talk.say(last)
        talk.drop() if last is None else await talk.connection.close()

    async with WebSocketHost(script) as host:
        found, said = await played(host.url, MANUE_TOKEN="s3cret")
    assert (found, [re.sub(r"line \d+", "line N", line) for line in said]) == (code, messages)
    assert host.headers[0]["Authorization"] == "Bearer s3cret"


async def test_websocket_refused():
    async def script(talk):
        await talk.say({"error": "Invalid bot token"})
        await talk.connection.close()

    async with WebSocketHost(script) as host:
        found = await played(host.url, MANUE_TOKEN="s3cret")
    assert found == (1, ["manue: the host refused this player: Invalid bot token"])


@pytest.mark.parametrize(
    ("status", "code"), [(401, 1), (403, 1), (404, 1), (400, 1), (429, 3), (500, 3), (503, 3)]
)
async def test_a_host_that_refuses_for_good_is_not_a_lost_connection(status, code):
    """A wrong token or path once had the exit code of a lost connection, after which one tries again."""

    def refuse(connection, _request):
        return connection.respond(http.HTTPStatus(status), "no")

    async with WebSocketHost(process_request=refuse) as host:
        found, (said,) = await played(host.url)
    assert found == code
    assert f"refused the connection with HTTP {status}" in said


async def test_a_host_that_hangs_up_on_tls_gets_a_reason():
    """The reason was empty: a reset has no text of its own."""
    hang_up = await asyncio.start_server(lambda _reader, writer: writer.transport.abort(), "127.0.0.1", 0)
    port = hang_up.sockets[0].getsockname()[1]
    async with hang_up:
        code, (said,) = await played(f"wss://127.0.0.1:{port}/ws/ranked")
    assert code == 3
    assert said.startswith(f"manue: cannot connect to wss://127.0.0.1:{port}/ws/ranked: ")
    assert not said.endswith(": ")


@pytest.mark.parametrize("url", ["mjsonp://127.0.0.1:9/x", "ws://127.0.0.1:9/ws/ranked"])
async def test_nobody_there(url):
    code, messages = await played(url)
    assert code == 3
    (said,) = messages
    assert re.fullmatch(r"manue: cannot connect to (127\.0\.0\.1:9|ws://\S+): Connection refused", said)


async def test_nobody_at_any_address_of_a_name_was_a_list_of_attempts():
    _, (said,) = await played("mjsonp://localhost:9/x")
    assert said == "manue: cannot connect to localhost:9: Connection refused"
