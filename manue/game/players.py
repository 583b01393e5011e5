"""One seat as everybody sees it: river, melds, riichi, and the kinds it can no longer win on by ron."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

import numpy as np

from manue.arrays import Bool
from manue.tiles import KIND_OF, Kind, Meld, Seat, Tile


class Phase(Enum):
    """What the round is waiting for."""

    BETWEEN = "the start of a round"
    DRAW = "a draw or a call"
    KAN_DRAW = "the draw after a kan"
    ACT = "an action after a draw"
    RIICHI_DISCARD = "the discard that declares riichi"
    CALL_DISCARD = "the discard after a call"
    ENDED = "the end of the round"


class OfferedTile(NamedTuple):
    """A tile that others may win on or, if it was discarded, call."""

    tile: Tile
    source: Seat
    by: str  # "discard", "kakan" or "ankan"


@dataclass(slots=True)
class RiverTile:
    """A discard; ``called_by`` is the seat that called it, which removes it from the visible river."""

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
        All discards in order, including those that were called.
    riichi, riichi_accepted : bool
        Whether riichi is declared, and whether the stick is paid.
    riichi_index : int or None
        Index of the riichi discard in the river.
    ippatsu : bool
        True from the riichi discard until the seat's next discard or anybody's call.
    safe : bool[34]
        Kinds that this seat cannot win on by ron: its own discards, including called ones, and everything it
        has passed on since its riichi.
    passed : bool[34]
        Kinds that others have discarded since this hand last changed; discarding the drawn tile does not
        change it.
    hand_size : int
        Number of concealed tiles, including the drawn one.
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
        """Whether nothing was called; closed kans leave a hand closed."""
        return not any(meld.is_open for meld in self.melds)

    def copied(self) -> "PlayerState":
        """Return a seat that continues from here by itself."""
        river = [RiverTile(one.tile, one.from_draw, one.riichi, one.called_by) for one in self.river]
        return replace(
            self, river=river, melds=self.melds.copy(), safe=self.safe.copy(), passed=self.passed.copy()
        )

    def discard(self, tile: Tile, *, from_draw: bool) -> None:
        """Add a tile to the river, marking the first one after a riichi declaration."""
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
        """Record that this seat did not win on a tile."""
        self.passed[kind] = True
        if self.riichi:
            self.safe[kind] = True

    def hand_changed(self) -> None:
        """Forget the passed kinds, because the hand may now win on other tiles."""
        self.passed[:] = False

    def add_meld(self, meld: Meld, consumed: int) -> None:
        """Lay down a set that takes ``consumed`` tiles from the hand."""
        self.melds.append(meld)
        self.hand_size -= consumed
        self.hand_changed()

    def extend_pon(self, tile: Tile) -> None:
        """Add the fourth tile to a pon."""
        for at, meld in enumerate(self.melds):
            if meld.kind == "pon" and meld.first_kind == KIND_OF[tile]:
                self.melds[at] = meld.extended(tile)
        self.hand_size -= 1
        self.hand_changed()
