"""What runs the games of a match: this process, a pool of processes, or a Dask cluster."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any

from manue.match.cluster import ClusterExecutor
from manue.workers import WorkerPool

MIN_CLUSTER_WINDOW = 16
"""Games submitted to a cluster at least: more workers may join later."""


class Inline(Executor):
    """Runs every call in this process, as it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the call now and return a finished future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - passed on through the future, as by any executor
            future.set_exception(error)
        return future


def local_executor(workers: int) -> Executor:
    """Return an executor on this machine; after Ctrl-C, games in progress finish."""
    return Inline() if workers == 1 else WorkerPool(workers, ignore_interrupts=True)


def executor_factory(
    scheduler: str | None, workers: int, specs: Sequence[str] = ()
) -> tuple[Callable[[], Executor], int]:
    """Return a function that makes the executor, and how many games to submit at a time.

    Parameters
    ----------
    scheduler : str or None
        Address of the scheduler of a Dask cluster; ``None`` to play on this machine.
    workers : int
        Processes on this machine; a cluster has its own.
    specs : sequence of str
        The players; a cluster must have them and their models, too.

    Raises
    ------
    MissingExtraError
        If ``distributed`` is needed and not installed.
    UsageError
        If the address is malformed.
    ModelError
        If, with a cluster, a model of the players is missing or damaged on this machine.
    ConnectionLostError
        If no scheduler answers there, or a worker does not, has other versions or models, or lacks a player.
    """
    if scheduler is None:
        return partial(local_executor, workers), 1 if workers == 1 else 2 * workers
    with ClusterExecutor(scheduler, specs) as cluster:
        slots = cluster.slots
    return partial(ClusterExecutor, scheduler, specs), max(MIN_CLUSTER_WINDOW, 2 * slots)
