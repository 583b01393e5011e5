"""Where clients wait for a table, and the tables that play, each in a thread of its own."""

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from manue.match.games import RULES, RulesName
from manue.records.archive import LogWriter
from manue.table.process_seat import Limits
from manue.table.referee import Length, Referee, wall_seed
from manue.table.seat_factory import hold_seat
from manue.table.seats import SeatHolder
from manue.table.table import AbandonedError, GameRecord, Table
from manue.tiles import Seat

LOG = logging.getLogger(__name__)


class Guest(Protocol):
    """A client that has joined and waits for a seat."""

    name: str

    def alive(self) -> bool:
        """Whether the client is still connected."""
        ...

    def seated(self, seat: Seat, referee: Referee) -> SeatHolder:
        """Take a seat at a table."""
        ...

    def leave(self, text: str) -> None:
        """Be sent away with a word."""
        ...


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """How a server plays."""

    clients: int = 1  # per table
    fill: tuple[str, ...] = ("greedy",)  # agents for the other seats, used in turn
    games: int | None = None  # then the server ends
    seed: int = 0
    length: Length = "hanchan"
    rules: RulesName = "tenhou"
    limits: Limits = field(default_factory=lambda: Limits(decision=60, start=60))
    log_dir: Path | None = None
    most_waiting: int = 200


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that has been played."""

    game: int
    names: tuple[str, ...]
    record: GameRecord


class Lobby:
    """Seats guests at tables as soon as enough of them wait.

    Parameters
    ----------
    settings : ServeSettings
    on_finished : callable
        Called from a table's thread with every finished game, one at a time.
    """

    def __init__(self, settings: ServeSettings, on_finished: Callable[[Finished], None]) -> None:
        self.settings = settings
        self.done = threading.Event()
        self._on_finished = on_finished
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._waiting: list[Guest] = []
        self._tables: set[threading.Thread] = set()
        self._started = 0
        self._finished = 0
        self._closed = False

    def join(self, guest: Guest) -> None:
        """Let a guest wait; begin a game if that makes a table full, or send the guest away."""
        with self._lock:
            gone = [waiting for waiting in self._waiting if not waiting.alive()]
            self._waiting = [waiting for waiting in self._waiting if waiting not in gone]
            enough = self.settings.games is not None and self._started >= self.settings.games
            full = self._closed or enough or len(self._waiting) >= self.settings.most_waiting
            table: list[Guest] = []
            if not full:
                self._waiting.append(guest)
            if len(self._waiting) >= self.settings.clients:
                table, self._waiting = self._waiting, []
                thread = threading.Thread(
                    target=self._play, args=(self._started, table), name=f"table {self._started}", daemon=True
                )
                self._started += 1
                self._tables.add(thread)
        for waiting in gone:
            waiting.leave("gone")
        if full:
            guest.leave("The room is busy. Retry after a while.")
        elif table:
            thread.start()

    def close(self, seconds: float) -> None:
        """Send everybody away who waits; give the games in progress some time."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            tables = list(self._tables)
        for guest in waiting:
            guest.leave("The server closes.")
        deadline = time.monotonic() + seconds
        for thread in tables:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _play(self, game: int, guests: list[Guest]) -> None:
        try:
            names, record = self._game(game, guests)
        except AbandonedError as error:
            LOG.warning("game %d: %s", game, error)
        except Exception:
            LOG.exception("table %d broke", game)
            for guest in guests:
                guest.leave("The table broke.")
        else:
            with self._telling:
                self._on_finished(Finished(game, names, record))
        with self._lock:
            self._tables.discard(threading.current_thread())
            self._finished += 1
            if self._finished == self.settings.games:
                self.done.set()

    def _game(self, game: int, guests: list[Guest]) -> tuple[tuple[str, ...], GameRecord]:
        settings = self.settings
        rules = RULES[settings.rules]
        fill = [settings.fill[at % len(settings.fill)] for at in range(4 - len(guests))]
        places: list[Guest | str] = [*guests, *fill]
        random.Random(f"{settings.seed}/{game}").shuffle(places)
        names = tuple(place if isinstance(place, str) else place.name for place in places)
        referee = Referee(wall_seed(settings.seed, game), length=settings.length, rules=rules, names=names)
        holders = [
            hold_seat(place, seat, rules, settings.limits)
            if isinstance(place, str)
            else place.seated(seat, referee)
            for seat, place in enumerate(places)
        ]
        outside = frozenset(seat for seat, place in enumerate(places) if not isinstance(place, str))
        if settings.log_dir is None:
            return names, Table(referee, holders, guests=outside).play()
        with LogWriter(settings.log_dir / f"{game:06}.mjson.gz") as log:
            return names, Table(referee, holders, log=log, guests=outside).play()
