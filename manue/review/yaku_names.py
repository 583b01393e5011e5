"""The yaku of recorded wins under our own names, whatever the record calls them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from manue.language.messages import messages
from manue.records.tenhou_yaku import TENHOU_YAKU

ShownYaku = list[Any]
"""Our name (``manue.hand.yaku_list``; else the record's), and its han or ``None``."""

_PREFIX = "yaku."
_SPELT_OTHERWISE = {"両立直": "double riichi", "国士無双十三面待ち": "kokushi musou 13-wait"}
"""Tenhou's and Mahjong Soul's names of yaku that our Japanese texts spell otherwise."""
_JAPANESE = _SPELT_OTHERWISE | {
    text.replace(" ", ""): key.removeprefix(_PREFIX)
    for key, text in messages("ja").table.items()
    if key.startswith(_PREFIX)
}
_WINDS = {"自風": "seat wind", "場風": "round wind"}
_WRITTEN = re.compile(r"(.+?)\s*(?:\((\d+)飜\)|\((?:役満|ダブル役満)\)|\s(\d+))?")
"""``断幺九(1飜)`` and ``国士無双(役満)`` as Tenhou's JSON has them, ``dora 2`` as our annotations."""


def shown_yaku(fields: Mapping[str, Any]) -> list[ShownYaku]:
    """Return the yaku of a ``hora`` message, in any of the known formats."""
    names = fields.get("yaku_names")
    if isinstance(names, list):
        return [written_yaku(name) for name in names if isinstance(name, str)]
    pairs = fields.get("yakus")
    if isinstance(pairs, list):
        return [
            [our_name(str(pair[0])), pair[1] if isinstance(pair[1], int) else None]
            for pair in pairs
            if isinstance(pair, list) and len(pair) == 2
        ]
    numbers, han = fields.get("yaku_ids"), fields.get("yaku_han")
    if isinstance(numbers, list) and isinstance(han, list):
        return [[_numbered(number), value] for number, value in zip(numbers, han, strict=False) if value != 0]
    return []


def written_yaku(text: str) -> ShownYaku:
    """Return the yaku of a text like ``断幺九(1飜)``, ``dora 2`` or ``pinfu``."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return [text, None]
    han = found[2] or found[3]
    return [our_name(found[1]), None if han is None else int(han)]


def are_ours(yaku: Iterable[ShownYaku]) -> bool:
    """Return whether every yaku has one of our names."""
    return all(name in TENHOU_YAKU for name, _ in yaku)


def our_name(name: str) -> str:
    """Return our name for a yaku, or the name itself if we do not know it."""
    plain = name.replace(" ", "").removeprefix("役牌:")
    if plain[:2] in _WINDS:
        return _WINDS[plain[:2]]
    return _JAPANESE.get(plain, _JAPANESE.get(f"役牌{plain}", name))


def _numbered(number: Any) -> str:
    known = isinstance(number, int) and 0 <= number < len(TENHOU_YAKU)
    return TENHOU_YAKU[number] if known else f"yaku {number}"
