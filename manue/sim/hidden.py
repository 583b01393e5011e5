"""Fills what a seat does not see at a choice: the hands of the others, for the value net of self-play."""

from typing import Any

from manue.arrays import F32, U8
from manue.compiled import compiled
from manue.sim.columns import HIDDEN_AT
from manue.sim.hands import shanten_at_rest, unseen_in
from manue.sim.tile_values import dora_of_seat


@compiled
def fill_hidden(t: Any, seat: int, tables: U8, row: F32) -> None:
    """Fill a row of `manue.sim.columns.HIDDEN_COLUMNS`.

    Parameters
    ----------
    t : TABLE
        With the hands of the others at rest.
    row : float32[HIDDEN_SIZE]
    """
    row[:] = 0.0
    for step in range(1, 4):
        opponent = (seat + step) % 4
        at = step - 1
        waits = int(t["waits"][opponent])
        row[HIDDEN_AT.shanten_next + at] = min(shanten_at_rest(t, opponent, tables), 4) / 4
        row[HIDDEN_AT.ready_next + at] = waits != 0
        row[HIDDEN_AT.live_next + at] = unseen_in(t, opponent, waits) / 8
        caught = 0
        for kind in range(34):
            caught += (waits >> kind & 1) * int(t["hand"][seat, kind] > 0)
        row[HIDDEN_AT.caught_next + at] = caught / 2
        row[HIDDEN_AT.dora_held_next + at] = dora_of_seat(t, opponent) / 4
    row[HIDDEN_AT.own_live] = unseen_in(t, seat, int(t["waits"][seat])) / 8
    row[HIDDEN_AT.in_riichi] = t["riichi"][seat] > 0
    row[HIDDEN_AT.bias] = 1
