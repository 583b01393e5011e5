"""Splitmix64 (Steele, Lea, Flood 2014): random words from a word that only counts, and seeds from seeds."""

from typing import Any

import numpy as np

from manue.compiled import inlined

STEP = np.uint64(0x9E3779B97F4A7C15)
"""What is added to the state for every number."""


@inlined
def splitmix64(state: np.uint64) -> Any:  # a uint64, but mypy infers int after shifts
    """Return the number that follows a state, uint64; the state after it is ``state + STEP``."""
    word = state + STEP
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
