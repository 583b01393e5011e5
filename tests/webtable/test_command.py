"""``manue table`` from the command line."""

import os
import re
import signal
import socket
import subprocess
import sys

import pytest

from manue.__main__ import main
from manue.errors import AbandonedError
from manue.records.archive import read_log
from manue.table.thinking_time import Limits
from manue.webtable.table_game import TableGame
from tests.webtable.players import Seated


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ("me,greedy,greedy", "--seats must name four players, one of them 'me', not 'me,greedy,greedy'"),
        ("greedy,greedy,greedy,greedy", "one of them 'me'"),
        ("me,me,greedy,greedy", "one of them 'me'"),
        ("me,greedy,greedy,nobody", "unknown agent 'nobody'"),
    ],
)
def test_seats_that_cannot_be_are_one_clear_line(seats, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["table", "--seats", seats, "--no-browser"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_is_there_is_not_replaced(capsys, tmp_path):
    log = tmp_path / "game.mjson"
    log.write_text("precious")
    assert main(["table", "--seats", "me,greedy,greedy,greedy", "--no-browser", "--log", str(log)]) == 2
    assert capsys.readouterr().err == f"manue: {log} is there already; choose another --log\n"
    assert log.read_text() == "precious"


def test_programs_at_the_table_have_the_time_that_the_options_give(tmp_path, monkeypatch):
    """They had that of a match, and no option changed it."""
    sat = []
    monkeypatch.setattr("manue.commands.table._play_on", lambda game, *_: sat.append(game))
    given = ["--decision-seconds", "20", "--game-seconds", "90", "--start-seconds", "30", "--strikes", "1"]
    for options in ([], given):
        log = str(tmp_path / "game.mjson")
        seats = ["--seats", "me,cmd:sleep 1,greedy,greedy"]
        assert main(["table", *seats, "--no-browser", "--log", log, *options]) == 0
    assert [one.limits for one in sat] == [Limits(), Limits(20, 90, 30, 1)]


def test_a_program_at_the_table_is_late_after_the_time_of_its_limits(tmp_path):
    seats = ("me", f"slow=cmd:{sys.executable} -c 'import sys; sys.stdin.read()'", "greedy", "greedy")
    seated = Seated(tmp_path / "game.mjson", seats=seats, limits=Limits(0.2, 90, 0.2, 1))
    (fault,) = seated.play_on().faults
    assert "no answer within 0.2 s" in fault.reason
    assert "late answer 1 of 1" in fault.reason


def test_a_folder_that_is_not_there_is_one_clear_line(capsys, tmp_path):
    log = tmp_path / "nowhere" / "game.mjson"
    assert main(["table", "--seats", "me,greedy,greedy,greedy", "--no-browser", "--log", str(log)]) == 2
    assert capsys.readouterr().err == f"manue: {log}: there is no folder {log.parent}\n"


def test_a_log_that_cannot_be_is_refused_before_anything_is_warmed_up(tmp_path, monkeypatch):
    def warmed_up(_):
        raise AssertionError("the agents were warmed up")

    monkeypatch.setattr("manue.commands.table.check_specs", warmed_up)
    (tmp_path / "there.mjson").touch()
    for log in ("there.mjson", "nowhere/game.mjson"):
        options = ["--seats", "me,greedy,greedy,greedy", "--no-browser", "--log", str(tmp_path / log)]
        assert main(["table", *options]) == 2


def test_an_address_was_found_in_use_after_warming_up(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("manue.commands.table.check_specs", pytest.fail)
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        assert main(["table", "--no-browser", "--port", str(port)]) == 2
    expected = f"manue: cannot listen on 127.0.0.1:{port}: Address already in use"
    assert capsys.readouterr().err.startswith(expected)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_the_game_and_keeps_the_log(tmp_path, number, code):
    log = tmp_path / "game.mjson.gz"
    command = [sys.executable, "-m", "manue", "table", "--seats", "me,greedy,greedy,greedy", "--no-browser"]
    with subprocess.Popen(
        [*command, "--log", str(log)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert re.fullmatch(r"table: http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}\n", process.stdout.readline())
        while not log.exists():
            pass
        process.send_signal(number)
        out, error = process.communicate(timeout=60)
    assert process.returncode == code
    assert out == ""
    assert f"the game was not finished; what was played is in {log}\n" in error
    assert "Traceback" not in error
    list(read_log(log))  # complete up to there


def test_a_browser_is_opened_with_the_link_and_a_game_left_is_no_error(tmp_path, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or False)

    def left(*_args):
        raise AbandonedError("left the table")

    monkeypatch.setattr("manue.commands.table.play", left)
    monkeypatch.chdir(tmp_path)
    assert main(["table", "--seats", "greedy,me,greedy,greedy", "--name", "Ann\x1b[2J"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"table: {opened[0]}\n"
    assert "no browser was found here; open the link in one" in printed.err
    (log,) = tmp_path.iterdir()
    assert re.fullmatch(r"table-\d{8}-\d{6}\.mjson\.gz", log.name)


def test_names_are_distinct(tmp_path):
    seats = ("manue", "me", "manue", "rules")
    assert TableGame(seats, tmp_path, name="rules").names() == [
        "manue 0",
        "rules 1",
        "manue 2",
        "rules 3",
    ]


def test_names_are_distinct_whatever_the_player_is_called(tmp_path):
    seats = ("me", "greedy", "greedy", "rules")
    assert TableGame(seats, tmp_path, name="greedy 1").names() == [
        "greedy 1 0",
        "greedy 1",
        "greedy 2",
        "rules 3",
    ]


def test_a_named_program_was_called_by_its_whole_command(tmp_path):
    seats = ("me", "Bot=cmd:python3 bot.py --key secret", "greedy", "rules")
    assert TableGame(seats, tmp_path, name="You").names() == ["You", "Bot", "greedy", "rules"]


def test_another_game_has_a_log_of_its_own(tmp_path):
    seats = ("greedy", "me", "greedy", "greedy")
    first = TableGame(seats, tmp_path / "game.mjson.gz", seed=7, length="east")
    second = first.next_game()
    assert (second.log.name, second.number) == ("game-2.mjson.gz", 2)
    assert (second.seats, second.seed, second.length) == (seats, 7, "east")
    (tmp_path / "game-3.mjson.gz").touch()
    third = second.next_game()
    assert (third.log.name, third.number) == ("game-4.mjson.gz", 3)  # nothing is written over
    assert third.next_game().log.name == "game-5.mjson.gz"
