"""The lobby alone, with clients that need no connection."""

import threading
import time
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from manue.errors import UsageError
from manue.server.lobby import Lobby, ServeSettings
from manue.table.seats import StandIn

pytest.importorskip("riichienv")

TABLES = 4


class Sleeper:
    """A client whose seat always discards what it draws."""

    name = "sleeper"
    place = "a bed"

    def alive(self):
        return True

    def take_seat(self, seat, referee):
        return StandIn(seat, referee)

    def dismiss(self, reason):
        raise AssertionError(reason)


def test_tables_that_end_together_are_reported_one_after_the_other():
    """Regression: two results printed at the same time shared a line."""
    reported, at_once, together = [], 0, []

    def report(finished):
        nonlocal at_once
        at_once += 1
        together.append(at_once)
        time.sleep(0.2)
        reported.append(finished.game)
        at_once -= 1

    lobby = Lobby(ServeSettings(games=TABLES, length="east", fill=("tsumogiri",)), report)
    clients = [threading.Thread(target=lobby.join, args=(Sleeper(),)) for _ in range(TABLES)]
    for client in clients:
        client.start()
    assert lobby.done.wait(600)
    assert sorted(reported) == list(range(TABLES))
    assert together == [1] * TABLES


def test_a_table_is_known_once_it_runs(monkeypatch):
    """Regression: a table was known before it ran, and closing the lobby then failed."""

    class NoThread(threading.Thread):
        def start(self):
            raise RuntimeError("can't start new thread")

    dismissed = []
    lobby = Lobby(ServeSettings(games=1, clients=2, fill=("tsumogiri",)), pytest.fail)
    first = Sleeper()
    first.dismiss = dismissed.append
    lobby.join(first)
    monkeypatch.setattr(threading, "Thread", NoThread)
    with pytest.raises(RuntimeError, match="can't start"):
        lobby.join(Sleeper())
    assert lobby.missing() == 1
    lobby.close(1.0)
    assert dismissed == ["The server is shutting down."]


def test_nobody_is_left_behind_where_a_later_seat_cannot_be_made(monkeypatch):
    made = []

    def make(_spec, seat, *_more):
        if seat == 3:
            raise UsageError("no such program")
        made.append(Mock())
        return made[-1]

    monkeypatch.setattr("manue.server.lobby.make_seat_player", make)
    settings = SimpleNamespace(rules="tenhou", fill=("greedy",), seed=1, length="east", limits=None)
    with pytest.raises(UsageError, match="no such program"):
        Lobby._game(SimpleNamespace(settings=settings), 0, [])
    assert len(made) == 3
    for player in made:
        player.close.assert_called_once_with()
