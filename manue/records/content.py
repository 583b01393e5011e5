"""The bytes of a record as UTF-8: unpacked from gzip, without a byte order mark, recoded from UTF-16."""

import codecs
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from manue.errors import DamagedError

_GZIP = b"\x1f\x8b"
_UNREAD = {
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7z",
    b"Rar!": "rar",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
"""How packed files begin that are not unpacked here."""
_CHUNK = 1 << 16
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_OPENERS = b"<{["
"""What a record may begin with."""


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file in chunks of UTF-8.

    Raises
    ------
    DamagedError
        After everything that could be read, if the data are cut short or damaged.
    """
    return _recoded(_unpacked(file))


def opens_as_record(path: Path) -> bool:
    """Return whether a file begins as records do; for files whose names do not say what they hold."""
    try:
        with path.open("rb") as file:
            start = next(chunks(file), b"").lstrip()
    except (OSError, DamagedError):
        return False
    return bool(start) and start[0] in _OPENERS


def _unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a plain or gzipped file (with any number of members) in chunks."""
    chunk = file.read(_CHUNK)
    packed = next((name for start, name in _UNREAD.items() if chunk.startswith(start)), None)
    if packed is not None:
        raise DamagedError(f"packed by {packed}: unpack it first (gzip alone is read as it is)")
    if not chunk.startswith(_GZIP):
        while chunk:
            yield chunk
            chunk = file.read(_CHUNK)
        return
    inflate = zlib.decompressobj(wbits=31)
    while chunk:
        try:
            yield inflate.decompress(chunk, _CHUNK)
            while inflate.unconsumed_tail and not inflate.eof:
                yield inflate.decompress(inflate.unconsumed_tail, _CHUNK)
        except zlib.error as error:
            raise DamagedError(f"damaged gzip data ({error})") from None
        chunk = inflate.unused_data.lstrip(b"\0") if inflate.eof else b""
        chunk = chunk or file.read(_CHUNK)
        if chunk and inflate.eof:
            inflate = zlib.decompressobj(wbits=31)
    if not inflate.eof:
        raise DamagedError("the gzip data is cut short")


def _recoded(data: Iterator[bytes]) -> Iterator[bytes]:
    first = b""
    for chunk in data:
        first += chunk
        if len(first) > 3:
            break
    mark, encoding = _encoding(first)
    first = first.removeprefix(mark)
    if encoding == "utf-8":
        if first:
            yield first
        yield from data
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(first).encode("utf-8", "replace")
    for chunk in data:
        yield decoder.decode(chunk).encode("utf-8", "replace")


def _encoding(start: bytes) -> tuple[bytes, str]:
    """Return the byte order mark that a text begins with, and its encoding."""
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return mark, encoding
    if start[:1] and start[:1] in _OPENERS and start[1:2] == b"\0":
        return b"", "utf-16-le"
    if start[:1] == b"\0" and start[1:2] and start[1:2] in _OPENERS:
        return b"", "utf-16-be"
    return b"", "utf-8"
