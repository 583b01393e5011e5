"""A feature: a column of a model's input, with its wording if it may appear in reasons."""

from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from manue.features.wording import Wording


@dataclass(frozen=True, slots=True)
class Feature:
    """A column: its name and the meaning of its values."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class RowFeature(Feature):
    """A column that may appear in reasons: the wording of its ranges, and another for honors."""

    words: Wording
    honor: Wording | None = None


def numbered(columns: Sequence[Feature]) -> Any:
    """Return a named tuple that holds the number of each column under its name.

    Kernels and look-ups address columns through it, so that inserting a column cannot shift a meaning.
    """
    return namedtuple("Numbers", [column.name for column in columns])(*range(len(columns)))  # noqa: PYI024
