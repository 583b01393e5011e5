"""A match on a Dask cluster gives the same games as a local one, even if a worker is killed half-way."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor, Future

import pytest

from manue import __version__
from manue.__main__ import main
from manue.errors import ConnectionLostError
from manue.match.cluster import ClusterExecutor
from manue.match.match import Match
from manue.models.files import models_dir, read_model, write_model
from tests.match.test_match import SETTINGS, results, run, without_times

pytest.importorskip("riichienv")
distributed = pytest.importorskip("distributed")

GAMES = 200 if os.environ.get("MANUE_FULL") else 10


@pytest.mark.usefixtures("_patience")
@pytest.mark.filterwarnings("ignore")  # what distributed and its event loop warn of is not ours
def test_a_killed_worker_loses_no_game_and_repeats_none(tmp_path):
    expected = without_times(run(tmp_path / "local", games=GAMES))
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster:
        victim = cluster.workers[0].pid
        finished, killed = [], []

        def kill_half_way(line, _summary):
            finished.append(line)  # the summary may wait for an earlier game
            if len(finished) == GAMES // 2:
                killed.append(os.kill(victim, signal.SIGKILL))

        match = Match(SETTINGS, tmp_path / "cluster", GAMES)
        address = cluster.scheduler_address
        summary = match.run(lambda: ClusterExecutor(address), 6, kill_half_way)
    assert len(killed) == 1
    assert without_times(summary) == expected
    assert results(tmp_path / "cluster") == results(tmp_path / "local")
    lines = (tmp_path / "cluster" / "results.jsonl").read_text().splitlines()
    assert len(lines) == GAMES


def test_an_address_without_a_port_is_one_clear_line(tmp_path, capsys, monkeypatch):
    """Regression: it came after the agents had been warmed up: minutes, and a line of its own."""
    monkeypatch.setattr("manue.commands.match.check_specs", pytest.fail)
    arguments = ["--seats", "greedy,greedy,greedy,greedy", "--out", str(tmp_path / "out")]
    assert main(["match", *arguments, "--scheduler", "127.0.0.1"]) == 2
    assert (
        capsys.readouterr().err == "manue: '127.0.0.1' is not the address of a scheduler: tcp://HOST:PORT\n"
    )


def test_no_scheduler_is_one_clear_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("manue.match.cluster.CONNECT_SECONDS", 1)
    arguments = ["--seats", "greedy,greedy,greedy,greedy", "--out", str(tmp_path / "out")]
    assert main(["match", *arguments, "--scheduler", "tcp://127.0.0.1:9"]) == 3
    error = capsys.readouterr().err
    assert "no scheduler answers" in error
    assert error.count("\n") == 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_certificate_that_is_missing_or_none_was_a_scheduler_that_does_not_answer(
    tmp_path, capsys, content
):
    authority = tmp_path / "ca.pem"
    if content is not None:
        authority.write_text(content)
    arguments = ["--seats", "greedy,greedy,greedy,greedy", "--out", str(tmp_path / "out")]
    files = {f"distributed.comm.tls.{name}": str(authority) for name in ("ca-file", "client.cert")}
    with pytest.importorskip("dask.config").set(files):
        assert main(["match", *arguments, "--scheduler", "tls://127.0.0.1:9"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert "the certificates of Dask's configuration cannot be used: " in error
    assert ("there is no " + str(authority) in error) is (content is None)


@pytest.mark.filterwarnings("ignore")
def test_a_mute_host_is_one_clear_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("manue.match.cluster.CONNECT_SECONDS", 1)
    arguments = ["--seats", "greedy,greedy,greedy,greedy", "--out", str(tmp_path / "out")]
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        assert main(["match", *arguments, "--scheduler", address]) == 3
    error = capsys.readouterr().err.splitlines()
    assert [line for line in error if not re.search("warming up|compiling", line)] == [error[-1]]
    assert address in error[-1]


@pytest.mark.usefixtures("_patience")
@pytest.mark.filterwarnings("ignore")
def test_workers_of_another_version_were_a_page_of_traceback(tmp_path, capsys, monkeypatch):
    arguments = ["--seats", "greedy,greedy,greedy,greedy", "--out", str(tmp_path / "out")]
    cluster = distributed.LocalCluster(
        n_workers=1, processes=False, dashboard_address=None, host="127.0.0.1", protocol="tcp"
    )
    with cluster:
        address = cluster.scheduler_address
        monkeypatch.setattr("distributed.Client.run", lambda *_, workers, **__: {workers[0]: "9.9"})
        assert main(["match", *arguments, "--scheduler", address]) == 3
    assert f"has manue 9.9, this machine {__version__}" in capsys.readouterr().err


STRANGERS = {
    "manue": b'{"type":"hello","protocol":"mjsonp","protocol_version":3}\n',
    "zeros": bytes(4096),
    "garbage": b"\xff" * 4096,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_host_of_another_protocol_took_a_page_of_traceback(stranger, tmp_path, capsys):
    def greet(listener):
        with listener.accept()[0] as connection:
            connection.sendall(STRANGERS[stranger])
            connection.recv(1 << 16)

    arguments = ["--seats", "tsumogiri,tsumogiri,tsumogiri,tsumogiri", "--out", str(tmp_path / "out")]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=greet, args=(listener,), daemon=True).start()
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        assert main(["match", *arguments, "--scheduler", address]) == 3
    errors = [
        line for line in capsys.readouterr().err.splitlines() if not re.search("warming up|compiling", line)
    ]
    assert len(errors) == 1
    assert f"no scheduler answers at '{address}'" in errors[0]


def dask(*arguments, folder=None, **environment):
    """Start a program of Dask that ends with the test."""
    return subprocess.Popen(
        [sys.executable, "-m", *arguments, "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"],
        env={**os.environ, **environment},
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


class Machines:
    """A scheduler and workers, each a process."""

    def __init__(self):
        self.started = [dask("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard")]
        told = (re.search(r"at:\s+(tcp://\S+)", line) for line in self.started[0].stderr)
        self.address = next(found[1] for found in told if found)

    def worker(self, **settings):
        """Start a worker in a folder and with variables; return its process once it has joined."""
        options = ["--nthreads", "1", "--no-dashboard", "--no-nanny"]
        self.started.append(dask("distributed.cli.dask_worker", self.address, *options, **settings))
        next(line for line in self.started[-1].stderr if "Registered to" in line)
        return self.started[-1]

    def end(self):
        for process in self.started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


@pytest.fixture
def _patience(monkeypatch):
    """On a busy machine a worker that is asked for the first time imports for long before it answers."""
    for name in ("CONNECT_SECONDS", "ANSWER_SECONDS"):
        monkeypatch.setattr(f"manue.match.cluster.{name}", 300)


@pytest.fixture
def machines(_patience):
    started = Machines()
    yield started
    started.end()


@pytest.fixture(scope="module")
def other_models(tmp_path_factory):
    """A folder of models of which one is another."""
    folder = shutil.copytree(models_dir(), tmp_path_factory.mktemp("other") / "models")
    file = read_model(folder / "placement.npz")
    write_model(folder / "placement.npz", file.arrays, {**file.meta, "report": "another"})
    return folder


def match_on(machines, path, games=4, seats="tsumogiri,tsumogiri,tsumogiri,tsumogiri"):
    options = ["--seats", seats, "--east", "--games", str(games), "--out", str(path)]
    return ["match", *options, "--scheduler", machines.address]


@pytest.mark.filterwarnings("ignore")
def test_a_worker_played_with_other_models(tmp_path, capsys, machines, other_models):
    machines.worker(MANUE_MODELS=str(other_models))
    assert main(match_on(machines, tmp_path / "m")) == 3
    error = capsys.readouterr().err.splitlines()[-1]
    assert "the worker tcp://" in error
    same = "start it again with the same models"
    assert error.endswith(f"has a different placement.npz from this machine: {same}")
    assert not (tmp_path / "m").exists()


MINE = """
import manue
class Mine:
    def decide(self, state, actions):
        return manue.Decision(actions[0])
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("player", "missing"),
    [("only_here:Mine", "there is no module only_here"), ("cmd:./bot.py", "there is no file 'bot.py'")],
)
def test_a_player_that_a_worker_lacks_was_not_said_to_be_lacking_there(
    player, missing, tmp_path, capsys, machines, monkeypatch
):
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    (here / "only_here.py").write_text(MINE)
    (here / "bot.py").write_text("#!/bin/sh\n")
    (here / "bot.py").chmod(0o755)
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(here)
    machines.worker(folder=there)
    assert main(match_on(machines, tmp_path / "m", seats=f"{player},tsumogiri,tsumogiri,tsumogiri")) == 3
    error = capsys.readouterr().err.splitlines()[-1]
    assert re.search(rf"the worker tcp://\S+ .* cannot play: .*{re.escape(missing)}", error)
    assert not (tmp_path / "m").exists()


@pytest.mark.filterwarnings("ignore")
def test_a_mute_worker_was_waited_for_without_end(tmp_path, capsys, machines, monkeypatch):
    threads = ClusterExecutor._threads

    def then_hurried(executor):
        found = threads(executor)  # the scheduler has its time
        monkeypatch.setattr("manue.match.cluster.ANSWER_SECONDS", 2.0)
        return found

    monkeypatch.setattr(ClusterExecutor, "_threads", then_hurried)
    worker = machines.worker()
    os.kill(worker.pid, signal.SIGSTOP)
    assert main(match_on(machines, tmp_path / "m")) == 3
    error = capsys.readouterr().err.splitlines()[-1]
    assert re.search(r"the worker tcp://\S+ of '\S+' has not answered for 2 s", error)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("joins", ["other models", "another version"])
def test_workers_that_join_later_were_not_asked_what_they_have(
    joins, tmp_path, capsys, machines, other_models
):
    machines.worker()
    (tmp_path / "manue").mkdir()
    (tmp_path / "manue" / "__init__.py").write_text("raise ImportError('not what is looked for')")
    settings, expected = {
        "other models": ({"MANUE_MODELS": str(other_models)}, "has a different placement.npz"),
        "another version": (
            {"folder": tmp_path, "PYTHONPATH": str(tmp_path)},
            "cannot play: ",
        ),
    }[joins]
    joined = []

    def join(_line, _summary):
        joined.append(joined or machines.worker(**settings))

    specs = SETTINGS.schedule.agents()
    with pytest.raises(ConnectionLostError, match=rf"the worker tcp://\S+ .*{expected}"):
        Match(SETTINGS, tmp_path / "m", 500).run(lambda: ClusterExecutor(machines.address, specs), 6, join)
    assert 1 <= len(results(tmp_path / "m")) < 500


HURRIED = """
import sys, threading
import manue.match.cluster as cluster
from manue.__main__ import main
cluster.CONNECT_SECONDS, cluster.PULSE_SECONDS, cluster.ANSWER_SECONDS = 120, 0.5, 120
def hurry():
    sys.stdin.readline()
    cluster.CONNECT_SECONDS = cluster.ANSWER_SECONDS = 2
threading.Thread(target=hurry, daemon=True).start()
sys.exit(main())
"""
"""Has patience with a scheduler on a busy machine, until a line comes."""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP], ids=["dies", "falls silent"])
def test_a_scheduler_that_is_lost_in_the_middle(end, tmp_path):
    """A dying one gave a page of traceback, a mute one kept the match for ever."""
    folder = tmp_path / "m"
    scheduler = dask("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard")
    started = [scheduler]
    try:
        address = next(
            found[1] for line in scheduler.stderr if (found := re.search(r"at:\s+(tcp://\S+)", line))
        )
        started.append(dask("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"))
        seats = "tsumogiri,tsumogiri,tsumogiri,tsumogiri"
        options = ["--seats", seats, "--east", "--games", "100000", "--out", folder, "--scheduler", address]
        match = subprocess.Popen(
            [sys.executable, "-c", HURRIED, "match", *options],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(match)
        results = folder / "results.jsonl"
        while not results.exists() or results.read_bytes().count(b"\n") < 3:
            assert match.poll() is None
            threading.Event().wait(0.02)
        match.stdin.write("\n")
        match.stdin.flush()
        os.killpg(scheduler.pid, end)
        _, errors = match.communicate(timeout=300)
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert match.returncode == 3
    unasked = (
        "warming up|compiling|no workers|per minute"  # on a busy machine there is time for a line of progress
    )
    lines = [line for line in errors.splitlines() if not re.search(unasked, line)]
    assert len(lines) == 2, errors
    assert lines[0].endswith("to continue, repeat the command with --resume")
    assert "no scheduler answers" in lines[1]
    assert len(list((folder / "games").iterdir())) == results.read_bytes().count(b"\n") >= 3


class Mute:
    """A client whose scheduler never answers and takes every game."""

    class scheduler:  # noqa: N801  as the client of Dask calls it
        identity = ncores = None

    def __init__(self, *_args, **_settings):
        pass

    def sync(self, _ask, callback_timeout=None):
        if callback_timeout is None:
            pytest.fail("it waits without end")
        raise asyncio.TimeoutError

    def nthreads(self):
        return self.sync(None)

    def get_executor(self, **_settings):
        return self

    def submit(self, *_call):
        return Future()

    def close(self, **_settings):
        pass


def mute_executor(monkeypatch):
    async def greet(_address):
        pass

    monkeypatch.setattr("manue.match.cluster._greet", greet)
    monkeypatch.setattr(distributed, "Client", Mute)
    return ClusterExecutor("tcp://127.0.0.1:9")


def test_a_scheduler_that_fell_silent_once_connected_was_waited_for_without_end(monkeypatch):
    with pytest.raises(ConnectionLostError, match=r"the scheduler at .* has not answered"):
        mute_executor(monkeypatch)


def test_a_game_sent_just_after_the_scheduler_was_given_up_was_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(ClusterExecutor, "_check_workers", lambda _executor: None)
    given_up = threading.Event()
    break_off = ClusterExecutor._break

    def note(executor):
        break_off(executor)
        given_up.set()

    monkeypatch.setattr(ClusterExecutor, "_break", note)
    with mute_executor(monkeypatch) as executor:
        assert given_up.wait(60)
        assert isinstance(executor.submit(int).exception(60), BrokenExecutor)
