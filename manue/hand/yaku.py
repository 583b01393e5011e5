"""Yaku: the patterns of a complete hand, as compiled functions over bit masks.

A *reading* of a complete hand is four sets and a pair. A set is one small integer, its *code*::

    code = first kind (0..33) + RUN | TRIPLET | KAN (+ OPEN for a called set)

so ``0`` is 1m2m3m in the hand, ``27 + TRIPLET + OPEN`` a called pon of E, ``31 + KAN`` a closed kan of P.
A reading is folded once into a `Shape` (`regular_shape`, `seven_pairs_shape`); `shape_yaku` finds all yaku
that do not depend on the winning tile, and `win_yaku` adds those that do. The result is a mask with one bit
for each row of ``manue.hand.yaku_list``, valued by `han_of` and `yakuman_of`. The functions come in the order
of a rule book.

The caller passes the circumstances of the win (riichi, ippatsu, last tile...) as a mask of the same bits,
those in ``manue.hand.yaku_list.CIRCUMSTANTIAL``. The definitions are those of Tenhou's published rules.

Callers: `manue.hand.score` for one win with names and payments, `manue.hand.value` for thousands of target
hands.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from manue.arrays import I8
from manue.compiled import compiled, inlined
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

SetCodes: TypeAlias = tuple[int, int, int, int]
"""The four sets of a hand; a tuple, because passing arrays between kernels costs reference counting."""

RUN, TRIPLET, KAN, OPEN = 0, 64, 128, 256
KIND_PART, TYPE_PART = 63, 192

_M_KINDS, _P_KINDS, _S_KINDS = 0x1FF, 0x1FF << 9, 0x1FF << 18
_HONORS = 0x7F << 27
_WINDS = 0xF << 27
_TERMINALS = sum(1 << kind for kind in (0, 8, 9, 17, 18, 26))
_OUTSIDE = _TERMINALS | _HONORS
_GREEN = sum(1 << kind for kind in (19, 20, 21, 23, 25, 32))
_YAKUMAN = -1 << YAKUMAN_FROM
_FIRST_OF_SUITS = 1 | 1 << 9 | 1 << 18
_NINE_GATES = 0x311111113
_HONITSU_OR_CHINITSU = 1 << HONITSU | 1 << CHINITSU


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


class Shape(NamedTuple):
    """A reading folded into masks; nothing in it depends on the winning tile."""

    runs: int
    """Bit of the first kind of every run."""
    triplets: int
    """Bit of the kind of every triplet or kan."""
    kinds: int
    """Bit of every kind in the hand."""
    pair: int
    """Kind of the pair (-1 in seven pairs)."""
    identical: int
    """How many times two runs are the same: 0, 1 or 2."""
    n_triplets: int
    """Triplets and kans."""
    n_concealed: int
    """Concealed triplets and closed kans; a triplet completed by ron still counts here."""
    n_kans: int
    set_fu: int
    """Fu of all sets, with every triplet in the hand taken as concealed."""
    digits: int
    """Four bits for each number 1..9: how many tiles have it (used when all tiles are of one suit)."""
    outside: bool
    """Every set and the pair holds a terminal or an honor."""
    closed: bool
    """No set is called; closed kans are allowed."""


@inlined
def yakuhai(kind: int, seat_wind: int, round_wind: int) -> int:
    """Return the yaku that a triplet of a kind gives, the winds being kinds 27..30: 0, 1, or 2."""
    return int(kind >= 31) + int(kind == round_wind) + int(kind == seat_wind)


@inlined
def regular_shape(sets: SetCodes, pair: int) -> Shape:
    """Fold four set codes and the kind of the pair into a shape."""
    runs = triplets = odd_runs = 0
    identical = n_triplets = n_concealed = n_kans = set_fu = 0
    kinds = 1 << pair
    digits = 2 << 4 * (pair % 9)
    outside = (_OUTSIDE >> pair) & 1 == 1
    closed = True
    for i in range(4):
        code = sets[i]
        kind = code & KIND_PART
        bit = 1 << kind
        number = kind % 9
        called = code & OPEN != 0
        if called:
            closed = False
        if code & TYPE_PART == RUN:
            if odd_runs & bit:
                identical += 1
            odd_runs ^= bit
            runs |= bit
            kinds |= 7 << kind
            digits += 0x111 << 4 * number
            outside = outside and (number in (0, 6))
        else:
            triplets |= bit
            kinds |= bit
            digits += 3 << 4 * number
            n_triplets += 1
            fu = 2
            if _OUTSIDE & bit:
                fu = 4
            else:
                outside = False
            if not called:
                n_concealed += 1
                fu *= 2
            if code & TYPE_PART == KAN:
                n_kans += 1
                fu *= 4
            set_fu += fu
    triples = (n_triplets, n_concealed, n_kans)
    return Shape(runs, triplets, kinds, pair, identical, *triples, set_fu, digits, outside, closed)


@inlined
def seven_pairs_shape(kinds: int) -> Shape:
    """Return the shape of seven pairs from the mask of their kinds."""
    outside, closed = False, True
    return Shape(0, 0, kinds, -1, 0, 0, 0, 0, 0, 0, outside, closed)


@inlined
def shape_yaku(shape: Shape, table: YakuRules) -> int:
    """Return the mask of every yaku that does not depend on the winning tile."""
    found = _simples(shape, table) | _value_triplets(shape, table) | _one_suit(shape)
    if shape.pair < 0:
        found |= 1 << CHIITOITSU
    if shape.n_triplets <= 1:
        found |= _runs(shape)
    else:
        found |= _triplets(shape)
    found |= _outside(shape)
    return found


@inlined
def _simples(shape: Shape, table: YakuRules) -> int:
    if shape.kinds & _OUTSIDE == 0 and (shape.closed or table.open_tanyao):
        return 1 << TANYAO
    return 0


@inlined
def _value_triplets(shape: Shape, table: YakuRules) -> int:
    honors = shape.triplets & _HONORS
    if honors == 0:
        return 0
    found = (honors >> 31 & 7) << HAKU
    found |= (honors >> table.seat_wind & 1) << SEAT_WIND
    found |= (honors >> table.round_wind & 1) << ROUND_WIND
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
    if shape.kinds & ~_OUTSIDE == 0:
        if shape.kinds & _TERMINALS == 0:
            return 1 << TSUUIISOU
        if shape.kinds & _HONORS == 0:
            return 1 << CHINROUTOU
        return 1 << HONROUTOU
    if shape.outside:
        return 1 << (CHANTA if shape.kinds & _HONORS else JUNCHAN)
    return 0


@inlined
def _one_suit(shape: Shape) -> int:
    kinds = shape.kinds
    suits = (kinds & _M_KINDS != 0) + (kinds & _P_KINDS != 0) + (kinds & _S_KINDS != 0)
    found = 0
    if suits == 1:
        found |= 1 << (HONITSU if kinds & _HONORS else CHINITSU)
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
def win_yaku(shape: Shape, found: int, last: LastTile, table: YakuRules) -> int:
    """Add to ``found`` (the mask of `shape_yaku`) the yaku that depend on the winning tile."""
    if shape.closed:
        if last.tsumo:
            found |= 1 << MENZEN_TSUMO
        if last.wait == RYANMEN and shape.n_triplets == 0 and pair_fu(shape.pair, table) == 0:
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
def pair_fu(pair: int, table: YakuRules) -> int:
    """Return the fu of the pair: 2 for a dragon, the seat wind or the round wind."""
    if pair >= 31:
        return 2
    seat, round_ = pair == table.seat_wind, pair == table.round_wind
    if seat and round_:
        return table.double_wind_fu
    return 2 if seat or round_ else 0


@inlined
def fu_of(shape: Shape, found: int, last: LastTile, table: YakuRules) -> int:
    """Return the fu of a win, rounded up to a multiple of ten.

    Fixed values: seven pairs 25, pinfu by self-draw 20, an open hand without other fu 30.
    """
    if shape.pair < 0:
        return 25
    fu = 20 + shape.set_fu + pair_fu(shape.pair, table)
    if last.wait == SHANPON and not last.tsumo:
        fu -= 4 if _OUTSIDE >> last.kind & 1 else 2
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
def yakuman_of(found: int, table: YakuRules) -> int:
    """Return the number of yakuman in a mask; with any, ordinary yaku do not count."""
    if found & _YAKUMAN == 0:
        return 0
    low, high = found >> 32 & 255, found >> 40 & 255
    single = int(_UNITS[0, 0, low]) + int(_UNITS[0, 1, high])
    total = single
    if table.doubled_yakuman:
        total = int(_UNITS[1, 0, low]) + int(_UNITS[1, 1, high])
    if table.multiple_yakuman:
        return total
    return 2 if total > single else 1
