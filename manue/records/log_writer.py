"""Writing game logs: one Mjai event per line, plain or gzipped, to a file or in memory."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

import orjson
from isal import isal_zlib
from pydantic_core import to_json
from typing_extensions import Self

from manue.errors import LogError
from manue.game.events import Event
from manue.protocol.codec import Fields, event_to_fields

_LEVEL = 2  # ISA-L's level: ten times as fast as zlib's default of 6, for files a third larger
_GZIP = 31  # zlib's number for the format of gzip with the largest window


class EventLog(Protocol):
    """Takes the events of a game in order."""

    def write(
        self,
        event: Event | Fields,
        logs: Sequence[str | None] | None = None,
        meta: Sequence[Fields | None] | None = None,
    ) -> None:
        """Append an event with its annotation by seat."""


class LogWriter:
    """Writes a log event by event, compressed if the name ends with ``.gz``.

    Every event is flushed to the file, so that a log whose writer was killed has all its events.

    Parameters
    ----------
    path : str or Path
    replace : bool
        Whether an existing file is replaced.

    Raises
    ------
    LogError
        If the file cannot be written.
    FileExistsError
        If there is one that is not to be replaced.
    """

    def __init__(self, path: str | Path, *, replace: bool = True) -> None:
        self.path = Path(path)
        gzipped = self.path.suffix.lower() == ".gz"
        self._squeeze = isal_zlib.compressobj(_LEVEL, wbits=_GZIP) if gzipped else None
        try:
            self._file = self.path.open("wb" if replace else "xb")
        except FileExistsError:
            raise
        except OSError as error:
            raise LogError(f"{path}: {error.strerror or error}") from None

    def write(
        self,
        event: Event | Fields,
        logs: Sequence[str | None] | None = None,
        meta: Sequence[Fields | None] | None = None,
    ) -> None:
        """Append an event with its annotation by seat; it survives the end of the process.

        Raises
        ------
        LogError
            If the file cannot be written, for example because the disk is full.
        """
        line = _line(event, logs, meta)
        if self._squeeze is not None:
            line = self._squeeze.compress(line) + self._squeeze.flush(isal_zlib.Z_SYNC_FLUSH)
        self._put(line)

    def close(self) -> None:
        """Complete the file; closing twice is harmless."""
        if self._file.closed:
            return
        try:
            if self._squeeze is not None:
                self._put(self._squeeze.flush())
        finally:
            self._end_file()

    def _put(self, data: bytes) -> None:
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise LogError(f"{self.path}: {error.strerror or error}") from None

    def _end_file(self) -> None:
        try:
            self._file.close()  # which tries once more to write what could not be written
        except OSError as error:
            raise LogError(f"{self.path}: {error.strerror or error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class HeldLog:
    """A log in memory: faster, for a game whose log is useless until it is complete."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def write(
        self,
        event: Event | Fields,
        logs: Sequence[str | None] | None = None,
        meta: Sequence[Fields | None] | None = None,
    ) -> None:
        """Append an event with its annotation by seat."""
        self._lines.append(_line(event, logs, meta))

    def plain(self) -> bytes:
        """Return the content of a ``.mjson`` file."""
        return b"".join(self._lines)

    def gzipped(self) -> bytes:
        """Return the content of a ``.mjson.gz`` file."""
        squeeze = isal_zlib.compressobj(_LEVEL, wbits=_GZIP)
        return bytes(squeeze.compress(self.plain()) + squeeze.flush())


def _line(
    event: Event | Fields, logs: Sequence[str | None] | None, meta: Sequence[Fields | None] | None
) -> bytes:
    fields = dict(event) if isinstance(event, dict) else event_to_fields(event)
    if logs is not None and any(logs):
        fields["logs"] = logs
    if meta is not None and any(meta):
        fields["meta"] = meta
    return _encoded(fields) + b"\n"


def _encoded(fields: Fields) -> bytes:
    try:
        return orjson.dumps(fields)
    except TypeError:  # an integer beyond 64 bits in somebody else's annotation
        return to_json(fields, inf_nan_mode="null")
