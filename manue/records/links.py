"""Links to game records: nothing is fetched, so what is said is how to save the record.

A link to tenhou.net/6 holds the record itself; saved in a file, it is read.
"""

import re
from pathlib import Path
from urllib.parse import parse_qs, unquote_to_bytes, urlsplit

from manue.errors import MissingArgumentError, UsageError
from manue.foreign import printable

_LINK = re.compile(r"https?:/+")
_TENHOU_ID = re.compile(r"\d{10}gm-[0-9a-f]{4}-[0-9a-f]{4,5}-[0-9a-f]{8}")
_SOUL = ("mahjongsoul.com", "maj-soul.com", "maj-soul.net", "majsoul.com", "yo-star.com")

_HOLDS_RECORD = re.compile(rb"\A\s{0,20}(?:https?://[^\s#]{1,200}#json=|(?=%7B))", re.IGNORECASE)
_VIEW = re.compile(rb"(?:&t[sw]=\d{0,3})+\s{0,20}$")
"""What follows the JSON: the round and the seat to show."""
_MAX_LINKS = 4 << 20
"""Longest file of links, in bytes; a whole game takes some 50,000."""


def record_in_links(data: bytes) -> bytes:
    """Return the JSON that the links of a file hold, one a line, or any other content as it is.

    What comes before the JSON in a link may be missing. Most of the JSON's punctuation is percent-encoded.
    """
    if len(data) > _MAX_LINKS or not _HOLDS_RECORD.match(data):
        return data
    held = (_VIEW.sub(b"", _HOLDS_RECORD.sub(b"", line, count=1)) for line in data.splitlines())
    return b"\n".join(map(unquote_to_bytes, held))


def check_source(source: str | Path) -> None:
    """Check that a record is not looked for at a link or on standard input.

    Raises
    ------
    UsageError
        If the source is ``-``, or a link or the number of a game at Tenhou: how to save the record is said.
    """
    text = str(source)
    if text == "-" and not Path(source).exists():
        raise UsageError("-: a record is read from a file, not from standard input")
    found = _LINK.match(text)
    if found is not None:
        raise _advice("https://" + text[found.end() :])  # a Path has lost one of the slashes
    if _TENHOU_ID.fullmatch(text) and not Path(source).exists():
        raise _tenhou(text, None)


def _advice(link: str) -> UsageError:
    try:
        address = urlsplit(link)
        host = address.hostname or ""
    except ValueError:
        host = ""
    if host == "tenhou.net" or host.endswith(".tenhou.net"):
        if "json=" in address.fragment:
            return UsageError(
                "the link holds the record: save what follows json= as record.json and give that file"
            )
        number = _TENHOU_ID.search(link)
        seat = parse_qs(address.query).get("tw", [""])[0]
        return _tenhou(number[0] if number else None, seat if seat in {"0", "1", "2", "3"} else None)
    if any(host == name or host.endswith(f".{name}") for name in _SOUL):
        return UsageError(
            "links are not fetched, and Mahjong Soul offers no download: save the record as JSON, its own or "
            "in the format of tenhou.net/6, with a script in the browser (downloadlogs.js) or a downloader "
            "(tensoul), and give that file"
        )
    return UsageError(
        f"{printable(link, 80)}: links are not fetched; save the record as a file and give that"
    )


def _tenhou(number: str | None, seat: str | None) -> UsageError:
    name = number or "ID"
    text = (
        f"links are not fetched: open https://tenhou.net/0/log/?{name} in a browser, save it as "
        f"{name}.mjlog and give that file"
    )
    return UsageError(text) if seat is None else MissingArgumentError(text, "seat", seat)
