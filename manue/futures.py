"""Work handed to threads and processes, and its results, where a signal may come at any time.

The standard library guards a future by a lock that a signal may leave held for good: in the main thread it is
answered between any two instructions of Python, those that take and release the lock among them. The thread
that works then waits for the lock, and the command for the thread. So nothing here touches a future that
others may still touch, except where signals are put off.
"""

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import chain, islice
from queue import SimpleQueue
from typing import Any, TypeVar

from typing_extensions import ParamSpec

from manue.interrupts import Interrupts

P = ParamSpec("P")
T = TypeVar("T")

ANSWER_SECONDS = 0.05
"""How long a signal may wait for its answer while a thread is waited for."""


def notify(finished: "SimpleQueue[Future[T]]", futures: Iterable[Future[T]]) -> None:
    """Have futures put into a queue, each as soon as it is finished, cancelled or failed.

    To wait at such a queue is safe where a signal may come, as it is not to wait for a future.

    Parameters
    ----------
    finished : SimpleQueue of Future
    futures : iterable of Future
    """
    with Interrupts() as interrupts, interrupts.put_off():
        for future in futures:
            future.add_done_callback(finished.put)


def as_completed(futures: Collection[Future[T]]) -> Iterator[Future[T]]:
    """Yield futures, each as soon as it is finished, cancelled or failed; see `notify`."""
    finished: SimpleQueue[Future[T]] = SimpleQueue()
    notify(finished, futures)
    for _ in futures:
        yield finished.get()


def in_order(futures: Iterable[Future[T]]) -> Iterator[T]:
    """Yield the results of futures in their order; where nobody takes them all, the rest is cancelled."""
    left = deque(futures)
    finished: SimpleQueue[Future[T]] = SimpleQueue()
    done: set[Future[T]] = set()
    notify(finished, left)
    try:
        while left:
            while left[0] not in done:
                done.add(finished.get())
            done.remove(left[0])
            yield left.popleft().result()
    finally:
        cancel(left)


def cancel(futures: Iterable[Future[Any]]) -> None:
    """Cancel those of some futures that have not begun; a signal follows."""
    with Interrupts() as interrupts, interrupts.put_off():
        for future in futures:
            future.cancel()


def wait_for(thread: threading.Thread) -> None:
    """Wait for a thread to end; a signal ends the waiting.

    Until Python 3.12 a ``join`` that a signal interrupts takes the thread for ended, and so would the
    interpreter as it exits, in the middle of what the thread still does.
    """
    ended = False
    with Interrupts() as interrupts:
        while not ended:
            with interrupts.put_off():
                thread.join(ANSWER_SECONDS)
                ended = not thread.is_alive()


class SafePool(Executor):
    """Makes a pool of the standard library safe where a signal may come: it stands before that as a base."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have some work done; Ctrl-C follows, as it would leave the locks of the queues behind."""
        with Interrupts() as interrupts, interrupts.put_off():
            return super().submit(work, *args, **kwargs)

    def map(  # type: ignore[override]  # nobody waits with a time limit
        self, work: Callable[..., T], *items: Iterable[Any], chunksize: int = 1
    ) -> Iterator[T]:
        """Have work done on items, ``chunksize`` of them at a time; yield the results in order."""
        calls = zip(*items, strict=False)  # some of them have no end
        chunks = iter(lambda: list(islice(calls, chunksize)), [])
        return chain.from_iterable(in_order([self.submit(_worked, work, chunk) for chunk in chunks]))


def _worked(work: Callable[..., T], chunk: list[tuple[Any, ...]]) -> list[T]:
    return [work(*items) for items in chunk]


class ThreadPool(SafePool, ThreadPoolExecutor):
    """A pool of threads, for kernels, which release the interpreter lock."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Take no more work."""
        with Interrupts() as interrupts, interrupts.put_off():
            super().shutdown(wait=False, cancel_futures=cancel_futures)
        if wait:
            for thread in tuple(self._threads):
                wait_for(thread)
