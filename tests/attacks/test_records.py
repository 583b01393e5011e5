"""Small files that became gigabytes: bounded in memory, and refused in one line."""

import gzip
import json
import subprocess
import sys

import pytest

MIB = 300
LIMITED = """
import resource, sys
from pathlib import Path
from manue.errors import LogError
from manue.records.formats import read_record

used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
most = used + {mib} * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
try:
    read_record(sys.argv[1])
except LogError as error:
    print(f"refused: {{error}}")
"""


def mjlog(inside):
    return f'<mjloggm ver="2.3">{inside}</mjloggm>'.encode()


def tenhou_json(entry):
    return json.dumps({"name": ["a", "b", "c", "d"], "log": [entry]}).encode()


ROUND = [[0, 0, 0], [25_000] * 4, [11], [], *[[11] * 13, [11], [11]] * 4]
EVENT = b'{"type":"none"}\n'
RECORDS = {
    "lines of nothing": gzip.compress(b"\n" * (80 << 20)),
    "many events": gzip.compress(EVENT * 4_000_000),
    "one array": gzip.compress(b"[" + b"{}," * 20_000_000 + b"{}]"),
    "an array of events": gzip.compress(b"[" + b'{"type":"none"},' * 4_000_000 + b'{"type":"none"}]'),
    "deep": b"[" * 1_000_000,
    "deep object": b'{"log":' * 100_000 + b"1" + b"}" * 100_000,
    "an object": gzip.compress(b'{"log":[' + b"[]," * 20_000_000 + b"[]]}"),
    "elements": mjlog("<a/>" * 16_000),
    "a million elements": gzip.compress(mjlog("<a/>" * 10_000_000)),
    "deep elements": mjlog("<a>" * 150_000 + "</a>" * 150_000),
    "attributes": mjlog("<a " + " ".join(f"a{n}='1'" for n in range(60_000)) + "/>"),
    "a long number": mjlog(f"<INIT seed='{'1' * 60_000},0,0,0,0,0' ten='250'/>"),
    "a digit string": tenhou_json([*ROUND, ["和了", [0] * 4, [0, 0, 0, "1" * 60_000]]]),
    "a long call": tenhou_json([*ROUND[:5], ["11" * 30_000 + "x"], *ROUND[6:], ["流局"]]),
    "digits and points": tenhou_json(
        [*ROUND, ["和了", [0] * 4, [0, 0, 0, "1" * 30_000 + "-" + "1" * 30_000]]]
    ),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_small_file_became_gigabytes(name, tmp_path):
    """Each is read or refused within 300 MiB and a minute of processor time (on a loaded machine)."""
    path = tmp_path / "record"
    path.write_bytes(RECORDS[name])
    assert path.stat().st_size <= 2 << 20
    run = subprocess.run(
        [sys.executable, "-c", LIMITED.format(mib=MIB), path], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
