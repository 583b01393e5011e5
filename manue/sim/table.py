"""One table as a flat record: what all four seats hold and show, the wall, and the game around the round.

Tiles are numbered as in `manue.tiles.TILES` (0..33 the kinds, 34..36 the red fives), sets of kinds are masks
of 34 bits, seats are absolute. A record is about 2 KB, without pointers: a position is copied in one move.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from manue.features.scene import MAX_RIVER
from manue.rules import TENHOU, Rules

Tables: TypeAlias = npt.NDArray[np.void]

MAX_OPTIONS = 48

TABLE = np.dtype(
    [
        # the game
        ("seed", np.uint64, ()),
        ("rng", np.uint64, ()),  # of players that choose at random
        ("rounds", np.int32, ()),  # rounds dealt before this one
        ("index", np.int32, ()),  # 0 East 1 .. 7 South 4, ...
        ("last_index", np.int32, ()),  # of the last planned round
        ("honba", np.int32, ()),
        ("deposits", np.int32, ()),  # riichi sticks on the table
        ("scores", np.int32, (4,)),
        ("over", np.int8, ()),
        ("player", np.int8, (4,)),  # who chooses for a seat: manue.sim.players
        ("net", np.int8, (4,)),  # row of the weights of a seat that plays by a net
        ("temperature", np.float32, (4,)),  # of the softmax of a net; 0: it takes the best
        # the wall
        ("wall", np.int16, (136,)),
        ("next", np.int32, ()),  # place of the next tile drawn
        ("tiles_left", np.int32, ()),
        ("kans", np.int32, ()),
        ("shown", np.int32, ()),  # dora indicators revealed
        ("owed", np.int32, ()),  # indicators to be revealed before the next discard
        ("dora", np.int8, (34,)),  # han per tile of the kind
        # the seats
        ("hand", np.int8, (4, 34)),
        ("reds", np.int8, (4, 3)),  # red fives in the hand
        ("code", np.int32, (4, 4)),  # base-5 codes of the three suits and the honors
        ("meld_kind", np.int8, (4, 4)),  # manue.features.scene.MELD_CODES
        ("meld_first", np.int8, (4, 4)),  # the lowest kind
        ("meld_reds", np.int8, (4, 4)),
        ("meld_len", np.int8, (4,)),
        ("open", np.int8, (4,)),
        ("river", np.int8, (4, MAX_RIVER)),
        ("river_flag", np.int8, (4, MAX_RIVER)),  # bits of manue.features.scene
        ("river_len", np.int8, (4,)),
        ("discarded", np.int64, (4,)),  # mask of the kinds discarded, those called away included
        ("safe", np.int64, (4,)),  # the same and what has passed since the seat's riichi
        ("passed", np.int64, (4,)),  # what has passed since the hand last changed
        ("waits", np.int64, (4,)),  # of the hand without the drawn tile
        ("riichi", np.int8, (4,)),  # 1 riichi, 2 double riichi
        ("riichi_at", np.int8, (4,)),  # place of its tile in the river, -1 before
        ("ippatsu", np.int8, (4,)),
        ("missed", np.int8, (4,)),  # furiten until the next discard
        ("missed_riichi", np.int8, (4,)),  # furiten for the rest of the round
        ("liable_dragons", np.int8, (4,)),  # who fed the third set of dragons, -1 nobody
        ("liable_winds", np.int8, (4,)),
        # the choice at hand
        ("drawn", np.int8, ()),  # tile just drawn, -1 after a call
        ("after_kan", np.int8, ()),
        ("undisturbed", np.int8, ()),  # nobody has called or made a kan
        ("forbidden", np.int64, ()),  # kinds that may not be discarded after a call
        ("offered", np.int8, ()),  # tile that the others may answer
        ("source", np.int8, ()),  # who offered it
        ("robbing", np.int8, ()),  # it was added to a pon
        ("public", np.int8, (34,)),  # copies that everybody sees
        # the end of the round
        ("ending", np.int8, ()),  # manue.sim.codes, -1 with a win
        ("winners", np.int8, ()),  # bit of each seat
        ("deltas", np.int32, (4,)),  # what the end of the round pays
        # notes of the kernels
        ("after", np.int8, (34,)),  # shanten after discarding each kind, 127 if it is not held
        ("useful", np.int64, (34,)),  # mask of the useful kinds after discarding each
        ("useful_tiles", np.int32, (34,)),  # how many of them the seat does not see
        ("options", np.int16, (MAX_OPTIONS,)),
        ("script_at", np.int32, ()),
        ("log_len", np.int32, ()),
        ("judged_len", np.int32, ()),
        ("fault", np.int32, ()),  # a scripted choice that cannot be made
    ],
    align=True,
)
"""Layout of a table."""


def new_tables(count: int, rules: Rules = TENHOU) -> Tables:
    """Return tables before their first round: TABLE[count]."""
    tables = np.zeros(count, TABLE)
    tables["scores"] = rules.start_points
    tables["last_index"] = rules.last_round
    tables["rng"] = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return tables
