"""Worker processes end with the process that started them, however it ends."""

import os
import select
import signal
import subprocess
import sys

import pytest

from manue.workers import WorkerPool

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


def test_ctrl_c_in_a_terminal_was_a_traceback_of_an_idle_worker():
    """A terminal sends it to all processes of a command; the one that has workers ends them."""
    with WorkerPool(1) as pool:
        assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN


def _ends(pid, seconds=120):
    """Wait for a process that is nobody's child here; return whether it ended."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = select.select([process], [], [], seconds)
    os.close(process)
    return bool(ended)
