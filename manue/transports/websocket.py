"""WebSocket: one Mjai message per frame."""

import asyncio
import os
from codecs import BOM_UTF8
from pathlib import Path
from urllib.parse import quote

from typing_extensions import Self
from websockets.asyncio.client import ClientConnection, connect
from websockets.datastructures import Headers
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
)
from websockets.frames import Close, CloseCode

from manue.errors import ConnectionLostError, ProtocolError, UsageError, system_reason
from manue.foreign import printable, without_secrets
from manue.protocol.parsing import MAX_LINE

TOKEN_VARIABLE = "MANUE_TOKEN"  # noqa: S105  the name of the variable, not its content
NAME_HEADER, WAITING_HEADER = "X-Name", "X-Waiting-For"
"""Our name, percent-encoded, in the request; the clients missing at the table, us included, in the answer."""
_HINTS = {401: " (is the token right?)", 403: " (is the token right?)", 404: " (is the path right?)"}
_PASSING = (408, 425, 429)
"""Refusals by HTTP that may not last: too slow, too early, too many."""
_OPEN_SECONDS = 15.0
_PING_SECONDS = 20.0
_CLOSE_SECONDS = 0.5
_MAX_UNREAD = 1 << 20
"""Bytes of answers that a host may leave unread."""


def read_token(file: Path | None) -> str | None:
    """Return the bearer token from a file, else from the environment, else ``None``.

    Raises
    ------
    UsageError
        If the file cannot be read, or the token is empty or not plain text. The token itself is never shown.
    """
    if file is None:
        token, source = os.environ.get(TOKEN_VARIABLE), f"${TOKEN_VARIABLE}"
    else:
        try:
            token, source = file.read_text("utf-8"), str(file)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise UsageError(f"token file {file}: {reason}") from None
    if token is None:
        return None
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable():
        raise UsageError(f"{source} holds no usable token")
    return token


def header_of(headers: Headers, name: str) -> str:
    """Return what a header says, in one line as HTTP has it where it is repeated; nothing without it."""
    return ", ".join(headers.get_all(name))


def _may_be_json(frame: bytes) -> bool:
    return frame.removeprefix(BOM_UTF8).lstrip()[:1] in {b"{", b"["}


def _closed_by_host(close: Close) -> ConnectionLostError:
    """Return the error for a host that closes the connection, with its code and the reason it gives."""
    return ConnectionLostError(f"the host closed the connection: {printable(close)}")


class _BoundedConnection(ClientConnection):
    """A connection that ends where the host sends pings without end and reads none of the answers."""

    def data_received(self, data: bytes) -> None:
        """Take in what has arrived, which may call for answers."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > _MAX_UNREAD:
            self.transport.abort()


class WebSocketChannel:
    """The frames of a WebSocket that hold text; binary frames are read if they hold JSON, else ignored."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, url: str, token: str | None = None, name: str = "manue") -> Self:
        """Connect, checking certificates.

        Raises
        ------
        UsageError
            If it is not a WebSocket address.
        ProtocolError
            If the host refuses, and would again.
        ConnectionLostError
            If the host cannot be reached, or has trouble.
        """
        headers = {NAME_HEADER: quote(name)}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        shown = without_secrets(url)
        try:
            connection = await connect(
                url,
                additional_headers=headers,
                max_size=MAX_LINE,
                compression=None,  # a few bytes would become megabytes, many times before any of them is read
                open_timeout=_OPEN_SECONDS,
                ping_interval=_PING_SECONDS,
                close_timeout=_CLOSE_SECONDS,
                create_connection=_BoundedConnection,
            )
        except InvalidURI as error:
            if error.uri != url:
                raise ConnectionLostError(f"{shown} redirects to what is not a WebSocket address") from None
            raise UsageError(f"{shown!r} is not a WebSocket address") from None
        except InvalidStatus as error:
            status = error.response.status_code
            reason = f"{shown} refused the connection with HTTP {status}{_HINTS.get(status, '')}"
            lasting = 400 <= status < 500 and status not in _PASSING
            raise (ProtocolError if lasting else ConnectionLostError)(reason) from None
        except (InvalidHandshake, OSError, asyncio.TimeoutError) as error:
            late = isinstance(error, asyncio.TimeoutError)
            reason = "no answer in time" if late else printable(without_secrets(system_reason(error)))
            if not reason:  # a reset, mostly by a host that does not understand TLS
                reason = "the host hung up" + (" (does it speak TLS?)" if url.startswith("wss:") else "")
            raise ConnectionLostError(f"cannot connect to {shown}: {reason}") from None
        except (InvalidProxy, ImportError, ValueError) as error:  # an odd name, or an odd proxy
            reason = printable(without_secrets(error))
            reached = f"{shown}, or to the proxy of the environment"
            raise UsageError(f"cannot connect to {reached}: {reason}") from None
        return cls(connection)

    @property
    def missing(self) -> int:
        """Number of clients that the table was missing as we came, us included; 1 if it did not say."""
        response = self._connection.response
        given = "" if response is None else header_of(response.headers, WAITING_HEADER)
        return int(given) or 1 if given.isdecimal() and len(given) < 5 else 1

    async def receive(self) -> str | bytes | None:
        """Return the next frame of text or JSON; ``None`` once the connection has ended, cleanly or not.

        Raises
        ------
        ProtocolError
            If the frame is longer than any message may be.
        ConnectionLostError
            If the host has said why it closes the connection.
        """
        try:
            while isinstance(frame := await self._connection.recv(), bytes) and not _may_be_json(frame):
                pass
        except ConnectionClosed as error:
            by_host = error.rcvd_then_sent  # else what the host sent, if anything, is our own close come back
            if by_host and error.rcvd is not None and error.rcvd.reason:
                raise _closed_by_host(error.rcvd) from None
            if not by_host and error.sent is not None and error.sent.code == CloseCode.MESSAGE_TOO_BIG:
                raise ProtocolError(f"a frame of more than {MAX_LINE} bytes") from None
            return None
        return frame

    async def send(self, line: str) -> None:
        """Send one text frame."""
        try:
            await self._connection.send(line)
        except ConnectionClosed as error:
            if error.rcvd_then_sent and error.rcvd is not None:
                raise _closed_by_host(error.rcvd) from None
            raise ConnectionLostError(f"the host went away ({printable(error)})") from None

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()
