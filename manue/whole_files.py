"""Files that are written whole or not at all: what was there stays if the new content cannot be written."""

import itertools
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PART = ".part-"
"""What the names of files not yet whole begin with."""
_NUMBERS = itertools.count()
"""Part of these names: no two of one process have the same."""


def is_special(path: Path) -> bool:
    """Return whether something is there that is no regular file: a pipe would keep a reader waiting."""
    return path.exists() and not path.is_file()


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; raises OSError, as `whole_file`."""
    data = content.encode() if isinstance(content, str) else content
    with whole_file(path) as written:
        written.write_bytes(data)


def remove_parts(folder: Path) -> None:
    """Remove what killed processes of this machine left half written in a folder, to two levels below."""
    for levels in ("", "*/", "*/*/"):
        for part in folder.glob(f"{levels}{_PART}*"):
            found = re.fullmatch(rf"{re.escape(_PART)}(\d+)-\d+", part.name)
            if found is not None and not _is_running(int(found[1])):
                with suppress(OSError):  # another user's
                    part.unlink()


def _is_running(process: int) -> bool:
    """Return whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's
        return True
    return True


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield another name beside a file, to write to; after the block, that takes the place of the file.

    A reader never finds half of it, and nothing is left of it where the block fails. An existing file keeps
    its mode. What is not a regular file, such as a pipe or a link, is written to directly, and so is a file
    in a folder that takes no other.

    Raises
    ------
    OSError
        If it cannot be written; its ``filename`` is the path, also on a full disk.
    """
    beside = path.with_name(f"{_PART}{os.getpid()}-{next(_NUMBERS)}")
    try:
        if _is_written_directly(path):
            yield path
            return
        try:
            yield beside
            _put_in_place(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:  # a full disk does not name the file
        if error.errno is None or error.filename not in {None, str(beside), str(path)}:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _is_written_directly(path: Path) -> bool:
    if path.is_symlink() or is_special(path):
        return True
    return path.exists() and not os.access(path.parent, os.W_OK | os.X_OK)


def _put_in_place(beside: Path, path: Path) -> None:
    if path.exists():
        shutil.copymode(path, beside)
    try:
        beside.replace(path)
    except PermissionError:  # the folder takes new files, but gives up none of another user
        shutil.copyfile(beside, path)
