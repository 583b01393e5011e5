"""``manue convert``: game records from one format to another."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from manue.as_text import counted
from manue.commands.options import path
from manue.commands.outputs import check_outputs
from manue.errors import EventError, LogError, ProtocolError, UsageError, with_file
from manue.foreign import MESSAGE, printable
from manue.progress import progress
from manue.records.archive import LogEntry
from manue.records.conversion import NAMED, format_of, named_games, write_game
from manue.records.finding import FORMAT_OF_SUFFIX, find_logs
from manue.stderr import note, report


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
        help="file to write or replace, or folder for several, in which none is replaced",
    )
    parser.add_argument(
        "--to",
        choices=NAMED,
        help="format of the files in a folder (default: mjai)",
    )


def run(options: argparse.Namespace) -> int:
    """Convert every game."""
    out: Path = options.output
    logs = find_logs(options.logs)
    by_name = format_of(out)
    if by_name is None or out.is_dir():
        _check_folder(out, options.logs)
        return _fill_folder(out, options.to or "mjai", logs)
    if options.to not in {None, by_name}:
        raise UsageError(f"--to {options.to} contradicts the name {out}, which means {by_name}")
    check_outputs([out], logs)
    found = [game for log in logs for game in named_games(log)]
    if len(found) != 1:
        raise UsageError(f"{len(found)} games do not go into one file: give a folder (-o DIR)")
    rounds = write_game(out, by_name, *found[0])
    note(f"{printable(out, MESSAGE)}: {counted(rounds, 'round')}")
    return 0


def _check_folder(out: Path, inputs: Sequence[Path]) -> None:
    """Refuse a new folder that was probably meant to be a file; raises UsageError."""
    is_one_file = len(inputs) == 1 and not inputs[0].is_dir()
    if is_one_file and not out.exists() and (out.suffix or out.name == "-"):
        endings = ", ".join(FORMAT_OF_SUFFIX)
        raise UsageError(
            f"the name {out} says no format ({endings}, each also with .gz), and there is no such folder"
        )


def _fill_folder(folder: Path, form: str, logs: Sequence[Path]) -> int:
    """Write every game and name the records that cannot be converted; return the exit code, 1 with any."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    failed: list[str] = []
    with progress("converting", len(logs)) as advance:
        for log in logs:
            found: list[tuple[str, list[LogEntry]]] = []
            with _failures_reported(log, failed):
                found = named_games(log)
            for name, game in found:
                with _failures_reported(log, failed):
                    _write_new(folder / f"{name}{NAMED[form]}", form, name, game)
                    written += 1
            advance(1)
    games = f"{counted(written, 'game')} in {printable(folder, MESSAGE)}"
    left_out = f", {len(failed)} not converted" if failed else ""
    note(f"{games}{left_out}")
    return 1 if failed else 0


@contextmanager
def _failures_reported(log: Path, failed: list[str]) -> Iterator[None]:
    """Report why something of a record cannot be converted, and add it to what failed."""
    try:
        yield
    except (ProtocolError, EventError) as error:
        failed.append(with_file(error, log))
        report(printable(failed[-1], MESSAGE))


def _write_new(path: Path, form: str, name: str, game: list[LogEntry]) -> None:
    if path.exists():
        raise LogError(f"{path} is there already")
    write_game(path, form, name, game)
