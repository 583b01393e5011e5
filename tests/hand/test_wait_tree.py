"""The wait tree against a plain recursion over hands, and what must hold for any of them."""

import numpy as np
import pytest

from manue.errors import HandError
from manue.hand.shanten import shanten, shanten_batch, ukeire
from manue.hand.wait_tree import NO_DRAW, wait_tree
from manue.tiles import KIND_OF, counts_of, parse_tiles
from tests.oracles.hands import HAND_KINDS, random_hands


def slow_tree(hand, melds, unseen):
    """All (hand, draw, discard, hand after) on shortest ways to tenpai, by asking for every exchange."""
    edges, seen, todo = set(), {hand}, [hand]
    while todo:
        here = todo.pop()
        level = shanten(np.array(here, np.int8), melds)
        if level <= 0:
            continue
        for draw in range(34):
            for discard in [kind for kind in range(34) if here[kind] and kind != draw]:
                after = list(here)
                after[draw] += 1
                after[discard] -= 1
                if after[draw] > min(4, unseen[draw] + hand[draw]):
                    continue
                if shanten(np.array(after, np.int8), melds) < level:
                    edges.add((here, draw, discard, tuple(after)))
                    if tuple(after) not in seen:
                        seen.add(tuple(after))
                        todo.append(tuple(after))
    return edges, seen


def slow_orders(tree, node, known=None):
    known = {} if known is None else known
    if node not in known:
        onward = sum(slow_orders(tree, child, known) for _, _, child in tree.children(node))
        known[node] = onward or 1
    return known[node]


def edges_of(tree):
    hands = [tuple(hand) for hand in tree.hands.tolist()]
    return {
        (hands[parent], draw, discard, hands[child]) for parent, child, draw, discard in tree.edges.tolist()
    }


@pytest.mark.parametrize("kind", HAND_KINDS)
@pytest.mark.parametrize("blind", [False, True])
def test_every_way_that_plain_recursion_finds(kind, blind):
    counts, melds = random_hands(kind, 400, 12)
    chosen = np.flatnonzero((counts.sum(1) + 3 * melds == 13) & (shanten_batch(counts, melds) <= 2))[:3]
    rng = np.random.default_rng(1)
    for hand, called in zip(counts[chosen], melds[chosen].tolist(), strict=True):
        unseen = rng.integers(0, 5 - hand).astype(np.int8) if blind else 4 - hand
        tree = wait_tree(hand, called, unseen if blind else None)
        edges, seen = slow_tree(tuple(hand.tolist()), called, unseen.tolist())
        assert {tuple(node) for node in tree.hands.tolist()} == seen
        assert len(tree.hands) == len(seen)
        assert edges_of(tree) == edges
        assert len(tree.edges) == len(edges)


def test_levels_edges_and_leaves_fit_together():
    counts, _ = random_hands("uniform", 60, 4)
    for hand in counts[shanten_batch(counts) <= 4][:20]:
        tree = wait_tree(hand)
        assert tree.complete
        assert (shanten_batch(tree.hands) == tree.shanten).all()
        drawn = tree.edges[:, 2] != NO_DRAW
        step = tree.shanten[tree.edges[:, 0]] - tree.shanten[tree.edges[:, 1]]
        assert (step == drawn).all()
        assert (np.diff(tree.edges[:, 0]) >= 0).all()
        leaf = int(tree.leaves[-1])
        assert tree.waits(leaf) == tuple(np.flatnonzero(ukeire(tree.hands[leaf])))
        assert tree.orders() == slow_orders(tree, 0) >= len(tree.leaves) > 0


def test_a_small_tree_by_hand():
    tree = wait_tree(counts_of(parse_tiles("123m456p12s1122z9s")))
    reached = {(draw, discard) for draw, discard, _ in tree.children(0)}
    third, nine = KIND_OF["3s"], KIND_OF["9s"]
    assert reached == {(third, nine), (KIND_OF["E"], nine), (KIND_OF["S"], nine)}
    assert tree.shanten.tolist() == [1] + [0] * len(reached)
    child = next(child for draw, discard, child in tree.children(0) if (draw, discard) == (third, nine))
    assert tree.waits(child) == (KIND_OF["E"], KIND_OF["S"])


def test_fourteen_tiles_begin_with_a_discard():
    tree = wait_tree(counts_of(parse_tiles("123m456p12s1122z9s5p")))
    first = tree.edges[tree.edges[:, 0] == 0]
    assert (first[:, 2] == NO_DRAW).all()
    assert set(tree.shanten[first[:, 1]].tolist()) == {1}
    assert tree.children(0)[0][0] == NO_DRAW


def test_ready_and_complete_hands():
    ready = wait_tree(counts_of(parse_tiles("123m456p789s1122z")))
    assert (len(ready.hands), len(ready.edges), ready.leaves.tolist()) == (1, 0, [0])
    complete = wait_tree(counts_of(parse_tiles("123m456p789s11222z")))
    assert complete.shanten.tolist() == [-1] + [0] * len(complete.leaves)
    assert complete.orders() == len(complete.leaves)
    assert {discard for _, discard, _ in complete.children(0)} == set(np.flatnonzero(complete.hands[0]))


def test_a_tree_too_large_is_cut_and_says_so():
    hand = counts_of(parse_tiles("147m258p369s1234z"))
    tree = wait_tree(hand, max_edges=20_000)
    assert not tree.complete
    assert tree.note.startswith("cut at ")
    assert len(tree.edges) <= 20_000
    assert len(tree.leaves) == 0
    whole = wait_tree(counts_of(parse_tiles("124m258p369s1123z")), max_edges=10**7)
    assert whole.complete == (not whole.note)


def test_impossible_hands():
    with pytest.raises(HandError, match="12 tiles with 0 melds"):
        wait_tree(counts_of(parse_tiles("123456789m123p")))
