"""Standard input and output, and TCP."""

import asyncio
import os
import threading
from functools import partial

from typing_extensions import Self

from manue.errors import ConnectionLostError, ProtocolError
from manue.protocol.messages import MAX_LINE
from manue.transports.thinking import Thinkers

_CHUNK = 1 << 16
_AHEAD = 256
"""Maximum number of input lines read ahead."""


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
        self._writer: Thinkers[None] = Thinkers(1)  # beside the loop: a host that does not read blocks it
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def _read(self) -> None:
        rest = b""
        try:
            while chunk := os.read(self._source, _CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._hand_over(line + b"\n")
                if len(rest) > MAX_LINE:
                    break
            if rest:
                self._hand_over(rest)
            self._hand_over(b"")
        except (RuntimeError, OSError):
            return  # the loop or the file was closed meanwhile: nobody is listening any more

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
        except OSError as error:
            raise ConnectionLostError(f"nobody reads our standard output ({error})") from None

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(self._sink, left) :]

    async def close(self) -> None:
        """Leave the files to the caller."""
        self._writer.dismiss()


class TcpChannel:
    """Lines on a TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, host: str, port: int) -> Self:
        """Connect; raises ConnectionLostError if that fails."""
        try:
            reader, writer = await asyncio.open_connection(host, port, limit=MAX_LINE)
        except OSError as error:
            raise ConnectionLostError(f"cannot connect to {host}:{port}: {error.strerror or error}") from None
        return cls(reader, writer)

    async def receive(self) -> bytes | None:
        """Return the next line; ``None`` once the host has closed."""
        try:
            return await self._reader.readline() or None
        except ConnectionError:
            return None
        except ValueError:
            raise ProtocolError(f"a line of more than {MAX_LINE} bytes") from None

    async def send(self, line: str) -> None:
        """Send one line."""
        try:
            self._writer.write(line.encode() + b"\n")
            await self._writer.drain()
        except ConnectionError as error:
            raise ConnectionLostError(f"the host went away ({error})") from None

    async def close(self) -> None:
        """Close the connection."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except ConnectionError:
            return
