"""Yaku: the patterns of a complete hand, as compiled functions over bit masks.

A reading of the hand is folded once into a `Shape` (`manue.hand.shape`); `shape_yaku` finds all yaku that do
not depend on the winning tile, and `win_yaku` adds those that do. The result is a mask with one bit for each
row of ``manue.hand.yaku_list``, valued by `han_of` and `yakuman_of`. The functions come in the order
of a rule book.

The caller passes the circumstances of the win (riichi, ippatsu, last tile...) as a mask of the same bits,
those that the tiles do not show. The definitions are those of Tenhou's published rules.

Callers: `manue.hand.score` for one win with names and payments, `manue.hand.value` for thousands of target
hands.
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import I8
from manue.compiled import compiled, inlined
from manue.hand.shape import (
    HONOR_MASK,
    KAN,
    KIND_PART,
    OPEN,
    OUTSIDE_MASK,
    TERMINAL_MASK,
    TRIPLET,
    TYPE_PART,
    Shape,
)
from manue.hand.yaku_list import (
    CHANTA,
    CHIITOITSU,
    CHINITSU,
    CHINROUTOU,
    CHUUREN,
    CHUUREN_PURE,
    DAISANGEN,
    DAISUUSHII,
    HAKU,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    ITTSU,
    JUNCHAN,
    MENZEN_TSUMO,
    PINFU,
    ROUND_WIND,
    RYANPEIKOU,
    RYUUIISOU,
    SANANKOU,
    SANKANTSU,
    SANSHOKU,
    SANSHOKU_DOUKOU,
    SEAT_WIND,
    SHOUSANGEN,
    SHOUSUUSHII,
    SUUANKOU,
    SUUANKOU_TANKI,
    SUUKANTSU,
    TANYAO,
    TOITOI,
    TSUUIISOU,
    YAKU,
    YAKUMAN_FROM,
)

_M_KINDS, _P_KINDS, _S_KINDS = 0x1FF, 0x1FF << 9, 0x1FF << 18
_GREEN = sum(1 << kind for kind in (19, 20, 21, 23, 25, 32))
_YAKUMAN = -1 << YAKUMAN_FROM
_FIRST_OF_SUITS = 1 | 1 << 9 | 1 << 18
_NINE_GATES = 0x311111113


class YakuRules(NamedTuple):
    """The winner's winds and the rules that patterns depend on (see `manue.hand.value.yaku_rules`)."""

    seat_wind: int
    """Kind 27..30."""
    round_wind: int
    """Kind 27..30."""
    open_tanyao: bool
    double_wind_fu: int
    """Fu of a pair that is both seat and round wind."""
    doubled_yakuman: bool
    """Whether doubled patterns count two yakuman."""
    multiple_yakuman: bool
    """Whether different yakuman add up."""


@inlined
def yakuhai(kind: int, seat_wind: int, round_wind: int) -> int:
    """Return the yaku that a triplet of a kind gives, the winds being kinds 27..30: 0, 1, or 2."""
    return int(kind >= 31) + int(kind == round_wind) + int(kind == seat_wind)


@inlined
def shape_yaku(shape: Shape, rules: YakuRules) -> int:
    """Return the mask of every yaku that does not depend on the winning tile."""
    found = _simples(shape, rules) | _value_triplets(shape, rules) | _one_suit(shape)
    if shape.pair < 0:
        found |= 1 << CHIITOITSU
    if shape.n_triplets <= 1:
        found |= _runs(shape)
    else:
        found |= _triplets(shape)
    found |= _outside(shape)
    return found


@inlined
def _simples(shape: Shape, rules: YakuRules) -> int:
    if shape.kinds & OUTSIDE_MASK == 0 and (shape.closed or rules.open_tanyao):
        return 1 << TANYAO
    return 0


@inlined
def _value_triplets(shape: Shape, rules: YakuRules) -> int:
    honors = shape.triplets & HONOR_MASK
    if honors == 0:
        return 0
    found = (honors >> 31 & 7) << HAKU
    found |= (honors >> rules.seat_wind & 1) << SEAT_WIND
    found |= (honors >> rules.round_wind & 1) << ROUND_WIND
    return found


@inlined
def _runs(shape: Shape) -> int:
    """Return the patterns of runs; there are at least three runs, perhaps next to a triplet."""
    runs = shape.runs
    found = 0
    if shape.closed and shape.identical > 0:
        found |= 1 << (RYANPEIKOU if shape.identical == 2 else IIPEIKOU)
    if runs & runs >> 3 & runs >> 6 & _FIRST_OF_SUITS:
        found |= 1 << ITTSU
    if runs & runs >> 9 & runs >> 18:
        found |= 1 << SANSHOKU
    return found


@inlined
def _triplets(shape: Shape) -> int:
    """Return the patterns of triplets; there are at least two triplets."""
    triplets = shape.triplets
    found = 0
    if shape.closed and shape.identical == 1:
        found |= 1 << IIPEIKOU
    if triplets & triplets >> 9 & triplets >> 18 & _M_KINDS:
        found |= 1 << SANSHOKU_DOUKOU
    if shape.n_triplets == 4:
        found |= 1 << TOITOI
    if shape.n_kans == 3:
        found |= 1 << SANKANTSU
    elif shape.n_kans == 4:
        found |= 1 << SUUKANTSU
    return found | _dragons_and_winds(triplets, shape.pair)


@inlined
def _dragons_and_winds(triplets: int, pair: int) -> int:
    dragons = triplets >> 31 & 7
    winds = triplets >> 27 & 15
    found = 0
    if dragons == 7:
        found |= 1 << DAISANGEN
    elif pair >= 31 and dragons == 7 ^ 1 << pair - 31:
        found |= 1 << SHOUSANGEN
    if winds == 15:
        found |= 1 << DAISUUSHII
    elif 27 <= pair < 31 and winds == 15 ^ 1 << pair - 27:
        found |= 1 << SHOUSUUSHII
    return found


@inlined
def _outside(shape: Shape) -> int:
    if shape.kinds & ~OUTSIDE_MASK == 0:
        if shape.kinds & TERMINAL_MASK == 0:
            return 1 << TSUUIISOU
        if shape.kinds & HONOR_MASK == 0:
            return 1 << CHINROUTOU
        return 1 << HONROUTOU
    if shape.outside:
        return 1 << (CHANTA if shape.kinds & HONOR_MASK else JUNCHAN)
    return 0


@inlined
def _one_suit(shape: Shape) -> int:
    kinds = shape.kinds
    suits = (kinds & _M_KINDS != 0) + (kinds & _P_KINDS != 0) + (kinds & _S_KINDS != 0)
    found = 0
    if suits == 1:
        found |= 1 << (HONITSU if kinds & HONOR_MASK else CHINITSU)
        if kinds & ~_GREEN == 0:
            found |= 1 << RYUUIISOU
    return found


RYANMEN, SHANPON, KANCHAN, PENCHAN, TANKI = range(5)


class LastTile(NamedTuple):
    """The tile that completes the hand and how it fits."""

    kind: int
    wait: int
    """`RYANMEN` .. `TANKI`."""
    tsumo: bool
    """Drawn by the winner."""


@inlined
def wide(value: int) -> int:
    """Widen an array element to a full integer; inside kernels plain ``int`` keeps its narrow type."""
    return int(np.int64(value))


@inlined
def wait_in_set(code: int, win: int) -> int:
    """Return the wait on kind ``win`` that completes this set, -1 if the set does not hold the tile."""
    if code & (OPEN | KAN):
        return -1
    at = win - (code & KIND_PART)
    if code & TYPE_PART == TRIPLET:
        return SHANPON if at == 0 else -1
    number = (code & KIND_PART) % 9
    if at == 1:
        return KANCHAN
    if at == 0:
        return PENCHAN if number == 6 else RYANMEN
    if at == 2:
        return PENCHAN if number == 0 else RYANMEN
    return -1


@inlined
def win_yaku(shape: Shape, found: int, last: LastTile, rules: YakuRules) -> int:
    """Add to ``found`` (the mask of `shape_yaku`) the yaku that depend on the winning tile."""
    if shape.closed:
        if last.tsumo:
            found |= 1 << MENZEN_TSUMO
        if last.wait == RYANMEN and shape.n_triplets == 0 and pair_fu(shape.pair, rules) == 0:
            found |= 1 << PINFU
        if found >> CHINITSU & 1 and shape.n_kans == 0:
            found |= _nine_gates(shape.digits, last.kind)
    concealed = shape.n_concealed - (last.wait == SHANPON and not last.tsumo)
    if concealed == 3:
        found |= 1 << SANANKOU
    elif concealed == 4:
        found |= 1 << (SUUANKOU_TANKI if last.wait == TANKI else SUUANKOU)
    return found


@compiled
def _nine_gates(digits: int, win: int) -> int:
    spare = digits - _NINE_GATES
    for number in range(9):
        if spare == 1 << 4 * number:
            return 1 << (CHUUREN_PURE if number == win % 9 else CHUUREN)
    return 0


@inlined
def pair_fu(pair: int, rules: YakuRules) -> int:
    """Return the fu of the pair: 2 for a dragon, the seat wind or the round wind."""
    if pair >= 31:
        return 2
    seat, round_ = pair == rules.seat_wind, pair == rules.round_wind
    if seat and round_:
        return rules.double_wind_fu
    return 2 if seat or round_ else 0


@inlined
def fu_of(shape: Shape, found: int, last: LastTile, rules: YakuRules) -> int:
    """Return the fu of a win, rounded up to a multiple of ten.

    Fixed values: seven pairs 25, pinfu by self-draw 20, an open hand without other fu 30.
    """
    if shape.pair < 0:
        return 25
    fu = 20 + shape.set_fu + pair_fu(shape.pair, rules)
    if last.wait == SHANPON and not last.tsumo:
        fu -= 4 if OUTSIDE_MASK >> last.kind & 1 else 2
    if last.wait >= KANCHAN:
        fu += 2
    if last.tsumo:
        if not found >> PINFU & 1:
            fu += 2
    elif shape.closed:
        fu += 10
    elif fu == 20:
        return 30
    return (fu + 9) // 10 * 10


def _sums(values: dict[int, int], first_bit: int, n_bytes: int) -> I8:
    """Tabulate sums over the bits set, by [byte, content], so that a mask takes one look-up per byte."""
    sums = np.zeros((n_bytes, 256), np.int8)
    for at, content in np.ndindex(n_bytes, 256):
        bits = (8 * at + i for i in range(8) if content >> i & 1)
        sums[at, content] = sum(values.get(first_bit + bit, 0) for bit in bits)
    return sums


_HAN = np.stack([_sums({y.bit: y.open_ for y in YAKU}, 0, 4), _sums({y.bit: y.closed for y in YAKU}, 0, 4)])
_UNITS = np.stack(
    [_sums({y.bit: 1 + (double and y.doubled) for y in YAKU}, YAKUMAN_FROM, 2) for double in (False, True)]
)


@inlined
def han_of(found: int, closed: int) -> int:
    """Return the han of the ordinary yaku in a mask, dora not counted (``closed``: 1 or 0)."""
    low = _HAN[closed, 0, found & 255] + _HAN[closed, 1, found >> 8 & 255]
    high = _HAN[closed, 2, found >> 16 & 255] + _HAN[closed, 3, found >> 24 & 255]
    return int(low) + int(high)


@inlined
def yakuman_of(found: int, rules: YakuRules) -> int:
    """Return the number of yakuman in a mask; with any, ordinary yaku do not count."""
    if found & _YAKUMAN == 0:
        return 0
    low, high = found >> 32 & 255, found >> 40 & 255
    single = int(_UNITS[0, 0, low]) + int(_UNITS[0, 1, high])
    total = single
    if rules.doubled_yakuman:
        total = int(_UNITS[1, 0, low]) + int(_UNITS[1, 1, high])
    if rules.multiple_yakuman:
        return total
    return 2 if total > single else 1
