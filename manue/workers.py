"""Worker processes that end with the process that started them."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.synchronize import Lock
from types import FrameType, TracebackType
from typing import Any, cast

from manue import process_groups
from manue.compiled import explain_compiling, is_explaining
from manue.futures import SafePool, wait_for
from manue.interrupts import Interrupts
from manue.stderr import report

TERMINATE_SECONDS = 2.0
"""Time that workers have to end the programs they have started, and then the thread of the pool to end."""
LOCKS = "/dev/shm"  # noqa: S108  nothing of ours is written there
"""Where Linux keeps locks that processes share."""
_OF_TERMINALS = {signal.SIGINT, signal.SIGHUP}
"""What a terminal sends to all processes of a command: by Ctrl-C, and when it is closed."""


class _Process(SpawnProcess):
    """A process that does not end, as it starts, by what a terminal sends to all of a command."""

    def start(self) -> None:
        """Start with it blocked: until `_start` ignores it, Ctrl-C would end with a traceback."""
        _start_tracker()  # unblocks SIGINT, and would be started below
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_TERMINALS)
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


class _Context(SpawnContext):
    """Spawns processes and remembers them: the caller may have others, which are not ours to end."""

    def __init__(self) -> None:
        super().__init__()
        self.spawned: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802  as pools call it
        """Make a process."""
        process = _Process(*args, **kwargs)
        self.spawned.append(process)
        return process


class WorkerPool(SafePool, ProcessPoolExecutor):
    """A pool of processes on this machine.

    They are spawned, not forked: the parent runs threads (the progress display), and a fork would copy their
    locks in whatever state they are. If the parent dies, even if it is killed, they end at once instead of
    finishing work that nobody is waiting for.

    Parameters
    ----------
    workers : int
    ignore_interrupts : bool
        Let work in progress finish after Ctrl-C, SIGTERM or SIGHUP, which only the parent answers. Otherwise
        nothing is waited for.

    Raises
    ------
    OSError
        If locks cannot be shared between processes: `LOCKS` is full, or not to be written to.
    """

    def __init__(self, workers: int, *, ignore_interrupts: bool = False) -> None:
        _start_tracker()  # before the first lock, which would start it
        self._context = _Context()
        self._ignore_interrupts = ignore_interrupts
        self._ended = False
        self._thread: threading.Thread | None = None  # of the pool, once it takes no more work
        try:
            may_explain = self._context.Lock() if is_explaining() else None
            super().__init__(workers, mp_context=self._context, initializer=partial(_start, may_explain))
        except OSError as error:  # it names no file
            raise OSError(error.errno, os.strerror(error.errno or 0), LOCKS) from error

    def end(self) -> None:
        """End all processes at once, with the programs they have started; drop what they have not begun.

        A signal is answered afterwards: the command would wait for processes that it left working.
        """
        with Interrupts() as interrupts, interrupts.put_off():
            self._end()

    def _end(self) -> None:
        # Until Python 3.12 the pool's thread fails on cancelled work that it still holds as processes end.
        self._ended = True
        self.shutdown(wait=False)
        running = [process for process in self._context.spawned if process.is_alive()]
        for process in running:
            process.terminate()
        until = time.monotonic() + TERMINATE_SECONDS
        for process in running:
            process.join(max(0.0, until - time.monotonic()))
            process.kill()
        if self._thread is not None:
            # else it may close its pipe just as the end of this process writes to it
            self._thread.join(TERMINATE_SECONDS)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Take no more work; what `end` has dropped stays dropped when the block is left."""
        with Interrupts() as interrupts, interrupts.put_off():
            if self._executor_manager_thread is not None:  # it is forgotten below; typeshed has another type
                self._thread = cast("threading.Thread", self._executor_manager_thread)
            super().shutdown(wait=False, cancel_futures=cancel_futures or self._ended)
        if wait and not self._ended and self._thread is not None:
            wait_for(self._thread)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        """End the processes at once where the block was left by a signal."""
        if kind is not None and not issubclass(kind, Exception) and not self._ignore_interrupts:
            self.end()
        return super().__exit__(kind, error, traceback)


def _start_tracker() -> None:
    """Start the process that knows what is shared, with SIGHUP blocked: it is to end after this one."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        resource_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _start(may_explain: Lock | None) -> None:
    """Prepare a worker. Only the first process that compiles reports it: it acquires ``may_explain``."""

    def explain(text: str) -> None:
        """Say it, unless another worker has."""
        if may_explain is not None and may_explain.acquire(block=False):
            report(text)

    explain_compiling(explain)
    for number in _OF_TERMINALS:  # the parent ends its workers
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _OF_TERMINALS)
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end(_number: int, _frame: FrameType | None) -> None:
    process_groups.kill_all()
    os._exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        process_groups.kill_all()
        os._exit(1)
