"""Copies of a record: files of other names, or packed otherwise, that hold the same.

Each would count as a game of its own: learned from twice, or learned from under one name and held out under
another.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from manue.as_text import counted
from manue.errors import DamagedError
from manue.progress import progress
from manue.records.archive import MAX_LOG
from manue.records.content import chunks
from manue.records.finding import find_logs
from manue.stderr import report
from manue.whole_files import is_special


def content_of(log: Path) -> bytes:
    """Return a digest of what a record holds, the same however it is packed.

    A record that cannot be read equals no other; what is wrong with it is reported where it is read.
    """
    found = hashlib.sha256()
    try:
        if not is_special(log):
            with log.open("rb") as file:
                size = 0
                for chunk in chunks(file):
                    found.update(chunk)
                    size += len(chunk)
                    if size > MAX_LOG:  # no more of it is read anywhere
                        break
            return found.digest()
    except (OSError, DamagedError):
        pass
    return hashlib.sha256(os.fsencode(os.path.realpath(log))).digest()


def without_copies(logs: Sequence[Path]) -> list[Path]:
    """Return the records of different content: of equal ones that whose name comes first."""
    first: dict[bytes, Path] = {}
    with progress("looking for copies", len(logs)) as advance:
        for log in sorted(logs, key=lambda log: log.name):
            first.setdefault(content_of(log), log)
            advance(1)
    kept = set(first.values())
    return [log for log in logs if log in kept]


def find_distinct_logs(places: Iterable[str | Path]) -> list[Path]:
    """Return the logs that `find_logs` finds, without copies; report how many were left out."""
    logs = find_logs(places)
    kept = without_copies(logs)
    if len(kept) < len(logs):
        report(f"{len(logs) - len(kept):,} of {counted(len(logs), 'log')} left out: copies of others")
    return kept
