"""The figures of ``manue bench`` measure what they claim: real positions, real parts, a real player."""

import json
import time

import numpy as np
import pytest

from manue.__main__ import main
from manue.agents.base import Decision
from manue.agents.greedy import Greedy
from manue.bench.decision import Clocks, measure_danger, measure_decisions
from manue.bench.memory import measurable, measure_memory
from manue.bench.positions import sample_positions
from manue.bench.sections import BenchJob, chosen_sections
from manue.bench.start import STATUS, PlayerRun, measure_start, play_recorded_game, recorded_lines
from manue.errors import ManueError, UsageError
from manue.game.consistency import problems
from manue.game.legal import legal_actions
from manue.records.archive import read_log
from tests.conftest import GAMES, game

CLASSIC = "manue:policy=points-classic,mc_draws=64"


@pytest.fixture(scope="module")
def logs():
    return GAMES[:3]


@pytest.fixture(scope="module")
def positions(logs):
    return sample_positions(logs, 12, 0, lambda _: None)


def test_positions_are_decisions_and_the_same_for_a_seed(logs, positions):
    again = sample_positions(logs, 12, 0, lambda _: None)
    assert len(positions) == 12
    for one, other in zip(positions, again, strict=True):
        assert one.actions == other.actions == legal_actions(one.state)
        assert not problems(one.state)
    other_seed = sample_positions(logs, 12, 1, lambda _: None)
    assert [one.actions for one in other_seed] != [one.actions for one in positions]


def test_fewer_positions_than_asked_for_were_measured_without_a_word(capsys):
    job = BenchJob([], [game("four-kans")], positions_wanted=100_000)
    said = f"manue: {len(job.positions)} positions: the games chosen have no more\n"
    assert said in capsys.readouterr().err
    assert len(BenchJob([], [game("four-kans")], positions_wanted=5).positions) == 5
    assert "no more" not in capsys.readouterr().err


def test_shares_of_the_parts_make_a_whole(positions):
    steps = []
    rows = measure_decisions(positions, [CLASSIC, "greedy"], steps.append)
    shares = [value for name, value, _ in rows if " share of " in name]
    assert sum(shares) == pytest.approx(100)
    assert min(shares) > 0
    figures = {name: value for name, value, _ in rows}
    median, worst = (figures[f"decision of {CLASSIC}, {name}"] for name in ("median", "max"))
    assert 0 < median <= worst
    assert figures[f"{CLASSIC}: target hands of a hand, max"] >= 1
    assert sum(steps) == 2 * 2 * len(positions)


def test_a_clock_does_not_count_what_other_clocks_count(monkeypatch):
    now = 0

    def spend(seconds):
        nonlocal now
        now += seconds

    monkeypatch.setattr(time, "perf_counter", lambda: now)
    clocks = Clocks()
    inner = clocks.around("inner", lambda: spend(5))
    clocks.around("outer", lambda: (inner(), spend(2)))()
    assert clocks.seconds == {"inner": 5, "outer": 2}


def test_clocks_are_taken_away_again():
    from manue.decision import options

    before = options.estimate_wins
    with Clocks().running():
        assert options.estimate_wins is not before
    assert options.estimate_wins is before


def test_danger_is_measured_in_microseconds(positions):
    figures = {name: value for name, value, _ in measure_danger(positions)}
    assert figures["features of dangers, 34 kinds x 3 opponents, median"] > 1
    held, every = (figures[f"dangers of a scene, {what}, median"] for what in ("kinds held", "all kinds"))
    assert min(held, every) > 1


def test_a_player_is_timed_and_weighed(logs):
    lines = [entry.text for entry in read_log(logs[0])][:12]
    run = play_recorded_game(lines, "greedy")
    assert run.seconds > 0
    if STATUS.exists():
        assert 10 < run.first <= run.peak


def test_sections():
    assert "throughput" not in chosen_sections(None, throughput=False)
    assert chosen_sections("hand", throughput=True) == ["hand", "throughput"]
    with pytest.raises(UsageError, match="speed"):
        chosen_sections("speed", throughput=False)
    with pytest.raises(UsageError, match="--only names hand twice"):  # the second took the place of the first
        chosen_sections("hand,hand", throughput=False)


@pytest.mark.parametrize(
    "given",
    [
        ["--only", "hand"],
        ["--throughput"],
        ["--cold"],
        ["--logs", "a"],
        ["--positions", "9"],
        ["--seed", "0"],
    ],
)
def test_what_is_to_be_measured_was_ignored_beside_a_problem_book(given, capsys):
    assert main(["bench", "--problems", *given]) == 2
    assert capsys.readouterr().err.startswith(f"manue: {given[0]} is about measuring")


@pytest.mark.parametrize(
    ("sections", "given"),
    [
        ("hand,decision", ["--cold"]),
        ("start", ["--agent", "rules"]),
        ("start", ["--positions", "9"]),
        ("start,hand", ["--seed", "0"]),
        ("sim", ["--logs", "a"]),
    ],
)
def test_options_of_sections_left_out_were_ignored(sections, given, capsys):
    assert main(["bench", "--only", sections, *given]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"manue: {given[0]} is about ")
    assert error.endswith(", which --only leaves out\n")


@pytest.fixture(params=["a.mjlog", "a.json"])
def converted(request, tmp_path, capsys):
    assert main(["convert", str(game("east-rules")), "-o", str(tmp_path / request.param)]) == 0
    return tmp_path / request.param


def test_records_of_other_formats_were_collected_and_not_read(converted):
    ours = sample_positions([game("east-rules")], 12, 0, lambda _: None)
    theirs = sample_positions([converted], 12, 0, lambda _: None)
    assert [one.actions for one in theirs] == [one.actions for one in ours]
    lines = recorded_lines(converted)
    assert play_recorded_game(lines[:12], "greedy").seconds > 0


@pytest.mark.parametrize("section", ["decision", "danger"])
def test_logs_without_a_decision_were_a_traceback(section, tmp_path, capsys):
    log = tmp_path / "empty.mjson"
    log.write_text('{"type":"start_game","names":["a","b","c","d"]}\n')
    assert main(["bench", "--only", section, "--logs", str(log)]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == f"manue: {log}: no decisions to measure"


def test_a_player_that_ended_did_not_say_why(logs):
    with pytest.raises(ManueError, match="the player ended in the middle of a game: unknown agent 'nobody'"):
        play_recorded_game(recorded_lines(logs[0]), "nobody")


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_ctrl_c_threw_away_the_sections_that_were_measured(monkeypatch, capsys, form):
    def measured(name, _job):
        if name == "sim":
            raise KeyboardInterrupt
        return [("a figure", 12.5, "ns")]

    monkeypatch.setattr("manue.commands.bench.measure_section", measured)
    assert main(["bench", "--only", "hand,sim", *form]) == 130
    assert "a figure" in capsys.readouterr().out


def test_json(logs, capsys):
    code = main(
        [
            "bench",
            "--only",
            "decision",
            "--positions",
            "4",
            "--agent",
            "greedy",
            "--json",
            "--logs",
            str(logs[0]),
        ]
    )
    printed = json.loads(capsys.readouterr().out)
    assert code == 0
    assert printed["machine"]["cores"] >= 1
    assert {row["section"] for row in printed["rows"]} == {"decision"}
    assert all(row["value"] >= 0 and row["unit"] for row in printed["rows"])


def test_memory_of_a_decision_is_what_it_holds_at_once(positions):
    if not measurable():
        pytest.skip("the system cannot reset the peak")

    class Holder:
        name = "holder"

        def decide(self, _state, actions):
            np.ones((48, 1 << 17))  # 48 MB, freed at once
            np.ones((16, 1 << 17))
            return Decision(actions[0])

    ((name, most, unit),) = measure_memory("holder", Holder(), positions[:3])
    assert (name, unit) == ("holder: memory of a decision, max", "MB")
    assert most == pytest.approx(48, abs=2)


def test_a_cold_start_says_that_the_kernels_of_the_package_count(logs, monkeypatch, tmp_path):
    monkeypatch.setattr("manue.bench.start.play_recorded_game", lambda *_: PlayerRun(1.0, 1.0, 1.0, 1.0))
    for shipped, said in ((None, "nothing compiled"), (tmp_path, "only the kernels of the package compiled")):
        monkeypatch.setattr("manue.bench.start.shipped_dir", lambda shipped=shipped: shipped)
        assert measure_start(logs[0], cold=True)[-1][0] == f"start to first decision of manue, {said}"


class Failing(Greedy):
    """Fails once the made-up positions before a measurement are over."""

    def decide(self, state, actions):
        if state.scores[0] not in {25_000, 96_700}:
            raise ValueError("oops")
        return super().decide(state, actions)


@pytest.mark.parametrize(
    "command", ["bench --only decision --positions 30 --logs {log}", "calibrate {log} --all --agreement"]
)
def test_an_own_agent_that_fails_was_a_traceback(command, capsys):
    agent = f"{__name__}:Failing"
    assert main([*command.format(log=game("four-riichi")).split(), "--agent", agent]) == 1
    assert "failed: ValueError: oops" in capsys.readouterr().err.splitlines()[-1]
