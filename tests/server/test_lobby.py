"""The lobby alone, with clients that need no connection."""

import re
import threading
import time
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from manue.agents.base import Decision
from manue.errors import UsageError
from manue.server.lobby import Lobby, ServeSettings
from manue.table.seats import StandIn
from manue.table.tcp_listener import BUSY

pytest.importorskip("riichienv")

TABLES = 4


class Sleeper:
    """A client whose seat always discards what it draws."""

    name = "sleeper"
    origin = "a bed"

    def alive(self):
        return True

    def take_seat(self, seat, referee):
        return StandIn(seat, referee)

    def dismiss(self, reason):
        raise AssertionError(reason)


class TurnedAway(Sleeper):
    """A client that keeps what it is told."""

    def __init__(self):
        self.told = []

    def dismiss(self, reason):
        self.told.append(reason)


def told_by(settings, clients):
    """Return what each of some clients is told that join a lobby where nobody plays."""
    lobby = Lobby(settings, pytest.fail)
    joining = [TurnedAway() for _ in range(clients)]
    for client in joining:
        lobby.join(client)
    return lobby, [client.told for client in joining]


def test_no_more_wait_than_the_room_holds(monkeypatch):
    monkeypatch.setattr("manue.server.lobby.MAX_WAITING_CLIENTS", 2)
    lobby, told = told_by(ServeSettings(clients=4), 3)
    assert told == [[], [], [BUSY]]
    assert lobby.missing() == 2


def test_no_game_begins_beyond_those_that_are_served(monkeypatch):
    monkeypatch.setattr(Lobby, "_play", lambda *_: None)
    _, told = told_by(ServeSettings(clients=1, games=2), 4)
    assert told == [[], [], [BUSY], [BUSY]]


def test_a_closed_lobby_takes_nobody():
    lobby, told = told_by(ServeSettings(clients=2), 1)
    lobby.close(0.0)
    late = TurnedAway()
    lobby.join(late)
    assert (told, late.told) == ([["The server is shutting down."]], [BUSY])


class NeverSeated(TurnedAway):
    """A client at whose table a program cannot be started: it must not sit down before that is known."""

    def take_seat(self, seat, referee):
        raise AssertionError("seated")


@pytest.mark.parametrize("seed", range(4))
def test_a_filler_that_cannot_be_started_was_a_traceback_and_the_client_heard_nothing(tmp_path, caplog, seed):
    program = tmp_path / "bot"
    program.write_text("not a program\n")
    program.chmod(0o755)
    client = NeverSeated()
    lobby = Lobby(ServeSettings(games=1, fill=("tsumogiri", f"cmd:{program}"), seed=seed), pytest.fail)
    lobby.join(client)
    assert lobby.done.wait(60)
    assert client.told == ["The table broke down."]
    (record,) = [record for record in caplog.records if record.levelname != "INFO"]
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    assert record.getMessage().startswith(f"game 0: cannot start '{program}'")


class Leaving:
    """An agent that asks Python to exit when a round is under way."""

    def decide(self, state, actions):
        if len(state.me.river) > 5:
            raise SystemExit("bye")
        return Decision(actions[-1])


def test_an_agent_that_exits_costs_its_seat_and_the_server_goes_on(caplog, monkeypatch):
    """Regression: the thread of the table ended without a word, and the server waited for ever."""
    monkeypatch.setattr("manue.table.seats._REPORTED", set())
    finished = []
    settings = ServeSettings(games=1, length="east", fill=(f"{__name__}:Leaving", "tsumogiri"), seed=1)
    lobby = Lobby(settings, finished.append)
    lobby.join(Sleeper())
    assert lobby.done.wait(60)
    (reason,) = {fault.reason for fault in finished[0].record.faults}
    assert re.fullmatch(r"SystemExit: bye \(test_lobby\.py, line \d+\)", reason)
    assert "SystemExit" in caplog.text


def test_a_table_that_ended_by_what_is_no_exception_said_nothing(monkeypatch, caplog):
    def leave(*_):
        raise SystemExit(4)

    monkeypatch.setattr(Lobby, "_game", leave)
    client = NeverSeated()
    lobby = Lobby(ServeSettings(games=1), pytest.fail)
    lobby.join(client)
    assert lobby.done.wait(60)
    assert client.told == ["The table broke down."]
    assert "table 0 broke down" in caplog.text


def test_every_game_has_a_wall_and_seats_of_its_own_by_the_seed(monkeypatch):
    dealt = []

    class Dealt:
        """A table that deals and plays no further."""

        def __init__(self, referee, _players, **_options):
            self._referee = referee

        def play(self):
            dealt.append(self._referee.start())
            return SimpleNamespace()

    monkeypatch.setattr("manue.server.lobby.Table", Dealt)

    def games_of(seed):
        lobby = Lobby(ServeSettings(seed=seed, fill=("tsumogiri", "greedy")), pytest.fail)
        return [lobby._game(number, [Sleeper()]).names for number in range(6)]

    names = games_of(1)
    assert {tuple(sorted(one)) for one in names} == {("greedy", "sleeper", "tsumogiri", "tsumogiri")}
    assert len({one.index("sleeper") for one in names}) > 1
    assert games_of(1) == names
    assert games_of(2) != names
    walls = [str(messages) for messages in dealt]
    assert walls[:6] == walls[6:12]
    assert len({*walls}) == 12


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
