"""The tiles of a hand as numbers: input checks, and eight kinds packed into a word for the kernels."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from manue.as_text import counted
from manue.compiled import compiled, inlined
from manue.errors import HandError
from manue.tiles import COPIES, KIND_OF, KINDS, RED_FIVES, Counts, Tile, counts_of

CountsLike: TypeAlias = npt.NDArray[np.integer] | Sequence[int]
BatchLike: TypeAlias = npt.NDArray[np.integer] | Sequence[Sequence[int]]

Words: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
_INT8 = np.dtype(np.int8)
_ONES = np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x8080808080808080)
_TO_HIGH_BIT_FROM_1 = np.uint64(0x7F7F7F7F7F7F7F7F)
_TO_HIGH_BIT_FROM_2 = np.uint64(0x7E7E7E7E7E7E7E7E)
_TO_HIGH_BIT_FROM_5 = np.uint64(0x7B7B7B7B7B7B7B7B)
_EVEN_8 = np.uint64(0x00FF00FF00FF00FF)
_EVEN_16 = np.uint64(0x0000FFFF0000FFFF)
_EVEN_32 = np.uint64(0x00000000FFFFFFFF)


def counts_in_sight(tiles: Sequence[Tile], where: str) -> Counts:
    """Count tiles by kind, int8[34]; raises HandError, which says ``where``, for more than there are."""
    for kind, copies in Counter(KIND_OF[tile] for tile in tiles).items():
        if copies > COPIES:
            raise HandError(f"{copies} copies of {KINDS[kind]} {where}; there are only {COPIES}")
    for red in RED_FIVES:
        if tiles.count(red) > 1:
            raise HandError(f"{tiles.count(red)} copies of {red} {where}; there is only one")
    return counts_of(tiles)


def checked_hand(counts: CountsLike, melds: int = 0) -> Counts:
    """Return the counts of a hand as int8[34].

    Raises
    ------
    HandError
        If there are five of a kind, too many melds, or not 13 or 14 tiles less three for each meld.
    """
    hand = as_counts(counts)
    if not _is_hand(hand, melds):
        raise HandError(fault(hand, melds))
    return hand


def as_counts(counts: CountsLike) -> Counts:
    """Return any integers as a contiguous int8[34]; the hand itself is not checked.

    Raises
    ------
    HandError
        If the shape is another one, or the numbers are not whole.
    """
    array = np.ascontiguousarray(counts)
    if array.dtype != _INT8:
        array = _as_int8(array)
    if array.shape != (34,):
        raise HandError(f"counts of shape {array.shape}: one number for each of the 34 kinds is needed")
    return array


def as_batch(counts: BatchLike, melds: int | CountsLike) -> tuple[Counts, Counts]:
    """Return int8[n, 34] counts and int8[n] melds; the hands themselves are not checked.

    Raises
    ------
    HandError
        As `as_counts`, or if there is not one number of melds for each hand.
    """
    array = np.ascontiguousarray(counts)
    if array.dtype != _INT8:
        array = _as_int8(array)
    if array.ndim != 2 or array.shape[1] != 34:
        raise HandError(f"counts of shape {array.shape}: a table of n hands by 34 kinds is needed")
    called = np.asarray(melds)
    if called.ndim and called.shape != array.shape[:1]:
        raise HandError(f"melds of shape {called.shape} for {len(array)} hands")
    full = np.empty(len(array), np.int8)
    full[:] = _as_int8(called)
    return array, full


def _as_int8(array: npt.NDArray[np.integer]) -> Counts:
    if array.dtype.kind not in "iu":
        raise HandError(f"counts and melds must be whole numbers, not {array.dtype}")
    inside: Counts = np.clip(array, -100, 100).astype(np.int8)
    return inside


def fault(counts: Counts, melds: int, sizes: tuple[int, ...] = (13, 14)) -> str:
    """Describe in one line what is wrong with a hand, int8[34], of ``sizes`` tiles without calls."""
    if not 0 <= melds <= 4:
        return f"{melds} melds: a hand has 0 to 4"
    for kind in np.flatnonzero((counts < 0) | (counts > COPIES)):
        return f"{counts[kind]} copies of {KINDS[kind]}: there are {COPIES} of each kind"
    wanted = " or ".join(str(size - 3 * melds) for size in sizes)
    held = f"{counted(counts.sum(dtype=int), 'tile')} with {counted(melds, 'meld')}"
    return f"{held}: {wanted} concealed tiles are needed"


@inlined
def words_of(counts: Counts) -> Words:
    """Pack the counts: kinds 0-7, 9-16, 18-25 and 26-33, a byte each, then kinds 8 and 17.

    Counts of 0..4 leave room in every byte, so one operation on a word handles eight kinds at once.
    """
    ends = np.uint64(np.uint8(counts[8])) | np.uint64(np.uint8(counts[17])) << np.uint64(8)
    return word_of(counts, 0), word_of(counts, 9), word_of(counts, 18), word_of(counts, 26), ends


@inlined
def word_of(counts: Counts, first: int) -> np.uint64:
    """Pack the counts of eight neighbouring kinds, the first in the lowest byte."""
    word = np.uint64(0)
    for at in range(8):
        word |= np.uint64(np.uint8(counts[first + at])) << np.uint64(8 * at)
    return word


@inlined
def base5(word: np.uint64) -> int:
    """Return the base-5 number whose digits are the bytes of a word, the lowest first."""
    twos = (word & _EVEN_8) + (word >> np.uint64(8) & _EVEN_8) * np.uint64(5)
    fours = (twos & _EVEN_16) + (twos >> np.uint64(16) & _EVEN_16) * np.uint64(25)
    return int(np.int64((fours & _EVEN_32) + (fours >> np.uint64(32)) * np.uint64(625)))


@inlined
def byte_sum(word: np.uint64) -> int:
    """Return the sum of the bytes of a word; at most 255."""
    return int(np.int64(word * _ONES >> np.uint64(56)))


@inlined
def pairs_and_kinds(words: Words) -> tuple[int, int]:
    """Count the kinds held at least twice, and the kinds held."""
    pairs = kinds = np.uint64(0)
    for word in words:
        pairs += (word + _TO_HIGH_BIT_FROM_2) >> np.uint64(7) & _ONES
        kinds += (word + _TO_HIGH_BIT_FROM_1) >> np.uint64(7) & _ONES
    return byte_sum(pairs), byte_sum(kinds)


@inlined
def orphans_among(words: Words) -> Words:
    """Keep only the terminals and honors."""
    first = np.uint64(0xFF)
    return words[0] & first, words[1] & first, words[2] & first, words[3], words[4]


@inlined
def is_valid(counts: Counts, melds: int) -> bool:
    """Return whether a hand has at most four of a kind, 0..4 melds, and 13 or 14 tiles with them.

    ``counts`` is int8[34].
    """
    high = total = np.uint64(0)
    for word in words_of(counts):
        high |= word | (word + _TO_HIGH_BIT_FROM_5)
        total += word
    if high & _HIGH_BITS:
        return False
    return 13 <= byte_sum(total) + 3 * melds <= 14 and 0 <= melds <= 4


@compiled
def _is_hand(counts: Counts, melds: int) -> bool:
    return is_valid(counts, melds)
