"""What a server says of its clients on stderr: who joined, who waits for whom, who was refused and why."""

import logging
import threading
from collections import Counter
from collections.abc import Sequence

from manue.as_text import counted
from manue.foreign import printable

LOG = logging.getLogger(__name__)
MAX_COUNTED = 1000
"""Kinds of refusals that are counted; when there are more, counting begins again."""


class Refusals:
    """Reports refusals: by address and reason the first, the tenth, the hundredth; no flood fills a log."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def note(self, address: str, reason: str) -> None:
        """Count a refusal, and report it if it is time."""
        with self._lock:
            if len(self._counts) >= MAX_COUNTED:
                self._counts.clear()
            self._counts[address, reason] += 1
            count = self._counts[address, reason]
        if str(count).strip("0") == "1":
            times = "" if count == 1 else f" ({count} times)"
            LOG.info("refused %s: %s%s", printable(address), printable(reason), times)


def note_waiting(name: str, origin: str, missing: int) -> None:
    """Report a client that has joined and waits for others."""
    LOG.info("%s joined from %s and waits for %s", name, origin, counted(missing, "more client"))


def note_gone(name: str, origin: str) -> None:
    """Report a client that went away before its game began."""
    LOG.info("%s from %s waits no longer: it has gone", name, origin)


def note_game(name: str, origin: str, game: int, names: Sequence[str], under_way: int) -> None:
    """Report a game that begins, with the client who made it possible and the number of games under way."""
    seats = ", ".join(names)
    LOG.info(
        "%s joined from %s: game %d begins with %s; %s under way",
        name,
        origin,
        game,
        seats,
        counted(under_way, "game"),
    )
