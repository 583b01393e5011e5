"""Checks of arguments that several functions of the library take."""

from operator import index
from typing import SupportsIndex

from manue.errors import ManueError, UsageError
from manue.table.referee import LAST_ROUND, Length


def whole(value: SupportsIndex, what: str, refusal: type[ManueError] = UsageError) -> int:
    """Return a whole number of any type, NumPy's too, as an int; raises ``refusal`` for anything else."""
    try:
        return index(value)
    except TypeError:
        raise refusal(f"{what} must be a whole number, not {value!r}") from None


def last_round_of(length: Length, refusal: type[ManueError] = UsageError) -> int:
    """Return the index of the last planned round of a game; raises ``refusal`` for an unknown length."""
    if not isinstance(length, str) or length not in LAST_ROUND:
        raise refusal(f"length {length!r} is not hanchan or east")
    return LAST_ROUND[length]
