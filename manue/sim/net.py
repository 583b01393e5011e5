"""The policy net as kernels: three small nets over one context, in one row of numbers.

Each rates options: its input is the context and the columns of an option, then come two hidden layers with
ReLU and one output. Discards are chosen by the softmax over them; riichi, calls and kans by the softmax over
the options and not declaring, which is rated 0. The context's share of the first layer is computed once.
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import F32
from manue.compiled import compiled
from manue.sim.columns import CALL_COLUMNS, CONTEXT, DISCARD_COLUMNS, RIICHI_COLUMNS

CONTEXT_SIZE = len(CONTEXT)


class Shape(NamedTuple):
    """The place of one net in a row of weights."""

    start: int
    columns: int
    first: int
    second: int

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of its arrays in the order in which they are stored."""
        return (
            (CONTEXT_SIZE, self.first),
            (self.columns, self.first),
            (self.first,),
            (self.first, self.second),
            (self.second,),
            (self.second,),
            (1,),
        )

    @property
    def end(self) -> int:
        """The first place after it."""
        return self.start + sum(int(np.prod(size)) for size in self.sizes)


DISCARD_NET = Shape(0, len(DISCARD_COLUMNS), 64, 32)
RIICHI_NET = Shape(DISCARD_NET.end, len(RIICHI_COLUMNS), 32, 16)
CALL_NET = Shape(RIICHI_NET.end, len(CALL_COLUMNS), 32, 16)
SHAPES = {"discard": DISCARD_NET, "riichi": RIICHI_NET, "call": CALL_NET}
WEIGHTS = CALL_NET.end
"""Numbers in a row of weights."""
MOST_ROWS = 48


class Space(NamedTuple):
    """Room for the inputs and layers of one choice, so that none is made anew each time."""

    context: F32
    rows: F32
    """float32[MOST_ROWS, columns of the widest]."""
    base: F32
    first: F32
    second: F32
    ratings: F32
    dangers: F32
    """float32[4, 34]."""


def new_space() -> Space:
    """Return room for the choices of one table."""
    widest = max(shape.columns for shape in SHAPES.values())
    return Space(
        np.zeros(CONTEXT_SIZE, np.float32),
        np.zeros((MOST_ROWS, widest), np.float32),
        np.zeros(DISCARD_NET.first, np.float32),
        np.zeros(DISCARD_NET.first, np.float32),
        np.zeros(DISCARD_NET.second, np.float32),
        np.zeros(MOST_ROWS, np.float32),
        np.zeros((4, 34), np.float32),
    )


@compiled
def rate(weights: F32, shape: Shape, n: int, space: Space) -> None:
    """Fill ``ratings`` for the first n rows.

    Parameters
    ----------
    weights : float32[WEIGHTS]
    shape : Shape
    n : int
    space : Space
        With the context and the rows.
    """
    columns, width, second_width = shape.columns, shape.first, shape.second
    at = shape.start
    base, first, second = space.base[:width], space.first[:width], space.second[:second_width]
    base[:] = 0
    for column in range(CONTEXT_SIZE):
        value = space.context[column]
        if value != 0:
            _add(base, value, weights[at : at + width])
        at += width
    rows_at = at
    at += columns * width
    _add(base, np.float32(1.0), weights[at : at + width])
    second_at = at + width
    second_bias = second_at + width * second_width
    last = second_bias + second_width
    for row in range(n):
        first[:] = base
        at = rows_at
        for column in range(columns):
            value = space.rows[row, column]
            if value != 0:
                _add(first, value, weights[at : at + width])
            at += width
        second[:] = weights[second_bias:last]
        at = second_at
        for unit in range(width):
            value = first[unit]
            if value > 0:
                _add(second, value, weights[at : at + second_width])
            at += second_width
        rating = weights[last + second_width]
        for unit in range(second_width):
            rating += max(second[unit], np.float32(0.0)) * weights[last + unit]
        space.ratings[row] = rating


@compiled
def _add(total: F32, value: float, line: F32) -> None:
    """Add a multiple of a line."""
    for place in range(len(total)):
        total[place] += value * line[place]
