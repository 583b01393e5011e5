"""Worker processes end with the process that started them, however it ends."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import os
import time
from manue.workers import worker_pool

if __name__ == "__main__":
    pool = worker_pool(1)
    print(pool.submit(os.getpid).result(), flush=True)
    for _ in range(4):
        pool.submit(time.sleep, 60)
    time.sleep(60)
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_workers_of_a_killed_process_end_in_the_middle_of_their_work(tmp_path, sign):
    """They went on with what was queued, for nobody."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        worker = int(parent.stdout.readline())
        parent.send_signal(sign)
        parent.wait()
        deadline = time.monotonic() + 10
        while _runs(worker) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert not _runs(worker)


def _runs(pid):
    """A zombie that nobody waits for has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
