"""Kobayashi's block decomposition: shanten of the regular form by counting, as an independent check.

The method is Satoshi Kobayashi's (https://github.com/kobalab/majiang-core). Take out one pair or none, then
take sets out of each suit in every possible way. Of what is left, only the size of each group of neighbouring
tiles matters: every two tiles are a candidate for a set, and an odd tile is isolated. Two patterns are kept
for each suit, A with the fewest isolated tiles and B with the most sets, and the best combination counts.

The method is not exact. It only counts isolated tiles, so it cannot see that all copies of a kind are used
up and a block has no tile left to grow from. ``tests/hand/test_blocks.py`` measures how often that matters:
never in the random deals seen, sometimes in hands of triplets and quads. The result is then one too low.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

from manue.hand.counts import CountsLike, checked_hand

Group: TypeAlias = tuple[int, ...]
"""Copies of each number of a suit (9), or of each honor (7)."""


class Blocks(NamedTuple):
    """How many sets, candidates for a set, and isolated tiles a group of tiles holds."""

    sets: int
    candidates: int
    isolated: int


def block_shanten(counts: CountsLike, melds: int = 0) -> int:
    """Return the shanten of the regular form by block decomposition.

    It equals ``shanten_forms(counts, melds)[0]``, or is occasionally one less. Parameters and errors are
    those of `manue.hand.shanten.shanten`.
    """
    hand = tuple(checked_hand(counts, melds).tolist())
    best = _best_combination(hand, melds, pair=0)
    for kind, copies in enumerate(hand):
        if copies >= 2:
            rest = (*hand[:kind], copies - 2, *hand[kind + 1 :])
            best = min(best, _best_combination(rest, melds, pair=1))
    return best


def _best_combination(hand: Group, melds: int, pair: int) -> int:
    """Return the lowest shanten over patterns A and B of each suit."""
    suits = product(_patterns(hand[:9]), _patterns(hand[9:18]), _patterns(hand[18:27]))
    honors = _honor_blocks(hand[27:])
    return min(_formula([honors, *choice], melds, pair) for choice in suits)


def _formula(groups: list[Blocks], melds: int, pair: int) -> int:
    """Return the shanten of all blocks together, including called sets.

    A set is worth three, a candidate or the pair two, an isolated tile one. At most four sets and
    candidates count, and at most five blocks in all; a surplus candidate counts as an isolated tile.
    """
    sets = melds + sum(group.sets for group in groups)
    candidates = sum(group.candidates for group in groups)
    isolated = sum(group.isolated for group in groups)
    counted = min(candidates, 4 - sets)
    isolated = min(isolated + candidates - counted, 5 - sets - counted - pair)
    return 13 - 3 * sets - 2 * counted - 2 * pair - isolated


def _honor_blocks(honors: Group) -> Blocks:
    return Blocks(
        sum(copies >= 3 for copies in honors),
        sum(copies == 2 for copies in honors),
        sum(copies in {1, 4} for copies in honors),
    )


@lru_cache(maxsize=1 << 16)
def _patterns(suit: Group) -> tuple[Blocks, ...]:
    """Return pattern A of a suit, and B if it differs."""
    ways = list(_ways(suit, 0, 0))
    fewest_isolated = min(ways, key=lambda way: (way.isolated, way.candidates))
    most_sets = max(ways, key=lambda way: (way.sets, way.candidates))
    return (fewest_isolated,) if fewest_isolated == most_sets else (fewest_isolated, most_sets)


def _ways(suit: Group, first: int, sets: int) -> Iterator[Blocks]:
    """Take sets out of a suit in every possible way, starting no lower than the number ``first``."""
    candidates, isolated = _loose_blocks(suit)
    yield Blocks(sets, candidates, isolated)
    for number in range(first, 9):
        if suit[number] >= 3:
            yield from _ways(_less(suit, number, 3, 0, 0), number, sets + 1)
        if number < 7 and min(suit[number : number + 3]) > 0:
            yield from _ways(_less(suit, number, 1, 1, 1), number, sets + 1)


def _less(suit: Group, number: int, *taken: int) -> Group:
    end = min(9, number + 3)
    left = (copies - out for copies, out in zip(suit[number:end], taken, strict=False))
    return (*suit[:number], *left, *suit[end:])


def _loose_blocks(suit: Group) -> tuple[int, int]:
    """Return candidates and isolated tiles; two adjacent empty numbers separate groups."""
    candidates = isolated = size = 0
    for number, copies in enumerate(suit):
        size += copies
        if number == 8 or copies == suit[number + 1] == 0:
            candidates += size // 2
            isolated += size % 2
            size = 0
    return candidates, isolated
