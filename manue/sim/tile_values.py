"""What tiles and melds are worth at a table: yaku of triplets, dora and red fives."""

from typing import Any

from manue.compiled import inlined
from manue.features.scene import CHI_MELD, PON_MELD
from manue.hand.shape import OUTSIDE_MASK
from manue.hand.yaku import yakuhai
from manue.sim.scoring import winds_of


@inlined
def count_kinds(mask: int) -> int:
    """Count the kinds in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined
def value_of_kind(t: Any, seat: int, kind: int) -> int:
    """Return the yaku of a triplet of a kind: 0, 1 or 2."""
    if kind < 27:
        return 0
    seat_wind, round_wind = winds_of(t, seat)
    return yakuhai(kind, seat_wind, round_wind)


@inlined
def has_value_set(t: Any, seat: int) -> bool:
    """Return whether a hand or its melds hold a set that is a yaku."""
    for kind in range(27, 34):
        if t["hand"][seat, kind] >= 3 and value_of_kind(t, seat, kind):
            return True
    for place in range(t["meld_len"][seat]):
        kind = int(t["meld_first"][seat, place])
        if t["meld_kind"][seat, place] != CHI_MELD and value_of_kind(t, seat, kind):
            return True
    return False


@inlined
def is_outside(first: int, is_run: bool) -> bool:  # noqa: FBT001
    """Return whether a set from its lowest kind on holds a terminal or an honor."""
    if is_run:
        return first % 9 == 0 or first % 9 == 6
    return bool(OUTSIDE_MASK >> first & 1)


@inlined
def dora_in_meld(t: Any, seat: int, place: int) -> int:
    """Count dora and red fives in a meld."""
    first, form = int(t["meld_first"][seat, place]), int(t["meld_kind"][seat, place])
    found = int(t["meld_reds"][seat, place])
    if form == CHI_MELD:
        return found + int(t["dora"][first]) + int(t["dora"][first + 1]) + int(t["dora"][first + 2])
    return found + (3 if form == PON_MELD else 4) * int(t["dora"][first])


@inlined
def dora_of_seat(t: Any, seat: int) -> int:
    """Count dora and red fives in a hand and its melds."""
    found = int(t["reds"][seat, 0]) + int(t["reds"][seat, 1]) + int(t["reds"][seat, 2])
    for kind in range(34):
        found += int(t["hand"][seat, kind]) * int(t["dora"][kind])
    for place in range(t["meld_len"][seat]):
        found += dora_in_meld(t, seat, place)
    return found


@inlined
def tiles_by_suit(t: Any, seat: int) -> tuple[int, int, int, int]:
    """Count the tiles of each suit and the honors, melds included, each as three tiles."""
    s0 = s1 = s2 = honors = 0
    for number in range(9):
        s0 += int(t["hand"][seat, number])
        s1 += int(t["hand"][seat, 9 + number])
        s2 += int(t["hand"][seat, 18 + number])
    for kind in range(27, 34):
        honors += int(t["hand"][seat, kind])
    for place in range(t["meld_len"][seat]):
        first = int(t["meld_first"][seat, place])
        s0 += 3 * int(first < 9)
        s1 += 3 * int(9 <= first < 18)
        s2 += 3 * int(18 <= first < 27)
        honors += 3 * int(first >= 27)
    return s0, s1, s2, honors
