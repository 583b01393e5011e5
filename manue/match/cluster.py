"""Games on a running Dask cluster, behind the interface of ``concurrent.futures``."""

import importlib
import re
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from manue.errors import MissingExtraError, UsageError

CONNECT_SECONDS = 10


class ClusterExecutor(Executor):
    """Sends games to a Dask scheduler.

    If a worker dies, another one plays its game again; a game that has lost several workers breaks the
    executor, as a dying process breaks a process pool.

    Parameters
    ----------
    address : str
        ``tcp://host:port`` of the scheduler.

    Raises
    ------
    MissingExtraError
        If ``distributed`` is not installed.
    UsageError
        If the address is malformed, or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        if not re.fullmatch(r"\w+://.+:\d+", address):
            raise UsageError(f"{address!r} is not the address of a scheduler: tcp://HOST:PORT")
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError as error:
            raise MissingExtraError("distributed", "cluster") from error
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(f"no scheduler answers at {address!r}: {error}") from error
        self._killed = distributed.scheduler.KilledWorker
        self._inner = self._client.get_executor(pure=False)

    @property
    def slots(self) -> int:
        """Threads of all workers connected at the moment."""
        return sum(self._client.nthreads().values())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a call to the cluster."""
        inner: Future[Any] = self._inner.submit(fn, *args, **kwargs)
        outer: Future[Any] = Future()

        def hand_over(done: Future[Any]) -> None:
            if outer.cancelled() or not outer.set_running_or_notify_cancel():
                return
            error = (
                BrokenExecutor("the cluster gave up on the game") if done.cancelled() else done.exception()
            )
            if isinstance(error, self._killed):
                error = BrokenExecutor(str(error))
            if error is not None:
                outer.set_exception(error)
            else:
                outer.set_result(done.result())

        inner.add_done_callback(hand_over)
        outer.add_done_callback(lambda future: inner.cancel() if future.cancelled() else None)
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - inherited
        """Leave the cluster; unfinished games are lost, and played again on resuming."""
        del wait, cancel_futures
        self._client.close()
