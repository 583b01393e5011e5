"""Random numbers of a table: xorshift64*, its state in ``rng``, which is not 0."""

from typing import Any

import numpy as np

from manue.compiled import compiled, inlined


@compiled
def _next_word(t: Any) -> int:
    """Return 31 random bits."""
    word = t["rng"]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    t["rng"] = word
    return int(np.int64((word * np.uint64(2685821657736338717)) >> np.uint64(33)))


@inlined
def random_below(t: Any, bound: int) -> int:
    """Return a random number 0..bound - 1."""
    return _next_word(t) * bound >> 31


@inlined
def random_share(t: Any) -> float:
    """Return a random number from 0 to 1."""
    return _next_word(t) / 2147483648.0
