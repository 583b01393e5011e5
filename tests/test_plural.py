"""Counts in words."""

import pytest

from manue.plural import counted


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (12_345, "12,345 games")]
)
def test_one_thing_is_named_in_the_singular(number, words):
    assert counted(number, "game") == words
