"""Checks of arguments that several functions of the library take."""

from collections.abc import Sequence
from operator import index
from pathlib import Path
from typing import SupportsIndex

import numpy as np

from manue.errors import ManueError, UsageError
from manue.records.archive import LogEntry
from manue.review.player_names import named_seat
from manue.tiles import Seat, check_seat


def whole(value: SupportsIndex, what: str, refusal: type[ManueError] = UsageError) -> int:
    """Return a whole number of any type, NumPy's too, as an int; raises ``refusal`` for anything else."""
    try:
        if not isinstance(value, bool | np.bool_):
            return index(value)
    except TypeError:
        pass
    raise refusal(f"{what} must be a whole number, not {value!r}")


def seat_of(value: Seat) -> Seat:
    """Return a seat of any type, NumPy's too, as an int; raises UsageError for anything else."""
    check_seat(value)
    return whole(value, "a seat")


def seat_in(game: Sequence[LogEntry], value: Seat | str) -> Seat:
    """Return a seat of a game, given by its number or the name of its player; raises UsageError."""
    return named_seat(game, value, "seat") if isinstance(value, str) else seat_of(value)


def path_of(value: str | Path, what: str) -> Path:
    """Return a path given as text or as a Path; raises UsageError for anything else, and for no path."""
    if not isinstance(value, str | Path):
        raise UsageError(f"{what} must be a str or a Path, not {value!r}")
    if value == "" or "\0" in str(value):
        raise UsageError(f"{what} {value!r} names no file or folder")
    return Path(value)


def plain_number(value: object) -> int | bool:
    """Return a whole number or truth value of another type, such as NumPy's, as JSON can hold it.

    Raises
    ------
    TypeError
        For anything else, naming its type.
    """
    if isinstance(value, np.bool_):
        return bool(value)
    try:
        return index(value)  # type: ignore[arg-type]  # that is what is found out
    except TypeError:
        raise TypeError(f"{type(value).__name__} is no type of JSON") from None
