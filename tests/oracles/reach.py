"""Complete hands and their probability the slow way: search over the sets, with every draw listed."""

from collections import Counter
from functools import cache
from itertools import combinations

ORPHANS = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]


def is_pair_hand(counts):
    return sum(n >= 2 for n in counts) >= 7


def is_orphans(counts):
    return all(counts[kind] for kind in ORPHANS) and any(counts[kind] >= 2 for kind in ORPHANS)


def holds_sets(counts, sets, pair):
    """Return whether the tiles contain that many sets, and in addition a pair if wanted."""
    if pair:
        return any(
            n >= 2 and holds_sets(without(counts, (kind, kind)), sets, pair=False)
            for kind, n in enumerate(counts)
        )
    if sets == 0:
        return True
    for kind in range(34):
        if counts[kind] >= 3 and holds_sets(without(counts, (kind,) * 3), sets - 1, pair=False):
            return True
        run = (kind, kind + 1, kind + 2)
        may_run = kind < 27 and kind % 9 < 7 and all(counts[k] for k in run)
        if may_run and holds_sets(without(counts, run), sets - 1, pair=False):
            return True
    return False


def without(counts, tiles):
    left = list(counts)
    for kind in tiles:
        left[kind] -= 1
    return tuple(left)


@cache
def holds_complete_hand(counts, melds, forms):
    if forms == "any" and melds == 0 and (is_pair_hand(counts) or is_orphans(counts)):
        return True
    return holds_sets(counts, 4 - melds, pair=True)


def reach_prob(counts, melds, unseen, own_draws, forms):
    """Return the share of all draws after which the tiles contain a complete hand."""
    pool = [kind for kind in range(34) for _ in range(unseen[kind])]
    ways = Counter(combinations(pool, own_draws))
    good = 0
    for drawn, times in ways.items():
        have = list(counts)
        for kind in drawn:
            have[kind] += 1
        good += times * holds_complete_hand(tuple(have), melds, forms)
    return good / ways.total()
