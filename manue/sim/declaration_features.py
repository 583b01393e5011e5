"""Fills the columns of riichi, calls and kans (`manue.sim.columns`), as one seat sees them."""

from typing import Any

import numpy as np

from manue.arrays import F32, U8
from manue.compiled import compiled, inlined
from manue.features.scene import CHI_MELD, PON_MELD
from manue.hand.shape import OUTSIDE_MASK
from manue.sim.codes import ANKAN, CHI, DAIMINKAN, GROUP, KAKAN, MEMBER, PON
from manue.sim.columns import CALL_AT, RIICHI_AT
from manue.sim.danger import safe_against_riichi
from manue.sim.hands import (
    NUMBER_MASK,
    add_tile,
    best_left,
    kind_of,
    left_at_rest,
    rate_useful,
    take_tile,
    tile_given_up,
    unseen_copies,
)
from manue.sim.legal import swapped
from manue.sim.scoring import score_of
from manue.sim.tile_values import count_kinds, has_value_set, is_outside, value_of_kind


@compiled
def fill_riichi(t: Any, seat: int, dangers: F32, kit: Any, row: F32) -> None:
    """Fill the columns of declaring riichi with the discard that leaves the widest wait.

    Parameters
    ----------
    t : TABLE
        With ``after``; riichi may be declared.
    dangers : float32[4, 34]
        Of `manue.sim.danger.fill_dangers`.
    row : float32[len(RIICHI_AT) or more]
    """
    row[: len(RIICHI_AT)] = 0.0
    rate_useful(t, seat, 1, kit["tables"])
    best, mask, most = -1, 0, -1
    upgrade = 0
    for kind in range(34):
        if t["after"][kind] > 1:
            continue
        useful, tiles = int(t["useful"][kind]), int(t["useful_tiles"][kind])
        if t["after"][kind] == 1:
            upgrade = max(upgrade, tiles)
        elif tiles > most:
            best, mask, most = kind, useful, tiles
    row[RIICHI_AT.wait_tiles] = most / 8
    row[RIICHI_AT.wait_kinds] = count_kinds(mask) / 3
    row[RIICHI_AT.wait_outside] = count_kinds(mask & OUTSIDE_MASK) / 2
    row[RIICHI_AT.wait_honor] = mask & ~NUMBER_MASK != 0
    row[RIICHI_AT.wait_furiten] = mask & (int(t["discarded"][seat]) | 1 << best) != 0
    for step in range(1, 4):
        opponent = (seat + step) % 4
        if t["riichi"][opponent]:
            row[RIICHI_AT.wait_risk] += np.float32(5.0) * dangers[opponent, best]
    row[RIICHI_AT.upgrade_tiles] = upgrade / 24
    row[RIICHI_AT.turn] = t["river_len"][seat] / 18
    row[RIICHI_AT.few_left] = t["tiles_left"] < 12
    row[RIICHI_AT.bias] = 1
    _fill_wins(t, seat, best, mask, most, kit, row)


@inlined
def _fill_wins(t: Any, seat: int, best: int, mask: int, most: int, kit: Any, row: F32) -> None:
    """Fill in what a ron is worth with and without riichi, over the tiles of the wait."""
    discarded = tile_given_up(t, seat, best)
    take_tile(t, seat, discarded)
    for kind in range(34):
        if mask >> kind & 1 == 0:
            continue
        share = (unseen_copies(t, seat, kind) - (kind == best)) / max(most, 1)  # the discard stays in sight
        silent = score_of(t, seat, kind, False, kit["no_ura"], kit)  # noqa: FBT003
        if silent.han > 0 or silent.yakuman > 0:
            row[RIICHI_AT.silent_yaku] += share
            row[RIICHI_AT.silent_points] += share * silent.points / 8000
        t["riichi"][seat] = 1
        declared = score_of(t, seat, kind, False, kit["no_ura"], kit)  # noqa: FBT003
        t["riichi"][seat] = 0
        row[RIICHI_AT.riichi_points] += share * declared.points / 8000
    add_tile(t, seat, discarded)
    row[RIICHI_AT.silent_points] = min(row[RIICHI_AT.silent_points], np.float32(2.0))
    row[RIICHI_AT.riichi_points] = min(row[RIICHI_AT.riichi_points], np.float32(2.0))


@compiled
def fill_call(t: Any, seat: int, code: int, now: int, useful_now: int, tables: U8, row: F32) -> None:
    """Fill the columns of a call of the tile offered, or of a kan on one's own turn.

    Parameters
    ----------
    code : int
        Of the call or kan (`manue.sim.codes`).
    now : int
        Shanten without it.
    useful_now : int
        Useful tiles without it.
    row : float32[len(CALL_AT) or more]
    """
    row[: len(CALL_AT)] = 0.0
    group, member = code & GROUP, code & MEMBER
    kind = member if group == ANKAN else kind_of(member if group == KAKAN else int(t["offered"]))
    row[CALL_AT.chi] = group == CHI
    row[CALL_AT.pon] = group == PON
    row[CALL_AT.open_kan] = group == DAIMINKAN
    row[CALL_AT.closed_kan] = group == ANKAN
    row[CALL_AT.added_kan] = group == KAKAN
    low = kind - member // 2 if group == CHI else kind
    row[CALL_AT.kind_value] = value_of_kind(t, seat, kind) / 2
    row[CALL_AT.kind_outside] = is_outside(low, group == CHI)
    if group == CHI:
        row[CALL_AT.kind_dora] = (t["dora"][low] + t["dora"][low + 1] + t["dora"][low + 2]) / 2
        row[CALL_AT.takes_place] = member // 2 == 1
        row[CALL_AT.uses_red] = member & 1
    else:
        row[CALL_AT.kind_dora] = 3 * t["dora"][kind] / 2
        row[CALL_AT.uses_red] = group == PON and member == 1
    row[CALL_AT.first_call] = t["open"][seat] == 0
    then, useful_then = _after_call(t, seat, group, kind, low, tables, row)
    gain = min(max(now - then, -1), 2)
    row[CALL_AT.shanten_now] = now / 4
    row[CALL_AT.gain] = gain
    row[CALL_AT.now_tenpai], row[CALL_AT.then_tenpai] = now <= 0, then <= 0
    row[CALL_AT.useful_now] = useful_now / 24
    row[CALL_AT.useful_then] = useful_then / 24
    row[CALL_AT.useful_gain] = (useful_then - useful_now) / 12
    row[CALL_AT.turn] = t["river_len"][seat] / 18
    row[CALL_AT.value_gain] = row[CALL_AT.yaku_set] * gain
    row[CALL_AT.simple_gain] = row[CALL_AT.simples] * gain
    row[CALL_AT.threat_gain] = gain if safe_against_riichi(t, seat) else 0
    row[CALL_AT.bias] = 1


@inlined
def _after_call(t: Any, seat: int, group: int, kind: int, low: int, tables: U8, row: F32) -> tuple[int, int]:
    """Lay the set down, look at the hand that is left, and take it back.

    Returns
    -------
    shanten, useful : int
        Of that hand, with its best discard if one follows.
    """
    melds = int(t["meld_len"][seat])
    first = second = kind
    count = 2 if group == PON else 3 if group == DAIMINKAN else 4 if group == ANKAN else 1
    if group == CHI:
        first = low if low != kind else low + 1
        second = low + 2 if low + 2 != kind else low + 1
        _put_down(t, seat, first)
        _put_down(t, seat, second)
    else:
        for _ in range(count):
            _put_down(t, seat, kind)
    if group != KAKAN:
        t["meld_kind"][seat, melds] = CHI_MELD if group == CHI else PON_MELD
        t["meld_first"][seat, melds] = low
        t["meld_len"][seat] = melds + 1
    _fill_left(t, seat, kind, row)
    if group in (CHI, PON):
        forbidden = swapped(kind, kind - low) if group == CHI else 1 << kind
        then, useful = best_left(t, seat, forbidden, tables)
    else:
        then, useful = left_at_rest(t, seat, tables)
    t["meld_len"][seat] = melds
    if group == CHI:
        _take_back(t, seat, first)
        _take_back(t, seat, second)
    else:
        for _ in range(count):
            _take_back(t, seat, kind)
    return then, useful


@inlined
def _put_down(t: Any, seat: int, kind: int) -> None:
    take_tile(t, seat, kind)
    t["public"][kind] += 1


@inlined
def _take_back(t: Any, seat: int, kind: int) -> None:
    add_tile(t, seat, kind)
    t["public"][kind] -= 1


@inlined
def _fill_left(t: Any, seat: int, kind: int, row: F32) -> None:
    """Fill in what the hand is after the call."""
    outside = same = runs = sets = pairs = 0
    for other in range(34):
        held = int(t["hand"][seat, other])
        outside += held * (OUTSIDE_MASK >> other & 1)
        same += held * int(other >= 27 or other // 9 == kind // 9)
        pairs += int(held >= 2)
    for place in range(t["meld_len"][seat]):
        first, form = int(t["meld_first"][seat, place]), int(t["meld_kind"][seat, place])
        runs += int(form == CHI_MELD)
        sets += int(form != CHI_MELD)
        outside += 3 * int(is_outside(first, form == CHI_MELD))
        same += 3 * int(first >= 27 or first // 9 == kind // 9)
    row[CALL_AT.yaku_set] = has_value_set(t, seat)
    row[CALL_AT.simples] = outside <= 1
    row[CALL_AT.flush_then] = same / 14
    row[CALL_AT.triplets] = (sets + pairs) / 6 if runs == 0 else 0
    row[CALL_AT.pair_left] = pairs > 0
