"""TCP clients: listening, the handshake, and a seat that waits for a client."""

import hmac
import json
import socket
import sys
import time
from collections.abc import Callable
from functools import cache

from manue.errors import ProtocolError, UsageError
from manue.foreign import foreign
from manue.protocol.messages import Join, parse_message
from manue.rules import Rules
from manue.table.line_channel import FileChannel, LineChannel
from manue.table.network_seats import HELLO, TcpSeat, send_error
from manue.table.process_seat import Limits, encoded
from manue.table.seats import SeatFault
from manue.tiles import Seat

JOIN_SECONDS = 10.0
MAX_CLIENT_LINE = 1 << 16
"""Longest line accepted, in bytes: ample for a reply with its ``log`` and ``meta``."""
MAX_NAME = 64
"""Characters kept of a client's name."""
ROOM = "default"


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises
    ------
    UsageError
        If the address cannot be used.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot listen on {host}:{port}: {reason}") from error


class SocketChannel(FileChannel):
    """A channel over a socket; it owns the socket."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection.fileno(), connection.fileno(), MAX_CLIENT_LINE)
        self._connection = connection

    def close(self) -> None:
        """Close the socket; closing twice is harmless."""
        self._open = False
        self._connection.close()


def handshake(
    connection: socket.socket,
    room: str,
    token: str | None = None,
    *,
    missing: int = 1,
    on_refusal: Callable[[str], None] = lambda _: None,
) -> tuple[str, LineChannel] | None:
    """Greet a client and read its ``join``; any other message is answered with an error and a hang-up.

    A client that will have to wait for others is greeted with ``waiting_for``: how many clients its table is
    ``missing``, itself included. ``on_refusal`` is called with the reason that a client is refused for.

    Returns
    -------
    tuple of (str, LineChannel), or None
        The client's name, and the channel, which owns the connection; ``None`` if the client was refused.
    """
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    channel = SocketChannel(connection)
    deadline = time.monotonic() + JOIN_SECONDS
    hello = HELLO if missing == 1 else HELLO | {"waiting_for": missing}
    try:
        channel.send(encoded(hello), deadline)
        join = parse_message(channel.receive(deadline))
    except SeatFault as fault:
        on_refusal(f"no join: {fault.reason}")
        channel.close()
        return None
    except ProtocolError as error:
        refusal = f"JSON syntax error or not a message: {error}"
    else:
        if isinstance(join, Join):
            refusal = _refusal(join, room, token)
            if not refusal:
                return foreign(join.name, MAX_NAME), channel
        else:
            refusal = f"Expected e.g. {json.dumps({'type': 'join', 'name': 'noname', 'room': room})}"
    on_refusal(refusal)
    send_error(channel, refusal)
    return None


def _refusal(join: Join, room: str, token: str | None) -> str:
    """Return why a client may not come in; the empty text if it may."""
    if join.room != room:
        return f"No such room. Available room: {room}"
    if token is not None and not hmac.compare_digest((join.token or "").encode(), token.encode()):
        return "Token required: join with the field token."
    return ""


def check_address(address: str) -> tuple[str, int]:
    """Split ``[HOST:]PORT``; raises UsageError."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal():
        raise UsageError(f"tcp:{address}: not [HOST:]PORT")
    return host or "127.0.0.1", int(port)


@cache
def _shared_listener(address: str) -> socket.socket:
    """Listen on an address once per process: all its seats share the socket."""
    return listen(*check_address(address))


def wait_for_client(address: str, seat: Seat, rules: Rules, limits: Limits) -> TcpSeat:
    """Wait, for as long as it takes, for a client to join at ``[HOST:]PORT``, and give it the seat.

    Raises
    ------
    UsageError
        If the address cannot be used.
    """
    listener = _shared_listener(address)
    host, port = listener.getsockname()[:2]
    print(f"seat {seat} is waiting for a client: mjsonp://{host}:{port}/{ROOM}", file=sys.stderr, flush=True)
    while True:
        connection, _ = listener.accept()
        joined = handshake(connection, ROOM)
        if joined is not None:
            return TcpSeat(seat, joined[1], rules, limits)
