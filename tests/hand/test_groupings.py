"""The shanten that all groupings of the tiles lead to, and these against every partition of the tiles."""

import numpy as np
import pytest

from manue.hand.shanten import shanten_forms
from manue.tiles import KIND_OF, parse_tiles
from tests.oracles.groupings import groupings, shanten
from tests.oracles.hands import random_hands


def partitions(items):
    """Every way to part a list, as positions, into groups of at most three."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for others in [(), *((x,) for x in rest), *((x, y) for i, x in enumerate(rest) for y in rest[i + 1 :])]:
        left = [item for item in rest if item not in others]
        for tail in partitions(left):
            yield [(first, *others), *tail]


def is_group(kinds):
    low, high = kinds[0], kinds[-1]
    if len(kinds) == 1 or low == high:
        return True
    near = high < 27 and low // 9 == high // 9 and high - low <= 2
    return near and (len(kinds) == 2 or kinds == (low, low + 1, low + 2))


def by_brute_force(kinds):
    found = set()
    for parts in partitions(list(range(len(kinds)))):
        groups = [tuple(sorted(kinds[at] for at in part)) for part in parts]
        if all(map(is_group, groups)):
            found.add(tuple(sorted(groups)))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1m",
        "11m",
        "8m9m1p2p",
        "123m",
        "1112m",
        "1133m55z",
        "2233445m",
        "5550m",
        "89m1p2s1z2z",
        "11122333p",
    ],
)
def test_every_partition_and_none_twice(text):
    kinds = tuple(sorted(KIND_OF[tile] for tile in parse_tiles(text)))
    found = [tuple(sorted(groups)) for groups in groupings(kinds)]
    assert len(found) == len(set(found))
    assert set(found) == by_brute_force(kinds)


@pytest.mark.parametrize("kind", ["uniform", "honors", "near complete", "melded"])
def test_the_least_shanten_of_all_groupings_is_that_of_the_hand(kind):
    counts, melds = random_hands(kind, 5, 5)
    for hand, called in zip(counts, melds.tolist(), strict=True):
        if hand.max() < 4:
            kinds = np.repeat(np.arange(34), hand).tolist()
            assert shanten(kinds, called) == shanten_forms(hand, called)[0]
