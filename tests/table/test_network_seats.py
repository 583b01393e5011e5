"""A seat played over TCP: how it ends."""

import socket

import pytest

from manue.rules import TENHOU
from manue.table import network_seats
from manue.table.network_seats import TcpSeat
from manue.table.process_seat import Limits
from manue.table.seats import TableEvent
from manue.table.table import event_of
from manue.table.tcp_listener import SocketChannel


@pytest.mark.parametrize("answer", [b'{"type":"none"}\n', b""], ids=["answered", "not answered"])
def test_a_client_that_answered_the_last_line_was_reset(answer, monkeypatch):
    monkeypatch.setattr(network_seats, "CLOSE_SECONDS", 600.0 if answer else 0.0)
    ours, theirs = socket.socketpair()
    seat = TcpSeat(0, SocketChannel(ours), TENHOU, Limits())
    message = {"type": "end_game", "scores": [25_000] * 4}
    with theirs:
        assert seat.observe([TableEvent(message, event_of(message))], asked=False) is None
        theirs.sendall(answer)
        seat.close()
        assert theirs.recv(1000).startswith(b'{"type":"end_game"')
        assert theirs.recv(1000) == b""  # and no ConnectionResetError
