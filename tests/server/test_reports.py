"""What a server says of those who join, wait and are refused, and what those who wait are told."""

import json
import logging
import re
import socket
import threading
from urllib.parse import quote

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from manue.__main__ import main
from manue.agents.tsumogiri import Tsumogiri
from manue.protocol.dialect import TCP
from manue.protocol.session import Session
from manue.server import reports
from manue.server.reports import Refusals
from manue.table.thinking_time import ByoYomi
from tests.server.clients import RubyClient
from tests.server.test_serve import host
from tests.waiting import wait_until

pytest.importorskip("riichienv")


@pytest.fixture
def said(caplog):
    """Return a function for the lines said so far, addresses replaced by HERE."""
    caplog.set_level(logging.INFO, logger="manue.server")

    def lines():
        return [re.sub(r"127\.0\.0\.1:\d+", "HERE", one.getMessage()) for one in caplog.records]

    return lines


def test_a_flood_of_refusals_is_a_few_lines(said, monkeypatch):
    refusals = Refusals()
    for _ in range(1000):
        refusals.note("10.0.0.1", "No\x1b such room")
    refusals.note("10.0.0.2", "other")
    assert said() == [
        "refused 10.0.0.1: No\\x1b such room",
        "refused 10.0.0.1: No\\x1b such room (10 times)",
        "refused 10.0.0.1: No\\x1b such room (100 times)",
        "refused 10.0.0.1: No\\x1b such room (1000 times)",
        "refused 10.0.0.2: other",
    ]
    monkeypatch.setattr(reports, "MAX_COUNTED", 2)
    refusals.note("10.0.0.3", "another")
    assert len(refusals._counts) == 1


def wait_for_missing(number, server):
    wait_until(lambda: server.lobby.missing() == number, 60)


def wait_for_lines(number, said):
    """A line on who joins follows the joining: the next client could be spoken of first."""
    wait_until(lambda: len(said()) == number)


def test_who_joins_and_who_waits_for_whom_is_said_to_both_sides(said, capsys):
    with host(clients=3, times=ByoYomi(0.01, 0)) as server:
        first = RubyClient(server.port, "first")
        assert first.hello["waiting_for"] == 3
        wait_for_lines(1, said)
        with connect(server.url, additional_headers={"X-Name": quote("Ü 2")}) as second:
            assert second.response.headers["X-Waiting-For"] == "2"
            wait_for_lines(2, said)
            threading.Thread(target=first.play, daemon=True).start()
            frames = threading.Thread(target=list, args=(second,), daemon=True)
            frames.start()  # it answers nothing and is played by default answers
            assert main(["play", server.url, "--name", "Third", "--agent", "tsumogiri"]) == 0
            (game,) = server.wait_for(1)
    assert set(game.names) == {"first", "Ü 2", "Third", "greedy"}
    assert "joined as Third, waiting for the game to begin" in capsys.readouterr().err
    assert said() == [
        "first joined from HERE (TCP) and waits for 2 more clients",
        "Ü 2 joined from HERE (WebSocket) and waits for 1 more client",
        "Third joined from HERE (WebSocket): game 0 begins with first, Ü 2, Third; 1 game under way",
    ]


def test_a_client_that_gave_its_name_or_token_twice_was_hung_up_on_without_a_word(said):
    names = [("X-Name", "one"), ("X-Name", "two")]
    with host(clients=2) as server, connect(server.url, additional_headers=names):
        wait_for_lines(1, said)
    with host(token="sesame") as server, pytest.raises(InvalidStatus, match="401"):
        connect(server.url, additional_headers=[("Authorization", "Bearer sesame")] * 2)
    assert said()[0] == "one, two joined from HERE (WebSocket) and waits for 1 more client"
    assert said()[-1] == "refused 127.0.0.1: token required: Authorization: Bearer TOKEN"


def test_who_went_away_is_waited_for_no_longer_and_not_counted(said):
    """The next was told that the game would begin with it, and then to wait."""
    with host(clients=2) as server:
        first = RubyClient(server.port, "first")
        wait_for_lines(1, said)
        first.close()
        wait_for_missing(2, server)
        second = RubyClient(server.port, "second")
        assert second.hello["waiting_for"] == 2
        wait_for_lines(3, said)
        second.close()
    assert said()[:3] == [
        "first joined from HERE (TCP) and waits for 1 more client",
        "first from HERE (TCP) waits no longer: it has gone",
        "second joined from HERE (TCP) and waits for 1 more client",
    ]


@pytest.mark.parametrize(
    ("greeting", "line"),
    [
        ({}, "joining as Me, waiting for the game to begin"),
        ({"waiting_for": 2}, "joining as Me, waiting for 1 more client"),
        ({"waiting_for": 4}, "joining as Me, waiting for 3 more clients"),
    ],
)
def test_a_client_says_that_it_waits_and_for_how_many(greeting, line):
    informed = []
    session = Session(Tsumogiri(), TCP, complain=pytest.fail, inform=informed.append, name="Me")
    hello = {"type": "hello", "protocol": "mjsonp", "protocol_version": 3} | greeting
    assert json.loads(session.respond(json.dumps(hello)))["type"] == "join"
    assert informed == [line]


def refused(port, line):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(line)
        while client.recv(1000):
            pass


def test_who_is_refused_and_why_is_said(said):
    with host(token="sesame", games=1) as server:
        refused(server.port, b'{"type":"join","name":"x","room":"attic"}\n')
        refused(server.port, b'{"type":"join","name":"x","room":"default"}\n')
        refused(server.port, b'{"type":"none"}\n')
        for path in ("", "/ws/ranked"):
            with pytest.raises(InvalidStatus):
                connect(server.url.removesuffix("/ws/ranked") + path)
    assert said() == [
        "refused 127.0.0.1: No such room. Available room: default",
        "refused 127.0.0.1: Token required: join with the field token.",
        'refused 127.0.0.1: Expected e.g. {"type": "join", "name": "noname", "room": "default"}',
        "refused 127.0.0.1: nothing here; join at /ws/ranked or /ws/validate",
        "refused 127.0.0.1: token required: Authorization: Bearer TOKEN",
    ]


def test_a_full_room_is_said(said, monkeypatch):
    monkeypatch.setattr("manue.server.lobby.MAX_WAITING_CLIENTS", 1)
    with host(clients=2) as server:
        first = RubyClient(server.port, "first")
        wait_for_missing(1, server)
        second = RubyClient(server.port, "second")
        assert second.read() == {"type": "error", "message": "The room is busy. Retry after a while."}
        first.close()
        second.close()
    assert said()[-1] == "refused HERE (TCP): The room is busy. Retry after a while."
