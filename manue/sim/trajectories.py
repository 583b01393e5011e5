"""Rounds played with notes of every choice of the seats that learn, gathered over many rounds.

Seats that learn play by the first net of the kit; see `manue.sim.learning` for what is made of the notes.
"""

from typing import Any

import numpy as np

from manue.arrays import F32
from manue.compiled import compiled, inlined
from manue.sim.games import play_next
from manue.sim.kit import EXAMPLE_ROOM, example_fields
from manue.sim.net import SHAPES
from manue.sim.players import POLICY
from manue.sim.table import Tables

ROUNDS = 512
"""Most rounds of a record of `TRAJECTORIES`."""
_OF_A_ROUND = {"discard": (72, 864), "riichi": (6, 6), "call": (24, 48)}
"""Choices and options of a round for which there is room, on average."""


def _layout(name: str) -> np.dtype[np.void]:
    """Return the layout of the notes for one net."""
    (choices, options), (most_choices, most_options) = _OF_A_ROUND[name], EXAMPLE_ROOM[name]
    room = choices * ROUNDS + most_choices
    fields = example_fields(name, room, options * ROUNDS + most_options)
    return np.dtype([*fields, ("round", np.int32, (room,))], align=True)


TRAJECTORIES = np.dtype(
    [
        ("rounds", np.int32, ()),  # number of rounds
        ("scores", np.int32, (ROUNDS, 2, 4)),  # before and after a round
        ("index", np.int32, (ROUNDS, 2)),
        ("honba", np.int32, (ROUNDS, 2)),
        ("over", np.int8, (ROUNDS,)),  # it was the last of its game
        *((name, _layout(name)) for name in SHAPES),
    ],
    align=True,
)
"""Layout of the notes: the rounds; for each net `manue.sim.kit.example_fields`, and each round."""


def new_trajectories() -> Any:
    """Return empty notes, a record of `TRAJECTORIES`: 140 MB, which the system gives as they are filled."""
    return np.zeros(1, TRAJECTORIES)[0]


@compiled
def play_noted(tables: Tables, kit: Any, notes: Any, most: int) -> int:
    """Play games and note the choices of the seats that learn; return the number of rounds.

    Parameters
    ----------
    tables : TABLE[n]
        Each with its ``seed`` and before a round.
    kit : KIT
        That writes training examples.
    notes : TRAJECTORIES
        What they held is forgotten.
    most : int
        Rounds after which it stops, at most `ROUNDS`; it stops before if there is no room for another.
    """
    notes["discard"]["used"] = notes["riichi"]["used"] = notes["call"]["used"] = 0
    notes["rounds"] = 0
    for at in range(len(tables)):
        t = tables[at]
        while not t["over"]:
            number = int(notes["rounds"])
            if number == min(most, ROUNDS) or not (
                _has_room(kit["discard"], notes["discard"])
                and _has_room(kit["riichi"], notes["riichi"])
                and _has_room(kit["call"], notes["call"])
            ):
                return number
            _note_game(t, notes, number, 0)
            kit["discard"]["used"] = kit["riichi"]["used"] = kit["call"]["used"] = 0
            play_next(t, kit)
            _note_game(t, notes, number, 1)
            notes["over"][number] = t["over"]
            _keep(t, number, kit["discard"], notes["discard"])
            _keep(t, number, kit["riichi"], notes["riichi"])
            _keep(t, number, kit["call"], notes["call"])
            notes["rounds"] = number + 1
    return int(notes["rounds"])


@inlined
def _note_game(t: Any, notes: Any, number: int, after: int) -> None:
    for seat in range(4):
        notes["scores"][number, after, seat] = t["scores"][seat]
    notes["index"][number, after] = t["index"]
    notes["honba"][number, after] = t["honba"]


@inlined
def _has_room(noted: Any, kept: Any) -> bool:
    """Return whether there is room for whatever a round may bring one net."""
    used = kept["used"]
    return bool(
        used + len(noted["chosen"]) <= len(kept["chosen"])
        and kept["starts"][used] + len(noted["rows"]) <= len(kept["rows"])
    )


@compiled
def _keep(t: Any, number: int, noted: Any, kept: Any) -> None:
    """Append what has been noted of a round for one net, of the seats that learn."""
    to = int(kept["used"])
    for at in range(noted["used"]):
        seat = int(noted["seat"][at])
        if t["player"][seat] != POLICY or t["net"][seat] != 0:
            continue
        first, end, start = int(noted["starts"][at]), int(noted["starts"][at + 1]), int(kept["starts"][to])
        _copy(noted["context"][at], kept["context"][to])
        _copy(noted["hidden"][at], kept["hidden"][to])
        for row in range(end - first):
            _copy(noted["rows"][first + row], kept["rows"][start + row])
        kept["starts"][to + 1] = start + end - first
        kept["chosen"][to], kept["seat"][to] = noted["chosen"][at], seat
        kept["order"][to], kept["round"][to] = noted["order"][at], number
        to += 1
    kept["used"] = to


@inlined
def _copy(line: F32, to: F32) -> None:
    for column in range(len(line)):
        to[column] = line[column]
