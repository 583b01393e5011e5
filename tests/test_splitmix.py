"""The numbers of Splitmix64 are the published ones, compiled and plain."""

import numpy as np
import pytest

from manue.splitmix import STEP, splitmix64

PUBLISHED = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
"""The first numbers for the seed 1234567 (rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64)."""


@pytest.mark.parametrize("function", [splitmix64, splitmix64.py_func], ids=["compiled", "plain"])
def test_the_published_numbers(function):
    with np.errstate(over="ignore"):
        states = [np.uint64(1234567) + np.uint64(at) * STEP for at in range(len(PUBLISHED))]
        assert [int(function(state)) for state in states] == PUBLISHED
