"""How many cores are ours: those of the machine are not all a container's, or a job's."""

import os

import pytest

from manue.cores import available_cores
from manue.workers import WorkerPool


@pytest.mark.parametrize(
    ("text", "cores"),
    [("100000 100000", 1), ("150000 100000\n", 2), ("5000 100000", 1), ("max 100000", 8), ("", 8)],
)
def test_a_container_got_processes_for_all_cores_of_its_machine(text, cores, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8))
    (tmp_path / "cpu.max").write_text(text)
    assert available_cores(tmp_path / "cpu.max") == cores


def test_a_process_kept_to_one_core_got_others_for_all(tmp_path):
    with WorkerPool(1) as pool:
        assert pool.submit(_cores_when_kept_to_one, tmp_path / "none").result() == 1


def _cores_when_kept_to_one(cpu_max):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return available_cores(cpu_max)
