"""Numbers of games in tables that were collected log by log, each log perhaps holding several games."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from manue.arrays import I64, Records

_Found = TypeVar("_Found")
_Number = TypeVar("_Number", int, I64)


def number_among(game: _Number, log: int, logs: int) -> _Number:
    """Return the number of a game among those of many logs, from its number in its log.

    No two games share a number, and the first of each log has the number of the log.
    """
    return log + game * logs


def with_game_numbers(
    results: Iterable[list[_Found | str]], logs: int, tables_of: Callable[[_Found], Iterable[Records]]
) -> Iterator[list[_Found | str]]:
    """Yield what was collected from each log, with the games numbered in their tables (`number_among`).

    Parameters
    ----------
    results : iterable of list
        For each log a list with what was collected from each of its games, or a line on why there is nothing.
    logs : int
        Number of logs.
    tables_of : callable
        Returns the tables in which a game is to be numbered.
    """
    for log, found in enumerate(results):
        for game, one in enumerate(found):
            if not isinstance(one, str):
                for table in tables_of(one):
                    table["game"] = number_among(game, log, logs)
        yield found


def itself(table: Records) -> tuple[Records]:
    """Return the only table in which a game is numbered, where that is all that was collected."""
    return (table,)
