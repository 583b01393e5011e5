"""Worker processes that end with the process that started them."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial


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
    return ProcessPoolExecutor(workers, mp_context=context, initializer=start)


def _start(*, ignore_interrupts: bool) -> None:
    if ignore_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)
