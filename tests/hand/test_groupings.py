"""All groupings of tiles, against every partition of the tiles, and the shanten they lead to."""

import numpy as np
import pytest

from manue.errors import HandError
from manue.hand.groupings import TileGroup, groupings
from manue.hand.shanten import shanten_forms
from manue.tiles import KIND_OF, KINDS, parse_tiles
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


def by_brute_force(tiles):
    kinds = sorted(KIND_OF[tile] for tile in tiles)
    found = set()
    for parts in partitions(list(range(len(kinds)))):
        groups = [tuple(sorted(kinds[at] for at in part)) for part in parts]
        if all(map(is_group, groups)):
            found.add(tuple(sorted(groups)))
    return found


def in_kinds(grouping):
    return tuple(sorted(tuple(KIND_OF[tile] for tile in group.tiles) for group in grouping.groups))


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
    tiles = parse_tiles(text)
    ours = [in_kinds(grouping) for grouping in groupings(tiles)]
    assert len(ours) == len(set(ours))
    assert set(ours) == by_brute_force(tiles)


def test_random_tiles_against_every_partition():
    for seed in range(12):
        counts = random_hands("one suit", 1, seed)[0][0]
        tiles = [KINDS[kind] for kind in np.repeat(np.arange(34), counts)[:8]]
        ours = [in_kinds(grouping) for grouping in groupings(tiles)]
        assert len(ours) == len(set(ours))
        assert set(ours) == by_brute_force(tiles)


@pytest.mark.parametrize(
    ("text", "waits"),
    [
        ("23m", "1m 4m"),
        ("12m", "3m"),
        ("89s", "7s"),
        ("13p", "2p"),
        ("55p", "5p"),
        ("EE", "E"),
        ("99m", "9m"),
        ("123m", ""),
        ("E", ""),
    ],
)
def test_what_a_group_waits_for(text, waits):
    tiles = tuple(parse_tiles(text))
    first = next(grouping for grouping in groupings(tiles) if len(grouping.groups) == 1)
    assert first.groups == (TileGroup(tiles, tuple(waits.split())),)


def test_they_come_one_at_a_time():
    endless = groupings(parse_tiles("11122233344455m"))
    first = next(endless)
    assert [len(group.tiles) for group in first.groups] == [3, 3, 3, 3, 2]
    assert first.shanten() == -1


@pytest.mark.parametrize("kind", ["uniform", "honors", "near complete", "melded"])
def test_the_least_shanten_of_all_groupings_is_that_of_the_hand(kind):
    counts, melds = random_hands(kind, 5, 5)
    for hand, called in zip(counts, melds.tolist(), strict=True):
        if hand.max() < 4:  # a fifth copy is not the groupings' concern
            tiles = [KINDS[at] for at in np.repeat(np.arange(34), hand)]
            least = min(grouping.shanten(called) for grouping in groupings(tiles))
            assert least == shanten_forms(hand, called)[0]


def test_five_of_a_kind():
    with pytest.raises(HandError, match="5 copies of E: there are 4 of each kind"):
        groupings(["E"] * 5)
