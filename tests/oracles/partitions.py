"""The slow, obvious way to read a hand: cut out blocks one after another and collect the results."""

from collections import Counter
from itertools import product

ORPHAN_KINDS = frozenset(k for k in range(34) if k >= 27 or k % 9 in (0, 8))


def cuts(tiles: tuple[int, ...], n_sets: int):
    """Every way to cut sorted tiles into sets and one pair: multisets of (name, tiles)."""
    found = set()

    def cut(rest: tuple[int, ...], taken: tuple):
        if not rest:
            names = [name for name, _ in taken]
            if names.count("pair") == 1 and len(taken) == n_sets + 1:
                found.add(tuple(sorted(taken)))
            return
        first = rest[0]
        options = [("pair", (first,) * 2), ("triplet", (first,) * 3)]
        if first < 27 and first % 9 <= 6:
            options.append(("run", (first, first + 1, first + 2)))
        for name, block in options:
            left = Counter(rest)
            left.subtract(block)
            if min(left.values()) >= 0:
                cut(tuple(sorted(left.elements())), (*taken, (name, block)))

    cut(tuple(sorted(tiles)), ())
    return found


def complete_readings(tiles: tuple[int, ...], n_melds: int):
    found = {("regular", blocks) for blocks in cuts(tiles, 4 - n_melds)}
    count = Counter(tiles)
    if not n_melds and len(count) == 7 and set(count.values()) == {2}:
        found.add(("seven pairs", tuple(("pair", (k, k)) for k in sorted(count))))
    if not n_melds and len(tiles) == 14 and set(count) == ORPHAN_KINDS:
        found.add(("thirteen orphans", tuple(sorted(count.elements()))))
    return found


WAITING = {
    "ryanmen": [((a, a + 1), (a - 1, a + 2)) for s in (0, 9, 18) for a in range(s + 1, s + 7)],
    "kanchan": [((a, a + 2), (a + 1,)) for s in (0, 9, 18) for a in range(s, s + 7)],
    "penchan": [((s, s + 1), (s + 2,)) for s in (0, 9, 18)]
    + [((s + 7, s + 8), (s + 6,)) for s in (0, 9, 18)],
}


def ready_readings(tiles: tuple[int, ...], own: Counter, n_melds: int):
    """Every way to cut out a waiting shape so that the rest is complete: (blocks, wait, held, kinds)."""
    found = set()
    count = Counter(tiles)

    def add(blocks, kind, held, waits):
        live = tuple(k for k in waits if own[k] < 4)
        if live:
            found.add(("regular", tuple(sorted(blocks)), kind, held, live))

    def rest_after(held):
        left = count.copy()
        left.subtract(held)
        return tuple(sorted(left.elements())) if min(left.values()) >= 0 else None

    for kind, shapes in WAITING.items():
        for held, waits in shapes:
            if (rest := rest_after(held)) is not None:
                for blocks in cuts(rest, 3 - n_melds):
                    add(blocks, kind, held, waits)
    for a, b in product(sorted(count), repeat=2):
        if a < b and (rest := rest_after((a, a, b, b))) is not None:
            for blocks in sets_only(rest, 3 - n_melds):
                add(blocks, "shanpon", (a, a, b, b), (a, b))
    for a in count:
        if (rest := rest_after((a,))) is not None:
            for blocks in sets_only(rest, 4 - n_melds):
                add(blocks, "tanki", (a,), (a,))
    return found


def sets_only(tiles: tuple[int, ...], n_sets: int):
    """Cut into sets alone: add a pair that cannot mix with anything and take it away again."""
    stranger = 99  # no kind of tile; makes no run
    return {
        tuple(block for block in blocks if block[1][0] != stranger)
        for blocks in cuts((*tiles, stranger, stranger), n_sets)
    }
