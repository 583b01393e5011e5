"""What kernels need besides the table: the rules, nets, a script, and room for notes.

Like the table it is one flat record, because kernels pass it on at every step: one address instead of dozens
of arrays.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from manue.arrays import F32, I16
from manue.errors import EventError
from manue.hand.points import CELLS
from manue.hand.shanten import TABLES
from manue.rules import TENHOU, Rules
from manue.sim.net import CONTEXT_SIZE, HIDDEN_SIZE, SHAPES, WEIGHTS, WIDE_SHAPES, WIDE_WEIGHTS
from manue.sim.scoring import SWITCHES, base_by_cell, points_by_cell, switches_of
from manue.sim.table import MAX_OPTIONS

MAX_EVENTS = 512
MAX_NETS = 4
EVENT_COLUMNS = 9
JUDGED_COLUMNS = 4 + MAX_OPTIONS
EXAMPLE_ROOM = {"discard": (160, 2240), "riichi": (64, 64), "call": (128, 512)}
"""Capacity for each net in a round: choices, and options of all of them together."""


def example_fields(name: str, choices: int, options: int) -> list[tuple[Any, ...]]:
    """Return the fields of the notes for one net, with room for these numbers of choices and options."""
    return [
        ("context", np.float32, (choices, CONTEXT_SIZE)),
        ("rows", np.float32, (options, SHAPES[name].columns)),
        ("starts", np.int32, (choices + 1,)),  # first row of each choice; the last is the end
        ("chosen", np.int32, (choices,)),  # which of its options, from 0; -1 for none
        ("seat", np.int32, (choices,)),
        ("order", np.int32, (choices,)),  # choices of the round noted before, of all nets
        ("hidden", np.float32, (choices, HIDDEN_SIZE)),  # what the seat does not see
        ("used", np.int32, ()),  # number of choices
    ]


KIT = np.dtype(
    [
        ("tables", np.uint8, TABLES.packed.shape),  # of `manue.hand.shanten`
        ("points", np.float32, (4, CELLS)),
        ("base", np.int32, (CELLS,)),
        ("switches", np.int64, (SWITCHES,)),
        ("no_ura", np.int8, (34,)),  # zeros
        ("weights", np.float32, (MAX_NETS, WIDE_WEIGHTS)),  # the nets of players
        ("wide", np.uint8, (MAX_NETS,)),
        # a script: seats and choices in order
        ("script", np.int16, (MAX_EVENTS, 2)),
        ("script_len", np.int32, ()),
        # room for one choice
        ("found", np.int64, (MAX_OPTIONS,)),  # kinds or codes
        ("context", np.float32, (CONTEXT_SIZE,)),
        ("rows", np.float32, (MAX_OPTIONS, max(shape.columns for shape in SHAPES.values()))),
        ("ratings", np.float32, (MAX_OPTIONS,)),
        ("dangers", np.float32, (4, 34)),
        ("base_layer", np.float32, (WIDE_SHAPES["discard"].units,)),
        ("first_layer", np.float32, (MAX_OPTIONS, WIDE_SHAPES["discard"].units)),
        ("second_layer", np.float32, (MAX_OPTIONS, WIDE_SHAPES["discard"].last)),
        # notes of one round
        ("writes_log", np.uint8, ()),
        ("writes_judged", np.uint8, ()),
        ("writes_examples", np.uint8, ()),
        ("writes_hidden", np.uint8, ()),
        ("log", np.int32, (MAX_EVENTS, EVENT_COLUMNS)),  # event, actor, source, tile, choice, deltas
        ("judged", np.int16, (MAX_EVENTS, JUDGED_COLUMNS)),  # seat, events before, choice, number, options
        *((name, np.dtype(example_fields(name, *EXAMPLE_ROOM[name]), align=True)) for name in SHAPES),
    ],
    align=True,
)
"""Layout of a kit."""


def new_kit(
    rules: Rules = TENHOU,
    nets: Sequence[F32] = (),
    *,
    log: bool = False,
    judged: bool = False,
    examples: bool = False,
    hidden: bool = False,
) -> Any:
    """Return a kit, a record of `KIT`.

    Parameters
    ----------
    rules : Rules
    nets : sequence of float32[weights]
        The nets of players, narrow or wide, at most `MAX_NETS`.
    log, judged, examples, hidden : bool
        What is noted: the events of a round; its choices and what else was legal; what the nets are shown;
        with it, what the value net is.
    """
    kit = np.zeros(1, KIT)[0]
    kit["tables"][:] = TABLES.packed
    kit["points"][:] = points_by_cell(rules)
    kit["base"][:] = base_by_cell(rules)
    kit["switches"][:] = switches_of(rules)
    kit["writes_log"], kit["writes_judged"], kit["writes_examples"] = log, judged, examples
    kit["writes_hidden"] = hidden
    for at, weights in enumerate(nets):
        put_net(kit, at, weights)
    return kit


def put_net(kit: Any, at: int, weights: F32) -> None:
    """Put a net, narrow or wide, into its place in a kit."""
    kit["weights"][at, : len(weights)] = weights
    kit["wide"][at] = len(weights) > WEIGHTS


def put_script(kit: Any, script: I16) -> None:
    """Give scripted players their choices: int16[n, 2].

    Raises
    ------
    EventError
        If there are more than a round can have.
    """
    if len(script) > MAX_EVENTS:
        raise EventError(f"{len(script)} choices in a round")
    kit["script"][: len(script)] = script
    kit["script_len"] = len(script)
