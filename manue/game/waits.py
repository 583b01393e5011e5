"""What a hand waits for."""

from collections.abc import Iterable, Sequence

from manue.hand.shanten import shanten, shanten_forms, ukeire
from manue.tiles import COPIES, KIND_OF, Counts, Kind, Meld


def waits_of(counts: Counts, melds: Sequence[Meld]) -> tuple[Kind, ...]:
    """Return the kinds that complete a hand, ascending; empty when it is not tenpai.

    A kind of which all four copies lie in the hand and its own melds is no wait.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles: 13, three fewer for each meld.
    melds : sequence of Meld

    Examples
    --------
    >>> from manue.tiles import counts_of, parse_tiles
    >>> waits_of(counts_of(parse_tiles("123m456p789s11z23m")), [])
    (0, 3)
    """
    if shanten(counts, len(melds)) != 0:
        return ()
    return tuple(
        kind
        for kind in map(int, ukeire(counts, len(melds)).nonzero()[0])
        if _one_is_left(kind, counts, melds)
    )


def _one_is_left(kind: Kind, counts: Counts, melds: Iterable[Meld]) -> bool:
    laid = sum(KIND_OF[tile] == kind for meld in melds for tile in meld.tiles)
    return int(counts[kind]) + laid < COPIES


def waits_for_orphans(counts: Counts, melds: Sequence[Meld]) -> bool:
    """Tell whether a 13-tile hand is tenpai for thirteen orphans, which alone may rob a closed kan."""
    return not melds and shanten_forms(counts)[2] == 0
