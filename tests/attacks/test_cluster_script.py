"""`scripts/cluster` is reachable from this machine alone: Dask runs whatever code reaches it."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import free_port

pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "cluster"


def started_cluster(folder, port=None):
    """Start the script with this environment instead of one of its own."""
    shutil.copy(SCRIPT, folder / "cluster")
    (folder / "environment").write_text("")
    if port is None:
        port = free_port()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        ["bash", folder / "cluster", "2", str(port)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PATH": path},
        start_new_session=True,
    )


def listening(process):
    """Return the addresses on which a process and its descendants listen."""
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    sockets = [one for member in family for one in member.net_connections("inet")]
    return [one.laddr for one in sockets if one.status == psutil.CONN_LISTEN]


def test_the_usage_was_a_failure_of_sed_from_another_folder():
    ran = subprocess.run(
        ["bash", "cluster", "--help"], cwd=SCRIPT.parent, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert "usage: scripts/cluster [WORKERS] [PORT]" in ran.stderr


def test_workers_and_dashboards_listened_on_all_interfaces(tmp_path):
    cluster = started_cluster(tmp_path)
    try:
        registered = 0
        for line in cluster.stderr:
            registered += "Starting established connection to tcp" in line
            if registered >= 4:  # two workers and the scheduler's view of each
                break
        addresses = listening(cluster)
    finally:
        os.killpg(cluster.pid, signal.SIGKILL)
        cluster.communicate()
    assert len(addresses) >= 5  # the scheduler, two workers, two nannies
    assert {address.ip for address in addresses} == {"127.0.0.1"}


def test_workers_waited_for_a_scheduler_that_had_failed(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        cluster = started_cluster(tmp_path, taken.getsockname()[1])
        try:
            cluster.communicate(timeout=300)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(cluster.pid, signal.SIGKILL)
    assert cluster.returncode not in {0, -signal.SIGKILL}
