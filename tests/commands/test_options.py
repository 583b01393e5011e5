"""Values of options that several commands share: those allowed, and one clear line for any other."""

import argparse
import importlib
import socket
import subprocess
import sys

import pytest

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.commands.options import free_seconds, port, positive, seconds
from manue.errors import UsageError
from manue.foreign import printable
from tests.project import ROOT


@pytest.mark.parametrize(
    ("command", "option"),
    [("serve", "--port"), ("serve", "--ws"), ("table", "--port")],
)
@pytest.mark.parametrize("number", ["-1", "65536", "a", "1.5", "9" * 5000, "²"])
def test_what_is_no_port_is_refused_before_anything_is_compiled(command, option, number, capsys):
    assert main([command, f"{option}={number}"]) == 2
    assert f"{printable(number)!r} is not a port, 0 to 65535" in capsys.readouterr().err


def test_an_unknown_option_of_a_command_led_to_the_help_of_all_commands(capsys):
    assert main(["review", "--sat", "0", "x"]) == 2
    said = "unrecognized arguments: --sat (did you mean --seat?) (see manue review --help)"
    assert capsys.readouterr().err == f"manue: {said}\n"


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [("vew", "view"), ("hand --melt PPP", "--melds"), ("view a --seet=1 -o b", "--seat")],
)
def test_what_was_probably_meant_was_not_said(arguments, meant, capsys):
    assert main(arguments.split()) == 2
    assert f"(did you mean {meant}?)" in capsys.readouterr().err


def test_ports_and_counts_at_their_limits():
    assert [port(text) for text in ("0", "1", "65535")] == [0, 1, 65_535]
    assert positive("1") == 1


@pytest.mark.parametrize("seed", ["-1", "1.5", "9" * 19, "9" * 5000, "²", "x"])
@pytest.mark.parametrize(
    "command", ["bench", "compare", "hand", "learn", "match", "play", "serve", "table", "train"]
)
def test_seeds_below_0_and_of_any_length_were_accepted(command, seed, capsys):
    assert main([command, f"--seed={seed}"]) == 2
    error = capsys.readouterr().err
    assert "is not a whole number from 0" in error
    assert error.count("\n") == 1


def test_a_seed_of_an_agent_is_as_long_as_any():
    assert make_agent(f"manue:seed={'9' * 18}").name == "manue"
    for text in ("9" * 19, "9" * 5000, "-1", "²"):
        with pytest.raises(UsageError, match="seed must be a whole number"):
            make_agent(f"manue:seed={text}")


@pytest.mark.parametrize(
    "command", [["match", "--seats", "greedy,rules,greedy,rules", "--out"], ["table", "--log"]]
)
@pytest.mark.parametrize("option", ["--decision-seconds", "--game-seconds", "--start-seconds", "--strikes"])
def test_limits_of_programs_were_taken_where_there_is_none(command, option, capsys, tmp_path):
    assert main([*command, str(tmp_path / "x"), option, "1"]) == 2
    assert f"{option} is about programs, but no seat is a cmd: program" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("time", ["nan", "inf", "-1", "1e9", "x"])
@pytest.mark.parametrize(
    ("command", "option"),
    [
        (["bot", "check", "cmd:cat"], "--seconds"),
        (["match"], "--decision-seconds"),
        (["match"], "--until-ci"),
        (["play"], "--limit"),
        (["serve"], "--bank-seconds"),
    ],
)
def test_times_that_are_no_number_were_accepted(command, option, time, capsys):
    assert main([*command, f"{option}={time}"]) == 2
    assert f"'{time}' is not a " in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["review", ""],
        ["convert", "", "-o", "out"],
        ["convert", "game.mjson", "-o", ""],
        ["train", "games", "--out", ""],
        ["learn", "", "--out", "out"],
        ["match", "--out", ""],
        ["serve", "--log-dir", ""],
        ["calibrate", ""],
    ],
)
def test_an_empty_path_was_the_current_folder(command, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    error = capsys.readouterr().err
    assert "the path is empty" in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [["play"], ["table", "--no-browser"]])
@pytest.mark.parametrize("name", ["", " "])
def test_a_player_without_a_name_joined(command, name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--name", name]) == 2
    error = capsys.readouterr().err
    assert "argument --name: the name is empty" in error
    assert error.count("\n") == 1


def test_a_room_without_a_name_was_served(capsys):
    assert main(["serve", "--port", "0", "--room", ""]) == 2
    assert capsys.readouterr().err == "manue: --room is empty: no client could name it\n"


@pytest.mark.parametrize(
    "command", [["serve"], ["table", "--no-browser", "--seats", "me,greedy,greedy,greedy"]]
)
@pytest.mark.parametrize("host", ["", "[]"])
def test_an_empty_host_was_every_interface(command, host, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(socket, "create_server", pytest.fail)
    assert main([*command, "--host", host]) == 2
    assert capsys.readouterr().err == "manue: the host to listen on is empty\n"
    assert not list(tmp_path.iterdir())


def test_times_at_their_limits():
    assert [seconds(text) for text in ("0.01", "86400")] == [0.01, 86_400]
    assert free_seconds("0") == 0.0
    with pytest.raises(argparse.ArgumentTypeError):
        seconds("0")


@pytest.mark.parametrize("command", ["play", "review", "view", "position"])
def test_help_says_that_a_game_names_its_own_rules(command):
    """Regression: "(default: tenhou)", where a record of Mahjong Soul is judged by its own rules."""
    parser = argparse.ArgumentParser()
    importlib.import_module(f"manue.commands.{command}").add_arguments(parser)
    rules = next(action for action in parser._actions if "--rules" in action.option_strings)
    assert "of a game that does not name its own" in rules.help


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("review game.mjson --rollout 5", "--rollout"),
        ("hand 123m456p789s1122z --tsu", "--tsu"),
        ("bot check cmd:cat --sec 5", "--sec"),
    ],
)
def test_abbreviated_options_were_accepted(command, option, capsys):
    """A new option could give one another meaning, or none."""
    assert main(command.split()) == 2
    error = capsys.readouterr().err
    assert option in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "script",
    ["akagi-folder", "first-answers", "layout-picture", "mjai-app-zip", "mjai-simulator", "original-mjai"],
)
def test_scripts_accepted_abbreviated_options(script):
    command = [sys.executable, ROOT / "scripts" / script, "--hel"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
