"""Futures and pools of threads and processes that a signal at any moment does not break.

Every future of the standard library has a lock. Python answers a signal in the main thread between any two
instructions, also between taking that lock and releasing it; the lock then stays held for good, the pool's
thread waits for it, and the command waits for the thread. So the main thread touches a future that is not
finished only while signals are put off (`Interrupts.put_off`), and waits at a queue, which has no such gap.
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

    A signal may safely interrupt waiting at that queue; it may not interrupt waiting for a future.

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
    """Yield the results of futures in their order; if the caller stops early, cancel the rest."""
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
    """Cancel the futures that have not begun; a signal is answered afterwards."""
    with Interrupts() as interrupts, interrupts.put_off():
        for future in futures:
            future.cancel()


def wait_for(thread: threading.Thread) -> None:
    """Wait for a thread to end; a signal ends the waiting.

    Before Python 3.13, a ``join`` that a signal interrupts marks a running thread as ended: the interpreter
    would then exit while the thread is still at work.
    """
    ended = False
    with Interrupts() as interrupts:
        while not ended:
            with interrupts.put_off():
                thread.join(ANSWER_SECONDS)
                ended = not thread.is_alive()


class SafePool(Executor):
    """Mixin that makes an executor of the standard library safe against signals; the first of the bases."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit work; a signal is answered afterwards, as it could leave locks of the queues held."""
        with Interrupts() as interrupts, interrupts.put_off():
            return super().submit(work, *args, **kwargs)

    def map(  # type: ignore[override]  # no timeout: nobody needs one
        self, work: Callable[..., T], *items: Iterable[Any], chunksize: int = 1
    ) -> Iterator[T]:
        """Submit work on the items, ``chunksize`` at a time; yield the results in order."""
        calls = zip(*items, strict=False)  # as `map` does: some iterables are endless
        chunks = iter(lambda: list(islice(calls, chunksize)), [])
        return chain.from_iterable(in_order([self.submit(_worked, work, chunk) for chunk in chunks]))


def _worked(work: Callable[..., T], chunk: list[tuple[Any, ...]]) -> list[T]:
    return [work(*items) for items in chunk]


class ThreadPool(SafePool, ThreadPoolExecutor):
    """A pool of threads, for kernels, which release the interpreter lock."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Accept no more work, and by default wait until the threads have ended."""
        with Interrupts() as interrupts, interrupts.put_off():
            super().shutdown(wait=False, cancel_futures=cancel_futures)
        if wait:
            for thread in tuple(self._threads):
                wait_for(thread)
