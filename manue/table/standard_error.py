"""The standard error of a program: read as it comes, its end kept, the line that names the failure found."""

import os
import re
import threading
from typing import IO

from manue.table.conversation_log import LineWatcher

KEPT = 1 << 16
"""Bytes kept of what a program writes."""
_LINE = 160
"""Characters shown of a line."""
_CHUNK = 1 << 14
_FAILURES = (
    re.compile(r"^(?:Uncaught )?[\w.:]*(?:Error|Exception)\b"),  # how Python, Node, Java name it
    re.compile(r"Error|Exception|panicked|Segmentation fault"),
)
"""What the line looks like that names the failure, the surest first."""


class StandardError:
    """Reads a program's standard error in a thread, so that it can neither block the program nor grow.

    Parameters
    ----------
    pipe : file
        Owned and closed by the thread.
    """

    def __init__(self, pipe: IO[bytes]) -> None:
        self._kept = bytearray()
        self._log: LineWatcher | None = None
        self._thread = threading.Thread(target=self._read, args=(pipe,), name="stderr", daemon=True)
        self._thread.start()

    def log_to(self, log: LineWatcher | None) -> None:
        """Copy what comes from now on into a log."""
        self._log = log

    def last_words(self, seconds: float) -> str:
        """Return the lines around the failure, once the program has ended or after ``seconds``."""
        self._thread.join(seconds)
        return failure_in(bytes(self._kept).decode(errors="replace"))

    def _read(self, pipe: IO[bytes]) -> None:
        rest = b""
        with pipe:
            while chunk := os.read(pipe.fileno(), _CHUNK):
                self._kept += chunk
                del self._kept[:-KEPT]
                *lines, rest = (rest + chunk).split(b"\n")
                self._copy(lines)
                rest = rest[-KEPT:]
            if rest:
                self._copy([rest])

    def _copy(self, lines: list[bytes]) -> None:
        log = self._log
        if log is not None:
            for line in lines:
                log.write("!", line)


def failure_in(text: str) -> str:
    """Return the line that names the failure, with two before and one after it; else the last three lines."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    shown = lines[-3:]
    for pattern in _FAILURES:
        found = [at for at, line in enumerate(lines) if pattern.search(line)]
        if found:
            shown = lines[max(0, found[-1] - 2) : found[-1] + 2]
            break
    return " | ".join(line.strip()[:_LINE] for line in shown)
