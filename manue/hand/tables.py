"""The tables behind shanten: built from scratch in seconds, stored with the package, checked when loaded.

For the regular form only one thing about a suit matters: how many tiles it lacks for ``j`` sets, without and
with the pair, ``j`` = 0..4. That row of ten distances takes 126 different values over all 5^9 suits and 55
over all 5^7 groups of honors, so a one-byte row *id* is enough to describe a group of tiles. Rows combine by
min-plus; two suits combine into 180 different rows, a suit and the honors into 165, so the shanten of a hand
is one look-up: ``final[melds, two_suits[id0, id1], suit_honors[id2, id3]]``.

The ids come from an automaton that reads a group tile by tile. Its states list the minimum numbers of missing
tiles for everything that may still be open; equal lists are merged (at most 3 787 states per position). The
row at the end is the one published by tomohxx (https://github.com/tomohxx/shanten-number) for each group.

``python -m manue.hand.tables`` rebuilds the file and reports whether its digest is the one the code expects.
"""

import hashlib
import sys
import zlib
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from manue.arrays import I8, I64, U8
from manue.errors import ModelError

PATH = Path(__file__).with_name("shanten.bin")
SHA256 = "b3a7313ce690533f59f0382a81a57f0d740aaab1f05d560863ce5cae415a733f"

SUIT_CODES = 5**9
HONOR_CODES = 5**7
SUIT_ROWS = 126
HONOR_ROWS = 55
TWO_SUITS = 180
SUIT_HONORS = 165
IMPOSSIBLE = 99
"""Missing tiles of what cannot be; more than any hand misses."""

SUIT_IDS_AT = 0
HONOR_IDS_AT = SUIT_IDS_AT + SUIT_CODES
TWO_SUITS_AT = HONOR_IDS_AT + HONOR_CODES
SUIT_HONORS_AT = TWO_SUITS_AT + SUIT_ROWS * SUIT_ROWS
FINAL_AT = SUIT_HONORS_AT + SUIT_ROWS * HONOR_ROWS
SUIT_ROWS_AT = FINAL_AT + 5 * TWO_SUITS * SUIT_HONORS
HONOR_ROWS_AT = SUIT_ROWS_AT + SUIT_ROWS * 10
SIZE = HONOR_ROWS_AT + HONOR_ROWS * 10


class ShantenTables(NamedTuple):
    """The tables, as views of one block of bytes.

    Compiled functions take ``packed`` (one array is quicker to pass than six); the others are parts of it.

    Attributes
    ----------
    packed : uint8[SIZE]
        All of the following, at the offsets ``SUIT_IDS_AT`` and so on.
    suit_ids : uint8[5**9]
        Row of every suit; the code of a suit is the sum of ``count * 5**(number - 1)``.
    honor_ids : uint8[5**7]
        Row of every group of honors, with E as the lowest digit.
    two_suits : uint8[126, 126]
        Combined row, 0..179, of two suits.
    suit_honors : uint8[126, 55]
        Combined row, 0..164, of a suit and the honors.
    final : uint8[5, 180, 165]
        Regular shanten + 1 (the number of missing tiles) by melds and the two combined rows.
    suit_rows : uint8[126, 10]
        Missing tiles for ``j`` sets (column ``2 * j``) and for ``j`` sets and a pair (``2 * j + 1``).
    honor_rows : uint8[55, 10]
        The same for honors.
    """

    packed: U8
    suit_ids: U8
    honor_ids: U8
    two_suits: U8
    suit_honors: U8
    final: U8
    suit_rows: U8
    honor_rows: U8


def load_tables(path: Path = PATH) -> ShantenTables:
    """Read the tables of the package.

    Raises
    ------
    ModelError
        If the file is missing, damaged, or not the one this code was written for.
    """
    try:
        data = zlib.decompress(path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path}: cannot read the shanten tables: {error.strerror}") from error
    except zlib.error as error:
        raise ModelError(f"{path}: the shanten tables are damaged: {error}") from error
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ModelError(f"{path}: the shanten tables are damaged: the digest differs")
    return split_tables(np.frombuffer(data, np.uint8))


def split_tables(packed: U8) -> ShantenTables:
    """Split the block of bytes, uint8[n], into its named parts."""
    return ShantenTables(
        packed,
        packed[SUIT_IDS_AT:HONOR_IDS_AT],
        packed[HONOR_IDS_AT:TWO_SUITS_AT],
        packed[TWO_SUITS_AT:SUIT_HONORS_AT].reshape(SUIT_ROWS, SUIT_ROWS),
        packed[SUIT_HONORS_AT:FINAL_AT].reshape(SUIT_ROWS, HONOR_ROWS),
        packed[FINAL_AT:SUIT_ROWS_AT].reshape(5, TWO_SUITS, SUIT_HONORS),
        packed[SUIT_ROWS_AT:HONOR_ROWS_AT].reshape(SUIT_ROWS, 10),
        packed[HONOR_ROWS_AT:SIZE].reshape(HONOR_ROWS, 10),
    )


def build_tables() -> ShantenTables:
    """Compute all tables from the rules of the game."""
    suit_rows, suit_ids = _group_rows(9, runs=True)
    honor_rows, honor_ids = _group_rows(7, runs=False)
    two_suits_rows, two_suits = _combined(suit_rows, suit_rows)
    suit_honors_rows, suit_honors = _combined(suit_rows, honor_rows)
    final = np.stack([_missing(two_suits_rows, suit_honors_rows, 4 - melds) for melds in range(5)])
    parts = (suit_ids, honor_ids, two_suits, suit_honors, final, suit_rows, honor_rows)
    return split_tables(np.concatenate([part.reshape(-1).astype(np.uint8) for part in parts]))


def _group_rows(kinds: int, *, runs: bool) -> tuple[I8, I64]:
    """Return the distinct rows of a group of neighbouring kinds, and the row of every code."""
    states = np.full((1, 5, 5, 5, 2), IMPOSSIBLE, np.int8)
    states[0, 0, 0, 0, 0] = 0
    ids = np.zeros(1, np.int64)
    for kind in range(kinds):
        following = _next_states(states, may_open=runs and kind + 2 < kinds)
        unique, index = np.unique(following.reshape(len(states) * 5, -1), axis=0, return_inverse=True)
        ids = index.reshape(len(states), 5)[ids].T.reshape(-1)
        states = unique.reshape(-1, 5, 5, 5, 2)
    rows, index = np.unique(states[:, 0, 0].reshape(-1, 10), axis=0, return_inverse=True)
    return rows, index.reshape(-1)[ids]


def _next_states(states: I8, *, may_open: bool) -> I8:
    """Read one kind: int8[n, 5, 5, 5, 2] -> int8[n, 5 (copies held), 5, 5, 5, 2].

    A state holds the minimum number of missing tiles by (runs begun one kind ago, begun two kinds ago,
    sets so far, pair or not). At most four copies of a kind are ever needed.
    """
    following = np.full((len(states), 5, 5, 5, 5, 2), IMPOSSIBLE, np.int8)
    for one_ago, two_ago, opened, triplet, pair in np.ndindex(5, 5, 5 if may_open else 1, 2, 2):
        wanted = one_ago + two_ago + opened + 3 * triplet + 2 * pair
        sets = opened + triplet
        if wanted > 4 or sets > 4:
            continue
        before = states[:, one_ago, two_ago, : 5 - sets, : 2 - pair]
        for held in range(5):
            after = following[:, held, opened, one_ago, sets:, pair:]
            np.minimum(after, before + max(0, wanted - held), out=after)
    return np.minimum(following, IMPOSSIBLE)


def _combined(left: I8, right: I8) -> tuple[I8, I64]:
    """Return the distinct min-plus sums of two lists of rows, and which one each pair of rows gives."""
    left, right = left.reshape(-1, 1, 5, 2), right.reshape(1, -1, 5, 2)
    sums = np.full((left.shape[0], right.shape[1], 5, 2), IMPOSSIBLE, np.int8)
    for j, i in np.ndindex(5, 5):
        if i + j < 5:
            without = left[:, :, j, 0] + right[:, :, i, 0]
            with_pair = np.minimum(left[:, :, j, 0] + right[:, :, i, 1], left[:, :, j, 1] + right[:, :, i, 0])
            for pair, value in enumerate((without, with_pair)):
                np.minimum(sums[:, :, i + j, pair], value, out=sums[:, :, i + j, pair])
    rows, index = np.unique(sums.reshape(-1, 10), axis=0, return_inverse=True)
    return rows, index.reshape(sums.shape[:2])


def _missing(left: I8, right: I8, sets: int) -> I8:
    """Return the tiles missing for this many sets and a pair: int8[rows, rows]."""
    left, right = left.reshape(-1, 1, 5, 2), right.reshape(1, -1, 5, 2)
    splits = [
        left[:, :, j, pair] + right[:, :, sets - j, 1 - pair] for j in range(sets + 1) for pair in range(2)
    ]
    least: I8 = np.minimum.reduce(splits)
    return least


def main() -> int:
    """Rebuild the stored file; the exit code is 1 if its digest is not the expected one."""
    start = perf_counter()
    packed = build_tables().packed.tobytes()
    digest = hashlib.sha256(packed).hexdigest()
    PATH.write_bytes(zlib.compress(packed, 9))
    sizes = f"{len(packed)} bytes, {PATH.stat().st_size} compressed"
    print(f"{PATH}: {sizes}, {perf_counter() - start:.1f} s\nsha256 {digest}")
    if digest != SHA256:
        print(f"the code expects {SHA256}: set SHA256 in {__file__} if that is intended", file=sys.stderr)
    return int(digest != SHA256)


if __name__ == "__main__":
    sys.exit(main())
