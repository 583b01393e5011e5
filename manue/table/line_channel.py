"""Lines over a pipe or a socket, each with a deadline: a slow peer cannot hold up a game."""

import os
import select
import time

from manue.errors import SeatFault
from manue.protocol.parsing import MAX_LINE

_CHUNK = 1 << 16


class LineChannel:
    """One line at a time, both ways; deadlines are on the clock of ``time.monotonic()``.

    Parameters
    ----------
    read_fd, write_fd : int
        Owned by the channel; they may be the same (a socket).
    max_line : int
        Longest line accepted, in bytes.
    """

    def __init__(self, read_fd: int, write_fd: int, max_line: int = MAX_LINE) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._max_line = max_line
        self._buffer = bytearray()
        self._open = True
        for fd in (read_fd, write_fd):
            os.set_blocking(fd, False)

    def send(self, line: bytes, deadline: float) -> None:
        """Send a line, including its LF.

        Raises
        ------
        SeatFault
            ``late`` if the other end does not read, ``died`` if it is gone.
        """
        self._check_open()
        left = memoryview(line)
        while left:
            self._await(self._write_fd, deadline, writing=True)
            try:
                left = left[os.write(self._write_fd, left) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise SeatFault("died", f"it closed its input ({error.strerror})") from error

    def receive(self, deadline: float) -> bytes:
        """Return the next line without its LF.

        Raises
        ------
        SeatFault
            ``late``, ``died``, or ``unreadable`` for a line longer than the protocol allows.
        """
        self._check_open()
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > self._max_line:
                raise SeatFault("unreadable", f"a line longer than {self._max_line} bytes")
            self._await(self._read_fd, deadline, writing=False)
            try:
                data = os.read(self._read_fd, _CHUNK)
            except BlockingIOError:
                continue
            except OSError as error:
                raise SeatFault("died", f"its output broke ({error.strerror})") from error
            if not data:
                raise SeatFault("died", "it closed its output")
            self._buffer += data
        if end > self._max_line:
            raise SeatFault("unreadable", f"a line longer than {self._max_line} bytes")
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line.rstrip(b"\r")

    def waiting(self) -> bytes | None:
        """Return the first line that has arrived, without taking it; ``None`` if there is none yet."""
        self._check_open()
        poll = select.poll()
        poll.register(self._read_fd, select.POLLIN)
        while b"\n" not in self._buffer and len(self._buffer) <= self._max_line and poll.poll(0):
            try:
                data = os.read(self._read_fd, _CHUNK)
            except OSError:
                break  # whoever reads next learns of it
            if not data:
                break
            self._buffer += data
        line, end, _ = bytes(self._buffer).partition(b"\n")
        return line.rstrip(b"\r") if end else None

    def close(self) -> None:
        """Close both descriptors; closing twice is harmless."""
        if self._open:
            self._open = False
            for fd in {self._read_fd, self._write_fd}:
                os.close(fd)

    def _check_open(self) -> None:
        if not self._open:  # its descriptors may belong to somebody else by now
            raise SeatFault("died", "its connection is closed")

    @staticmethod
    def _await(fd: int, deadline: float, *, writing: bool) -> None:
        poll = select.poll()  # not select(): a server may have thousands of descriptors
        poll.register(fd, select.POLLOUT if writing else select.POLLIN)
        left = max(0.0, deadline - time.monotonic())  # after a stop of ours the answer may be there
        if not poll.poll(left * 1000):
            raise SeatFault("late", "it did not read in time" if writing else "it did not answer in time")
