"""A decision as a table in compiled code: once what is hidden is filled in, the round can be played on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from manue.arrays import I8, I64
from manue.game.actions import Action
from manue.game.consistency import seen_tiles
from manue.game.players import PlayerState
from manue.game.state import RoundState
from manue.game.view import LIVE_WALL
from manue.game.win import feeders
from manue.sim.codes import TILE_NUMBER
from manue.sim.events import NOBODY
from manue.sim.occasions import ANSWER, OWN_TURN, RIICHI_DISCARD
from manue.sim.table import Tables
from manue.sim.view import table_of
from manue.sim.wall import DEALT, INDICATORS_AT, TILE_OF_PHYSICAL, WALL_TILES
from manue.tiles import COPIES, KINDS, RED_FIVES, Seat, opponents_of

TILE_NUMBERS = len(TILE_NUMBER)
_COPIES: I8 = np.bincount(TILE_OF_PHYSICAL, minlength=TILE_NUMBERS).astype(np.int8)
_COPIES_WITHOUT_RED: I8 = np.array([COPIES] * len(KINDS) + [0] * len(RED_FIVES), np.int8)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A decision on a table, with everything in place that its seat sees.

    Parameters
    ----------
    tables : TABLE[1]
        The others' hands are empty, and -1 stands for the tiles of the wall that the seat has not seen.
    seat : int
        Whose decision it is.
    turn : int
        Whose turn it is; who discarded, if the seat answers an offered tile.
    occasion : {OWN_TURN, CALL_DISCARD, ANSWER}
    declared : bool
        Whether riichi has been declared and its discard is to be chosen; on the table it is not yet declared.
    unseen : int8[37]
        Copies that the seat does not see, by tile.
    places : int64[n]
        Where in the wall the tiles not seen lie: those to be drawn, then those of the dead wall.
    """

    tables: Tables
    seat: Seat
    turn: Seat
    occasion: int
    declared: bool
    unseen: I8
    places: I64

    @property
    def opponents(self) -> list[Seat]:
        """The other seats in turn order."""
        return opponents_of(self.seat)


def snapshot_of(state: RoundState, actions: Sequence[Action]) -> Snapshot | None:
    """Return the table of a decision, as its seat sees it.

    Returns
    -------
    Snapshot or None
        ``None`` where the round cannot be played on: an answer to a kan, or tiles that do not add up, as in a
        position described in part.
    """
    t, occasion = table_of(state, actions)
    if occasion == ANSWER and (state.offer is None or state.offer.by != "discard"):
        return None
    declared = occasion == RIICHI_DISCARD
    if declared:
        t["riichi"][state.seat] = 0
        occasion = OWN_TURN
    _put_wall(t, state)
    for player in state.players:
        _put_facts(t, player)
    unseen = _unseen(state)
    known = WALL_TILES - 1 - np.arange(int(t["kans"]))
    places = np.setdiff1d(np.flatnonzero(t["wall"] < 0), known)
    places = places[places >= t["next"]]
    others = sum(player.hand_size for player in state.players if player.seat != state.seat)
    resting = all(
        player.seat == state.seat or player.hand_size == 13 - 3 * len(player.melds)
        for player in state.players
    )
    if not resting or unseen.min() < 0 or int(unseen.sum()) != others + len(places):
        return None
    turn = state.offer.source if occasion == ANSWER and state.offer is not None else state.seat
    tables = np.array([t], t.dtype)
    return Snapshot(tables, state.seat, turn, occasion, declared, unseen, places)


def _put_wall(t: Any, state: RoundState) -> None:
    """Put the indicators in their places, and find out what is drawn next."""
    t["wall"][:] = -1
    shown = len(state.dora_indicators)
    for place, indicator in enumerate(state.dora_indicators):
        t["wall"][INDICATORS_AT - 2 * place] = TILE_NUMBER[indicator]
    t["shown"] = shown
    t["owed"] = max(0, state.kan_count - (shown - 1))
    t["next"] = DEALT + LIVE_WALL - state.tiles_left - state.kan_count
    t["ending"] = -1


def _put_facts(t: Any, player: PlayerState) -> None:
    """Put what the view of one seat needs no memory of: furiten in riichi, and who is liable."""
    seat = player.seat
    t["missed_riichi"][seat] = bool(player.riichi and t["waits"][seat] & t["safe"][seat])
    for name, feeder in zip(("liable_dragons", "liable_winds"), feeders(player.melds), strict=True):
        t[name][seat] = NOBODY if feeder is None else feeder


def _unseen(state: RoundState) -> I8:
    """Count the copies that the seat does not see, by tile."""
    unseen = (_COPIES if state.rules.red_fives else _COPIES_WITHOUT_RED).copy()
    np.subtract.at(unseen, [TILE_NUMBER[tile] for tile in seen_tiles(state)], 1)
    return unseen
