from manue.commands.bench_arena import measure_arena, measure_scaling


def test_rows():
    rows = measure_arena("tsumogiri", games=1) + measure_scaling("tsumogiri", games=4)
    assert len({(name, unit) for name, _, unit in rows}) == len(rows) == 8
    assert all(value > 0 for _, value, _ in rows)
