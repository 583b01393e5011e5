"""Rivers and melds of a position described by hand, read from their notation.

In a river ``_`` follows a tile discarded as drawn, ``!`` one that declared riichi, ``^S`` one that South
called. A meld is ``chi 6s 7s + 5s``, ``pon C C + C`` or ``daiminkan C C C + C``, the tile that was called
last; ``kakan C C C + C``, the three tiles of the pon, of these the called one last, and the one added; or
``ankan 1m 1m 1m 1m``.
"""

import re
from dataclasses import dataclass
from typing import cast

from manue.errors import PositionError
from manue.game.actions import Call
from manue.tiles import KIND_OF, WINDS, Kind, MeldKind, Seat, Tile, Wind, is_red, parse_tile

_RIVER_TILE = re.compile(r"([1-9][mps]r?|[ESWNPFC])(_?)(!?)(?:\^([ESWN]))?")
_MELD = re.compile(
    r"(?:(?:chi|pon)(?: \w+){2}|(?:daiminkan|kakan)(?: \w+){3}) \+ \w+|ankan(?: \w+){4}", re.ASCII
)


@dataclass(frozen=True, slots=True)
class WrittenTile:
    """A tile of a river; ``called_by`` is the wind of the seat that called it."""

    tile: Tile
    from_draw: bool
    riichi: bool
    called_by: Wind | None


@dataclass(frozen=True, slots=True)
class WrittenMeld:
    """A meld as its seat has it at the decision, its tiles in the order written."""

    text: str
    kind: MeldKind
    tiles: tuple[Tile, ...]

    @property
    def taken(self) -> Tile | None:
        """The tile called from a river; ``None`` for a closed kan."""
        if self.kind == "ankan":
            return None
        return self.tiles[2 if self.kind == "kakan" else -1]

    @property
    def is_kan(self) -> bool:
        """Whether the meld has four tiles."""
        return len(self.tiles) == 4

    @property
    def first_kind(self) -> Kind:
        """The kind of its first tile, which is that of all of them in a kan."""
        return KIND_OF[self.tiles[0]]

    def taking(self, source: Seat) -> Call:
        """Return the call of a discard of ``source`` with which the meld began."""
        if self.kind == "kakan":
            return Call("pon", self.tiles[:2], self.taken, source)
        return Call(self.kind, self.tiles[:-1], self.taken, source)

    def declared(self) -> Call | None:
        """Return the kan that the seat declared on its own turn, if the meld is one."""
        if self.kind == "ankan":
            return Call("ankan", self.tiles)
        return Call("kakan", self.tiles[:3], self.tiles[3]) if self.kind == "kakan" else None


def river_of(text: str) -> list[WrittenTile]:
    """Read a river; raises PositionError for what is not a river tile."""
    tiles = []
    for word in text.split():
        found = _RIVER_TILE.fullmatch(word)
        if found is None:
            raise PositionError(
                f"{word!r} is not a river tile: a Mjai name, then _ ! ^S in this order, as W_! or C^S"
            )
        tiles.append(WrittenTile(parse_tile(found[1]), bool(found[2]), bool(found[3]), found[4]))
    return tiles


def meld_of(text: str, wind: Wind) -> WrittenMeld:
    """Read a meld of the seat of this wind.

    Raises
    ------
    PositionError
        If it is not written as a meld is, or there is no kan of these tiles.
    TileError
        If a tile has an unknown name.
    """
    if not isinstance(text, str) or _MELD.fullmatch(text) is None:
        raise PositionError(
            f"{text!r} of {wind} is not a meld, as 'chi 6s 7s + 5s', 'pon C C + C', 'daiminkan C C C + C', "
            "'kakan C C C + C' or 'ankan 1m 1m 1m 1m'"
        )
    kind, *names = text.replace(" + ", " ").split(" ")
    tiles = tuple(parse_tile(name) for name in names)
    if len(tiles) == 4 and len({KIND_OF[tile] for tile in tiles}) != 1:
        raise PositionError(f"{text!r} of {wind} is not a kan: its tiles differ")
    if len(tiles) == 4 and sum(map(is_red, tiles)) > 1:
        raise PositionError(f"{text!r} of {wind} has more than one red five")
    return WrittenMeld(text, cast("MeldKind", kind), tiles)


def check_wind(wind: Wind) -> None:
    """Demand the wind of a seat; raises PositionError."""
    if wind not in WINDS:
        raise PositionError(f"{wind!r} is not a seat: E, S, W or N")
