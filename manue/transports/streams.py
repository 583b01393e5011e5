"""Standard input and output, and TCP."""

import asyncio
import os
import select
import socket
import threading
from functools import partial

from typing_extensions import Self

from manue.daemon_threads import DaemonThreads
from manue.errors import ConnectionLostError, ProtocolError, system_reason
from manue.protocol.parsing import MAX_LINE

_CHUNK = 1 << 16
_AHEAD = 256
"""Maximum number of input lines read ahead."""
GREETING_SECONDS = 15.0
"""How long a TCP host may take to accept a connection, and then to greet."""
CLOSE_SECONDS = 0.5
_KEEP_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 6}


class StdioChannel:
    """Lines on two files, usually standard input and output.

    Reading happens in a thread, because standard input may be a plain file, which cannot be awaited. Both
    descriptors are used directly: a thread blocked in a buffered file would make the interpreter abort on
    exit, and a line left in the buffer of a file without a reader would change the exit code.

    Parameters
    ----------
    source, sink : int
        File descriptors.
    """

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        # beside the loop: a host that does not read blocks it
        self._writer: DaemonThreads[None] = DaemonThreads(1)
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def _read(self) -> None:
        rest = b""
        try:
            while chunk := self._chunk():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._hand_over(line + b"\n")
                if len(rest) > MAX_LINE:
                    break
            if rest:
                self._hand_over(rest)
            self._hand_over(b"")
        except RuntimeError:
            return  # the loop was closed meanwhile: nobody is listening any more

    def _chunk(self) -> bytes:
        """Return what comes next, empty at the end of the input, or where the other side broke it off."""
        while True:
            try:
                return os.read(self._source, _CHUNK)
            except BlockingIOError:  # whoever started us shares the file and wants it so
                select.select([self._source], [], [])
            except OSError:
                return b""

    def _hand_over(self, line: bytes) -> None:
        self._room.acquire()
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    async def receive(self) -> bytes | None:
        """Return the next line; ``None`` at the end of the input."""
        line = await self._lines.get()
        self._room.release()
        if len(line) > MAX_LINE:
            raise ProtocolError(f"a line of more than {MAX_LINE} bytes")
        return line or None

    async def send(self, line: str) -> None:
        """Write one line."""
        data = line.encode() + b"\n"
        try:
            await asyncio.wrap_future(self._writer.submit(partial(self._write, data)))
        except OSError:
            raise ConnectionLostError("nobody reads our standard output") from None

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._sink, left) :]
            except BlockingIOError:
                select.select([], [self._sink], [])

    async def close(self) -> None:
        """Leave the files to the caller."""
        self._writer.dismiss()


class TcpChannel:
    """Lines on a TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._greeted = False

    @classmethod
    async def open(cls, host: str, port: int) -> Self:
        """Connect; raises ConnectionLostError if that fails."""
        opening = asyncio.open_connection(host, port, limit=MAX_LINE)
        try:
            reader, writer = await asyncio.wait_for(opening, GREETING_SECONDS)
        except asyncio.TimeoutError:
            raise ConnectionLostError(f"cannot connect to {host}:{port}: no answer in time") from None
        except (OSError, UnicodeError) as error:  # also of a name that cannot be one
            reason = system_reason(error) or "the host hung up"
            raise ConnectionLostError(f"cannot connect to {host}:{port}: {reason}") from None
        _keep_alive(writer.get_extra_info("socket"))
        return cls(reader, writer)

    async def receive(self) -> bytes | None:
        """Return the next line; ``None`` once the host has closed.

        A game may be waited for as long as it takes, the greeting may not: a host that does not greet within
        some seconds speaks another protocol, or none.
        """
        limit = None if self._greeted else GREETING_SECONDS
        try:
            line = await asyncio.wait_for(self._reader.readline(), limit)
        except asyncio.TimeoutError:
            if limit is None:  # the system's own: the host is gone without having said so
                return None
            raise ConnectionLostError(f"the host does not greet: nothing within {limit:g} s") from None
        except OSError:
            return None
        except ValueError:
            raise ProtocolError(f"a line of more than {MAX_LINE} bytes") from None
        if not line and not self._greeted:
            raise ConnectionLostError("the host hung up without a greeting: it may speak another protocol")
        self._greeted = True
        return line or None

    async def send(self, line: str) -> None:
        """Send one line."""
        try:
            self._writer.write(line.encode() + b"\n")
            await self._writer.drain()
        except OSError as error:
            raise ConnectionLostError(f"the host went away ({error})") from None

    async def close(self) -> None:
        """Close the connection; what the host does not read at once is dropped."""
        self._writer.close()
        try:
            await asyncio.wait_for(self._writer.wait_closed(), CLOSE_SECONDS)
        except asyncio.TimeoutError:
            self._writer.transport.abort()
        except OSError:
            return


def _keep_alive(connection: socket.socket) -> None:
    """Let the system notice within two minutes that a host is gone without having said so."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
