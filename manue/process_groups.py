"""Programs that run in a process group each, so that they can be ended with all their descendants."""

import atexit
import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from manue.interrupts import Interrupts

_RUNNING: set[int] = set()
_LOCK = threading.RLock()
"""Held while a program is started, and for good once this process ends."""


def start(words: Sequence[str], **settings: Any) -> "subprocess.Popen[bytes]":
    """Start a program in a group of its own, to be killed when this process exits.

    Signals, and the end of this process in another thread, wait until the program is remembered: else it
    would outlive the process.

    Parameters
    ----------
    words : sequence of str
        The program and its arguments.
    **settings
        Of `subprocess.Popen`.

    Raises
    ------
    OSError
        If it cannot be started.
    """
    with Interrupts() as interrupts, interrupts.put_off(), _LOCK:
        process = subprocess.Popen(words, start_new_session=True, **settings)  # noqa: S603  the user's program
        _RUNNING.add(process.pid)
    return process


def kill(group: int) -> None:
    """Kill every process of a group."""
    _RUNNING.discard(group)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_all() -> None:
    """Kill every process of every running group; as this process ends, no thread can start another one."""
    _LOCK.acquire()
    for group in tuple(_RUNNING):
        kill(group)


atexit.register(kill_all)
