import gzip
import os
import signal
import subprocess
import sys
from contextlib import nullcontext

import pytest

from manue.errors import LogError
from manue.game.events import DoraRevealed
from manue.records.archive import read_log
from manue.records.log_writer import HeldLog, LogWriter
from tests.records.test_archive import LINES, events_before_error


@pytest.mark.parametrize("name", ["out.mjson", "out.mjson.gz"])
def test_what_is_written_is_read_at_every_moment(tmp_path, name):
    path = tmp_path / name
    with LogWriter(path) as log:
        for count, line in enumerate(LINES, 1):
            log.write(line)
            done = []
            with pytest.raises(LogError, match="cut short") if name.endswith(".gz") else nullcontext():
                done.extend(read_log(path))
            assert [entry.fields() for entry in done] == LINES[:count]
        log.write(
            DoraRevealed("5sr"),
            logs=["why", None, None, None],
            meta=[{"manue": {"x": 1.5}}, None, None, None],
        )
    *_, last = read_log(path)
    assert last.event == DoraRevealed("5sr")
    assert last.message.logs == ["why", None, None, None]
    assert last.message.meta[0] == {"manue": {"x": 1.5}}


@pytest.mark.parametrize("value", [2**70, -(2**64), 2**64 - 1, 1e300, "\u2028\U0001f004"])
def test_whatever_others_annotate_is_written(tmp_path, value):
    path = tmp_path / "out.mjson.gz"
    log = HeldLog()
    log.write(LINES[0], meta=[{"x": value}, {"y": float("nan")}, None, None])
    path.write_bytes(log.gzipped())
    (entry,) = read_log(path)
    assert entry.fields()["meta"] == [{"x": value}, {"y": None}, None, None]


def test_a_log_in_memory_is_the_same_as_a_file(tmp_path):
    held, path = HeldLog(), tmp_path / "out.mjson.gz"
    with LogWriter(path) as log:
        for line in LINES:
            log.write(line, ["why", None, None, None])
            held.write(line, ["why", None, None, None])
    assert gzip.decompress(held.gzipped()) == gzip.decompress(path.read_bytes())


KILLED = """
import os, signal, sys
from manue.records.log_writer import LogWriter
log = LogWriter(sys.argv[1])
for _ in range(300):
    log.write({"type": "tsumo", "actor": 1, "pai": "?"})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_leaves_every_complete_event(tmp_path):
    path = tmp_path / "killed.mjson.gz"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, env=os.environ)
    assert ended.returncode == -signal.SIGKILL
    entries, error = events_before_error(path)
    assert len(entries) == 300
    assert "cut short; the last complete line is 300" in error


def test_an_unwritable_log_is_a_clear_error(tmp_path):
    with pytest.raises(LogError, match="Is a directory"):
        LogWriter(tmp_path)
