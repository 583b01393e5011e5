"""What a hand waits for."""

from manue.hand.shanten import shanten, shanten_forms, ukeire
from manue.tiles import Counts, Kind


def waits_of(counts: Counts, melds: int) -> tuple[Kind, ...]:
    """Return the kinds that complete a hand, ascending; empty when it is not tenpai.

    A kind of which all four copies are concealed in the hand is no wait; one in an own closed kan is,
    as RiichiEnv has it, although nobody can draw it.

    Parameters
    ----------
    counts : int8[34]
        Concealed tiles: 13, three fewer for each meld.
    melds : int
        Called sets and kans.

    Examples
    --------
    >>> from manue.tiles import counts_of, parse_tiles
    >>> waits_of(counts_of(parse_tiles("123m456p789s11z23m")), 0)
    (0, 3)
    """
    if shanten(counts, melds) != 0:
        return ()
    return tuple(map(int, ukeire(counts, melds).nonzero()[0]))


def waits_for_orphans(counts: Counts, melds: int) -> bool:
    """Tell whether a 13-tile hand is tenpai for thirteen orphans, which alone may rob a closed kan."""
    return melds == 0 and shanten_forms(counts)[2] == 0
