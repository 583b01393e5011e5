"""The validation room: a game at once, and a verdict."""

import json
import logging

import pytest
from websockets.sync.client import connect

from manue.protocol.dialect import RIICHILAB
from manue.protocol.session import Session
from manue.server.lobby import Lobby, ServeSettings
from manue.server.server import VALIDATION_PATH, WebSocketServer
from manue.table.thinking_time import ByoYomi
from tests.protocol.minds import RandomMind


@pytest.fixture
def address():
    lobby = Lobby(ServeSettings(clients=4), lambda _finished: None)
    server = WebSocketServer("127.0.0.1", 0, lobby, ByoYomi(60.0, 60.0), None)
    server.start()
    yield f"ws://127.0.0.1:{server.port}{VALIDATION_PATH}"
    server.close()


def play(address, *, answer, complain=pytest.fail):
    """Play as a RiichiLab client does; return all messages of the host."""
    session = Session(RandomMind(), RIICHILAB, complain=complain)
    heard = []
    with connect(address) as connection:
        for frame in connection:
            heard.append(json.loads(frame))
            reply = session.respond(frame)
            if reply is not None:
                connection.send(answer(reply))
    return heard, session


@pytest.fixture
def said(caplog):
    """Return a function for what the server says of those it validates."""
    caplog.set_level(logging.INFO, logger="manue.server.validation")
    return lambda: [one.getMessage() for one in caplog.records if one.name == "manue.server.validation"]


def test_a_bot_that_plays_by_the_rules_is_validated(address, said):
    heard, session = play(address, answer=lambda reply: reply)
    assert heard[0]["id"] == 0
    assert {message["bakaze"] for message in heard if message["type"] == "start_kyoku"} >= {"E"}
    assert heard[-1] == {"type": "validation_result", "passed": True, "reason": None}
    assert session.verdict is not None
    assert session.verdict.passed
    assert said() == ["websocket was validated"]


def test_a_bot_that_does_not_is_told_why(address, said):
    """Also where its address says more than the path."""

    def wrong(reply):
        number = json.loads(reply)["request_id"]
        return json.dumps({"type": "hora", "actor": 0, "target": 0, "pai": "1m", "request_id": number})

    heard, _ = play(f"{address}?bot=7", answer=wrong, complain=lambda _text: None)
    assert heard[-1]["passed"] is False
    assert "illegal: " in heard[-1]["reason"]
    assert said() == [f"websocket was not validated ({heard[-1]['reason']})"]
