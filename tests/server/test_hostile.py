"""What rude clients and a bad environment did to the server before."""

import contextlib
import json
import socket
import subprocess
import sys
import threading

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from manue.errors import LogError
from manue.records.archive import read_log
from manue.records.log_writer import LogWriter
from manue.table import tcp_listener
from tests.server.clients import RubyClient
from tests.server.test_serve import Rude, host, web_play

pytest.importorskip("riichienv")


def test_a_second_run_overwrote_the_logs_of_the_first(tmp_path):
    for _ in range(2):
        with host(log_dir=tmp_path, fill=("tsumogiri",)) as server:
            RubyClient(server.port, "me").play()
            server.wait_for(1)
    logs = sorted(tmp_path.iterdir())
    assert [log.name for log in logs] == ["000000.mjson.gz", "000001.mjson.gz"]
    for log in logs:
        assert list(read_log(log))[-1].message.type == "end_game"


def test_a_full_log_disk_cost_the_game(tmp_path, monkeypatch, caplog):
    def put(self, _data):
        raise LogError(f"{self.path}: No space left on device")

    monkeypatch.setattr(LogWriter, "_put", put)
    with host(log_dir=tmp_path, fill=("tsumogiri",)) as server:
        RubyClient(server.port, "me").play()
        (game,) = server.wait_for(1)
    assert game.record.faults == []
    assert caplog.text.count("No space left") == 1


class FullFile:
    """A file on a full disk: what it has buffered cannot be written when it is closed either."""

    closed = False

    def write(self, _data):
        raise OSError(28, "No space left on device")

    def close(self):
        self.closed = True
        raise OSError(28, "No space left on device")


def test_closing_a_log_on_a_full_disk_cost_the_result_of_the_game(tmp_path, monkeypatch, caplog):
    real = LogWriter.__init__

    def begin(self, *args, **kwargs):
        real(self, *args, **kwargs)
        self._file.close()
        self._file = FullFile()

    monkeypatch.setattr(LogWriter, "__init__", begin)
    with host(log_dir=tmp_path, fill=("tsumogiri",)) as server:
        RubyClient(server.port, "me").play()
        (game,) = server.wait_for(1, 60)
    assert game.record.faults == []
    assert caplog.text.count("No space left") == 1


def test_a_folder_that_takes_no_log_cost_the_game(tmp_path, caplog):
    with host(log_dir=tmp_path / "missing", fill=("tsumogiri",)) as server:
        RubyClient(server.port, "me").play()
        server.wait_for(1)
    assert "this game is not logged" in caplog.text


def test_a_closed_stdout_kept_the_server_from_counting(tmp_path):
    command = [sys.executable, "-m", "manue", "serve", "--port", "0", "--east", "--games", "2"]
    server = subprocess.Popen(
        [*command, "--fill", "tsumogiri"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    server.stdout.close()
    port = next(int(line.split(":")[3].split("/")[0]) for line in server.stderr if "://" in line)
    for _ in range(2):
        RubyClient(port, "me").play()
    assert server.wait(120) == 0
    assert "Traceback" not in server.stderr.read()
    server.stderr.close()


def last_line(port, token=None, **fields):
    join = {"type": "join", "name": "x", "room": "default"} | fields
    return answer_to(port, join if token is None else join | {"token": token})


def answer_to(port, *messages):
    """Return what the server says after its hello."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        for message in messages:
            connection.sendall(json.dumps(message).encode() + b"\n")
        with connection.makefile("rb") as lines:
            lines.readline()
            return json.loads(lines.readline())


def test_the_tcp_port_asked_for_no_token(tmp_path):
    with host(token="sesame") as server:
        for wrong in (None, "other", "ö"):
            assert "Token required" in last_line(server.port, wrong)["message"]
        assert last_line(server.port, "sesame")["type"] == "start_game"
        token = tmp_path / "token"
        token.write_text("sesame\n")
        url = f"mjsonp://127.0.0.1:{server.port}/default"
        command = [sys.executable, "-m", "manue", "play", url, "--agent", "tsumogiri", "--quiet"]
        assert subprocess.run([*command, "--token-file", token], check=False, timeout=120).returncode == 0
        assert server.wait_for_name("manue")


def test_a_client_that_never_joined_was_hung_up_on_without_a_word(monkeypatch):
    monkeypatch.setattr(tcp_listener, "JOIN_SECONDS", 0)
    with host() as server:
        assert answer_to(server.port) == {"type": "error", "message": "no join: it did not answer in time"}


def test_a_client_with_too_long_a_join_was_hung_up_on_without_a_word():
    with host() as server:
        reason = "no join: a line longer than 65536 bytes"
        assert last_line(server.port, name="x" * 70_000) == {"type": "error", "message": reason}


@pytest.mark.parametrize("name", ["", " "])
def test_a_tcp_client_with_an_empty_name_was_shown_without_one(name, caplog):
    with host() as server, caplog.at_level("INFO"):
        last_line(server.port, name=name)
    assert "tcp joined from" in caplog.text


def test_a_page_in_a_browser_could_join():
    with host() as server, pytest.raises(InvalidStatus, match="403"):
        connect(server.url, origin="http://evil.example")
    with host(token="sesame") as server:
        headers = {"Authorization": "Bearer sesame"}
        with connect(server.url, additional_headers=headers, origin="http://good.example") as connection:
            connection.recv(timeout=60)


def test_the_end_waited_for_half_open_handshakes(monkeypatch):
    monkeypatch.setattr(tcp_listener, "JOIN_SECONDS", 10_000)
    monkeypatch.setattr("manue.server.server.JOIN_SECONDS", 10_000)
    with host() as server:
        silent = [socket.create_connection(("127.0.0.1", port)) for port in (server.port, server.web.port)]
        silent[1].sendall(b"GET /ws/ranked HTTP/1.1\r\n")
        assert silent[0].recv(1000).startswith(b'{"type":"hello"')
    for connection in silent:
        with connection:
            connection.settimeout(60)
            with contextlib.suppress(ConnectionResetError):  # closed, too
                assert connection.recv(1000) == b""


class Illegal(Rude):
    """Makes an illegal move once, and keeps what it is sent then."""

    def answer(self, event, hand, me, accepted):
        if event.get("actor") == me and event["type"] == "tsumo":
            return {"type": "dahai", "pai": event["pai"], "tsumogiri": True, **self.change(me)}
        return super().answer(event, hand, me, accepted)

    def change(self, me):
        return {"actor": (me + 1) % 4} if self.deed == "actor" else {"actor": me, "pai": "E", "type": "hora"}


@pytest.mark.parametrize("deed", ["actor", "move"])
def test_an_illegal_reply_got_no_error_line(deed):
    with host(clients=2) as server:
        rude = Illegal(server.port, deed)
        honest = threading.Thread(target=RubyClient(server.port, "honest").play)
        honest.start()
        with pytest.raises(AssertionError) as caught:
            super(Rude, rude).play()
        rude.close()
        honest.join()
        (game,) = server.wait_for(1)
    assert [fault.kind for fault in game.record.faults] == ["illegal"]
    assert "'type': 'error'" in str(caught.value)


def test_a_wrong_actor_was_accepted_over_websocket():
    def behave(_frame, reply):
        return [json.dumps(reply | ({} if reply["type"] == "none" else {"actor": 9}))]

    with host(clients=2) as server:
        honest = threading.Thread(target=RubyClient(server.port, "honest").play)
        honest.start()
        frames = web_play(server.url, behave=behave)
        honest.join()
        assert [f["status"] for f in frames if f["type"] == "action_ack"][-1] in {"unparseable", "rejected"}
