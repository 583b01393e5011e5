"""``manue convert``: game records from one format to another."""

import argparse
import gzip
from collections.abc import Sequence
from pathlib import Path

from manue.as_text import counted
from manue.commands.options import path
from manue.commands.outputs import check_outputs
from manue.errors import EventError, LogError, ManueError, ProtocolError, UsageError, reason
from manue.foreign import MESSAGE, printable
from manue.game.events import GameStart
from manue.progress import progress
from manue.protocol.codec import Fields
from manue.records.archive import LogEntry, find_logs
from manue.records.completed import completed, rounds_with_results
from manue.records.formats import whole_games
from manue.records.length import known_length
from manue.records.log_writer import HeldLog
from manue.records.mjlog_writer import write_mjlog
from manue.records.tenhou_json_writer import write_tenhou_json
from manue.stderr import note, report
from manue.whole_files import write_whole

FORMAT_OF_SUFFIX = {
    ".mjson": "mjai",
    ".jsonl": "mjai",
    ".mjlog": "mjlog",
    ".xml": "mjlog",
    ".json": "tenhou",
}
NAMED = {"mjai": ".mjson.gz", "mjlog": ".mjlog", "tenhou": ".json"}
"""How files are called in a folder."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "The format of a file follows from its name: .mjson or .jsonl for Mjai, .mjlog or .xml for Tenhou's\n"
        "XML, .json for tenhou.net/6, with .gz for a packed one. Several games go into a folder."
    )
    parser.add_argument("logs", nargs="+", type=path, metavar="IN", help="game records, or folders of them")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=path,
        required=True,
        help="file to write, or folder for several",
    )
    parser.add_argument(
        "--to",
        choices=NAMED,
        help="format of the files in a folder (default: mjai), or of OUT",
    )


def run(options: argparse.Namespace) -> int:
    """Convert every game."""
    out: Path = options.output
    logs = find_logs(options.logs)
    by_name = FORMAT_OF_SUFFIX.get(Path(out.name.lower().removesuffix(".gz")).suffix)
    if by_name is None or out.is_dir():
        _check_folder(out, options.logs)
        return _fill_folder(out, options.to or "mjai", logs)
    check_outputs([out], logs)
    found = [game for log in logs for game in _games(log)]
    if len(found) != 1:
        raise UsageError(f"{len(found)} games do not go into one file: give a folder (-o DIR)")
    _write(out, options.to or by_name, *found[0])
    return 0


def _check_folder(out: Path, inputs: Sequence[Path]) -> None:
    """Refuse a new folder that was probably meant to be a file; raises UsageError."""
    is_one_file = len(inputs) == 1 and not inputs[0].is_dir()
    if is_one_file and not out.exists() and (out.suffix or out.name == "-"):
        endings = ", ".join(FORMAT_OF_SUFFIX)
        raise UsageError(
            f"the name {out} says no format ({endings}, each also with .gz), and there is no such folder"
        )


def _games(log: Path) -> list[tuple[str, list[LogEntry]]]:
    """Return a name for the file and the game, for every game; of a damaged record the whole rounds."""
    games, trouble = whole_games(log)
    if trouble is not None:
        if not games:
            raise trouble
        report(f"{printable(trouble, MESSAGE)}; only the whole rounds before it")
    stem = log.name.removesuffix(".gz")
    stem = stem.removesuffix(Path(stem).suffix)
    return [(stem if len(games) == 1 else f"{stem}-{number}", game) for number, game in enumerate(games, 1)]


def _fill_folder(folder: Path, form: str, logs: Sequence[Path]) -> int:
    """Write every game and name the records that cannot be converted; return the exit code, 1 with any."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    failed: list[ManueError] = []
    with progress("converting", len(logs)) as advance:
        for log in logs:
            try:
                found = _games(log)
            except (ProtocolError, EventError) as error:
                found = []
                failed.append(error)
                report(printable(reason(error, log), MESSAGE))
            for name, game in found:
                try:
                    _write_new(folder / f"{name}{NAMED[form]}", form, name, game)
                    written += 1
                except (ProtocolError, EventError) as error:
                    failed.append(error)
                    report(printable(reason(error, log), MESSAGE))
            advance(1)
    games = f"{counted(written, 'game')} in {printable(folder, MESSAGE)}"
    left_out = f", {len(failed)} not converted" if failed else ""
    note(f"{games}{left_out}")
    return 1 if failed else 0


def _write_new(path: Path, form: str, name: str, game: list[LogEntry]) -> None:
    if path.exists():
        raise LogError(f"{path} is there already")
    _write(path, form, name, game)


def _write(path: Path, form: str, name: str, game: list[LogEntry]) -> None:
    if form == "mjai":
        log = HeldLog()
        for entry in game:
            log.write(_with_annotation(entry))
        write_whole(path, log.gzipped() if path.name.lower().endswith(".gz") else log.plain())
        return
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


def _with_annotation(entry: LogEntry) -> Fields:
    """Return an event with its ``logs`` and ``meta``, which a recorded conversation has in another line."""
    annotation = {"logs": entry.message.logs, "meta": entry.message.meta}
    return entry.fields() | {name: value for name, value in annotation.items() if value is not None}
