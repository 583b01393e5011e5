"""All groupings of tiles into sets, partial sets and single tiles, one at a time and none twice.

This is ``tilesSplitGroupL`` in the documentation of SimSaladin/TiraLabra. Duplicates do not arise here:
the lowest remaining tile always opens the next group, and equal tiles open their groups in a fixed order.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from manue.errors import HandError
from manue.tiles import COPIES, HONORS, KIND_OF, KINDS, Kind, Tile, suit_of

Kinds: TypeAlias = tuple[Kind, ...]

_SHAPES: tuple[tuple[int, ...], ...] = ((0, 0, 0), (0, 1, 2), (0, 0), (0, 1), (0, 2), (0,))
"""Groups as steps from their lowest tile: triplet, run, pair, neighbours, a gap, a single tile."""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """A set of three tiles, two tiles of an incomplete set, or a single tile.

    Parameters
    ----------
    tiles : tuple of str
        One to three tiles by kind, in order; red fives appear as plain ones.
    waits : tuple of str
        The kinds that complete two tiles to a set; empty otherwise.
    """

    tiles: tuple[Tile, ...]
    waits: tuple[Tile, ...] = ()

    @property
    def is_pair(self) -> bool:
        """Whether the group is two equal tiles."""
        return len(self.tiles) == 2 and self.tiles[0] == self.tiles[1]


@dataclass(frozen=True, slots=True)
class Grouping:
    """One way to group all the tiles."""

    groups: tuple[TileGroup, ...]

    def shanten(self, melds: int = 0) -> int:
        """Return the shanten of the regular form if exactly these groups are kept and completed.

        Eight, less two for each set and one for each partial set; at most four of these count, plus a pair.
        The minimum over all groupings is the shanten of the tiles, unless it waits for a fifth copy.
        """
        sets = melds + sum(len(group.tiles) == 3 for group in self.groups)
        partial = sum(len(group.tiles) == 2 for group in self.groups)
        has_pair = any(group.is_pair for group in self.groups)
        return 8 - 2 * sets - min(partial, 4 - sets + has_pair)


def groupings(tiles: Iterable[Tile]) -> Iterator[Grouping]:
    """Yield every grouping of the tiles, each once, those with sets of the low tiles first.

    Nothing is stored, so the first groupings arrive at once however many there are. Random hands of 14 tiles
    had 24 to 138 of them, hands of one suit 1 915 to 8 567.

    Raises
    ------
    HandError
        If there are five of a kind.
    """
    kinds = tuple(sorted(KIND_OF[tile] for tile in tiles))
    for kind in kinds[COPIES:]:
        if kinds.count(kind) > COPIES:
            raise HandError(f"{kinds.count(kind)} copies of {KINDS[kind]}: there are {COPIES} of each kind")
    return (Grouping(tuple(map(_tile_group, groups))) for groups in _groupings(kinds, ()))


def _groupings(kinds: Kinds, last: Kinds) -> Iterator[tuple[Kinds, ...]]:
    """Group sorted kinds; equal lowest tiles open their groups in the order of ``_SHAPES``."""
    if not kinds:
        yield ()
        return
    low = kinds[0]
    for at, shape in enumerate(_SHAPES):
        group = tuple(low + step for step in shape)
        if last and last[0] == low and at < _SHAPES.index(tuple(kind - low for kind in last)):
            continue
        rest = _without(kinds, group)
        if rest is not None:
            for others in _groupings(rest, group):
                yield (group, *others)


def _without(kinds: Kinds, group: Kinds) -> Kinds | None:
    """Remove a group, or return ``None`` if it is not there or runs past the end of a suit."""
    if group[0] != group[-1] and (group[0] >= HONORS[0] or suit_of(group[0]) != suit_of(group[-1])):
        return None
    rest = list(kinds)
    for kind in group:
        if kind not in rest:
            return None
        rest.remove(kind)
    return tuple(rest)


@cache
def _tile_group(group: Kinds) -> TileGroup:
    waits: list[Kind] = []
    if len(group) == 2:
        thirds = range(group[0] - 2, group[1] + 3)
        waits = [kind for kind in thirds if 0 <= kind < 34 and _is_set(tuple(sorted((*group, kind))))]
    return TileGroup(tuple(KINDS[kind] for kind in group), tuple(KINDS[kind] for kind in waits))


def _is_set(group: Kinds) -> bool:
    steps = tuple(kind - group[0] for kind in group)
    return steps in _SHAPES[:2] and _without(group, group) == ()
