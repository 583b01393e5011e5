"""A match: many games on one core or many, stored as they finish, the same whatever runs them.

Games run on any ``concurrent.futures`` executor. The summary takes results in the order of the games, so that
neither its sums nor the point of an early stop depend on the number of workers.
"""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from manue.errors import ManueError
from manue.futures import cancel, notify
from manue.interrupts import Interrupts
from manue.language.messages import ENGLISH, Messages
from manue.match.executors import Inline
from manue.match.fast import check_fast, play_fast
from manue.match.folder import MatchFolder
from manue.match.games import MatchSettings, PlayedGame, play_fixture
from manue.match.schedule import Fixture
from manue.match.summary import Summary
from manue.table import kept_programs
from manue.table.seat_factory import make_seat_player
from manue.table.seats import SeatPlayer
from manue.workers import WorkerPool

LOG = logging.getLogger(__name__)
MAX_BREAKS = 5
"""A match fails when its workers have died this many times in a row without finishing a game."""

LEAST_WALLS = 10
"""With fewer walls an interval is itself too uncertain to end a match."""

STOPPING = (
    "manue: stopping once the games in progress on this machine are finished; Ctrl-C again ends them at once"
)

OnResult = Callable[[dict[str, Any], Summary], None]


class Match:
    """A match and its folder.

    Parameters
    ----------
    settings : MatchSettings
    path : Path
        Its folder.
    games : int
        Number of games to play.
    until_ci : float, optional
        Stop at the end of a wall, from the tenth on, once the 95 % interval of the first agent's mean
        placement is no wider than this on either side.
    resume : bool
    make_player : callable
        Who seats the players, like `make_seat_player`; it has to travel to the workers.
    log_bots : Path, optional
        Folder for the conversations with programs.
    fast : bool
        Play at tables in compiled code (`manue.match.fast`); ``make_player`` is then not asked.
    words : Messages
        The texts of the report.

    Raises
    ------
    UsageError
        As `MatchFolder`; if a fast match has players that are not kernels; and if games are to be added that
        another version of manue or other models would play.
    ModelError
        If a model that plays is missing or damaged.
    """

    def __init__(
        self,
        settings: MatchSettings,
        path: Path,
        games: int,
        *,
        until_ci: float | None = None,
        resume: bool = False,
        make_player: Callable[..., SeatPlayer] = make_seat_player,
        log_bots: Path | None = None,
        fast: bool = False,
        words: Messages = ENGLISH,
    ) -> None:
        if fast:
            check_fast(settings)
        self.settings = settings
        self.summary = Summary(settings.schedule.block)
        self._games = games
        self._words = words
        self._until_ci = until_ci
        self._play_game: Callable[[Fixture], PlayedGame] = (
            partial(play_fast, settings)
            if fast
            else partial(play_fixture, settings, make_player=make_player, log_bots=log_bots)
        )
        self._folder = MatchFolder(path, settings, resume=resume)
        self._interrupts = Interrupts()
        self._executor: Executor | None = None
        self._lost: list[Fixture] = []  # games that died with their workers
        self._waiting: dict[int, dict[str, Any]] = {}
        self._next = 0
        try:
            for line in self._folder.lines():
                self._take(line)
            if not self.enough:
                self._folder.check_players()
        except BaseException:
            self._folder.close()
            raise
        self._coming = self._fixtures()

    @property
    def done(self) -> int:
        """Games whose results count so far."""
        return self._next

    @property
    def kept(self) -> int:
        """Games in the folder that are not played again: those that count or wait for earlier ones."""
        return self._next + len(self._waiting) - self.beyond

    @property
    def beyond(self) -> int:
        """Games in the folder that are past those to be played, and do not count."""
        return sum(game >= self._games for game in self._waiting)

    @property
    def enough(self) -> bool:
        """Whether every game has been played, or the interval is narrow enough."""
        return self._next >= self._games or self._narrow()

    def run(
        self, make_executor: Callable[[], Executor], window: int, on_result: OnResult | None = None
    ) -> dict[str, Any]:
        """Play the remaining games and return the summary, which is also written after an interruption.

        Parameters
        ----------
        make_executor : callable
            Called at the start, and again whenever workers have died.
        window : int
            Number of games submitted at any time, running or waiting.
        on_result : callable, optional
            Called with every new line of results and the running summary.
        """
        with closing(self._folder), self._interrupts:
            try:
                self._play(make_executor, window, on_result)
            finally:
                with self._interrupts.put_off():
                    self._end_workers()  # those that a second Ctrl-C at an odd moment left behind
                    kept_programs.close_all()
                    self.summary.finish()
                    self._folder.write_summary(self.summary.to_json(), self._words)
        return self.summary.to_json()

    def _play(self, make_executor: Callable[[], Executor], window: int, on_result: OnResult | None) -> None:
        """Play until there are enough games, with a new executor whenever workers have died."""
        breaks = 0
        while not self.enough:
            before = self._next + len(self._waiting)
            self._executor = make_executor()
            try:
                self._play_with(self._executor, window, on_result)
            except BrokenExecutor as error:
                breaks = breaks + 1 if self._next + len(self._waiting) == before else 1
                if breaks >= MAX_BREAKS:
                    raise ManueError(f"the workers died {breaks} times without finishing a game") from error

    def _play_with(self, executor: Executor, window: int, on_result: OnResult | None) -> None:
        """Play until there are enough games; those in progress are lost if workers die: BrokenExecutor."""
        pending: dict[Future[PlayedGame], Fixture] = {}
        finished: SimpleQueue[Future[PlayedGame]] = SimpleQueue()
        try:
            while not self.enough:
                while len(pending) < window and (fixture := self._next_fixture()) is not None:
                    with self._submitting(executor):
                        future = self._submit(executor, fixture)
                        pending[future] = fixture
                        notify(finished, [future])
                future = finished.get()
                self._keep(future.result(), on_result)
                del pending[future]  # only now: what an interruption leaves here is kept at the end
        except BrokenExecutor:
            self._lost += pending.values()
            raise
        except KeyboardInterrupt:
            if pending:
                self._announce_stop()
            raise
        finally:
            self._shut_down(executor, pending, on_result)

    def _announce_stop(self) -> None:
        """Say what becomes of the games in progress; end them if the second Ctrl-C comes meanwhile."""
        try:
            LOG.warning(STOPPING)
        except KeyboardInterrupt:
            self._end_workers()

    def _submitting(self, executor: Executor) -> AbstractContextManager[None]:
        """Put signals off while a game is submitted and noted as pending: else its result could be lost.

        `Inline` plays the game as it is submitted, so there a signal has to be answered at once.
        """
        return nullcontext() if isinstance(executor, Inline) else self._interrupts.put_off()

    def _submit(self, executor: Executor, fixture: Fixture) -> Future[PlayedGame]:
        """Let workers play a game; it is lost if one of them has died since the last result."""
        try:
            return executor.submit(self._play_game, fixture)
        except BrokenExecutor:
            self._lost.append(fixture)
            raise

    def _shut_down(
        self, executor: Executor, pending: dict[Future[PlayedGame], Fixture], on_result: OnResult | None
    ) -> None:
        """Let the games in progress finish, unless interrupted, and store all that are finished."""
        try:
            cancel(pending)
            executor.shutdown(wait=True, cancel_futures=True)
        except KeyboardInterrupt:
            self._end_workers()
            raise
        finally:
            with self._interrupts.put_off():
                for future in pending:
                    if future.done() and not future.cancelled() and future.exception() is None:
                        self._keep(future.result(), on_result)

    def _end_workers(self) -> None:
        """End the processes of the latest executor at once; what runs them elsewhere is not ours to end."""
        if isinstance(self._executor, WorkerPool):
            self._executor.end()

    def _keep(self, played: PlayedGame, on_result: OnResult | None) -> None:
        if self._knows(played.line["game"]):
            return
        with self._interrupts.put_off():  # stored but not known, it would be stored again
            self._folder.add(played)
            self._take(played.line)
        if on_result is not None:
            on_result(played.line, self.summary)

    def _take(self, line: dict[str, Any]) -> None:
        """Add results to the summary in the order of the games; those that come early wait."""
        self._waiting[line["game"]] = line
        while not self.enough and (ready := self._waiting.pop(self._next, None)) is not None:
            self.summary.add(ready)
            self._next += 1

    def _fixtures(self) -> Iterator[Fixture]:
        for game in range(self._next, self._games):
            yield self.settings.schedule.fixture(game)

    def _next_fixture(self) -> Fixture | None:
        """Return a game still to be played, first those that were lost; ``None`` if there is none."""
        while (fixture := self._lost.pop(0) if self._lost else next(self._coming, None)) is not None:
            if not self._knows(fixture.game):
                return fixture
        return None

    def _knows(self, game: int) -> bool:
        return game < self._next or game in self._waiting

    def _narrow(self) -> bool:
        """Return whether the first agent's placement is known well enough; few walls make it seem so."""
        block = self.settings.schedule.block
        if self._until_ci is None or self._next % block or self._next < LEAST_WALLS * block:
            return False
        first = self.summary.agents.get(self.settings.name_of(self.settings.schedule.agents()[0]))
        ci95 = first.placement.ci95 if first is not None else None
        return ci95 is not None and ci95 <= self._until_ci
