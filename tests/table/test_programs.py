"""Programs at the table: their names, folders and processes, what they are sent, how they are debugged."""

import json
import os
import re
import sys
import time
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.errors import SeatFault, UsageError
from manue.protocol.codec import message_to_event
from manue.protocol.parsing import parse_value
from manue.table import kept_programs
from manue.table.conversation_log import ConversationLog
from manue.table.process_seat import ProcessSeat
from manue.table.program import Program
from manue.table.program_spec import ProgramSpec
from manue.table.seats import TableEvent
from manue.table.standard_error import failure_in
from manue.table.thinking_time import Limits, ThinkingClock
from tests.waiting import wait_until

pytest.importorskip("riichienv")

BOTS = Path(__file__).parent / "bots"
OPTIONS = ["--east", "--seed", "4", "--workers", "1", "--games"]


def match(tmp_path, first, games="1", *more):
    out = tmp_path / "out"
    seats = f"{first},tsumogiri,tsumogiri,greedy"
    code = main(["match", "--seats", seats, *OPTIONS, games, "--out", str(out), *more])
    return code, [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


def script(tmp_path, text):
    bot = tmp_path / "its-bot.py"
    bot.write_text(text)
    return f"{sys.executable} {bot}"


def noted(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_program_has_a_name_a_folder_and_variables(tmp_path):
    notes, home = tmp_path / "notes", tmp_path / "home"
    home.mkdir()
    spec = f"Spy=cmd:[cwd={home},env.STYLE='a, b'] {sys.executable} {BOTS / 'spy.py'} {notes}"
    code, (line,) = match(tmp_path, spec)
    assert code == 0
    assert line["agents"][0] == "Spy"
    (_, folder, style, start), *payments = noted(notes)
    assert (folder, style) == (str(home), "a, b")
    assert (start["names"][0], start["kyoku_first"], start["aka_flag"]) == ("Spy", 4, True)
    assert "Spy" in (tmp_path / "out" / "report.html").read_text()
    *paid, (_, _, _, end) = payments
    assert {"hora", "reach_accepted"} <= {event["type"] for *_, event in paid}
    for *_, event in paid:
        assert {"deltas", "scores"} <= set(event)
        assert event["type"] != "hora" or event["pai"] != "?"
    assert end["scores"] == line["scores"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_kept_program_plays_all_games_of_a_worker(tmp_path, workers):
    notes = tmp_path / "notes"
    spec = f"cmd-keep:{sys.executable} {BOTS / 'spy.py'} {notes}"
    code, lines = match(tmp_path, spec, "6", "--workers", workers)
    assert (code, len(lines)) == (0, 6)
    starts = [(pid, event["id"]) for pid, _, _, event in noted(notes) if event["type"] == "start_game"]
    assert len(starts) == 6
    assert {seat for _, seat in starts} == {0, 1, 2, 3}
    pids = {pid for pid, _ in starts}
    assert len(pids) <= int(workers)
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


@pytest.fixture
def _patience(monkeypatch):
    """Programs that end by themselves have the time for it that a busy machine needs."""
    monkeypatch.setattr("manue.table.program.EXIT_SECONDS", 600.0)


@pytest.mark.usefixtures("_patience")
def test_a_kept_program_that_fails_is_started_anew(tmp_path):
    marker = tmp_path / "failed"
    bot = script(
        tmp_path,
        f"""
import sys, pathlib, runpy
failed = pathlib.Path({str(marker)!r})
if not failed.exists():
    failed.touch()
    sys.exit("the first time")
sys.argv = ["spy.py", {str(tmp_path / "notes")!r}]
runpy.run_path({str(BOTS / "spy.py")!r})
""",
    )
    code, lines = match(tmp_path, f"cmd-keep:{bot}", "3")
    assert code == 4
    assert [len(line["faults"]) for line in lines] == [1, 0, 0]
    assert "the first time" in lines[0]["faults"][0]["reason"]


def test_a_kept_program_that_ended_between_games_is_replaced():
    spec = ProgramSpec("cmd", "cat", keep=True)
    program = kept_programs.take(spec, 0)
    kept_programs.give_back(program)
    os.kill(program._process.pid, 9)
    program._process.wait()
    other = kept_programs.take(spec, 0)
    assert other is not program
    assert other.alive
    kept_programs.give_back(other)
    assert kept_programs.take(spec, 1) is other
    other.close()


EACH = """
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] == "tsumo" and event["actor"] == 0:
        print(json.dumps({"type": "dahai", "actor": 0, "pai": event["pai"], "tsumogiri": True}), flush=True)
    else:
        print('{"type":"none"}', flush=True)
"""


ENDS = """
import json, sys
at, code = sys.argv[1], int(sys.argv[2])
for line in sys.stdin:
    events = json.loads(line)
    event = events[-1] if isinstance(events, list) else events
    if event["type"] == at:
        sys.exit(code)
    if event["type"] == "tsumo" and event["actor"] == 0:
        print(json.dumps({"type": "dahai", "actor": 0, "pai": event["pai"], "tsumogiri": True}), flush=True)
    else:
        print('{"type":"none"}', flush=True)
"""


@pytest.mark.parametrize(
    ("kind", "at", "code", "fault"),
    [
        ("cmd-each", "end_game", 0, None),
        ("cmd-array", "end_game", 0, None),
        ("cmd-each", "end_game", 3, "exit code 3"),
        ("cmd-each", "end_kyoku", 0, "exit code 0"),
        ("cmd-each-keep", "end_game", 0, "exit code 0"),
    ],
)
@pytest.mark.usefixtures("_patience")
def test_a_bot_that_ended_with_the_game_counted_as_failed(kind, at, code, fault, tmp_path):
    """A program that is to answer every line need not answer the last one if it plays one game."""
    _, (line,) = match(tmp_path, f"{kind}:{script(tmp_path, ENDS)} {at} {code}")
    assert [(found["kind"], fault in found["reason"]) for found in line["faults"]] == (
        [] if fault is None else [("died", True)]
    )


def test_a_bot_that_answers_every_line_is_shown_cmd_each(tmp_path, capsys):
    """It was told ``illegal: {"type": "none"}`` and no more."""
    code, (line,) = match(tmp_path, f"cmd:{script(tmp_path, EACH)}", "1", "--allow-faults")
    assert code == 4  # allowed, but it failed in every game
    (fault,) = line["faults"]
    assert fault["kind"] == "illegal"
    assert "cmd-each:" in fault["reason"]
    assert "failed in every game" in capsys.readouterr().out
    assert (
        main(
            [
                "match",
                "--seats",
                f"cmd-each:{script(tmp_path, EACH)},greedy,greedy,greedy",
                *OPTIONS,
                "1",
                "--out",
                str(tmp_path / "each"),
            ]
        )
        == 0
    )


def test_a_line_before_the_question_is_no_answer(tmp_path):
    """It was taken for the answer to the next question."""
    bot = script(tmp_path, 'import sys; print(\'{"type":"none"}\', flush=True); sys.stdin.read()')
    seat = ProcessSeat(0, ProgramSpec("cmd", bot), Limits())
    while seat._program.waiting() is None:
        time.sleep(0.01)
    start = {"type": "start_game", "names": list("abcd")}
    with pytest.raises(SeatFault, match=r"before it was asked.*cmd-each:") as raised:
        seat.observe([TableEvent(start, message_to_event(parse_value(start)))], asked=False)
    assert (raised.value.kind, raised.value.sent) == ("illegal", b'{"type":"none"}')
    seat.close()


def test_a_note_before_the_question_is_told_where_to_go(tmp_path):
    """It was advised to be seated as a program that answers every line."""
    seat = ProcessSeat(
        0, ProgramSpec("cmd", script(tmp_path, "print('hello', flush=True); input()")), Limits()
    )
    while seat._program.waiting() is None:
        time.sleep(0.01)
    with pytest.raises(SeatFault, match=r"before it was asked; notes belong on stderr$"):
        seat.observe([TableEvent({"type": "end_game"}, None)], asked=False)
    seat.close()


LATE_AT_FIRST = """
import json, sys
answers = ['[{"type":"none"}]', '[{"type":"none"}]']
for number, line in enumerate(sys.stdin):
    print(line, end="", file=sys.stderr, flush=True)
    if number == 0:
        continue  # answered with the next one
    while answers:
        print(answers.pop(), flush=True)
    if number > 1:
        print('[{"type":"dahai","actor":0,"pai":"E","tsumogiri":true}]', flush=True)
"""


def test_an_array_after_a_late_answer_was_never_sent(tmp_path):
    """The bot was said to play on, but knew nothing of the round that had begun."""
    log = ConversationLog(tmp_path / "x.log")
    program = ProgramSpec("cmd-array", script(tmp_path, LATE_AT_FIRST))
    seat = ProcessSeat(0, program, Limits(decision=0.1, start=0.1), log)
    turn = TableEvent({"type": "tsumo", "actor": 0, "pai": "E"}, None)
    start = {"type": "start_game", "names": list("abcd")}
    events = [TableEvent(start, message_to_event(parse_value(start))), turn]
    with pytest.raises(SeatFault) as raised:
        seat.observe(events, asked=True)
    assert raised.value.kind == "late"
    assert seat.plays_on(raised.value)
    seat._clock = ThinkingClock(Limits(decision=600))
    answer = seat.observe([turn], asked=True)
    assert answer.reply["pai"] == "E"
    seat.close()
    sent = [line.split(" ", 2)[2] for line in (tmp_path / "x.log").read_text().splitlines() if " > " in line]
    assert [[event["type"] for event in json.loads(line)] for line in sent] == [
        ["start_game"],
        ["tsumo"],
        ["tsumo"],
    ]


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(decision=2.5, start=60), "60 s (--start-seconds)"),
        (Limits(decision=2.5, start=1), "2.5 s (--decision-seconds)"),
        (Limits(decision=2.5, game=0.5), "the 0.5 s left of 0.5 s (--game-seconds)"),
    ],
)
def test_an_answer_after_the_time_of_the_game_was_said_to_have_taken_all_of_it(limits, words):
    clock = ThinkingClock(limits)
    clock.ask()
    assert clock.limit == words


@pytest.mark.parametrize("command", ["match", "serve", "table"])
def test_the_fault_of_a_late_program_names_options_of_the_command_it_plays_in(tmp_path, capsys, command):
    """`serve` has no --strikes, said its faults, and `table` none of the options that they named."""
    bot = script(tmp_path, "import sys; sys.stdin.read()")
    seat = ProcessSeat(0, ProgramSpec("cmd", bot), Limits(decision=0.1, start=0.1))
    with pytest.raises(SeatFault) as raised:
        seat.observe([TableEvent({"type": "tsumo", "actor": 0, "pai": "E"}, None)], asked=True)
    seat.close()
    named = re.findall(r"--[a-z-]+", raised.value.reason)
    assert named == ["--decision-seconds", "--strikes"]
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert set(named) <= set(re.findall(r"--[a-z-]+", capsys.readouterr().out))


def test_a_fault_says_where_it_was_what_was_allowed_and_what_came(tmp_path, capsys):
    bot = script(
        tmp_path,
        """
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event.get("can_act") is not False:
        print("<b>what?</b>" + "x" * 500, flush=True)
""",
    )
    code, (line,) = match(tmp_path, f"Bad=cmd:{bot}")
    assert code == 4
    (fault,) = line["faults"]
    assert (fault["kind"], fault["place"], fault["round"]) == ("unreadable", "East 1", 0)
    assert fault["reason"].startswith("not JSON")
    assert fault["came"].startswith("<b>what?</b>xxx")
    assert len(fault["came"]) == 200
    assert fault["allowed"].startswith("dahai ")
    assert "to the end of the game" in fault["then"]
    error = capsys.readouterr().err
    assert (
        f"game 0: Bad in seat 0, unreadable in East 1, event {fault['event']} of the game: not JSON" in error
    )
    assert "it sent: <b>what?</b>" in error
    report = (tmp_path / "out" / "report.html").read_text()
    assert "it sent: &lt;b&gt;what?&lt;/b&gt;xxx" in report
    assert "allowed: dahai" in report
    assert "<b>what?" not in report


def test_conversations_are_kept_with_what_went_to_stderr(tmp_path):
    bot = script(tmp_path, "import sys; print('note', file=sys.stderr, flush=True)" + EACH)
    folder = tmp_path / "talk"
    match(tmp_path, f"cmd-each:{bot}", "2", "--log-bots", str(folder))
    assert sorted(path.name for path in folder.iterdir()) == ["000000-seat0.log", "000001-seat1.log"]
    lines = (folder / "000000-seat0.log").read_text().splitlines()
    marks = [line.split(" ", 2)[1] for line in lines]
    assert {">", "<", "!"} == set(marks)
    assert marks.count(">") == marks.count("<")
    assert any(line.endswith("! note") for line in lines)
    assert '"type":"start_game"' in lines[0] + lines[1]
    second = (folder / "000001-seat1.log").read_text()
    assert "# unreadable: field 'pai' is '?'" in second


def test_a_log_is_bounded(tmp_path):
    log = ConversationLog(tmp_path / "deep" / "x.log", max_bytes=1000)
    for _ in range(1000):
        log.write("<", b"x" * 99)
    log.close()
    log.write("<", b"after")
    text = (tmp_path / "deep" / "x.log").read_text()
    assert 900 < len(text) < 1200
    assert text.endswith("the rest is left out\n")


@pytest.mark.usefixtures("_patience")
def test_stderr_neither_blocks_a_program_nor_grows():
    text = (
        "import sys; sys.stderr.write('x' * 99 + '\\n' * 3_000_000); sys.stderr.write('ValueError: at last')"
    )
    program = Program(ProgramSpec("cmd", f'{sys.executable} -c "{text}"'), 0)
    program._process.wait()
    assert "ValueError: at last" in program.cause_of_death()
    assert len(program._stderr._kept) == 1 << 16
    program.close()


NODE = """/bot.js:3
    a.foo.bar;
      ^

TypeError: Cannot read properties of undefined (reading 'foo')
    at Object.<anonymous> (/bot.js:3:7)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)

Node.js v20.20.2
"""
PYTHON = """Traceback (most recent call last):
  File "bot.py", line 3, in <module>
    hand.remove(tile)
ValueError: list.remove(x): x not in list
"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (NODE, "a.foo.bar; | ^ | TypeError: Cannot read properties of undefined (reading 'foo') | at Object"),
        (PYTHON, 'File "bot.py", line 3, in <module> | hand.remove(tile) | ValueError: list.remove(x)'),
        ("one\ntwo\nthree\nfour\n", "two | three | four"),
        (
            "thread 'main' panicked at src/main.rs:2\nnote: run with RUST_BACKTRACE=1\n",
            "thread 'main' panicked",
        ),
        ("", ""),
    ],
)
def test_the_line_that_names_the_failure_is_found(text, shown):
    """The last line was shown; Node's is its version."""
    assert failure_in(text).startswith(shown)
    assert "Node.js v20" not in failure_in(text)


def test_what_is_no_program_says_so(tmp_path):
    bot = tmp_path / "bot"
    bot.write_text("no interpreter is named here\n")
    bot.chmod(0o755)
    with pytest.raises(UsageError, match="a script begins with a line like"):
        Program(ProgramSpec("cmd", str(bot)), 0)
