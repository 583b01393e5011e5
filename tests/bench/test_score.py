"""All figures of scoring are measured and have units; their size is for the reader to judge."""

from manue.bench import score as bench_score
from manue.bench import timing


def test_every_figure_is_measured(monkeypatch):
    monkeypatch.setattr(timing, "REPEATS", 1)
    monkeypatch.setattr(bench_score, "TARGETS", 100)
    monkeypatch.setattr(bench_score, "CALLS", 20)
    rows = bench_score.measure_score()
    assert [name.partition(":")[0] for name, _, _ in rows][2:] == ["mahjong", "riichienv"]
    assert len(rows) == 4
    assert all(value > 0 for _, value, _ in rows)
    assert {unit for _, _, unit in rows} == {"ns", "ns a target hand"}
