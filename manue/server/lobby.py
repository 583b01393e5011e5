"""Where clients wait for a table, and the tables in play, each in its own thread."""

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from manue.errors import AbandonedError, LogError, ManueError
from manue.foreign import MESSAGE, printable
from manue.rules import RULES, Length, RulesName
from manue.server.gate import Gate
from manue.server.reports import Refusals, note_game, note_gone, note_waiting
from manue.table.game_log import GameLog
from manue.table.program_spec import name_of
from manue.table.referee import Referee, wall_seed
from manue.table.seat_factory import make_seat_player, seated
from manue.table.seats import SeatPlayer
from manue.table.table import GameRecord, Table
from manue.table.tcp_listener import BUSY, MAX_WAITING_CLIENTS
from manue.table.thinking_time import Limits
from manue.tiles import Seat

LOG = logging.getLogger(__name__)


class Client(Protocol):
    """A client that has joined and is waiting for a seat."""

    name: str
    origin: str  # where it comes from, and how

    def alive(self) -> bool:
        """Return whether the client is still connected."""
        ...

    def take_seat(self, seat: Seat, referee: Referee) -> SeatPlayer:
        """Sit down at a table."""
        ...

    def dismiss(self, reason: str) -> None:
        """Send the reason and hang up."""
        ...


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What a server plays, and with whom.

    Parameters
    ----------
    clients : int
        How many a table waits for, 1 to 4.
    fill : tuple of str
        Specs of the players in the other seats, used in turn.
    games : int or None
        The server stops after so many; ``None``: never.
    seed : int
        Of the walls, and of who sits where, 0 or more.
    length : {"hanchan", "east"}
    rules : {"tenhou", "mjsoul"}
    limits : Limits
        Times, in seconds, of clients over TCP and of programs, and the late answers allowed to a program;
        clients over WebSocket have the times of `manue.table.thinking_time.ByoYomi` instead.
    log_dir : Path or None
        Folder of the annotated logs; ``None``: there are none.
    """

    clients: int = 1
    fill: tuple[str, ...] = ("greedy",)
    games: int | None = None
    seed: int = 0
    length: Length = "hanchan"
    rules: RulesName = "tenhou"
    limits: Limits = field(default_factory=lambda: Limits(decision=60.0, game=3600.0, start=60.0))
    log_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a game, and its log if it was logged."""

    game: int
    names: tuple[str, ...]
    record: GameRecord
    log: Path | None


def _first_free(folder: Path | None) -> int:
    """Return the number after the last log in a folder, so that none is overwritten."""
    if folder is None:
        return 0
    numbers = (path.name.split(".")[0] for path in folder.glob("*.mjson.gz"))
    return max((int(number) + 1 for number in numbers if number.isdecimal()), default=0)


def _seat_player(one: Client | str, seat: Seat, referee: Referee, settings: ServeSettings) -> SeatPlayer:
    """Give a seat to a client, or to the player that a spec of ``fill`` names."""
    if isinstance(one, str):
        return make_seat_player(one, seat, RULES[settings.rules], settings.limits)
    return one.take_seat(seat, referee)


class Lobby:
    """Seats clients at a table as soon as enough of them are waiting.

    Parameters
    ----------
    settings : ServeSettings
    on_finished : callable
        Called with every finished game, from the thread of its table; never for two games at once.
    """

    def __init__(self, settings: ServeSettings, on_finished: Callable[[Finished], None]) -> None:
        self.settings = settings
        self.gate = Gate()
        self.refusals = Refusals()
        self.done = threading.Event()
        self._on_finished = on_finished
        self._lock = threading.Lock()
        self._report_lock = threading.Lock()
        self._waiting: list[Client] = []
        self._tables: set[threading.Thread] = set()
        self._started = 0
        self._finished = 0
        self._closed = False
        self._first_log = _first_free(settings.log_dir)

    def missing(self) -> int:
        """Return how many clients the next table still waits for."""
        with self._lock:
            gone = self._take_gone()
            missing = max(1, self.settings.clients - len(self._waiting))
        self._dismiss_gone(gone)
        return missing

    def join(self, client: Client) -> None:
        """Let a client wait, and start a game if that fills a table; if the room is full, turn it away.

        Raises
        ------
        RuntimeError
            If there is no thread for the table: this client does not wait, the others do.
        """
        with self._lock:
            gone = self._take_gone()
            enough = self.settings.games is not None and self._started >= self.settings.games
            full = self._closed or enough or len(self._waiting) >= MAX_WAITING_CLIENTS
            if not full:
                self._waiting.append(client)
            missing = self.settings.clients - len(self._waiting)
            if missing <= 0:
                self._start_game()
        self._dismiss_gone(gone)
        if full:
            self.refusals.note(client.origin, BUSY)
            client.dismiss(BUSY)
        elif missing > 0:
            note_waiting(client.name, client.origin, missing)

    def _start_game(self) -> None:
        """Begin a game of all who wait; under the lock, so that `close` joins no thread that does not run."""
        game, under_way = self._started, len(self._tables) + 1
        clients, self._waiting = self._waiting, []
        thread = threading.Thread(
            target=self._play, args=(game, clients, under_way), name=f"table {game}", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # no more threads: the last to come is lost, the others wait on
            self._waiting = clients[:-1]
            raise
        self._tables.add(thread)
        self._started += 1

    def _take_gone(self) -> list[Client]:
        """Take those who wait no longer out of the waiting; under the lock."""
        gone = [waiting for waiting in self._waiting if not waiting.alive()]
        self._waiting = [waiting for waiting in self._waiting if waiting not in gone]
        return gone

    def _dismiss_gone(self, gone: Sequence[Client]) -> None:
        for client in gone:
            note_gone(client.name, client.origin)
            client.dismiss("gone")

    def close(self, seconds: float) -> None:
        """Dismiss all waiting clients; give games in progress up to ``seconds`` to finish."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            tables = list(self._tables)
        for client in waiting:
            client.dismiss("The server is shutting down.")
        deadline = time.monotonic() + seconds
        for thread in tables:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _play(self, game: int, clients: list[Client], under_way: int) -> None:
        last = clients[-1]
        note_game(last.name, last.origin, game, [client.name for client in clients], under_way)
        try:
            finished = self._game(game, clients)
        except AbandonedError as error:
            LOG.warning("game %d: %s", game, printable(error))
        except ManueError as error:  # for example a program of `fill` that cannot be started
            LOG.warning("game %d: %s", game, printable(error, MESSAGE))
            self._break_up(clients)
        except BaseException:  # whatever it is, Python says nothing of a SystemExit that ends a thread
            LOG.exception("table %d broke down", game)
            self._break_up(clients)
        else:
            self._report(finished)
        finally:  # whatever ends the thread, the server counts the game
            with self._lock:
                self._tables.discard(threading.current_thread())
                self._finished += 1
                if self._finished == self.settings.games:
                    self.done.set()

    def _break_up(self, clients: Sequence[Client]) -> None:
        for client in clients:
            client.dismiss("The table broke down.")

    def _report(self, finished: Finished) -> None:
        with self._report_lock:
            try:
                self._on_finished(finished)
            except Exception:
                LOG.exception("the result of game %d could not be reported", finished.game)

    def _game(self, game: int, clients: list[Client]) -> Finished:
        settings = self.settings
        fill = [settings.fill[at % len(settings.fill)] for at in range(4 - len(clients))]
        seating: list[Client | str] = [*clients, *fill]
        random.Random(f"{settings.seed}/{game}").shuffle(seating)
        names = tuple(name_of(one) if isinstance(one, str) else one.name for one in seating)
        walls, rules = wall_seed(settings.seed, game), RULES[settings.rules]
        referee = Referee(walls, length=settings.length, rules=rules, names=names)
        client_seats = frozenset(seat for seat, one in enumerate(seating) if not isinstance(one, str))
        clients_last = sorted(range(4), key=client_seats.__contains__)  # they hear if a program cannot start
        made = seated(_seat_player(seating[seat], seat, referee, settings) for seat in clients_last)
        players = [player for _, player in sorted(zip(clients_last, made, strict=True))]
        with self._log_of(game) as log:
            record = Table(referee, players, log=log, client_seats=client_seats).play()
        logged = log is not None and not log.broken
        return Finished(game, names, record, self._log_path(game) if logged else None)

    def _log_path(self, game: int) -> Path | None:
        folder = self.settings.log_dir
        return None if folder is None else folder / f"{self._first_log + game:06}.mjson.gz"

    def _log_of(self, game: int) -> "GameLog | nullcontext[None]":
        path = self._log_path(game)
        if path is None:
            return nullcontext()
        try:
            return GameLog(path)
        except LogError as error:
            LOG.warning("manue: %s; this game is not logged", printable(error))
            return nullcontext()
