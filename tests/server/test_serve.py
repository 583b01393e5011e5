"""The match server: honest clients over TCP and WebSocket, and everything a rude client can do."""

import json
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from queue import SimpleQueue

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from manue.__main__ import main
from manue.errors import UsageError
from manue.server.lobby import Lobby, ServeSettings
from manue.server.server import WEB_PATH, TcpServer, WebSocketServer
from manue.table.tcp_listener import listen
from manue.table.thinking_time import ByoYomi, Limits
from tests.project import ROOT
from tests.server.clients import Hand, RubyClient

pytest.importorskip("riichienv")


PATIENT = ByoYomi(5, 5)


class Host:
    """A running server and its finished games."""

    def __init__(self, settings, times, token):
        self.finished = []
        self.changed = threading.Condition()
        self.lobby = Lobby(settings, self._note)
        listener = listen("127.0.0.1", 0)
        self.port = listener.getsockname()[1]
        self.tcp = TcpServer(listener, self.lobby, "default", token)
        self.web = WebSocketServer("127.0.0.1", 0, self.lobby, times, token)
        self.url = f"ws://127.0.0.1:{self.web.port}{WEB_PATH}"
        self.tcp.start()
        self.web.start()

    def _note(self, finished):
        with self.changed:
            self.finished.append(finished)
            self.changed.notify_all()

    def wait_for(self, games, seconds=600):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.finished) >= games, seconds)
        return self.finished

    def wait_for_name(self, name, seconds=600):
        def found():
            return [game for game in self.finished if name in game.names]

        with self.changed:
            assert self.changed.wait_for(found, seconds)
        return found()[0]


@contextmanager
def host(*, times=PATIENT, token=None, **settings):
    limits = settings.pop("limits", Limits(decision=600, start=600))
    server = Host(ServeSettings(length="east", limits=limits, **settings), times, token)
    try:
        yield server
    finally:
        server.tcp.close()
        server.web.close()
        server.lobby.close(5)


def test_four_clients_play_over_tcp():
    with host(clients=4) as server:
        clients = [RubyClient(server.port, f"c{seat}", seat) for seat in range(4)]
        threads = [threading.Thread(target=client.play) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (game,) = server.wait_for(1)
    assert game.record.faults == []
    assert sorted(game.names) == ["c0", "c1", "c2", "c3"]
    for client in clients:
        assert client.seen[-1] == {"type": "end_game", "scores": game.record.scores}
        starts = [event for event in client.seen if event["type"] == "start_game"]
        assert starts[0]["names"][starts[0]["id"]] == client.name


def test_payments_are_told_in_full():
    with host(clients=1, fill=("greedy",)) as server:
        client = RubyClient(server.port, "me")
        client.play()
        server.wait_for(1)
    scores, seen = [25_000] * 4, set()
    for event in client.seen:
        if event["type"] in {"hora", "ryukyoku", "reach_accepted"}:
            seen.add(event["type"])
            scores = [score + delta for score, delta in zip(scores, event["deltas"], strict=True)]
            assert event["scores"] == scores
        if event["type"] == "hora":
            assert len(event["hora_tehais"]) % 3 == (2 if event["actor"] == event["target"] else 1)
            paid = -min(event["deltas"]) if event["actor"] != event["target"] else event["hora_points"]
            assert paid >= event["hora_points"] > 0
        if event["type"] == "ryukyoku" and event["reason"] == "fanpai":
            assert [hand[0] != "?" for hand in event["tehais"]] == event["tenpais"]
    assert "hora" in seen


def refused(port, first_line):
    with socket.create_connection(("127.0.0.1", port), timeout=600) as connection:
        lines = connection.makefile("rb")
        json.loads(lines.readline())
        connection.sendall(first_line + b"\n")
        answer = json.loads(lines.readline())
        assert lines.readline() == b""
    assert answer["type"] == "error"
    return answer["message"]


def test_bad_first_lines_are_refused_with_a_reason():
    with host() as server:
        assert "No such room" in refused(server.port, b'{"type":"join","name":"x","room":"elsewhere"}')
        assert "JSON syntax error" in refused(server.port, b"hello?")
        assert "Expected e.g." in refused(server.port, b'{"type":"none"}')
        assert "error" in refused(server.port, b'{"type":"join","name":7,"room":"default"}')


def web_play(url, headers=None, behave=None):
    """Play a game over WebSocket, discarding the drawn tile or passing; return the frames received."""
    frames, hand, me = [], Hand(), None
    try:
        with connect(url, additional_headers=headers, max_size=None) as connection:
            for text in connection:
                frame = json.loads(text)
                frames.append(frame)
                if frame["type"] == "start_game":
                    me = frame["id"]
                if "actor" in frame or frame["type"] == "start_kyoku":
                    hand.follow(frame, me)
                if frame["type"] != "request_action":
                    continue
                moves = {move["type"] for move in frame["possible_actions"]}
                drawn = {"type": "dahai", "pai": hand.drawn, "tsumogiri": True}
                reply = {"type": "none"} if "none" in moves else drawn
                if reply["type"] == "dahai" and hand.drawn is None:
                    reply = {"type": "dahai", "pai": frame["possible_actions"][0]["pai"]}
                reply["request_id"] = frame["request_id"]
                for answer in (behave or (lambda _frame, reply: [json.dumps(reply)]))(frame, reply):
                    connection.send(answer)
    except ConnectionClosed:
        pass
    return frames


def keys_in(frame):
    """Yield the keys of a frame as they follow in its text, those of what it contains but moves, too."""
    for key, value in frame.items():
        yield key
        if isinstance(value, dict):
            yield from keys_in(value)


def test_another_websocket_path_is_refused_and_told(capsys):
    """Regression: who joined at / spoke plain Mjai and lost its seat; any name after /ws/ was the table."""
    with host() as server:
        root = server.url.removesuffix(WEB_PATH)
        for path in ("", "/ws/", "/ws/validat", "/ws/ranked/2?x=/ws/ranked"):
            with pytest.raises(InvalidStatus) as caught:
                connect(root + path)
            assert caught.value.response.body == b"nothing here; join at /ws/ranked or /ws/validate\n"
        assert main(["play", root, "--agent", "tsumogiri"]) == 1
    assert "HTTP 404 (is the path right?)" in capsys.readouterr().err


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_a_websocket_client_plays(scheme):
    """Regression: the scheme, whose case means nothing (RFC 9110, 11.1), was refused in lower case."""
    with host(token="sesame") as server:
        frames = web_play(server.url, {"Authorization": scheme + " sesame"})
        (game,) = server.wait_for(1)
        with pytest.raises(InvalidStatus):
            connect(server.url)
        for wrong in ("Bearer other", "Bearer", "Basic sesame", "Bearersesame", "sesame"):
            with pytest.raises(InvalidStatus):
                connect(server.url, additional_headers={"Authorization": wrong})
    assert game.record.faults == []
    assert frames[0]["type"] == "start_game"
    assert any(frame["type"] == "end_game" for frame in frames)
    requests = [frame["request_id"] for frame in frames if frame["type"] == "request_action"]
    acks = [frame for frame in frames if frame["type"] == "action_ack"]
    assert requests == [ack["request_id"] for ack in acks] == sorted(set(requests))
    assert {ack["status"] for ack in acks} == {"accepted"}
    page = (ROOT / "docs" / "bots.md").read_text()
    for kind in ("request_action", "action_ack"):
        (shown,) = re.findall(rf'^    < (\{{"type":"{kind}",.*)', page, re.MULTILINE)
        frame = next(frame for frame in frames if frame["type"] == kind)
        assert re.findall(r'"(\w+)":', shown) == list(keys_in(frame))


def test_a_websocket_client_that_is_turned_away_is_told_why_and_hung_up_on(monkeypatch):
    monkeypatch.setattr("manue.server.lobby.MAX_WAITING_CLIENTS", 1)
    with host(clients=2) as server, connect(server.url):
        while server.lobby.missing() == 2:
            time.sleep(0.01)
        with connect(server.url) as second:
            assert json.loads(second.recv(60)) == {"error": "The room is busy. Retry after a while."}
            with pytest.raises(ConnectionClosed):
                second.recv(60)


def test_late_and_stale_answers_cost_no_seat():
    late = []

    def behave(frame, reply):
        if frame["request_id"] == 2 and not late:
            late.append(json.dumps(reply))
            return []
        return (
            [*late[frame["request_id"] - 3 :][:1], json.dumps(reply)]
            if frame["request_id"] == 3
            else [json.dumps(reply)]
        )

    with host(times=ByoYomi(0.2, 0.2)) as server:
        frames = web_play(server.url, behave=behave)
        (game,) = server.wait_for(1)
    assert game.record.faults == []
    status = {(frame["request_id"], frame["status"]) for frame in frames if frame["type"] == "action_ack"}
    assert {(2, "defaulted"), (2, "stale")} <= status
    assert any(number >= 3 for number, what in status if what == "accepted")  # not each: the time is short


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("what?", "unreadable"),
        ('{"type":"hora"}', "illegal"),
        ('{"type":"none","request_id":99999}', "unreadable"),
        ("x" * 100_000, "died"),
    ],
)
def test_a_bad_websocket_client_costs_only_itself(answer, kind):
    with host(clients=2) as server:
        honest = RubyClient(server.port, "honest")
        thread = threading.Thread(target=honest.play)
        thread.start()
        web_play(server.url, behave=lambda frame, _reply: [answer])
        thread.join()
        (game,) = server.wait_for(1)
    assert [fault.kind for fault in game.record.faults] == [kind]
    assert sum(game.record.scores) == 100_000


def test_a_game_whose_clients_have_all_gone_is_abandoned(caplog):
    with host(games=2) as server:
        web_play(server.url, behave=lambda frame, _reply: ["what?"])
        RubyClient(server.port, "honest").play()
        assert server.lobby.done.wait(600)
        (game,) = server.finished
    assert "honest" in game.names
    assert "abandoned" in caplog.text


class Rude(RubyClient):
    """Plays honestly for a while, then misbehaves."""

    def __init__(self, port, deed):
        super().__init__(port, deed)
        self.deed = deed
        self.over = threading.Event()

    def answer(self, event, hand, me, accepted):
        honest = super().answer(event, hand, me, accepted)
        if len(self.seen) < 30:
            return honest
        if self.deed == "vanish":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif self.deed == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close()
        elif self.deed == "silent":
            self.over.wait()
        elif self.deed == "flood":
            self.connection.sendall(b"x" * 1_000_000)
        elif self.deed == "bytes":
            self.connection.sendall(bytes(range(256)) + b"\n")
        elif self.deed == "act":
            return {"type": "hora", "actor": me, "target": me, "pai": "1m"}
        return honest

    def play(self):
        try:
            super().play()
        except (OSError, AssertionError, ValueError):
            self.close()


@pytest.mark.parametrize("deed", ["vanish", "reset", "silent", "flood", "bytes", "act"])
def test_a_rude_client_costs_only_itself(deed):
    limits = Limits(decision=3 if deed == "silent" else 600, start=600)
    with host(clients=2, limits=limits) as server:
        honest, rude = RubyClient(server.port, "honest"), Rude(server.port, deed)
        thread = threading.Thread(target=rude.play)
        thread.start()
        scores = honest.play()
        (game,) = server.wait_for(1)
        rude.over.set()
        thread.join()
    assert {game.names[fault.seat] for fault in game.record.faults} == {deed}
    assert scores == game.record.scores


def test_our_own_player_joins_over_both():
    with host(clients=2) as server:
        urls = [f"mjsonp://127.0.0.1:{server.port}/default", server.url]
        players = [
            subprocess.Popen(
                [sys.executable, "-m", "manue", "play", url, "--agent", "greedy", "--quiet"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            for url in urls
        ]
        complaints = [player.communicate(timeout=600)[1] for player in players]
        (game,) = server.wait_for(1)
    assert [player.returncode for player in players] == [0, 0], complaints
    assert game.record.faults == []


def test_many_tables_at_once():
    with host(clients=1) as server:
        clients = [RubyClient(server.port, f"c{number}", number) for number in range(8)]
        threads = [threading.Thread(target=client.play) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        games = server.wait_for(8)
    assert all(game.record.faults == [] for game in games)


def test_the_time_of_all_answers_of_a_game_could_not_be_set():
    """Faults named ``--game-seconds``, which `serve` did not have."""
    command = [sys.executable, "-m", "manue", "serve", "--port", "0", "--ws", "0", "--games", "1", "--east"]
    command += ["--fill", "silent=cmd:sleep 600,tsumogiri", "--decision-seconds", "600"]
    command += ["--game-seconds", "0.01"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        url = next((line.split()[1] for line in server.stderr if "ws://" in line), "")
        assert main(["play", url, "--agent", "tsumogiri", "--quiet"]) == 0
        result = server.communicate(timeout=600)[0]
    within = "the 0.01 s left of 0.01 s (--game-seconds)"
    assert f"silent late: it did not answer in time: no answer within {within}" in result


@pytest.mark.parametrize("option", ["--grace-seconds", "--bank-seconds"])
def test_thinking_time_over_websocket_was_taken_without_one(capsys, option):
    assert main(["serve", "--port", "0", option, "2"]) == 2
    assert f"{option} goes with --ws" in capsys.readouterr().err


def test_a_port_in_use_is_a_usage_error():
    with host() as server, pytest.raises(UsageError, match="cannot listen"):
        listen("127.0.0.1", server.port)


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
@pytest.mark.parametrize("address", ["::1", "[::1]"])
def test_the_address_that_a_server_prints_can_be_joined(address):
    command = [sys.executable, "-m", "manue", "serve", "--host", address, "--port", "0", "--room", "a ?room"]
    command += ["--east", "--games", "1", "--fill", "tsumogiri"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        url = next(line.split()[1] for line in server.stderr if "://" in line)
        assert url.startswith("mjsonp://[::1]:")
        assert main(["play", url, "--agent", "tsumogiri", "--quiet"]) == 0
        assert "from [::1]:" in server.communicate(timeout=60)[1]


def test_a_match_waits_for_a_client(tmp_path, monkeypatch):
    waits = SimpleQueue()
    monkeypatch.setattr("manue.table.tcp_listener.note", waits.put)

    def join():
        port = int(re.search(r"mjsonp://127\.0\.0\.1:(\d+)/", waits.get())[1])
        RubyClient(port, "guest").play()

    thread = threading.Thread(target=join, daemon=True)
    thread.start()
    seats = "tcp:0,greedy,tsumogiri,tsumogiri"
    assert main(["match", "--seats", seats, "--games", "1", "--east", "--out", str(tmp_path / "m")]) == 0
    thread.join()
    (line,) = (tmp_path / "m" / "results.jsonl").read_text().splitlines()
    assert json.loads(line)["faults"] == []
    assert json.loads(line)["timings"][0]["max_ms"] > 0


@pytest.mark.parametrize("bad", ["tcp:", "tcp:port", "tcp:127.0.0.1"])
def test_bad_addresses_of_seats(bad, tmp_path):
    seats = f"{bad},greedy,greedy,greedy"
    assert main(["match", "--seats", seats, "--out", str(tmp_path / "m")]) == 2


def test_whoever_waits_over_websocket_hears_that_the_server_ends():
    """Regression: with websockets 17 the connection was closed without a word, as were those of games."""
    command = [
        sys.executable,
        "-m",
        "manue",
        "serve",
        "--clients",
        "2",
        "--fill",
        "tsumogiri",
        "--port",
        "0",
        "--ws",
        "0",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            url = next(found[0] for line in server.stderr if (found := re.search(r"ws://\S+", line)))
            with connect(url) as waiting:
                next(line for line in server.stderr if "waits" in line or "joined" in line)
                server.send_signal(signal.SIGINT)
                assert json.loads(waiting.recv(60)) == {"error": "The server is shutting down."}
            assert server.wait(60) == 130
        finally:
            server.kill()


@pytest.mark.parametrize("options", [["--port"], ["--port", "0", "--ws"]], ids=["TCP", "WebSocket"])
def test_an_address_was_found_in_use_after_warming_up(options, monkeypatch, capsys):
    monkeypatch.setattr("manue.commands.serve.check_specs", pytest.fail)
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        assert main(["serve", *options, str(port)]) == 2
    expected = f"manue: cannot listen on 127.0.0.1:{port}: Address already in use"
    assert capsys.readouterr().err.startswith(expected)


def test_a_file_was_found_in_place_of_the_folder_of_logs_after_warming_up(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("manue.commands.serve.check_specs", pytest.fail)
    file = tmp_path / "file"
    file.touch()
    assert main(["serve", "--port", "0", "--log-dir", str(file)]) == 2
    assert capsys.readouterr().err == f"manue: {file}: not a folder\n"
