"""Where a command writes: files, checked before it begins to work, and the terminal."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from manue.errors import UsageError

_SUFFIXES_OF_PAGES = ("", ".html", ".htm")


def check_outputs(outputs: Sequence[Path | None], inputs: Sequence[Path]) -> None:
    """Refuse outputs that cannot be written, or that would replace an input or another output.

    Parameters
    ----------
    outputs : sequence of Path or None
        ``None`` for a file that is not asked for.
    inputs : sequence of Path
        Files that are read.

    Raises
    ------
    UsageError
        If a file is among those read, is given twice, is a folder or ``-``, or its folder does not exist.
    """
    written: list[Path] = []
    for output in outputs:
        if output is None:
            continue
        if str(output) == "-":
            raise UsageError("-: what is asked for is written to a file, not to standard output")
        if not output.parent.is_dir():
            raise UsageError(f"{output}: there is no folder {output.parent}")
        if output.is_dir():
            raise UsageError(f"{output} is a folder")
        if any(_same(output, one) for one in inputs):
            raise UsageError(f"{output} is one of the records to read")
        if any(_same(output, one) for one in written):
            raise UsageError(f"{output}: two things cannot be written to one file")
        written.append(output)


def check_folder(folder: Path | None) -> None:
    """Refuse a folder that cannot be made, as a file is in its place; raises UsageError."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), None) if folder else None
    if there is not None and not there.is_dir():
        raise UsageError(f"{there}: not a folder")


def check_page(page: Path | None) -> None:
    """Refuse a page with the file ending of another kind of file, such as an image; raises UsageError."""
    if page is not None and page.suffix.lower() not in _SUFFIXES_OF_PAGES:
        raise UsageError(f"-o {page}: what is written is a page, named so (.html)")


def _same(path: Path, other: Path) -> bool:
    if os.path.realpath(path) == os.path.realpath(other):  # resolve() fails on links in a circle
        return True
    return path.exists() and other.exists() and path.samefile(other)


def terminal_width() -> int | None:
    """Return the characters of a line where standard output is a terminal, else ``None``."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
