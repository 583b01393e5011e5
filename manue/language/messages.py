"""The texts of the page and of the terminal: one table of messages per language, with equal keys.

A text may name values in braces: ``{n}``. A word that depends on a number gives both forms,
``{n} {n:tile|tiles}``: the first for 1, the second for everything else.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "ja", "zh-Hans")
"""The languages with a table; English is the one used unless another is asked for."""
_NOT_ON_PAGES = ("index.", "match.", "situation.")
"""Keys of texts that are written in Python and no script looks up."""
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

    def percent(self, share: float | None) -> str:
        """Return a share as text; ``-`` where it is not known (``None`` or nan).

        >>> messages("ja").percent(0.1234)
        '12.3%'
        """
        return "-" if share is None or math.isnan(share) else self.text("percent", n=f"{100 * share:.1f}")

    def of_pages(self) -> dict[str, str]:
        """Return the texts that the scripts of a page look up."""
        return {key: text for key, text in self.table.items() if not key.startswith(_NOT_ON_PAGES)}


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


def page_languages(language: str | None) -> tuple[str, ...]:
    """Return the languages of a page: the one given, else all, of which the page shows the browser's."""
    return LANGUAGES if language is None else (language,)


def language_named(name: str) -> str | None:
    """Return which of `LANGUAGES` a name means, as a browser's does: its first part decides.

    >>> [language_named(name) for name in ("zh", "zh-CN", "JA", "en_US", "de")]
    ['zh-Hans', 'zh-Hans', 'ja', 'en', None]
    """
    spoken = re.split("[-_]", name.lower())[0]
    return next((language for language in LANGUAGES if language.split("-")[0] == spoken), None)
