"""Slow, obvious shanten: the recursive cut-out search, and a search over all complete shapes.

The first follows the Russian description kept with the project's sources: cut out the pair first, then sets,
then partial sets, in every way, and take the minimum of ``8 - 2 * sets - partial sets - pair``. Taken
literally this may wait for a fifth copy of a kind, so a new minimum is first checked by completing the hand
tile by tile.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from tests.oracles.hands import ORPHANS, SETS

SETS_LIST = [tuple(int(kind) for kind in np.repeat(np.arange(34), tiles)) for tiles in SETS]


def forms(counts, melds=0):
    """Return shanten of (regular, seven pairs, thirteen orphans), 127 if melds rule a form out."""
    if melds:
        return cut_out_shanten(counts, melds), 127, 127
    return cut_out_shanten(counts, melds), seven_pairs_shanten(counts), orphans_shanten(counts)


def seven_pairs_shanten(counts):
    """Six minus the pairs, plus one for each kind missing from seven."""
    return 6 - sum(1 for n in counts if n >= 2) + max(0, 7 - sum(1 for n in counts if n >= 1))


def orphans_shanten(counts):
    """Thirteen minus the orphans held, minus one for a pair among them."""
    return 13 - sum(1 for kind in ORPHANS if counts[kind]) - any(counts[kind] >= 2 for kind in ORPHANS)


def cut_out_shanten(counts, melds=0):
    """Shanten of the regular form by cutting out every pair, set and partial set."""
    search = _CutOut([int(n) for n in counts], melds)
    search.from_pair()
    return search.best


class _CutOut:
    def __init__(self, hand, melds):
        self.hand = hand
        self.total = list(hand)
        self.sets = melds
        self.partial = []
        self.pair = []
        self.best = 99

    def from_pair(self):
        for kind in range(34):
            if self.hand[kind] >= 2:
                self.hand[kind] -= 2
                self.pair = [kind, kind]
                self.cut_sets(0)
                self.pair = []
                self.hand[kind] += 2
        self.cut_sets(0)

    def cut_sets(self, start):
        for at in range(start, len(SETS_LIST)):
            if self.sets < 4 and self.take(SETS_LIST[at]):
                self.sets += 1
                self.cut_sets(at)
                self.sets -= 1
                self.put_back(SETS_LIST[at])
        self.cut_partial(0)

    def cut_partial(self, start):
        for at in range(start, len(PARTIAL)):
            if self.sets + len(self.partial) < 4 and self.take(PARTIAL[at]):
                self.partial.append(PARTIAL[at])
                self.cut_partial(at)
                self.partial.pop()
                self.put_back(PARTIAL[at])
        self.finish()

    def take(self, tiles):
        for at, kind in enumerate(tiles):
            if self.hand[kind] == 0:
                self.put_back(tiles[:at])
                return False
            self.hand[kind] -= 1
        return True

    def put_back(self, tiles):
        for kind in tiles:
            self.hand[kind] += 1

    def finish(self):
        value = 8 - 2 * self.sets - len(self.partial) - bool(self.pair)
        while value < self.best and not self.can_be_completed(value + 1):
            value += 1
        self.best = min(self.best, value)

    def can_be_completed(self, missing):
        """Return whether this many new tiles complete the blocks to a hand without a fifth copy."""
        held = np.array(self.total) - self.hand  # what the blocks use
        return self.complete_partial(0, held, missing)

    def complete_partial(self, at, held, missing):
        if at == len(self.partial):
            return self.complete_sets(4 - self.sets - len(self.partial), held, np.array(self.hand), missing)
        for kind in _completing(self.partial[at]):
            if missing and held[kind] < 4:
                held[kind] += 1
                done = self.complete_partial(at + 1, held, missing - 1)
                held[kind] -= 1
                if done:
                    return True
        return False

    def complete_sets(self, wanted, held, rest, missing, start=0):
        if wanted == 0:
            return self.complete_pair(held, rest, missing)
        for at in range(start, len(SETS)):
            new = np.maximum(SETS[at] - rest, 0)
            if new.sum() <= missing and (held + SETS[at] <= 4).all():
                left = rest - (SETS[at] - new)
                if self.complete_sets(wanted - 1, held + SETS[at], left, missing - new.sum(), at):
                    return True
        return False

    def complete_pair(self, held, rest, missing):
        if self.pair:
            return True
        return any(held[kind] <= 2 and 2 - min(2, rest[kind]) <= missing for kind in range(34))


PARTIAL = sorted({tiles[:at] + tiles[at + 1 :] for tiles in SETS_LIST for at in range(3)})


@cache
def _completing(partial):
    return [kind for kind in range(34) if tuple(sorted((*partial, kind))) in SETS_LIST]


def group_targets(kinds, *, sequences):
    """All shapes of a group by column ``2 * sets + pair``: list of ten int8[n, kinds]."""
    blocks = [[3 * (at == kind) for at in range(kinds)] for kind in range(kinds)]
    if sequences:
        blocks += [[int(first <= at < first + 3) for at in range(kinds)] for first in range(kinds - 2)]
    blocks, columns = np.array(blocks), []
    for sets in range(5):
        chosen = np.array(list(combinations_with_replacement(range(len(blocks)), sets)), int)
        shapes = blocks[chosen].sum(1) if sets else np.zeros((1, kinds), int)
        with_pair = (shapes[:, None, :] + 2 * np.eye(kinds, dtype=int)).reshape(-1, kinds)
        for column in (shapes, with_pair):
            columns.append(np.unique(column[column.max(1) <= 4], axis=0).astype(np.int8))
    return columns


def group_row(counts, targets):
    """Least number of missing tiles for each of the ten columns, by trying every shape."""
    return [int(np.maximum(column - counts, 0).sum(1).min()) for column in targets]
