"""What a program and its table said to each other, kept in a file for whoever debugs the program."""

import logging
import threading
import time
from pathlib import Path
from typing import Literal, Protocol

Mark = Literal[">", "<", "!", "#"]
LOG = logging.getLogger(__name__)
MAX_BYTES = 4 << 20
"""Size of a file at most; a hanchan takes about 200 KiB."""


class LineWatcher(Protocol):
    """Whoever is shown a conversation line by line; it may be called from several threads."""

    def write(self, mark: Mark, line: bytes | str) -> None:
        """Take in a line; the marks are those of `ConversationLog`."""
        ...

    def close(self) -> None:
        """Take note that the conversation is over."""
        ...


class ConversationLog:
    """A file with a line for each line that went either way; it may be written from several threads.

    ``0.012 > LINE`` went to the program, 12 ms after the file was begun; ``<`` marks what came from it, ``!``
    what it wrote to its standard error, ``#`` a note of the table.

    Parameters
    ----------
    path : Path
        Overwritten.
    max_bytes : int
        What comes once the file has this size is left out.
    """

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        self._lock = threading.Lock()
        self._left = max_bytes
        self._began = time.monotonic()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb", buffering=0)  # whatever becomes of the match, the file is whole

    def write(self, mark: Mark, line: bytes | str) -> None:
        """Add a line."""
        text = line.encode() if isinstance(line, str) else line
        entry = f"{time.monotonic() - self._began:.3f} {mark} ".encode() + text.rstrip(b"\n") + b"\n"
        with self._lock:
            if self._left <= 0:
                return
            self._left -= len(entry)
            if self._left <= 0:
                entry = b"# the file is full: the rest is left out\n"
            try:
                self._file.write(entry)
            except OSError as error:  # a full disk must not cost the game
                LOG.warning("manue: a program's conversation is no longer logged: %s", error.strerror)
                self._left = 0

    def close(self) -> None:
        """Close the file; what is written later is dropped."""
        with self._lock:
            self._left = 0
            try:
                self._file.close()
            except OSError as error:
                LOG.warning("manue: a program's conversation is cut short: %s", error.strerror)
