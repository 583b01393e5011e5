"""Programs as players: how they are written on the command line, what is refused before anything starts."""

import stat

import pytest

from manue.__main__ import main
from manue.errors import UsageError
from manue.table import specs
from manue.table.program_spec import ProgramSpec, check_names, name_of, parse_program, without_name
from manue.table.seat_factory import check_spec
from manue.table.specs import check_specs, split_specs


@pytest.mark.parametrize(
    ("spec", "framing", "keep", "words"),
    [
        ("cmd:./bot {seat} --fast", "cmd", False, ["./bot", "2", "--fast"]),
        ("cmd-each: ./bot 'a b' \"c,d\"", "cmd-each", False, ["./bot", "a b", "c,d"]),
        ("Me=cmd-array-keep:node bot.js", "cmd-array", True, ["node", "bot.js"]),
        ('cmd-keep:bot \'{"a":{"b":1}}\' {{seat}}', "cmd", True, ["bot", '{"a":{"b":1}}', "{seat}"]),
    ],
)
def test_a_program_is_read(spec, framing, keep, words):
    program = parse_program(spec)
    assert (program.framing, program.keep, program.words(2)) == (framing, keep, words)


def test_settings_are_a_folder_and_variables(tmp_path):
    program = parse_program(f"cmd:[cwd={tmp_path},env.STYLE='wild, very',env.NONE=] ./bot [x]")
    assert str(program.folder) == str(tmp_path)
    assert program.env == (("STYLE", "wild, very"), ("NONE", ""))
    assert program.words(0) == ["./bot", "[x]"]
    assert program.environment()["STYLE"] == "wild, very"


@pytest.mark.parametrize(
    "spec", ["greedy", "manue:policy=points", "package.module:Class", "tcp:11600", "cmdx:a"]
)
def test_other_specs_name_no_program(spec):
    assert parse_program(spec) is None


def test_commas_in_quotes_and_settings_belong_to_the_program():
    text = "manue:policy=points,mc_draws=5,Me=cmd:[cwd=a,env.B=1] x 'a,b' \"c,d\",X=greedy,it's,tcp:1"
    wanted = [
        "manue:policy=points,mc_draws=5",
        "Me=cmd:[cwd=a,env.B=1] x 'a,b' \"c,d\"",
        "X=greedy",
        "it's",
        "tcp:1",
    ]
    assert split_specs(text) == wanted


def test_names():
    assert name_of("Me=cmd-keep:x a=b") == "Me"
    assert without_name("Me=cmd-keep:x a=b") == "cmd-keep:x a=b"
    assert name_of("Me=tcp:11600") == "Me"
    for spec in ("cmd:x a=b", "manue:policy=points", "greedy"):
        assert name_of(spec) == without_name(spec) == spec
    check_names(["Me=cmd:x", "Me=cmd:x", "greedy"])
    with pytest.raises(UsageError, match="two players are called 'Me'"):
        check_names(["Me=cmd:x", "Me=cmd:y"])


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("cmd:", "must name a program"),
        ("cmd:'open", "No closing quotation"),
        ("cmd:no-such-program-here", "no program 'no-such-program-here'"),
        ("cmd:/no/such", "there is no file '/no/such'"),
        ("cmd:/tmp/..", "is a folder"),
        ("cmd:[cwd=/no/such] true", "no such folder"),
        ("cmd:[cwd=/tmp true", "bracket"),
        ("cmd:[niceness=3] true", r"unknown setting 'niceness=3'; known: cwd=DIR, env\.NAME=VALUE"),
        ("cmd:true {port}", r"unknown placeholder \{port\}; known: \{seat\}"),
        ("cmd-keep:true {seat}", "learns from start_game"),
        ("cmd:[env.SEAT={seat}] true", r"\{seat\} stands only in the command"),
        ("cmd:[cwd=/tmp/{seat}] true", r"\{seat\} stands only in the command"),
    ],
)
def test_what_is_refused(spec, reason):
    with pytest.raises(UsageError, match=reason):
        check_spec(spec)


@pytest.mark.parametrize("spec", ["cmd-keep-each:true", "cmd-foo:true", "=cmd:true", '"a=b"=cmd:true', "cmd"])
def test_a_malformed_program_was_told_to_play_in_the_match_it_was_given_to(spec):
    with pytest.raises(UsageError, match=r"a program is \[NAME=\]cmd\[-each\|-array\]\[-keep\]:PROGRAM ARGS"):
        check_spec(spec)


@pytest.mark.parametrize("port", ["65536", "99999", "123456"])
def test_a_port_past_the_last_was_refused_only_when_the_match_had_begun(port):
    with pytest.raises(UsageError, match=f"tcp:{port}: a port is at most 65535"):
        check_spec(f"a=tcp:{port}")


def test_a_file_that_may_not_be_executed_says_so(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("print()\n")
    with pytest.raises(UsageError, match="is not executable: chmod"):
        ProgramSpec("cmd", str(bot)).check()
    with pytest.raises(UsageError, match=r"write \./bot\.py"):
        ProgramSpec("cmd", "bot.py", folder=tmp_path).check()
    bot.chmod(bot.stat().st_mode | stat.S_IXUSR)
    ProgramSpec("cmd", str(bot)).check()


def test_an_unknown_agent_is_told_from_a_program(tmp_path):
    with pytest.raises(UsageError, match="a program of your own is cmd:PROGRAM ARGS"):
        check_spec("nobody")
    bot = tmp_path / "bot.py"
    bot.touch()
    with pytest.raises(UsageError, match=f"a program of your own is cmd:{bot} "):
        check_spec(str(bot))


def test_all_specs_are_checked_before_anything_is_warmed_up(monkeypatch):
    warmed = []
    monkeypatch.setattr(specs, "warm_up_spec", warmed.append)
    monkeypatch.setattr(specs, "load_placement_model", lambda: warmed.append("all"))
    with pytest.raises(UsageError):
        check_specs(["greedy", "cmd:/no/such"])
    assert warmed == []
    check_specs(["greedy", "greedy", "cmd:true"])
    assert warmed == ["greedy", "cmd:true", "all"]


def test_players_that_fill_no_table_are_refused_before_anything_is_warmed_up(monkeypatch, capsys, tmp_path):
    warmed = []
    monkeypatch.setattr(specs, "warm_up_spec", warmed.append)
    assert main(["match", "--seats", "manue,greedy", "--games", "1", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "manue: a table has four seats, not 2: manue, greedy\n"
    assert warmed == []


def test_help_explains_the_ways_to_seat_a_program(capsys):
    with pytest.raises(SystemExit):
        main(["match", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for words in (
        "cmd:PROGRAM ARGS",
        "cmd-each: (every line answered)",
        "cmd-array: (arrays)",
        "docs/bots.md",
    ):
        assert words in text
