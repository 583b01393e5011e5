"""Lines for people on standard error, which never hold up a game: nobody may read them, or nobody can."""

import contextlib
import queue
import threading

from manue.foreign import MESSAGE, printable
from manue.stderr import report

MAX_NOTES = 1000
"""Lines that wait to be written; further ones are dropped."""
FLUSH_SECONDS = 0.5
"""How long the end of the program waits for what is still to be written."""


class Notes:
    """Writes lines in a thread of its own."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | threading.Event] = queue.Queue(MAX_NOTES)
        self._thread: threading.Thread | None = None

    def __call__(self, text: str) -> None:
        """Have a line written, or dropped where nobody reads."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="notes", daemon=True)
            self._thread.start()
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(printable(text, MESSAGE))

    def flush(self) -> None:
        """Wait until all lines are written, or for half a second."""
        written = threading.Event()
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(written)
            if self._thread is not None:
                written.wait(FLUSH_SECONDS)

    def _write(self) -> None:
        while True:
            line = self._lines.get()
            if isinstance(line, threading.Event):
                line.set()
            else:
                report(line)
