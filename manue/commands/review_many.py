"""Reviews of several games at once: a page for each, and an index over them."""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

from manue.agents.base import Agent
from manue.as_text import known
from manue.commands.game_choice import named_seat, rounds_read
from manue.errors import LogError, ManueError, UsageError, reason
from manue.foreign import MESSAGE, printable
from manue.language.messages import Messages, messages
from manue.progress import progress
from manue.records.archive import LogEntry, files_below
from manue.records.formats import whole_games
from manue.records.length import known_length
from manue.review.frames import Json, game_names
from manue.review.index_page import ReviewedGame, common_name, count_games, index_html, reviewed_game
from manue.review.judge import review_game
from manue.review.page import page_html
from manue.rules import RULES, Rules
from manue.stderr import note, report
from manue.whole_files import write_whole

_PAGES = {".html", ".htm"}
_LINK = re.compile(r'href="([0-9]{4,}-[A-Za-z0-9_-]*\.html)#seat=[0-3]"')
"""A link of an index to a page, whose name `_review_all` gave it."""


def review_many(options: argparse.Namespace, agent: Agent) -> int:
    """Review all games, and write their pages and the index into the folder ``--output``.

    The pages of a review that was there before give way to the new ones.

    Returns
    -------
    int
        The exit code: 1 if a record was not read or not reviewed.

    Raises
    ------
    UsageError
        If an option does not go with several games.
    LogError
        If no record could be read.
    """
    folder: Path | None = options.output
    if options.annotated is not None or options.game is not None:
        raise UsageError("--log and --game go with one game")
    if folder is not None and folder.suffix in _PAGES:
        raise UsageError(f"{folder}: the pages of several games need a folder")
    former = set() if folder is None else _former_pages(folder / "index.html")
    names, partly, skipped = _read_all(options.logs, RULES[options.rules])
    if not names:
        _give_up(skipped or [f"{options.logs[0]}: no records"])
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    found, failed = _review_all(names, options, agent)
    skipped += failed
    if not found:
        _give_up(skipped)
    found.sort(key=lambda game: (game.date or "", game.title))
    words = messages(options.lang or "en")
    if folder is not None:
        index = index_html(found, options.agent, partly, skipped, options.lang)
        write_whole(folder / "index.html", index)
        for page in former - {game.page for game in found}:
            (folder / page).unlink(missing_ok=True)
    _report(found, partly, skipped, options, words)
    return 1 if skipped else 0


def _give_up(reasons: Sequence[str]) -> NoReturn:
    """Say why no game was reviewed: all reasons, the last one as a LogError."""
    for line in reasons[:-1]:
        report(printable(line, MESSAGE))
    raise LogError(reasons[-1])


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
                partly.append(f"{reason(trouble, log)}; {rounds_read(games[-1])}")
            elif trouble is not None:
                skipped.append(reason(trouble, log))
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


def _review_all(
    names: _Names, options: argparse.Namespace, agent: Agent
) -> tuple[list[ReviewedGame], list[str]]:
    """Review the games file by file, each read again: the games of one are in memory at a time.

    Returns the measures, and a line on each failure.
    """
    every = [players for games in names.values() for players in games]
    name = common_name(every) if options.seat == "all" else options.seat
    found: list[ReviewedGame] = []
    failed: list[str] = []
    number = 0
    with progress("reviewing", len(every)) as advance:
        for log in names:
            for at, game in enumerate(_read(log, RULES[options.rules])[0], 1):
                number += 1
                page = f"{number:04}-{_stem(log)}.html"
                try:
                    data = _reviewed(game, log, name, options, agent)
                except ManueError as error:
                    failed.append(reason(error, log))
                else:
                    if len(names[log]) > 1:
                        data["title"] = f"{log.name} ({at}/{len(names[log])})"
                    if options.output is not None:
                        write_whole(options.output / page, page_html(data, options.lang))
                    found += [reviewed_game(data, one["seat"], page) for one in data["review"]["seats"]]
                advance(1)
    return found, failed


def _reviewed(
    game: Sequence[LogEntry], log: Path, name: str | None, options: argparse.Namespace, agent: Agent
) -> Json:
    """Return the data of a game's page, with the review of the player of a name, or of all without one."""
    known, _ = known_length(game, options.last_round)
    everybody = name is None or (options.seat == "all" and name not in game_names(known))
    seats = None if name is None or everybody else [named_seat(known, name)]
    with redirect_stdout(sys.stderr):
        _, data = review_game(known, log, agent, options.agent, seats, rules=RULES[options.rules])
    return data


def _stem(log: Path) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", log.name.split(".")[0])


def _report(
    found: Sequence[ReviewedGame],
    partly: Sequence[str],
    skipped: Sequence[str],
    options: argparse.Namespace,
    words: Messages,
) -> None:
    for line in (*partly, *skipped):
        report(printable(line, MESSAGE))
    if options.json:
        fields = [asdict(game) for game in found]
        if options.output is None:
            fields = [one | {"page": None} for one in fields]
        print(json.dumps(fields, ensure_ascii=False, indent=2))
        return
    for game in found:
        lost = known(game.lost, ".1f")
        title, name = printable(game.title), printable(game.in_language(words).name)
        unfinished = game.place is None
        place = words.text("game.unfinished") if unfinished else words.text("result.place", n=game.place)
        print(f"{title}  {name}  {place}  {known(game.score, ',d')}  {lost}")
    if options.output is not None:
        path = printable(options.output / "index.html", MESSAGE)
        note(words.text("index.wrote", path=path, n=count_games(found), skipped=len(skipped)))
