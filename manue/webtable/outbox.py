"""What is to be sent to a page, by a thread of its own: a page that does not read holds up nobody else."""

import contextlib
import threading
from queue import SimpleQueue

from websockets.sync.server import ServerConnection

MAX_UNSENT = 500
"""Messages that wait to be sent, at most; between two choices there are a few dozen."""


class Outbox:
    """The sending half of the connection of a page.

    Parameters
    ----------
    connection : ServerConnection
    """

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._waiting: SimpleQueue[str | int] = SimpleQueue()
        self._gone = False
        threading.Thread(target=self._send_all, name="page", daemon=True).start()

    def send(self, text: str) -> None:
        """Send a message after those before it.

        Raises
        ------
        OSError
            If the page is gone, or `MAX_UNSENT` messages wait, so that it cannot be reading.
        """
        if self._gone or self._waiting.qsize() >= MAX_UNSENT:
            raise OSError("the page does not read")
        self._waiting.put(text)

    def close(self, code: int) -> None:
        """Hang up after the messages before; closing twice is harmless."""
        self._waiting.put(code)

    def _send_all(self) -> None:
        """Send what waits until the page is gone, then hang up."""
        while isinstance(item := self._waiting.get(), str):
            if not self._gone:
                try:
                    self._connection.send(item)
                except Exception:  # noqa: BLE001 - whatever befell the connection, nothing more is sent
                    self._gone = True
        self._gone = True
        with contextlib.suppress(Exception):
            self._connection.close(item)
