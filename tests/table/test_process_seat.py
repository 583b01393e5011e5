"""Seats played by programs: three dialects, and everything a bad program can do."""

import gzip
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.errors import SeatFault, UsageError
from manue.match.games import MatchSettings, play_fixture
from manue.match.schedule import Fixture, fixed_seats
from manue.table.decision_times import Timing
from manue.table.seat_factory import check_spec
from manue.table.thinking_time import Limits

pytest.importorskip("riichienv")

BOT = Path(__file__).parent / "bots" / "bot.py"
LIMITS = Limits(decision=600, game=600, start=600)


def spec(kind, dialect, behaviour=""):
    return f"{kind}:{sys.executable} {BOT} {dialect} {{seat}} {behaviour}".rstrip()


def play(*seats, strict=False, limits=LIMITS):
    settings = MatchSettings(fixed_seats(list(seats)), seed=4, length="east", limits=limits, strict=strict)
    return play_fixture(settings, Fixture(0, 0, seats))


def test_programs_of_every_dialect_play_like_the_agent_they_imitate():
    ours = play("tsumogiri", "tsumogiri", "tsumogiri", "greedy")[0]
    theirs, log = play(spec("cmd", "line"), spec("cmd-each", "each"), spec("cmd-array", "array"), "greedy")
    assert theirs["faults"] == []
    assert theirs["scores"] == ours["scores"]
    assert theirs["seats"] == ours["seats"]
    assert theirs["timings"][0]["max_ms"] > 0
    assert log


@pytest.mark.parametrize(("kind", "dialect"), [("cmd", "line"), ("cmd-each", "each"), ("cmd-array", "array")])
def test_riichi_and_its_discard_may_be_sent_at_once(kind, dialect):
    """Regression: by cmd the discard was asked for all the same, by arrays always."""
    both = f"{kind}:{sys.executable} {BOT.parent / 'both.py'} {dialect} {{seat}}"
    theirs, log = play(both, "tsumogiri", "tsumogiri", "tsumogiri")
    ours = play("greedy", "tsumogiri", "tsumogiri", "tsumogiri")[0]
    assert theirs["faults"] == []
    assert theirs["scores"] == ours["scores"]
    events = [json.loads(line) for line in gzip.decompress(log).splitlines()]
    assert any(event["type"] == "reach" and event["actor"] == 0 for event in events)


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        ("die", "died"),
        ("sleep", "late"),
        ("flood", "unreadable"),
        ("illegal", "illegal"),
        ("junk", "unreadable"),
        ("array", "unreadable"),
        ("nothing", "illegal"),
    ],
)
def test_a_bad_program_costs_only_itself(behaviour, kind, monkeypatch):
    if behaviour == "die":
        monkeypatch.setattr("manue.table.program.EXIT_SECONDS", 60.0)  # on a busy machine
    limits = replace(LIMITS, decision=3) if behaviour == "sleep" else LIMITS
    line, _ = play(spec("cmd", "line", behaviour), "tsumogiri", "tsumogiri", "greedy", limits=limits)
    faults = line["faults"]
    assert len(faults) == (LIMITS.strikes if behaviour == "sleep" else 1)
    for fault in faults:
        assert (fault["seat"], fault["kind"], fault["round"]) == (0, kind, 0)
    assert line["scores"] == play("tsumogiri", "tsumogiri", "tsumogiri", "greedy")[0]["scores"]
    if behaviour == "die":
        assert "my last words" in fault["reason"]


def decisions(line, seat):
    return Timing.from_json(line["timings"][seat]).count


def test_moves_of_a_stand_in_were_timed_as_decisions_of_the_player():
    line, _ = play(spec("cmd", "line", "junk"), "tsumogiri", "tsumogiri", "greedy")
    whole, _ = play(spec("cmd", "line"), "tsumogiri", "tsumogiri", "greedy")
    assert line["scores"] == whole["scores"]
    assert 4 <= decisions(line, 0) < 10  # up to the fifth draw
    assert decisions(whole, 0) > 50


def test_a_discard_sent_with_its_riichi_was_timed_as_a_decision():
    both = f"cmd:{sys.executable} {BOT.parent / 'both.py'} line {{seat}}"
    theirs, ours = (play(one, "tsumogiri", "tsumogiri", "tsumogiri")[0] for one in (both, "greedy"))
    assert theirs["scores"] == ours["scores"]
    assert ours["seats"][0]["riichi"] > 0
    assert decisions(theirs, 0) == decisions(ours, 0) - ours["seats"][0]["riichi"]


def test_strict_ends_the_game():
    with pytest.raises(SeatFault, match=r"in seat 0, illegal in East 1, event .*; allowed: dahai") as raised:
        play(spec("cmd", "line", "illegal"), "tsumogiri", "tsumogiri", "greedy", strict=True)
    assert raised.value.kind == "illegal"


def test_the_game_clock_runs_out():
    settings = MatchSettings(
        fixed_seats(["greedy"] * 4), seed=4, length="east", limits=replace(LIMITS, game=0.005, strikes=1)
    )
    line, _ = play_fixture(
        settings, Fixture(0, 0, (spec("cmd", "line"), "tsumogiri", "tsumogiri", "tsumogiri"))
    )
    assert [fault["kind"] for fault in line["faults"]] == ["late"]


@pytest.mark.parametrize("bad", ["cmd:", "cmd:no-such-program-here", "cmd:'open", "cmd-array:/no/such"])
def test_programs_that_cannot_be_started(bad):
    with pytest.raises(UsageError):
        check_spec(bad)


@pytest.mark.parametrize(("kind", "dialect"), [("cmd", "line"), ("cmd-each", "each"), ("cmd-array", "array")])
def test_one_late_answer_voided_the_game(kind, dialect, tmp_path):
    """The seat then discarded what it drew for the rest of the game, and the exit code was 0."""
    seats = ",".join([spec(kind, dialect, "once"), "tsumogiri", "tsumogiri", "greedy"])
    options = ["--seed", "4", "--east", "--games", "1", "--workers", "1", "--decision-seconds", "2"]
    command = ["match", "--seats", seats, *options, "--out", str(tmp_path / "out")]
    assert main(command) == 4
    assert main([*command, "--resume", "--allow-faults"]) == 0
    (line,) = map(json.loads, (tmp_path / "out" / "results.jsonl").read_text().splitlines())
    assert [(fault["kind"], fault["lost"]) for fault in line["faults"]] == [("late", False)]
    assert "2 s (--decision-seconds)" in line["faults"][0]["reason"]
    ours = play("tsumogiri", "tsumogiri", "tsumogiri", "greedy")[0]
    assert sum(line["timings"][0]["bins"].values()) > 20  # the bot went on
    assert line["scores"] == ours["scores"]
    report = (tmp_path / "out" / "report.html").read_text()
    assert "1 of 1 game had faults (late in 1)" in report
    assert "with them, - without" in report
