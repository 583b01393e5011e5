"""Worker processes that end with the process that started them."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from types import FrameType, TracebackType

from manue import process_groups

TERMINATE_SECONDS = 2.0
"""Time that a worker has to end the programs it has started."""


def worker_pool(workers: int, *, ignore_interrupts: bool = False) -> ProcessPoolExecutor:
    """Return a pool of processes on this machine.

    They are spawned, not forked: the parent runs threads (the progress display), and a fork would copy their
    locks in whatever state they are. If the parent dies, even if it is killed, they end at once instead of
    finishing work that nobody is waiting for.

    Parameters
    ----------
    workers : int
    ignore_interrupts : bool
        Leave Ctrl-C to the parent, which may want to let work in progress finish.
    """
    context = multiprocessing.get_context("spawn")
    start = partial(_start, ignore_interrupts=ignore_interrupts)
    pool = ProcessPoolExecutor if ignore_interrupts else _InterruptedPool
    return pool(workers, mp_context=context, initializer=start)


class _InterruptedPool(ProcessPoolExecutor):
    """A pool whose work is not waited for after Ctrl-C or SIGTERM: all workers of the process end then."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        """End the workers at once where the block was left by a signal."""
        if kind is not None and not issubclass(kind, Exception):
            end_workers()
        return super().__exit__(kind, error, traceback)


def _start(*, ignore_interrupts: bool) -> None:
    if ignore_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
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


def end_workers() -> None:
    """End all worker processes at once, with the programs they have started."""
    workers = multiprocessing.active_children()
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(TERMINATE_SECONDS)
        worker.kill()
