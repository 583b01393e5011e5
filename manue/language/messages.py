"""The texts of the page and of the terminal: one table of messages per language, with equal keys.

A text may name values in braces: ``{n}``. A word that depends on a number gives both forms,
``{n} {n:tile|tiles}``: the first for 1, the second for everything else.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "ja", "zh-Hans")
"""The languages with a table; English is the one used unless another is asked for."""
_PLACE = re.compile(r"\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Messages:
    """The texts of one language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    table : mapping of str to str
        Texts by key.
    """

    language: str
    table: Mapping[str, str]

    def text(self, key: str, **values: object) -> str:
        """Return a text with the values put in.

        >>> messages("en").text("tile.suit.m", n=5)
        '5 man'
        """
        return _PLACE.sub(lambda found: _value(found, values), self.table[key])


def _value(found: re.Match[str], values: Mapping[str, object]) -> str:
    value = values[found[1]]
    if found[2] is None:
        return str(value)
    return found[2] if str(value) == "1" else found[3]


@cache
def messages(language: str) -> Messages:
    """Return the texts of a language."""
    content = (files("manue.language") / f"{language}.json").read_text("utf-8")
    return Messages(language, json.loads(content))


ENGLISH = messages("en")


def places_of(text: str) -> set[str]:
    """Return the names of the values that a text needs."""
    return {found[1] for found in _PLACE.finditer(text)}
