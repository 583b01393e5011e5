"""Walls by seed: the tiles that riichienv deals for the same seed and round.

riichienv shuffles with Rust's `rand`: the generator is ChaCha with 12 rounds, its key is expanded from the
seed by PCG32, and the Fisher-Yates shuffle takes several indices out of one random word while they fit.
"""

import numpy as np

from manue.arrays import I8, I16, U32
from manue.compiled import compiled, inlined
from manue.sim.codes import TILE_NUMBER
from manue.splitmix import splitmix64
from manue.tiles import RED_OF

WALL_TILES = 136
DEALT = 52
STEP_OF_DEALT: I8 = np.array(
    [step for block in (4, 4, 4, 1) for step in range(4) for _ in range(block)],
    np.int8,
)
"""Who gets each of the first tiles of the wall: seats after the dealer."""
INDICATORS_AT = WALL_TILES - 5
"""Place of the first dora indicator in the wall; each further one lies two places before it."""
URA_AT = INDICATORS_AT - 1
"""Place of the first ura indicator, and so on likewise."""
_KEY_WORDS, _BLOCK_WORDS, _DOUBLE_ROUNDS = 8, 16, 6
_WORD = 0xFFFFFFFF

_NUMBERS = {kind: TILE_NUMBER[red] for kind, red in RED_OF.items()}
TILE_OF_PHYSICAL: I16 = np.array(
    [_NUMBERS.get(tile // 4, tile // 4) if tile % 4 == 0 else tile // 4 for tile in range(WALL_TILES)],
    np.int16,
)
"""Number of each physical tile as `manue.tiles.TILES` counts: 0..33 the kinds, 34..36 the red fives."""


@compiled
def fill_wall(seed: np.uint64, number: int, wall: I16) -> None:
    """Shuffle the tiles of a round of a game into ``wall``, int16[136], in the order in which they are drawn.

    The first 52 are dealt; the last 14 are the dead wall: replacement tiles from the end, then the
    indicators (positions 131, 129...) each followed by its ura indicator (130, 128...).

    Parameters
    ----------
    seed : uint64
        Of the game.
    number : int
        Of the round within the game, from 0. riichienv shuffles once before the first.
    wall : int16[136]
        Filled with tile numbers.
    """
    key = np.empty(_KEY_WORDS, np.uint32)
    block = np.empty(_BLOCK_WORDS, np.uint32)
    _expand(splitmix64(seed + np.uint64(number + 1)), key)
    for tile in range(WALL_TILES):
        wall[tile] = tile
    used = _BLOCK_WORDS
    blocks = 0
    chunk, left = 0, 1  # the first index is 0 without a random number
    for at in range(WALL_TILES):
        if left == 0:
            bound, left = _bound_of(at + 1)
            if used == _BLOCK_WORDS:
                _chacha(key, blocks, block)
                used, blocks = 0, blocks + 1
            product = np.uint64(block[used]) * np.uint64(bound)
            used += 1
            chunk = int(np.int64(product >> np.uint64(32)))
            low = int(np.int64(product & np.uint64(_WORD)))
            if low > (_WORD + 1) - bound:  # this sample is biased: a second word corrects it
                if used == _BLOCK_WORDS:
                    _chacha(key, blocks, block)
                    used, blocks = 0, blocks + 1
                more = int(np.int64(np.uint64(block[used]) * np.uint64(bound) >> np.uint64(32)))
                used += 1
                chunk += low + more > _WORD
        left -= 1
        other = chunk
        if left > 0:
            other = chunk % (at + 1)
            chunk //= at + 1
        wall[at], wall[other] = wall[other], wall[at]
    for at in range(WALL_TILES):
        wall[at] = TILE_OF_PHYSICAL[wall[at]]


@compiled
def _expand(state: np.uint64, key: U32) -> None:
    """Fill the key from a seed: PCG32."""
    for at in range(_KEY_WORDS):
        state = state * np.uint64(6364136223846793005) + np.uint64(11634580027462260723)
        mixed = ((state >> np.uint64(18)) ^ state) >> np.uint64(27) & np.uint64(_WORD)
        turn = state >> np.uint64(59)
        key[at] = (mixed >> turn | mixed << (np.uint64(32) - turn & np.uint64(31))) & np.uint64(_WORD)


@compiled
def _bound_of(first: int) -> tuple[int, int]:
    """Return the largest product first * (first + 1) * ... of 32 bits, and its number of factors."""
    product, current = first, first + 1
    while product * current <= _WORD:
        product *= current
        current += 1
    return product, current - first


@compiled
def _chacha(key: U32, counter: int, block: U32) -> None:
    """Fill one block of random words."""
    start = np.empty(_BLOCK_WORDS, np.uint32)
    # in letters: "expand 32-byte k"
    start[0], start[1], start[2], start[3] = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    start[4:12] = key
    start[12:] = 0
    start[12] = counter
    block[:] = start
    for _ in range(_DOUBLE_ROUNDS):
        for at in range(4):
            _quarter(block, at, 4 + at, 8 + at, 12 + at)
        for at in range(4):
            _quarter(block, at, 4 + (at + 1) % 4, 8 + (at + 2) % 4, 12 + (at + 3) % 4)
    block += start


@inlined
def _quarter(block: U32, a: int, b: int, c: int, d: int) -> None:
    block[a] += block[b]
    block[d] = _rotated(block[d] ^ block[a], 16)
    block[c] += block[d]
    block[b] = _rotated(block[b] ^ block[c], 12)
    block[a] += block[b]
    block[d] = _rotated(block[d] ^ block[a], 8)
    block[c] += block[d]
    block[b] = _rotated(block[b] ^ block[c], 7)


@inlined
def _rotated(word: np.uint32, by: int) -> np.uint32:
    return np.uint32(word << np.uint32(by) | word >> np.uint32(32 - by))
