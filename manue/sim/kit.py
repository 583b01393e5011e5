"""What kernels need besides the table: the rules, nets, a script, and room for notes."""

from typing import NamedTuple

import numpy as np

from manue.arrays import F32, I8, I16, I32, I64, U8
from manue.hand.shanten import TABLES
from manue.rules import TENHOU, Rules
from manue.sim.net import CONTEXT_SIZE, SHAPES, WEIGHTS, Shape, Space, new_space
from manue.sim.scoring import Book, book_of
from manue.sim.table import MAX_OPTIONS

EVENT_COLUMNS = 9
JUDGED_COLUMNS = 4 + MAX_OPTIONS
ROWS_OF_A_CHOICE = {"discard": 12, "riichi": 1, "call": 2}
"""Room for options; a choice has fewer of them on average."""


class Lessons(NamedTuple):
    """Choices of one net: what it was shown, and what was chosen."""

    context: F32
    """float32[n, CONTEXT_SIZE]"""
    rows: F32
    """float32[m, columns]: the options of all choices, one after the other."""
    starts: I64
    """int64[n + 1]: the first row of each choice; the last is the end."""
    chosen: I64
    """int64[n]: which of its options, from 0; -1 for none."""
    who: I64
    """int64[n, 2]: the round, counted by ``rounds`` of the table, and the seat."""
    used: I64
    """int64[1]: number of choices noted."""


class Kit(NamedTuple):
    """What kernels need; the notes may be empty."""

    tables: U8
    """The packed tables of `manue.hand.shanten`."""
    book: Book
    no_ura: I8
    """int8[34] of zeros."""
    found: I64
    """int64[34]: room for kinds."""
    weights: F32
    """float32[n, WEIGHTS]: the nets of players, one a row."""
    space: Space
    script: I16
    """int16[n, 2]: seats and choices of scripted players, in order."""
    log: I32
    """int32[n, EVENT_COLUMNS]: receives the events: type, actor, source, tile, choice, deltas."""
    judged: I16
    """int16[n, JUDGED_COLUMNS]: receives the choices: seat, events before, choice, number of options, options."""
    discards: Lessons
    riichi: Lessons
    calls: Lessons


NO_WEIGHTS: F32 = np.zeros((1, WEIGHTS), np.float32)
NO_SCRIPT: I16 = np.zeros((0, 2), np.int16)


def kit_of(
    *,
    rules: Rules = TENHOU,
    weights: F32 = NO_WEIGHTS,
    script: I16 = NO_SCRIPT,
    events: int = 0,
    choices: int = 0,
    lessons: int = 0,
) -> Kit:
    """Gather what kernels need.

    Parameters
    ----------
    rules : Rules
    weights : float32[n, WEIGHTS]
    script : int16[n, 2]
    events, choices, lessons : int
        Room for notes.
    """
    return Kit(
        TABLES.packed,
        book_of(rules),
        np.zeros(34, np.int8),
        np.zeros(34, np.int64),
        weights,
        new_space(),
        script,
        np.zeros((events, EVENT_COLUMNS), np.int32),
        np.zeros((choices, JUDGED_COLUMNS), np.int16),
        *(new_lessons(shape, lessons, ROWS_OF_A_CHOICE[name]) for name, shape in SHAPES.items()),
    )


def new_lessons(shape: Shape, choices: int, options: int) -> Lessons:
    """Return room for a number of choices with so many options each."""
    return Lessons(
        np.zeros((choices, CONTEXT_SIZE), np.float32),
        np.zeros((choices * options, shape.columns), np.float32),
        np.zeros(choices + 1, np.int64),
        np.zeros(choices, np.int64),
        np.zeros((choices, 2), np.int64),
        np.zeros(1, np.int64),
    )
