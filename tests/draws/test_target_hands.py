"""Target hands against a plain search over all complete hands."""

import numpy as np
import pytest

from manue.draws.target_hands import find_target_hands
from manue.hand.shanten import shanten
from manue.hand.value import ORPHANS, REGULAR, SEVEN_PAIRS
from manue.tiles import counts_of, parse_tiles
from tests.oracles import target_hands as oracle

HANDS = [
    ("123456m23p4478s13z", 0),
    ("1122m3344p5566s77z", 0),
    ("19m19p19s1234567z", 0),
    ("1119m19p19s123456z", 0),
    ("111222333m4445p6s", 0),
    ("22344568m", 2),
    ("55577m", 3),
    ("24m", 4),
    ("2468m1357p9s123z7z", 0),
    ("123m456p789s1122z", 0),
]


def unseen_of(counts, rng):
    """Some tiles beside the hand have been seen."""
    left = 4 - counts
    for kind in rng.integers(0, 34, 25):
        left[kind] = max(0, left[kind] - 1)
    return left.astype(np.int8)


@pytest.mark.parametrize(("text", "melds"), HANDS)
@pytest.mark.parametrize("extra", [0, 1])
def test_every_target_hand_in_reach_is_listed_once(text, melds, extra):
    counts = counts_of(parse_tiles(text))
    unseen = unseen_of(counts, np.random.default_rng(1))
    if shanten(counts, melds) > 3:
        extra = 0
    targets = find_target_hands(counts, unseen, melds, extra, limit=10**6)
    expected = {REGULAR: oracle.regular_target_hands(counts, unseen, 4 - melds, targets.bound)}
    expected[SEVEN_PAIRS] = [] if melds else oracle.seven_pairs_target_hands(counts, unseen, targets.bound)
    expected[ORPHANS] = [] if melds else oracle.orphans_target_hands(counts, unseen, targets.bound)
    for form, wanted in expected.items():
        rows = np.flatnonzero(targets.forms == form)
        ours = sorted((int(targets.costs[row]), targets.tiles(row).tolist()) for row in rows)
        theirs = sorted((cost, [tiles[kind] for kind in range(34)]) for cost, _, tiles in wanted)
        assert ours == theirs


def test_needed_and_target_agree_with_the_hand():
    counts = counts_of(parse_tiles("123456m23p4478s13z"))
    targets = find_target_hands(counts, (4 - counts).astype(np.int8))
    for row in range(len(targets.forms)):
        assert (targets.needed(row) == np.maximum(targets.tiles(row) - counts, 0)).all()
        assert targets.needed(row).sum() == targets.costs[row]


def test_too_many_target_hands_lower_the_bound():
    counts = counts_of(parse_tiles("2468m1357p9s123z7z"))
    unseen = (4 - counts).astype(np.int8)
    assert not find_target_hands(counts, unseen, limit=100).complete
    assert find_target_hands(counts, unseen, limit=10**6).complete
