"""Phrases in plain English for ranges of a feature's values, with the data each column needs for them.

A wording turns the values above ``low`` and up to ``high``, either of which may be infinite, into a phrase
about one tile and one opponent. The phrase is empty if the range rules nothing out.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

AT_MOST = ("at most {}", "at least {}", "{} to {}")
EDGE_NAMES = ("honor", "1/9", "2/8", "3/7", "4/6", "5")
"""Names by distance from the edge, 0 for honors."""
UNTIL = ("{} or earlier", "{} or later", "{} to {}")

Ranges = Mapping[tuple[float, float], str]


class Wording(Protocol):
    """How a column's values read to a player."""

    def phrase(self, low: float, high: float) -> str:
        """Return the phrase for a value above ``low`` and at most ``high``."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Whole numbers.

    Parameters
    ----------
    text : str
        With ``{}`` for the amount; ``[one|many]`` gives the word for at most one, and for more.
    least, most : float
        The smallest and the largest amount.
    special : dict of (first, last) to str
        Ranges with a phrase of their own.
    apart : dict of int to (str, str)
        Values outside the amounts that mean something else: their phrase alone, and after ", or".
    bounds : (str, str, str)
        Formats for an upper bound, a lower bound, and both.
    names : tuple of str
        Names of the amounts 0, 1, ... if they have any.
    """

    text: str = ""
    least: float = 0
    most: float = math.inf
    special: Ranges = field(default_factory=dict)
    apart: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    bounds: tuple[str, str, str] = AT_MOST
    names: tuple[str, ...] = ()

    def phrase(self, low: float, high: float) -> str:
        """Return the phrase for a value above ``low`` and at most ``high``."""
        least, most = min([self.least, *self.apart]), max([self.most, *self.apart])
        first, last = max(_floor(low) + 1, least), min(_floor(high), most)
        if (first, last) == (least, most):
            return ""
        if (first, last) in self.special:
            return self.special[first, last]
        others = [words for value, words in self.apart.items() if first <= value <= last]
        if first == last and others:
            return others[0][0]
        amounts = self._amounts(max(first, self.least), min(last, self.most))
        return ", or ".join([amounts, *(after for _, after in others)])

    def _amounts(self, first: float, last: float) -> str:
        if (first, last) in self.special:
            return self.special[first, last]
        at_most, at_least, both = self.bounds
        if first == last:
            amount = self._name(first) if first or self.names else "no"
        elif first == self.least:
            amount = at_most.format(self._name(last))
        elif last == self.most:
            amount = at_least.format(self._name(first))
        elif last == first + 1 and not self.names:
            amount = f"{first:.0f} or {last:.0f}"
        else:
            amount = both.format(self._name(first), self._name(last))
        number = first if last == self.most else last
        return _INFLECTED.sub(lambda m: m[1 if number <= 1 else 2], self.text).format(amount)

    def _name(self, value: float) -> str:
        return self.names[int(value)] if self.names else f"{value:.0f}"


@dataclass(frozen=True, slots=True)
class Listed:
    """Whole numbers from 0 that are listed one by one.

    Parameters
    ----------
    names : tuple of str
        One for each value.
    text : str
        With ``{}`` for the names in the range.
    special : dict of (first, last) to str
        Ranges with a phrase of their own.
    """

    names: tuple[str, ...]
    text: str = "{}"
    special: Ranges = field(default_factory=dict)

    def phrase(self, low: float, high: float) -> str:
        """Return the phrase for a value above ``low`` and at most ``high``."""
        first, last = max(_floor(low) + 1, 0), min(_floor(high), len(self.names) - 1)
        if (first, last) in self.special:
            return self.special[first, last]
        names = self.names[int(first) : int(last) + 1]
        if len(names) == len(self.names):
            return ""
        listed = " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
        return self.text.format(listed)


@dataclass(frozen=True, slots=True)
class Measured:
    """Real numbers of at least 0: shares in percent, or other amounts.

    Parameters
    ----------
    text : str
        With ``{}`` for the amount.
    most : float
        The largest value; 1 for shares.
    """

    text: str
    most: float = 1.0

    def phrase(self, low: float, high: float) -> str:
        """Return the phrase for a value above ``low`` and at most ``high``."""
        first, last = self._number(low), self._number(high)
        if low < 0:
            return "" if high >= self.most else self.text.format(f"at most {last}")
        if high >= self.most:
            return self.text.format(f"over {first}")
        return self.text.format(f"about {first}" if first == last else f"{first} to {last}")

    def _number(self, value: float) -> str:
        return f"{value:.3g}" if math.isinf(self.most) else f"{100 * value:.3g}%"


@dataclass(frozen=True, slots=True)
class Lead:
    """Score differences in thousands of points, positive or negative.

    Parameters
    ----------
    rival : str
        The player compared with.
    """

    rival: str

    def phrase(self, low: float, high: float) -> str:
        """Return the phrase for a value above ``low`` and at most ``high``."""
        first, last = _hundreds(low) + 1, _hundreds(high)
        if math.isinf(first) and math.isinf(last):
            return ""
        behind, ahead = f"points behind {self.rival}", f"points ahead of {self.rival}"
        if math.isinf(last):
            if first < 0:
                return f"at most {_points(first)} {behind}, or ahead"
            return f"at least {_points(first)} {ahead}" if first else f"not behind {self.rival}"
        if math.isinf(first):
            if last > 0:
                return f"at most {_points(last)} {ahead}, or behind"
            return f"at least {_points(last)} {behind}" if last else f"not ahead of {self.rival}"
        if first < 0 < last:
            return f"between {_points(first)} points behind and {_points(last)} {ahead}"
        near, far = sorted((_points(first), _points(last)), key=lambda x: int(x.replace(",", "")))
        amount = near if near == far else f"{near} to {far}"
        return f"{amount} {behind if first < 0 else ahead}"


@dataclass(frozen=True, slots=True)
class Always:
    """The same phrase for every range."""

    text: str

    def phrase(self, low: float, high: float) -> str:  # noqa: ARG002 (the range does not matter)
        """Return the phrase."""
        return self.text


_INFLECTED = re.compile(r"\[(.*?)\|(.*?)\]")


def _floor(value: float) -> float:
    return value if math.isinf(value) else math.floor(value)


def _hundreds(value: float) -> float:
    """Return the most hundreds of points that, in thousands as a float32, are at most ``value``."""
    if math.isinf(value):
        return value
    nearest = round(value * 10)
    return nearest - 1 if np.float32(nearest / 10) > value else nearest


def _points(hundreds: float) -> str:
    return f"{100 * abs(hundreds):,.0f}"


def either(no: str, yes: str) -> Counted:
    """Return the wording of a flag."""
    return Counted(most=1, special={(0, 0): no, (1, 1): yes})


def some(no: str, yes: str, text: str, most: float = math.inf) -> Counted:
    """Return the wording of an amount with separate phrases for none and for some."""
    return Counted(text, most=most, special={(0, 0): no, (1, most): yes})


def three(none: str, at_most_one: str, one: str, at_least_one: str, two: str) -> Counted:
    """Return the wording of the values 0, 1 and 2."""
    special: Ranges = {(0, 0): none, (0, 1): at_most_one, (1, 1): one, (1, 2): at_least_one, (2, 2): two}
    return Counted(most=2, special=special)


def neighbour(tile: str, missing: str = "", present: str = "") -> Counted:
    """Return the wording of the unseen copies of a neighbour of the tile.

    ``missing`` describes the tiles that have no such neighbour (-1), ``present`` those that have.
    """
    text = f"{{}} [copy|copies] unseen of the {tile}"
    if not missing:
        return Counted(text, most=4)
    return Counted(text, most=4, special={(0, 4): present}, apart={-1: (missing, missing)})


def age(tile: str, never: int, *, passed: bool = False) -> Counted:
    """Return the wording of a tile's age: the opponent's discards between it and its riichi tile or last.

    ``never`` is the value if it did not discard the tile; with ``passed``, -1 means that the tile was passed
    after the riichi.
    """
    last = never - 1
    special: Ranges = {
        (last, last): f"the {tile} discarded {last} or more turns before riichi or now",
        (0, 0): f"the {tile} discarded last or with riichi",
        (0, last): f"the {tile} discarded by riichi or now",
        (-1, last): f"the {tile} discarded or passed",
    }
    apart = {never: (f"the {tile} not discarded by riichi or now", "never")}
    if passed:
        apart[-1] = (f"the {tile} passed after riichi", "passed after it")
    text = f"the {tile} discarded {{}} [turn|turns] before riichi or now"
    return Counted(text, most=last, special=special, apart=apart)


def distance(tile: str, far: int) -> Counted:
    """Return the wording of the distance from a tile; ``far`` is the value for another suit."""
    special: Ranges = {(0, 0): f"the same as {tile}", (0, far - 1): f"in the suit of {tile}"}
    apart = {far: (f"not in the suit of {tile}", "in another suit")}
    return Counted(f"{{}} away from {tile}", most=far - 1, special=special, apart=apart)


def changes(tile: str, never: int) -> Counted:
    """Return the wording of the hand changes since anybody discarded a tile; ``never`` if nobody did."""
    text = f"{{}} hand [change|changes] since anybody discarded {tile}"
    last = never - 1
    special: Ranges = {
        (0, last): f"somebody discarded {tile}",
        (last, last): f"{last} or more hand changes since anybody discarded {tile}",
    }
    return Counted(
        text, most=last, special=special, apart={never: (f"nobody discarded {tile}", "nobody did")}
    )
