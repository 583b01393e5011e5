"""Checks of arguments that several functions of the library take."""

from operator import index
from typing import SupportsIndex

from manue.errors import ManueError, UsageError


def whole(value: SupportsIndex, what: str, refusal: type[ManueError] = UsageError) -> int:
    """Return a whole number of any type, NumPy's too, as an int; raises ``refusal`` for anything else."""
    try:
        return index(value)
    except TypeError:
        raise refusal(f"{what} must be a whole number, not {value!r}") from None
