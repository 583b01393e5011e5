"""Threads that do not delay the end of the program.

The interpreter waits for the executors of the standard library when it exits, however long their tasks take,
so an agent that hangs, or a host that does not answer, would keep a program from stopping.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Generic, TypeVar

_R = TypeVar("_R")


class DaemonThreads(Generic[_R]):
    """A few threads, started as needed.

    Parameters
    ----------
    most : int
        Maximum number of threads; further tasks wait until one is free.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._threads = 0
        self._free = threading.Semaphore(0)
        self._tasks: SimpleQueue[tuple[Future[_R], Callable[[], _R]] | None] = SimpleQueue()

    def submit(self, task: Callable[[], _R]) -> Future[_R]:
        """Submit a task; if it is cancelled before it begins, it never runs."""
        future: Future[_R] = Future()
        self._tasks.put((future, task))
        if not self._free.acquire(blocking=False) and self._threads < self._most:
            self._threads += 1
            threading.Thread(target=self._work, name=f"daemon-{self._threads}", daemon=True).start()
        return future

    def dismiss(self) -> None:
        """Let every thread end after its current task."""
        for _ in range(self._threads):
            self._tasks.put(None)

    def _work(self) -> None:
        while (item := self._tasks.get()) is not None:
            future, task = item
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(task())
                except BaseException as error:  # noqa: BLE001  raised again where the result is awaited
                    future.set_exception(error)
            del future, task, item
            self._free.release()
