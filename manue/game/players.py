"""One seat as everybody sees it: river, melds, riichi, and the kinds it can no longer win on."""

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np

from manue.arrays import Bool
from manue.tiles import KIND_OF, Kind, Meld, Seat, Tile


class Phase(Enum):
    """What the round waits for."""

    BETWEEN = "the start of a round"
    DRAW = "a draw or a call"
    KAN_DRAW = "the draw after a kan"
    ACT = "an action after a draw"
    RIICHI_DISCARD = "the discard that declares riichi"
    CALL_DISCARD = "the discard after a call"
    ENDED = "the end of the round"


class OfferedTile(NamedTuple):
    """A tile that others may win on or, if it was discarded, take."""

    tile: Tile
    source: Seat
    by: str  # "discard", "kakan" or "ankan"


@dataclass(slots=True)
class RiverTile:
    """A discard; ``called_by`` is the seat that took it, which makes it invisible in the river."""

    tile: Tile
    from_draw: bool
    riichi: bool = False
    called_by: Seat | None = None


def _no_kinds() -> Bool:
    return np.zeros(34, np.bool_)


@dataclass(slots=True)
class PlayerState:
    """What everybody knows of one seat in this round.

    Attributes
    ----------
    river : list of RiverTile
        All discards in order, those that were called away included.
    riichi, riichi_accepted : bool
        Declared; and the stick paid.
    riichi_index : int or None
        Where in the river the riichi was declared.
    ippatsu : bool
        From the riichi discard until the own next discard or anybody's call.
    safe : bool[34]
        Bool this seat cannot win on by discard: its own discards, called ones too, and all that it let pass
        since its riichi.
    passed : bool[34]
        Bool that others discarded since this hand last changed; a discard straight from the draw leaves it
        as it was.
    hand_size : int
        Concealed tiles, the drawn one included.
    """

    seat: Seat
    river: list[RiverTile] = field(default_factory=list)
    melds: list[Meld] = field(default_factory=list)
    riichi: bool = False
    riichi_accepted: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    riichi_index: int | None = None
    safe: Bool = field(default_factory=_no_kinds)
    passed: Bool = field(default_factory=_no_kinds)
    hand_size: int = 13

    @property
    def is_closed(self) -> bool:
        """Whether nothing was called: closed kans leave a hand closed."""
        return not any(meld.is_open for meld in self.melds)

    def discard(self, tile: Tile, *, from_draw: bool) -> None:
        """Put a tile into the river; the first after a riichi declaration is marked."""
        declares = self.riichi and self.riichi_index is None
        self.ippatsu = declares
        if declares:
            self.riichi_index = len(self.river)
        self.river.append(RiverTile(tile, from_draw, declares))
        self.safe[KIND_OF[tile]] = True
        self.hand_size -= 1
        if not from_draw:
            self.hand_changed()

    def let_pass(self, kind: Kind) -> None:
        """Note that this seat did not win on a tile."""
        self.passed[kind] = True
        if self.riichi:
            self.safe[kind] = True

    def hand_changed(self) -> None:
        """Forget what was passed: other tiles may win now."""
        self.passed[:] = False

    def add_meld(self, meld: Meld, consumed: int) -> None:
        """Lay down a set made with ``consumed`` tiles of the hand."""
        self.melds.append(meld)
        self.hand_size -= consumed
        self.hand_changed()

    def extend_pon(self, tile: Tile) -> None:
        """Add the fourth tile to a pon."""
        for at, meld in enumerate(self.melds):
            if meld.kind == "pon" and meld.first_kind == KIND_OF[tile]:
                self.melds[at] = Meld("kakan", (*meld.tiles, tile), meld.called, meld.source)
        self.hand_size -= 1
        self.hand_changed()
