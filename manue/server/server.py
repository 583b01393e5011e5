"""A match server: clients join over TCP (as with the original server) and over WebSocket; riichienv referees.

Every connection has a thread until it is seated, every table one. A client can do no more than fail its own
seat: lines and frames are bounded, every wait has an end, and whoever fails is replaced by a stand-in.
"""

import contextlib
import hmac
import select
import socket
import struct
import threading
from dataclasses import dataclass
from http import HTTPStatus

from pydantic_core import to_json
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server as WebSocketListener
from websockets.sync.server import ServerConnection, serve

from manue.rules import Rules
from manue.server.lobby import Lobby
from manue.table.line_channel import LineChannel
from manue.table.network_seats import ByoYomi, TcpSeat, WebSocketSeat, say_error
from manue.table.referee import Referee
from manue.table.seats import SeatFault, SeatHolder
from manue.table.tcp_listener import JOIN_SECONDS, MAX_CLIENT_LINE, MAX_NAME, listen, welcome
from manue.tiles import Seat

MOST_CONNECTIONS = 1000
WEB_PREFIX = "/ws/"
WEB_PATH = f"{WEB_PREFIX}ranked"
"""Where WebSocket clients join, as on RiichiLab; by the prefix they know how it speaks."""
"""Connections at a time, seated ones included."""


@dataclass(slots=True)
class TcpGuest:
    """A TCP client past the handshake."""

    name: str
    channel: LineChannel
    connection: socket.socket
    lobby: Lobby
    rules: Rules

    def alive(self) -> bool:
        """Whether the other end has neither hung up nor spoken out of turn and gone."""
        poll = select.poll()
        poll.register(self.connection, select.POLLIN | select.POLLRDHUP)
        return not any(
            flags & (select.POLLRDHUP | select.POLLHUP | select.POLLERR) for _, flags in poll.poll(0)
        )

    def seated(self, seat: Seat, referee: Referee) -> SeatHolder:
        """Take a seat."""
        del referee
        return TcpSeat(seat, self.channel, self.rules, self.lobby.settings.limits)

    def leave(self, text: str) -> None:
        """Say why, and hang up."""
        say_error(self.channel, text)


class WebSocketFrames:
    """A server-side connection as `Frames`."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self.closed = threading.Event()

    def send(self, text: str) -> None:
        """Send a frame; a full buffer gives up after the socket's time limit."""
        try:
            self._connection.send(text)
        except (ConnectionClosed, OSError) as error:
            raise SeatFault("died", f"the connection is gone ({error})") from error

    def receive(self, seconds: float) -> str | bytes | None:
        """Return the next frame or ``None``."""
        try:
            return self._connection.recv(timeout=seconds)
        except TimeoutError:
            return None
        except (ConnectionClosed, OSError) as error:
            raise SeatFault("died", f"the connection is gone ({error})") from error

    def close(self) -> None:
        """Let the connection's thread hang up."""
        self.closed.set()


@dataclass(slots=True)
class WebSocketGuest:
    """A WebSocket client."""

    name: str
    connection: ServerConnection
    frames: WebSocketFrames
    times: ByoYomi

    def alive(self) -> bool:
        """Whether the closing handshake has not begun."""
        return self.connection.close_code is None

    def seated(self, seat: Seat, referee: Referee) -> SeatHolder:
        """Take a seat."""
        return WebSocketSeat(seat, self.frames, self.times, referee)

    def leave(self, text: str) -> None:
        """Say why, and hang up."""
        with contextlib.suppress(SeatFault):
            self.frames.send(to_json({"error": text}).decode())
        self.frames.close()


class TcpServer:
    """Accepts clients of the original protocol into a lobby.

    Parameters
    ----------
    listener : socket
    lobby : Lobby
    room : str
        The only room; a client that asks for another is refused.
    rules : Rules
    """

    def __init__(self, listener: socket.socket, lobby: Lobby, room: str, rules: Rules) -> None:
        self._listener = listener
        self._lobby = lobby
        self._room = room
        self._rules = rules
        self._handshakes = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._thread = threading.Thread(target=self._accept, name="tcp", daemon=True)

    def start(self) -> None:
        """Begin to accept."""
        self._thread.start()

    def close(self) -> None:
        """Stop accepting."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            if not self._handshakes.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(target=self._welcome, args=(connection,), name="handshake", daemon=True).start()

    def _welcome(self, connection: socket.socket) -> None:
        try:
            joined = welcome(connection, self._room)
            if joined is not None:
                self._lobby.join(TcpGuest(*joined, connection, self._lobby, self._rules))
        except OSError:
            connection.close()
        finally:
            self._handshakes.release()


class WebSocketServer:
    """Accepts WebSocket clients into a lobby.

    Parameters
    ----------
    host : str
    port : int
    lobby : Lobby
    times : ByoYomi
    token : str or None
        If given, a client must send ``Authorization: Bearer TOKEN``.

    Raises
    ------
    UsageError
        If the address cannot be used.
    """

    def __init__(self, host: str, port: int, lobby: Lobby, times: ByoYomi, token: str | None) -> None:
        self._lobby = lobby
        self._times = times
        self._token = token
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        listener = listen(host, port)
        self._server: WebSocketListener = serve(
            self._attend,
            sock=listener,
            process_request=self._admit,
            max_size=MAX_CLIENT_LINE,
            open_timeout=JOIN_SECONDS,
        )
        self._thread = threading.Thread(target=self._server.serve_forever, name="websocket", daemon=True)

    @property
    def port(self) -> int:
        """The port listened on."""
        port: int = self._server.socket.getsockname()[1]
        return port

    def start(self) -> None:
        """Begin to accept."""
        self._thread.start()

    def close(self) -> None:
        """Stop accepting."""
        self._server.shutdown()
        self._thread.join()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        if not request.path.startswith(WEB_PREFIX):
            return connection.respond(HTTPStatus.NOT_FOUND, f"nothing here: join at {WEB_PATH}\n")
        if self._token is None:
            return None
        given = request.headers.get("Authorization", "")
        if hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode()):
            return None
        return connection.respond(HTTPStatus.UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN\n")

    def _attend(self, connection: ServerConnection) -> None:
        if not self._places.acquire(blocking=False):
            connection.close(1013, "try again later")
            return
        try:
            # a client that does not read must not hold up its table
            limit = struct.pack("ll", int(JOIN_SECONDS), 0)
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
            name = (connection.request.headers.get("X-Name") if connection.request else None) or "websocket"
            frames = WebSocketFrames(connection)
            self._lobby.join(WebSocketGuest(name[:MAX_NAME], connection, frames, self._times))
            while not frames.closed.wait(1.0):
                if connection.close_code is not None:
                    return
        finally:
            self._places.release()
