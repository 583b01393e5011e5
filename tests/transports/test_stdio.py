import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading

import pytest

from manue import bot
from manue.__main__ import main
from manue.agents.base import Decision
from manue.protocol.parsing import MAX_LINE
from tests.captures import lines_of, raw_lines

WITH = ["--agent", "tsumogiri"]


@pytest.fixture(scope="module")
def log_lines():
    return raw_lines("mjaiapp-hanchan-1.server-log")


@pytest.fixture
def speak(monkeypatch, tmp_path):
    """Run a command with these lines as standard input; return the exit code and what it said."""

    def run(lines, *arguments, command=main):
        source, said = tmp_path / "input", tmp_path / "output"
        source.write_bytes(b"".join(lines))
        with source.open() as stdin, said.open("w") as stdout:
            monkeypatch.setattr(sys, "stdin", stdin)
            monkeypatch.setattr(sys, "stdout", stdout)
            code = command([*arguments])
        return code, [json.loads(line) for line in said.read_bytes().splitlines()]

    return run


def own_draws(lines, seat):
    return sum(event["type"] == "tsumo" and event["actor"] == seat for event in map(json.loads, lines))


def test_lines_are_answered_where_there_is_something_to_decide(speak, log_lines):
    code, said = speak(log_lines, "play", "--id", "1", *WITH)
    assert code == 0
    discards = [reply for reply in said if reply["type"] == "dahai"]
    assert own_draws(log_lines, 1) <= len(discards) < len(said) < len(log_lines) / 2
    assert all(reply["actor"] == 1 for reply in discards)


def test_a_reviewer_gets_a_line_for_every_line(speak, log_lines, monkeypatch):
    code, said = speak(log_lines, "play", "--id", "3", "--dialect", "review", *WITH)
    assert (code, len(said)) == (0, len(log_lines))
    monkeypatch.setenv(bot.REVIEW_VARIABLE, "1")
    assert speak(log_lines, "3", *WITH, command=bot.main) == (code, said)


def test_the_bot_speaks_as_others_do(speak, log_lines):
    assert speak(log_lines, "1", *WITH, command=bot.main) == speak(log_lines, "play", "--id", "1", *WITH)


def test_a_host_that_broke_off_left_the_bot_waiting_for_ever():
    """As of programs that give a bot one socket for input and output, and die."""
    ours, its = socket.socketpair()
    command = [sys.executable, "-m", "manue.bot", "0", "--dialect", "arrays", *WITH]
    with its, subprocess.Popen(command, stdin=its, stdout=its, stderr=subprocess.PIPE) as process:
        ours.sendall(b'[{"type":"start_game","id":0}]\n')
        select.select([ours], [], [])  # its answer, which is never read
        ours.close()
        process.communicate(timeout=300)
    assert process.returncode in {0, 3}


def test_a_pipe_that_does_not_wait_ended_or_stopped_the_bot(log_lines):
    source, into = os.pipe()
    os.set_blocking(source, False)
    command = [sys.executable, "-m", "manue.bot", "1", *WITH]
    with subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(source)
        with os.fdopen(into, "wb") as pipe:
            for line in log_lines:
                pipe.write(line)
                pipe.flush()
        said, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert said.count(b'"dahai"') >= own_draws(log_lines, 1)


class Talkative:
    """An agent that prints, as one does that is not finished yet."""

    def decide(self, state, actions):
        print("debug!")
        return Decision(actions[-1])


def test_what_an_agent_prints_does_not_come_between_the_lines(speak, log_lines, capfd):
    """Regression: the host got it as a line."""
    code, said = speak(log_lines, "play", "--id", "1", "--quiet", "--agent", f"{__name__}:Talkative")
    assert code == 0
    assert said
    assert "debug!\n" in capfd.readouterr().err


def test_arrays_are_answered_one_by_one(speak):
    items = [item for item in lines_of("mjaiapp-hanchan-1") if item.get("seat") == 2]
    arrays = [json.dumps(item["msg"]).encode() + b"\n" for item in items if item["dir"] == "in"]
    for command, arguments in (
        (main, ["play", "--dialect", "arrays"]),
        (bot.main, ["--dialect", "arrays", "2"]),
    ):
        code, said = speak(arrays, *arguments, *WITH, command=command)
        assert (code, len(said)) == (0, len(arrays))


def test_two_games_on_one_input(speak, log_lines, tmp_path):
    code, _ = speak(log_lines * 2, "play", "--id", "0", "--log", str(tmp_path / "talk.jsonl"), *WITH)
    assert code == 0
    kept = [(tmp_path / f"talk-{number}.jsonl").read_text().splitlines() for number in (1, 2)]
    assert [sum('"dir":"in"' in line for line in lines) for lines in kept] == [len(log_lines)] * 2


def test_the_end_in_the_middle_of_a_game_is_a_lost_game(speak, log_lines, capfd):
    assert speak(log_lines[:100], "play", "--id", "0", *WITH)[0] == 3
    assert "manue: the host went away before the game was over" in capfd.readouterr().err
    assert speak([], "play", "--id", "0", *WITH)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "the host does not give our seat: set it with --id 0..3"),
        (["--id", "0", "--games", "2"], "--games needs an address"),
        (["--id", "0", "--token-file", "x"], "--token-file needs an address"),
        (["--id", "0", "--dialect", "tcp"], "dialect 'tcp' runs over tcp, not 'stdio'"),
        ([""], "the address of the host is empty"),
        (["http://localhost/"], "'http://localhost/' is not a valid address"),
        (["--id", "0", "--seed", "1"], "agent 'tsumogiri:seed=1'"),
    ],
)
def test_usage_errors(speak, log_lines, capfd, arguments, reason):
    assert speak(log_lines, "play", *arguments, *WITH) == (2, [])
    stderr = capfd.readouterr().err
    assert f"manue: {reason}" in stderr
    assert "Traceback" not in stderr


def test_bad_input_is_reported_and_the_game_goes_on(speak, log_lines, capfd):
    """After an impossible event only drawn tiles are discarded until the next round."""
    draw = next(line for line in log_lines if b'"tsumo","actor":1' in line)
    bad = [b"{oops\n", b'{"type":"telepathy"}\n', b'{"type":"dahai","actor":0}\n', b"\n"]
    impossible = [b'{"type":"dahai","actor":3,"pai":"1m","tsumogiri":true}\n', draw]
    at = log_lines.index(draw) + 1
    code, said = speak(
        [*log_lines[:at], draw, *bad, *impossible, *log_lines[at:]], "play", "--id", "1", *WITH
    )
    _, undisturbed = speak(log_lines, "play", "--id", "1", *WITH)
    assert code == 0
    stderr = capfd.readouterr().err.splitlines()
    assert f"manue: line {at + 1}: seat 1 acts while the round waits for an action after a draw" in stderr
    assert f"manue: line {at + 3}: unknown message type 'telepathy'" in stderr
    assert sum(f"manue: line {at + n}:" in line for n in range(1, 9) for line in stderr) == 6
    first_round = log_lines[: log_lines.index(b'{"type":"end_kyoku"}\n')]
    later = undisturbed[len(speak(first_round, "play", "--id", "1", *WITH)[1]) :]
    assert len(later) > 50
    assert said[-len(later) :] == later
    blind = said[1 : -len(later)]
    assert [reply["pai"] for reply in blind if reply["tsumogiri"]] == [
        json.loads(line)["pai"] for line in [draw, *first_round[at:]] if b'"tsumo","actor":1' in line
    ]
    assert {reply["type"] for reply in blind} == {"dahai"}


def test_strict_input_stops_with_exit_code_1(speak, log_lines, capfd):
    lines = [*log_lines[:5], b"{oops\n", *log_lines[5:]]
    assert speak(lines, "play", "--id", "1", "--strict", *WITH)[0] == 1
    assert "manue: line 6: not JSON" in capfd.readouterr().err
    lines = [*log_lines[:5], log_lines[4], *log_lines[5:]]
    assert speak(lines, "play", "--id", "1", "--strict", *WITH)[0] == 1
    assert "manue: line 6: " in capfd.readouterr().err


def test_a_line_longer_than_any_message_ends_the_conversation(speak, capfd):
    assert speak([b"x" * (MAX_LINE + 2)], "play", "--id", "1", *WITH) == (1, [])
    assert "manue: a line of more than" in capfd.readouterr().err


def test_a_log_without_a_folder_was_found_out_after_the_kernels_were_compiled(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("manue.commands.play.agent_at_once", pytest.fail)
    assert main(["play", "--log", str(tmp_path / "no" / "talk")]) == 2
    assert capsys.readouterr().err == f"manue: {tmp_path}/no/talk: there is no folder {tmp_path}/no\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_cleanly_and_keep_what_was_said(log_lines, tmp_path, number, code):
    talk = tmp_path / "talk.jsonl"
    command = [sys.executable, "-m", "manue", "play", "--id", "1", "--log", str(talk), *WITH]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as process:
        killer = threading.Timer(600, process.kill)
        killer.start()
        process.stdin.write(b"".join(log_lines[:60]))
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait() == code
        killer.cancel()
        stderr = process.stderr.read().decode()
    assert "Traceback" not in stderr
    assert stderr.splitlines()[-1] in ("manue: terminated", "manue: interrupted")
    kept = [json.loads(line) for line in (tmp_path / "talk-1.jsonl").read_text().splitlines()]
    assert {line["dir"] for line in kept} == {"in", "out"}


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_standard_file_is_reported(closed):
    command = f"{sys.executable} -m manue play --id 1 {' '.join(WITH)} {closed}"
    finished = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert finished.stderr.splitlines()[-1] == "manue: standard input or output is closed"
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_is_a_lost_connection(log_lines, unbuffered):
    """With buffers, a line left in one once turned the exit code into the interpreter's 120."""
    command = [sys.executable, "-m", "manue.bot", "1", "--dialect", "review", *WITH]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
    ) as process:
        process.stdout.close()
        process.stdin.write(b"".join(log_lines[:20]))
        process.stdin.flush()
        stderr = process.stderr.read().decode()
        assert process.wait() == 3
    assert "nobody reads our standard output\n" in stderr
    assert "Traceback" not in stderr
