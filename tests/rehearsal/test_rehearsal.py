"""The scripted game is a sound one with every kind of event; programs are judged by it line by line."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.game.consistency import problems
from manue.game.events import seen_by
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.protocol.codec import action_to_fields, choice_to_action, message_to_choice, message_to_event
from manue.protocol.parsing import parse_value
from manue.rehearsal.rehearsal import SEAT, script
from manue.table.payments import Payments
from manue.table.program_spec import parse_program, without_name
from manue.table.specs import split_specs

STARTERS = Path(__file__).parent.parent.parent / "manue" / "rehearsal" / "starters"
KINDS = {
    *("start_game", "start_kyoku", "tsumo", "dahai", "chi", "pon", "daiminkan", "kakan", "ankan", "dora"),
    *("reach", "reach_accepted", "hora", "ryukyoku", "end_kyoku", "end_game"),
}
NODE = shutil.which("node")


def test_the_script_is_a_sound_game_with_every_kind_of_event_and_of_choice():
    states, choices, offered, payments = [RoundState(seat) for seat in range(4)], [()] * 4, set(), Payments()
    own, others = set(), set()
    for message in script():
        parsed = parse_value(message)
        choice = message_to_choice(parsed)
        if choice is not None and choice.actor is not None:  # nine terminals name nobody
            choice_to_action(choice, choices[choice.actor])  # or it raises
        if "actor" in message:
            (own if message["actor"] == SEAT else others).add(message["type"])
        event = message_to_event(parsed)
        paid = payments.completed(message)
        for seat, state in enumerate(states):
            state.apply(seen_by(event, seat))
            assert problems(state) == []
            actions = legal_actions(state)
            choices[seat] = actions or choices[seat]
            if seat == SEAT:
                offered |= {action_to_fields(action, seat)["type"] for action in actions}
            if message["type"] in {"hora", "reach_accepted", "end_game"}:
                assert state.scores == paid["scores"]
    calls = {"tsumo", "dahai", "chi", "pon", "daiminkan", "kakan", "ankan", "reach", "reach_accepted", "hora"}
    assert {message["type"] for message in script()} == KINDS
    assert own == calls
    assert others == calls
    assert offered == calls - {"tsumo", "reach_accepted"} | {"ryukyoku", "none"}


@pytest.mark.parametrize("kind", ["cmd", "cmd-each", "cmd-keep"])
@pytest.mark.parametrize("language", ["python", "js"])
def test_the_starters_are_right(kind, language, tmp_path, capsys):
    if language == "js" and NODE is None:
        pytest.skip("needs Node")
    folder = tmp_path / "mine"
    assert main(["bot", "new", f"--{language}", str(folder)]) == 0
    (bot,) = folder.iterdir()
    assert f'manue bot check "cmd:{bot}"' in capsys.readouterr().out
    assert main(["bot", "check", f"{kind}:{bot}"]) == 0
    said = capsys.readouterr().out
    assert "all is right" in said
    assert said.count(" > ") == len(script())
    assert main(["bot", "new", f"--{language}", str(folder)]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a,b", "my {seat}", "it's $HOME", '"{x}", `y`'])
def test_the_commands_that_a_starter_comes_with_did_not_work_from_every_folder(name, tmp_path, capsys):
    (tmp_path / name).mkdir()
    assert main(["bot", "new", "--python", str(tmp_path / name)]) == 0
    check, match = (shlex.split(line) for line in capsys.readouterr().out.splitlines()[1:3])
    program = [str(tmp_path / name / "bot.py")]
    assert parse_program(check[3]).words(0) == program
    seats = split_specs(match[match.index("--seats") + 1])
    assert (seats[1], parse_program(without_name(seats[0])).words(0)) == ("greedy", program)


@pytest.mark.parametrize("folder", ["mine", "./my/agents", "my-agents"])
def test_the_commands_that_an_agent_comes_with_work(folder, tmp_path, capsys, monkeypatch):
    pytest.importorskip("riichienv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["bot", "new", "--agent", folder]) == 0
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert (first, last[:15]) == (f"{Path(folder) / 'agent.py'}: try it, let it play:", "docs/library.md")
    commands = [shlex.split(line) for line in lines]
    if commands[0][0] == "cd":
        monkeypatch.chdir(commands.pop(0)[1])
    position, match = (command[1:] for command in commands)
    for name in [name for name in sys.modules if name.partition(".")[0] in {"agent", "mine", "my"}]:
        monkeypatch.delitem(sys.modules, name)
    assert main(position) == 0
    assert "chosen riichi" in capsys.readouterr().out
    assert main([*match, "--games", "4", "--east", "--workers", "1"]) == 0  # 4 with any fault
    assert main(["bot", "new", "--agent", str(tmp_path / folder)]) == 2  # it is there


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_starters_play_at_once(tmp_path):
    pytest.importorskip("riichienv")
    seats = f"mine=cmd-keep:{STARTERS / 'bot.py'},js=cmd-each-keep:{STARTERS / 'bot.js'},greedy,greedy"
    options = ["--games", "2", "--east", "--workers", "1", "--out", str(tmp_path / "out")]
    assert main(["match", "--seats", seats, *options]) == 0  # 4 with any fault


def always(reply):
    return f"import sys\nfor line in sys.stdin: print({reply!r}, flush=True)"


NONE = '{"type":"none"}'


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        (always(NONE), "cmd-each", "WRONG: not allowed"),
        (always(NONE), "cmd", "cmd-each:"),
        (always("hm"), "cmd-array", "WRONG: unreadable: not JSON"),
        (always('{"type":"reach"}'), "cmd-each", f"nothing was asked: the answer is {NONE}"),
        (always('{"type":"dahai","actor":0,"pai":"1m"}'), "cmd-each", "WRONG: it acts for seat 0"),
        ("input()\nhand.remove('1m')", "cmd", "NameError: name 'hand' is not defined"),
        ("import sys\nsys.stdin.read()", "cmd", "WRONG: late: it did not answer in time"),
    ],
)
def test_what_is_wrong_is_said_at_its_line(text, kind, wanted, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("manue.table.program.EXIT_SECONDS", 60.0)  # of a bot that fails, on a busy machine
    bot = tmp_path / "bot.py"
    bot.write_text(text)
    seconds = "0.1" if "late" in wanted else "60"
    code = main(["bot", "check", f"{kind}:{sys.executable} {bot}", "--seconds", seconds])
    said = capsys.readouterr().out
    assert code == 1
    assert wanted in said
    assert "look for WRONG" in said.splitlines()[-1]
    assert "\n1 decisions" not in said


def test_a_command_needs_no_prefix_and_must_exist(capsys):
    assert main(["bot", "check", "/no/such/bot"]) == 2
    assert "there is no file '/no/such/bot'" in capsys.readouterr().err


def test_a_bot_that_never_answers_is_told_of_the_option_at_hand(tmp_path, capsys):
    """Not of those of a match, and not that the slowest of its answers took no time."""
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.stdin.read()")
    assert main(["bot", "check", f"cmd:{sys.executable} {bot}", "--seconds", "0.1"]) == 1
    said = capsys.readouterr().out
    assert "no answer within 0.1 s (--seconds)" in said
    assert "--strikes" not in said
    assert said.splitlines()[-1] == "5 decisions, 5 not in time: 5 wrong (look for WRONG)"
