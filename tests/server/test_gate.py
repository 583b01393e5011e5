"""A server that is flooded with connections goes on answering honest clients."""

import errno
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from manue.server.gate import UNDISTURBED_SECONDS, Gate, GatedConnection, GatedListener
from manue.server.lobby import Lobby, ServeSettings
from manue.server.server import TcpServer
from manue.table.tcp_listener import listen
from tests.server.clients import RubyClient, first_handshake_finds_no_thread

DESCRIPTORS = 128


def test_idle_connections_made_serve_deaf_for_good():
    pytest.importorskip("riichienv")
    options = "--port 0 --ws 0 --east --games 1 --fill tsumogiri"
    command = f"ulimit -n {DESCRIPTORS}; exec {sys.executable} -m manue serve {options}"
    server = subprocess.Popen(["bash", "-c", command], stderr=subprocess.PIPE, text=True)
    try:
        lines = (line for line in server.stderr if "://" in line)
        ports = [int(next(lines).split(":")[3].split("/")[0]) for _ in range(2)]
        with ExitStack() as silent:
            for n in range(DESCRIPTORS):
                silent.enter_context(socket.create_connection(("127.0.0.1", ports[n % 2]), 60))
            scores = RubyClient(ports[0], "honest").play()
            assert sum(scores) == 100_000
            assert server.wait(600) == 0
    finally:
        server.kill()
        server.stderr.close()
        server.wait()


@pytest.fixture
def listener():
    with listen("127.0.0.1", 0) as opened:
        yield opened


def test_the_accept_loop_ended_at_the_first_lack_of_descriptors(listener, monkeypatch):
    real, failures = socket.socket.accept, iter([errno.EMFILE, errno.ENFILE])

    def accept(self):
        code = next(failures, None)
        if code is not None:
            raise OSError(code, "none left")
        return real(self)

    monkeypatch.setattr(socket.socket, "accept", accept)
    gated = GatedListener(listener, Gate())
    with socket.create_connection(gated.getsockname(), 60), gated:
        connection, _ = gated.accept()
        connection.close()
    assert next(failures, None) is None  # it came through after both


def test_the_server_was_deaf_after_the_first_lack_of_a_thread(listener, monkeypatch):
    lobby = Lobby(ServeSettings(), pytest.fail)
    server = TcpServer(listener, lobby, "default")
    server.start()
    first_handshake_finds_no_thread(monkeypatch)
    monkeypatch.setattr(lobby, "join", lambda client: client.dismiss("welcome"))
    with socket.create_connection(("127.0.0.1", server.port), 60) as lost:
        assert lost.recv(1) == b""
        client = RubyClient(server.port, "next")
        assert client.read() == {"type": "error", "message": "welcome"}
        client.close()
    server.close()


def test_a_client_whose_table_found_no_thread_was_left_hanging(listener, monkeypatch):
    def join(client):
        raise RuntimeError("can't start new thread")

    lobby = Lobby(ServeSettings(), pytest.fail)
    monkeypatch.setattr(lobby, "join", join)
    server = TcpServer(listener, lobby, "default")
    server.start()
    client = RubyClient(server.port, "unlucky")
    assert client.read() is None
    client.close()
    server.close()


def test_a_closed_listener_ends_the_wait(listener):
    gated = GatedListener(listener, Gate())
    ended = threading.Event()

    def wait():
        with pytest.raises(OSError):
            gated.accept()
        ended.set()

    thread = threading.Thread(target=wait)
    thread.start()
    gated.close()
    assert ended.wait(60)
    thread.join()


def connection_from(address):
    ours, theirs = socket.socketpair()
    gated = GatedConnection(fileno=ours.detach())
    gated.address = address
    return gated, theirs


def test_the_oldest_silent_connection_of_an_address_makes_room():
    gate = Gate(most=10, most_of_address=2)
    made = [connection_from("192.0.2.1") for _ in range(3)]
    other, other_peer = connection_from("192.0.2.2")
    assert all(gate.admit(one) for one in (other, *(gated for gated, _ in made)))
    assert made[0][1].recv(1) == b""  # hung up on
    gate.joined(made[1][0])
    gate.joined(made[2][0])
    late, late_peer = connection_from("192.0.2.1")
    assert not gate.admit(late)  # seated clients are never evicted
    made[1][0].close()
    assert gate.admit(late)
    gate.close()
    assert late_peer.recv(1) == other_peer.recv(1) == b""
    for one in (late, late_peer, other, other_peer, *(end for pair in made for end in pair)):
        one.close()


def test_a_burst_of_silent_connections_hung_up_on_a_client_about_to_join(monkeypatch):
    """The clock is that of the test: it stands still until the client has joined."""
    now, waits, joined = [0.0], threading.Event(), threading.Event()

    def sleep(seconds):
        waits.set()
        joined.wait(60)
        now[0] += seconds

    monkeypatch.setattr("manue.server.gate.time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    gate = Gate(most_of_address=2)
    honest, peer = connection_from("192.0.2.1")
    assert gate.admit(honest)
    burst = [connection_from("192.0.2.1") for _ in range(3)]
    flood = threading.Thread(target=lambda: [gate.admit(one) for one, _ in burst])
    flood.start()
    assert waits.wait(60)
    peer.settimeout(0.0)
    with pytest.raises(BlockingIOError):  # still there
        peer.recv(1)
    gate.joined(honest)
    joined.set()
    flood.join(60)
    assert now[0] >= UNDISTURBED_SECONDS  # the others had their time, too
    with pytest.raises(BlockingIOError):
        peer.recv(1)
    assert [one.fileno() >= 0 and theirs.recv(1) == b"" for one, theirs in burst[:2]] == [True, True]
    for one in (honest, peer, *(end for pair in burst for end in pair)):
        one.close()
