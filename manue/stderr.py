"""Lines for people on standard error."""

import contextlib
import sys


def report(text: str) -> None:
    """Write a line that begins with the program's name, as `note` does."""
    note(f"manue: {text}")


def note(text: str) -> None:
    """Write a line as it is, of progress above all, in one piece: other threads may write too.

    Where nobody can read it, as in a program with windows alone, which has no standard error, it is dropped.
    """
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
