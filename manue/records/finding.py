"""Which files are game records: those of a folder by their names, of a text file also by how it begins."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from pydantic_core import from_json

from manue.errors import LogError
from manue.records.content import opens_as_record
from manue.records.links import check_source
from manue.whole_files import is_special

FORMAT_OF_SUFFIX = {
    ".mjson": "mjai",
    ".jsonl": "mjai",
    ".json": "tenhou",
    ".mjlog": "mjlog",
    ".xml": "mjlog",
}
"""The format in which a file of this ending is written; what one holds that is read, its content says."""
SUFFIXES = tuple(name + packed for name in FORMAT_OF_SUFFIX for packed in ("", ".gz"))
"""Of the files of a folder, those with these endings are records."""
TEXTS = (".txt", ".txt.gz")
"""Downloaders of Mahjong Soul records write these too: such a file is one if it begins as one."""
_DESCRIPTION, _MAX_DESCRIPTION = "match.json", 1 << 20
"""The file in which the folder of a match says so, and how many bytes of it are read."""
_RESULTS = (_DESCRIPTION, "results.jsonl", "summary.json")
"""What the folder of a match holds besides logs, of the endings that logs have."""


def find_logs(places: Iterable[str | Path]) -> list[Path]:
    """Return the given log files and those in the given folders, searched recursively and sorted within each.

    A file that is given twice, for example by its name and in its folder, is returned once.

    Raises
    ------
    LogError
        If a path does not exist, or a folder holds no log or cannot be looked into.
    UsageError
        If a path is a link.
    """
    found: list[Path] = []
    for place in map(Path, places):
        check_source(place)
        if place.is_dir():
            inside = [path for path in files_below(place) if _is_record(path)]
            if not inside:
                raise LogError(f"{place}: no game logs ({', '.join(SUFFIXES)}) in this folder")
            found += inside
        elif place.exists():
            found.append(place)
        else:
            raise LogError(f"{place}: no such file or folder")
    first: dict[str, Path] = {}
    for log in found:  # realpath(): Path.resolve() fails on links in a circle, until Python 3.13
        first.setdefault(os.path.realpath(log), log)
    return list(first.values())


def files_below(folder: Path) -> list[Path]:
    """Return the files in a folder and in the folders below it, sorted, without the results of matches.

    Raises
    ------
    LogError
        If one of the folders cannot be looked into.
    """

    def refuse(error: OSError) -> NoReturn:
        raise LogError(f"{error.filename}: {error.strerror or error}")

    files = sorted(Path(at, name) for at, _, names in os.walk(folder, onerror=refuse) for name in names)
    return _without_results(files)


def _without_results(paths: Sequence[Path]) -> list[Path]:
    """Leave out what `manue match` writes into its folder beside the games."""
    matches = {path.parent for path in paths if path.name == _DESCRIPTION and _describes_match(path)}
    return [path for path in paths if path.name not in _RESULTS or path.parent not in matches]


def _describes_match(path: Path) -> bool:
    """Return whether a file says of what match its folder is, as a record of the same name does not."""
    if is_special(path):
        return False
    try:
        with path.open("rb") as file:
            described = from_json(file.read(_MAX_DESCRIPTION))
    except (OSError, ValueError):
        return False
    return isinstance(described, dict) and described.keys() >= {"format", "schedule", "seed"}


def _is_record(path: Path) -> bool:
    name = path.name.lower()
    if name.endswith(SUFFIXES):
        return True
    return name.endswith(TEXTS) and path.is_file() and opens_as_record(path)
