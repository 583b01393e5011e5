"""Threads that do not delay the end of the program."""

import threading

from manue.daemon_threads import DaemonThreads

PATIENCE = 600.0
"""Seconds after which a test fails instead of waiting on."""


def test_threads_work_side_by_side_and_give_back_what_they_find():
    together = threading.Barrier(3)
    threads: DaemonThreads[int] = DaemonThreads(3)
    first = [threads.submit(lambda: together.wait(PATIENCE)) for _ in range(3)]
    assert sorted(future.result(PATIENCE) for future in first) == [0, 1, 2]
    failed = threads.submit(lambda: 1 // 0)
    assert isinstance(failed.exception(PATIENCE), ZeroDivisionError)
    names = {thread.name for thread in threading.enumerate() if thread.name.startswith("daemon")}
    assert len(names) >= 3
    threads.dismiss()


def test_a_task_that_is_cancelled_before_it_begins_never_does():
    threads: DaemonThreads[object] = DaemonThreads(1)
    gate, done = threading.Event(), []
    first = threads.submit(lambda: gate.wait(PATIENCE))
    second = threads.submit(lambda: done.append(2))
    third = threads.submit(lambda: done.append(3))
    assert second.cancel()
    gate.set()
    assert first.result(PATIENCE) is True
    third.result(PATIENCE)
    assert done == [3]
    threads.dismiss()
