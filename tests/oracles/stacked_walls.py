"""Walls that make rare things frequent: all four hands are dealt near a win, many for the same tile."""

import random

HONORS = range(27, 34)
WINDS, DRAGONS = range(27, 31), range(31, 34)
ORPHANS = (0, 8, 9, 17, 18, 26, *HONORS)
STYLES = ("any", "any", "triplets", "honors", "one suit", "winds", "dragons", "pairs", "orphans")
TRIES = 200


def stacked_wall(rng: random.Random) -> list[int]:
    """Return the 136 physical tiles 0..135 (four of a kind in a row) as they are dealt and drawn."""
    left = [4] * 34
    wait = rng.randrange(34) if rng.random() < 0.7 else None
    hands = [_hand(rng, left, wait) for _ in range(4)]
    rest = [kind for kind in range(34) for _ in range(left[kind])]
    rng.shuffle(rest)
    if rng.random() < 0.4:  # what makes kans of triplets comes early
        often = {kind for hand in hands for kind in hand if hand.count(kind) >= 3}
        rest.sort(key=lambda kind: rng.random() - (kind in often))
    copies = {kind: rng.sample(range(4 * kind, 4 * kind + 4), 4) for kind in range(34)}
    dealt = [hands[seat][4 * part : 4 * part + 4] for part in range(4) for seat in range(4)]
    return [copies[kind].pop() for tiles in (*dealt, rest) for kind in tiles]


def _hand(rng: random.Random, left: list[int], wait: int | None) -> list[int]:
    """Take 13 kinds out of those left: one tile short of a win, or a few."""
    for _ in range(TRIES):
        hand = _complete(rng)
        if wait is not None and wait not in hand:
            continue
        rng.shuffle(hand)
        hand.remove(wait if wait in hand else hand[0])
        for place in range(rng.choice((0, 0, 0, 0, 1, 2))):
            hand[place] = rng.randrange(34)
        if all(hand.count(kind) <= left[kind] for kind in hand):
            break
    else:
        hand = rng.sample([kind for kind in range(34) for _ in range(left[kind])], 13)
    for kind in hand:
        left[kind] -= 1
    return hand


def _complete(rng: random.Random) -> list[int]:
    """Return the 14 kinds of a complete hand, perhaps with five of a kind."""
    style = rng.choice(STYLES)
    if style == "orphans":
        return [*ORPHANS, rng.choice(ORPHANS)]
    if style == "pairs":
        return 2 * rng.sample(range(34), 7)
    suit = 9 * rng.randrange(3)
    own = {"honors": HONORS, "one suit": range(suit, suit + 9)}.get(style, range(34))
    fixed = {"winds": WINDS, "dragons": DRAGONS}.get(style, ())
    runs = style not in {"triplets", "honors"}
    hand = [kind for kind in fixed for _ in range(3)]
    while len(hand) < 12:
        hand += _run(rng, own) if runs and rng.random() < 0.6 else 3 * [rng.choice(own)]
    return hand + 2 * [rng.choice(own)]


def _run(rng: random.Random, kinds: range) -> list[int]:
    first = rng.choice([kind for kind in kinds if kind < 27 and kind % 9 < 7])
    return [first, first + 1, first + 2]
