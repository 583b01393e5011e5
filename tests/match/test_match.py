"""The same games whatever runs them and however often a match is stopped; none lost, none counted twice."""

import json
import multiprocessing
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from manue import __version__
from manue.__main__ import main
from manue.agents import registry
from manue.agents.base import Decision
from manue.errors import ManueError, MissingExtraError, SeatFault, ThreePlayersError, UsageError
from manue.game.consistency import problems
from manue.game.events import GameEnd
from manue.game.state import RoundState
from manue.match.executors import local_executor
from manue.match.folder import MatchFolder
from manue.match.games import MatchSettings, play_fixture
from manue.match.match import MAX_BREAKS, Match
from manue.match.models_used import models_used
from manue.match.schedule import Fixture, fixed_seats
from manue.models.files import models_dir, read_model, write_model
from manue.models.model_set import NAMES
from manue.records.archive import read_log
from manue.stderr import report
from manue.table.specs import check_specs, split_specs, with_mc_draws
from manue.table.thinking_time import Limits

pytest.importorskip("riichienv")

SEATS = ["greedy", "tsumogiri", "greedy", "tsumogiri"]
SETTINGS = MatchSettings(fixed_seats(SEATS), seed=11, length="east")


def run(path, games=6, settings=SETTINGS, workers=1, **options):
    match = Match(settings, path, games, **options)
    return match.run(lambda: local_executor(workers), window=2 * workers - 1)


def results(path):
    """Return the results of a match without times, in the order of the games."""
    lines = [json.loads(line) for line in (path / "results.jsonl").read_text().splitlines()]
    for line in lines:
        del line["timings"], line["seconds"]
    return sorted(lines, key=lambda line: line["game"])


def without_times(summary):
    for agent in summary["agents"].values():
        del agent["decision_ms"]
    return summary


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed")
    return path, without_times(run(path))


def test_files(undisturbed):
    path, summary = undisturbed
    assert summary["games"] == 6
    assert summary["agents"]["greedy"]["games"] == 12
    assert summary["agents"]["greedy"]["illegal"] == 0
    assert without_times(json.loads((path / "summary.json").read_text())) == summary
    described = json.loads((path / "match.json").read_text())
    assert described.items() >= json.loads(json.dumps(SETTINGS.to_json())).items()
    assert described["schedule"] == [SEATS, [*SEATS[-1:], *SEATS[:-1]]]
    assert described["seed"] == 11


def test_logs_are_annotated_and_replay(undisturbed):
    path, _ = undisturbed
    for line in results(path):
        states = [RoundState(seat) for seat in range(4)]
        decisions = 0
        for entry in read_log(path / line["log"]):
            for state in states:
                state.apply(entry.event)
                assert problems(state) == []
            decisions += sum(meta is not None for meta in entry.fields().get("meta", ()))
        assert isinstance(entry.event, GameEnd)
        assert decisions > 100
        assert states[0].scores == line["scores"]


def test_two_workers_give_the_same_games(undisturbed, tmp_path):
    path, summary = undisturbed
    assert without_times(run(tmp_path, workers=2)) == summary
    assert results(tmp_path) == results(path)


def events_of(path):
    """Return the events of every game of a match with their annotations, without times."""
    games = []
    for log in sorted((path / "games").iterdir()):
        events = [entry.fields() for entry in read_log(log)]
        for event in events:
            event["logs"] = [text and re.sub(r"[\d.]+ ms", "", text) for text in event.get("logs", ())]
            for meta in filter(None, event.get("meta", ())):
                del meta["manue"]["elapsed_ms"]
        games.append(events)
    return games


def test_manue_plays_the_same_events_on_every_run_and_any_number_of_workers(tmp_path):
    seats = ["manue:mc_draws=50", "manue:mc_draws=50,policy=placement", "manue@first:mc_draws=50", "rules"]
    settings = MatchSettings(fixed_seats(seats), seed=5, length="east")
    for name, workers in (("one", 1), ("again", 1), ("two", 2)):
        run(tmp_path / name, games=2, settings=settings, workers=workers)
    first, again, two = (events_of(tmp_path / name) for name in ("one", "again", "two"))
    decisions = sum(meta is not None for game in first for event in game for meta in event.get("meta", ()))
    assert len(first) == 2
    assert decisions > 200
    for one, other in (*zip(first, again, strict=True), *zip(first, two, strict=True)):
        for event, same in zip(one, other, strict=True):
            assert event == same


def test_rotations_share_the_wall(undisturbed):
    path, _ = undisturbed
    deals = []
    for line in results(path)[:2]:
        start = next(
            entry.event for entry in read_log(path / line["log"]) if entry.message.type == "start_kyoku"
        )
        deals.append(start.hands)
    assert deals[0] == deals[1]


class _Broken:
    name = "broken"

    def decide(self, _state, actions):
        if len(actions) > 5:
            raise ZeroDivisionError("a mistake")
        return Decision(actions[-1])


def test_a_mistake_in_an_agent_costs_its_seat_alone(monkeypatch, caplog):
    monkeypatch.setitem(registry.BUILDERS, "broken", lambda _options: _Broken())
    monkeypatch.setattr("manue.table.seat_factory.warm_up", lambda _agent: None)
    monkeypatch.setattr("manue.table.seats._REPORTED", set())
    seats = ("broken", "greedy", "greedy", "greedy")
    line, _ = play_fixture(SETTINGS, Fixture(0, 0, seats))
    (fault,) = line["faults"]
    assert (fault["seat"], fault["kind"]) == (0, "died")
    assert re.fullmatch(r"ZeroDivisionError: a mistake \(test_match\.py, line \d+\)", fault["reason"])
    assert caplog.text.count("Traceback") == 1  # that of the mistake, and none of what it became
    assert 'raise ZeroDivisionError("a mistake")' in caplog.text
    assert "AgentError" not in caplog.text
    assert sum(line["scores"]) == 100_000


def test_a_mistake_was_a_traceback_in_every_seat_of_every_game(monkeypatch, caplog):
    monkeypatch.setitem(registry.BUILDERS, "broken", lambda _options: _Broken())
    monkeypatch.setattr("manue.table.seat_factory.warm_up", lambda _agent: None)
    monkeypatch.setattr("manue.table.seats._REPORTED", set())
    lines = [play_fixture(SETTINGS, Fixture(game, 0, ("broken",) * 4))[0] for game in range(2)]
    assert [len(line["faults"]) for line in lines] == [4, 4]
    assert caplog.text.count("Traceback") == 1


@pytest.mark.parametrize(
    ("send", "number", "code"),
    [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143), (os.killpg, signal.SIGHUP, 129)],
    ids=["Ctrl-C in a terminal", "kill", "a terminal that is closed"],
)
def test_a_signal_keeps_what_is_finished(undisturbed, tmp_path, send, number, code):
    path, summary = undisturbed
    command = [sys.executable, "-m", "manue", "match", "--seats", ",".join(SEATS), "--seed", "11", "--east"]
    command += ["--games", "6", "--workers", "2", "--out", str(tmp_path)]
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    finished = tmp_path / "results.jsonl"
    while process.poll() is None and not (finished.exists() and finished.stat().st_size):
        time.sleep(0.01)
    send(process.pid, number)
    _, error = process.communicate(timeout=600)
    assert process.returncode in {0, code}, error
    assert not any(word in error for word in (b"Traceback", b"Warning"))
    assert process.returncode == 0 or b"to continue, repeat the command with --resume" in error
    assert results(tmp_path)
    assert without_times(run(tmp_path, resume=True)) == summary
    assert results(tmp_path) == results(path)


def test_resume_after_an_interruption(undisturbed, tmp_path):
    path, summary = undisturbed

    def interrupt(_line, running):
        if running.games == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Match(SETTINGS, tmp_path, 6).run(lambda: local_executor(1), 1, interrupt)
    assert json.loads((tmp_path / "summary.json").read_text())["games"] == 3
    assert without_times(run(tmp_path, resume=True)) == summary
    assert results(tmp_path) == results(path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_right_after_a_game_is_stored_stores_it_once(
    undisturbed, tmp_path, monkeypatch, number, workers
):
    path, summary = undisturbed
    add = MatchFolder.add

    def add_and_interrupt(folder, played):
        add(folder, played)
        signal.raise_signal(number)

    before = signal.signal(number, signal.default_int_handler)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(MatchFolder, "add", add_and_interrupt)
            with pytest.raises(KeyboardInterrupt):
                run(tmp_path, workers=workers)
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    stored = [line["game"] for line in results(tmp_path)]
    assert stored
    assert len(set(stored)) == len(stored)
    assert without_times(run(tmp_path, resume=True)) == summary
    assert results(tmp_path) == results(path)


def test_a_signal_as_it_was_reported_what_is_kept_was_answered_first(tmp_path, monkeypatch, capsys):
    """Three times Ctrl-C in a row could end a match without saying how to go on."""

    def interrupted(*_args):
        raise KeyboardInterrupt

    def reported(text):
        signal.raise_signal(signal.SIGINT)
        report(text)

    monkeypatch.setattr(Match, "_play", interrupted)
    monkeypatch.setattr("manue.commands.match.report", reported)
    command = ["match", "--seats", "greedy,tsumogiri", "--format", "two-two", "--games", "2"]
    assert main([*command, "--workers", "1", "--out", str(tmp_path)]) == 130
    kept = f"manue: kept 0 games in {tmp_path}; to continue, repeat the command with --resume"
    assert capsys.readouterr().err.splitlines() == [kept, "manue: interrupted"]


def test_a_game_that_waits_for_an_earlier_one_was_not_among_those_kept(undisturbed, tmp_path):
    """An interrupted match said so, where a later game had been the first to end."""
    path, summary = undisturbed
    run(tmp_path, games=2)
    file = tmp_path / "results.jsonl"
    file.write_text(file.read_text().splitlines(keepends=True)[1])
    match = Match(SETTINGS, tmp_path, 6, resume=True)
    assert (match.kept, match.done) == (1, 0)
    assert without_times(match.run(lambda: local_executor(1), window=1)) == summary
    assert results(tmp_path) == results(path)


def test_a_folder_whose_results_a_full_disk_did_not_take_was_held_for_good(tmp_path):
    folder = MatchFolder(tmp_path, SETTINGS, resume=False)
    full = Path("/dev/full").open("ab")  # noqa: SIM115  closing it fails
    full.write(b"{}")
    folder._results.close()
    folder._results = full
    with pytest.raises(OSError, match="No space left"):
        folder.close()
    MatchFolder(tmp_path, SETTINGS, resume=True).close()


def test_resume_removes_a_line_cut_short(undisturbed, tmp_path):
    path, summary = undisturbed
    run(tmp_path, games=4)
    with (tmp_path / "results.jsonl").open("r+b") as file:
        file.truncate((tmp_path / "results.jsonl").stat().st_size - 40)
    assert without_times(run(tmp_path, resume=True)) == summary
    assert results(tmp_path) == results(path)


def test_kill_and_resume(undisturbed, tmp_path):
    path, summary = undisturbed
    command = [sys.executable, "-m", "manue", "match", "--seats", ",".join(SEATS), "--seed", "11", "--east"]
    command += ["--games", "6", "--workers", "2", "--out", str(tmp_path)]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    while process.poll() is None and not (tmp_path / "games" / "000001.mjson.gz").exists():
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    done = subprocess.run([*command, "--resume"], check=True, capture_output=True, text=True)
    assert "6 games" in done.stdout
    assert results(tmp_path) == results(path)
    assert without_times(json.loads((tmp_path / "summary.json").read_text())) == summary


def test_resuming_mixed_games_of_other_models(tmp_path, capsys, monkeypatch):
    arguments = ["match", "--seats", ",".join(SEATS), "--seed", "11", "--east", "--workers", "1"]
    arguments += ["--out", str(tmp_path / "m")]
    assert main([*arguments, "--games", "1"]) == 0
    copied = shutil.copytree(models_dir(), tmp_path / "models")
    file = read_model(copied / "placement.npz")
    write_model(copied / "placement.npz", file.arrays, {**file.meta, "report": "another"})
    monkeypatch.setenv("MANUE_MODELS", str(copied))
    capsys.readouterr()
    assert main([*arguments, "--games", "2", "--resume"]) == 2
    error = capsys.readouterr().err
    expected = f"{tmp_path / 'm'} was begun with another placement.npz: go on with the same models"
    assert error == f"manue: {expected}\n"
    assert main([*arguments, "--games", "1", "--resume"]) == 0, "a finished match is shown by any version"


def test_resuming_mixed_games_of_another_version(tmp_path):
    run(tmp_path, games=1)
    described = json.loads((tmp_path / "match.json").read_text())
    described["played_by"]["manue"] = "0.0"
    (tmp_path / "match.json").write_text(json.dumps(described))
    with pytest.raises(UsageError, match=rf"was begun by manue 0\.0, this is {re.escape(__version__)}"):
        run(tmp_path, games=2, resume=True)


def test_a_match_of_a_version_that_noted_no_models_goes_on_with_a_note(undisturbed, tmp_path, caplog):
    _, summary = undisturbed
    run(tmp_path, games=1)
    described = json.loads((tmp_path / "match.json").read_text())
    del described["played_by"]
    (tmp_path / "match.json").write_text(json.dumps(described))
    assert without_times(run(tmp_path, resume=True)) == summary
    assert "was begun by a version that did not note its models" in caplog.text


def test_models_of_every_kind_of_player(monkeypatch, tmp_path):
    def used(*specs):
        return set(models_used(specs)) - {"placement.npz"}

    assert used("greedy", "tsumogiri", "bot=cmd:./bot", "tcp:11600") == set()
    assert used("policy@selfplay") == {"policy_selfplay.npz"}
    assert used("rules") == used("manue:mc_draws=8") == {f"{name}.npz" for name in NAMES} - {"placement.npz"}
    assert used("tests.agents.mine:Own") >= used("rules") | used("policy")
    shutil.copy(models_dir() / "policy.npz", tmp_path)
    assert used(f"policy:models={tmp_path}") == {f"{tmp_path}/policy.npz"}


def test_fewer_games_than_were_played_are_spoken_of(tmp_path, capsys):
    arguments = ["match", "--seats", ",".join(SEATS), "--seed", "11", "--east", "--workers", "1"]
    arguments += ["--out", str(tmp_path)]
    assert main([*arguments, "--games", "2"]) == 0
    capsys.readouterr()
    assert main([*arguments, "--games", "1", "--resume"]) == 0
    assert "holds 1 game more than --games: only the first 1 count" in capsys.readouterr().err


def test_pages_without_logs_failed_after_all_games(tmp_path, capsys):
    arguments = ["--seats", ",".join(SEATS), "--out", str(tmp_path / "m"), "--pages", "--no-logs"]
    assert main(["match", *arguments]) == 2
    assert capsys.readouterr().err.startswith("manue: --pages shows the logs of the games")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--details", "--no-logs"], "--details explains options in the logs of the games"),
        (["--log-bots", "talk"], "--log-bots keeps what programs are sent and answer"),
        (["--mc-draws", "10"], "--mc-draws sets the draws of manue, but no seat is one"),
        (["--details"], "--details lets manue explain its options, but no seat is one"),
        (
            ["--seats", "greedy", "--format", "self", "--until-ci", "0.1"],
            "--until-ci: an agent with all four",
        ),
        (["--details", "--fast"], "--details lets manue explain its options, but no seat is one"),
    ],
)
def test_options_that_could_have_no_effect_were_ignored_without_a_word(
    tmp_path, monkeypatch, capsys, given, said
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("manue.commands.match.check_specs", pytest.fail)  # which takes its time
    assert main(["match", "--seats", ",".join(SEATS), "--out", "m", *given]) == 2
    assert capsys.readouterr().err.startswith(f"manue: {said}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--fast", "--seats", "greedy,rules", "--format", "two-two"], "--fast plays greedy, policy"),
        (["--fast", "--rules", "mjsoul"], "--fast plays by Tenhou's rules only"),
        (["--out", "a.file"], "a.file: not a folder"),
        (["--out", "a.file/m"], "a.file: not a folder"),
        (
            ["--seats", f"cmd:{sys.executable},greedy,greedy,greedy", "--log-bots", "a.file"],
            "a.file: not a folder",
        ),
        (["--out", "there"], "there already holds a match: continue it with --resume, or choose"),
        (["--out", "there", "--resume"], "there holds another match, --seats a,b --format one-three; take"),
    ],
)
def test_usage_was_found_wrong_after_warming_up(tmp_path, monkeypatch, capsys, given, said):
    monkeypatch.chdir(tmp_path)
    Path("a.file").touch()
    there = MatchSettings(fixed_seats(["a", "b", "b", "b"]))
    MatchFolder(Path("there"), there, resume=False).close()
    monkeypatch.setattr("manue.commands.match.check_specs", pytest.fail)
    assert main(["match", "--seats", ",".join(SEATS), "--out", "m", *given]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"manue: {said}")
    assert error.count("\n") == 1
    assert not Path("m").exists()


def test_the_summary_waited_for_the_pages(tmp_path, capsys, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device", "pages/000000.html")

    monkeypatch.setattr("manue.commands.match.write_pages", fail)
    arguments = ["--seats", ",".join(SEATS), "--games", "1", "--east", "--workers", "1", "--pages"]
    assert main(["match", *arguments, "--out", str(tmp_path)]) == 1
    assert "1 game, " in capsys.readouterr().out


def test_a_client_was_waited_for_on_a_cluster(tmp_path, capsys):
    arguments = ["--seats", "greedy,me=tcp:11600,greedy,greedy", "--out", str(tmp_path / "m")]
    assert main(["match", *arguments, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    error = capsys.readouterr().err
    assert error == "manue: me=tcp:11600: a client joins at this machine, where --scheduler plays no game\n"


def test_a_match_ended_processes_of_its_caller(tmp_path):
    theirs = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(300,))
    theirs.start()
    try:
        run(tmp_path, games=2, workers=2)
        assert theirs.is_alive()
    finally:
        theirs.kill()
        theirs.join()


class _Mortal(Executor):
    """Dies after every second game, losing the games in progress."""

    def __init__(self, *, games):
        self.left = games

    def submit(self, fn, /, *args):
        future = Future()
        if self.left == 0:
            future.set_exception(BrokenExecutor("killed"))
        else:
            self.left -= 1
            future.set_result(fn(*args))
        return future


def test_dying_workers_lose_no_game_and_count_none_twice(undisturbed, tmp_path):
    path, summary = undisturbed
    match = Match(SETTINGS, tmp_path, 6)
    assert without_times(match.run(lambda: _Mortal(games=2), window=4)) == summary
    assert results(tmp_path) == results(path)


def test_workers_that_die_at_once_end_the_match(tmp_path):
    with pytest.raises(ManueError, match=f"{MAX_BREAKS} times"):
        Match(SETTINGS, tmp_path, 6).run(lambda: _Mortal(games=0), window=2)


class _BreaksBeforeTheSecond(_Mortal):
    """Takes one game; the next is offered after its worker has died."""

    def __init__(self):
        super().__init__(games=1)
        self.offered = 0

    def submit(self, *task):
        self.offered += 1
        if self.offered == 2:
            raise BrokenExecutor
        return super().submit(*task)


def test_a_game_refused_by_a_broken_pool_is_offered_again(undisturbed, tmp_path):
    """Regression: it was forgotten, and the match waited for it without an end."""
    _, summary = undisturbed
    executors = iter([_BreaksBeforeTheSecond(), _Mortal(games=10**9)])
    again = Match(SETTINGS, tmp_path, 6).run(lambda: next(executors), window=2)
    assert without_times(again) == summary


def test_early_stop_is_the_same_for_any_number_of_workers(tmp_path):
    one = run(tmp_path / "one", games=40, until_ci=0.5, settings=SETTINGS)
    two = run(tmp_path / "two", games=40, until_ci=0.5, settings=SETTINGS, workers=2)
    assert one["games"] == two["games"] < 40
    assert without_times(one) == without_times(two)
    again = run(tmp_path / "two", games=40, until_ci=0.5, settings=SETTINGS, resume=True)
    assert without_times(again) == one


def test_a_folder_with_a_match_is_not_overwritten(undisturbed):
    path, _ = undisturbed
    with pytest.raises(UsageError, match="--resume"):
        Match(SETTINGS, path, 6)


OTHERS = [
    (replace(SETTINGS, logs=False), "without --no-logs"),
    (replace(SETTINGS, seed=12), "--seed 11"),
    (replace(SETTINGS, length="hanchan"), "--east"),
    (replace(SETTINGS, limits=Limits(decision=3.0)), "--decision-seconds 10.0"),
    (replace(SETTINGS, limits=Limits(strikes=1)), "--strikes 3"),
    (replace(SETTINGS, details=True), "without --details"),
    (replace(SETTINGS, rules="mjsoul"), "--rules tenhou"),
    (replace(SETTINGS, own=("greedy",)), "own: None"),
    (replace(SETTINGS, schedule=fixed_seats(["tsumogiri"] * 4)), f"--seats {','.join(SEATS)}"),
]


@pytest.mark.parametrize(("settings", "begun_with"), OTHERS, ids=lambda value: str(value)[-20:])
def test_another_match_in_the_folder_is_named_by_its_options(undisturbed, settings, begun_with):
    path, _ = undisturbed
    expected = f"{path} holds another match, {begun_with}; take another --out"
    with pytest.raises(UsageError, match=f"^{re.escape(expected)}$"):
        Match(settings, path, 6, resume=True)


def test_a_single_game_is_a_function_of_settings_and_fixture():
    fixture = SETTINGS.schedule.fixture(1)
    first, second = (play_fixture(SETTINGS, fixture)[0] for _ in range(2))
    assert first["digest"] == second["digest"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--seats", "greedy"], "four seats"),
        (["--seats", "greedy,nobody,greedy,greedy"], "nobody"),
        (["--seats", "greedy", "--format", "two-two"], "two-two"),
    ],
)
def test_bad_commands_are_one_line(arguments, word, tmp_path, capsys):
    assert main(["match", *arguments, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert word in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_no_games_are_refused(tmp_path, capsys):
    seats = ["--seats", "greedy,greedy,greedy,greedy"]
    assert main(["match", *seats, "--games", "0", "--out", str(tmp_path / "out")]) == 2
    assert "argument --games: '0' is not a whole number from 1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_strict_match_ends_with_one_line_on_any_number_of_workers(tmp_path, capsys):
    bot = f"cmd:{sys.executable} -c 'import sys; print(5, flush=True); sys.stdin.read()'"
    for workers in ("1", "2"):
        arguments = [
            "--games",
            "2",
            "--east",
            "--workers",
            workers,
            "--strict",
            "--out",
            str(tmp_path / workers),
        ]
        assert main(["match", "--seats", f"{bot},greedy,greedy,greedy", *arguments]) == 1
        error = capsys.readouterr().err
        # as the line comes before the question, or just after it
        assert "before it was asked" in error or "unreadable" in error
        assert re.search("in seat [01], ", error)  # the seats of the two games, either of which may be first
        assert "the match stops here" in error
        assert error.count("\n") == 1


def test_errors_travel_between_processes():
    every = [SeatFault("late", "it slept"), MissingExtraError("riichienv", "arena"), ThreePlayersError()]
    for error in every:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
    assert str(SeatFault("late", "it slept")) == "late: it slept"


def test_a_missing_referee_is_reported_before_anything_is_written(tmp_path, capsys, monkeypatch):
    def missing():
        raise MissingExtraError("riichienv", "arena")

    monkeypatch.setattr("manue.table.referee.engine", missing)
    assert main(["match", "--seats", "greedy,greedy,greedy,greedy", "--out", str(tmp_path / "m")]) == 2
    assert "manue[arena]" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


def test_specs_with_options_are_split_at_the_right_commas():
    text = "manue:policy=points,mc_draws=500,greedy,cmd:./bot --x=1 {seat},manue@first"
    specs = ["manue:policy=points,mc_draws=500", "greedy", "cmd:./bot --x=1 {seat}", "manue@first"]
    assert split_specs(text) == specs
    assert [with_mc_draws(spec, 7) for spec in specs] == [*specs[:3], "manue@first:mc_draws=7"]
    assert with_mc_draws("manue:policy=points", 7) == "manue:policy=points,mc_draws=7"
    assert with_mc_draws("manue:trials=5", 7) == "manue:trials=5"
    assert with_mc_draws("manue", None) == "manue"


def test_a_long_compilation_is_explained(monkeypatch):
    said = SimpleQueue()
    monkeypatch.setattr("manue.table.specs.PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr("manue.table.specs.note", said.put)
    monkeypatch.setattr("manue.table.specs.check_spec", lambda _spec: said.put(said.get(timeout=60)))
    check_specs(["greedy"])
    assert said.get(timeout=60) == "warming up"
