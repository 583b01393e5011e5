"""A folder of results that somebody changed: its report runs no script."""

import json

from manue.match.report import write_report
from manue.match.summary import Summary

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
