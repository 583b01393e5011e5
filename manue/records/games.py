"""The games of a file, which may hold several; a game that cannot be used does not affect the others."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from manue.errors import EventError, LogError, with_file
from manue.game.events import Event, RoundDrawn, RoundStart, Won
from manue.records.archive import LogEntry
from manue.records.formats import read_record
from manue.records.length import known_length
from manue.records.payments import check_payments

MAX_ROUNDS = 64
"""The most rounds of a game, more than any real one has: rounds of all games are numbered by it."""

_Found = TypeVar("_Found")


class RecordedGame(NamedTuple):
    """One game of a file.

    Attributes
    ----------
    source : str
        Where it is, for errors: the file, and the number of the game in it if there are several.
    entries : list of LogEntry
        With the length of the game in its start.
    """

    source: str
    entries: list[LogEntry]

    @property
    def name(self) -> str:
        """The name of the file, followed by the number of the game if there are several."""
        return Path(self.source).name

    @property
    def events(self) -> list[Event]:
        """What happened, without messages that only concern the conversation."""
        return [entry.event for entry in self.entries if entry.event is not None]


def games_of(path: str | Path, last_round: int | None = None) -> list[RecordedGame]:
    """Return the games of a file, whatever its format.

    Parameters
    ----------
    path : str or Path
    last_round : int, optional
        Index of the last planned round (``manue.rules``); by default as each game says, else guessed for it.

    Raises
    ------
    LogError
        As for `read_record`, and if the file holds no event.
    """
    games = [known_length(game, last_round)[0] for game in read_record(path) if game]
    if not games:
        raise LogError(f"{path}: no events in this file")
    sources = [f"{path}, game {number}" for number in range(1, len(games) + 1)]
    return [*map(RecordedGame, sources if len(games) > 1 else [str(path)], games)]


def collect_games(
    path: Path, collect: Callable[[RecordedGame], _Found], last_round: int | None = None
) -> list[_Found | str]:
    """Return what ``collect`` finds in each game of a file, or one line on why the game cannot be used.

    A file that cannot be read gives one line; ``last_round`` is as for `games_of`.
    """
    try:
        games = games_of(path, last_round)
    except LogError as error:
        return [with_file(error, path)]
    found: list[_Found | str] = []
    for game in games:
        try:
            _check(game)
            found.append(collect(game))
        except (LogError, EventError) as error:
            found.append(with_file(error, game.source))
    return found


def _check(game: RecordedGame) -> None:
    """Raise EventError for more rounds than can be numbered, or a result whose payments are not known."""
    if sum(isinstance(entry.event, RoundStart) for entry in game.entries) > MAX_ROUNDS:
        raise EventError(f"more than {MAX_ROUNDS} rounds in one game")
    for event in game.events:
        if isinstance(event, Won | RoundDrawn):
            check_payments(event)
