"""Reviews of several games at once: a page for each, and an index over them."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from manue.agents.base import Agent
from manue.errors import LogError, ManueError, UsageError, with_file
from manue.foreign import MESSAGE, printable
from manue.progress import progress
from manue.records.archive import LogEntry
from manue.records.finding import files_below
from manue.records.formats import whole_games
from manue.records.length import known_length
from manue.review.frames import Json
from manue.review.index_page import ReviewedGame, common_name, index_html, reviewed_game
from manue.review.judge import review_game
from manue.review.page import page_html
from manue.review.player_names import game_names, named_seat
from manue.review.summary import rounds_read
from manue.rules import Rules
from manue.stderr import report
from manue.whole_files import write_whole

_PAGES = {".html", ".htm"}
_LINK = re.compile(r'href="([0-9]{4,}-[A-Za-z0-9_-]*\.html)#seat=[0-3]"')
"""A link of an index to a page, whose name `_review_all` gave it."""


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """How several games are reviewed.

    Parameters
    ----------
    agent : Agent
        Who judges them.
    spec : str
        The agent's spec.
    seat : str
        A seat, the name of a player, or ``all``: the player whose name is in most of the games; every seat
        where there is none, or it did not play.
    rules : Rules
        Of games that name none.
    last_round : int or None
        The length of the games, where the user gave it.
    folder : Path or None
        Gets the pages and the index.
    language : str or None
        Of these; ``None`` for that of the browser.
    """

    agent: Agent
    spec: str
    seat: str
    rules: Rules
    last_round: int | None
    folder: Path | None
    language: str | None


@dataclass(frozen=True, slots=True)
class ReviewedGames:
    """The measures of each game and player by date, and lines on records read in part or not at all."""

    games: list[ReviewedGame]
    partly: list[str]
    skipped: list[str]


def review_many(places: Sequence[Path], settings: ReviewSettings) -> ReviewedGames:
    """Review the games of records and of folders of them, and write their pages and the index.

    The pages of a review that was there before give way to the new ones.

    Raises
    ------
    UsageError
        If the folder is named like a page, or has an index of something else.
    LogError
        If no record could be read, or no game reviewed.
    """
    folder = settings.folder
    if folder is not None and folder.suffix in _PAGES:
        raise UsageError(f"{folder}: the pages of several games need a folder")
    former = set() if folder is None else _former_pages(folder / "index.html")
    names, partly, skipped = _read_all(places, settings.rules)
    if not names:
        raise _nothing_reviewed(skipped or [f"{places[0]}: no records"])
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    found, failed = _review_all(names, settings)
    skipped += failed
    if not found:
        raise _nothing_reviewed(skipped)
    found.sort(key=lambda game: (game.date or "", game.title))
    if folder is not None:
        write_whole(
            folder / "index.html", index_html(found, settings.spec, partly, skipped, settings.language)
        )
        for page in former - {game.page for game in found}:
            (folder / page).unlink(missing_ok=True)
    return ReviewedGames(found, partly, skipped)


def _nothing_reviewed(reasons: Sequence[str]) -> LogError:
    """Report why no game was reviewed, and return the last reason as an error."""
    for line in reasons[:-1]:
        report(printable(line, MESSAGE))
    return LogError(reasons[-1])


def _former_pages(index: Path) -> set[str]:
    """Return the pages of the review whose index is there already.

    Raises
    ------
    UsageError
        If what is there is something else.
    """
    if not index.exists():
        return set()
    found = set(_LINK.findall(index.read_text("utf-8", "replace")))
    if not found:
        raise UsageError(f"{index} is not the index of a review; choose another folder")
    return found


_Names = dict[Path, list[tuple[str, ...]]]
"""The players of every game of every file."""


def _read_all(places: Sequence[Path], rules: Rules) -> tuple[_Names, list[str], list[str]]:
    """Return who played, a line on each file read only up to a damage, and one on each that was not read."""
    names: _Names = {}
    partly: list[str] = []
    skipped: list[str] = []
    files = _files(places)
    with progress("reading", len(files)) as advance:
        for log in files:
            games, trouble = _read(log, rules)
            if games:
                names[log] = [game_names(game) for game in games]
            if trouble is not None and games:
                partly.append(f"{with_file(trouble, log)}; {rounds_read(games[-1])}")
            elif trouble is not None:
                skipped.append(with_file(trouble, log))
            advance(1)
    return names, partly, skipped


def _read(log: Path, rules: Rules) -> tuple[list[list[LogEntry]], ManueError | None]:
    """Return the games of a file, of the one with a damage the whole rounds, and what is wrong with it."""
    try:
        return whole_games(log, rules)
    except ManueError as error:
        return [], error


def _files(places: Sequence[Path]) -> list[Path]:
    """Return the files, and those in the folders and their folders that are not pages, in order."""
    found = []
    for place in places:
        inside = files_below(place) if place.is_dir() else [place]
        found += [path for path in inside if path == place or (path.is_file() and path.suffix not in _PAGES)]
    return found


def _review_all(names: _Names, settings: ReviewSettings) -> tuple[list[ReviewedGame], list[str]]:
    """Review the games file by file, each read again: the games of one are in memory at a time.

    Returns the measures, and a line on each failure.
    """
    every = [players for games in names.values() for players in games]
    name = common_name(every) if settings.seat == "all" else settings.seat
    found: list[ReviewedGame] = []
    failed: list[str] = []
    with progress("reviewing", len(every)) as advance:
        for number, (log, title, game) in enumerate(_titled_games(names, settings.rules), 1):
            page = f"{number:04}-{_stem(log)}.html"
            try:
                data = _reviewed(game, log, name, settings) | {"title": title}
            except ManueError as error:
                failed.append(with_file(error, log))
            else:
                if settings.folder is not None:
                    write_whole(settings.folder / page, page_html(data, settings.language))
                found += [reviewed_game(data, one["seat"], page) for one in data["review"]["seats"]]
            advance(1)
    return found, failed


def _titled_games(names: _Names, rules: Rules) -> Iterator[tuple[Path, str, list[LogEntry]]]:
    """Yield every game with its file and its title: the file's name, and which game of several it is."""
    for log, players in names.items():
        for at, game in enumerate(_read(log, rules)[0], 1):
            yield log, log.name if len(players) == 1 else f"{log.name} ({at}/{len(players)})", game


def _reviewed(game: Sequence[LogEntry], log: Path, name: str | None, settings: ReviewSettings) -> Json:
    """Return the data of a game's page, with the review of the player of a name, or of all without one."""
    known, _ = known_length(game, settings.last_round)
    everybody = name is None or (settings.seat == "all" and name not in game_names(known))
    seats = None if name is None or everybody else [named_seat(known, name)]
    with redirect_stdout(sys.stderr):
        _, data = review_game(known, log, settings.agent, settings.spec, seats, rules=settings.rules)
    return data


def _stem(log: Path) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", log.name.split(".")[0])
