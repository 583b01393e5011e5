"""The notes of what happens at a table: one row for each event, if they are asked for.

Kernels note events as they happen; `manue.sim.messages` makes Mjai messages of them.
"""

from typing import Any

from manue.compiled import compiled

NOBODY = -1
"""In the place of a seat."""


@compiled
def note(t: Any, kit: Any, event: int, actor: int, source: int, tile: int, choice: int) -> None:
    """Write an event with the ``deltas`` of the table, if the kit asks for it and there is room.

    Parameters
    ----------
    event : int
        ``DRAW_EVENT`` to ``END_EVENT`` of `manue.sim.codes`.
    actor, source : int
        Seats, or `NOBODY`: whose event it is, and who discarded the tile.
    tile : int
    choice : int
        What else is to be known: of a discard whether it was just drawn, of a call its code and the red fives
        laid down, of a win whether in riichi, of a round without one how it ended.
    """
    at = int(t["log_len"])
    if kit["writes_log"] and at < len(kit["log"]):
        row = kit["log"][at]
        row[0], row[1], row[2], row[3], row[4] = event, actor, source, tile, choice
        for seat in range(4):
            row[5 + seat] = t["deltas"][seat]
        t["log_len"] = at + 1
