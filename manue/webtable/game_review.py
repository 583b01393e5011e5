"""The review of a game just played: computed once, in a thread of its own, which says how far it is."""

import threading
from collections.abc import Callable
from typing import Literal

from manue.errors import ManueError
from manue.foreign import MESSAGE, printable
from manue.stderr import report

ReviewFailure = Literal["log", "error"]
"""Why there is no review, as the page says it in its language; the terminal of the table has it in full."""


class GameReview:
    """The review of one game, computed when somebody first asks for it, and kept.

    Parameters
    ----------
    compute : callable
        Returns the page. It takes a function to call with the share of the game that is judged, 0 to 1.
    """

    def __init__(self, compute: Callable[[Callable[[float], None]], str]) -> None:
        self._compute = compute
        self._lock = threading.Lock()  # held where it begins and where it ends
        self._running = False
        self.page: str | None = None
        self.share = 0.0  # of the game that is judged
        self.failure: ReviewFailure | None = None  # why it came to nothing the last time

    def begin(self) -> None:
        """Have the page computed, unless it is there or on its way; what failed is tried again."""
        with self._lock:
            if self._running or self.page is not None:
                return
            self.share, self.failure = 0.0, None
            threading.Thread(target=self._run, name="review", daemon=True).start()
            self._running = True

    def _run(self) -> None:
        page: str | None = None
        failure: ReviewFailure | None = "error"
        try:
            page = self._compute(self._judged)
            failure = None
        except ManueError as error:  # as for a log that is gone, or that a full disk cut short
            report(printable(error, MESSAGE))
            failure = "log"
        finally:
            with self._lock:
                self.page, self.failure, self._running = page, failure, False

    def _judged(self, share: float) -> None:
        self.share = share
