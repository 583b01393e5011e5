"""A running program that speaks Mjai on its standard streams."""

import errno
import os
import subprocess
from typing import IO

from manue import process_groups
from manue.errors import UsageError
from manue.table.conversation_log import LineWatcher
from manue.table.line_channel import LineChannel
from manue.table.program_spec import ProgramSpec
from manue.table.standard_error import StandardError
from manue.tiles import Seat

EXIT_SECONDS = 2.0
"""Time that a program has to end once its input is closed."""


class Program:
    """A program, started when the object is made, in a process group of its own.

    Parameters
    ----------
    spec : ProgramSpec
    seat : int

    Raises
    ------
    UsageError
        If it cannot be started.
    """

    def __init__(self, spec: ProgramSpec, seat: Seat) -> None:
        self.spec = spec
        self._log: LineWatcher | None = None
        try:
            self._process = process_groups.start(
                spec.words(seat),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=spec.folder,
                env=spec.environment(),
            )
        except OSError as error:
            raise UsageError(f"cannot start {spec.command!r}: {_why(error)}") from error
        try:
            self._stderr = StandardError(_pipe(self._process.stderr))
            self._channel = _channel_to(self._process)
        except BaseException:  # no descriptor or thread is free, or a signal came
            process_groups.kill(self._process.pid)
            self._process.wait()
            raise

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def log_to(self, log: LineWatcher | None) -> None:
        """Copy the conversation from now on into a log, and its standard error."""
        self._log = log
        self._stderr.log_to(log)

    def send(self, line: bytes, deadline: float) -> None:
        """Send a line; see `LineChannel`."""
        if self._log is not None:
            self._log.write(">", line)
        self._channel.send(line, deadline)

    def receive(self, deadline: float) -> bytes:
        """Return the next line; see `LineChannel`."""
        line = self._channel.receive(deadline)
        if self._log is not None:
            self._log.write("<", line)
        return line

    def waiting(self) -> bytes | None:
        """Return the first line that is there to be read, without taking it; ``None`` if there is none."""
        return self._channel.waiting()

    def cause_of_death(self) -> str:
        """Return how the program ended, and what it said of it on its standard error."""
        try:
            code = self._process.wait(EXIT_SECONDS)
            ended = f"exit code {code}" if code >= 0 else f"ended by signal {-code}"
        except subprocess.TimeoutExpired:
            ended = "still running"
        words = self._stderr.last_words(EXIT_SECONDS / 4)
        return f"{ended}; its stderr: {words}" if words else f"{ended}; nothing on its stderr"

    def ended_well(self) -> bool:
        """Return whether the program ends by itself, within two seconds, and says that all went well."""
        try:
            return self._process.wait(EXIT_SECONDS) == 0
        except subprocess.TimeoutExpired:
            return False

    def close_input(self) -> None:
        """Close the program's streams: it should end by itself now."""
        self._channel.close()

    def close(self) -> None:
        """Close the program's input, and kill what is left of it and its descendants after two seconds."""
        self._channel.close()
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            pass  # it had its time
        finally:
            process_groups.kill(self._process.pid)
            self._process.wait()
            self._stderr.last_words(EXIT_SECONDS / 4)  # what it still says as it ends belongs to the log


def _why(error: OSError) -> str:
    if error.errno == errno.ENOEXEC:
        return "it is not a program; a script begins with a line like #!/usr/bin/env python3"
    return error.strerror or str(error)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise RuntimeError("the program was started without pipes")
    return stream


def _channel_to(process: "subprocess.Popen[bytes]") -> LineChannel:
    stdin, stdout = _pipe(process.stdin), _pipe(process.stdout)
    channel = LineChannel(os.dup(stdout.fileno()), os.dup(stdin.fileno()))
    stdin.close()
    stdout.close()
    return channel
