"""All figures of the hand mathematics are measured and have units; their size is for the reader to judge."""

from manue.bench import hand as bench_hand
from manue.bench import timing


def test_every_figure_is_measured(monkeypatch):
    monkeypatch.setattr(bench_hand, "HANDS", 20_000)  # enough to hold tenpai hands
    monkeypatch.setattr(timing, "CALLS", 20)
    monkeypatch.setattr(bench_hand, "TREES", 1)
    monkeypatch.setattr(timing, "REPEATS", 1)
    rows = bench_hand.measure_hand()
    assert len({(name, unit) for name, _, unit in rows}) == len(rows) >= 51
    assert all(value > 0 for _, value, _ in rows)
    assert {unit for _, _, unit in rows} == {"ms", "s", "ns a hand", "ns", "nodes", "edges", "leaves"}
