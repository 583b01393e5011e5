"""Lines for people on standard error."""

import contextlib
import sys


def report(text: str) -> None:
    """Write a line that begins with the program's name, in one piece: other threads may write too.

    Where nobody can read it, as in a program with windows alone, which has no standard error, it is dropped.
    """
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"manue: {text}\n")
            sys.stderr.flush()
