"""What a match tells while it runs."""

from manue.arena import progress
from manue.arena.summary import Summary
from tests.arena.test_summary import line


def entry(game):
    return line(game, game, list("abcd"), [1, 2, 3, 4], (40_000, 30_000, 20_000, 10_000))


def test_a_game_that_waits_for_an_earlier_one_is_counted_when_piped(monkeypatch, capsys):
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.0)
    summary = Summary(block=1)
    with progress.match_progress(4, 0) as on_result:
        on_result(entry(1), summary)  # game 0 is not there yet: nothing counts
        summary.add(entry(0))
        summary.add(entry(1))
        on_result(entry(0), summary)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("1/4 games, ")
    assert first.endswith(" s left")
    assert second.startswith("2/4 games, ")
    assert second.endswith(" s left: a 1.00, b 2.00, c 3.00, d 4.00")
