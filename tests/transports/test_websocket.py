"""A host in the manner of RiichiLab on loopback, written from the protocol reference, and all it may do."""

import asyncio
import base64
import http
import json
import shutil
import ssl
import subprocess
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from websockets.asyncio.server import serve
from websockets.datastructures import Headers

from manue.errors import ConnectionLostError, ProtocolError, UsageError
from manue.protocol.dialect import RIICHILAB, WEBSOCKET
from manue.transports import base
from manue.transports.driver import PlaySettings, _Series
from manue.transports.websocket import TOKEN_VARIABLE, WebSocketChannel, read_token
from tests.protocol.minds import FailingMind, GatedMind, RandomMind, SlowMind
from tests.protocol.test_conversations import RubyJudge, same
from tests.transports import hosts
from tests.transports.hosts import WebSocketHost, first_request, riichienv_game, ruby_lines, short

QUICK = replace(RIICHILAB, retry_seconds=0.02)
END = {"type": "end_game"}
joining = partial(hosts.joining, dialect=QUICK)


@pytest.fixture(autouse=True)
def _short_linger(monkeypatch):
    monkeypatch.setattr(base, "LINGER_SECONDS", 0.3)


async def test_a_whole_game_is_played_by_requests(monkeypatch):
    """Every request gets one legal answer with its number; the host hangs up without a closing frame."""
    monkeypatch.setenv(TOKEN_VARIABLE, "s3cret")
    game = riichienv_game(seat=2, game=1)
    asked = {}

    async def script(talk):
        await talk.say(
            {"type": "queue_status", "position": 3}, b"\x00binary", {"type": "start_game", "id": 2}
        )
        for number, item in enumerate(game[1:], 1):
            if "event" in item:
                await talk.say(item["event"])
                continue
            asked[number] = item["legal"]
            await talk.request(number, short(item["legal"]), observation="e30=")
            assert await talk.answer_to(number) is not None
            await talk.ack(number, "accepted", elapsed_ms=3, bank_ms=15000)
        await talk.say({"type": "end_game", "scores": [25000] * 4})
        talk.drop()

    async with WebSocketHost(script) as host:
        await joining(host)
    assert host.headers[0]["Authorization"] == "Bearer s3cret"
    replies = [reply for _, reply in host.heard[0]]
    assert [reply["request_id"] for reply in replies] == list(asked)
    assert len(asked) > 50
    for reply in replies:
        assert any(same(reply, legal) for legal in asked[reply["request_id"]]), reply
        assert "log" not in reply
        assert "meta" not in reply


async def test_a_host_that_sends_its_messages_in_binary_frames_is_answered():
    """Each of them was passed over without a word, and the host waited for ever."""
    events, legal = first_request()

    async def script(talk):
        await talk.say(*(b"\xef\xbb\xbf " + json.dumps(event).encode() for event in events), b"\x00{}")
        await talk.request(1, legal)
        assert await talk.answer_to(1) is not None
        await talk.say(b'{"type":"end_game"}')
        talk.drop()

    async with WebSocketHost(script) as host:
        await joining(host)
    assert len(host.heard[0]) == 1


@pytest.mark.parametrize("status", ["accepted", "rejected", "unparseable", "stale", "defaulted", "novel"])
async def test_acks_of_every_status_are_taken_calmly(status, capfd):
    events, legal = first_request()

    async def script(talk):
        await talk.say(*events)
        await talk.request(7, legal)
        assert await talk.answer_to(7)
        await talk.ack(7, status, reason="because", action={"type": "none"}, legal_types=["dahai"])
        await talk.ack(7, "stale")
        await talk.ack(3, status)
        await talk.say({"type": "action_ack", "status": status})
        await talk.request(9, legal)
        assert await talk.answer_to(9)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host)
    assert [reply["request_id"] for _, reply in host.heard[0]] == [7, 9]
    stderr = capfd.readouterr().err
    assert ("request 7: " + status + " because" in stderr) == (status != "accepted")


async def test_repeated_and_older_requests_are_not_answered_again():
    events, legal = first_request()

    async def script(talk):
        await talk.say(*events)
        for number, fresh in (
            (5, True),
            (5, False),
            (4, False),
            (5, False),
            (1, False),
            (6, True),
            (6, False),
        ):
            await talk.request(number, legal)
            assert not fresh or await talk.answer_to(number)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host)
    assert [reply["request_id"] for _, reply in host.heard[0]] == [5, 6]


async def test_a_newer_request_cancels_old_thinking():
    events, legal = first_request()
    mind = GatedMind()

    async def script(talk):
        await talk.say(*events)
        for number in (1, 2, 3):
            await talk.request(number, legal)
            await asyncio.to_thread(mind.begun.acquire)
        mind.gate.set()
        assert await talk.answer_to(3)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host, mind)
    assert [reply["request_id"] for _, reply in host.heard[0]] == [3]


async def test_a_defaulted_move_cancels_its_thinking_and_the_game_goes_on():
    events, legal = first_request()
    drawn = {"type": "dahai", "actor": 0, "pai": events[-1]["pai"], "tsumogiri": True}
    mind = GatedMind()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal)
        await asyncio.to_thread(mind.begun.acquire)
        await talk.ack(1, "defaulted", action=drawn, bank_ms=0)
        await talk.say(drawn, {"type": "tsumo", "actor": 1, "pai": "?"})
        await talk.request(2, [{"type": "none"}])
        assert await talk.answer_to(2)
        mind.gate.set()
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host, mind)
    assert [reply["request_id"] for _, reply in host.heard[0]] == [2]


async def test_what_arrives_while_thinking_does_not_disturb_it():
    events, legal = first_request()

    mind = GatedMind()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal)
        await asyncio.to_thread(mind.begun.acquire)
        await talk.say({"type": "telepathy"}, "{oops", events[1])
        mind.gate.set()
        assert await talk.answer_to(1)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host, mind)
    ((_, reply),) = host.heard[0]
    assert any(all(reply[name] == value for name, value in entry.items()) for entry in legal)


@pytest.mark.parametrize("mind", [GatedMind(), FailingMind()], ids=["never", "failing"])
async def test_a_fallback_answers_where_the_deadline_ends_the_thinking(mind, tmp_path, capfd, monkeypatch):
    # after the thinking a busy machine may well need the quarter of a second that is left to the deadline
    monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=lambda: 0.0))
    events, legal = first_request()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal, deadline_ms=600)
        assert await talk.answer_to(1)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host, mind, log=tmp_path / "talk.jsonl")
    reply = host.heard[0][0][1]
    assert (reply["type"], reply["pai"], reply["tsumogiri"]) == ("dahai", events[-1]["pai"], True)
    assert "the position is in" in capfd.readouterr().err
    assert len(list(tmp_path.glob("failure-*.mjson"))) == 1


async def test_a_request_without_a_move_of_ours_is_answered_from_the_hosts_list(capfd):
    """As after a line that was lost: our state knows of no choice, the host does."""
    events, _ = first_request()

    async def script(talk):
        await talk.say(*events[:-1])
        await talk.request(1, [{"type": "none"}, {"type": "pon", "pai": "C", "consumed": ["C", "C"]}])
        assert await talk.answer_to(1)
        await talk.request(
            2, [{"type": "dahai", "pai": "1m"}, {"type": "dahai", "pai": "2m", "tsumogiri": True}]
        )
        assert await talk.answer_to(2)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host)
    assert [reply for _, reply in host.heard[0]] == [
        {"type": "none", "request_id": 1},
        {"type": "dahai", "pai": "2m", "tsumogiri": True, "request_id": 2},
    ]
    assert "asked for a move when we have none" in capfd.readouterr().err


async def test_an_error_without_type_ends_the_connection():
    async def script(talk):
        await talk.say({"error": "Invalid bot token"})

    async with WebSocketHost(script) as host:
        with pytest.raises(ProtocolError, match="the host refused this player: Invalid bot token"):
            await joining(host)


async def test_a_game_still_running_is_waited_for():
    events, legal = first_request()

    async def busy(talk):
        await talk.say({"error": "This bot is already connected to a game"})

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal)
        await talk.answer_to(1)
        await talk.say(END)

    async with WebSocketHost(busy, busy, script) as host:
        await joining(host)
    assert [len(heard) for heard in host.heard] == [0, 0, 1]


async def test_a_drop_without_close_in_the_middle_is_a_lost_game():
    events, legal = first_request()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal)
        talk.drop()

    async with WebSocketHost(script) as host:
        with pytest.raises(ConnectionLostError, match="before the game was over"):
            await joining(host, SlowMind(0.1))


async def test_why_the_host_closed_the_connection_was_not_said():
    events, _ = first_request()

    async def script(talk):
        await talk.say(*events)
        await talk.connection.close(1008, "token\nrevoked")

    async with WebSocketHost(script) as host:
        with pytest.raises(ConnectionLostError) as caught:
            await joining(host)
    assert str(caught.value) == r"the host closed the connection: 1008 (policy violation) token\nrevoked"


async def test_a_host_that_closed_the_connection_was_said_to_go_away_with_the_library_s_words():
    """Regression: "the host went away (received 1000 (OK); then sent 1000 (OK))"."""
    async with serve(lambda connection: connection.close(), "127.0.0.1", 0) as host:
        channel = await WebSocketChannel.open(f"ws://127.0.0.1:{host.sockets[0].getsockname()[1]}", None, "x")
        assert await channel.receive() is None
        with pytest.raises(ConnectionLostError) as caught:
            await channel.send("{}")
        await channel.close()
    assert str(caught.value) == "the host closed the connection: 1000 (OK)"


async def test_a_reason_given_after_the_game_loses_nothing():
    async def script(talk):
        await talk.say(*first_request()[0], END)
        await talk.connection.close(1008, "the table is needed")

    async with WebSocketHost(script) as host:
        await joining(host)


async def test_a_frame_beyond_the_limit_was_a_host_that_went_away():
    async def script(talk):
        await talk.say(json.dumps({"type": "x", "of": "x" * (5 << 20)}))

    async with WebSocketHost(script) as host:
        with pytest.raises(ProtocolError, match=r"^a frame of more than 4194304 bytes$"):
            await joining(host)


async def test_frames_of_a_mebibyte_are_read():
    events, legal = first_request()
    observation = base64.b64encode(b"x" * (1 << 20)).decode()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal, observation=observation)
        assert await talk.answer_to(1)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host)
    assert len(host.heard[0]) == 1


async def test_a_slow_network_that_cuts_frames_to_pieces():
    events, legal = first_request()
    request = json.dumps({"type": "request_action", "request_id": 1, "possible_actions": legal})

    async def pieces(text):
        for start in range(0, len(text), 40):
            yield text[start : start + 40]
            await asyncio.sleep(0.005)

    async def script(talk):
        for event in events:
            await talk.connection.send(pieces(json.dumps(event)))
        await talk.connection.send(pieces(request))
        assert await talk.answer_to(1)
        await talk.say(END)

    async with WebSocketHost(script) as host:
        await joining(host)
    assert len(host.heard[0]) == 1


@pytest.mark.parametrize("passed", [True, False])
async def test_the_verdict_of_a_validation_game(passed, monkeypatch):
    monkeypatch.setattr(base, "LINGER_SECONDS", 60)
    events, _ = first_request()

    async def script(talk):
        await talk.say(*events, END)
        await talk.say({"type": "validation_result", "passed": passed, "reason": "too slow"})
        await talk.connection.wait_closed()

    async with WebSocketHost(script) as host:
        if passed:
            await joining(host)
        else:
            with pytest.raises(ProtocolError, match="did not accept this player: too slow"):
                await joining(host)


async def test_frames_that_come_after_the_game_are_not_answered():
    events, legal = first_request()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal)
        await talk.answer_to(1)
        await talk.say(END, events[-1])
        await talk.ack(1, "stale")
        await talk.request(1, legal)
        await talk.say("{late", END)
        await talk.connection.wait_closed()

    async with WebSocketHost(script) as host:
        await joining(host)
    assert [reply["request_id"] for _, reply in host.heard[0]] == [1]


async def test_a_host_that_never_hangs_up_is_left_after_the_game():
    events, _ = first_request()

    async def script(talk):
        await talk.say(*events, END)
        await talk.connection.wait_closed()

    async with WebSocketHost(script) as host:
        await asyncio.wait_for(joining(host), 60)


async def test_a_refused_token_is_reported_without_showing_the_token(monkeypatch, capfd, tmp_path):
    monkeypatch.setenv(TOKEN_VARIABLE, "s3cret-token")

    def refuse(connection, request):
        return connection.respond(http.HTTPStatus.UNAUTHORIZED, f"no: {request.headers['Authorization']}")

    async with WebSocketHost(process_request=refuse) as host:
        with pytest.raises(ProtocolError, match="HTTP 401") as caught:
            await joining(host, log=tmp_path / "talk.jsonl")
    captured = capfd.readouterr()
    kept = "".join(path.read_text() for path in tmp_path.iterdir())
    assert "s3cret" not in str(caught.value) + captured.err + captured.out + kept


async def test_the_token_is_neither_printed_nor_kept(capfd, tmp_path):
    file = tmp_path / "token"
    file.write_text("s3cret-token\n")
    events, legal = first_request()

    async def script(talk):
        await talk.say(*events)
        await talk.request(1, legal)
        await talk.answer_to(1)
        talk.drop()

    async with WebSocketHost(script) as host:
        with pytest.raises(ConnectionLostError) as caught:
            await joining(host, FailingMind(), token_file=file, log=tmp_path / "talk.jsonl", verbose=True)
    assert host.headers[0]["Authorization"] == "Bearer s3cret-token"
    captured = capfd.readouterr()
    kept = "".join(path.read_text() for path in tmp_path.iterdir() if path != file)
    assert kept
    assert "s3cret" not in str(caught.value) + captured.err + captured.out + kept


async def test_a_token_that_travels_unencrypted_is_warned_of(monkeypatch, capfd):
    monkeypatch.setenv(TOKEN_VARIABLE, "s3cret")
    for url, warned in (
        ("ws://nowhere.invalid/x", True),
        ("ws://127.0.0.1:9/", False),
        ("wss://nowhere.invalid/", False),
    ):
        with pytest.raises(ConnectionLostError):
            await _Series(PlaySettings(QUICK, url=url), RandomMind()).run()
        assert ("the token travels unencrypted to nowhere.invalid" in capfd.readouterr().err) == warned


def test_tokens_that_cannot_be_used_are_usage_errors(tmp_path, monkeypatch):
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    assert read_token(None) is None
    with pytest.raises(UsageError, match="No such file"):
        read_token(tmp_path / "none")
    for content in (b"", b" \n", b"two\nlines", "schlüssel".encode()):
        (tmp_path / "token").write_bytes(content)
        with pytest.raises(UsageError, match="no usable token"):
            read_token(tmp_path / "token")
    (tmp_path / "token").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_token(tmp_path / "token")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl program for a certificate")
async def test_a_certificate_that_nobody_vouches_for_is_refused(self_signed):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*self_signed)
    async with WebSocketHost(ssl=context) as host:
        with pytest.raises(ConnectionLostError, match="certificate verify failed"):
            await joining(host)


@pytest.fixture
def self_signed(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        certificate,
    ]
    names = ["-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*command, *names], check=True, capture_output=True)
    return certificate, key


async def test_plain_mjai_over_websocket_is_answered_frame_by_frame():
    game = ruby_lines("fault-noendreply")

    async def script(talk):
        for number, message in enumerate(game, 1):
            await talk.say(message)
            while len(talk.heard) < number:
                talk.news.clear()
                await talk.news.wait()

    async with WebSocketHost(script) as host:
        await joining(host, dialect=replace(WEBSOCKET, retry_seconds=0.02))
    judge = RubyJudge()
    replies = [reply for _, reply in host.heard[0]]
    for message, reply in zip(game, replies, strict=True):
        judge.see(message)
        assert judge.accepts(message, reply), (message, reply)


async def test_a_host_that_does_not_speak_websocket():
    async def talk(reader, writer):
        await reader.readline()
        writer.write(b"SSH-2.0-nope\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(ConnectionLostError, match="cannot connect"):
        await _Series(PlaySettings(QUICK, url=f"ws://127.0.0.1:{port}/"), RandomMind()).run()
    server.close()
    await server.wait_closed()


@pytest.mark.parametrize(("given", "missing"), [("3", 3), ("0", 1), ("", 1), ("-2", 1), ("99999", 1)])
def test_a_table_that_misses_nobody_was_waited_for_by_minus_one_client(given, missing):
    response = SimpleNamespace(headers=Headers({"X-Waiting-For": given}))
    assert WebSocketChannel(SimpleNamespace(response=response)).missing == missing


async def test_a_host_that_said_twice_for_how_many_to_wait_was_a_traceback(capfd):
    def twice(_connection, _request, response):
        response.headers["X-Waiting-For"] = "3"
        response.headers["X-Waiting-For"] = "2"

    events, _ = first_request()
    async with WebSocketHost(lambda talk: talk.say(*events, END), process_response=twice) as host:
        await joining(host, verbose=True)
    assert "joined as manue, waiting for the game to begin" in capfd.readouterr().err
