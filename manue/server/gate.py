"""The connections of a server: counted from accept on, bounded in all and for each address.

A server that has run out of descriptors goes on as soon as one is free. Where a bound is reached, the oldest
connection that has not joined yet makes room for the new one, so that silent connections keep nobody out;
but not before it has had the time to join, so that a flood of them keeps nobody out either.
"""

import contextlib
import errno
import resource
import socket
import struct
import threading
import time
from collections import Counter
from typing import Any

MAX_CONNECTIONS = 1000
"""Connections at a time, those of seated clients included, where the descriptors suffice."""
DESCRIPTORS_EACH = 5
"""Descriptors set aside for a connection: its own, three of its thread, its share of a log."""
DESCRIPTORS_KEPT = 64
"""Descriptors that are never given to connections."""
UNDISTURBED_SECONDS = 1.0
"""How long a connection has to join before it may have to make room for another, which waits for that."""
RETRY_SECONDS = 0.1
"""Pause before checking again for room or a free descriptor."""
_EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ECONNABORTED, errno.EPROTO}


def capacity() -> int:
    """Return how many connections the limit of descriptors of this process leaves room for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(2, min(MAX_CONNECTIONS, (soft - DESCRIPTORS_KEPT) // DESCRIPTORS_EACH))


class Gate:
    """Counts connections and refuses those beyond the bounds.

    Parameters
    ----------
    most : int, optional
        Connections at a time; by default as many as `capacity` allows.
    most_of_address : int, optional
        Connections at a time from one address; by default half of all.
    """

    def __init__(self, most: int | None = None, most_of_address: int | None = None) -> None:
        self._most = capacity() if most is None else most
        self._most_of_address = max(1, self._most // 2) if most_of_address is None else most_of_address
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._joining: dict[GatedConnection, None] = {}  # oldest first
        self._closed = False

    def admit(self, connection: "GatedConnection") -> bool:
        """Return whether there is room for a connection, at the cost of the oldest that has not joined.

        Waits until that one has had its time to join.
        """
        while True:
            with self._lock:
                if self._closed:
                    return False
                if not self._is_full(connection.address):
                    self._counts[connection.address] += 1
                    self._joining[connection] = None
                    connection.gate = self
                    return True
                oldest = self._oldest_in_the_way(connection.address)
                if oldest is None:
                    return False
                if oldest.age() >= UNDISTURBED_SECONDS:
                    self._forget(oldest)
                    oldest.hang_up()
                    continue
            time.sleep(RETRY_SECONDS)

    def joined(self, connection: socket.socket) -> None:
        """Note that a client has joined: its connection no longer makes room for others."""
        with self._lock:
            if isinstance(connection, GatedConnection):
                self._joining.pop(connection, None)

    def release(self, connection: "GatedConnection") -> None:
        """Stop counting a connection."""
        with self._lock:
            self._forget(connection)

    def close(self) -> None:
        """Admit nobody any more, and hang up on everybody who has not joined yet."""
        with self._lock:
            self._closed = True
            joining = list(self._joining)
        for connection in joining:
            connection.hang_up()

    def _is_full(self, address: str) -> bool:
        return self._is_crowded(address) or self._counts.total() >= self._most

    def _is_crowded(self, address: str) -> bool:
        return self._counts[address] >= self._most_of_address

    def _oldest_in_the_way(self, address: str) -> "GatedConnection | None":
        """Return who has to make room for an address: one of its own where these are too many."""
        crowded = self._is_crowded(address)
        return next((one for one in self._joining if not crowded or one.address == address), None)

    def _forget(self, connection: "GatedConnection") -> None:
        if connection.gate is None:
            return
        connection.gate = None
        self._joining.pop(connection, None)
        self._counts[connection.address] -= 1
        if not self._counts[connection.address]:
            del self._counts[connection.address]


class GatedConnection(socket.socket):
    """A connection that its gate counts until it is closed."""

    address = ""
    gate: Gate | None = None

    def __init__(self, fileno: int) -> None:
        super().__init__(fileno=fileno)
        self._since = time.monotonic()

    def age(self) -> float:
        """Return how many seconds ago the connection was accepted."""
        return time.monotonic() - self._since

    def close(self) -> None:
        """Close the connection and leave the gate; closing twice is harmless."""
        super().close()
        if (gate := self.gate) is not None:
            gate.release(self)

    def hang_up(self) -> None:
        """End the conversation; whoever waits for the client learns of it and closes the connection."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)


def limit_sending(connection: socket.socket, seconds: int) -> None:
    """Make sending fail after ``seconds``, so that a client that does not read holds nothing up."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", seconds, 0))


class GatedListener(socket.socket):
    """A listening socket that accepts only what its gate admits, and outlasts a lack of descriptors.

    Parameters
    ----------
    listener : socket
        The new object owns its descriptor.
    gate : Gate
    """

    def __init__(self, listener: socket.socket, gate: Gate) -> None:
        super().__init__(fileno=listener.detach())
        self._gate = gate
        self.settimeout(RETRY_SECONDS)  # so that a closed listener is noticed

    def accept(self) -> tuple[socket.socket, Any]:
        """Wait for a connection that the gate admits.

        Raises
        ------
        OSError
            If the listener is closed.
        """
        while True:
            try:
                accepted, address = super().accept()
            except TimeoutError:
                continue
            except OSError as error:
                if error.errno not in _EXHAUSTED or self.fileno() < 0:
                    raise
                time.sleep(RETRY_SECONDS)
                continue
            connection = GatedConnection(fileno=accepted.detach())
            connection.address = str(address[0])
            if self._gate.admit(connection):
                return connection, address
            connection.close()
