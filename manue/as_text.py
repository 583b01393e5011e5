"""Counts, figures, shares and the heads of tables as text."""

import math
from collections.abc import Iterable, Sequence


def counted(number: int, noun: str) -> str:
    """Return a number of things in English: ``1 game``, ``2,000 games``. The plural takes an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return what to add to an error about a word that is not among the names; "" if none is like it."""
    from difflib import get_close_matches  # noqa: PLC0415  for errors alone

    close = get_close_matches(word, list(names), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def known(value: float | None, form: str) -> str:
    """Return a figure as text, in the given form; ``-`` where nothing is known of it (``None`` or nan)."""
    return "-" if value is None or math.isnan(value) else f"{value:{form}}"


def percent(share: float | None, decimals: int = 1, *, signed: bool = False) -> str:
    """Return a share as text: ``12.3 %`` for 0.123; ``-`` where it is not known (``None`` or nan)."""
    if share is None or math.isnan(share):
        return "-"
    rounded = round(100 * share, decimals) + 0.0  # a share a little below 0 is no -0.0
    return f"{rounded:{'+' if signed else ''}.{decimals}f} %"


def table_head(titles: Sequence[str]) -> tuple[str, str]:
    """Return the first two lines of a Markdown table: the titles of its columns, and what is below them."""
    return f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"
