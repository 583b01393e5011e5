"""Files that are written whole or not at all: what was there stays if the new content cannot be written."""

import os
import shutil
import threading
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under another name beside it and rename it, so that a reader never finds half of it.

    An existing file keeps its mode. What is not a regular file, such as a pipe or a link, is written to
    directly, and so is a file in a folder that takes no other.

    Raises
    ------
    OSError
        If it cannot be written; its ``filename`` is the path, also on a full disk.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            path.write_bytes(data)
            return
        beside = path.with_name(f".part-{os.getpid()}-{threading.get_ident()}")
        try:
            beside.write_bytes(data)
            if path.exists():
                shutil.copymode(path, beside)
            beside.replace(path)
        except PermissionError:
            path.write_bytes(data)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
