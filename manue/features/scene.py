"""What one seat sees of a round, as one flat record: the input of every learned estimate.

A scene is a numpy record of dtype `SCENE` (about 700 bytes, no pointers). One decision during a game and a
million decisions in training therefore look the same to the compiled feature functions: ``scenes[i]``. Seats
are relative to the observer: 0 is the observer, 1 the next player (shimocha), 2 across, 3 the previous
player.

Arrays are filled from the left; entries beyond the length are 0.
"""

import struct
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from manue.arrays import Bool
from manue.compiled import compiled
from manue.game.players import PlayerState
from manue.game.state import RoundState
from manue.hand.yaku import yakuhai
from manue.tiles import KIND_OF, WINDS, MeldKind, Seat, dora_of, is_red, red_counts, round_index

Scenes: TypeAlias = npt.NDArray[np.void]

MAX_RIVER = 32
"""No seat discards more often: there are 70 tiles to draw, and at most 16 calls that skip others' turns."""
_MOST_HUNDREDS = 32_767
FROM_DRAW, RIICHI_TILE, CALLED_AWAY, RED = 1, 2, 4, 8
"""Bits of ``river_flag``; bits 4 and 5 hold the relative seat that called the tile away."""
CALLER_SHIFT = 4
CHI_MELD, PON_MELD, DAIMINKAN_MELD, KAKAN_MELD, ANKAN_MELD = range(1, 6)
MELD_CODES: dict[MeldKind, int] = {
    "chi": CHI_MELD,
    "pon": PON_MELD,
    "daiminkan": DAIMINKAN_MELD,
    "kakan": KAKAN_MELD,
    "ankan": ANKAN_MELD,
}

SCENE = np.dtype(
    [
        ("river", np.int8, (4, MAX_RIVER)),  # kinds discarded, in order
        ("river_flag", np.uint8, (4, MAX_RIVER)),
        ("river_len", np.uint8, (4,)),
        ("meld_kind", np.uint8, (4, 4)),  # MELD_CODES
        ("meld_first", np.int8, (4, 4)),  # lowest kind of the meld
        ("meld_reds", np.uint8, (4, 4)),
        ("meld_len", np.uint8, (4,)),
        ("riichi", np.uint8, (4,)),  # 0 none, 1 riichi, 2 double riichi
        ("riichi_index", np.int8, (4,)),  # index into the river, -1 without riichi
        ("ippatsu", np.uint8, (4,)),
        ("safe", np.uint8, (4, 34)),  # kinds the seat can no longer win on by ron
        ("passed", np.uint8, (4, 34)),  # kinds passed since the seat last changed its hand
        ("hand", np.int8, (34,)),  # the observer's concealed tiles
        ("hand_reds", np.uint8, (3,)),
        ("visible", np.int8, (34,)),  # all copies the observer has seen
        ("reds_visible", np.uint8, (3,)),
        ("dora", np.uint8, (34,)),  # han per tile of the kind
        ("round_wind", np.int8, ()),  # kind 27..30
        ("seat_wind", np.int8, (4,)),  # kind 27..30
        ("dealer", np.int8, ()),
        ("tiles_left", np.uint8, ()),
        ("honba", np.uint8, ()),
        ("deposits", np.uint8, ()),
        ("round_number", np.uint8, ()),  # 0..3 East, 4..7 South, ...
        ("rounds_left", np.int8, ()),  # planned after this one, without repeats; negative in extra rounds
        ("drawn", np.int8, ()),  # kind just drawn, -1 if none
        ("scores", np.int16, (4,)),  # hundreds of points
    ]
)
"""Layout of a scene; every field but ``scores`` is one byte wide."""


def scene_of(state: RoundState) -> Scenes:
    """Return the scene of a state as its seat sees it.

    Parameters
    ----------
    state : RoundState
        During a round.

    Returns
    -------
    SCENE[1]
        Read-only.
    """
    order = [(state.seat + i) % 4 for i in range(4)]
    players = [state.players[seat] for seat in order]
    dora = bytearray(34)
    for indicator in state.dora_indicators:
        dora[dora_of(indicator)] += 1
    index = round_index(state.round_wind, state.number)
    rivers = [_river(player, state.seat) for player in players]
    melds = [_melds(player) for player in players]
    parts: list[bytes | bytearray] = [
        *(kinds for kinds, _ in rivers),
        *(flags for _, flags in rivers),
        bytes(min(len(player.river), MAX_RIVER) for player in players),
        *(part[i * 4 : i * 4 + 4] for i in range(3) for part in melds),
        bytes(len(player.melds) for player in players),
        bytes((2 if player.double_riichi else 1) if player.riichi else 0 for player in players),
        bytes(255 if player.riichi_index is None else player.riichi_index for player in players),
        bytes(player.ippatsu for player in players),
        *(player.safe.tobytes() for player in players),
        *(player.passed.tobytes() for player in players),
        state.counts.tobytes(),
        bytes(red_counts(state.hand)),
        state.visible.tobytes(),
        _reds_visible(state),
        bytes(dora),
        bytes([27 + WINDS.index(state.round_wind)]),
        bytes(27 + (seat - state.dealer) % 4 for seat in order),
        bytes(
            [
                (state.dealer - state.seat) % 4,
                state.tiles_left,
                min(state.honba, 255),
                min(state.deposits, 255),
                index,
                (state.rules.last_round - index) & 255,
                255 if state.drawn is None else KIND_OF[state.drawn],
            ]
        ),
        struct.pack("=4h", *(_in_hundreds(state.scores[seat]) for seat in order)),
    ]
    return np.frombuffer(b"".join(parts), dtype=SCENE)


def _in_hundreds(points: int) -> int:
    """Return points in hundreds; more than three millions, of no real game, are all alike."""
    return max(-_MOST_HUNDREDS, min(points // 100, _MOST_HUNDREDS))


def _river(player: PlayerState, observer: Seat) -> tuple[bytearray, bytearray]:
    kinds, flags = bytearray(MAX_RIVER), bytearray(MAX_RIVER)
    for i, entry in enumerate(player.river[:MAX_RIVER]):
        kinds[i] = KIND_OF[entry.tile]
        flags[i] = FROM_DRAW * entry.from_draw | RIICHI_TILE * entry.riichi | RED * is_red(entry.tile)
        if entry.called_by is not None:
            flags[i] |= CALLED_AWAY | (entry.called_by - observer) % 4 << CALLER_SHIFT
    return kinds, flags


def _melds(player: PlayerState) -> bytes:
    """Return the kinds of meld, their first kinds and their reds, four bytes each."""
    columns = (
        bytes(MELD_CODES[meld.kind] for meld in player.melds),
        bytes(meld.first_kind for meld in player.melds),
        bytes(sum(map(is_red, meld.tiles)) for meld in player.melds),
    )
    return b"".join(column.ljust(4, b"\0") for column in columns)


def _reds_visible(state: RoundState) -> bytes:
    """Count the red fives that cannot come any more, by suit: those seen, or all where the game has none."""
    if not state.rules.red_fives:
        return b"\1\1\1"
    seen = [tile for tile in state.hand if is_red(tile)]
    seen += [tile for tile in state.dora_indicators if is_red(tile)]
    for player in state.players:
        seen += [entry.tile for entry in player.river if entry.called_by is None and is_red(entry.tile)]
        seen += [tile for meld in player.melds for tile in meld.tiles if is_red(tile)]
    return bytes(red_counts(seen))


def declares_riichi(scenes: Scenes) -> Bool:
    """Return in which scenes the next discard declares riichi (declared, not yet discarded for): bool[n]."""
    return np.asarray((scenes["riichi"][:, 0] > 0) & (scenes["riichi_index"][:, 0] < 0), np.bool_)


# ---- kernels


@compiled
def yakuhai_of(here: Any, player: int, kind: int) -> int:
    """Return the yaku that a triplet of a kind gives a player, 0 being the observer: 0, 1, or 2."""
    return yakuhai(kind, here["seat_wind"][player], here["round_wind"])
