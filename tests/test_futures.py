"""Results come in order, and a signal as they are awaited or dropped leaves nothing that waits for ever."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from manue.futures import ThreadPool, in_order
from manue.workers import WorkerPool

DROPPING = """
import signal
import time
from concurrent.futures import Future

from manue.futures import ThreadPool
from manue.workers import WorkerPool

cancelled = Future.cancel

asked = []

def cancel(future):
    while not (asked or future.running() or future.done()):
        time.sleep(0.001)  # it is the next in turn, and about to begin
    asked.append(future)
    if future.running():
        future._condition.acquire()
        signal.raise_signal(signal.SIGINT)
        future._condition.release()
    return cancelled(future)

def work(number):
    if not number:
        raise ValueError
    time.sleep(0.5)

if __name__ == "__main__":
    Future.cancel = cancel
    try:
        with {pool}(2) as pool:
            list(pool.map(work, range(9)))
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.parametrize("pool", ["ThreadPool", "WorkerPool"])
def test_ctrl_c_as_work_was_dropped_left_a_lock_held(pool, tmp_path):
    """What did the work then waited for it, and `manue train`, `compare` or `learn` for that."""
    script = tmp_path / "dropping.py"
    script.write_text(DROPPING.format(pool=pool))
    command = [sys.executable, script]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


@pytest.mark.parametrize(
    ("pool", "base"), [(ThreadPool, ThreadPoolExecutor), (WorkerPool, ProcessPoolExecutor)]
)
def test_ctrl_c_while_work_is_handed_in_left_a_lock_behind(monkeypatch, pool, base):
    """The command then hung as it ended."""
    handed_in = []

    def submit(_pool, work):
        signal.raise_signal(signal.SIGINT)
        handed_in.append(work)

    monkeypatch.setattr(base, "submit", submit)
    with pool(1) as workers:
        with pytest.raises(KeyboardInterrupt):
            workers.submit(os.getpid)
        assert handed_in == [os.getpid]


def shut_down_and_interrupted(pool):
    """Wait for the pool, and be interrupted meanwhile; on a busy machine it may be just before."""
    threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
    pool.shutdown()


def test_a_thread_waited_for_in_vain_was_taken_for_ended():
    """The command exited in the middle of its work: `resource_tracker` warned of what it had not freed."""
    work = threading.Event()
    with ThreadPool(1) as pool:
        pool.submit(work.wait)
        (thread,) = pool._threads
        with pytest.raises(KeyboardInterrupt):
            shut_down_and_interrupted(pool)
        assert thread.is_alive()
        work.set()
    assert not thread.is_alive()


def test_the_thread_of_processes_that_are_waited_for_in_vain_is_waited_for_as_they_are_ended(monkeypatch):
    monkeypatch.setattr("manue.workers.TERMINATE_SECONDS", 60.0)
    pool = WorkerPool(1, ignore_interrupts=True)
    pool.submit(time.sleep, 3600)
    thread = pool._executor_manager_thread
    with pytest.raises(KeyboardInterrupt):
        shut_down_and_interrupted(pool)
    assert thread.is_alive()
    pool.end()
    assert not thread.is_alive()


def test_results_come_in_the_order_of_their_futures():
    futures = [Future() for _ in range(3)]
    for number in (2, 0, 1):
        futures[number].set_result(number)
    assert list(in_order(futures)) == [0, 1, 2]


def test_a_failure_comes_in_its_place_and_the_rest_is_dropped():
    futures = [Future() for _ in range(3)]
    futures[1].set_exception(ValueError("in its place"))
    futures[0].set_result("first")
    results = in_order(futures)
    assert next(results) == "first"
    with pytest.raises(ValueError, match="in its place"):
        next(results)
    assert futures[2].cancelled()


@pytest.mark.parametrize("pool", [ThreadPool, WorkerPool])
@pytest.mark.parametrize("chunksize", [1, 3])
def test_work_on_several_items_gives_a_result_for_each(pool, chunksize):
    with pool(2) as workers:
        assert list(workers.map(pow, range(7), itertools.repeat(2), chunksize=chunksize)) == [
            number**2 for number in range(7)
        ]
