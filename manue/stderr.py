"""Lines for people on standard error."""

import sys


def report(text: str) -> None:
    """Write a line that begins with the program's name, in one piece: other threads may write too."""
    sys.stderr.write(f"manue: {text}\n")
    sys.stderr.flush()
