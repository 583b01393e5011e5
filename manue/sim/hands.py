"""Hands kept as base-5 codes of their four groups, so that shanten after a change is a look-up of one group.

``t`` is a record of a table, ``tables`` the packed tables of `manue.hand.shanten`.
"""

from typing import Any

import numpy as np

from manue.arrays import I64, U8
from manue.compiled import compiled, inlined
from manue.hand.shanten import (
    UNAVAILABLE,
    honor_id,
    orphans_from,
    regular_of_ids,
    seven_pairs_from,
    suit_id,
)
from manue.hand.shape import OUTSIDE_MASK
from manue.hand.tables import (
    FINAL_AT,
    HONOR_ROWS,
    SUIT_HONORS,
    SUIT_HONORS_AT,
    SUIT_ROWS,
    TWO_SUITS,
    TWO_SUITS_AT,
)
from manue.sim.codes import KIND_OF_TILE

POWER: I64 = np.array([5 ** (kind % 9) for kind in range(34)], np.int64)
"""Digit of each kind in the code of its group."""
NUMBER_MASK = (1 << 27) - 1
"""Mask of the kinds that are not honors."""


@inlined
def kind_of(tile: int) -> int:
    """Return the kind of a tile."""
    return int(np.int64(KIND_OF_TILE[tile]))


@compiled
def add_tile(t: Any, seat: int, tile: int) -> None:
    """Put a tile into a hand."""
    kind = kind_of(tile)
    t["hand"][seat, kind] += 1
    t["code"][seat, kind // 9] += POWER[kind]
    if tile >= 34:
        t["reds"][seat, tile - 34] = 1


@compiled
def take_tile(t: Any, seat: int, tile: int) -> None:
    """Take a tile out of a hand."""
    kind = kind_of(tile)
    t["hand"][seat, kind] -= 1
    t["code"][seat, kind // 9] -= POWER[kind]
    if tile >= 34:
        t["reds"][seat, tile - 34] = 0


@inlined
def red_tile(kind: int) -> int:
    """Return the tile number of the red five of a kind of fives."""
    return 34 + kind // 9


@inlined
def red_of_kind(t: Any, seat: int, kind: int) -> int:
    """Return 1 if the hand holds the red five of a kind."""
    if kind < 27 and kind % 9 == 4:
        return int(t["reds"][seat, kind // 9])
    return 0


@inlined
def tile_given_up(t: Any, seat: int, kind: int) -> int:
    """Return the tile of a kind that a hand gives up first, in a discard or a kan: a plain one if it can."""
    if red_of_kind(t, seat, kind) and t["hand"][seat, kind] == 1:
        return red_tile(kind)
    return kind


@inlined
def group_id(group: int, code: int, tables: U8) -> int:
    """Return the row id of a group."""
    return honor_id(code, tables) if group == 3 else suit_id(code, tables)


@inlined
def regular_with(ids: tuple[int, int, int, int], group: int, new: int, melds: int, tables: U8) -> int:
    """Return the regular shanten with another id for one group."""
    return regular_of_ids(
        (
            new if group == 0 else ids[0],
            new if group == 1 else ids[1],
            new if group == 2 else ids[2],
            new if group == 3 else ids[3],
        ),
        melds,
        tables,
    )


@inlined
def ids_of(t: Any, seat: int, tables: U8) -> tuple[int, int, int, int]:
    """Return the ids of the four groups of a hand."""
    code = t["code"]
    return (
        suit_id(code[seat, 0], tables),
        suit_id(code[seat, 1], tables),
        suit_id(code[seat, 2], tables),
        honor_id(code[seat, 3], tables),
    )


@inlined
def shapes_of(t: Any, seat: int) -> tuple[int, int, int, int]:
    """Count the pairs and the kinds of a hand, and those among terminals and honors."""
    pairs = kinds = outside_pairs = outside_kinds = 0
    hand = t["hand"]
    for kind in range(34):
        held, two = int(hand[seat, kind] > 0), int(hand[seat, kind] > 1)
        outside = OUTSIDE_MASK >> kind & 1
        kinds += held
        pairs += two
        outside_kinds += held & outside
        outside_pairs += two & outside
    return pairs, kinds, outside_pairs, outside_kinds


@inlined
def special_of(pairs: int, kinds: int, outside_pairs: int, outside_kinds: int) -> int:
    """Return the lower shanten of seven pairs and of thirteen orphans."""
    return min(seven_pairs_from(pairs, kinds), orphans_from(outside_pairs, outside_kinds))


@inlined
def special_without(shapes: tuple[int, int, int, int], kind: int, held: int) -> int:
    """Return `special_of` after a discard, given `shapes_of` the hand and its copies of the kind."""
    pairs, kinds, outside_pairs, outside_kinds = shapes
    two, one, outside = int(held == 2), int(held == 1), OUTSIDE_MASK >> kind & 1
    return special_of(pairs - two, kinds - one, outside_pairs - two * outside, outside_kinds - one * outside)


@compiled
def rate_discards(t: Any, seat: int, tables: U8) -> int:
    """Fill ``after`` with the shanten after each discard; return the lowest."""
    hand, code, after = t["hand"], t["code"], t["after"]
    melds = int(t["meld_len"][seat])
    ids = ids_of(t, seat, tables)
    shapes = shapes_of(t, seat)
    lowest = UNAVAILABLE
    for kind in range(34):
        held = hand[seat, kind]
        if held == 0:
            after[kind] = UNAVAILABLE
            continue
        group = kind // 9
        new = group_id(group, code[seat, group] - POWER[kind], tables)
        value = regular_with(ids, group, new, melds, tables)
        if melds == 0:
            value = min(value, special_without(shapes, kind, int(held)))
        after[kind] = value
        lowest = min(lowest, value)
    return lowest


@compiled
def useful_mask(t: Any, seat: int, shanten: int, tables: U8) -> int:
    """Return the mask of the kinds that lower the shanten of a hand at rest, which is given."""
    hand, code = t["hand"], t["code"]
    melds = int(t["meld_len"][seat])
    ids = ids_of(t, seat, tables)
    mask = 0
    for kind in range(34):
        if hand[seat, kind] < 4:
            group = kind // 9
            new = group_id(group, code[seat, group] + POWER[kind], tables)
            mask |= int(regular_with(ids, group, new, melds, tables) < shanten) << kind
    if melds == 0:
        mask |= _special_mask(t, seat, shanten)
    return mask


@compiled
def _special_mask(t: Any, seat: int, shanten: int) -> int:
    """Return the kinds that lower the shanten of seven pairs or thirteen orphans, where it is this low."""
    hand = t["hand"]
    pairs, kinds, outside_pairs, outside_kinds = shapes_of(t, seat)
    mask = 0
    if seven_pairs_from(pairs, kinds) == shanten and pairs < 7:
        for kind in range(34):
            held = hand[seat, kind]
            mask |= int(held == 1 or (held == 0 and kinds < 7)) << kind
    if orphans_from(outside_pairs, outside_kinds) == shanten:
        for kind in range(34):
            held = hand[seat, kind]
            mask |= (int(held == 0 or (held == 1 and outside_pairs == 0)) & OUTSIDE_MASK >> kind) << kind
    return mask


@inlined
def _left_of(first: int, second: int, tables: U8) -> int:
    """Combine the ids of the first two suits."""
    return int(np.int64(tables[TWO_SUITS_AT + SUIT_ROWS * first + second]))


@inlined
def _right_of(third: int, honors: int, tables: U8) -> int:
    """Combine the ids of the third suit and the honors."""
    return int(np.int64(tables[SUIT_HONORS_AT + HONOR_ROWS * third + honors]))


@inlined
def _side_of(group: int, new: int, ids: tuple[int, int, int, int], tables: U8) -> int:
    """Combine the ids of a group's half of the hand, with another id for the group."""
    if group < 2:
        return _left_of(new if group == 0 else ids[0], new if group == 1 else ids[1], tables)
    return _right_of(new if group == 2 else ids[2], new if group == 3 else ids[3], tables)


@compiled
def rate_useful(t: Any, seat: int, limit: int, tables: U8) -> None:
    """Fill ``useful`` and ``useful_tiles`` for the discards whose ``after`` is at most the limit.

    Raising a kind changes the id of one group, and so one half of the hand (`manue.hand.shanten`). For a
    discard from the other half that was looked up before; only the kinds of its own half are looked up again.
    """
    hand, code, after = t["hand"], t["code"], t["after"]
    melds = int(t["meld_len"][seat])
    ids = ids_of(t, seat, tables)
    shapes = shapes_of(t, seat)
    raised, side, unseen = np.empty(34, np.int64), np.empty(34, np.int64), np.empty(34, np.int64)
    for kind in range(34):
        group = kind // 9
        raised[kind] = group_id(group, code[seat, group] + POWER[kind] * (hand[seat, kind] < 4), tables)
        side[kind] = _side_of(group, raised[kind], ids, tables)
        unseen[kind] = unseen_copies(t, seat, kind)
    for discard in range(34):
        shanten = int(after[discard])
        if shanten > limit:
            continue
        mask = _useful_across(t, seat, discard, shanten, ids, side, tables)
        mask |= _useful_beside(t, seat, discard, shanten, ids, raised, tables)
        if melds == 0 and special_without(shapes, discard, int(hand[seat, discard])) == shanten:
            take_tile(t, seat, discard)
            mask |= _special_mask(t, seat, shanten)
            add_tile(t, seat, discard)
        tiles = 0
        for kind in range(34):
            tiles += unseen[kind] * (mask >> kind & 1)
        t["useful"][discard] = mask
        t["useful_tiles"][discard] = tiles


@inlined
def _useful_across(
    t: Any, seat: int, discard: int, shanten: int, ids: tuple[int, int, int, int], side: I64, tables: U8
) -> int:
    """Return the kinds useful after a discard that lie in the other half of the hand.

    Parameters
    ----------
    side : int64[34]
        The half of each kind with one more of it.
    """
    group = discard // 9
    half = _side_of(group, group_id(group, t["code"][seat, group] - POWER[discard], tables), ids, tables)
    start = FINAL_AT + SUIT_HONORS * TWO_SUITS * int(t["meld_len"][seat])
    mask = 0
    if group < 2:
        for kind in range(18, 34):
            mask |= int(int(np.int64(tables[start + SUIT_HONORS * half + side[kind]])) <= shanten) << kind
    else:
        for kind in range(18):
            mask |= int(int(np.int64(tables[start + SUIT_HONORS * side[kind] + half])) <= shanten) << kind
    return mask


@inlined
def _useful_beside(
    t: Any, seat: int, discard: int, shanten: int, ids: tuple[int, int, int, int], raised: I64, tables: U8
) -> int:
    """Return the kinds useful after a discard that lie in its own half of the hand.

    Parameters
    ----------
    raised : int64[34]
        The id of the group of each kind with one more of it.
    """
    group = discard // 9
    lowered = t["code"][seat, group] - POWER[discard]
    changed = group_id(group, lowered, tables)
    left, right = _left_of(ids[0], ids[1], tables), _right_of(ids[2], ids[3], tables)
    start = FINAL_AT + SUIT_HONORS * TWO_SUITS * int(t["meld_len"][seat])
    mask = 0
    for kind in range(0 if group < 2 else 18, 18 if group < 2 else 34):
        new = raised[kind]
        if kind // 9 == group:
            held = t["hand"][seat, kind] - int(kind == discard)
            half = _side_of(group, group_id(group, lowered + POWER[kind] * (held < 4), tables), ids, tables)
        elif group == 0:
            half = _left_of(changed, new, tables)
        elif group == 1:
            half = _left_of(new, changed, tables)
        elif group == 2:
            half = _right_of(changed, new, tables)
        else:
            half = _right_of(new, changed, tables)
        place = SUIT_HONORS * (half if group < 2 else left) + (right if group < 2 else half)
        mask |= int(int(np.int64(tables[start + place])) <= shanten) << kind
    return mask


@compiled
def shanten_at_rest(t: Any, seat: int, tables: U8) -> int:
    """Return the shanten of a hand without a drawn tile."""
    melds = int(t["meld_len"][seat])
    value = regular_of_ids(ids_of(t, seat, tables), melds, tables)
    if melds == 0:
        pairs, kinds, outside_pairs, outside_kinds = shapes_of(t, seat)
        value = min(value, special_of(pairs, kinds, outside_pairs, outside_kinds))
    return value


@compiled
def left_at_rest(t: Any, seat: int, tables: U8) -> tuple[int, int]:
    """Return the shanten of a hand without a drawn tile, and how many useful tiles it does not see."""
    shanten = shanten_at_rest(t, seat, tables)
    return shanten, unseen_in(t, seat, useful_mask(t, seat, shanten, tables))


@compiled
def best_left(t: Any, seat: int, forbidden: int, tables: U8) -> tuple[int, int]:
    """Return the lowest shanten that a discard leaves, and the most useful tiles then.

    Kinds of the mask ``forbidden`` are not discarded.
    """
    rate_discards(t, seat, tables)
    lowest, most = UNAVAILABLE, 0
    for kind in range(34):
        if forbidden >> kind & 1 == 0:
            lowest = min(lowest, int(t["after"][kind]))
    rate_useful(t, seat, lowest, tables)
    for kind in range(34):
        if forbidden >> kind & 1 == 0 and t["after"][kind] == lowest:
            most = max(most, int(t["useful_tiles"][kind]))
    return lowest, most


@compiled
def find_waits(t: Any, seat: int, tables: U8) -> None:
    """Note what a hand at rest waits for."""
    ready = shanten_at_rest(t, seat, tables) == 0
    t["waits"][seat] = useful_mask(t, seat, 0, tables) if ready else 0


@inlined
def unseen_copies(t: Any, seat: int, kind: int) -> int:
    """Return the copies of a kind that a seat does not see."""
    return max(0, 4 - int(t["public"][kind]) - int(t["hand"][seat, kind]))


@compiled
def unseen_in(t: Any, seat: int, mask: int) -> int:
    """Return the tiles of some kinds that a seat does not see."""
    total = 0
    for kind in range(34):
        if mask >> kind & 1:
            total += unseen_copies(t, seat, kind)
    return total


@inlined
def first_turn(t: Any, seat: int) -> bool:
    """Return whether a seat has not discarded and nobody has called."""
    return bool(t["undisturbed"]) and t["river_len"][seat] == 0


@inlined
def is_furiten(t: Any, seat: int) -> bool:
    """Return whether a seat may not win by ron."""
    return bool(
        t["missed"][seat] or t["missed_riichi"][seat] or (t["waits"][seat] & t["discarded"][seat]) != 0
    )
