"""Rounds played with notes of every choice of the seats that learn, gathered over many rounds.

Seats that learn play by the first net of the kit; see `manue.sim.learning` for what is made of the notes.
"""

from typing import Any

import numpy as np

from manue.arrays import F32, I32
from manue.compiled import compiled, inlined
from manue.sim.deal import shuffle
from manue.sim.games import finish_round
from manue.sim.kit import LESSON_ROOM, lesson_fields
from manue.sim.net import SHAPES
from manue.sim.play import play_round
from manue.sim.players import POLICY
from manue.sim.table import Tables

ROUNDS = 512
"""Most rounds of a record of `TRAJECTORIES`."""
_OF_A_ROUND = {"discard": (72, 864), "riichi": (6, 6), "call": (24, 48)}
"""Choices and options of a round for which there is room, on average."""


def _fields(name: str) -> list[tuple[Any, ...]]:
    (choices, options), (most_choices, most_options) = _OF_A_ROUND[name], LESSON_ROOM[name]
    room = choices * ROUNDS + most_choices
    return [
        *lesson_fields(name, room, options * ROUNDS + most_options),
        (f"{name}_round", np.int32, (room,)),  # of each choice
    ]


TRAJECTORIES = np.dtype(
    [
        ("rounds", np.int32, ()),  # number of rounds
        ("scores", np.int32, (ROUNDS, 2, 4)),  # before and after a round
        ("index", np.int32, (ROUNDS, 2)),
        ("honba", np.int32, (ROUNDS, 2)),
        ("over", np.int8, (ROUNDS,)),  # it was the last of its game
        *(field for name in SHAPES for field in _fields(name)),
    ],
    align=True,
)
"""Layout of the notes: the rounds, and for each net the fields of `manue.sim.kit.lesson_fields`."""


def new_trajectories() -> Any:
    """Return empty notes, a record of `TRAJECTORIES`: 120 MB, which the system gives as they are filled."""
    return np.zeros(1, TRAJECTORIES)[0]


@compiled
def play_noted(tables: Tables, kit: Any, notes: Any, most: int) -> int:
    """Play games and note the choices of the seats that learn; return the number of rounds.

    Parameters
    ----------
    tables : TABLE[n]
        Each with its ``seed`` and before a round.
    kit : KIT
        That writes lessons.
    notes : TRAJECTORIES
        What they held is forgotten.
    most : int
        Rounds after which it stops, at most `ROUNDS`; it stops before if there is no room for another.
    """
    notes["discard_used"][0] = notes["riichi_used"][0] = notes["call_used"][0] = 0
    notes["rounds"] = 0
    for at in range(len(tables)):
        t = tables[at]
        while not t["over"]:
            number = int(notes["rounds"])
            if number == min(most, ROUNDS) or not _has_room(kit, notes):
                return number
            _note_game(t, notes, number, 0)
            kit["discard_used"][0] = kit["riichi_used"][0] = kit["call_used"][0] = 0
            shuffle(t)
            play_round(t, kit)
            finish_round(t, kit)
            _note_game(t, notes, number, 1)
            notes["over"][number] = t["over"]
            _keep_round(t, kit, notes, number)
            notes["rounds"] = number + 1
    return int(notes["rounds"])


@inlined
def _note_game(t: Any, notes: Any, number: int, after: int) -> None:
    for seat in range(4):
        notes["scores"][number, after, seat] = t["scores"][seat]
    notes["index"][number, after] = t["index"]
    notes["honba"][number, after] = t["honba"]


@compiled
def _has_room(kit: Any, notes: Any) -> bool:
    """Return whether there is room for whatever a round may bring."""
    return bool(
        notes["discard_used"][0] + len(kit["discard_chosen"]) <= len(notes["discard_chosen"])
        and notes["riichi_used"][0] + len(kit["riichi_chosen"]) <= len(notes["riichi_chosen"])
        and notes["call_used"][0] + len(kit["call_chosen"]) <= len(notes["call_chosen"])
        and notes["discard_starts"][notes["discard_used"][0]] + len(kit["discard_rows"])
        <= len(notes["discard_rows"])
        and notes["call_starts"][notes["call_used"][0]] + len(kit["call_rows"]) <= len(notes["call_rows"])
    )


@compiled
def _keep_round(t: Any, kit: Any, notes: Any, number: int) -> None:
    """Append what the kit has noted of a round."""
    _keep(
        t, number, kit["discard_context"], kit["discard_rows"], kit["discard_starts"], kit["discard_chosen"],
        kit["discard_seat"], kit["discard_order"], kit["discard_hidden"], kit["discard_used"],
        notes["discard_context"], notes["discard_rows"], notes["discard_starts"], notes["discard_chosen"],
        notes["discard_seat"], notes["discard_order"], notes["discard_hidden"], notes["discard_used"],
        notes["discard_round"],
    )  # fmt: skip
    _keep(
        t, number, kit["riichi_context"], kit["riichi_rows"], kit["riichi_starts"], kit["riichi_chosen"],
        kit["riichi_seat"], kit["riichi_order"], kit["riichi_hidden"], kit["riichi_used"],
        notes["riichi_context"], notes["riichi_rows"], notes["riichi_starts"], notes["riichi_chosen"],
        notes["riichi_seat"], notes["riichi_order"], notes["riichi_hidden"], notes["riichi_used"],
        notes["riichi_round"],
    )  # fmt: skip
    _keep(
        t, number, kit["call_context"], kit["call_rows"], kit["call_starts"], kit["call_chosen"],
        kit["call_seat"], kit["call_order"], kit["call_hidden"], kit["call_used"],
        notes["call_context"], notes["call_rows"], notes["call_starts"], notes["call_chosen"],
        notes["call_seat"], notes["call_order"], notes["call_hidden"], notes["call_used"],
        notes["call_round"],
    )  # fmt: skip


@compiled
def _keep(
    t: Any,
    number: int,
    context: F32,
    rows: F32,
    starts: I32,
    chosen: I32,
    seats: I32,
    orders: I32,
    hidden: F32,
    used: I32,
    all_context: F32,
    all_rows: F32,
    all_starts: I32,
    all_chosen: I32,
    all_seats: I32,
    all_orders: I32,
    all_hidden: F32,
    all_used: I32,
    all_rounds: I32,
) -> None:
    to = int(all_used[0])
    for at in range(used[0]):
        seat = int(seats[at])
        if t["player"][seat] != POLICY or t["net"][seat] != 0:
            continue
        first, end, start = int(starts[at]), int(starts[at + 1]), int(all_starts[to])
        all_context[to] = context[at]
        all_rows[start : start + end - first] = rows[first:end]
        all_hidden[to] = hidden[at]
        all_starts[to + 1] = start + end - first
        all_chosen[to], all_seats[to], all_orders[to] = chosen[at], seat, orders[at]
        all_rounds[to] = number
        to += 1
    all_used[0] = to
