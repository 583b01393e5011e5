"""Random numbers of a table: xorshift64*, its state in ``rng``, which is not 0.

Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016.
"""

from typing import Any

import numpy as np

from manue.compiled import compiled, inlined

_MULTIPLIER = np.uint64(2685821657736338717)
_BITS = 31


@compiled
def _next_word(t: Any) -> int:
    """Return the highest `_BITS` bits of the next number."""
    word = t["rng"]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    t["rng"] = word
    return int(np.int64((word * _MULTIPLIER) >> np.uint64(64 - _BITS)))


@inlined
def random_below(t: Any, bound: int) -> int:
    """Return a random number 0..bound - 1."""
    return _next_word(t) * bound >> _BITS


@inlined
def random_share(t: Any) -> float:
    """Return a random number from 0 to 1."""
    return _next_word(t) / (1 << _BITS)
