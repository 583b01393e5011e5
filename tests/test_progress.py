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
        advance(20)
    assert capsys.readouterr().err.splitlines() == [
        "worlds: 20 of 2,000",
        "worlds: 40 of 2,000, 980 s left",
    ]


def test_the_time_left_is_not_guessed_from_a_few_of_many_steps(monkeypatch, capsys):
    """A review of a game began with "3 of 1,043, 6104 s left", because code was compiled among them."""
    seconds = iter([0.0, 1.0, 13.0, 24.0])
    monkeypatch.setattr(progress, "EVERY_SECONDS", 10.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    advance = progress.lines_of_progress("reviewing", 1_043)
    for steps in (1, 2, 20):
        advance(steps)
    assert capsys.readouterr().err.splitlines() == [
        "reviewing: 3 of 1,043",
        "reviewing: 23 of 1,043, 1066 s left",
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
