"""Numbers for what may be chosen and for what happens, and their translation from and to tiles and actions.

A choice is one small integer: a group in steps of 64, plus a tile number, a kind or a variant.
"""

import numpy as np

from manue.arrays import I8
from manue.errors import EventError
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.tiles import KIND_OF, RED_OF, TILES, Kind, Seat, Tile, is_red

PASS, RIICHI, TSUMO, NINE_TERMINALS, RON = range(5)
DISCARD, DISCARD_DRAWN, ANKAN, KAKAN, PON, DAIMINKAN, CHI = range(64, 8 * 64, 64)
"""`DISCARD` and `DISCARD_DRAWN` (the tile just drawn) + tile; `ANKAN` + kind; `KAKAN` + tile; `PON` + 1 with
the red five of the hand; `DAIMINKAN`; `CHI` + twice the place of the called tile in the run + 1 with a red
five."""
GROUP, MEMBER = ~63, 63
REDS_AT = 12
"""Bit of a noted call that says whether the red five is among the seat's own tiles of the meld."""

(
    DRAW_EVENT, DISCARD_EVENT, CALL_EVENT, RIICHI_EVENT, ACCEPTED_EVENT, DORA_EVENT, WIN_EVENT, END_EVENT,
) = range(8)  # fmt: skip
EXHAUSTIVE, NAGASHI, NINE, FOUR_WINDS, FOUR_KANS, FOUR_RIICHI, TRIPLE_RON = range(7)
"""How a round ends without a win."""
REASONS = (
    "exhaustive_draw",
    "nagashimangan",
    "kyushu_kyuhai",
    "sufuurenta",
    "suukansansen",
    "suucha_riichi",
    "sanchaho",
)
"""The referee's words for them."""

TILE_NUMBER = {tile: number for number, tile in enumerate(TILES)}
KIND_OF_TILE: I8 = np.array([KIND_OF[tile] for tile in TILES], np.int8)
ALL_KINDS = (1 << 34) - 1
"""The mask of every kind."""


def tiles_of_kind(kind: Kind, count: int, *, red: bool) -> tuple[Tile, ...]:
    """Return copies of a kind, the red five first if it is among them."""
    plain = (TILES[kind],) * (count - red)
    return (RED_OF[kind], *plain) if red else plain


def run_tiles(tile: Tile, place: int, *, red: bool) -> tuple[Tile, Tile]:
    """Return the two tiles that make a run with a called one, which takes the place 0..2 in it."""
    low = KIND_OF[tile] - place
    first, second = (
        RED_OF[kind] if red and kind in RED_OF else TILES[kind]
        for kind in (low, low + 1, low + 2)
        if kind != low + place
    )
    return first, second


def code_of(action: Action, seat: Seat) -> int:
    """Return the number of an action of a seat.

    Raises
    ------
    EventError
        If the call names no tile.
    """
    match action:
        case Pass():
            return PASS
        case Riichi():
            return RIICHI
        case NineTerminals():
            return NINE_TERMINALS
        case Win(source=source):
            return TSUMO if source == seat else RON
        case Discard(tile, from_draw):
            return (DISCARD_DRAWN if from_draw else DISCARD) + TILE_NUMBER[tile]
    return _code_of_call(action)


def _code_of_call(call: Call) -> int:
    reds = any(is_red(tile) for tile in call.consumed)
    if call.kind == "ankan":
        return ANKAN + KIND_OF[call.consumed[0]]
    tile = _known(call.tile)
    if call.kind == "kakan":
        return KAKAN + TILE_NUMBER[tile]
    if call.kind == "pon":
        return PON + reds
    if call.kind == "daiminkan":
        return DAIMINKAN
    low = min(KIND_OF[other] for other in (*call.consumed, tile))
    return CHI + 2 * (KIND_OF[tile] - low) + reds


def _known(tile: Tile | None) -> Tile:
    if tile is None:
        raise EventError("a call or a win without its tile")
    return tile
