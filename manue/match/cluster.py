"""Games on a running Dask cluster, behind the interface of ``concurrent.futures``."""

import asyncio
import contextlib
import importlib
import logging
import re
import sys
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from importlib import metadata
from typing import Any

from manue.errors import ConnectionLostError, MissingExtraError, UsageError
from manue.foreign import foreign, without_secrets
from manue.transports.thinking import Thinkers

LOG = logging.getLogger(__name__)
CONNECT_SECONDS = 10
PULSE_SECONDS = ANSWER_SECONDS = 30.0
"""How often the scheduler is asked whether it is still there, and how long it may take to answer."""


def _versions() -> dict[str, str]:
    """Return the versions that must be the same on all machines."""
    python = ".".join(map(str, sys.version_info[:2]))
    packages = ("manue", "riichienv", "distributed")
    return {name: metadata.version(name) for name in packages} | {"Python": python}


async def _greet(address: str) -> None:
    """Connect and exchange the greetings of Dask: its client does not survive a host that has others."""
    core: Any = importlib.import_module("distributed.comm")
    security: Any = importlib.import_module("distributed.security")
    options = security.Security().get_connection_args("client")
    connecting = core.connect(address, timeout=CONNECT_SECONDS, **options)
    comm = await asyncio.wait_for(connecting, CONNECT_SECONDS)
    await comm.close()


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
        If the address is malformed.
    ConnectionLostError
        If no scheduler answers, or a worker has other versions.
    """

    def __init__(self, address: str) -> None:
        shown = without_secrets(address)
        if not re.fullmatch(r"\w+://.+:\d+", address):
            raise UsageError(f"{shown!r} is not the address of a scheduler: tcp://HOST:PORT")
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError as error:
            raise MissingExtraError("distributed", "cluster") from error
        for name in ("distributed", "asyncio", *logging.root.manager.loggerDict):
            if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}:
                logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is raised, in one line
        warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)  # checked below
        try:
            asyncio.run(_greet(address))
            connect = partial(distributed.Client, address, timeout=CONNECT_SECONDS, set_as_default=False)
            connecting: Thinkers[Any] = Thinkers(1)  # a host that is mute would keep us for ever
            self._client = connecting.submit(connect).result(2 * CONNECT_SECONDS)
            self._check_workers(shown)
        except ConnectionLostError:
            self._client.close()
            raise
        except Exception as error:  # whatever a host that is no scheduler makes of it
            reason = foreign(without_secrets(error)) or type(error).__name__
            raise ConnectionLostError(f"no scheduler answers at {shown!r}: {reason}") from error
        self._killed = distributed.scheduler.KilledWorker
        self._inner = self._client.get_executor(pure=False)
        self._lock = threading.Lock()
        self._pending: set[Future[Any]] = set()
        self._closed = threading.Event()
        threading.Thread(target=self._watch, name="scheduler", daemon=True).start()

    def _check_workers(self, address: str) -> None:
        """Check that every worker has the versions of this machine: games travel between them pickled."""
        ours = _versions()
        for worker, theirs in self._client.run(_versions, on_error="return").items():
            if isinstance(theirs, BaseException):
                reason = foreign(theirs) or type(theirs).__name__
                raise ConnectionLostError(f"the worker {worker} of {address!r} cannot play: {reason}")
            for package, version in ours.items():
                there = foreign(theirs.get(package))
                if there != version:
                    raise ConnectionLostError(
                        f"the worker {worker} of {address!r} has {package} {there}, this machine {version}"
                    )

    @property
    def slots(self) -> int:
        """Threads of all workers connected at the moment."""
        return sum(self._client.nthreads().values())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a call to the cluster."""
        inner: Future[Any] = self._inner.submit(fn, *args, **kwargs)
        outer: Future[Any] = Future()

        with self._lock:
            self._pending.add(outer)

        def hand_over(done: Future[Any]) -> None:
            """Pass the result or the error of the cluster's task on to the caller."""
            if not self._claims(outer):
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

    def _claims(self, outer: Future[Any]) -> bool:
        """Return whether a call still waits for its result, which the caller then sets."""
        with self._lock:
            waits = outer in self._pending
            self._pending.discard(outer)
        return waits and outer.set_running_or_notify_cancel()

    def _watch(self) -> None:
        """Ask for the workers now and then: a scheduler that falls silent fails no call by itself."""
        had_workers = True
        while not self._closed.is_set():
            try:
                identity = self._client.sync(self._client.scheduler.identity, callback_timeout=ANSWER_SECONDS)
            except Exception:  # noqa: BLE001  whatever became of the connection
                self._break()
                return
            if had_workers and not identity["workers"]:
                LOG.warning("manue: the cluster has no workers; waiting for one")
            had_workers = bool(identity["workers"])
            self._closed.wait(PULSE_SECONDS)

    def _break(self) -> None:
        with self._lock:
            pending = tuple(self._pending)
        for outer in pending:
            if self._claims(outer):
                outer.set_exception(BrokenExecutor("the scheduler no longer answers"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - inherited
        """Leave the cluster; unfinished games are lost, and played again on resuming."""
        del wait, cancel_futures
        self._closed.set()
        with contextlib.suppress(Exception):  # it may be gone, or mute
            self._client.close(timeout=CONNECT_SECONDS)
