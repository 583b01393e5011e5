"""A signal is answered at the end of a block that it must not cut, and only there."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from manue.interrupts import MEANINGS, SIGNALS, Interrupts, exit_code


@pytest.fixture(autouse=True)
def handlers():
    before = {number: signal.signal(number, signal.default_int_handler) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_follows_the_block_once(number):
    done = []

    def block():
        with interrupts.put_off():
            signal.raise_signal(number)
            with interrupts.put_off():
                signal.raise_signal(number)
            done.append("block")

    with Interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt):
            block()
        with interrupts.put_off():
            done.append("next block")
    assert done == ["block", "next block"]


@pytest.mark.parametrize("number", SIGNALS)
def test_between_blocks_a_signal_is_answered_at_once(number):
    with Interrupts() as interrupts:
        with interrupts.put_off():
            pass
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert signal.getsignal(number) is signal.default_int_handler


def test_signals_without_a_handler_keep_their_effect():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Interrupts() as interrupts, interrupts.put_off():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_other_threads_leave_the_handlers_alone():
    seen = []

    def work():
        with Interrupts() as interrupts, interrupts.put_off():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


DELETING = """
import signal, threading
from manue.program import run_program

class Deleted:
    def __del__(self):
        signal.raise_signal({number})

def work():
    Deleted()
    threading.Event().wait()

raise SystemExit(run_program(work, owns_process=True))
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_comes_while_an_object_is_deleted_is_not_lost(number):
    """`manue table` once waited for its player for ever, although its terminal had been closed."""
    script = DELETING.format(number=int(number))
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (exit_code(number), f"manue: {MEANINGS[number]}\n")


IN_TEXT = """
import signal
from manue.program import run_program

def work():
    exec("signal.raise_signal(signal.SIGTERM)")

raise SystemExit(run_program(work, owns_process=True))
"""


def test_a_signal_within_an_exec_of_text_ended_a_module_by_sigint(tmp_path):
    (tmp_path / "module.py").write_text(IN_TEXT)
    ended = subprocess.run(
        [sys.executable, "-m", "module"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (143, "manue: terminated\n")


LOADING = """
import signal
from manue.program import run_program

def work():
    try:
        signal.raise_signal(signal.SIGTERM)
    except KeyboardInterrupt:
        raise ImportError("numpy.core.multiarray failed to import")

raise SystemExit(run_program(work, owns_process=True))
"""


def test_a_signal_while_an_extension_was_loaded_was_a_traceback_of_its_import():
    command = [sys.executable, "-c", LOADING]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (143, "manue: terminated\n")


TWICE = """
import signal
from manue import program

recognized = program._is_interruption

def interrupted(error):
    program._is_interruption = recognized
    signal.raise_signal({number})
    return recognized(error)

def work():
    raise {first}

program._is_interruption = interrupted
raise SystemExit(program.run_program(work, owns_process=True))
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("first", ["KeyboardInterrupt", "ValueError"])
def test_a_signal_as_another_or_an_error_was_answered_was_a_traceback(first, number):
    command = [sys.executable, "-c", TWICE.format(first=first, number=int(number))]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (exit_code(number), f"manue: {MEANINGS[number]}\n")
