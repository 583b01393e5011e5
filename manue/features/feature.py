"""A feature: a column of a model's input."""

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Feature:
    """A column: its name and the meaning of its values."""

    name: str
    meaning: str


def numbered(columns: Sequence[Feature]) -> Any:
    """Return a named tuple that holds the number of each column under its name.

    Kernels and look-ups address columns through it, so that inserting a column shifts no meaning; but columns
    that kernels count on from the first of a run must stay together.
    """
    return namedtuple("Numbers", [column.name for column in columns])(*range(len(columns)))  # noqa: PYI024
