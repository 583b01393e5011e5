"""What the players of a record are called: in the record, on pages, and by those who ask for a seat."""

from collections.abc import Mapping, Sequence
from typing import Any

from manue.errors import UsageError
from manue.foreign import printable
from manue.game.events import GameStart
from manue.language.messages import Messages
from manue.records.archive import LogEntry
from manue.tiles import Seat


def game_names(game: Sequence[LogEntry]) -> tuple[str, ...]:
    """Return four distinct names: ``Seat 0``.. if the log has none, seat numbers added to equal ones."""
    return distinct_names([name or f"Seat {seat}" for seat, name in enumerate(_names_in_log(game))])


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return four distinct names: equal ones are followed by their seats, or all if that does not do."""
    numbered = tuple(f"{name} {seat}" for seat, name in enumerate(names))
    apart = tuple(name if names.count(name) == 1 else numbered[seat] for seat, name in enumerate(names))
    return apart if len(set(apart)) == 4 else numbered


def nameless_seats(game: Sequence[LogEntry]) -> tuple[Seat, ...]:
    """Return the seats to which the log gives no name."""
    return tuple(seat for seat, name in enumerate(_names_in_log(game)) if not name)


def _names_in_log(game: Sequence[LogEntry]) -> tuple[str, ...]:
    """Return the four names as the log has them, all empty if it has none."""
    starts = (entry.event for entry in game if isinstance(entry.event, GameStart))
    return next((start.names for start in starts if len(start.names) == 4), ("",) * 4)


def seat_name(data: Mapping[str, Any], seat: Seat, words: Messages) -> str:
    """Return the name of a seat of a page in a language, its own where the log gives none."""
    return words.text("seat.unnamed", n=seat) if seat in data["nameless"] else str(data["names"][seat])


def named_seat(game: Sequence[LogEntry], text: str, asked_by: str = "--seat") -> Seat:
    """Return the seat of a number, 0..3, or of the name of a player, whatever its case.

    Players of the same name go by the names that reviews and pages show. Errors begin with ``asked_by``.

    Raises
    ------
    UsageError
        If nobody, or more than one, has this name.
    """
    if text in {"0", "1", "2", "3"}:
        return int(text)
    names = next((entry.event.names for entry in game if isinstance(entry.event, GameStart)), ())
    found = [seat for seat, name in enumerate(names) if name == text]
    if not found:
        found = [seat for seat, name in enumerate(names) if name.casefold() == text.casefold()]
    if not found and text in (shown := game_names(game)):
        found = [shown.index(text)]
    if len(found) == 1:
        return found[0]
    who = "more than one player is" if found else "nobody is"
    listed = ", ".join(f"{seat} {printable(name, 40)}" for seat, name in enumerate(names)) or "no names"
    raise UsageError(f"{asked_by}: {who} called {printable(text, 40)!r} (0 to 3, or a name: {listed})")
