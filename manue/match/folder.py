"""The folder of a match on disk: it is consistent whenever the program is stopped.

It holds ``match.json`` (settings, and what plays), ``games/NNNNNN.mjson.gz`` (annotated logs),
``results.jsonl`` (a line per finished game, appended after its log is in place) and ``summary.json``. Files
are written under another name and renamed; a line of results cut short by a kill is removed on resuming, and
its game is played again.
"""

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from manue import __version__
from manue.errors import UsageError
from manue.folder_lock import FolderLock
from manue.foreign import printable
from manue.language.messages import ENGLISH, Messages
from manue.match.games import MatchSettings, PlayedGame
from manue.match.models_used import models_used
from manue.match.report import write_report
from manue.match.result_lines import finished_games
from manue.match.schedule import Schedule, options_of
from manue.table.thinking_time import option_of
from manue.whole_files import is_special, write_whole

LOG = logging.getLogger(__name__)
FORMAT = 1
DESCRIPTION = "match.json"
"""The file in which a folder says of what match it is."""
PLAYED_BY = "played_by"
"""Where match.json says what plays: games of other models, or of another version, are not of this match."""


class MatchFolder:
    """One match's folder, open for writing.

    Parameters
    ----------
    path : Path
    settings : MatchSettings
    resume : bool
        Continue the match in the folder; otherwise the folder must not hold one.

    Raises
    ------
    UsageError
        If the folder holds a match already, or one with other settings, or another process writes there.
    ModelError
        If a model that plays is missing or damaged.
    """

    def __init__(self, path: Path, settings: MatchSettings, *, resume: bool) -> None:
        self.path = path
        self._played_by = {"manue": __version__, **models_used(settings.specs(), own=bool(settings.own))}
        self._known_players: object = self._played_by
        self._lock = FolderLock(path)
        try:
            self._results = self._opened(settings, resume=resume)
        except BaseException:
            self._lock.close()
            raise

    def _opened(self, settings: MatchSettings, *, resume: bool) -> IO[bytes]:
        """Check that the folder is for this match, and open its results."""
        path = self.path
        known = check_match(path, settings, resume=resume)
        (path / "games").mkdir(exist_ok=True)
        if known is None:
            write_json(path / DESCRIPTION, _described(settings) | {PLAYED_BY: self._played_by})
        else:
            self._known_players = known.get(PLAYED_BY)
        self._cut_partial_line()
        return (path / "results.jsonl").open("ab")

    def check_players(self) -> None:
        """Check that more games would be played by the same version and models as those in the folder.

        Raises
        ------
        UsageError
            If they would not.
        """
        known, now = self._known_players, self._played_by
        if known is None:
            LOG.warning(
                "manue: %s was begun by a version that did not note its models: these may be others",
                self.path,
            )
            return
        if not isinstance(known, dict):
            raise UsageError(f"{self.path / DESCRIPTION}: {PLAYED_BY}: no description of players")
        if known.get("manue") != now["manue"]:
            version = printable(known.get("manue"))
            raise UsageError(
                f"{self.path} was begun by manue {version}, this is {now['manue']}: go on with that"
            )
        other = next((name for name in {**now, **known} if known.get(name) != now.get(name)), None)
        if other is not None:
            raise UsageError(
                f"{self.path} was begun with another {printable(other)}: go on with the same models"
            )

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the finished games, each once, in the order in which they were appended."""
        return finished_games(self.path)

    def add(self, played: PlayedGame) -> None:
        """Store a finished game: first its log, then its line of results."""
        line = played.line
        if line["log"] is not None:
            write_whole(self.path / line["log"], played.log)
        try:
            self._results.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            self._results.flush()
        except OSError as error:  # a full disk does not name the file
            raise OSError(error.errno, error.strerror, self._results.name) from None

    def write_summary(self, summary: dict[str, Any], words: Messages = ENGLISH) -> None:
        """Replace summary.json, and report.html with the texts of a language."""
        write_json(self.path / "summary.json", summary)
        write_report(self.path, self.lines(), summary, words)

    def close(self) -> None:
        """Close the file of results and let others have the folder."""
        try:
            self._results.close()
        finally:
            self._lock.close()

    def _cut_partial_line(self) -> None:
        path = self.path / "results.jsonl"
        path.touch()
        with path.open("rb+") as file:
            end = file.seek(0, os.SEEK_END)
            while end > 0:
                file.seek(end - 1)
                if file.read(1) == b"\n":
                    break
                end -= 1
            file.truncate(end)


def check_match(path: Path, settings: MatchSettings, *, resume: bool) -> dict[str, Any] | None:
    """Return what ``match.json`` of a folder holds, ``None`` if there is none; nothing is written.

    Raises
    ------
    UsageError
        If the folder is not for this match: `MatchFolder` has the reasons.
    """
    for file in (path / DESCRIPTION, path / "results.jsonl"):
        if is_special(file):
            raise UsageError(f"{file}: not a regular file")
    known = _description(path)
    if known is None:
        if (path / "results.jsonl").exists():
            raise UsageError(f"{path} holds results but no {DESCRIPTION}, which says of what match they are")
        return None
    if not resume:
        raise UsageError(f"{path} already holds a match: continue it with --resume, or choose another --out")
    described = _described(settings)
    found = {name: value for name, value in known.items() if name != PLAYED_BY}
    if found != described:
        raise UsageError(f"{path} holds another match, {_difference(found, described)}; take another --out")
    return known


def _described(settings: MatchSettings) -> dict[str, Any]:
    return {"format": FORMAT, **settings.to_json()}


def _description(path: Path) -> dict[str, Any] | None:
    try:
        known: dict[str, Any] = json.loads((path / DESCRIPTION).read_text())
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path / DESCRIPTION}: {printable(error)}") from error
    if not isinstance(known, dict):
        raise UsageError(f"{path / DESCRIPTION}: no description of a match")
    return known


def _difference(known: dict[str, Any], described: dict[str, Any]) -> str:
    """Return the first setting in which a folder's match differs, as the options that it was begun with."""
    missing = object()  # null is a value, too
    name = next(
        key for key in {**described, **known} if known.get(key, missing) != described.get(key, missing)
    )
    value = known.get(name)
    if name == "logs":
        return f"{'without' if value else 'with'} --no-logs"
    if name in {"strict", "details"}:
        return f"{'with' if value else 'without'} --{name}"
    if name in {"seed", "rules"}:
        return f"--{name} {printable(value)}"
    if name == "length":
        return f"--{printable(value)}"
    if name == "limits" and isinstance(value, dict):
        limit = next((key for key, now in described[name].items() if value.get(key) != now), name)
        return f"{option_of(limit)} {printable(value.get(limit))}"
    if name == "schedule":
        return printable(_seating(value))
    return f"{printable(name)}: {printable(repr(value))}"


def _seating(lineups: Any) -> str:
    """Return the options that what ``match.json`` calls its schedule was begun with; it may hold anything."""
    try:
        return options_of(Schedule(tuple((str(a), str(b), str(c), str(d)) for a, b, c, d in lineups)))
    except (TypeError, ValueError, IndexError):
        return "of no known players"


def write_json(path: Path, data: object) -> None:
    """Write a JSON file so that a reader finds the old or the new content, never half of it."""
    write_whole(path, json.dumps(data, indent=2) + "\n")
