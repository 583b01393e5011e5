"""What tests of several processes and threads wait for, and the ports where they meet."""

import socket
import time
from collections.abc import Callable
from typing import TypeVar

_Found = TypeVar("_Found")


def wait_until(found: Callable[[], _Found], seconds: float = 120) -> _Found:
    """Call a function until it returns something true, and return that; fails after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not (result := found()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)
    return result


def free_port() -> int:
    """Return the number of a TCP port of 127.0.0.1 on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]
