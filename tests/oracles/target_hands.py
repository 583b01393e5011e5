"""Goals and trials the slow way: every complete hand, tile by tile, in plain Python."""

from collections import Counter
from functools import cache
from itertools import combinations

RUNS = [tuple(9 * suit + n + i for i in range(3)) for suit in range(3) for n in range(7)]
TRIPLETS = [(kind,) * 3 for kind in range(34)]
ORPHANS = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]


def missing(target, counts):
    return sum(max(0, n - counts[kind]) for kind, n in target.items())


def regular_goals(counts, unseen, sets, bound):
    """All multisets of ``sets`` sets and a pair that lack at most ``bound`` tiles, as (cost, reading)."""
    found = []

    def extend(chosen, first, target):
        if missing(target, counts) > bound:
            return
        if len(chosen) == sets:
            for pair in range(34):
                whole = target + Counter([pair] * 2)
                if possible(whole, counts, unseen, bound):
                    found.append((missing(whole, counts), (tuple(chosen), pair), whole))
            return
        for index in range(first, len(RUNS) + len(TRIPLETS)):
            tiles = (RUNS + TRIPLETS)[index]
            more = target + Counter(tiles)
            if max(more.values()) <= 4:
                extend([*chosen, tiles], index, more)

    extend([], 0, Counter())
    return found


def possible(target, counts, unseen, bound):
    return (
        max(target.values()) <= 4
        and missing(target, counts) <= bound
        and all(n - counts[kind] <= unseen[kind] for kind, n in target.items())
    )


def seven_pairs_goals(counts, unseen, bound):
    near = [kind for kind in range(34) if counts[kind]] + [kind for kind in range(34) if not counts[kind]]
    found = []

    def extend(chosen, at, cost):
        if cost > bound:
            return
        if len(chosen) == 7:
            target = Counter(dict.fromkeys(chosen, 2))
            if possible(target, counts, unseen, bound):
                found.append((cost, tuple(sorted(chosen)), target))
            return
        for index in range(at, 34):
            kind = near[index]
            extend([*chosen, kind], index + 1, cost + max(0, 2 - counts[kind]))

    extend([], 0, 0)
    return found


def orphans_goals(counts, unseen, bound):
    targets = [Counter(ORPHANS) + Counter([pair]) for pair in ORPHANS]
    return [
        (missing(target, counts), max(target, key=target.get), target)
        for target in targets
        if possible(target, counts, unseen, bound)
    ]


def reach_prob(targets, unseen, draws):
    """P(some target's needs are among ``draws`` of the unseen tiles), by listing every draw."""
    pool = [kind for kind in range(34) for _ in range(unseen[kind])]
    needs = tuple(targets)

    @cache
    def reached(drawn):
        have = Counter(drawn)
        return any(all(have[kind] >= n for kind, n in need) for need in needs)

    hands = list(combinations(pool, draws))
    return sum(reached(tuple(sorted(hand))) for hand in hands) / len(hands)
