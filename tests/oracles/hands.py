"""Random hands of every kind that has ever broken a shanten function."""

import numpy as np

from manue.tiles import TERMINALS_AND_HONORS

ORPHANS = np.array(TERMINALS_AND_HONORS)
SETS = np.zeros((55, 34), np.int8)
SETS[np.arange(34), np.arange(34)] = 3
for _at, _first in enumerate([9 * suit + number for suit in range(3) for number in range(7)]):
    SETS[34 + _at, _first : _first + 3] = 1
"""Every set: 34 triplets, then 21 sequences."""


def dealt(n, tiles, rng, weights=None):
    """Draw from a wall, a tile of kind k ``weights[..., k]`` times as likely: int8[n, 34]."""
    wall = np.repeat(np.arange(34), 4)
    key = rng.exponential(size=(n, 136))
    if weights is not None:
        key /= np.broadcast_to(weights, (n, 34))[:, wall]
    drawn = wall[key.argpartition(tiles, axis=1)[:, :tiles]]
    counts = np.zeros((n, 34), np.int8)
    np.add.at(counts, (np.arange(n)[:, None], drawn), 1)
    return counts


def one_suit(n, tiles, rng):
    """All or nearly all tiles of one suit."""
    weights = np.where(
        np.arange(34) // 9 == rng.integers(0, 3, (n, 1)), 1.0, rng.choice([1e-9, 0.01], (n, 1))
    )
    return dealt(n, tiles, rng, weights)


def honors(n, tiles, rng):
    """Mostly honors, or terminals and honors."""
    favoured = np.zeros((2, 34), bool)
    favoured[0, 27:] = True
    favoured[1, ORPHANS] = True
    return dealt(n, tiles, rng, np.where(favoured[rng.integers(0, 2, n)], 1.0, 0.02))


def multiples(n, tiles, rng):
    """Triplets and quads of neighbouring kinds, filled up at random."""
    hands = np.zeros((n, 34), np.int8)
    for hand in hands:
        while hand.sum() < tiles:
            kind = rng.integers(34)
            hand[kind] = min(4, hand[kind] + rng.integers(1, 5), hand[kind] + tiles - hand.sum())
            neighbour = kind + rng.integers(-3, 4)
            if 0 <= neighbour < 34:
                hand[neighbour] = min(4, hand[neighbour] + rng.integers(0, 5))
        _take_random(hand, hand.sum() - tiles, rng)
    return hands


def near_complete(n, tiles, rng):
    """Sets and a pair, with up to four tiles exchanged."""
    hands = np.zeros((n, 34), np.int8)
    for hand in hands:
        while hand.sum() != 14:
            blocks = SETS[rng.integers(55, size=4)].sum(0)
            blocks[rng.integers(34)] += 2
            if blocks.max() <= 4:
                hand[:] = blocks
        _exchange(hand, tiles, rng)
    return hands


def near_pairs(n, tiles, rng):
    """Seven pairs, sometimes equal ones, with up to four tiles exchanged."""
    hands = np.zeros((n, 34), np.int8)
    for hand in hands:
        np.add.at(hand, rng.choice(np.repeat(np.arange(34), 2), 7, replace=False), 2)
        _exchange(hand, tiles, rng)
    return hands


def near_orphans(n, tiles, rng):
    """Thirteen orphans, with up to four tiles exchanged."""
    hands = np.zeros((n, 34), np.int8)
    for hand in hands:
        hand[ORPHANS] = 1
        hand[rng.choice(ORPHANS)] += 1
        _exchange(hand, tiles, rng)
    return hands


def _exchange(hand, tiles, rng):
    removed = rng.integers(0, 5) + 14 - tiles
    _take_random(hand, removed, rng)
    while hand.sum() < tiles:
        kind = rng.integers(34)
        hand[kind] += hand[kind] < 4


def _take_random(hand, number, rng):
    np.subtract.at(hand, rng.choice(np.repeat(np.arange(34), hand), number, replace=False), 1)


GENERATORS = {
    "uniform": dealt,
    "one suit": one_suit,
    "honors": honors,
    "multiples": multiples,
    "near complete": near_complete,
    "near pairs": near_pairs,
    "near orphans": near_orphans,
}
HAND_KINDS = (*GENERATORS, "melded")


def random_hands(kind, n, seed):
    """Return int8[n, 34] counts, half of 13 tiles and half of 14, and int8[n] melds (0 unless "melded")."""
    rng = np.random.default_rng([seed, HAND_KINDS.index(kind)])
    if kind == "melded":
        return _melded(n, rng)
    make = GENERATORS[kind]
    hands = np.concatenate([make(n - n // 2, 13, rng), make(n // 2, 14, rng)])
    return hands, np.zeros(n, np.int8)


def _melded(n, rng):
    """Hands of all the other kinds, cut down to what one to four melds leave."""
    share = -(-n // len(GENERATORS))
    hands = np.concatenate([make(share, 14, rng) for make in GENERATORS.values()])
    hands = hands[rng.permutation(len(hands))[:n]]
    melds = rng.integers(1, 5, n).astype(np.int8)
    for hand, called in zip(hands, melds, strict=True):
        _take_random(hand, 3 * called + rng.integers(0, 2), rng)
    return hands, melds
