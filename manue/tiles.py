"""The basic vocabulary: 34 kinds, 37 tiles with red fives, seats, winds and melds; parsing and printing.

A *tile* is its Mjai name (``"5mr"``, ``"E"``), a *kind* is an index 0..33 in the order
1m..9m 1p..9p 1s..9s E S W N P F C. Red and plain fives are different tiles of one kind.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from manue.arrays import I8
from manue.errors import HandError, TileError, UsageError

Tile: TypeAlias = str
Kind: TypeAlias = int
Seat: TypeAlias = int
Wind: TypeAlias = str
Counts: TypeAlias = I8
MeldKind: TypeAlias = Literal["chi", "pon", "daiminkan", "kakan", "ankan"]

SUITS = "mps"
WINDS: tuple[Wind, ...] = ("E", "S", "W", "N")
DRAGONS: tuple[Tile, ...] = ("P", "F", "C")
RED_FIVES: tuple[Tile, ...] = ("5mr", "5pr", "5sr")
KINDS: tuple[Tile, ...] = (*(f"{n}{s}" for s in SUITS for n in range(1, 10)), *WINDS, *DRAGONS)
TILES: tuple[Tile, ...] = (*KINDS, *RED_FIVES)

KIND_OF: dict[Tile, Kind] = {tile: kind for kind, tile in enumerate(KINDS)} | {
    red: KINDS.index(red[:2]) for red in RED_FIVES
}
RED_OF: dict[Kind, Tile] = {KIND_OF[red]: red for red in RED_FIVES}
"""The red five of each kind that has one."""

TERMINALS_AND_HONORS: tuple[Kind, ...] = tuple(
    kind for kind, tile in enumerate(KINDS) if tile[0] in "19" or len(tile) == 1
)
HONORS: tuple[Kind, ...] = tuple(range(27, 34))
COPIES = 4


def round_index(wind: Wind, number: int) -> int:
    """Return the index of a round in the game: 0..3 for East 1..4, 4..7 for South 1..4, and so on."""
    return 4 * WINDS.index(wind) + number - 1


def round_name(index: int) -> str:
    """Return the name of a round by its index in the game, 0 for East 1: ``E1`` .. ``N4``."""
    return f"{WINDS[index // 4 % 4]}{index % 4 + 1}"


def is_honor(kind: Kind) -> bool:
    """Return whether a kind is a wind or a dragon."""
    return kind >= 27


def suit_of(kind: Kind) -> int:
    """Return 0, 1, 2 for m, p, s and 3 for honors."""
    return kind // 9


def number_of(kind: Kind) -> int:
    """Return 1..9 within a suit; for honors 1..7 in the order E S W N P F C."""
    return kind % 9 + 1


def is_red(tile: Tile) -> bool:
    """Return whether a tile is a red five."""
    return len(tile) == 3


EDGE_DISTANCE = tuple(0 if kind >= 27 else min(kind % 9, 8 - kind % 9) + 1 for kind in range(34))
"""Distance of each kind from the edge of its suit: 1 for 1 and 9, up to 5 for 5; 0 for honors."""


def tile_name(number: int, *, red: bool = True) -> Tile:
    """Return the name of one of 136 tiles: four of each kind in order, of ``red`` fives the first."""
    kind, copy = divmod(number, COPIES)
    return RED_OF[kind] if red and copy == 0 and kind in RED_OF else KINDS[kind]


def plain(tile: Tile) -> Tile:
    """Return the plain tile of the same kind: a red five becomes a plain five."""
    return tile[:2]


def dora_of(indicator: Tile) -> Kind:
    """Return the kind that an indicator makes dora; 9 is followed by 1, N by E, C by P."""
    kind = KIND_OF[indicator]
    if kind < 27:
        return kind // 9 * 9 + (kind + 1) % 9
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


def order(tile: Tile) -> tuple[Kind, bool]:
    """Return the sort key of a tile: by kind, with a red five after the plain ones."""
    return KIND_OF[tile], is_red(tile)


def check_seat(seat: object) -> None:
    """Refuse what is not a seat.

    Raises
    ------
    UsageError
    """
    if seat not in range(4):
        raise UsageError(f"a seat is 0, 1, 2 or 3, not {seat!r}")


def opponents_of(seat: Seat) -> list[Seat]:
    """Return the other seats in turn order: next, across, previous."""
    return [(seat + i) % 4 for i in (1, 2, 3)]


def seat_wind(seat: Seat, dealer: Seat) -> Wind:
    """Return the wind of a seat, given the dealer."""
    return WINDS[(seat - dealer) % 4]


def counts_of(tiles: Iterable[Tile]) -> Counts:
    """Count tiles by kind: int8[34]."""
    counts = np.zeros(34, np.int8)
    for tile in tiles:
        counts[KIND_OF[tile]] += 1
    return counts


def red_counts(tiles: Sequence[Tile]) -> tuple[int, int, int]:
    """Count the red fives of m, p and s."""
    red_m, red_p, red_s = (tiles.count(red) for red in RED_FIVES)
    return red_m, red_p, red_s


def tiles_in(counts: Counts, reds: tuple[int, int, int]) -> tuple[Tile, ...]:
    """Return tiles counted by kind, int8[34], in ascending order.

    Red fives that are held, of m, p and s, stand in place of the last plain one.
    """
    tiles = [KINDS[kind] for kind in range(34) for _ in range(counts[kind])]
    for (kind, red), held in zip(RED_OF.items(), reds, strict=True):
        if held and counts[kind]:
            tiles[tiles.index(KINDS[kind]) + int(counts[kind]) - 1] = red
    return tuple(tiles)


def parse_tile(text: str) -> Tile:
    """Check one Mjai tile name and return it.

    Raises
    ------
    TileError
        If the text is not one of the 37 names.
    """
    if not isinstance(text, str) or text not in KIND_OF:
        raise TileError(f"{text!r} is not a tile (1m..9m 1p..9p 1s..9s, 5mr 5pr 5sr, E S W N P F C)")
    return text


def parse_tiles(text: str) -> list[Tile]:
    """Parse tiles written as Mjai names (``1m 5pr E``), compactly (``123m406p789s1z``), or as any mixture.

    In the compact notation ``0`` is the red five and ``1z``..``7z`` are E S W N P F C.

    Raises
    ------
    TileError
        If the text cannot be parsed; the message gives the text and the position (1-based).
    """
    tiles: list[Tile] = []
    digits: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char.isspace() or char == ",":
            _no_digits_left(digits, text)
        elif char in "0123456789":
            digits.append((at, char))
        elif char in "mpsz":
            if not digits:
                raise TileError(f"no number before {char!r} at position {at + 1} of {text!r}")
            tiles += [_compact_tile(digit, char, position, text) for position, digit in digits]
            if tiles[-1] in KIND_OF and text[at + 1 : at + 2] == "r":
                at += 1
                tiles[-1] = _reddened(tiles[-1], at, text)
            digits = []
        elif char in KIND_OF:
            _no_digits_left(digits, text)
            tiles.append(char)
        else:
            raise TileError(f"unknown tile {char!r} at position {at + 1} of {text!r}")
        at += 1
    _no_digits_left(digits, text)
    return tiles


def _no_digits_left(digits: Sequence[tuple[int, str]], text: str) -> None:
    if digits:
        position, digit = digits[0]
        raise TileError(f"no suit after {digit!r} at position {position + 1} of {text!r}")


def _compact_tile(digit: str, suit: str, position: int, text: str) -> Tile:
    if suit == "z" and digit not in "1234567":
        raise TileError(f"unknown tile '{digit}z' at position {position + 1} of {text!r} (1z..7z)")
    if suit == "z":
        return KINDS[26 + int(digit)]
    return f"5{suit}r" if digit == "0" else f"{digit}{suit}"


def _reddened(tile: Tile, position: int, text: str) -> Tile:
    if f"{tile}r" not in RED_FIVES:
        raise TileError(f"only fives can be red, not {tile + 'r'!r} at position {position + 1} of {text!r}")
    return f"{tile}r"


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Return sorted tiles in compact notation: ``123m406p789s1z``, a red five as ``0`` before plain fives."""
    parts: list[str] = []
    by_suit: dict[str, list[str]] = {}
    for tile in tiles:
        kind = KIND_OF[tile]
        suit = "mpsz"[suit_of(kind)]
        by_suit.setdefault(suit, []).append("0" if is_red(tile) else str(number_of(kind)))
    for suit in "mpsz":
        numbers = sorted(by_suit.get(suit, []), key=lambda n: (5, 0) if n == "0" else (int(n), 1))
        if numbers:
            parts.append("".join(numbers) + suit)
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Meld:
    """A called set or a kan.

    Parameters
    ----------
    kind : {"chi", "pon", "daiminkan", "kakan", "ankan"}
    tiles : tuple of str
        All three or four tiles.
    called : str or None
        The tile called from another player's river; ``None`` for a closed kan, and where it is not known, as
        of a meld written as text.
    source : int or None
        The seat that discarded it, if known.
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    called: Tile | None = None
    source: Seat | None = None

    @property
    def is_open(self) -> bool:
        """Whether the meld opens the hand, as all except a closed kan do."""
        return self.kind != "ankan"

    @property
    def is_kan(self) -> bool:
        """Whether the meld has four tiles."""
        return len(self.tiles) == 4

    def extended(self, tile: Tile) -> "Meld":
        """Return the kan that a pon becomes by its fourth tile."""
        return Meld("kakan", (*self.tiles, tile), self.called, self.source)

    @property
    def first_kind(self) -> Kind:
        """The lowest kind of the meld."""
        return min(KIND_OF[tile] for tile in self.tiles)


def parse_meld(text: str) -> Meld:
    """Parse a meld: ``123m``, ``EEE``, ``5550m``, or one of them with its kind in front (``ankan:1111m``).

    Raises
    ------
    HandError
        If the tiles do not form such a meld.
    TileError
        If a tile cannot be read.
    """
    prefix, _, names = text.rpartition(":")
    tiles = tuple(parse_tiles(names))
    kinds = sorted(KIND_OF[tile] for tile in tiles)
    allowed: tuple[MeldKind, ...] = ()
    if len(set(kinds)) == 1:
        same: dict[int, tuple[MeldKind, ...]] = {3: ("pon",), 4: ("daiminkan", "kakan", "ankan")}
        allowed = same.get(len(tiles), ())
    elif len(kinds) == 3 and kinds[2] < 27 and kinds == [*range(kinds[0], kinds[0] + 3)]:
        allowed = ("chi",) if kinds[0] // 9 == kinds[2] // 9 else ()
    for kind in allowed:
        if prefix in {"", kind}:
            return Meld(kind, tiles)
    raise HandError(f"{text!r} is not a meld (123m, EEE, EEEE, ankan:EEEE)")
