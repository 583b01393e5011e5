"""The value of complete hands by their best reading, for every way of winning, singly or in batches.

For callers that enumerate target hands (complete hands within reach), all callable from other kernels:

``value_target(form, sets, pair, kinds, lasts, dora, context)``
    values a target hand: four numbers; ``value_targets(...)`` values n of them (see its docstring).
``add_sizes(form, sets, pair, kinds, lasts, dora, context, riichi, out)``
    adds how likely each size of the win is.
``best_win(counts, melds, win, tsumo, circumstances, dora, rules, points)``
    tries every reading of a complete hand of any form and keeps the best.

``context`` is a `WinContext`, made once per decision by `win_context`: the winner's winds, the tables of
points and the weight of each kind as the last tile. A target hand is *one* reading; where the same tiles have
several (111222333m), value each of them and keep the highest value in each column.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manue.arrays import F32, F64, I8, I16, I64
from manue.compiled import compiled, inlined
from manue.errors import HandError
from manue.hand.complete import MAX_READINGS, complete_readings, is_orphans, seven_pairs_kinds
from manue.hand.points import SIZES, cell_of, points_table, size_table
from manue.hand.shape import SetCodes, Shape, regular_shape, seven_pairs_shape
from manue.hand.yaku import (
    TANKI,
    LastTile,
    YakuRules,
    fu_of,
    han_of,
    shape_yaku,
    wait_in_set,
    wide,
    win_yaku,
    yakuman_of,
)
from manue.hand.yaku_list import KOKUSHI, KOKUSHI_13, TENHOU_WIN
from manue.rules import TENHOU, Rules
from manue.tiles import KIND_OF, WINDS, Wind

REGULAR, SEVEN_PAIRS, ORPHANS = range(3)
SILENT_TSUMO, SILENT_RON, RIICHI_TSUMO, RIICHI_RON = range(4)
"""Ways to win, and the columns of target hand values: without and with riichi, by self-draw and by ron."""


class WinContext(NamedTuple):
    """Everything the value of a target hand depends on apart from its tiles."""

    rules: YakuRules
    """The winner's winds among them."""
    points: F32
    """float32[4, CELLS]: points of each cell for the four ways to win, `SILENT_TSUMO` to `RIICHI_RON`."""
    sizes: F32
    """float32[4, CELLS, SIZES]: how likely each size is, for the same."""
    weights: F32
    """float32[34]: weight of each kind as the last tile (usually the number unseen)."""


@lru_cache(maxsize=64)
def yaku_rules(seat_wind: Wind, round_wind: Wind, rules: Rules) -> YakuRules:
    """Return the rules and winds that patterns and fu depend on.

    Raises
    ------
    HandError
        If a wind is not one of E S W N.
    """
    for wind in (seat_wind, round_wind):
        if wind not in WINDS:
            raise HandError(f"{wind!r} is not a wind (E S W N)")
    return YakuRules(
        KIND_OF[seat_wind],
        KIND_OF[round_wind],
        rules.open_tanyao,
        rules.double_wind_pair_fu,
        rules.double_yakuman_patterns,
        rules.multiple_yakuman,
    )


def win_context(
    seat_wind: Wind,
    round_wind: Wind,
    weights: F32,
    *,
    riichi_han: tuple[float, ...] = (1.0,),
    rules: Rules = TENHOU,
) -> WinContext:
    """Gather what `value_targets` needs.

    Parameters
    ----------
    seat_wind, round_wind : {"E", "S", "W", "N"}
    weights : float32[34]
        Weight of each kind as the last tile of a target hand, at least 0.
    riichi_han : tuple of float
        Probability of 0, 1, 2... han in addition to riichi itself: ura-dora and ippatsu.
    rules : Rules
    """
    points, sizes = _four_ways(rules, riichi_han, dealer=seat_wind == "E")
    return WinContext(yaku_rules(seat_wind, round_wind, rules), points, sizes, weights)


@lru_cache(maxsize=64)
def _four_ways(rules: Rules, riichi_han: tuple[float, ...], *, dealer: bool) -> tuple[F32, F32]:
    """Tabulate the points and the sizes of the four ways to win, as in `WinContext`."""
    ways = [(extra, tsumo) for extra in ((1.0,), riichi_han) for tsumo in (True, False)]
    points, sizes = (
        np.stack([table(rules, dealer=dealer, tsumo=tsumo, extra_han=extra) for extra, tsumo in ways])
        for table in (points_table, size_table)
    )
    return points, sizes


@compiled
def value_targets(
    forms: I8,
    sets: I16,
    pairs: I8,
    kinds: I64,
    lasts: I64,
    dora: F32,
    context: WinContext,
    out: F32,
) -> None:
    """Value n target hands.

    Parameters
    ----------
    forms : int8[n]
        `REGULAR`, `SEVEN_PAIRS` or `ORPHANS`.
    sets : int16[n, 4]
        For regular hands: set codes (`manue.hand.shape`), called sets with ``OPEN``, closed kans as ``KAN``.
    pairs : int8[n]
        For regular hands and orphans: the kind of the pair.
    kinds : int64[n]
        For seven pairs: the bits of the seven kinds.
    lasts : int64[n]
        Bit of each kind that may be the last tile; a kind in no set of the hand has value 0.
    dora : float32[n]
        Expected number of dora and red fives in the hand; points are interpolated between whole numbers.
    context : WinContext
    out : float32[n, 4]
        Receives the mean points over the last tiles, weighted by ``context.weights``, in the columns
        `SILENT_TSUMO` to `RIICHI_RON`. A win without yaku is worth 0, and so are the riichi columns of open
        hands. Honba and deposits are left to the caller.
    """
    for i in range(len(forms)):
        codes = (wide(sets[i, 0]), wide(sets[i, 1]), wide(sets[i, 2]), wide(sets[i, 3]))
        value = value_target(
            wide(forms[i]), codes, wide(pairs[i]), wide(kinds[i]), wide(lasts[i]), dora[i], context
        )
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = value


@compiled
def value_target(
    form: int,
    sets: SetCodes,
    pair: int,
    kinds: int,
    lasts: int,
    dora: float,
    context: WinContext,
) -> tuple[float, float, float, float]:
    """Value one target hand: the four columns of `value_targets`."""
    if form == ORPHANS:
        return _value_orphans(pair, lasts, context)
    shape = regular_shape(sets, pair) if form == REGULAR else seven_pairs_shape(kinds)
    found = shape_yaku(shape, context.rules)
    weight = tsumo = ron = riichi_tsumo = riichi_ron = 0.0
    rest = lasts
    while rest:
        bit = rest & -rest
        rest ^= bit
        win = wide(_BIT_NUMBER[bit % 37])
        best, _ = _best_ways(form, sets, shape, found, win, dora, context)
        share = context.weights[win]
        weight += share
        tsumo += share * best[0]
        ron += share * best[1]
        riichi_tsumo += share * best[2]
        riichi_ron += share * best[3]
    if weight == 0.0:
        return _NOTHING
    return tsumo / weight, ron / weight, riichi_tsumo / weight, riichi_ron / weight


@compiled
def add_sizes(
    form: int,
    sets: SetCodes,
    pair: int,
    kinds: int,
    lasts: int,
    dora: float,
    context: WinContext,
    riichi: int,
    out: F64,
) -> None:
    """Add how likely each size of the win is, by self-draw and by ron.

    Parameters
    ----------
    form, sets, pair, kinds, lasts, dora, context
        As for one hand of `value_targets`.
    riichi : int
        1 for a win with riichi, else 0.
    out : float64[2, SIZES]
        Added to. What is added to each row sums to 1 or, where some of the last tiles give no yaku, to less.
    """
    if form == ORPHANS:
        _add_sizes_of_orphans(pair, lasts, context, out)
        return
    shape = regular_shape(sets, pair) if form == REGULAR else seven_pairs_shape(kinds)
    found = shape_yaku(shape, context.rules)
    part = dora - int(dora)
    total = 0.0
    for kind in range(34):
        total += context.weights[kind] * (lasts >> kind & 1)
    rest = lasts
    while rest and total > 0.0:
        bit = rest & -rest
        rest ^= bit
        win = wide(_BIT_NUMBER[bit % 37])
        _, cells = _best_ways(form, sets, shape, found, win, dora, context)
        share = context.weights[win] / total
        tsumo, tsumo_more, ron, ron_more = cells[1] if riichi else cells[0]
        drawn, claimed = (RIICHI_TSUMO, RIICHI_RON) if riichi else (SILENT_TSUMO, SILENT_RON)
        for size in range(SIZES):
            lower, upper = context.sizes[drawn, tsumo, size], context.sizes[drawn, tsumo_more, size]
            out[0, size] += share * (lower * (1.0 - part) + upper * part)
            lower, upper = context.sizes[claimed, ron, size], context.sizes[claimed, ron_more, size]
            out[1, size] += share * (lower * (1.0 - part) + upper * part)


_NOTHING = (0.0, 0.0, 0.0, 0.0)
_BIT_NUMBER = np.zeros(37, np.int8)
for _bit in range(34):
    _BIT_NUMBER[(1 << _bit) % 37] = _bit  # 2 is a primitive root of 37: no two bits collide


@inlined
def _best_ways(
    form: int, sets: SetCodes, shape: Shape, found: int, win: int, dora: float, context: WinContext
) -> tuple[tuple[float, float, float, float], tuple[tuple[int, int, int, int], tuple[int, int, int, int]]]:
    """Return the points of the four ways to win on a last tile, each by its best reading, and their cells.

    The cells are those without and with riichi: of a self-draw, of one with one more dora, of a ron, of one
    with one more dora.
    """
    rules, points = context.rules, context.points
    whole_dora = int(dora)
    part = dora - whole_dora
    tsumo = ron = riichi_tsumo = riichi_ron = 0.0
    silent, riichi = (0, 0, 0, 0), (0, 0, 0, 0)
    for place in range(5):
        wait = _wait_at(place, form, sets, shape, win)
        if wait < 0:
            continue
        a, b, c, d = _cells(shape, found, LastTile(win, wait, tsumo=True), whole_dora, rules)
        e, f, g, h = _cells(shape, found, LastTile(win, wait, tsumo=False), whole_dora, rules)
        value = points[SILENT_TSUMO, a] * (1.0 - part) + points[SILENT_TSUMO, b] * part
        if value > tsumo:
            tsumo, silent = value, (a, b, silent[2], silent[3])
        value = points[SILENT_RON, e] * (1.0 - part) + points[SILENT_RON, f] * part
        if value > ron:
            ron, silent = value, (silent[0], silent[1], e, f)
        value = points[RIICHI_TSUMO, c] * (1.0 - part) + points[RIICHI_TSUMO, d] * part
        if value > riichi_tsumo:
            riichi_tsumo, riichi = value, (c, d, riichi[2], riichi[3])
        value = points[RIICHI_RON, g] * (1.0 - part) + points[RIICHI_RON, h] * part
        if value > riichi_ron:
            riichi_ron, riichi = value, (riichi[0], riichi[1], g, h)
    return (tsumo, ron, riichi_tsumo, riichi_ron), (silent, riichi)


@inlined
def _wait_at(place: int, form: int, sets: SetCodes, shape: Shape, win: int) -> int:
    """Return the wait if the last tile completes this place in the hand (0..3 sets, 4 the pair), else -1."""
    if place < 4:
        return wait_in_set(sets[place], win) if form == REGULAR else -1
    if form == REGULAR:
        return TANKI if win == shape.pair else -1
    return TANKI if shape.kinds >> win & 1 else -1


@inlined
def _cells(
    shape: Shape, found: int, last: LastTile, dora: int, rules: YakuRules
) -> tuple[int, int, int, int]:
    """Return the cells of one way to win: without riichi, with one more dora, then both with riichi."""
    found = win_yaku(shape, found, last, rules)
    yakuman = yakuman_of(found, rules)
    if yakuman > 0:
        cell = cell_of(0, 30, yakuman)
        riichi = cell if shape.closed else 0
        return cell, cell, riichi, riichi
    han = han_of(found, int(shape.closed))
    fu = fu_of(shape, found, last, rules)
    first = cell_of(han + dora, fu, 0)
    second = cell_of(han + dora + 1, fu, 0)
    third = cell_of(han + dora + 2, fu, 0)
    if not shape.closed:
        return (first, second, 0, 0) if han > 0 else (0, 0, 0, 0)
    return (first, second, second, third) if han > 0 else (0, 0, second, third)


@compiled
def _value_orphans(pair: int, lasts: int, context: WinContext) -> tuple[float, float, float, float]:
    """Value thirteen orphans: one yakuman, or possibly two if the last tile makes the pair."""
    single, thirteen, part = _ways_of_orphans(pair, lasts, context)
    if part < 0.0:
        return _NOTHING
    points = context.points
    tsumo = points[SILENT_TSUMO, single] * (1.0 - part) + points[SILENT_TSUMO, thirteen] * part
    ron = points[SILENT_RON, single] * (1.0 - part) + points[SILENT_RON, thirteen] * part
    return tsumo, ron, tsumo, ron


@compiled
def _add_sizes_of_orphans(pair: int, lasts: int, context: WinContext, out: F64) -> None:
    single, thirteen, part = _ways_of_orphans(pair, lasts, context)
    if part < 0.0:
        return
    for way, silent in enumerate((SILENT_TSUMO, SILENT_RON)):
        for size in range(SIZES):
            plain, doubled = context.sizes[silent, single, size], context.sizes[silent, thirteen, size]
            out[way, size] += plain * (1.0 - part) + doubled * part


@compiled
def _ways_of_orphans(pair: int, lasts: int, context: WinContext) -> tuple[int, int, float]:
    """Return the cells of a win on another tile and on that of the pair, and the share of the latter.

    The share is -1 if no last tile is left.
    """
    single = cell_of(0, 30, yakuman_of(1 << KOKUSHI, context.rules))
    thirteen = cell_of(0, 30, yakuman_of(1 << KOKUSHI_13, context.rules))
    weight = on_pair = 0.0
    for win in range(34):
        if lasts >> win & 1:
            weight += context.weights[win]
            if win == pair:
                on_pair += context.weights[win]
    return single, thirteen, on_pair / weight if weight > 0.0 else -1.0


class Best(NamedTuple):
    """The best reading of a won hand."""

    found: int
    """Mask of its yaku."""
    han: int
    """Of the ordinary yaku only, including dora."""
    fu: int
    yakuman: int
    points: int


@compiled
def best_win(
    counts: I8,
    melds: I16,
    win: int,
    tsumo: bool,  # noqa: FBT001  (kernels take no keywords)
    circumstances: int,
    dora: int,
    rules: YakuRules,
    points: F32,
) -> Best:
    """Return the most valuable reading of a complete hand: by points, yakuman, han and fu.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles, including the winning tile.
    melds : int16[m]
        Set codes of the melds.
    win : int
        Kind of the winning tile.
    tsumo : bool
    circumstances : int
        Mask of the yaku that the tiles do not show.
    dora : int
        Number of dora of all types.
    rules : YakuRules
    points : float32[CELLS]
        From `points_table`, for this winner and this way of winning.

    Returns
    -------
    Best
        ``han == yakuman == 0`` if there is no yaku; ``points < 0`` if the hand is not complete.
    """
    best = Best(0, 0, 0, 0, -1)
    if len(melds) == 0:
        pairs = seven_pairs_kinds(counts)
        if pairs:
            shape = seven_pairs_shape(pairs)
            found = shape_yaku(shape, rules) | circumstances
            best = _better(best, shape, found, LastTile(win, TANKI, tsumo), dora, rules, points)
        elif is_orphans(counts):
            found = circumstances | _orphans_yaku(counts, win, circumstances, rules)
            yakuman = yakuman_of(found, rules)
            return Best(found, 0, 0, yakuman, int(points[cell_of(0, 0, yakuman)]))  # Tenhou counts no fu
    readings = np.empty((MAX_READINGS, 5), np.int16)
    n = complete_readings(counts, 4 - len(melds), readings)
    for i in range(n):
        row = readings[i]
        for meld in range(len(melds)):
            row[4 - len(melds) + meld] = melds[meld]
        sets = (wide(row[0]), wide(row[1]), wide(row[2]), wide(row[3]))
        shape = regular_shape(sets, wide(row[4]))
        found = shape_yaku(shape, rules) | circumstances
        for place in range(5):
            wait = _wait_at(place, REGULAR, sets, shape, win)
            if wait >= 0:
                best = _better(best, shape, found, LastTile(win, wait, tsumo), dora, rules, points)
    return best


@inlined
def _orphans_yaku(counts: I8, win: int, circumstances: int, rules: YakuRules) -> int:
    """Return the yaku of thirteen orphans: that of the 13-sided wait if the last tile makes the pair.

    The dealer's first 14 tiles come together: where yakuman count twice, any of them may be the last.
    """
    any_last = rules.doubled_yakuman and circumstances >> TENHOU_WIN & 1 == 1
    return 1 << (KOKUSHI_13 if any_last or counts[win] == 2 else KOKUSHI)


@compiled
def _better(
    best: Best, shape: Shape, found: int, last: LastTile, dora: int, rules: YakuRules, points: F32
) -> Best:
    found = win_yaku(shape, found, last, rules)
    yakuman = yakuman_of(found, rules)
    han = han_of(found, int(shape.closed))
    fu = fu_of(shape, found, last, rules)
    if han == 0 and yakuman == 0:
        return best if best.points >= 0 else Best(found, 0, fu, 0, 0)
    han += dora
    new = Best(found, han, fu, yakuman, int(points[cell_of(han, fu, yakuman)]))
    if (new.points, yakuman, han, fu) > (best.points, best.yakuman, best.han, best.fu):
        return new
    return best
