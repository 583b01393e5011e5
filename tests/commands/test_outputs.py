"""What commands write: checked before the work, never over a record, whole or not at all."""

import errno
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.agents.greedy import Greedy
from manue.errors import UsageError
from manue.training.pipeline import EXTRACTED, TrainingTask, train
from manue.whole_files import whole_file, write_whole
from manue.workers import WorkerPool
from tests.conftest import game
from tests.training.watchers import Silent


@pytest.mark.parametrize(
    "command", ["match --seats tsumogiri --format self --out", "serve --port 0 --log-dir"]
)
def test_a_file_in_place_of_a_folder_is_named_first_as_in_other_errors(command, tmp_path, capsys):
    """ "File exists: out" is not what is wrong."""
    there = tmp_path / "out"
    there.touch()
    assert main([*command.split(), str(there)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"manue: {there}: not a folder"


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.mjson.gz"
    path.write_bytes(game("four-riichi").read_bytes())
    return path


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("view {log} -o -", "-: what is asked for is written to a file, not to standard output"),
        ("view {log} -o {log}", "{log} is one of the records to read"),
        ("review {log} --agent greedy -o {log}", "{log} is one of the records to read"),
        ("review {log} --agent greedy --log {log}", "{log} is one of the records to read"),
        (
            "review {log} --agent greedy -o {out} --log {out}",
            "{out}: two things cannot be written to one file",
        ),
        ("review {log} --agent greedy -o {none}/page.html", "{none}/page.html: there is no folder {none}"),
        ("view {log} -o {none}.png", "-o {none}.png: what is written is a page, named so (.html)"),
        ("review {log} -o {none}.json", "{none}.json: what is written is a page"),
        ("problems -o {none}.svg", "{none}.svg: what is written is a page"),
        ("position --hand 123m456p789s1122z9m -o {none}.PDF", "{none}.PDF: what is written is a page"),
        ("convert {log} {log} -o {log}", "{log} is one of the records to read"),
        ("review {log} --agent cmd:./bot", "a program plays in matches"),
        ("review {log} --agent Mine=cmd-each-keep:./bot", "a program plays in matches"),
        ("position {log}:East-1.1 --seat 0 --dora 1m", "--dora goes with --hand"),
        (
            "position 123m456p789s1122z9m --dora 1m",
            "123m456p789s1122z9m: the tiles of a hand go after --hand",
        ),
        ("position --hand 123m456p789s1122z9m --game 1", "--game goes with LOG:MOMENT"),
        ("hand 123m456p789s11z --ura 1m", "--ura goes with --riichi"),
        ("hand --distribution 10 --draw 3z", "leave out --draw"),
        ("warm --out {out}", "--out goes with --for"),
        (
            "warm --for x86-64-v2 --out {none}",
            "--out {none}: not the folder kernels of a copy",
        ),
        (
            "warm --for x86-64-v2 --out {none}/kernels",
            "not the folder kernels of a copy",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_before_the_work(record, tmp_path, capsys, command, words):
    """Regression: a page was written over the record that it was made from."""
    before = record.read_bytes()
    places = {"log": str(record), "out": str(tmp_path / "out.html"), "none": str(tmp_path / "none")}
    assert main([part.format(**places) for part in command.split()]) == 2
    said = capsys.readouterr().err
    assert words.format(**places) in said
    assert said.count("\n") == 1
    assert record.read_bytes() == before


def test_two_red_fives_of_a_suit_are_refused(capsys):
    assert main(["hand", "00p123m456p789s11z"]) == 2
    reason = "2 copies of 5pr in hand, melds and indicators; there is only one"
    assert capsys.readouterr().err == f"manue: {reason}\n"


def test_deposits_need_the_scores_that_paid_them(capsys):
    assert main(["position", "--hand", "123m456p789s1122z9m", "--deposits", "2", "--agent", "greedy"]) == 2
    assert "give the scores as well" in capsys.readouterr().err


def test_a_game_of_several_is_chosen_for_a_position(record, capsys):
    record.write_bytes(2 * record.read_bytes())
    where = ["position", f"{record}:East-1.1", "--seat", "0", "--agent", "greedy"]
    assert main(where) == 2
    assert "choose one with --game 1..2" in capsys.readouterr().err
    assert main([*where, "--game", "2"]) == 0
    assert "chosen" in capsys.readouterr().out


def test_records_without_events_are_named_among_several(record, tmp_path, capsys):
    """Regression: an empty file was neither named nor counted, and the exit code was 0."""
    (tmp_path / "empty.mjson").touch()
    assert (
        main(["review", str(tmp_path), "--agent", "greedy", "--seat", "0", "-o", str(tmp_path / "out")]) == 1
    )
    said = capsys.readouterr().err
    assert "empty.mjson: no events in this file" in said
    assert "1 game, 1 not read" in said


def test_a_full_disk_names_the_file_and_keeps_the_old_one(tmp_path, monkeypatch):
    """Regression: the error named no file, and half a page took the place of a whole one."""
    page = tmp_path / "page.html"
    write_whole(page, "old")

    def full(path, data):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_whole(page, "new")
    assert caught.value.filename == str(page)
    assert page.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_file_keeps_its_mode_and_may_have_a_long_name(tmp_path):
    page = tmp_path / ("x" * 250 + ".html")
    write_whole(page, "old")
    page.chmod(0o600)
    write_whole(page, "new")
    assert (page.read_text(), page.stat().st_mode & 0o777) == ("new", 0o600)


def test_an_error_of_another_file_keeps_its_name(tmp_path):
    page = tmp_path / "page.html"
    with pytest.raises(FileNotFoundError) as caught, whole_file(page) as written:
        written.write_text((tmp_path / "other").read_text())
    assert caught.value.filename == str(tmp_path / "other")
    assert not list(tmp_path.iterdir())


def test_training_that_found_no_game_may_be_begun_again(tmp_path):
    empty = tmp_path / "empty.mjson"
    empty.touch()
    for _ in range(2):
        assert main(["train", str(empty), "--out", str(tmp_path / "models")]) == 1


def test_a_link_is_written_through(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def interrupt_in_the_middle_of_work():
    with WorkerPool(1) as pool:
        assert pool.submit(abs, -1).result() == 1
        pool.submit(time.sleep, 3600)
        raise KeyboardInterrupt


def test_work_is_not_waited_for_after_an_interruption():
    """Regression: training and calibrating ended long after Ctrl-C. If waited for, this takes an hour."""
    with pytest.raises(KeyboardInterrupt):
        interrupt_in_the_middle_of_work()


def test_an_unfinished_training_is_not_begun_anew_unasked(record, tmp_path):
    """Regression: what an interrupted run had read was deleted."""
    (tmp_path / "models" / EXTRACTED).mkdir(parents=True)
    with pytest.raises(UsageError, match="holds an unfinished run: continue it with --resume"):
        train(
            TrainingTask([record]),
            tmp_path / "models",
            [],
            command="",
            workers=1,
            resume=False,
            watcher=Silent(),
        )


def test_a_process_that_is_killed_ends_the_command_in_one_line(monkeypatch, capsys):
    def killed():
        with WorkerPool(1) as pool:
            list(pool.map(os._exit, [9]))

    monkeypatch.setattr("manue.__main__._run", lambda _: killed())
    assert main(["train"]) == 1
    assert capsys.readouterr().err == (
        "manue: a process of this command was killed from outside, perhaps for want of memory\n"
    )


def test_a_signal_that_the_compiler_swallowed_is_an_interruption(monkeypatch, capsys):
    """Regression: Ctrl-C while a kernel was being written ended in a traceback."""

    def interrupted(_arguments):
        raise RuntimeError("no compiled object yet for <Library 'play_round'>")

    monkeypatch.setattr("manue.__main__._run", interrupted)
    assert main(["warm"]) == 130
    assert capsys.readouterr().err == "manue: interrupted\n"
    monkeypatch.setattr("manue.__main__._run", lambda _arguments: {}.popitem())
    with pytest.raises(KeyError):
        main(["warm"])


_INTERRUPTED_IN_A_CALL = """
import ctypes, sys
import manue.__main__ as program

@ctypes.CFUNCTYPE(None)
def called_back():
    raise KeyboardInterrupt

def interrupted(_arguments):
    called_back()
    raise RuntimeError("no compiled object yet for <Library 'play_round'>")

program._run = interrupted
sys.exit(program.main())
"""


def test_a_signal_in_a_call_from_the_compiler_printed_a_traceback():
    command = [sys.executable, "-c", _INTERRUPTED_IN_A_CALL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr == "manue: interrupted\n"


def test_a_lack_of_memory_was_a_traceback(monkeypatch, capsys):
    def greedy(_arguments):
        raise MemoryError

    monkeypatch.setattr("manue.__main__._run", greedy)
    assert main(["learn"]) == 1
    assert capsys.readouterr().err == "manue: out of memory: ask for less at a time\n"


def test_a_current_folder_that_is_gone_was_an_error_without_a_name(monkeypatch, capsys, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr("manue.commands.hand.run", lambda _: Path.cwd())
    assert main(["hand", "123m"]) == 1
    assert capsys.readouterr().err == "manue: the current folder no longer exists\n"


def test_a_lack_of_threads_was_a_traceback(monkeypatch, capsys):
    def refused(*_, **_by_name):
        raise RuntimeError("can't start new thread")

    for name in ("_start_new_thread", "_start_joinable_thread"):  # the second since Python 3.13
        monkeypatch.setattr(threading, name, refused, raising=False)
    monkeypatch.setattr("manue.__main__._run", lambda _: threading.Thread().start())
    assert main(["match"]) == 1
    assert capsys.readouterr().err == (
        "manue: no more threads can be started: a limit of processes or of memory is reached\n"
    )


@pytest.mark.parametrize("encoding", ["ascii", "euc-jp"])
def test_a_terminal_that_does_not_have_a_character_was_a_traceback(encoding):
    """Every table has a middle dot, which is in neither."""
    hand = ["hand", "2345p789s1122345m"]
    assert main(hand) == 0  # a process that had to compile would say so on stderr
    command = [sys.executable, "-m", "manue", *hand]
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"regular 0 \xb7 seven pairs 4" in done.stdout


class Talkative(Greedy):
    """Prints while it is made and while it decides."""

    def __init__(self):
        print("hello")

    def decide(self, state, actions):
        """Think aloud."""
        print("let me see")
        return super().decide(state, actions)


@pytest.mark.parametrize(
    "command", ["review {log} --seat 0", "review {log} {log} --seat 0", "position {log}:East-1.1 --seat 0"]
)
def test_what_an_agent_prints_was_part_of_the_json(record, capsys, command):
    command = f"{command} --json --agent {__name__}:Talkative"
    assert main(command.format(log=record).split()) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)
    assert {"hello", "let me see"} <= set(said.err.splitlines())
