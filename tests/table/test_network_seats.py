"""Seats played over the network: how one ends over TCP, what one may answer over WebSocket."""

import socket

import pytest

from manue.errors import SeatFault
from manue.rules import TENHOU
from manue.table import network_seats
from manue.table.network_seats import TcpSeat, WebSocketSeat
from manue.table.referee import Referee
from manue.table.seats import TableEvent
from manue.table.table import event_of
from manue.table.tcp_listener import SocketChannel
from manue.table.thinking_time import ByoYomi, Limits
from tests.table.fakes import FakeClient


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


def offered_pon():
    """Return a referee, its last events, and a pon that it offers."""
    pytest.importorskip("riichienv")
    referee = Referee(1)
    messages = referee.start()
    while True:
        moves = {seat: referee.legal(seat) for seat in referee.asked}
        pon = next((move for legal in moves.values() for move in legal if move["type"] == "pon"), None)
        if pon is not None:
            return referee, [TableEvent(one, event_of(one)) for one in messages], pon
        messages = referee.step({seat: legal[-1] for seat, legal in moves.items()})


@pytest.mark.parametrize("left_out", [(), ("pai",), ("actor", "target", "pai")], ids=", ".join)
def test_a_call_without_the_tile_taken_cost_a_seat_over_websocket_alone(left_out):
    referee, events, pon = offered_pon()
    reply = {name: value for name, value in pon.items() if name not in left_out}
    frames = FakeClient(lambda _: reply)
    seat = WebSocketSeat(pon["actor"], frames, ByoYomi(), referee)
    assert seat.observe(events, asked=True).reply == reply
    assert frames.sent[-1]["status"] == "accepted"


def test_a_call_of_another_tile_costs_a_seat_over_websocket():
    referee, events, pon = offered_pon()
    frames = FakeClient(lambda _: {**pon, "pai": "1m" if pon["pai"] != "1m" else "2m"})
    with pytest.raises(SeatFault, match="is not allowed"):
        WebSocketSeat(pon["actor"], frames, ByoYomi(), referee).observe(events, asked=True)
    assert frames.sent[-1]["status"] == "rejected"
