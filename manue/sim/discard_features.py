"""Fills the columns of discards (`manue.sim.columns`), as one seat sees them.

What costs most, the useful tiles of every discard, comes from the codes that the table keeps.
"""

from typing import Any

import numpy as np

from manue.arrays import F32, I64, U8
from manue.compiled import compiled, inlined
from manue.hand.shanten import UNAVAILABLE
from manue.hand.shape import OUTSIDE_MASK
from manue.sim.columns import DISCARD_AT
from manue.sim.danger import safe_against_riichi
from manue.sim.hands import (
    NUMBER_MASK,
    kind_of,
    rate_useful,
    red_of_kind,
    shapes_of,
    unseen_copies,
)
from manue.sim.scoring import dealer_of
from manue.sim.tile_values import count_kinds, has_value_set, tiles_by_suit, value_of_kind


@compiled
def fill_discards(t: Any, seat: int, kinds: int, tables: U8, dangers: F32, rows: F32, found: I64) -> int:
    """Fill a row for each kind that may be discarded, and its kind into ``found``; return their number.

    Parameters
    ----------
    t : TABLE
        With ``after``.
    kinds : int
        Mask of the kinds allowed.
    dangers : float32[4, 34]
        Of `fill_dangers`.
    rows : float32[14 or more, len(DISCARD_AT)]
    found : int64[14 or more]
    """
    hand, after = t["hand"], t["after"]
    n = 0
    lowest = UNAVAILABLE
    for kind in range(34):
        if hand[seat, kind] > 0 and kinds >> kind & 1:
            found[n] = kind
            n += 1
            lowest = min(lowest, int(after[kind]))
    near_dora = _near_dora(t)
    suits = tiles_by_suit(t, seat)
    seven = _nearer_to_pairs(t, seat)
    simple_open = t["open"][seat] and not has_value_set(t, seat)
    river = int(t["river_len"][seat])
    for at in range(n):
        kind = int(found[at])
        row = rows[at]
        row[:] = 0.0
        row[DISCARD_AT.worse] = after[kind] - lowest
        _fill_kind(t, seat, kind, near_dora, row)
        _fill_around(t, seat, kind, suits, row)
        row[DISCARD_AT.seven_pairs_break] = seven and hand[seat, kind] == 2
        row[DISCARD_AT.simple_open] = simple_open and OUTSIDE_MASK >> kind & 1
        row[DISCARD_AT.turn_honor] = row[DISCARD_AT.honor] * river / 18
        row[DISCARD_AT.turn_outside] = row[DISCARD_AT.terminal] * river / 18
        row[DISCARD_AT.turn_single] = row[DISCARD_AT.alone] * river / 18
    _fill_useful(t, seat, n, lowest, tables, rows, found)
    _fill_risks(t, seat, n, lowest, dangers, rows, found)
    return n


@inlined
def _near_dora(t: Any) -> tuple[int, int]:
    """Return the masks of the kinds one and two steps from a dora."""
    one = two = 0
    for kind in range(27):
        if t["dora"][kind]:
            number = kind % 9
            one |= int(number >= 1) << max(kind - 1, 0) | int(number <= 7) << (kind + 1)
            two |= int(number >= 2) << max(kind - 2, 0) | int(number <= 6) << (kind + 2)
    return one & NUMBER_MASK, two & NUMBER_MASK


@inlined
def _nearer_to_pairs(t: Any, seat: int) -> bool:
    """Return whether a closed hand has five pairs or more."""
    return bool(t["meld_len"][seat] == 0 and shapes_of(t, seat)[0] >= 5)


@inlined
def _fill_kind(t: Any, seat: int, kind: int, near_dora: tuple[int, int], row: F32) -> None:
    """Fill in what a tile is, and how many there are."""
    held = int(t["hand"][seat, kind])
    number = kind % 9
    if kind >= 27:
        value = value_of_kind(t, seat, kind)
        row[DISCARD_AT.honor] = 1
        row[DISCARD_AT.value] = value / 2
        row[DISCARD_AT.dragon] = kind >= 31
        row[DISCARD_AT.guest_wind] = value == 0
        guests = 0
        for step in range(1, 4):
            guests += value_of_kind(t, (seat + step) % 4, kind)
        row[DISCARD_AT.guest_value] = guests / 4
    else:
        row[DISCARD_AT.terminal + min(number, 8 - number, 3)] = 1
    row[DISCARD_AT.single] = held == 1
    row[DISCARD_AT.pair] = held == 2
    row[DISCARD_AT.triplet] = held >= 3
    unseen = unseen_copies(t, seat, kind)
    row[DISCARD_AT.unseen] = unseen / 3
    row[DISCARD_AT.gone] = unseen == 0
    row[DISCARD_AT.is_dora] = t["dora"][kind] / 2
    row[DISCARD_AT.red] = red_of_kind(t, seat, kind) and held == 1
    row[DISCARD_AT.next_to_dora] = near_dora[0] >> kind & 1
    row[DISCARD_AT.near_dora] = near_dora[1] >> kind & 1
    row[DISCARD_AT.drawn] = t["drawn"] >= 0 and kind_of(max(t["drawn"], 0)) == kind
    row[DISCARD_AT.own_river] = int(t["discarded"][seat]) >> kind & 1
    before = (seat + 3) % 4
    length = int(t["river_len"][before])
    row[DISCARD_AT.just_passed] = length > 0 and kind_of(t["river"][before, max(length - 1, 0)]) == kind


@inlined
def _fill_around(t: Any, seat: int, kind: int, suits: tuple[int, int, int, int], row: F32) -> None:
    """Fill in what a hand holds around a tile."""
    hand = t["hand"]
    if kind >= 27:
        row[DISCARD_AT.alone] = hand[seat, kind] == 1
        return
    number, first = kind % 9, kind - kind % 9
    b1 = int(hand[seat, kind - 1]) if number >= 1 else 0
    b2 = int(hand[seat, kind - 2]) if number >= 2 else 0
    a1 = int(hand[seat, kind + 1]) if number <= 7 else 0
    a2 = int(hand[seat, kind + 2]) if number <= 6 else 0
    row[DISCARD_AT.below], row[DISCARD_AT.above] = b1 / 2, a1 / 2
    row[DISCARD_AT.two_below], row[DISCARD_AT.two_above] = b2 / 2, a2 / 2
    row[DISCARD_AT.three_below] = int(hand[seat, kind - 3]) if number >= 3 else 0
    row[DISCARD_AT.three_above] = int(hand[seat, kind + 3]) if number <= 5 else 0
    row[DISCARD_AT.gap_below] = unseen_copies(t, seat, kind - 1) / 4 if number >= 1 else 0
    row[DISCARD_AT.gap_above] = unseen_copies(t, seat, kind + 1) / 4 if number <= 7 else 0
    row[DISCARD_AT.gap_two_below] = unseen_copies(t, seat, kind - 2) / 4 if number >= 2 else 0
    row[DISCARD_AT.gap_two_above] = unseen_copies(t, seat, kind + 2) / 4 if number <= 6 else 0
    run = (b1 > 0 and b2 > 0) or (b1 > 0 and a1 > 0) or (a1 > 0 and a2 > 0)
    row[DISCARD_AT.in_run] = run
    row[DISCARD_AT.run_spare] = run and hand[seat, kind] >= 2
    row[DISCARD_AT.alone] = hand[seat, kind] == 1 and b1 + b2 + a1 + a2 == 0
    own = suits[0] if kind < 9 else suits[1] if kind < 18 else suits[2]
    row[DISCARD_AT.suit] = own / 14
    row[DISCARD_AT.off_suit] = own < max(suits[0], suits[1], suits[2])
    kinds = 0
    for other in range(first, first + 9):
        kinds += int(hand[seat, other] > 0)
    row[DISCARD_AT.suit_kinds] = kinds / 9
    row[DISCARD_AT.straight] = kinds >= 7
    most = 0
    for low in range(max(0, number - 2), min(6, number) + 1):
        parts = 0
        for other in range(low, low + 3):
            parts += (
                int(hand[seat, other] > 0) + int(hand[seat, other + 9] > 0) + int(hand[seat, other + 18] > 0)
            )
        most = max(most, parts)
    row[DISCARD_AT.colors] = most / 9


@inlined
def _fill_useful(t: Any, seat: int, n: int, lowest: int, tables: U8, rows: F32, found: I64) -> None:
    """Fill in the useful tiles of the discards that leave the lowest shanten, and of those one worse."""
    rate_useful(t, seat, lowest + 1, tables)
    most = 0
    for at in range(n):
        kind = int(found[at])
        if t["after"][kind] > lowest + 1:
            continue
        mask, tiles = int(t["useful"][kind]), int(t["useful_tiles"][kind])
        rows[at, DISCARD_AT.useful] = tiles / 24
        rows[at, DISCARD_AT.useful_kinds] = count_kinds(mask) / 8
        if t["after"][kind] == lowest:
            most = max(most, tiles)
            own = int(t["discarded"][seat]) | 1 << kind
            rows[at, DISCARD_AT.ready_furiten] = lowest == 0 and mask & own != 0
    for at in range(n):
        kind = int(found[at])
        if t["after"][kind] == lowest:
            tiles = int(t["useful_tiles"][kind])
            rows[at, DISCARD_AT.behind_best] = (most - tiles) / 12
            rows[at, DISCARD_AT.best] = tiles == most
            rows[at, DISCARD_AT.next_behind] = tiles / max(most, 1)


@inlined
def _fill_risks(t: Any, seat: int, n: int, lowest: int, dangers: F32, rows: F32, found: I64) -> None:
    """Fill in the dangers."""
    least, least_open = np.float32(1e9), np.float32(1e9)
    for at in range(n):
        kind = int(found[at])
        row = rows[at]
        open_risk = np.float32(0.0)
        for step in range(1, 4):
            opponent = (seat + step) % 4
            danger = np.float32(5.0) * dangers[opponent, kind]
            if t["riichi"][opponent]:
                row[DISCARD_AT.safe_next + step - 1] = int(t["safe"][opponent]) >> kind & 1
                row[DISCARD_AT.danger_next + step - 1] = danger
                row[DISCARD_AT.risk] += danger
                if opponent == dealer_of(t):
                    row[DISCARD_AT.dealer_risk] = danger
            else:
                row[DISCARD_AT.open_danger_next + step - 1] = danger * t["meld_len"][opponent] / 4
                open_risk += row[DISCARD_AT.open_danger_next + step - 1]
        row[DISCARD_AT.open_risk_above] = open_risk
        least, least_open = min(least, row[DISCARD_AT.risk]), min(least_open, open_risk)
    threatened = safe_against_riichi(t, seat) != 0
    for at in range(n):
        row = rows[at]
        row[DISCARD_AT.open_risk_above] -= least_open
        above = row[DISCARD_AT.risk] - least
        row[DISCARD_AT.risk_above] = above
        row[DISCARD_AT.safest] = threatened and above <= 0.0
        row[DISCARD_AT.risk_far] = above * lowest / 3
        row[DISCARD_AT.risk_useful] = above * row[DISCARD_AT.next_behind]
