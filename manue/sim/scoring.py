"""What a win pays at a table in compiled code; the patterns and points are those of `manue.hand`."""

from typing import Any

import numpy as np

from manue.arrays import F32, I8, I32, I64
from manue.compiled import compiled, inlined
from manue.features.scene import ANKAN_MELD, CHI_MELD, PON_MELD
from manue.hand.points import (
    CELLS,
    COUNTED_HAN,
    FU_COLUMNS,
    ROWS,
    YAKUMAN,
    YAKUMAN_ROW,
    base_points,
    cell_of,
    points_table,
)
from manue.hand.shape import KAN, OPEN, TRIPLET
from manue.hand.value import Best, best_win
from manue.hand.yaku import YakuRules
from manue.hand.yaku_list import (
    CHANKAN,
    CHIIHOU,
    DAISANGEN,
    DAISUUSHII,
    DOUBLE_RIICHI,
    HAITEI,
    HOUTEI,
    IPPATSU,
    RIICHI,
    RINSHAN,
    TENHOU_WIN,
)
from manue.rules import HONBA, Rules
from manue.sim.hands import first_turn, kind_of
from manue.tiles import KINDS, dora_of

(
    OPEN_TANYAO,
    DOUBLE_WIND_FU,
    DOUBLE_YAKUMAN,
    MULTIPLE_YAKUMAN,
    LIABLE_FOR_ALL,
    POINTS_FOR_RIICHI,
    TILES_FOR_RIICHI,
    TARGET_POINTS,
) = range(8)
SWITCHES = 8
"""The rules that kernels read, by their places in `switches_of`, and their number."""
DORA_OF_KIND: I8 = np.array([dora_of(tile) for tile in KINDS], np.int8)
"""Kind that each kind makes dora as an indicator."""


def points_by_cell(rules: Rules) -> F32:
    """Return the points of a win by cell, for ron and self-draw, then for the dealer: float32[4, CELLS]."""
    return np.stack(
        [
            points_table(rules, dealer=dealer, tsumo=tsumo)
            for dealer in (False, True)
            for tsumo in (False, True)
        ]
    )


def base_by_cell(rules: Rules) -> I32:
    """Return the base points by cell: int32[CELLS]."""
    base = np.zeros((ROWS, FU_COLUMNS), np.int32)
    for column in range(FU_COLUMNS):
        fu = 25 if column == 1 else column * 10
        for han in range(1, COUNTED_HAN + 1):
            base[han, column] = base_points(han, fu, 0, rules)
        for yakuman in range(1, ROWS - YAKUMAN_ROW):
            base[YAKUMAN_ROW + yakuman, column] = YAKUMAN * yakuman
    return base.reshape(CELLS)


def switches_of(rules: Rules) -> I64:
    """Return the rules that kernels read, int64[SWITCHES], in the order of their numbers.

    Points of wins come from `points_by_cell`, the start and the length of a game from
    `manue.sim.table.new_tables`. In all else a table plays by Tenhou's rules: with red fives, without swap
    calling, and closed kans are not robbed.
    """
    return np.array(
        [
            rules.open_tanyao,
            rules.double_wind_pair_fu,
            rules.double_yakuman_patterns,
            rules.multiple_yakuman,
            rules.liable_for_all_yakuman,
            rules.riichi_needs_points,
            rules.riichi_needs_tiles,
            rules.target_points,
        ],
        np.int64,
    )


@inlined
def dealer_of(t: Any) -> int:
    """Return the dealer of the round."""
    return int(t["index"]) % 4


@inlined
def winds_of(t: Any, seat: int) -> tuple[int, int]:
    """Return the kinds of a seat's wind and of the wind of the round."""
    return 27 + (seat - dealer_of(t)) % 4, 27 + int(t["index"]) // 4 % 4


@compiled
def score_of(t: Any, seat: int, tile: int, tsumo: bool, ura: I8, kit: Any) -> Best:  # noqa: FBT001
    """Return the best reading of a hand that wins now; without a yaku it has neither han nor yakuman.

    Parameters
    ----------
    t : TABLE
        With the drawn tile in the hand, or without the tile that is claimed.
    seat, tile : int
    tsumo : bool
    ura : int8[34]
        Han of ura-dora by kind; zeros until the win has been declared.
    kit : KIT
    """
    kind = kind_of(tile)
    hand, dora = t["hand"], t["dora"]
    melds = int(t["meld_len"][seat])
    codes = np.empty(melds, np.int16)
    counts = hand[seat].copy()
    dora_han = int(t["reds"][seat, 0]) + int(t["reds"][seat, 1]) + int(t["reds"][seat, 2])
    if not tsumo:
        counts[kind] += 1
        dora_han += int(tile >= 34)
    for place in range(melds):
        first, form = int(t["meld_first"][seat, place]), t["meld_kind"][seat, place]
        dora_han += int(t["meld_reds"][seat, place])
        if form == CHI_MELD:
            codes[place] = first + OPEN
            for other in range(first, first + 3):
                dora_han += int(dora[other]) + int(ura[other])
        else:
            shape = TRIPLET if form == PON_MELD else KAN
            codes[place] = first + shape + (0 if form == ANKAN_MELD else OPEN)
            dora_han += (3 if form == PON_MELD else 4) * (int(dora[first]) + int(ura[first]))
    for other in range(34):
        dora_han += int(counts[other]) * (int(dora[other]) + int(ura[other]))
    dealer = seat == dealer_of(t)
    switches = kit["switches"]
    seat_wind, round_wind = winds_of(t, seat)
    rules = YakuRules(
        seat_wind,
        round_wind,
        bool(switches[OPEN_TANYAO]),
        int(switches[DOUBLE_WIND_FU]),
        bool(switches[DOUBLE_YAKUMAN]),
        bool(switches[MULTIPLE_YAKUMAN]),
    )
    points = kit["points"][2 * int(dealer) + int(tsumo)]
    circumstances = _circumstances(t, seat, int(tsumo), dealer)
    return best_win(counts, codes, kind, tsumo, circumstances, dora_han, rules, points)


@inlined
def _circumstances(t: Any, seat: int, tsumo: int, dealer: bool) -> int:  # noqa: FBT001
    """Return the mask of the yaku that the tiles do not show."""
    riichi = t["riichi"][seat]
    last = int(t["tiles_left"] == 0)
    after_kan, robbing = int(t["after_kan"]), int(t["robbing"])
    first = int(first_turn(t, seat)) & tsumo
    return (
        int(riichi == 1) << RIICHI
        | int(riichi == 2) << DOUBLE_RIICHI
        | int(t["ippatsu"][seat]) << IPPATSU
        | ((1 - tsumo) & robbing) << CHANKAN
        | (tsumo & after_kan) << RINSHAN
        | (tsumo & last & (1 - after_kan)) << HAITEI
        | ((1 - tsumo) & last & (1 - robbing)) << HOUTEI
        | (first & int(dealer)) << TENHOU_WIN
        | (first & (1 - int(dealer))) << CHIIHOU
    )


@compiled
def pay(t: Any, seat: int, source: int, best: Best, honba: int, kit: Any) -> None:
    """Add what a win pays to the ``deltas``, without deposits.

    Who is liable for a big yakuman pays all of it for a self-draw, half of it for a ron, and all honba; by
    Tenhou's rules, the same for all other yakuman of the win.
    """
    deltas = t["deltas"]
    dealer = dealer_of(t)
    tsumo = seat == source
    base = int(kit["base"][cell_of(best.han, best.fu, best.yakuman)])
    liable, units = _liable(t, seat, source, best, kit)
    own = 0
    if liable >= 0:
        full = YAKUMAN * (6 if seat == dealer else 4)
        own = full * units
        base -= YAKUMAN * units
        deltas[liable] -= HONBA * honba
        deltas[seat] += HONBA * honba
        deltas[liable if tsumo else source] -= own if tsumo else own // 2
        if not tsumo:
            deltas[liable] -= own // 2
        deltas[seat] += own
        honba = 0
    if not tsumo:
        paid = _to_hundreds(base * (6 if seat == dealer else 4)) + HONBA * honba
        deltas[source] -= paid
        deltas[seat] += paid
        return
    for other in range(4):
        if other != seat:
            paid = _to_hundreds(base * (2 if dealer in (seat, other) else 1)) + HONBA // 3 * honba
            deltas[other] -= paid
            deltas[seat] += paid


@inlined
def _liable(t: Any, seat: int, source: int, best: Best, kit: Any) -> tuple[int, int]:
    """Return who is liable for yakuman of a win, -1 for nobody, and for how many."""
    liable, units = -1, 0
    if best.yakuman > 0:
        if best.found >> DAISANGEN & 1 and t["liable_dragons"][seat] >= 0:
            liable, units = int(t["liable_dragons"][seat]), 1
        if best.found >> DAISUUSHII & 1 and t["liable_winds"][seat] >= 0:
            liable, units = int(t["liable_winds"][seat]), 1 + int(kit["switches"][DOUBLE_YAKUMAN])
    if liable == source:
        return -1, 0
    if liable >= 0 and kit["switches"][LIABLE_FOR_ALL]:
        units = best.yakuman
    return liable, units


@inlined
def _to_hundreds(points: int) -> int:
    return -(-points // 100) * 100
