"""What a hand waits for."""

from manue.hand.shanten import shanten, shanten_forms, ukeire
from manue.tiles import Counts, Kind


def waits_of(counts: Counts, melds: int) -> tuple[Kind, ...]:
    """Return the kinds that complete a hand, in ascending order; empty if it is not tenpai.

    A kind with all four copies concealed in the hand is not a wait. A kind of which the hand has a closed kan
    is one, as in RiichiEnv, although nobody can draw it.

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
    """Return whether 13 tiles, int8[34], wait for thirteen orphans: only they may rob a closed kan."""
    return melds == 0 and shanten_forms(counts)[2] == 0
