import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from manue.kernel_cache import LEVELS
from tests.captures import lines_of
from tests.conftest import FULL
from tests.test_warming import is_running
from tests.waiting import wait_until

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("submission")
    made = folder / "bot.zip"
    make = [sys.executable, ROOT / "scripts" / "mjai-app-zip"]
    subprocess.run([*make, "--no-wheels", made], check=True, capture_output=True)
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder / "bot")
    return folder / "bot"


@pytest.mark.parametrize("option", ["--python=9.9", "--platform=foo", "--level=x86-64-v4"])
def test_options_about_wheels_were_ignored_without_wheels(tmp_path, option):
    command = [sys.executable, ROOT / "scripts/mjai-app-zip", "--no-wheels", option, tmp_path / "bot.zip"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "which --no-wheels leaves out" in ran.stderr
    assert not list(tmp_path.iterdir())


def test_an_unknown_level_was_found_out_after_the_wheels_had_come(tmp_path):
    command = [sys.executable, ROOT / "scripts/mjai-app-zip", "--level", "foo", tmp_path / "bot.zip"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    choices = ran.stderr.partition("(choose from ")[2]
    assert re.findall(r"[\w-]+", choices) == [*LEVELS]  # in quotes until Python 3.12
    assert not list(tmp_path.iterdir())


def test_the_submission_holds_all_it_needs(unpacked):
    names = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*")}
    assert {"bot.py", "manue/bot.py", "manue/hand/shanten.bin", "LICENSE"} <= names
    models = [path.name for path in (ROOT / "models").iterdir() if path.is_file()]
    assert {f"manue/trained/{model}" for model in models} <= names


def make_zip(*arguments):
    command = [sys.executable, ROOT / "scripts" / "mjai-app-zip", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_submission_without_a_folder_failed_after_all_the_work(tmp_path):
    ran = make_zip(tmp_path / "nowhere" / "bot.zip")
    assert ran.returncode == 1
    assert ran.stderr == f"{tmp_path / 'nowhere' / 'bot.zip'}: there is no folder {tmp_path / 'nowhere'}\n"
    assert make_zip(tmp_path).stderr == f"{tmp_path} is a folder\n"


def test_a_submission_that_failed_replaced_the_one_before(tmp_path):
    made = tmp_path / "bot.zip"
    made.write_text("the one before")
    limited = [
        "bash",
        "-c",
        'ulimit -f 2000; exec "$@"',
        "",
        sys.executable,
        ROOT / "scripts" / "mjai-app-zip",
    ]
    ran = subprocess.run([*limited, "--no-wheels", made], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bot.zip"]
    assert made.read_text() == "the one before"


def test_what_pip_said_was_a_traceback(tmp_path):
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__init__.py").touch()
    (tmp_path / "pip" / "__main__.py").write_text("import sys; sys.exit('ERROR: no network')")
    command = [sys.executable, ROOT / "scripts" / "mjai-app-zip", tmp_path / "bot.zip"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert re.fullmatch(r"pip cannot download the wheels for .*: no network\n", ran.stderr)


@pytest.mark.parametrize("agent", ["tsumogiri", "manue"])
def test_the_submission_plays_from_where_it_was_unpacked(unpacked, agent):
    """As mjai.app does: unpack, run ``bot.py SEAT``, an array of events a line, one possible reply a line."""
    from tests.protocol.test_conversations import FLAGS, MUST

    if agent == "manue" and not FULL:
        pytest.skip("compiling everything at a new place takes a minute")
    lines = list(lines_of("mjaiapp-hanchan-1"))
    arrays = [line["msg"] for line in lines if line.get("seat") == 2 and line["dir"] == "in"]
    cans = [set(line["cans"]) for line in lines if line.get("seat") == 2 and line["dir"] == "out"]
    fresh = {"XDG_CACHE_HOME": str(unpacked.parent)} if FULL else {"NUMBA_DISABLE_JIT": "1"}
    ended = subprocess.run(
        [sys.executable, "bot.py", "2", "--agent", agent],
        input="".join(json.dumps(array) + "\n" for array in arrays),
        cwd=unpacked,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | fresh,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    replies = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(replies) == len(arrays) == len(cans)
    for reply, possible in zip(replies, cans, strict=True):
        if reply["type"] == "none":
            assert not possible & MUST
        else:
            assert possible & FLAGS[reply["type"]], (reply, possible)
    assert sum(reply["type"] == "dahai" for reply in replies) > 50
    assert "manue: line" not in ended.stderr, "a complaint about a line"


@pytest.mark.skipif(not FULL, reason="downloads 80 MB of wheels")
def test_the_submission_carries_what_the_host_lacks(tmp_path):
    """With the wheels of this Python, run without its site-packages; the host's image has Python 3.10."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    make = [sys.executable, ROOT / "scripts" / "mjai-app-zip", "--python", version]
    subprocess.run([*make, tmp_path / "bot.zip"], check=True, capture_output=True)
    with zipfile.ZipFile(tmp_path / "bot.zip") as archive:
        archive.extractall(tmp_path / "bot")
    lines = list(lines_of("mjaiapp-hanchan-1"))
    arrays = [line["msg"] for line in lines if line.get("seat") == 2 and line["dir"] == "in"]
    ended = subprocess.run(
        [sys.executable, "-S", "-E", "bot.py", "2"],
        input="".join(json.dumps(array) + "\n" for array in arrays),
        cwd=tmp_path / "bot",
        env={"XDG_CACHE_HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) == len(arrays)
    assert "rules decides" not in ended.stderr, "the kernels are there from the start"
    assert not list(tmp_path.glob("manue/*")), "nothing was compiled"


SIMULATOR = """
import os, subprocess, time

class Simulator:
    def __init__(self, files, logs_dir, port, seed):
        self.mounts = [f"type=bind,src={files[0]},dst=/bot.zip,readonly",
                       f"type=bind,src={__file__}.server,dst=/workspace/00__server__.py,readonly"]

    def run(self):
        options = [word for mount in self.mounts for word in ("--mount", mount)]
        subprocess.run(["docker", "run", "-p", "1:3000", *options, "image", "0"], check=True)
        while not os.path.exists(f"{__file__}.started"):
            time.sleep(0.01)
        raise ValueError("Failed to receive response from http server: timeout")
"""
"""A simulator that gives up waiting for what it started."""
SERVER = """
import os, time
with open({path!r} + ".new", "w") as file:
    file.write(str(os.getpid()))
os.rename({path!r} + ".new", {path!r})
time.sleep(300)
"""


STAND_IN = ROOT / "scripts" / "mjai-simulator"


def run_stand_in(tmp_path, python, *arguments, file="bot.zip"):
    (tmp_path / "bot.zip").touch()
    command = [sys.executable, STAND_IN, "--python", python, "--out", "out", *arguments, *[file] * 4]
    return subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_python_of_submissions_may_be_named_from_here(tmp_path):
    """The stand-in runs it in another folder."""
    (tmp_path / "mjai.py").write_text(
        "import os\nSimulator = lambda *_, **__: exit(os.environ['MJAI_PYTHON'])"
    )
    (tmp_path / "python").symlink_to(sys.executable)
    assert run_stand_in(tmp_path, "./python").stderr == f"{tmp_path / 'python'}\n"
    assert run_stand_in(tmp_path, "./nothing").stderr.endswith("--python: ./nothing cannot be run\n")


def test_what_the_simulator_cannot_play_is_said_before_it_starts(tmp_path):
    ran = run_stand_in(tmp_path, sys.executable, file="none.zip")
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (
        2,
        "mjai-simulator: error: there is no file none.zip",
    )
    ran = run_stand_in(tmp_path, sys.executable, "--games", "0")
    assert ran.returncode == 2
    assert ran.stderr.endswith("--games: 1 or more, not 0\n")


def test_submissions_do_not_outlive_a_simulator_that_gives_up(tmp_path):
    (tmp_path / "mjai.py").write_text(SIMULATOR)
    started = tmp_path / "mjai.py.started"
    (tmp_path / "mjai.py.server").write_text(SERVER.format(path=str(started)))
    ran = run_stand_in(tmp_path, sys.executable)
    assert ran.returncode != 0
    assert ran.stderr.splitlines()[-1].endswith("Failed to receive response from http server: timeout")
    wait_until(lambda: not is_running(int(started.read_text())))  # on busy cores it takes a while to die
