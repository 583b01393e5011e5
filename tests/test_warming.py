"""A player that is asked before its kernels are compiled."""

import contextlib
import errno
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from manue import bot, kernel_cache, warming
from manue.agents.rules import RulePlayer
from manue.agents.tsumogiri import Tsumogiri
from manue.errors import UsageError
from manue.game.actions import Discard
from manue.game.events import Draw, RoundStart
from manue.kernel_cache import cache_dir
from manue.player import Player
from manue.protocol.annotation import annotation_of, meta_to_decision
from manue.warming import WarmingUp, agent_at_once, fill_cache, is_warm
from tests.messages import start_kyoku
from tests.waiting import wait_until

HAND = "1m 2m 3m 5m 6m 7p 8p 9p 1s 2s E E S".split()
UNSEEN = (None,) * 13
START = RoundStart("E", 1, 0, 0, 0, "1m", (tuple(HAND), UNSEEN, UNSEEN, UNSEEN), (25_000,) * 4)
ROUND = start_kyoku(scores=[25_000] * 4, tehais=[HAND, *([["?"] * 13] * 3)])
GAME = [{"type": "start_game", "id": 0}, ROUND, {"type": "tsumo", "actor": 0, "pai": "9m"}]


def decide(agent):
    player = Player(0, agent)
    player.receive(START)
    return player.receive(Draw(0, "9m"))


def test_the_stand_in_decides_until_the_agent_is_ready():
    gate = threading.Event()
    agent = WarmingUp(RulePlayer(), Tsumogiri(), lambda: gate.wait(60))
    first = decide(agent)
    assert first.action == Discard("9m", from_draw=True)
    assert first.note == "given while rules was warming up, by tsumogiri"
    gate.set()
    agent._over.wait(60)
    assert decide(agent) == RulePlayer().decide(*_position())
    assert decide(agent).note == ""


def _position():
    player = Player(0, Tsumogiri())
    player.observe(START)
    return player.state, player.observe(Draw(0, "9m"))


def test_the_note_travels_in_the_meta_data():
    gate = threading.Event()
    agent = WarmingUp(RulePlayer(), Tsumogiri(), lambda: gate.wait(60))
    decision = decide(agent)
    gate.set()
    _, meta = annotation_of({0: decision})
    assert meta[0]["manue"]["note"] == decision.note
    assert meta_to_decision(meta[0]) == decision


def test_who_never_gets_ready_is_stood_in_for_to_the_end(capsys):
    def fail():
        raise OSError("no space left")

    agent = WarmingUp(RulePlayer(), Tsumogiri(), fail)
    for thread in threading.enumerate():
        if thread.name == "warming-up":
            thread.join(60)
    assert not agent.is_ready
    assert decide(agent).note
    assert "rules did not get ready (OSError: no space left)" in capsys.readouterr().err


def test_where_nothing_temporary_can_be_written_no_process_compiles_in_vain(monkeypatch, tmp_path):
    started = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: started.append(1))
    (tmp_path / "file").touch()
    cache_dir.cache_clear()
    try:
        warming._warm_elsewhere("greedy")
    finally:
        monkeypatch.undo()
        cache_dir.cache_clear()
    assert not started


_ENDED = """
import threading
from manue.agents.rules import RulePlayer
from manue.agents.tsumogiri import Tsumogiri
from manue.warming import WarmingUp

def load():
    threading.main_thread().join()
    import concurrent.futures.thread  # as the compiler does

WarmingUp(RulePlayer(), Tsumogiri(), load, patience=60)
"""


def test_a_player_that_ended_while_it_loaded_said_that_it_did_not_get_ready():
    """As where nobody listens at the address: Python lets nothing begin any more."""
    done = subprocess.run([sys.executable, "-c", _ENDED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_first_decision_waits_for_kernels_that_are_only_loaded():
    gate = threading.Event()
    agent = WarmingUp(RulePlayer(), Tsumogiri(), lambda: gate.wait(60), patience=60)
    threading.Timer(0.2, gate.set).start()
    assert decide(agent) == RulePlayer().decide(*_position())


def test_whoever_waits_for_kernels_keeps_half_of_the_time_to_decide():
    gate = threading.Event()
    agent = WarmingUp(RulePlayer(), Tsumogiri(), lambda: gate.wait(60), patience=60)
    started = time.monotonic()
    assert agent.decide_within(*_position(), 0.4).note
    assert time.monotonic() - started < 30
    gate.set()


def test_nobody_waits_for_kernels_that_could_not_be_loaded():
    def fail():
        raise OSError("no such file")

    agent = WarmingUp(RulePlayer(), Tsumogiri(), fail, patience=600)
    assert decide(agent).note


def test_a_player_with_compiled_kernels_reads_on_while_they_are_loaded(monkeypatch, capsys):
    loading = threading.Event()
    monkeypatch.setattr(warming, "use_plain", lambda: True)
    monkeypatch.setattr(warming, "is_warm", lambda _: True)
    monkeypatch.setattr(warming, "_load", lambda _: loading.wait(60))
    agent = agent_at_once("manue")
    assert not agent.is_ready
    loading.set()
    assert agent._over.wait(60)
    assert agent.is_ready
    assert not capsys.readouterr().err


def test_patience_gets_the_agent_itself():
    assert isinstance(agent_at_once("rules", patient=True), RulePlayer)
    with pytest.raises(UsageError, match="unknown agent"):
        agent_at_once("nobody")


def test_kernels_in_a_folder_that_may_not_be_looked_into_were_an_error(monkeypatch, tmp_path):
    """As where a container runs as another user than the one whose home it has."""
    stat = os.stat

    def refused(path, **kwargs):
        if str(path).startswith(str(tmp_path)):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, **kwargs)

    monkeypatch.setattr(warming, "cache_dir", lambda: tmp_path / "manue" / "0123456789abcdef")
    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", refused)
        assert not is_warm("tsumogiri")


def test_one_process_compiles_and_the_others_wait(monkeypatch, tmp_path):
    compiling, finished, compiled = threading.Event(), threading.Event(), []

    def compile_slowly(agent):
        compiled.append(agent.name)
        compiling.set()
        finished.wait(60)

    monkeypatch.setattr(warming, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(warming, "warm_up", compile_slowly)
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(fill_cache("tsumogiri")), daemon=True)
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    assert compiling.wait(60)
    assert not is_warm("tsumogiri")
    finished.set()
    for thread in threads:
        thread.join(60)
    assert sorted(results) == [False, False, True]
    assert compiled == ["tsumogiri"]
    assert is_warm("tsumogiri")
    assert not fill_cache("tsumogiri")


def test_the_stand_in_found_nothing_compiled_once_kernels_were_loaded(monkeypatch, tmp_path):
    """Regression: half of them loaded, `rules` compiled one of its own within the first decision."""
    warmed = []
    monkeypatch.setattr(warming, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(warming, "warm_up", lambda agent: warmed.append(agent.name))
    assert fill_cache("manue")
    assert warmed == ["manue", "rules"]
    assert fill_cache("rules")
    assert warmed == ["manue", "rules", "rules"]


def test_an_agent_was_called_compiled_on_a_full_disk_and_stayed_slow(monkeypatch, tmp_path):
    monkeypatch.setattr(warming, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(kernel_cache, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(kernel_cache, "_unkept", [])
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(warming, "warm_up", lambda _agent: kernel_cache.note_unkept(full))
    with pytest.raises(OSError, match="No space left") as caught:
        fill_cache("tsumogiri")
    assert caught.value.filename == str(tmp_path)
    assert not is_warm("tsumogiri")


def test_another_number_of_draws_or_seed_or_models_was_taken_for_other_kernels(monkeypatch, tmp_path):
    monkeypatch.setattr(warming, "cache_dir", lambda: tmp_path)
    warming._mark(tmp_path, "manue").touch()
    for spec in (
        "manue:mc_draws=50",
        "manue:decline_wins=0",
        "manue:seed=3,mc_draws=50",
        "manue:models=somewhere",
    ):
        assert is_warm(spec)
    for spec in ("manue:details=1", "manue@first", "rules", "rules:models=somewhere"):
        assert not is_warm(spec)


def start(cache, *arguments):
    fresh = {} if cache is None else {"XDG_CACHE_HOME": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-m", "manue", "play", "--id", "0", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **fresh},
        text=True,
    )


def stop(process):
    process.terminate()
    return process.communicate()[1]


def ask(process, *messages):
    for message in messages:
        process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@pytest.mark.timeout(300)
def test_a_player_answers_before_anything_is_compiled(tmp_path):
    """The answer comes, and then the first compiled kernel: compiling takes far longer than deciding."""
    process = start(tmp_path)
    try:
        reply = ask(process, *GAME)
        assert not list(tmp_path.rglob("warm-*"))
    finally:
        errors = stop(process)
    assert reply["type"] == "dahai"
    assert reply["meta"]["manue"]["note"] == "given while manue was warming up, by rules"
    assert "compiling the kernels of manue; rules decides in plain Python until they are there" in errors
    assert "ready" not in errors


@pytest.mark.timeout(900)
def test_where_the_cache_cannot_be_written_compiling_held_up_every_answer(monkeypatch, tmp_path):
    """It was done beside the game, in the same process, with the interpreter lock held."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = start(tmp_path / "file", "--agent", "greedy")
    try:
        said = [process.stderr.readline() for _ in range(3)]
        assert list(tmp_path.glob("manue-*/*/manue.*"))
        ask(process, *GAME)
    finally:
        stop(process)
    assert "compiling the kernels of greedy; it decides in plain Python" in said[0]
    assert f"{tmp_path}/file/manue/" in said[1]
    assert "cannot be written to: compiled kernels are kept until this process ends" in said[1]
    assert "greedy ready after" in said[2]
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@pytest.mark.timeout(900)
def test_a_player_takes_over_once_its_kernels_are_there():
    """With the kernels of the user's cache, which other tests fill, for a player that it does not know."""
    spec = "manue:discard_policy=399,mc_draws=53"
    warming._mark(cache_dir(), spec).unlink(missing_ok=True)
    cache_dir().mkdir(parents=True, exist_ok=True)
    try:
        with contextlib.ExitStack() as compiling:  # elsewhere, until the first reply is there
            compiling.enter_context(warming._alone(cache_dir() / "lock"))
            before, after = _first_and_last_reply(spec, compiling.close)
        assert is_warm(spec)
        _, again = _first_and_last_reply(spec)  # on a busy machine loading, too, outlasts the first
    finally:
        warming._mark(cache_dir(), spec).unlink(missing_ok=True)
    assert "note" in before["meta"]["manue"]
    assert after["meta"]["manue"]["trials"] == 53
    for reply in (after, again):
        del reply["meta"]["manue"]["elapsed_ms"], reply["log"]
    assert again == after


def _first_and_last_reply(spec, after_first=lambda: None):
    process = start(None, "--agent", spec)
    try:
        first = reply = ask(process, *GAME)
        after_first()
        while "note" in reply["meta"]["manue"]:
            time.sleep(0.5)  # leaves the machine to the compiler
            reply = ask(process, *GAME)
    finally:
        stop(process)
    return first, reply


def children_of(pid):
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            number, rest = status.read_text().split(" (", 1)
            if int(rest.rsplit(") ", 1)[1].split()[1]) == pid:
                found.append(int(number))
    return found


def is_running(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] not in "ZX"
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
@pytest.mark.timeout(300)
def test_a_killed_player_leaves_no_compiler_behind(tmp_path):
    process = start(tmp_path)
    try:
        compilers = wait_until(lambda: children_of(process.pid))
    finally:
        process.kill()
        process.communicate()
    wait_until(lambda: not any(map(is_running, compilers)))


def test_an_embedded_bot_does_not_wait_for_kernels(monkeypatch):
    made = []

    def at_once(spec, models):
        made.append((spec, models))
        return RulePlayer()

    monkeypatch.setattr(bot, "agent_at_once", at_once)
    bot.MessageBot(1)
    bot.Bot(1, "manue", models="here")
    assert made == [("manue", None), ("manue", "here")]
