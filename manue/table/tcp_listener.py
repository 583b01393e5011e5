"""TCP clients: listening, the handshake, and a seat that waits for a client."""

import contextlib
import hmac
import json
import queue
import select
import socket
import threading
import time
from collections.abc import Callable
from functools import cache

from manue.errors import ProtocolError, SeatFault, UsageError, system_reason
from manue.foreign import MAX_PORT, printable
from manue.protocol.dialect import DEFAULT_ROOM
from manue.protocol.messages import Join
from manue.protocol.parsing import parse_message
from manue.rules import Rules
from manue.stderr import note
from manue.table.line_channel import LineChannel
from manue.table.lines import encoded
from manue.table.network_seats import TcpSeat, send_error
from manue.table.thinking_time import Limits
from manue.tiles import Seat

HELLO = {"type": "hello", "protocol": "mjsonp", "protocol_version": 3}
JOIN_SECONDS = 10.0
"""How long the handshake with a client may take."""
MAX_CLIENT_LINE = 1 << 16
"""Longest line accepted, in bytes: ample for a reply with its ``log`` and ``meta``."""
MAX_NAME = 64
"""Characters kept of a client's name."""
MAX_JOINING = 64
"""Clients of a seat that may be about to join; the next one costs the oldest its connection."""
MAX_WAITING_CLIENTS = 200
"""Clients that may wait for a seat."""
BUSY = "The room is busy. Retry after a while."
"""What clients of the original server know as a reason to come again."""
RETRY_SECONDS = 0.1
"""Pause before another connection is accepted where no descriptor is free."""


def host_and_port(host: str, port: int) -> str:
    """Return both as an address has them: a host of IPv6 in brackets, whether given in them or not."""
    host = host.strip("[]")
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; a host of IPv6 may stand in brackets.

    Raises
    ------
    UsageError
        If the address cannot be used, or the host is empty: that would be every interface.
    """
    host = host.strip("[]")
    if not host:
        raise UsageError("the host to listen on is empty")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen on {host_and_port(host, port)}: {system_reason(error)}") from error


def check_listening(host: str, port: int) -> None:
    """Check that an address can be listened on, long before anybody may join; raises UsageError."""
    listen(host, port).close()


class SocketChannel(LineChannel):
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
    """Greet a client and read its ``join``; whatever else it does is answered with an error and a hang-up.

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
        refusal = f"no join: {fault.reason}"
    except ProtocolError as error:
        refusal = f"JSON syntax error or not a message: {error}"
    else:
        if isinstance(join, Join):
            refusal = _refusal(join, room, token)
            if not refusal:
                return client_name(join.name, "tcp"), channel
        else:
            refusal = f"Expected e.g. {json.dumps({'type': 'join', 'name': 'noname', 'room': room})}"
    on_refusal(refusal)
    send_error(channel, refusal)
    return None


def client_name(given: str, transport: str) -> str:
    """Return the name that a client is shown by: that of its transport if it has given none."""
    return printable(given if given.strip() else transport, MAX_NAME)


def _refusal(join: Join, room: str, token: str | None) -> str:
    """Return why a client may not come in; the empty text if it may."""
    if join.room != room:
        return f"No such room. Available room: {room}"
    if token is not None and not hmac.compare_digest((join.token or "").encode(), token.encode()):
        return "Token required: join with the field token."
    return ""


def parse_address(address: str) -> tuple[str, int]:
    """Split ``[HOST:]PORT``; raises UsageError."""
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdecimal()):
        raise UsageError(f"tcp:{address}: not [HOST:]PORT")
    if len(port) > 5 or int(port) > MAX_PORT:
        raise UsageError(f"tcp:{address}: a port is at most {MAX_PORT}")
    return host or "127.0.0.1", int(port)


def alive(connection: socket.socket) -> bool:
    """Return whether a client is still connected; unread input does not matter."""
    poll = select.poll()
    poll.register(connection, select.POLLIN | select.POLLRDHUP)
    return not any(flags & (select.POLLRDHUP | select.POLLHUP | select.POLLERR) for _, flags in poll.poll(0))


class _Entrance:
    """Where the clients of an address join, side by side: one that is silent holds up nobody.

    Parameters
    ----------
    address : str
        ``[HOST:]PORT``
    """

    def __init__(self, address: str) -> None:
        self._listener = listen(*parse_address(address))
        self.address: tuple[str, int] = self._listener.getsockname()[:2]
        self._joining: dict[socket.socket, None] = {}  # oldest first
        self._lock = threading.Lock()
        self._joined: queue.SimpleQueue[tuple[LineChannel, socket.socket]] = queue.SimpleQueue()
        threading.Thread(target=self._accept, name="entrance", daemon=True).start()

    def next_client(self) -> LineChannel:
        """Wait for a client that has joined and is still there."""
        while True:
            channel, connection = self._joined.get()
            if alive(connection):
                return channel
            channel.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # no descriptor is free; some are, once silent clients have had their time
                time.sleep(RETRY_SECONDS)
                continue
            with self._lock:
                self._joining[connection] = None
                if len(self._joining) > MAX_JOINING:
                    _hang_up(oldest := next(iter(self._joining)))
                    del self._joining[oldest]  # before its thread notices: the next one costs another
            thread = threading.Thread(target=self._join, args=(connection,), name="handshake", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no more threads: this client is lost, later ones may find one
                self._forget(connection)
                connection.close()

    def _forget(self, connection: socket.socket) -> None:
        with self._lock:
            self._joining.pop(connection, None)

    def _join(self, connection: socket.socket) -> None:
        try:
            joined = handshake(connection, DEFAULT_ROOM)
        except OSError:
            connection.close()
            joined = None
        finally:
            self._forget(connection)
        if joined is None:
            return
        if self._joined.qsize() < MAX_WAITING_CLIENTS:
            self._joined.put((joined[1], connection))
        else:
            send_error(joined[1], BUSY)


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


@cache
def _entrance(address: str) -> _Entrance:
    """Listen on an address once per process: all its seats share the entrance."""
    return _Entrance(address)


def wait_for_client(address: str, seat: Seat, rules: Rules, limits: Limits) -> TcpSeat:
    """Wait, for as long as it takes, for a client to join at ``[HOST:]PORT``, and give it the seat.

    Raises
    ------
    UsageError
        If the address cannot be used.
    """
    entrance = _entrance(address)
    address = host_and_port(*entrance.address)
    note(f"seat {seat} is waiting for a client: mjsonp://{address}/{DEFAULT_ROOM}")
    return TcpSeat(seat, entrance.next_client(), rules, limits)
