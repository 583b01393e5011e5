"""What one seat sees of a round, as a table: an agent then chooses by the kernels of a simulated seat."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from manue.features.scene import CALLED_AWAY, FROM_DRAW, MAX_RIVER, MELD_CODES, RIICHI_TILE
from manue.game.actions import Action, Discard, Pass
from manue.game.players import Phase, PlayerState
from manue.game.state import RoundState
from manue.sim.codes import TILE_NUMBER, code_of
from manue.sim.hands import POWER
from manue.sim.occasions import ANSWER, CALL_DISCARD, OWN_TURN, RIICHI_DISCARD
from manue.sim.table import new_tables
from manue.tiles import KIND_OF, RED_FIVES, dora_of, is_red, round_index

_BITS = 1 << np.arange(34, dtype=np.int64)


def table_of(state: RoundState, actions: Sequence[Action]) -> tuple[Any, int]:
    """Return a table on which a seat's choice can be made, and the occasion of the choice.

    Parameters
    ----------
    state : RoundState
        When its seat has to choose.
    actions : sequence of Action
        What it may do.

    Returns
    -------
    t : TABLE
        With the ``options`` of an answer. What the seat does not see is empty.
    occasion : int
        Of `manue.sim.occasions`.
    """
    t = new_tables(1, state.rules)[0]
    _put_round(t, state)
    _put_hand(t, state)
    for player in state.players:
        _put_player(t, player)
    occasion = _occasion_of(state, actions)
    if occasion == ANSWER:
        codes = [code_of(action, state.seat) for action in actions]
        t["options"][: len(codes)] = codes
    if occasion == CALL_DISCARD:
        t["forbidden"] = forbidden_kinds(actions)
    return t, occasion


def forbidden_kinds(actions: Sequence[Action]) -> int:
    """Return the kinds that may not be discarded, as bits."""
    allowed = {KIND_OF[action.tile] for action in actions if isinstance(action, Discard)}
    return sum(1 << kind for kind in range(34) if kind not in allowed)


def _occasion_of(state: RoundState, actions: Sequence[Action]) -> int:
    if any(isinstance(action, Pass) for action in actions):
        return ANSWER
    return {Phase.RIICHI_DISCARD: RIICHI_DISCARD, Phase.CALL_DISCARD: CALL_DISCARD}.get(state.phase, OWN_TURN)


def _put_round(t: Any, state: RoundState) -> None:
    t["index"] = round_index(state.round_wind, state.number)
    t["last_index"] = state.rules.last_round
    t["honba"], t["deposits"] = state.honba, state.deposits
    t["scores"][:] = state.scores
    t["tiles_left"] = state.tiles_left
    t["kans"] = state.kan_count
    t["after_kan"], t["undisturbed"] = state.after_kan, state.undisturbed
    for indicator in state.dora_indicators:
        t["dora"][dora_of(indicator)] += 1
    t["offered"] = t["source"] = -1
    if state.offer is not None:
        t["offered"], t["source"] = TILE_NUMBER[state.offer.tile], state.offer.source
        t["robbing"] = state.offer.by != "discard"


def _put_hand(t: Any, state: RoundState) -> None:
    seat = state.seat
    t["hand"][seat] = state.counts
    t["public"][:] = state.visible - state.counts
    t["reds"][seat] = [red in state.hand for red in RED_FIVES]
    np.add.at(t["code"][seat], np.arange(34) // 9, state.counts * POWER)
    t["drawn"] = -1 if state.drawn is None else TILE_NUMBER[state.drawn]
    t["waits"][seat] = sum(1 << kind for kind in state.waits)
    t["missed"][seat] = state.furiten


def _put_player(t: Any, player: PlayerState) -> None:
    seat = player.seat
    for place, meld in enumerate(player.melds):
        t["meld_kind"][seat, place] = MELD_CODES[meld.kind]
        t["meld_first"][seat, place] = meld.first_kind
        t["meld_reds"][seat, place] = sum(map(is_red, meld.tiles))
    t["meld_len"][seat] = len(player.melds)
    t["open"][seat] = not player.is_closed
    river = player.river[:MAX_RIVER]
    t["river"][seat, : len(river)] = [TILE_NUMBER[entry.tile] for entry in river]
    t["river_flag"][seat, : len(river)] = [
        FROM_DRAW * entry.from_draw | RIICHI_TILE * entry.riichi | CALLED_AWAY * (entry.called_by is not None)
        for entry in river
    ]
    t["river_len"][seat] = len(river)
    t["discarded"][seat] = sum(1 << kind for kind in {KIND_OF[entry.tile] for entry in player.river})
    t["safe"][seat] = player.safe @ _BITS
    t["passed"][seat] = player.passed @ _BITS
    t["riichi"][seat] = (2 if player.double_riichi else 1) if player.riichi else 0
    t["riichi_at"][seat] = -1 if player.riichi_index is None else player.riichi_index
    t["ippatsu"][seat] = player.ippatsu
