"""Worker processes end with the process that started them, however it ends."""

import errno
import os
import select
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures.process import _ExecutorManagerThread

import pytest

from manue.workers import WorkerPool, _Context
from tests.waiting import wait_until

PARENT = """
import os
import time
from manue.workers import WorkerPool

if __name__ == "__main__":
    pool = WorkerPool(1)
    print(pool.submit(os.getpid).result(), flush=True)
    for _ in range(4):
        pool.submit(time.sleep, 60)
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux to wait for a process of another")
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_workers_of_a_killed_process_end_in_the_middle_of_their_work(tmp_path, sign):
    """They went on with what was queued, for nobody."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        worker = int(parent.stdout.readline())
        parent.send_signal(sign)
        parent.wait()
        assert _ends(worker)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP], ids=["Ctrl-C", "closed"])
def test_ctrl_c_in_a_terminal_was_a_traceback_of_an_idle_worker(number):
    """A terminal sends it to all processes of a command; the one that has workers ends them."""
    with WorkerPool(1) as pool:
        assert pool.submit(signal.getsignal, number).result() == signal.SIG_IGN


INTERRUPTED = """
import os
import signal
import time
from manue.workers import WorkerPool

if __name__ == "__mp_main__":
    signal.raise_signal(signal.SIGINT)  # a terminal sends it to a worker that is starting, too

def work(number):
    if number == 1:
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)

if __name__ == "__main__":
    try:
        with WorkerPool(1) as pool:
            for _ in pool.map(work, range(50)):
                pass
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_ctrl_c_was_a_traceback_of_a_starting_worker_and_of_the_thread_of_the_pool(tmp_path):
    """That thread failed on what was cancelled, on Pythons before 3.12."""
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_the_thread_of_a_pool_that_was_ended_went_on(monkeypatch):
    """At the end of the program it could close the pipe that Python writes to: "Bad file descriptor"."""
    monkeypatch.setattr("manue.workers.TERMINATE_SECONDS", 60.0)
    with WorkerPool(1) as pool:
        pool.submit(time.sleep, 3600)
        thread = pool._executor_manager_thread
        pool.end()
        assert not thread.is_alive()


def test_work_that_was_dropped_came_back_as_the_block_was_left(monkeypatch):
    """The thread of the pool then failed on it, if it was late, on Pythons before 3.12."""
    left = threading.Event()
    note_the_end = _ExecutorManagerThread.flag_executor_shutting_down

    def late(thread):
        left.wait(60)
        note_the_end(thread)

    monkeypatch.setattr(_ExecutorManagerThread, "flag_executor_shutting_down", late)
    with WorkerPool(1) as pool:
        work = [pool.submit(time.sleep, 60) for _ in range(20)]
        while not work[1].running():  # the queue of the process takes no more, until it takes one itself
            time.sleep(0.01)
        dropped = [one for one in work if one.cancel()]  # as `map` does when it is interrupted
        thread = pool._executor_manager_thread
        pool.end()
    left.set()
    thread.join(60)
    assert dropped
    assert not thread.is_alive()


def test_a_second_ctrl_c_as_workers_were_ended_left_them_working(monkeypatch):
    """The command then waited for their work, and no longer for a third."""
    shut_down = WorkerPool.shutdown

    def interrupted(pool, *args, **kwargs):
        monkeypatch.undo()
        signal.raise_signal(signal.SIGINT)
        shut_down(pool, *args, **kwargs)

    pool = WorkerPool(1)
    pool.submit(time.sleep, 3600)
    monkeypatch.setattr(WorkerPool, "shutdown", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    wait_until(lambda: not any(process.is_alive() for process in pool._context.spawned))


def test_where_processes_can_share_no_lock_the_system_named_no_place(monkeypatch):
    """As in a container whose `/dev/shm` is full, or read-only."""

    def full(_context):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_Context, "SimpleQueue", full)
    with pytest.raises(OSError, match="No space left on device: '/dev/shm'"):
        WorkerPool(1)


def _ends(pid, seconds=120):
    """Wait for a process that is nobody's child here; return whether it ended."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = select.select([process], [], [], seconds)
    os.close(process)
    return bool(ended)
