"""A match server: clients join over TCP (as with the original server) and over WebSocket; riichienv referees.

A connection has a thread until its client is seated; every table has one. The worst a client can do is lose
its own seat: lines and frames have a maximum size, every wait a time limit, and a stand-in replaces whoever
fails.
"""

import contextlib
import hmac
import random
import socket
import threading
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from urllib.parse import unquote

from pydantic_core import to_json
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server as WebSocketListener
from websockets.sync.server import ServerConnection, serve

from manue.errors import SeatFault
from manue.foreign import printable
from manue.rules import RULES
from manue.server.gate import GatedListener, limit_sending
from manue.server.lobby import Lobby, ServeSettings
from manue.server.validation import validate
from manue.table.line_channel import LineChannel
from manue.table.network_seats import CLOSE_SECONDS, TcpSeat, WebSocketSeat, send_error
from manue.table.referee import Referee, wall_seed
from manue.table.seats import SeatPlayer
from manue.table.tcp_listener import (
    JOIN_SECONDS,
    MAX_CLIENT_LINE,
    alive,
    client_name,
    handshake,
    host_and_port,
    listen,
)
from manue.table.thinking_time import ByoYomi
from manue.tiles import Seat
from manue.transports.websocket import NAME_HEADER, WAITING_HEADER, header_of

WEB_PATH = "/ws/ranked"
"""Where WebSocket clients join, as on RiichiLab; clients know the dialect by ``/ws/``."""
VALIDATION_PATH = "/ws/validate"
"""Where a client plays a validation game at once, without waiting for others."""
_CHECK_SECONDS = 1.0
"""How often the thread of a WebSocket client looks whether the client has gone."""


def _host(connection: socket.socket) -> str:
    """Return where a connection comes from, without the port, which changes each time."""
    return _address(connection).rpartition(":")[0]


def _address(connection: socket.socket) -> str:
    try:
        host, port = connection.getpeername()[:2]
    except OSError:
        return "nowhere:0"  # it is gone already
    return host_and_port(host, port)


def _path(request: Request) -> str:
    return request.path.partition("?")[0]


@dataclass(slots=True)
class TcpClient:
    """A TCP client past the handshake."""

    name: str
    origin: str
    channel: LineChannel
    connection: socket.socket
    settings: ServeSettings

    def alive(self) -> bool:
        """Return whether the client is still connected; unread input does not matter."""
        return alive(self.connection)

    def take_seat(self, seat: Seat, referee: Referee) -> SeatPlayer:
        """Sit down at a table."""
        del referee
        return TcpSeat(seat, self.channel, RULES[self.settings.rules], self.settings.limits)

    def dismiss(self, reason: str) -> None:
        """Send the reason and hang up."""
        send_error(self.channel, reason)


class WebSocketFrames:
    """The server's end of a connection, as `Frames`."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self.closed = threading.Event()

    def send(self, text: str) -> None:
        """Send a frame; if the client does not read, give up after the socket's time limit."""
        try:
            self._connection.send(text)
        except (ConnectionClosed, OSError) as error:
            raise SeatFault("died", f"the connection is gone ({printable(error)})") from error

    def receive(self, seconds: float) -> str | bytes | None:
        """Return the next frame, or ``None`` if none arrives in time."""
        try:
            return self._connection.recv(timeout=seconds)
        except TimeoutError:
            return None
        except (ConnectionClosed, OSError) as error:
            raise SeatFault("died", f"the connection is gone ({printable(error)})") from error

    def close(self) -> None:
        """Make the thread of the connection hang up."""
        self.closed.set()


@dataclass(slots=True)
class WebSocketClient:
    """A WebSocket client."""

    name: str
    origin: str
    connection: ServerConnection
    frames: WebSocketFrames
    times: ByoYomi

    def alive(self) -> bool:
        """Return whether the client is still connected: the closing handshake has not begun."""
        return self.connection.close_code is None

    def take_seat(self, seat: Seat, referee: Referee) -> SeatPlayer:
        """Sit down at a table."""
        return WebSocketSeat(seat, self.frames, self.times, referee)

    def dismiss(self, reason: str) -> None:
        """Send the reason and hang up."""
        with contextlib.suppress(SeatFault):
            self.frames.send(to_json({"error": reason}).decode())
        self.frames.close()


class TcpServer:
    """Accepts clients of the original protocol into a lobby.

    Parameters
    ----------
    listener : socket
        The server takes it over.
    lobby : Lobby
    room : str
        The only room; a client that asks for another one is refused.
    token : str or None
        If given, a client must send it as ``token`` of its ``join``.
    """

    def __init__(self, listener: socket.socket, lobby: Lobby, room: str, token: str | None = None) -> None:
        self._listener = GatedListener(listener, lobby.gate)
        self._lobby = lobby
        self._room = room
        self._token = token
        self._thread = threading.Thread(target=self._accept, name="tcp", daemon=True)

    @property
    def port(self) -> int:
        """The port that the server listens on."""
        port: int = self._listener.getsockname()[1]
        return port

    def start(self) -> None:
        """Start accepting clients."""
        self._thread.start()

    def close(self) -> None:
        """Stop accepting clients, at every server of the lobby."""
        self._lobby.gate.close()
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
            thread = threading.Thread(
                target=self._handshake, args=(connection,), name="handshake", daemon=True
            )
            try:
                thread.start()
            except RuntimeError:  # no more threads: this client is lost, later ones may find one
                connection.close()

    def _handshake(self, connection: socket.socket) -> None:
        try:
            origin = f"{_address(connection)} (TCP)"
            joined = handshake(
                connection,
                self._room,
                self._token,
                missing=self._lobby.missing(),
                on_refusal=partial(self._lobby.refusals.note, _host(connection)),
            )
            if joined is not None:
                name, channel = joined
                self._lobby.gate.joined(connection)
                self._lobby.join(TcpClient(name, origin, channel, connection, self._lobby.settings))
        except (OSError, RuntimeError):  # it is gone; or its table finds no thread
            connection.close()


class WebSocketServer:
    """Accepts WebSocket clients into a lobby.

    Parameters
    ----------
    host : str
    port : int
    lobby : Lobby
    times : ByoYomi
    token : str or None
        If given, a client must send ``Authorization: Bearer TOKEN``; without one, browsers are refused.

    Raises
    ------
    UsageError
        If the address cannot be used.
    """

    def __init__(self, host: str, port: int, lobby: Lobby, times: ByoYomi, token: str | None) -> None:
        self._lobby = lobby
        self._times = times
        self._token = token
        listener = GatedListener(listen(host, port), lobby.gate)
        self._server: WebSocketListener = serve(
            self._attend,
            sock=listener,
            process_request=self._admit,
            process_response=self._greet,
            max_size=MAX_CLIENT_LINE,
            compression=None,  # a client's few bytes would become megabytes
            open_timeout=JOIN_SECONDS,
            close_timeout=CLOSE_SECONDS,
        )
        self._thread = threading.Thread(target=self._server.serve_forever, name="websocket", daemon=True)

    @property
    def port(self) -> int:
        """The port that the server listens on."""
        port: int = self._server.socket.getsockname()[1]
        return port

    def start(self) -> None:
        """Start accepting clients."""
        self._thread.start()

    def close(self) -> None:
        """Stop accepting clients, at every server of the lobby."""
        self._lobby.gate.close()
        self._server.shutdown()
        self._thread.join()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        refusal = self._refusal(request)
        if refusal is None:
            return None
        status, reason = refusal
        self._lobby.refusals.note(_host(connection.socket), reason)
        return connection.respond(status, f"{reason}\n")

    def _refusal(self, request: Request) -> tuple[HTTPStatus, str] | None:
        """Return why a client may not come in, ``None`` if it may."""
        if _path(request) not in {WEB_PATH, VALIDATION_PATH}:
            return HTTPStatus.NOT_FOUND, f"nothing here; join at {WEB_PATH} or {VALIDATION_PATH}"
        if self._token is None:
            if "Origin" in request.headers:  # a page of any site could play, or fill the room
                return HTTPStatus.FORBIDDEN, "browsers are not admitted without a token"
            return None
        scheme, _, given = header_of(request.headers, "Authorization").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token.encode()):
            return None
        return HTTPStatus.UNAUTHORIZED, "token required: Authorization: Bearer TOKEN"

    def _greet(self, _connection: ServerConnection, _request: Request, response: Response) -> None:
        """Add to the answer for how many clients this one will wait, itself included."""
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS and (missing := self._lobby.missing()) > 1:
            response.headers[WAITING_HEADER] = str(missing)

    def _attend(self, connection: ServerConnection) -> None:
        self._lobby.gate.joined(connection.socket)
        limit_sending(connection.socket, int(JOIN_SECONDS))  # so that its table is not held up
        given = header_of(connection.request.headers, NAME_HEADER) if connection.request else ""
        name = client_name(unquote(given), "websocket")
        origin = f"{_address(connection.socket)} (WebSocket)"
        frames = WebSocketFrames(connection)
        client = WebSocketClient(name, origin, connection, frames, self._times)
        if connection.request is not None and _path(connection.request) == VALIDATION_PATH:
            self._validate(client)
            return
        self._lobby.join(client)
        while not frames.closed.wait(_CHECK_SECONDS):
            if connection.close_code is not None:
                return

    def _validate(self, client: WebSocketClient) -> None:
        settings = self._lobby.settings
        seed = wall_seed(settings.seed, random.getrandbits(31))
        verdict = validate(client, seed, RULES[settings.rules], settings.limits)
        with contextlib.suppress(SeatFault):
            client.frames.send(to_json(verdict).decode())
