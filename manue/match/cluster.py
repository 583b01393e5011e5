"""Games on a running Dask cluster, behind the interface of ``concurrent.futures``."""

import asyncio
import contextlib
import importlib
import logging
import pickle
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures import TimeoutError as LateError
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from manue.daemon_threads import DaemonThreads
from manue.errors import ConnectionLostError, ManueError, MissingExtraError, UsageError
from manue.foreign import printable, without_secrets
from manue.match.models_used import models_used
from manue.table.seat_factory import check_spec

LOG = logging.getLogger(__name__)
CONNECT_SECONDS = 10
PULSE_SECONDS = ANSWER_SECONDS = 30.0
"""How often the scheduler is asked whether it is still there; how long it or a worker may take to answer."""


@cache
def _versions() -> dict[str, str]:
    """Return the versions that must be the same on all machines."""
    python = ".".join(map(str, sys.version_info[:2]))
    packages = ("manue", "riichienv", "distributed")
    return {name: metadata.version(name) for name in packages} | {"Python": python}


class Needs(NamedTuple):
    """What must be the same on a worker as on the machine that runs the match.

    Parameters
    ----------
    specs : tuple of str
        The players.
    versions : tuple of (str, str)
        Packages and their versions.
    models : tuple of (str, str)
        Model files that the players use, and their digests.
    """

    specs: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]
    models: tuple[tuple[str, str], ...]

    @classmethod
    def here(cls, specs: Sequence[str]) -> "Needs":
        """Return what this machine has; raises ModelError if a model is missing or damaged."""
        return cls(tuple(specs), tuple(_versions().items()), tuple(models_used(specs).items()))


def mismatch(needs: Needs) -> str | None:
    """Return how this machine differs from what is needed, as the end of a sentence; else ``None``."""
    try:
        return _difference(needs)
    except (ManueError, metadata.PackageNotFoundError) as error:
        return f"cannot play: {printable(error)}"


def _difference(needs: Needs) -> str | None:
    """Return the first mismatch; raises ManueError or PackageNotFoundError if something is missing."""
    versions, models = _versions(), models_used(needs.specs)
    for package, version in needs.versions:
        if versions.get(package) != version:
            return f"has {package} {printable(versions.get(package))}, this machine {version}"
    for model, digest in needs.models:
        if models.get(model) != digest:
            return f"has a different {model} from this machine: start it again with the same models"
    for spec in needs.specs:
        check_spec(spec)
    return None


class _Sent(NamedTuple):
    """A game that is played where it is unpickled.

    A worker unpickles a task before it begins it, and ends if that fails, as it may with another version.
    What is unpickled within a task fails with that task, and the reason comes back.
    """

    needs: Needs
    play: Callable[[], Any]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return play_if_same, (self.needs, self.play)


def play_if_same(needs: Needs, play: Callable[[], Any]) -> Any:
    """Play a game on a worker, which may have joined after the others were asked what they have.

    Raises
    ------
    ConnectionLostError
        If the worker has other versions or models, or lacks a player.
    """
    trouble = mismatch(needs)
    if trouble is not None:
        worker: Any = importlib.import_module("distributed").get_worker()
        raise ConnectionLostError(f"the worker {worker.address} {trouble}")
    return play()


def _silent_distributed() -> Any:
    """Return Dask's library without its log and warnings: what matters is raised, in one line.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise MissingExtraError("distributed", "cluster") from error
    for name in ("distributed", "asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)  # versions are compared here
    return distributed


async def _greet(address: str) -> None:
    """Connect and exchange the greetings of Dask: its client does not survive a host that has others."""
    core: Any = importlib.import_module("distributed.comm")
    connecting = core.connect(address, timeout=CONNECT_SECONDS, **_credentials())
    comm = await asyncio.wait_for(connecting, CONNECT_SECONDS)
    await comm.close()


def _credentials() -> dict[str, Any]:
    """Return what Dask's configuration has for connections; raises UsageError if its files cannot be used."""
    security: Any = importlib.import_module("distributed.security").Security()
    try:
        credentials: dict[str, Any] = security.get_connection_args("client")
    except OSError as error:
        given = (security.tls_ca_file, security.tls_client_cert, security.tls_client_key)
        missing = [name for name in given if name and "\n" not in name and not Path(name).is_file()]
        reason = f"there is no {printable(missing[0])}" if missing else printable(error)
        raise UsageError(f"the certificates of Dask's configuration cannot be used: {reason}") from None
    return credentials


@contextlib.contextmanager
def _as_lost_connection(address: str) -> Iterator[None]:
    """Turn whatever a host that is not a scheduler leads to into a ConnectionLostError."""
    try:
        yield
    except (ConnectionLostError, UsageError):
        raise
    except Exception as error:
        reason = printable(without_secrets(error)) or type(error).__name__
        raise ConnectionLostError(f"no scheduler answers at {address!r}: {reason}") from error


def _connected(client_class: Callable[..., Any], address: str) -> Any:
    """Return a client of a scheduler; raises whatever goes wrong."""
    asyncio.run(_greet(address))
    connecting: DaemonThreads[Any] = DaemonThreads(1)  # a host that is mute would keep us for ever
    connect = partial(client_class, address, timeout=CONNECT_SECONDS, set_as_default=False)
    answer = connecting.submit(connect)
    connecting.dismiss()
    return answer.result(2 * CONNECT_SECONDS)


def check_address(address: str) -> None:
    """Raise UsageError if this cannot be the address of a scheduler."""
    if not re.fullmatch(r"\w+://.+:\d+", address):
        shown = without_secrets(address)
        raise UsageError(f"{shown!r} is not the address of a scheduler: tcp://HOST:PORT")


class ClusterExecutor(Executor):
    """Sends games to a Dask scheduler.

    If a worker dies, another one plays its game again; a game that has lost several workers breaks the
    executor, as a dying process breaks a process pool.

    Parameters
    ----------
    address : str
        ``tcp://host:port`` of the scheduler.
    specs : sequence of str
        The players: workers must have them, and the same models for them.

    Raises
    ------
    MissingExtraError
        If ``distributed`` is not installed.
    UsageError
        If the address is malformed, or the certificates of Dask's configuration cannot be used.
    ModelError
        If a model is missing or damaged on this machine.
    ConnectionLostError
        If no scheduler answers, or a worker does not, has other versions or models, or lacks a player.
    """

    def __init__(self, address: str, specs: Sequence[str] = ()) -> None:
        check_address(address)
        self._address = without_secrets(address)
        distributed = _silent_distributed()
        self._needs = Needs.here(specs)
        with _as_lost_connection(self._address):
            self._client = _connected(distributed.Client, address)
            with contextlib.ExitStack() as on_failure:
                on_failure.callback(self._leave)
                self._check_workers()
                on_failure.pop_all()
        self._pickled = distributed.protocol.pickle.dumps
        self._killed = distributed.scheduler.KilledWorker
        self._inner = self._client.get_executor(pure=False)
        self._lock = threading.Lock()
        self._pending: set[Future[Any]] = set()
        self._broken = False  # once the scheduler no longer answers
        self._closed = threading.Event()
        threading.Thread(target=self._watch, name="scheduler", daemon=True).start()

    def _check_workers(self) -> None:
        """Check that every worker has what this machine has: games travel between them pickled.

        Each is asked by itself, all at the same time: so it is known which of them does not answer.
        """
        workers = list(self._threads())
        asking: DaemonThreads[str | None] = DaemonThreads(len(workers))
        answers = {worker: asking.submit(partial(self._trouble_with, worker)) for worker in workers}
        asking.dismiss()
        until = time.monotonic() + ANSWER_SECONDS
        for worker, answer in answers.items():
            try:
                trouble = answer.result(max(0.0, until - time.monotonic()))
            except LateError:
                trouble = f"has not answered for {ANSWER_SECONDS:g} s"
            if trouble is not None:
                raise ConnectionLostError(f"the worker {worker} of {self._address!r} {trouble}")

    def _trouble_with(self, worker: str) -> str | None:
        """Ask a worker what it has that this machine has not."""
        ask = partial(self._client.run, workers=[worker], on_error="return")
        version = ask(metadata.version, "manue")[worker]  # a worker of any version understands this question
        ours = dict(self._needs.versions)["manue"]
        if isinstance(version, str) and version != ours:
            return f"has manue {printable(version)}, this machine {ours}"
        trouble = version if isinstance(version, BaseException) else ask(mismatch, self._needs)[worker]
        if isinstance(trouble, BaseException):
            return f"cannot play: {printable(trouble) or type(trouble).__name__}"
        return None if trouble is None else printable(trouble)

    @property
    def slots(self) -> int:
        """Threads of all workers connected at the moment."""
        return sum(self._threads().values())

    def _threads(self) -> dict[str, int]:
        """Return the threads of every worker; raises ConnectionLostError if the scheduler is mute."""
        ask = self._client.scheduler.ncores
        try:
            threads: dict[str, int] = self._client.sync(ask, callback_timeout=ANSWER_SECONDS)
        except asyncio.TimeoutError:
            silent = f"the scheduler at {self._address!r} has not answered for {ANSWER_SECONDS:g} s"
            raise ConnectionLostError(silent) from None
        return threads

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a call to the cluster."""
        sent = self._pickled(_Sent(self._needs, partial(fn, *args, **kwargs)))
        inner: Future[Any] = self._inner.submit(pickle.loads, sent)
        outer: Future[Any] = Future()
        with self._lock:
            self._pending.add(outer)
            broken = self._broken
        if broken:  # nobody watches any more
            self._break()
        inner.add_done_callback(partial(self._hand_over, outer))
        outer.add_done_callback(lambda future: inner.cancel() if future.cancelled() else None)
        return outer

    def _hand_over(self, outer: Future[Any], done: Future[Any]) -> None:
        """Pass the result or the error of the cluster's task on to the caller."""
        if not self._claims(outer):
            return
        error = BrokenExecutor("the cluster gave up on the game") if done.cancelled() else done.exception()
        if isinstance(error, self._killed):
            error = BrokenExecutor(str(error))
        if error is None:
            outer.set_result(done.result())
        elif isinstance(error, ManueError | BrokenExecutor):
            outer.set_exception(error)
        else:  # beside the event loop that calls us: workers are asked by it
            threading.Thread(target=self._fail, args=(outer, error), daemon=True).start()

    def _fail(self, outer: Future[Any], error: BaseException) -> None:
        """Fail a call by what is wrong with a worker, if anything is: another version cannot read a game."""
        try:
            self._check_workers()
        except Exception as reason:  # noqa: BLE001  the scheduler may be gone by now
            error = reason if isinstance(reason, ConnectionLostError) else error
        outer.set_exception(error)

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
            self._broken = True
            pending = tuple(self._pending)
        for outer in pending:
            if self._claims(outer):
                outer.set_exception(BrokenExecutor("the scheduler no longer answers"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - inherited
        """Leave the cluster; unfinished games are lost, and played again on resuming."""
        del wait, cancel_futures
        self._closed.set()
        self._leave()

    def _leave(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone, or mute
            self._client.close(timeout=CONNECT_SECONDS)
