"""The policy net as kernels: three small nets over one context, in one row of numbers.

Each rates options: its input is the context and the columns of an option, then come two hidden layers with
ReLU and one output. Discards are chosen by the softmax over them; riichi, calls and kans by the softmax over
the options and not declaring, which is rated 0. The context's share of the first layer is computed once.
The value net of self-play has the same form: its only option is the hands that the seat does not see.

There are two sizes: narrow nets play more rounds a second, wide ones come nearer to the player whose choices
they learn.
"""

from typing import Any, NamedTuple

import numpy as np

from manue.arrays import F32, U64
from manue.compiled import compiled, inlined, specialized
from manue.sim.columns import CALL_COLUMNS, CONTEXT, DISCARD_COLUMNS, HIDDEN_COLUMNS, RIICHI_COLUMNS

CONTEXT_SIZE = len(CONTEXT)
DISCARD_SIZE, RIICHI_SIZE, CALL_SIZE = len(DISCARD_COLUMNS), len(RIICHI_COLUMNS), len(CALL_COLUMNS)
HIDDEN_SIZE = len(HIDDEN_COLUMNS)
DISCARD_UNITS, DISCARD_LAST = 64, 32
OTHER_UNITS, OTHER_LAST = 32, 16
WIDE_DISCARD_UNITS, WIDE_DISCARD_LAST = 192, 64
WIDE_OTHER_UNITS, WIDE_OTHER_LAST = 64, 32


class NetShape(NamedTuple):
    """The place of one net in a row of weights, and the sizes of its inputs and layers."""

    start: int
    columns: int
    units: int
    last: int
    context: int = CONTEXT_SIZE

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of its arrays in the order in which they are stored.

        First layer of the context and of the options, their bias; second layer, bias; output, bias.
        """
        first, second = self.units, self.last
        inputs = ((self.context, first), (self.columns, first), (first,))
        return (*inputs, (first, second), (second,), (second,), (1,))

    @property
    def end(self) -> int:
        """The first place after it."""
        return self.start + sum(int(np.prod(size)) for size in self.sizes)


Shapes = dict[str, NetShape]
"""The nets of a policy, one after the other in a row of weights: ``discard``, ``riichi`` and ``call``."""


def _shapes(discard: tuple[int, int], other: tuple[int, int]) -> Shapes:
    """Return the nets; ``discard`` and ``other`` are the units of their two layers."""
    discards = NetShape(0, DISCARD_SIZE, *discard)
    riichi = NetShape(discards.end, RIICHI_SIZE, *other)
    return {"discard": discards, "riichi": riichi, "call": NetShape(riichi.end, CALL_SIZE, *other)}


SHAPES = _shapes((DISCARD_UNITS, DISCARD_LAST), (OTHER_UNITS, OTHER_LAST))
"""The narrow nets."""
WIDE_SHAPES = _shapes((WIDE_DISCARD_UNITS, WIDE_DISCARD_LAST), (WIDE_OTHER_UNITS, WIDE_OTHER_LAST))
WEIGHTS, WIDE_WEIGHTS = SHAPES["call"].end, WIDE_SHAPES["call"].end
"""Numbers in a row of weights."""


def shapes_of(weights: F32) -> Shapes:
    """Return the nets of a row of weights, whose length says which they are."""
    return SHAPES if len(weights) == WEIGHTS else WIDE_SHAPES


VALUE_NET = NetShape(0, HIDDEN_SIZE, 64, 32)
"""The value net, which has a row of weights of its own."""
_RIICHI_START, _CALL_START = SHAPES["riichi"].start, SHAPES["call"].start
_WIDE_RIICHI_START, _WIDE_CALL_START = WIDE_SHAPES["riichi"].start, WIDE_SHAPES["call"].start


@compiled
def rate_discard_rows(kit: Any, net: int, n: int) -> None:
    """Fill ``ratings`` of a kit for its first n rows, which are discards."""
    if kit["wide"][net]:
        _rate(kit, net, n, 0, DISCARD_SIZE, WIDE_DISCARD_UNITS, WIDE_DISCARD_LAST)
    else:
        _rate(kit, net, n, 0, DISCARD_SIZE, DISCARD_UNITS, DISCARD_LAST)


@compiled
def rate_riichi_row(kit: Any, net: int) -> None:
    """Fill the rating of riichi."""
    if kit["wide"][net]:
        _rate(kit, net, 1, _WIDE_RIICHI_START, RIICHI_SIZE, WIDE_OTHER_UNITS, WIDE_OTHER_LAST)
    else:
        _rate(kit, net, 1, _RIICHI_START, RIICHI_SIZE, OTHER_UNITS, OTHER_LAST)


@compiled
def rate_call_rows(kit: Any, net: int, n: int) -> None:
    """Fill the ratings of calls or kans."""
    if kit["wide"][net]:
        _rate(kit, net, n, _WIDE_CALL_START, CALL_SIZE, WIDE_OTHER_UNITS, WIDE_OTHER_LAST)
    else:
        _rate(kit, net, n, _CALL_START, CALL_SIZE, OTHER_UNITS, OTHER_LAST)


@specialized
def _rate(kit: Any, net: int, n: int, start: int, columns: int, units: int, last: int) -> None:
    """Rate rows; specialized, so that the compiler knows the sizes."""
    rate_rows(
        kit["weights"][net], kit["context"], kit["rows"], kit["ratings"],
        kit["base_layer"], kit["first_layer"], kit["second_layer"], n, start, columns, units, last,
    )  # fmt: skip


@specialized
def rate_rows(
    weights: F32,
    context: F32,
    rows: F32,
    ratings: F32,
    base: F32,
    first_layers: F32,
    second_layers: F32,
    n: int,
    start: int,
    columns: int,
    units: int,
    last: int,
) -> None:
    """Rate n rows over one context by a net of these sizes.

    ``first_layers`` and ``second_layers`` keep the sums of each row before the ReLU.

    Parameters
    ----------
    weights : float32[n]
        With the net from ``start`` on.
    context : float32[c]
        What the rows share, maybe nothing.
    rows : float32[n, columns]
    ratings : float32[n]
        Filled.
    base : float32[units]
        Room for the part of the first layer that all rows share.
    first_layers, second_layers : float32[n, units], float32[n, last]
        Filled.
    """
    rows_at = start + len(context) * units
    bias_at = rows_at + columns * units
    second_at = bias_at + units
    second_bias = second_at + units * last
    out_at = second_bias + last
    at = np.empty(max(len(context), columns), np.uint64)
    row_lines = lines_of(weights, rows_at, columns, units)
    second_lines = lines_of(weights, second_at, units, last)
    copy_line(base, weights, bias_at, units)
    count = places_of(context, len(context), at)
    add_lines(base, context, at, count, lines_of(weights, start, len(context), units), units)
    for row in range(n):
        first, second = first_layers[row], second_layers[row]
        copy_line(first, base, 0, units)
        count = places_of(rows[row], columns, at)
        add_lines(first, rows[row], at, count, row_lines, units)
        copy_line(second, weights, second_bias, last)
        _add_rectified(second, first, units, second_lines, last)
        ratings[row] = weights[out_at + last] + _output(second, weights, out_at, last)


@inlined
def lines_of(weights: F32, start: int, count: int, width: int) -> F32:
    """Return the lines of weights of a layer, one for each of its inputs: float32[count, width]."""
    return weights[start : start + count * width].reshape((count, width))


@specialized
def copy_line(line: F32, weights: F32, start: int, width: int) -> None:
    """Fill a line, float32[width], with weights from ``start`` on: the bias of a layer."""
    for place in range(width):
        line[place] = weights[start + place]


@specialized
def places_of(values: F32, count: int, at: U64) -> int:
    """Gather the places of the values that are not 0 among the first ``count``; return their number."""
    found = 0
    for place in range(count):
        at[found] = place
        found += int(values[place] != 0)
    return found


@specialized
def add_lines(total: F32, values: F32, at: U64, count: int, lines: F32, width: int) -> None:
    """Add lines of weights to a total, each times the value in its place.

    Several at a time, so that the total is fetched and stored less often. Places are unsigned, so that none
    could count from the end, which would have to be looked for.

    Parameters
    ----------
    total : float32[width]
    values : float32[m]
    at : uint64[n]
        From `places_of`.
    count : int
        Its result.
    lines : float32[m, width]
    """
    whole = count // 4 * 4
    for first in range(0, whole, 4):
        a, b, c, d = at[first], at[first + 1], at[first + 2], at[first + 3]
        one, two, three, four = values[a], values[b], values[c], values[d]
        line_one, line_two, line_three, line_four = lines[a], lines[b], lines[c], lines[d]
        for place in range(width):
            total[place] += (one * line_one[place] + two * line_two[place]) + (
                three * line_three[place] + four * line_four[place]
            )
    for left in range(whole, count):
        value, line = values[at[left]], lines[at[left]]
        for place in range(width):
            total[place] += value * line[place]


@specialized
def _add_rectified(total: F32, values: F32, count: int, lines: F32, width: int) -> None:
    """Add all lines of weights to a total, each times its value where that is above 0.

    Nearly half of the units are above 0, so to look for them would cost more than to add the others. Eight at
    a time play a few percent more rounds than four.

    Parameters
    ----------
    total : float32[width]
    values : float32[count]
    lines : float32[count, width]
    """
    whole = count // 8 * 8
    for at in range(0, whole, 8):
        one, two, three, four = _four_rectified(values, at)
        five, six, seven, eight = _four_rectified(values, at + 4)
        line_one, line_two, line_three, line_four = lines[at], lines[at + 1], lines[at + 2], lines[at + 3]
        line_five, line_six, line_seven = lines[at + 4], lines[at + 5], lines[at + 6]
        line_eight = lines[at + 7]
        for place in range(width):
            total[place] += (
                (one * line_one[place] + two * line_two[place])
                + (three * line_three[place] + four * line_four[place])
            ) + (
                (five * line_five[place] + six * line_six[place])
                + (seven * line_seven[place] + eight * line_eight[place])
            )
    for left in range(whole, count):
        value, line = max(values[left], np.float32(0.0)), lines[left]
        for place in range(width):
            total[place] += value * line[place]


@inlined
def _four_rectified(values: F32, at: int) -> tuple[np.float32, np.float32, np.float32, np.float32]:
    """Return four values from a place on, 0 instead of those below it."""
    zero = np.float32(0.0)
    return (
        max(values[at], zero),
        max(values[at + 1], zero),
        max(values[at + 2], zero),
        max(values[at + 3], zero),
    )


@specialized
def _output(values: F32, weights: F32, start: int, count: int) -> np.float32:
    """Return the sum of rectified values times weights, in four parts that do not wait for each other."""
    one = two = three = four = np.float32(0.0)
    whole = count // 4 * 4
    for at in range(0, whole, 4):
        first, second, third, fourth = _four_rectified(values, at)
        one += first * weights[start + at]
        two += second * weights[start + at + 1]
        three += third * weights[start + at + 2]
        four += fourth * weights[start + at + 3]
    for left in range(whole, count):
        one += max(values[left], np.float32(0.0)) * weights[start + left]
    return (one + two) + (three + four)
