"""Files that are written whole or not at all: what was there stays if the new content cannot be written."""

from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under another name beside it and rename it, so that a reader never finds half of it.

    What is no regular file, such as a pipe or a link, is written to directly.

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
        beside = path.with_name(f".{path.name}.part")
        try:
            beside.write_bytes(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
