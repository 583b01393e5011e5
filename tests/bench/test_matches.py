import pytest

from manue.bench.matches import measure_arena, measure_scaling


def test_rows():
    rows = measure_arena("tsumogiri", games=1) + measure_scaling("tsumogiri", games=4)
    assert len({(name, unit) for name, _, unit in rows}) == len(rows) == 11
    assert all(value > 0 for _, value, _ in rows)


def test_shares_make_a_whole_with_and_without_logs():
    shares = [value for _, value, unit in measure_arena("tsumogiri", games=1) if unit == "% of the core"]
    assert [sum(shares[:3]), sum(shares[3:])] == pytest.approx([100, 100])
