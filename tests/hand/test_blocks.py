"""Block decomposition: the rules, and how far it is from the exact value (``pytest -s`` prints it)."""

import numpy as np
import pytest

from manue.errors import HandError
from manue.hand import blocks
from manue.hand.blocks import Blocks, block_shanten
from manue.hand.shanten import shanten_batch
from manue.tiles import counts_of, parse_tiles
from tests.conftest import FULL
from tests.oracles.hands import HAND_KINDS, random_hands

HANDS = 25_000 if FULL else 1_500
MOST_OFTEN_WRONG = {"multiples": 0.06}
"""Largest share of hands where it may differ; 0.002 for the other kinds of hands."""


def suit(text):
    return tuple(counts_of(parse_tiles(text))[:9].tolist())


def test_the_groups_of_the_document():
    assert blocks._loose_blocks(suit("2244589m")) == (3, 1)  # 22445 and 89


def test_two_empty_numbers_part_groups_and_one_does_not():
    assert blocks._loose_blocks(suit("13m")) == (1, 0)
    assert blocks._loose_blocks(suit("14m")) == (0, 2)
    assert blocks._loose_blocks(suit("79m")) == (1, 0)
    assert blocks._loose_blocks(suit("69m")) == (0, 2)
    assert blocks._loose_blocks(suit("")) == (0, 0)


def test_patterns_a_and_b():
    # one set and 2m 3m, or no set and one tile fewer alone
    assert blocks._patterns(suit("123m")) == (Blocks(1, 0, 0),)
    assert blocks._patterns(suit("1223m")) == (Blocks(0, 2, 0), Blocks(1, 0, 1))
    assert blocks._patterns(suit("222m")) == (Blocks(1, 0, 0),)


@pytest.mark.parametrize(
    ("groups", "melds", "pair", "shanten"),
    [
        ([Blocks(4, 0, 0)], 0, 1, -1),
        ([Blocks(4, 0, 1)], 0, 0, 0),
        ([Blocks(2, 4, 0)], 0, 0, 2),  # two candidates too many: one of them serves as the pair's first tile
        ([Blocks(0, 5, 3)], 0, 0, 4),
        ([Blocks(0, 0, 13)], 0, 0, 8),
        ([Blocks(0, 1, 2)], 3, 0, 1),
        ([Blocks(0, 1, 0)], 3, 1, 0),
        ([Blocks(1, 0, 1), Blocks(2, 1, 3)], 0, 1, 0),
    ],
)
def test_the_formula_and_both_constraints(groups, melds, pair, shanten):
    assert blocks._formula(groups, melds, pair) == shanten


def test_impossible_hands():
    with pytest.raises(HandError, match="12 tiles with 0 melds"):
        block_shanten(counts_of(parse_tiles("123456789m123p")))
    with pytest.raises(HandError, match="5 melds"):
        block_shanten(counts_of(["E"]), 5)


def test_where_it_is_known_to_fail():
    for text, melds, exact in [("1111m", 3, 1), ("444p1111z", 2, 1), ("888m111p4446666z", 0, 1)]:
        counts = counts_of(parse_tiles(text))
        assert shanten_batch([counts], melds, forms="regular")[0] == exact
        assert block_shanten(counts, melds) == exact - 1


@pytest.mark.parametrize("kind", HAND_KINDS)
def test_how_often_and_by_how_much_it_differs(kind):
    counts, melds = random_hands(kind, HANDS, seed=31)
    exact = shanten_batch(counts, melds, forms="regular").astype(int)
    ours = np.array(
        [block_shanten(hand, called) for hand, called in zip(counts, melds.tolist(), strict=True)]
    )
    differences = {int(value): int((ours - exact == value).sum()) for value in np.unique(ours - exact)}
    print(f"\n{kind}: {HANDS} hands, block decomposition - exact: {differences}")
    assert set(differences) <= {-1, 0}
    assert (ours != exact).mean() <= MOST_OFTEN_WRONG.get(kind, 0.002)
