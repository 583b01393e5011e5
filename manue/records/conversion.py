"""Game records in another format: which one a name means, the games of a file, and how one is written."""

import gzip
from pathlib import Path

from manue.errors import LogError
from manue.foreign import MESSAGE, printable
from manue.game.events import GameStart, RoundStart
from manue.records.archive import LogEntry, annotated_fields
from manue.records.completed import completed, rounds_with_results
from manue.records.finding import FORMAT_OF_SUFFIX
from manue.records.formats import whole_games
from manue.records.length import known_length
from manue.records.log_writer import HeldLog
from manue.records.mjlog_writer import write_mjlog
from manue.records.tenhou_json_writer import write_tenhou_json
from manue.stderr import report
from manue.whole_files import write_whole

NAMED = {"mjai": ".mjson.gz", "mjlog": ".mjlog", "tenhou": ".json"}
"""Ending of the file names of each format."""


def format_of(path: Path) -> str | None:
    """Return the format that the name of a file means, one of `NAMED`; ``None`` if it means none."""
    return FORMAT_OF_SUFFIX.get(Path(path.name.lower().removesuffix(".gz")).suffix)


def named_games(log: Path) -> list[tuple[str, list[LogEntry]]]:
    """Return a name for the file and the game, for every game; of a damaged record the whole rounds.

    Raises
    ------
    LogError
        If there is no whole round; damage after one is reported.
    """
    games, trouble = whole_games(log)
    if trouble is not None:
        if not games:
            raise trouble
        report(f"{printable(trouble, MESSAGE)}; only the whole rounds before it")
    stem = log.name.removesuffix(".gz")
    stem = stem.removesuffix(Path(stem).suffix)
    return [(stem if len(games) == 1 else f"{stem}-{number}", game) for number, game in enumerate(games, 1)]


def write_game(path: Path, form: str, name: str, game: list[LogEntry]) -> int:
    """Write a game in a format of `NAMED`, packed if the path says so, and return its number of rounds.

    What the format leaves out is reported.

    Raises
    ------
    LogError
        If the format cannot hold the game; messages name it ``name``.
    """
    if form == "mjai":
        log = HeldLog()
        for entry in game:
            log.write(annotated_fields(entry))
        write_whole(path, log.gzipped() if path.name.lower().endswith(".gz") else log.plain())
        return sum(isinstance(entry.event, RoundStart) for entry in game)
    known, guess = known_length(game)
    label = printable(name, MESSAGE)
    if guess:
        report(f"{label}: {guess}")
    if any(isinstance(entry.event, GameStart) and entry.event.rules == "mjsoul" for entry in known):
        report(f"{label}: this format does not name Mahjong Soul's rules; read it with --rules mjsoul")
    events, left_out = rounds_with_results(completed(known, name), label)
    if left_out:
        report(f"{label}: left out, without a result: {', '.join(left_out)}")
    try:
        text = write_mjlog(events) if form == "mjlog" else write_tenhou_json(events, name)
    except (LookupError, ValueError) as error:
        raise LogError(f"{name}: cannot be written in this format: {error!r}") from None
    data = text.encode("utf-8", "replace")  # the name of a file need not be UTF-8
    write_whole(path, gzip.compress(data, mtime=0) if path.name.lower().endswith(".gz") else data)
    return sum(event["type"] == "start_kyoku" for event in events)
