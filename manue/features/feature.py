"""A feature: a column of what a model is shown, and its words where reasons may speak of it."""

from dataclasses import dataclass

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
