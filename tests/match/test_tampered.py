"""A folder of results that somebody changed: its report runs no script."""

import json
import shutil

import pytest

from manue.__main__ import main
from manue.match.report import write_report
from manue.match.summary import Summary
from tests.match.test_match import SEATS, run

SCRIPT = "'><script>document.title = 'owned'</script>"


def test_a_tampered_line_of_results_ran_a_script(tmp_path):
    line = {"game": 0, "wall": SCRIPT, "agents": [SCRIPT, "b", "c", "d"], "scores": [25_000] * 4}
    line |= {"placements": [1, 2, 3, 4], "rounds": 1, "draws": 0, "seats": [{"rounds": 1}] * 4}
    line |= {"timings": [{"total_ms": 0, "max_ms": 0, "bins": {}}] * 4, "log": f"x{SCRIPT}"}
    line["faults"] = [{"seat": 0, "kind": SCRIPT, "reason": SCRIPT, "round": 0, "event": 0}]
    summary = Summary(1)
    summary.add(line)
    summary.finish()
    shown = write_report(tmp_path, [line], json.loads(json.dumps(summary.to_json()))).read_text()
    assert "<script" not in shown
    assert "Content-Security-Policy" in shown.split("<title>")[0]
    assert "script-src" not in shown  # default-src 'none' forbids all
    assert "&lt;script&gt;" in shown


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    pytest.importorskip("riichienv")
    path = tmp_path_factory.mktemp("match")
    run(path, games=1)
    return path


def resumed(path, capsys, games=1):
    options = ["--seats", ",".join(SEATS), "--seed", "11", "--east", "--games", str(games), "--workers", "1"]
    code = main(["match", *options, "--resume", "--out", str(path)])
    return code, capsys.readouterr().err


CHANGES = [
    {"game": "0"},
    {"game": -1},
    {"agents": ["a"]},
    {"agents": None},
    {"agents": ["a", "b", "\ud800", "d"]},
    {"scores": [1, 2, 3]},
    {"scores": [25_000, 25_000, 25_000, 10**400]},
    {"draws": 10**400},
    {"seats": [{"rounds": 10**400}] * 4},
    {"placements": [1, 2, 3, 9]},
    {"rounds": None},
    {"seats": [{}]},
    {"seats": [{"unknown": 1}] * 4},
    {"timings": []},
    {"timings": [{"total_ms": 1, "max_ms": 1, "bins": {"x": 1}}] * 4},
    {"timings": [{"total_ms": float("nan"), "max_ms": 1, "bins": {}}] * 4},
    {"faults": [{}]},
    {"faults": [{"seat": 7, "kind": "late", "reason": ""}]},
    {"faults": [{"seat": 0, "kind": "late", "reason": "", "lost": "no"}]},
    {"situations": 7},
    {"situations": [{}] * 4},
    {"situations": [{"start": 25_000, "cells": {}}] * 4},
    {"situations": [{"start": 25_000, "cells": {"closed/none/win/early": [0, 0, 0]}}] * 4},
    {"situations": [{"start": 25_000, "cells": {"x": [1, 0, 0]}}] * 4},
    {"situations": [{"start": 25_000, "cells": {"closed/none/win/never": [1, 0, 0]}}] * 4},
    {"situations": [{"start": 25_000, "cells": {"closed/none/win/early": [1, 0]}}] * 4},
    {"situations": [{"start": 25_000, "cells": {"closed/none/win/early": [1, 0, 10**400]}}] * 4},
    {"log": 7},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change)[:40])
def test_a_tampered_line_of_results_was_a_traceback(change, played, tmp_path, capsys):
    shutil.copytree(played, tmp_path / "m")
    results = tmp_path / "m" / "results.jsonl"
    results.write_text(json.dumps(json.loads(results.read_text()) | change) + "\n")
    code, error = resumed(tmp_path / "m", capsys)
    assert code == 2
    assert error.count("\n") == 1
    assert "results.jsonl, line 1: " in error


def test_results_without_a_description_were_taken_for_any_match(played, tmp_path, capsys):
    shutil.copytree(played, tmp_path / "m")
    (tmp_path / "m" / "match.json").unlink()
    code, error = resumed(tmp_path / "m", capsys)
    assert code == 2
    assert error.endswith("holds results but no match.json, which says of what match they are\n")
    assert (tmp_path / "m" / "results.jsonl").read_bytes() == (played / "results.jsonl").read_bytes()


@pytest.mark.parametrize("schedule", [7, [], [[]], [7], [["a"]], [["a", "b", "c", None]]])
def test_a_tampered_schedule_is_another_match(schedule, played, tmp_path, capsys):
    shutil.copytree(played, tmp_path / "m")
    described = json.loads((tmp_path / "m" / "match.json").read_text())
    (tmp_path / "m" / "match.json").write_text(json.dumps(described | {"schedule": schedule}))
    code, error = resumed(tmp_path / "m", capsys)
    assert code == 2
    assert error.startswith(f"manue: {tmp_path / 'm'} holds another match, ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("text", ["[]", "{", "[" * 100_000, "null", '"x"', '{"format": 1}'])
def test_a_tampered_description_was_a_traceback(text, played, tmp_path, capsys):
    shutil.copytree(played, tmp_path / "m")
    (tmp_path / "m" / "match.json").write_text(text)
    code, error = resumed(tmp_path / "m", capsys)
    assert code == 2
    assert error.count("\n") == 1


@pytest.mark.parametrize("change", [{"more": None}, {"played_by": 7}, {"played_by": {"manue": None}}])
def test_a_tampered_key_of_the_description_was_a_traceback(change, played, tmp_path, capsys):
    shutil.copytree(played, tmp_path / "m")
    described = json.loads((tmp_path / "m" / "match.json").read_text())
    (tmp_path / "m" / "match.json").write_text(json.dumps(described | change))
    code, error = resumed(tmp_path / "m", capsys, games=2)
    assert code == 2
    assert error.count("\n") == 1
