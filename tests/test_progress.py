"""Lines of progress where nobody watches a bar."""

from types import SimpleNamespace

from manue import progress


def test_the_time_left_goes_by_the_steps_after_the_first(monkeypatch, capsys):
    """The start of the workers, and what they compile before the first step, counted as work."""
    seconds = iter([0.0, 100.0, 110.0])
    monkeypatch.setattr(progress, "EVERY_SECONDS", 10.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    advance = progress.lines_of_progress("worlds", 2_000)
    for _ in range(2):
        advance(10)
    assert capsys.readouterr().err.splitlines() == [
        "worlds: 10 of 2,000",
        "worlds: 20 of 2,000, 1980 s left",
    ]


def test_a_line_comes_now_and_then(monkeypatch, capsys):
    seconds = iter([0.0, 9.0, 11.0, 20.0, 22.0])
    monkeypatch.setattr(progress, "EVERY_SECONDS", 10.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    advance = progress.lines_of_progress("games", 12)
    for _ in range(4):
        advance(2)
    assert capsys.readouterr().err.splitlines() == [
        "games: 4 of 12, 8 s left",
        "games: 8 of 12, 9 s left",
    ]
