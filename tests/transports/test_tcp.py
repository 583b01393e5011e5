import asyncio
import errno
import json
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest

from manue.__main__ import main
from manue.errors import ConnectionLostError, ProtocolError, UsageError
from manue.protocol.dialect import TCP
from manue.protocol.parsing import MAX_LINE
from manue.protocol.session import Session
from manue.transports import driver
from manue.transports.base import Conversation
from manue.transports.driver import PlaySettings, _Series
from manue.transports.streams import TcpChannel
from manue.transports.websocket import TOKEN_VARIABLE
from tests.protocol.minds import FailingMind, Panic, RandomMind, SlowMind, Unwritable
from tests.protocol.test_conversations import RubyJudge
from tests.transports import hosts
from tests.transports.hosts import TcpHost, ruby_lines

QUICK = replace(TCP, retry_seconds=0.02)


joining = partial(hosts.joining, dialect=QUICK)


def check(said, name="manue", room="default"):
    """One answer to each line, each acceptable to the original server."""
    judge = RubyJudge()
    (_, join), *rest = said
    assert join == {"type": "join", "name": name, "room": room}
    for message, reply in rest:
        judge.see(message)
        assert judge.accepts(message, reply), (message, reply)


async def test_a_hanchan_of_four_players_seat_after_seat():
    games = [ruby_lines(f"tonnan-q20-client{number}") for number in range(4)]
    async with TcpHost(*games, together=True) as host:
        await asyncio.gather(*(joining(host, RandomMind(n), name=f"p{n}") for n in range(4)))
    assert [len(said) for said in host.conversations] == [len(game) + 1 for game in games]
    assert sorted(said[0][1]["name"] for said in host.conversations) == ["p0", "p1", "p2", "p3"]
    for said in host.conversations:
        check(said, name=said[0][1]["name"])


async def test_several_games_are_joined_one_after_another(tmp_path):
    game = ruby_lines("fault-noendreply")
    async with TcpHost(game, game, room="a room") as host:
        host.url = host.url.replace(" ", "%20")
        await joining(host, games=2, log=tmp_path / "talk.jsonl")
    for number, said in enumerate(host.conversations, 1):
        check(said, room="a room")
        kept = [json.loads(line) for line in (tmp_path / f"talk-{number}.jsonl").read_text().splitlines()]
        assert [json.loads(line["line"]) for line in kept if line["dir"] == "in"] == [m for m, _ in said]
        assert [json.loads(line["line"]) for line in kept if line["dir"] == "out"] == [r for _, r in said]
        assert all(before["time"] <= after["time"] for before, after in pairwise(kept))


@pytest.mark.parametrize("given", [False, True])
async def test_a_tcp_host_gets_a_token_from_a_file_alone(tmp_path, monkeypatch, given):
    monkeypatch.setenv(TOKEN_VARIABLE, "of-the-environment")
    file = tmp_path / "token"
    file.write_text("of-the-file\n")
    async with TcpHost(ruby_lines("fault-noendreply")) as host:
        await joining(host, token_file=file if given else None)
    _, join = host.conversations[0][0]
    assert join.get("token") == ("of-the-file" if given else None)


def test_the_help_promised_the_token_of_the_environment_to_every_host(capsys):
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert f"of a WebSocket host the variable {TOKEN_VARIABLE}; of a TCP host none" in said


async def test_a_busy_room_is_asked_again():
    busy = [{"type": "error", "message": "The room is busy. Retry after a while."}]
    async with TcpHost(busy, busy, ruby_lines("fault-noendreply")) as host:
        await joining(host)
    assert len(host.conversations) == 3


async def test_a_word_that_is_not_the_hosts_refusal_was_tried_again_for_ever():
    async with TcpHost([{"type": "busybody"}]) as host:
        with pytest.raises(ProtocolError, match="unknown message type 'busybody'"):
            await joining(host, strict=True)
    assert len(host.conversations) == 1


@pytest.mark.parametrize("name", ["badroom", "nojoin"])
async def test_a_refusal_ends_with_the_reason_of_the_host(name):
    script = ruby_lines(f"join-{name}")
    async with TcpHost(script) as host:
        with pytest.raises(ProtocolError, match=r"the host refused this player: (No such room|Expected)"):
            await joining(host)


async def test_an_error_without_a_word_ends_the_game_too():
    """Regression: with `null` for its text it was reported as a bad line, and the host waited for."""
    async with TcpHost([{"type": "error", "message": None}]) as host:
        with pytest.raises(ProtocolError, match=r"^the host refused this player: no reason given$"):
            await joining(host)


@pytest.mark.parametrize("name", ["none_on_tsumo", "junk_mid", "other-player-disconnects"])
async def test_an_aborted_game_is_a_protocol_error_and_the_last_line_is_answered(name):
    async with TcpHost(ruby_lines(f"fault-{name}")) as host:
        with pytest.raises(ProtocolError, match="the host ended the game: Error in player"):
            await joining(host)
    assert host.conversations[0][-1][1] == {"type": "none"}


async def test_a_lost_connection_is_distinguished_from_the_end_of_a_game():
    game = ruby_lines("tonnan-q20-client0")
    async with TcpHost([*game[:40], None]) as host:
        with pytest.raises(ConnectionLostError, match="before the game was over"):
            await joining(host)
    async with TcpHost([None]) as host:
        with pytest.raises(ConnectionLostError):
            await joining(host)


async def test_a_host_that_hung_up_without_a_greeting_was_said_to_leave_a_game():
    """As one that speaks WebSocket does."""
    host = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with host:
        channel = await TcpChannel.open("127.0.0.1", host.sockets[0].getsockname()[1])
        with pytest.raises(ConnectionLostError, match="hung up without a greeting"):
            await channel.receive()
        await channel.close()


async def test_of_several_games_a_lost_one_does_not_stop_the_next():
    game = ruby_lines("fault-noendreply")
    async with TcpHost([*game[:5], None], game) as host:
        with pytest.raises(ConnectionLostError, match="1 of 2 games"):
            await joining(host, games=2)
    check(host.conversations[1])


@pytest.mark.parametrize("away", [3, 9])
async def test_a_host_that_was_reached_before_gets_time_to_come_back(monkeypatch, away):
    """Eight more attempts, with pauses that grow up to eight times the first."""
    series = _Series(PlaySettings(QUICK, url="mjsonp://127.0.0.1:9/x"), RandomMind())
    series._connected_before = True
    failures, pauses = iter(range(away)), []

    async def connect():
        if next(failures, None) is not None:
            raise ConnectionLostError("cannot connect")
        return "connected"

    async def sleep(seconds):
        pauses.append(round(seconds / QUICK.retry_seconds))

    monkeypatch.setattr(series, "_connect", connect)
    monkeypatch.setattr(driver.asyncio, "sleep", sleep)
    if away > 8:
        with pytest.raises(ConnectionLostError):
            await series._connect_patiently()
    else:
        assert await series._connect_patiently() == "connected"
    assert pauses == [1, 2, 4, 8, 8, 8, 8, 8][:away]


async def test_nobody_listening_is_a_lost_connection():
    with pytest.raises(ConnectionLostError, match="cannot connect to"):
        await _Series(PlaySettings(QUICK, url="mjsonp://127.0.0.1:9/x"), RandomMind()).run()


@pytest.mark.parametrize(
    ("mind", "seconds", "reason"),
    [
        (FailingMind(), 60.0, "RuntimeError: out of ideas"),
        (FailingMind(asyncio.CancelledError()), 60.0, "CancelledError"),
        (FailingMind(Panic("no index")), 60.0, "Panic: no index"),
        (SlowMind(5.0), 0.05, "no decision within 0.05 s"),
        (Unwritable(), 60.0, "PydanticSerializationError: "),
    ],
    ids=["failing", "cancelled", "panicking", "slow", "unwritable"],
)
async def test_an_agent_that_fails_in_some_way_costs_no_game(mind, seconds, reason, tmp_path, capfd):
    game = ruby_lines("fault-noendreply")[:14]
    async with TcpHost([*game, {"type": "end_game"}]) as host:
        await joining(host, mind, dialect=replace(QUICK, seconds=seconds), log=tmp_path / "talk.jsonl")
    check(host.conversations[0])
    assert reason in capfd.readouterr().err
    assert list(tmp_path.glob("failure-*.mjson"))


async def test_bad_lines_are_answered_and_reported(capfd):
    game = ruby_lines("fault-noendreply")
    bad = [
        b"{oops\n",
        b'{"type":"telepathy"}\n',
        b'{"type":"dahai","actor":0}\n',
        game[2] | {"actor": 9},
        b"3\n",
    ]
    async with TcpHost([*game[:2], *bad, *game[2:]]) as host:
        await joining(host)
    check([pair for pair in host.conversations[0] if pair[0] not in bad])
    assert [reply for message, reply in host.conversations[0] if message in bad] == [{"type": "none"}] * 5
    stderr = capfd.readouterr().err
    for reason in (
        "line 4: not JSON",
        "line 5: unknown message type 'telepathy'",
        "line 6: missing field 'pai'",
    ):
        assert f"manue: {reason}" in stderr
    assert "line 8: not an object but a number" in stderr


async def test_a_strict_player_stops_at_the_first_bad_line():
    game = ruby_lines("fault-noendreply")
    async with TcpHost([*game[:2], b"{oops\n", *game[2:]]) as host:
        with pytest.raises(ProtocolError, match="line 4: not JSON"):
            await joining(host, strict=True)


async def test_a_line_without_end_is_refused():
    async with TcpHost([b"x" * (MAX_LINE * 2 + 10)]) as host:
        with pytest.raises(ProtocolError, match="a line of more than"):
            await joining(host)


async def test_half_a_line_and_then_the_end_is_a_lost_game(capfd):
    game = ruby_lines("fault-noendreply")
    async with TcpHost([*game[:3], b'{"type":"tsu', None]) as host:
        with pytest.raises(ConnectionLostError):
            await joining(host)
    driver._note.flush()
    assert "line 5: not JSON: EOF" in capfd.readouterr().err


async def test_too_old_a_protocol_is_refused():
    """It was said to be the host that refused the player."""

    async def talk(reader, writer):
        writer.write(b'{"type":"hello","protocol":"mjsonp","protocol_version":1}\n')
        await writer.drain()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(
        ProtocolError, match=r"^the host speaks version 1 of the protocol; 2 or later is needed$"
    ):
        await _Series(PlaySettings(QUICK, url=f"mjsonp://127.0.0.1:{port}/x"), RandomMind()).run()
    server.close()
    await server.wait_closed()


async def test_a_host_that_tells_no_seat_is_a_usage_error():
    game = ruby_lines("fault-noendreply")
    start = {"type": "start_game", "names": ["a", "b", "c", "d"]}
    async with TcpHost([start, *game[1:]]) as host:
        with pytest.raises(UsageError, match="--id"):
            await joining(host)
    async with TcpHost([start, *game[1:]]) as host:
        await joining(host, seat=game[0]["id"])


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ECONNRESET])
async def test_a_host_that_vanishes_is_a_lost_connection(number):
    """Regression: what the system reports of a host that is gone ended in a traceback."""
    reader = asyncio.StreamReader()
    channel = TcpChannel(reader, None)
    reader.feed_data(b"{}\n")
    assert await channel.receive() == b"{}\n"
    reader.set_exception(OSError(number, "gone"))
    assert await channel.receive() is None


async def test_a_verdict_in_the_middle_of_a_game_is_reported():
    """Regression: the reason why a validation failed was lost with the connection."""
    game = ruby_lines("tonnan-q20-client0")
    verdict = {"type": "validation_result", "passed": False, "reason": "illegal move"}
    async with TcpHost([*game[:40], verdict, None]) as host:
        with pytest.raises(ProtocolError, match="did not accept this player: illegal move"):
            await joining(host)


async def test_what_the_host_refuses_is_named_though_it_no_longer_hears():
    """Regression: where the answer to the host's error could not be sent, a lost connection was reported."""

    class Deaf:
        lines = iter(['{"type":"error","message":"No such room."}'])

        async def receive(self):
            return next(self.lines, None)

        async def send(self, _line):
            raise ConnectionLostError("the host went away (Connection lost)")

        async def close(self):
            pass

    session = Session(RandomMind(), TCP, complain=lambda _text: None)
    conversation = Conversation(session, Deaf(), lambda *_: None)
    with pytest.raises(ProtocolError, match=r"the host refused this player: No such room\."):
        await conversation.run()
