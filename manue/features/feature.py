"""A feature: a column of what a model is shown, and its words where reasons may speak of it."""

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from manue.features.wording import Wording


@dataclass(frozen=True, slots=True)
class Feature:
    """A column: its name, and what its numbers mean."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class RowFeature(Feature):
    """A column that reasons may speak of: how a range of it reads, and how if the tile is an honor."""

    words: Wording
    honor: Wording | None = None


def numbered(columns: Sequence[Feature]) -> Any:
    """Return a named tuple that holds the number of each column under its name.

    Kernels and look-ups address columns through it, so that inserting a column cannot shift a meaning.
    """
    return namedtuple("Numbers", [column.name for column in columns])(*range(len(columns)))  # noqa: PYI024
