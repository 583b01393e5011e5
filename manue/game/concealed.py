"""The concealed tiles of a seat: names with red fives, the drawn tile kept separate, and counts."""

from collections.abc import Iterable, Sequence

from manue.tiles import KIND_OF, TILES, Counts, Kind, Tile, counts_of, order

_RANK = {tile: rank for rank, tile in enumerate(sorted(TILES, key=order))}


def sort_tiles(tiles: Iterable[Tile]) -> list[Tile]:
    """Return the tiles in the order of their kinds, a red five after the plain ones."""
    return sorted(tiles, key=_RANK.__getitem__)


class Concealed:
    """The concealed tiles of a hand, without its melds.

    Attributes
    ----------
    tiles : list of str
        Sorted, but the drawn tile comes last until the next discard or call.
    drawn : str or None
        The tile just drawn, until the seat has acted on it.
    counts : int8[34]
        The same tiles by kind.
    """

    __slots__ = ("counts", "drawn", "tiles")

    def __init__(self, tiles: Iterable[Tile] = ()) -> None:
        self.tiles = sort_tiles(tiles)
        self.drawn: Tile | None = None
        self.counts = counts_of(self.tiles)

    def copied(self) -> "Concealed":
        """Return a hand that continues from here by itself."""
        other = Concealed()
        other.tiles, other.drawn, other.counts = self.tiles.copy(), self.drawn, self.counts.copy()
        return other

    def draw(self, tile: Tile) -> None:
        """Add a tile drawn from the wall."""
        self.tiles.append(tile)
        self.drawn = tile
        self.counts[KIND_OF[tile]] += 1

    def discard(self, tile: Tile, *, from_draw: bool) -> None:
        """Remove a discard; the drawn tile, if it stays, is sorted in."""
        if from_draw:
            self.tiles.pop()
        else:
            self.tiles.remove(tile)
            self.tiles.sort(key=_RANK.__getitem__)
        self.drawn = None
        self.counts[KIND_OF[tile]] -= 1

    def lay_down(self, tiles: Sequence[Tile]) -> None:
        """Remove the tiles of a meld."""
        for tile in tiles:
            self.tiles.remove(tile)
            self.counts[KIND_OF[tile]] -= 1
        self.drawn = None
        self.tiles.sort(key=_RANK.__getitem__)

    def holds(self, tiles: Iterable[Tile]) -> bool:
        """Return whether all of these tiles are in the hand, distinguishing red fives."""
        wanted = list(tiles)
        return all(self.tiles.count(tile) >= wanted.count(tile) for tile in wanted)

    def at_rest(self) -> Counts | None:
        """Return the counts, int8[34], without the drawn tile; ``None`` when a discard must follow a call."""
        if len(self.tiles) % 3 == 1:
            return self.counts
        if self.drawn is None:
            return None
        counts = self.counts.copy()
        counts[KIND_OF[self.drawn]] -= 1
        return counts

    def kinds(self) -> list[Kind]:
        """Return the kinds held, each once, in ascending order."""
        return sorted({KIND_OF[tile] for tile in self.tiles})
