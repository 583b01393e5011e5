"""What the player sees at the moment, kept so that whoever opens the page again finds the seat as it was."""

import contextlib
import queue
import threading
from collections import deque

from pydantic_core import to_json

from manue.errors import ProtocolError, SeatFault
from manue.review.frames import Json
from manue.webtable.outbox import Outbox
from manue.webtable.wire import Again, Alive, FromPage, HelpLevel, Leave, SetHelp, parse_from_page

TAKEN_OVER = 4001
"""Close code for a page whose seat was opened somewhere else."""
FLOODED = 4002
"""Close code for a page that sends more than a person could."""
LOST = 4003
"""Close code for a page that no longer reads."""
LEFT = 4004
"""Close code for the page of a player who has left: until it comes, the page says so again."""
MAX_UNREAD = 50
"""Messages of a page that wait to be read, at most."""
MAX_JUDGED = 30
"""Judgements that the page lists, at most."""


class Screen:
    """What one seat is shown: one page at a time, the one opened last.

    Every message of the table goes to the page and is kept; a page that joins receives them all as one
    ``{"type": "table", ...}``.

    Parameters
    ----------
    facts : dict
        What the page is to know from the start: ``names``, ``seat``, and ``level``, the help at first.

    Attributes
    ----------
    left : threading.Event
        Set once the player has left the table.
    """

    def __init__(self, facts: Json) -> None:
        self.left = threading.Event()
        self._facts = facts
        self._lock = threading.RLock()
        self._page: Outbox | None = None
        self._owner = ""
        self._shown: dict[str, Json] = {}
        self._results: list[Json] = []
        self._judged: deque[Json] = deque(maxlen=MAX_JUDGED)
        self._inbox: queue.Queue[FromPage | None] = queue.Queue()

    def join(self, page: Outbox, owner: str = "", *, returns: bool = False) -> bool:
        """Show everything to a page, and hang up on the one before.

        Parameters
        ----------
        page : Outbox
        owner : str
            Identifies the page, also when it has a new connection.
        returns : bool
            Whether it is back by itself after it had lost its connection. Then it is hung up on if the seat
            was opened somewhere else since.

        Returns
        -------
        bool
            Whether it has the seat.
        """
        with self._lock:
            if returns and owner != self._owner:
                hang_up(page, TAKEN_OVER)
                return False
            self._owner = owner
            before, self._page = self._page, page
            parts = {**self._shown, "results": self._results, "judged": list(self._judged)}
            self._send({"type": "table", **self._facts, **parts})
        if before is not None:
            hang_up(before, TAKEN_OVER)
        return True

    def forget(self, page: Outbox) -> None:
        """Forget a page that is gone."""
        with self._lock:
            if self._page is page:
                self._page = None

    def receive(self, page: Outbox, text: str | bytes) -> None:
        """Take a message of the page; one that cannot be understood is refused, and nothing else happens.

        A page whose seat was opened somewhere else has no say any more.
        """
        if self._page not in {None, page}:
            return
        try:
            message = parse_from_page(text)
        except ProtocolError:
            self.refuse("unreadable")
            return
        if isinstance(message, Leave):
            self._take_leave()
            hang_up(page, LEFT)
        elif isinstance(message, Alive):
            with self._lock:
                self._send({"type": "alive"})
        elif self._inbox.qsize() >= MAX_UNREAD:
            hang_up(page, FLOODED)
        else:
            if isinstance(message, SetHelp):
                with self._lock:
                    self._facts = {**self._facts, "level": message.level}
            self._inbox.put(message)

    def hear(self) -> FromPage:
        """Wait for the next message of the player.

        Raises
        ------
        SeatFault
            ``died``, once the player has left the table.
        """
        message = None if self.left.is_set() else self._inbox.get()
        if message is None:
            raise SeatFault("died", "left the table")
        return message

    def wants_another(self) -> bool:
        """Wait after the game until the player leaves or asks for another; return whether for another."""
        try:
            while not isinstance(self.hear(), Again):
                pass
        except SeatFault:
            return False
        return True

    @property
    def level(self) -> HelpLevel:
        """The help that the player chose last, whether or not `hear` has reached it."""
        level: HelpLevel = self._facts["level"]
        return level

    def clear(self) -> None:
        """Show the table as it is before a game."""
        with self._lock:
            self._shown, self._results, self._judged = {}, [], deque(maxlen=MAX_JUDGED)
            self._send({"type": "table", **self._facts, "results": [], "judged": []})

    def answered(self) -> None:
        """Forget what was asked: a page that is opened before the next event must not ask it again."""
        with self._lock:
            self._shown.pop("ask", None)
            self._shown.pop("hint", None)

    def event(self, message: Json, *, starts_round: bool, ends_round: bool) -> None:
        """Show an event; it answers whatever was asked before."""
        with self._lock:
            self.answered()
            if starts_round:
                self._results, self._judged = [], deque(maxlen=MAX_JUDGED)
            if ends_round:
                self._results.append(message["facts"])
            self._show("event", message)

    def ask(self, request: Json) -> None:
        """Ask the player for a choice, or to go on."""
        with self._lock:
            self._show("ask", request)

    def hint(self, hint: Json) -> None:
        """Show the help with the choice that is asked for."""
        with self._lock:
            self._show("hint", hint)

    def judge(self, judgement: Json) -> None:
        """Add the judgement of a choice."""
        with self._lock:
            self._judged.append(judgement)
            self._send({"type": "judged", **judgement})

    def finish(self, result: Json) -> None:
        """Show the end of the game."""
        with self._lock:
            self.answered()
            self._show("over", result)

    def refuse(self, reason: str) -> None:
        """Reject what the player sent, and ask again for what is asked for, with its help."""
        with self._lock:
            self._send({"type": "refused", "reason": reason})
            for name in ("ask", "hint"):
                if name in self._shown:
                    self._send({"type": name, **self._shown[name]})

    def _take_leave(self) -> None:
        self.left.set()
        self._inbox.put(None)

    def _show(self, name: str, message: Json) -> None:
        self._shown[name] = message
        self._send({"type": name, **message})

    def _send(self, message: Json) -> None:
        if self._page is None:
            return
        try:
            self._page.send(to_json(message).decode())
        except Exception:  # noqa: BLE001 - whatever befell the connection, the seat stays, and the page comes back
            page, self._page = self._page, None
            hang_up(page, LOST)


def hang_up(page: Outbox, code: int) -> None:
    """Close the connection of a page, if it is still open."""
    with contextlib.suppress(Exception):
        page.close(code)
