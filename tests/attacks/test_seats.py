"""A seat that waits for a TCP client takes the first that joins, whoever else is connected."""

import re
import socket
import threading
from queue import SimpleQueue

import pytest

from manue.__main__ import main
from manue.table import tcp_listener
from tests.server.clients import RubyClient, first_handshake_finds_no_thread

pytest.importorskip("riichienv")


def connected(port):
    return socket.create_connection(("127.0.0.1", port), timeout=600)


def silent_lines(port):
    """Connect, read the greeting and say nothing; return the lines of the connection that follow."""
    with connected(port) as connection:
        lines = connection.makefile("rb")
    assert b'"hello"' in lines.readline()
    return lines


def test_a_silent_connection_held_up_the_client_behind_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tcp_listener, "JOIN_SECONDS", 10_000)
    monkeypatch.setattr(tcp_listener, "MAX_JOINING", 4)
    waits = SimpleQueue()
    monkeypatch.setattr(tcp_listener, "note", waits.put)
    options = ["--games", "1", "--east", "--workers", "1", "--decision-seconds", "600"]
    arguments = ["match", "--seats", "tcp:127.0.0.1:0,tsumogiri,tsumogiri,tsumogiri", *options]
    codes = []
    arguments += ["--out", str(tmp_path / "m")]
    match = threading.Thread(target=lambda: codes.append(main(arguments)), daemon=True)
    match.start()
    port = int(re.search(r"mjsonp://127\.0\.0\.1:(\d+)/", waits.get(timeout=600))[1])
    silent = [silent_lines(port) for _ in range(6)]
    assert sum(RubyClient(port, "honest").play()) == 100_000
    match.join()
    assert codes == [0]
    assert [lines.read() for lines in silent[:2]] == [b"", b""]  # the oldest made room
    for lines in silent:
        lines.close()


def test_the_entrance_was_deaf_after_the_first_lack_of_a_thread(monkeypatch):
    entrance = tcp_listener._Entrance("127.0.0.1:0")
    first_handshake_finds_no_thread(monkeypatch)
    with connected(entrance.address[1]) as lost:
        assert lost.recv(1) == b""
        client = RubyClient(entrance.address[1], "next")
        entrance.next_client().close()
        client.close()


def test_a_client_that_has_left_got_the_seat():
    entrance = tcp_listener._Entrance("127.0.0.1:0")
    port = entrance.address[1]
    RubyClient(port, "gone").close()
    stays = RubyClient(port, "stays")
    channel = entrance.next_client()
    channel.send(b"{}\n", tcp_listener.time.monotonic() + 60)
    assert stays.read() == {}
    stays.close()
    channel.close()
