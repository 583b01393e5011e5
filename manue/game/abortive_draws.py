"""Abortive draws that follow a discard unless somebody wins on it: four winds, four kans, four riichi."""

from manue.game.checks import MAX_KANS
from manue.game.players import PlayerState
from manue.game.view import RoundView
from manue.tiles import KIND_OF, KINDS, WINDS, Kind


def ends_by_four_kans(state: RoundView) -> bool:
    """Return whether several seats have made four kans: the discard ends the round unless it is won on."""
    own = [sum(meld.is_kan for meld in player.melds) for player in state.players]
    return sum(own) == MAX_KANS > max(own)


def aborted_by(state: RoundView, kind: Kind, *, riichi: bool) -> bool:
    """Return whether a discard of this seat ends the round unless it is won on.

    Parameters
    ----------
    state : RoundView
        Before the discard.
    kind : int
        The kind discarded.
    riichi : bool
        Whether the seat is in riichi then.
    """
    return (
        (riichi and all(player.riichi for player in _others(state)))
        or ends_by_four_kans(state)
        or _ends_by_four_winds(state, kind)
    )


def _others(state: RoundView) -> list[PlayerState]:
    return [player for seat, player in enumerate(state.players) if seat != state.seat]


def _ends_by_four_winds(state: RoundView, kind: Kind) -> bool:
    if KINDS[kind] not in WINDS or not state.first_turn(state.seat):
        return False
    rivers = [player.river for player in _others(state)]
    return all(len(river) == 1 and KIND_OF[river[0].tile] == kind for river in rivers)
