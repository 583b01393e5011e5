"""Text from outside: made fit for a terminal, a line of a log or a message, read as a number or as JSON."""

import re
import unicodedata

LINE = 300
"""Characters kept of a text by default."""
MESSAGE = 2_000
"""Characters kept of a whole error message: it may name long paths beside foreign text."""
DIGITS = 18
"""A whole number has no more digits: it fits into 64 bits."""
MAX_PORT = 65_535
"""The highest number of a TCP port."""
_USER = re.compile(r"(?<=//)\S*@")
_QUERY = re.compile(r"(://[^\s?#]*\?)[^\s#]+")
_PAIR = rb"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rb"\\(?:" + _PAIR + rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)")


def printable(text: object, most: int = LINE) -> str:
    r"""Return a text as one line that a terminal only prints.

    Whatever is neither a printable character nor a space of any width is written as Python escapes it
    (``\x1b``, ``\n``, ``\u202e``), so that nobody can move the cursor, forge a line or hide what stands
    there. A longer text is cut.

    Parameters
    ----------
    text : object
        Converted by ``str``, of which at most ``most`` characters are looked at.
    most : int
        Characters of the result, at most.
    """
    given = str(text)
    shown = given[: most + 1]
    if not shown.isprintable():
        shown = "".join(_escaped(letter) for letter in shown)
    return shown if len(shown) <= most else f"{shown[: most - 3]}..."


def whole_characters(text: bytes) -> bytes:
    r"""Return a JSON text with U+FFFD for halves of characters, as JavaScript leaves of a name that it cuts.

    A half is the escape of one surrogate without its other one: ``\ud83c``, not ``\ud83c\udc00``.
    """
    if b"\\ud" not in text and b"\\uD" not in text:
        return text
    return _ESCAPE.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], text)


def as_utf8(text: bytes) -> bytes:
    """Return a message of Mjai with U+FFFD for what is no UTF-8, and for halves of characters.

    Such a name is in another encoding or cut: all that the game depends on is written in ASCII.
    """
    return whole_characters(text if text.isascii() else text.decode(errors="replace").encode())


def without_secrets(text: object) -> str:
    """Return a text whose addresses have lost what may be secret: user, password and query."""
    return _QUERY.sub(r"\1***", _USER.sub("***@", str(text)))


def is_whole(text: str) -> bool:
    """Return whether a text is a whole number from 0 that fits into 64 bits."""
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS


def _escaped(letter: str) -> str:
    shows = letter.isprintable() or unicodedata.category(letter) == "Zs"  # spaces, such as U+3000 in names
    return letter if shows else letter.encode("unicode_escape").decode("ascii")
