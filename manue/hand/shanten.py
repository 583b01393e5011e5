"""Shanten and useful tiles (ukeire): the regular form, seven pairs, thirteen orphans.

Shanten is the smallest number of tile exchanges that bring a hand to tenpai; a complete hand has -1. The
target holds at most four copies of a kind among the concealed tiles; the tiles of called sets are not
counted. With called sets only the regular form remains, and it needs that many fewer sets.

The public functions check their input. Other kernels call the following, which check nothing. ``counts`` is
int8[34], ``melds`` 0..4, and ``tables`` is ``TABLES.packed``, passed in so that no compiled function holds a
copy:

``suit_id(code, tables)``, ``honor_id(code, tables)``
    the id of a group's row of distances; the code is base 5, with the first kind as the lowest digit.
``group_ids(counts, tables)``
    the four ids of a hand.
``regular_of_ids(ids, melds, tables)``
    shanten of the regular form from the four ids.
``regular_of(counts, melds, tables)``, ``seven_pairs_of(counts)``, ``orphans_of(counts)``
    shanten of each form; the last two ignore melds.
``shanten_of(counts, melds, tables)``
    the lowest over the forms that are available.
``useful_of(counts, melds, tables, useful)``
    fills bool[34] as ``ukeire`` does and returns the shanten.

They accept any number of tiles, at most four of a kind. A search that changes a hand tile by tile can keep
the codes and look up one id per change. For the method and the tables see ``manue.hand.tables``.
"""

from typing import Literal, TypeAlias

import numpy as np

from manue.arrays import U8, Bool
from manue.compiled import compiled, inlined
from manue.errors import HandError
from manue.hand.counts import (
    BatchLike,
    CountsLike,
    as_batch,
    as_counts,
    base5,
    fault,
    is_valid,
    orphans_among,
    pairs_and_kinds,
    word_of,
    words_of,
)
from manue.hand.tables import (
    FINAL_AT,
    HONOR_IDS_AT,
    HONOR_ROWS,
    SUIT_HONORS,
    SUIT_HONORS_AT,
    SUIT_IDS_AT,
    SUIT_ROWS,
    TWO_SUITS,
    TWO_SUITS_AT,
    load_tables,
)
from manue.tiles import Counts

Ids: TypeAlias = tuple[int, int, int, int]

UNAVAILABLE = 127
"""Shanten of what there is not: a form ruled out by called sets, a discard of a kind that is not held."""

TABLES = load_tables()
_INVALID = -100


def shanten(counts: CountsLike, melds: int = 0) -> int:
    """Return the shanten: the lowest over the forms that are available.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles by kind: 13 or 14, three fewer for each meld.
    melds : int
        Called sets and kans, 0..4.

    Returns
    -------
    int
        From -1 (complete) up to 6 without melds, or up to ``8 - 2 * melds`` with them.

    Raises
    ------
    HandError
        If there are five of a kind, a wrong number of tiles, or too many melds.
    """
    hand = as_counts(counts)
    value = _checked_shanten(hand, melds, TABLES.packed)
    if value == _INVALID:
        raise HandError(fault(hand, melds))
    return value


def shanten_forms(counts: CountsLike, melds: int = 0) -> tuple[int, int, int]:
    """Return the shanten of the regular form, of seven pairs and of thirteen orphans.

    Seven pairs need seven different kinds. A form that is not available has 127. Parameters and errors are
    as for ``shanten``.
    """
    hand = as_counts(counts)
    forms = _checked_forms(hand, melds, TABLES.packed)
    if forms[0] == _INVALID:
        raise HandError(fault(hand, melds))
    return forms


def ukeire(counts: CountsLike, melds: int = 0) -> Bool:
    """Mark the kinds that lower the shanten.

    For 13 tiles: the kinds to draw. For 14: the kinds that lower it when drawn after some discard that keeps
    the shanten. A kind held four times is never useful, and a complete hand has no useful kinds. Parameters
    and errors are as for ``shanten``.

    Returns
    -------
    bool[34]
    """
    hand = as_counts(counts)
    useful = np.empty(34, np.bool_)
    if _checked_useful(hand, melds, TABLES.packed, useful) == _INVALID:
        raise HandError(fault(hand, melds))
    return useful


def ukeire_by_discard(counts: CountsLike, melds: int = 0) -> tuple[Counts, Bool]:
    """Return the shanten and the useful kinds after each discard from a 14-tile hand.

    Returns
    -------
    shanten : int8[34]
        Shanten after discarding each kind; 127 for kinds that are not held.
    useful : bool[34, 34]
        ``useful[discard]`` marks the kinds that lower it.

    Raises
    ------
    HandError
        As for ``shanten``, and for a hand of 13 tiles.
    """
    hand = as_counts(counts)
    useful = np.zeros((34, 34), np.bool_)
    after = np.full(34, UNAVAILABLE, np.int8)
    if _checked_discards(hand.copy(), melds, TABLES.packed, after, useful) == _INVALID:
        raise HandError(fault(hand, melds, sizes=(14,)))
    return after, useful


def shanten_batch(
    counts: BatchLike, melds: int | CountsLike = 0, *, forms: bool | Literal["regular"] = False
) -> Counts:
    """Return the shanten of many hands.

    Parameters
    ----------
    counts : int8[n, 34]
        Concealed tiles of each hand.
    melds : int or int[n]
        Called sets: one number for all hands, or one for each.
    forms : bool or "regular"
        ``True`` for the three forms separately, ``"regular"`` for the regular form alone.

    Returns
    -------
    int8[n] or, with ``forms=True``, int8[n, 3]

    Raises
    ------
    HandError
        As for ``shanten``; the message gives the index of the hand.
    """
    hands, called = as_batch(counts, melds)
    out = np.empty((len(hands), 3) if forms is True else len(hands), np.int8)
    if forms is True:
        bad = _forms_batch(hands, called, TABLES.packed, out)
    else:
        kernel = _regular_batch if forms == "regular" else _shanten_batch
        bad = kernel(hands, called, TABLES.packed, out)
    if bad >= 0:
        raise HandError(f"hand {bad}: {fault(hands[bad], int(called[bad]))}")
    return out


def ukeire_batch(counts: BatchLike, melds: int | CountsLike = 0) -> Bool:
    """Mark the kinds that lower the shanten of each hand, bool[n, 34]; see ``ukeire``, ``shanten_batch``."""
    hands, called = as_batch(counts, melds)
    useful = np.empty((len(hands), 34), np.bool_)
    bad = _useful_batch(hands, called, TABLES.packed, useful)
    if bad >= 0:
        raise HandError(f"hand {bad}: {fault(hands[bad], int(called[bad]))}")
    return useful


@inlined
def _suit_code(counts: Counts, suit: int) -> int:
    """Return the base-5 code of suit 0, 1 or 2 of counts int8[34]."""
    return base5(word_of(counts, 9 * suit)) + 5**8 * int(counts[9 * suit + 8])


@inlined
def _honor_code(counts: Counts) -> int:
    """Return the base-5 code of the honors of counts int8[34]."""
    return base5(word_of(counts, 26) >> np.uint64(8))


@inlined
def suit_id(code: int, tables: U8) -> int:
    """Return the row id, 0..125, of a suit."""
    return int(np.int64(tables[SUIT_IDS_AT + code]))


@inlined
def honor_id(code: int, tables: U8) -> int:
    """Return the row id, 0..54, of a group of honors."""
    return int(np.int64(tables[HONOR_IDS_AT + code]))


@inlined
def group_ids(counts: Counts, tables: U8) -> Ids:
    """Return the row ids of the three suits and the honors of counts int8[34]."""
    return _ids_of_codes(_codes(counts), tables)


@inlined
def _codes(counts: Counts) -> Ids:
    return _suit_code(counts, 0), _suit_code(counts, 1), _suit_code(counts, 2), _honor_code(counts)


@inlined
def _ids_of_codes(codes: Ids, tables: U8) -> Ids:
    return (
        suit_id(codes[0], tables),
        suit_id(codes[1], tables),
        suit_id(codes[2], tables),
        honor_id(codes[3], tables),
    )


@inlined
def regular_of_ids(ids: Ids, melds: int, tables: U8) -> int:
    """Return the regular shanten of a hand given by its four row ids."""
    left = int(tables[TWO_SUITS_AT + SUIT_ROWS * ids[0] + ids[1]])
    right = int(tables[SUIT_HONORS_AT + HONOR_ROWS * ids[2] + ids[3]])
    return int(tables[FINAL_AT + SUIT_HONORS * (TWO_SUITS * melds + left) + right]) - 1


@inlined
def regular_of(counts: Counts, melds: int, tables: U8) -> int:
    """Return the shanten of the regular form of counts int8[34]."""
    return regular_of_ids(group_ids(counts, tables), melds, tables)


@inlined
def seven_pairs_of(counts: Counts) -> int:
    """Return the shanten of seven different pairs of counts int8[34]."""
    pairs, kinds = pairs_and_kinds(words_of(counts))
    return seven_pairs_from(pairs, kinds)


@inlined
def seven_pairs_from(pairs: int, kinds: int) -> int:
    """Return the shanten of seven pairs from the number of kinds held at least twice, and held at all."""
    return 6 - min(pairs, 7) + max(0, 7 - kinds)


@inlined
def orphans_of(counts: Counts) -> int:
    """Return the shanten of thirteen orphans of counts int8[34]."""
    pairs, kinds = pairs_and_kinds(orphans_among(words_of(counts)))
    return orphans_from(pairs, kinds)


@inlined
def orphans_from(pairs: int, kinds: int) -> int:
    """Return the shanten of thirteen orphans from the same numbers, among terminals and honors."""
    return 13 - kinds - min(pairs, 1)


@inlined
def shanten_of(counts: Counts, melds: int, tables: U8) -> int:
    """Return the lowest shanten over the available forms of counts int8[34]."""
    regular = regular_of(counts, melds, tables)
    if melds > 0:
        return regular
    return min(regular, seven_pairs_of(counts), orphans_of(counts))


@compiled
def useful_of(counts: Counts, melds: int, tables: U8, useful: Bool) -> int:
    """Fill ``useful``, bool[34], with what lowers the shanten of counts int8[34]; return the shanten."""
    useful[:] = False
    regular = regular_of(counts, melds, tables)
    if melds > 0:
        _mark_regular(counts, melds, regular, tables, useful)
        return regular
    seven_pairs, orphans = seven_pairs_of(counts), orphans_of(counts)
    best = min(regular, seven_pairs, orphans)
    if regular == best:
        _mark_regular(counts, melds, best, tables, useful)
    if seven_pairs == best:
        _mark_seven_pairs(counts, useful)
    if orphans == best:
        _mark_orphans(counts, useful)
    return best


@compiled
def _mark_regular(counts: Counts, melds: int, shanten: int, tables: U8, useful: Bool) -> None:
    """Add the kinds that lower the regular shanten, by looking up the changed id of each group.

    The code of a kind held four times is not raised, so such a kind never counts.
    """
    if shanten < 0:
        return
    codes = _codes(counts)
    id0, id1, id2, id3 = _ids_of_codes(codes, tables)
    power = 1
    for number in range(9):
        new0 = suit_id(codes[0] + power * (counts[number] < 4), tables)
        new1 = suit_id(codes[1] + power * (counts[9 + number] < 4), tables)
        new2 = suit_id(codes[2] + power * (counts[18 + number] < 4), tables)
        useful[number] = regular_of_ids((new0, id1, id2, id3), melds, tables) < shanten
        useful[9 + number] = regular_of_ids((id0, new1, id2, id3), melds, tables) < shanten
        useful[18 + number] = regular_of_ids((id0, id1, new2, id3), melds, tables) < shanten
        if number < 7:
            new3 = honor_id(codes[3] + power * (counts[27 + number] < 4), tables)
            useful[27 + number] = regular_of_ids((id0, id1, id2, new3), melds, tables) < shanten
        power *= 5


@compiled
def _mark_seven_pairs(counts: Counts, useful: Bool) -> None:
    """Add the kinds that make a pair, and new kinds while there are fewer than seven."""
    pairs, kinds = pairs_and_kinds(words_of(counts))
    if pairs < 7:
        for kind in range(34):
            useful[kind] |= counts[kind] == 1 or (counts[kind] == 0 and kinds < 7)


@compiled
def _mark_orphans(counts: Counts, useful: Bool) -> None:
    """Add the terminals and honors not yet held, and all of them while there is no pair."""
    pairs, kinds = pairs_and_kinds(orphans_among(words_of(counts)))
    if kinds < 13 or pairs == 0:
        for kind in range(34):
            if kind >= 27 or kind % 9 == 0 or kind % 9 == 8:
                useful[kind] |= counts[kind] == 0 or (counts[kind] == 1 and pairs == 0)


@compiled
def _checked_shanten(counts: Counts, melds: int, tables: U8) -> int:
    if not is_valid(counts, melds):
        return _INVALID
    return shanten_of(counts, melds, tables)


@inlined
def _forms_of(counts: Counts, melds: int, tables: U8) -> tuple[int, int, int]:
    regular = regular_of(counts, melds, tables)
    if melds > 0:
        return regular, UNAVAILABLE, UNAVAILABLE
    return regular, seven_pairs_of(counts), orphans_of(counts)


@compiled
def _checked_forms(counts: Counts, melds: int, tables: U8) -> tuple[int, int, int]:
    if not is_valid(counts, melds):
        return _INVALID, _INVALID, _INVALID
    return _forms_of(counts, melds, tables)


@compiled
def _checked_useful(counts: Counts, melds: int, tables: U8, useful: Bool) -> int:
    if not is_valid(counts, melds):
        return _INVALID
    return useful_of(counts, melds, tables, useful)


@compiled
def _checked_discards(counts: Counts, melds: int, tables: U8, after: Counts, useful: Bool) -> int:
    if not is_valid(counts, melds) or counts.sum() + 3 * melds != 14:
        return _INVALID
    for kind in range(34):
        if counts[kind] > 0:
            counts[kind] -= 1
            after[kind] = useful_of(counts, melds, tables, useful[kind])
            counts[kind] += 1
    return 0


@compiled
def _shanten_batch(counts: Counts, melds: Counts, tables: U8, out: Counts) -> int:
    """Fill ``out``; return the index of the first invalid hand, or -1."""
    for row in range(len(counts)):
        if not is_valid(counts[row], melds[row]):
            return row
        out[row] = shanten_of(counts[row], melds[row], tables)
    return -1


@compiled
def _regular_batch(counts: Counts, melds: Counts, tables: U8, out: Counts) -> int:
    for row in range(len(counts)):
        if not is_valid(counts[row], melds[row]):
            return row
        out[row] = regular_of(counts[row], melds[row], tables)
    return -1


@compiled
def _forms_batch(counts: Counts, melds: Counts, tables: U8, out: Counts) -> int:
    for row in range(len(counts)):
        if not is_valid(counts[row], melds[row]):
            return row
        out[row, 0], out[row, 1], out[row, 2] = _forms_of(counts[row], melds[row], tables)
    return -1


@compiled
def _useful_batch(counts: Counts, melds: Counts, tables: U8, useful: Bool) -> int:
    for row in range(len(counts)):
        if not is_valid(counts[row], melds[row]):
            return row
        useful_of(counts[row], melds[row], tables, useful[row])
    return -1
