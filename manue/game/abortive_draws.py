"""Abortive draws that follow a discard unless somebody wins on it: four winds, four kans, four riichi."""

from collections.abc import Collection

from manue.game.checks import MAX_KANS
from manue.game.view import RoundView
from manue.tiles import KIND_OF, KINDS, WINDS, Kind


def ends_by_four_kans(state: RoundView) -> bool:
    """Return whether several seats have made four kans: the discard ends the round unless it is won on."""
    own = [sum(meld.is_kan for meld in player.melds) for player in state.players]
    return sum(own) == MAX_KANS > max(own)


def aborting_kinds(state: RoundView, *, riichi: bool) -> Collection[Kind]:
    """Return the kinds that end the round when this seat discards them, unless they are won on.

    Parameters
    ----------
    state : RoundView
        Before the discard.
    riichi : bool
        Whether the seat is in riichi then.
    """
    others = [player for seat, player in enumerate(state.players) if seat != state.seat]
    if ends_by_four_kans(state) or (riichi and all(player.riichi for player in others)):
        return range(len(KINDS))
    if state.first_turn(state.seat):
        tiles, *different = {tuple(thrown.tile for thrown in player.river) for player in others}
        if len(tiles) == 1 and not different and tiles[0] in WINDS:
            return (KIND_OF[tiles[0]],)
    return ()
