"""What a seat may choose. Having nothing to decide is not an action; ``Pass`` is a choice like any other.

Each has a ``label``: itself in short, as tables and logs name it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from manue.tiles import KIND_OF, Meld, MeldKind, Seat, Tile


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass on another seat's discard or kan: neither call it nor win on it."""

    @property
    def label(self) -> str:
        """``pass``."""
        return "pass"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a tile; ``from_draw`` marks the physical tile just drawn."""

    tile: Tile
    from_draw: bool = False

    @property
    def label(self) -> str:
        """``3m``, or ``3m drawn``."""
        return f"{self.tile} drawn" if self.from_draw else self.tile


@dataclass(frozen=True, slots=True)
class Riichi:
    """Declare riichi; the discard is chosen after the declaration has been announced."""

    @property
    def label(self) -> str:
        """``riichi``."""
        return "riichi"


@dataclass(frozen=True, slots=True)
class Call:
    """Call a discard for a set, or make a kan.

    Parameters
    ----------
    kind : {"chi", "pon", "daiminkan", "kakan", "ankan"}
    consumed : tuple of str
        Tiles from the caller's hand: 2 for chi and pon, 3 for daiminkan, 4 for ankan; for kakan the three
        tiles of the pon that is extended.
    tile : str or None
        The tile called, or the fourth tile added by kakan; ``None`` for ankan.
    source : int or None
        The seat whose discard is called; ``None`` for kakan and ankan.
    """

    kind: MeldKind
    consumed: tuple[Tile, ...]
    tile: Tile | None = None
    source: Seat | None = None

    @property
    def label(self) -> str:
        """``pon E E + E``, the tile called or added at the end."""
        return " ".join((self.kind, *self.consumed, *(("+", self.tile) if self.tile else ())))

    @property
    def is_kan(self) -> bool:
        """Whether this is a kan, which reveals a dora."""
        return self.kind in {"daiminkan", "kakan", "ankan"}

    def meld(self) -> Meld:
        """Return the set this call lays down (a kakan's source is that of the pon, known to the state)."""
        taken = () if self.tile is None else (self.tile,)
        called = self.tile if self.source is not None else None
        return Meld(self.kind, (*self.consumed, *taken), called, self.source)


@dataclass(frozen=True, slots=True)
class Win:
    """Declare a win on ``tile``; by self-draw if ``source`` is the winner's own seat."""

    tile: Tile
    source: Seat

    @property
    def label(self) -> str:
        """``win 3m``."""
        return f"win {self.tile}"


@dataclass(frozen=True, slots=True)
class NineTerminals:
    """Abort the round on the first draw, with nine kinds of terminals and honors."""

    @property
    def label(self) -> str:
        """``nine terminals``."""
        return "nine terminals"


Action: TypeAlias = Pass | Discard | Riichi | Call | Win | NineTerminals


def win_among(actions: Iterable[Action]) -> Win | None:
    """Return the win among actions.

    Parameters
    ----------
    actions : iterable of Action
        As `manue.Decider.decide` gets them.

    Returns
    -------
    Win or None
        ``None`` if there is none.

    Examples
    --------
    >>> import manue
    >>> manue.win_among([manue.Discard("E"), manue.Win("E", source=0)])
    Win(tile='E', source=0)
    """
    return next((action for action in actions if isinstance(action, Win)), None)


def same_tile(one: Action, other: Action) -> bool:
    """Return whether two actions are the same but for which of two equal tiles is discarded."""
    if isinstance(one, Discard) and isinstance(other, Discard):
        return one.tile == other.tile
    return one == other


def same_choice(one: Action, other: Action) -> bool:
    """Return whether two actions differ by no more than which copy of a tile, or the order of tiles."""
    match one, other:
        case Discard(), Discard():
            return KIND_OF[one.tile] == KIND_OF[other.tile]
        case Call(), Call():
            return (one.kind, sorted(one.consumed)) == (other.kind, sorted(other.consumed))
    return one == other
