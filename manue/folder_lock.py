"""A folder that one process writes to at a time."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from manue.errors import UsageError
from manue.whole_files import remove_parts


class FolderLock:
    """Holds a folder until it is closed or its process ends, however it ends; nothing is written for it.

    Half-written files that killed processes left there are removed.

    Parameters
    ----------
    folder : Path
        Made if it does not exist, and then removed at the end if nothing was written to it.

    Raises
    ------
    UsageError
        If another process holds the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._descriptor, made = _locked(folder)
        self._made = folder if made else None
        remove_parts(folder)

    def close(self) -> None:
        """Let others have the folder; closing twice is harmless."""
        if self._descriptor >= 0:
            if self._made is not None:
                with suppress(OSError):  # it holds something
                    self._made.rmdir()
            os.close(self._descriptor)
        self._descriptor = -1


def _locked(folder: Path) -> tuple[int, bool]:
    """Return a descriptor that holds the lock of a folder, and whether the folder was made for it.

    Whoever held it before may just have removed it, as nothing was written to it: it is then made again.
    """
    while True:
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(descriptor), folder.stat()):
                    return descriptor, made
            except OSError as error:
                os.close(descriptor)
                if error.errno in {errno.EACCES, errno.EAGAIN}:
                    raise UsageError(f"{folder} is being written to by another run of manue") from None
                raise
            os.close(descriptor)


@contextmanager
def held(folder: Path | None) -> Iterator[None]:
    """Hold a folder, if one is given, for the time of a ``with``; raises UsageError."""
    lock = None if folder is None else FolderLock(folder)
    try:
        yield
    finally:
        if lock is not None:
            lock.close()
