"""What a match shows while it runs, and its result tables."""

import re
from types import SimpleNamespace

import pytest
from rich.console import Console

from manue.match import progress, tables
from manue.match.summary import Summary, failed_in_every_game
from tests.match.test_summary import IN_TIME, line, summary_of_two_games


def entry(game, faults=()):
    scores = (40_000, 30_000, 20_000, 10_000)
    return line(game, game, list("abcd"), [1, 2, 3, 4], scores) | {"faults": list(faults)}


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


def test_a_game_that_waits_for_an_earlier_one_is_counted_on_a_terminal(monkeypatch):
    shown = SimpleNamespace(isatty=lambda: True)
    bar = progress._bar()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=shown))
    monkeypatch.setattr(progress, "_bar", lambda: bar)
    with progress.match_progress(4, 1) as on_result:
        on_result(entry(2), Summary(block=1))
        assert bar.tasks[0].completed == 2


def test_rate_and_time_left_are_those_of_the_games_of_this_run(monkeypatch, capsys):
    """A game takes 30 seconds, and two of ten were played before."""
    seconds = iter((0.0, 0.0, *[30.0] * 2, *[60.0] * 2))
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    with progress.match_progress(10, 2) as on_result:
        on_result(entry(2), Summary(block=1))
        on_result(entry(3), Summary(block=1))
    assert capsys.readouterr().err.splitlines() == [
        "3/10 games, 2 per minute, 210 s left",
        "4/10 games, 2 per minute, 180 s left",
    ]


def test_every_figure_stands_below_its_heading(capsys):
    tables.print_summary(summary_of_two_games())
    title, _, heads, _, first, *_ = capsys.readouterr().out.splitlines()
    assert title.strip() == "2 games, 10 rounds"
    heads, cells = (re.split(" *[┃│] *", line.strip("┃│ ")) for line in (heads, first))
    row = dict(zip(heads, cells, strict=True))
    assert row.pop("placement").startswith("1.500 ± ")
    assert row == {
        "agent": "a",
        "seats": "2",
        "1st/2nd/3rd/4th": "1/1/0/0",
        "points": "36000",
        "win %": "20.0",
        "deal-in %": "30.0",
        "riichi %": "40.0",
        "call %": "50.0",
        "ms median": "-",
        "ms p99": "-",
        "faults": "0",
    }


def test_the_first_fault_of_an_agent_is_reported_with_its_reason(capsys):
    fault = {"seat": 1, "kind": "died", "reason": "ended with 1; no module named mybot"}
    with progress.match_progress(4, 0) as on_result:
        on_result(entry(0, [fault]), Summary(block=1))
        on_result(entry(1, [fault]), Summary(block=1))
    assert capsys.readouterr().err == "game 0: b in seat 1, died: ended with 1; no module named mybot\n"


@pytest.mark.parametrize(
    ("per_minute", "text"),
    [
        (1200.4, "1200 per minute"),
        (1.0, "1 per minute"),
        (0.8, "1 game in 75 s"),
        (0.06, "1 game in 17 min"),
    ],
)
def test_slow_games_are_counted_in_minutes_each(per_minute, text):
    """It said 0 per minute."""
    assert progress.rate_text(per_minute) == text


def test_who_failed_in_every_game_is_named(capsys):
    died = {"seat": 1, "kind": "died", "reason": "it closed its output", "lost": True}
    late = {"seat": 2, "kind": "late", "reason": "too late", "lost": True}
    summary = Summary(block=1)
    for game in range(2):
        summary.add(entry(game, [died, late]) | {"timings": [IN_TIME] * 4})
    summary.finish()
    assert failed_in_every_game(summary.to_json()) == ["b"]
    tables.print_summary(summary.to_json())
    assert "b failed in every game" in capsys.readouterr().out
    summary.add(entry(2, [late]))
    assert failed_in_every_game(summary.to_json()) == []


def test_the_table_names_its_agents_in_80_columns(monkeypatch, capsys):
    """Regression: on a terminal of 80 columns the column of agents was squeezed to nothing."""
    monkeypatch.setattr(tables, "Console", lambda **_: Console(width=80))
    summary = Summary(block=1)
    for game in range(3):
        summary.add(entry(game) | {"agents": ["greedy", "tsumogiri", "rules", "manue"]})
    summary.finish()
    tables.print_summary(summary.to_json())
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    for word in ("greedy", "tsumogiri", "rules", "manue", "placement", "3/0/0/0", "faults"):
        assert word in shown
