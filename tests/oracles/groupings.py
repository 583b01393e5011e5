"""All groupings of tiles into sets, partial sets and single tiles, one at a time and none twice.

This is ``tilesSplitGroupL`` in the documentation of SimSaladin/TiraLabra. Duplicates do not arise here:
the lowest remaining tile always opens the next group, and equal tiles open their groups in a fixed order.
"""

_SHAPES = ((0, 0, 0), (0, 1, 2), (0, 0), (0, 1), (0, 2), (0,))
"""Groups as steps from their lowest tile: triplet, run, pair, neighbours, a gap, a single tile."""


def groupings(kinds, last=()):
    """Every grouping of sorted kinds, each as groups of kinds, those with sets of the low tiles first."""
    if not kinds:
        yield ()
        return
    low = kinds[0]
    for at, shape in enumerate(_SHAPES):
        group = tuple(low + step for step in shape)
        if last and last[0] == low and at < _SHAPES.index(tuple(kind - low for kind in last)):
            continue
        rest = _without(kinds, group)
        if rest is not None:
            for others in groupings(rest, group):
                yield (group, *others)


def _without(kinds, group):
    """The kinds without a group; ``None`` if it is not there or runs past the end of a suit."""
    low, high = group[0], group[-1]
    if low != high and (high >= 27 or low // 9 != high // 9):
        return None
    rest = list(kinds)
    for kind in group:
        if kind not in rest:
            return None
        rest.remove(kind)
    return tuple(rest)


def shanten(kinds, melds):
    """Shanten of the regular form: what is left to the nearest grouping if its groups are completed.

    Eight, less two for each set and one for each partial set; at most four of these count, plus a pair. With
    four copies of a kind in the hand this may wait for a fifth.
    """
    return min(_exchanges(groups, melds) for groups in groupings(tuple(sorted(kinds))))


def _exchanges(groups, melds):
    sets = melds + sum(len(group) == 3 for group in groups)
    partial = sum(len(group) == 2 for group in groups)
    has_pair = any(len(group) == 2 and group[0] == group[1] for group in groups)
    return 8 - 2 * sets - min(partial, 4 - sets + has_pair)
