"""Programs that run in a process group each, so that they can be ended with all their descendants."""

import atexit
import contextlib
import os
import signal

_RUNNING: set[int] = set()


def remember(group: int) -> None:
    """Remember a running group, to kill it when this process exits."""
    _RUNNING.add(group)


def kill(group: int) -> None:
    """Kill every process of a group."""
    _RUNNING.discard(group)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_all() -> None:
    """Kill every process of every running group."""
    for group in tuple(_RUNNING):
        kill(group)


atexit.register(kill_all)
