"""Target hands and Monte Carlo draws the slow way: every complete hand, tile by tile, in plain Python."""

from collections import Counter
from functools import cache
from itertools import combinations

RUNS = [tuple(9 * suit + n + i for i in range(3)) for suit in range(3) for n in range(7)]
TRIPLETS = [(kind,) * 3 for kind in range(34)]
ORPHANS = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]


def missing(tiles, counts):
    return sum(max(0, n - counts[kind]) for kind, n in tiles.items())


def regular_target_hands(counts, unseen, sets, bound):
    """All multisets of ``sets`` sets and a pair that lack at most ``bound`` tiles, as (cost, reading)."""
    found = []

    def extend(chosen, first, tiles):
        if missing(tiles, counts) > bound:
            return
        if len(chosen) == sets:
            for pair in range(34):
                whole = tiles + Counter([pair] * 2)
                if possible(whole, counts, unseen, bound):
                    found.append((missing(whole, counts), (tuple(chosen), pair), whole))
            return
        for index in range(first, len(RUNS) + len(TRIPLETS)):
            block = (RUNS + TRIPLETS)[index]
            more = tiles + Counter(block)
            if max(more.values()) <= 4:
                extend([*chosen, block], index, more)

    extend([], 0, Counter())
    return found


def possible(tiles, counts, unseen, bound):
    return (
        max(tiles.values()) <= 4
        and missing(tiles, counts) <= bound
        and all(n - counts[kind] <= unseen[kind] for kind, n in tiles.items())
    )


def seven_pairs_target_hands(counts, unseen, bound):
    near = [kind for kind in range(34) if counts[kind]] + [kind for kind in range(34) if not counts[kind]]
    found = []

    def extend(chosen, at, cost):
        if cost > bound:
            return
        if len(chosen) == 7:
            tiles = Counter(dict.fromkeys(chosen, 2))
            if possible(tiles, counts, unseen, bound):
                found.append((cost, tuple(sorted(chosen)), tiles))
            return
        for index in range(at, 34):
            kind = near[index]
            extend([*chosen, kind], index + 1, cost + max(0, 2 - counts[kind]))

    extend([], 0, 0)
    return found


def orphans_target_hands(counts, unseen, bound):
    targets = [Counter(ORPHANS) + Counter([pair]) for pair in ORPHANS]
    return [
        (missing(tiles, counts), max(tiles, key=tiles.get), tiles)
        for tiles in targets
        if possible(tiles, counts, unseen, bound)
    ]


def reach_prob(targets, unseen, draws):
    """Return P(``draws`` of the unseen tiles contain what some target needs), by listing every draw."""
    pool = [kind for kind in range(34) for _ in range(unseen[kind])]
    needs = tuple(targets)

    @cache
    def reached(drawn):
        have = Counter(drawn)
        return any(all(have[kind] >= n for kind, n in need) for need in needs)

    hands = list(combinations(pool, draws))
    return sum(reached(tuple(sorted(hand))) for hand in hands) / len(hands)
