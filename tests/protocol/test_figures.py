"""The numbers of options in bulk, beside Python's own rounding and printing of one number."""

import math
import re
from dataclasses import replace
from itertools import compress, pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Discard
from manue.protocol.annotation import KEY, annotations_of, decision_table, decision_to_meta
from manue.protocol.figures import COLUMNS, UNSHOWN

TIES = st.integers(-9, 9_000).map(lambda n: n / 2_000)
AWKWARD = st.sampled_from(
    [0.0, -0.0, -0.4, 0.5, 1.5, 4.0, 4.0005, 9.9995, 1e6, -99_999.6, math.nan, math.inf]
)
NUMBERS = st.none() | TIES | AWKWARD | st.floats(0, 1) | st.floats(-50_000, 50_000)
COUNTS = st.none() | st.integers(0, 140)


@st.composite
def options(draw):
    numbers = {c.name: draw(COUNTS if c.scale == 1 else NUMBERS) for c in (*COLUMNS, *UNSHOWN)}
    action = Discard(draw(st.sampled_from(["1m", "5pr", "E"])), draw(st.booleans()))
    kinds, count = draw(COUNTS), draw(COUNTS)
    return Report(
        action, **numbers, ukeire_kinds=kinds, ukeire_count=count, note=draw(st.sampled_from(["", "why"]))
    )


DECISIONS = st.lists(options(), max_size=4).map(lambda reports: Decision(Discard("E"), tuple(reports)))


def data_of(report):
    """Return an option's numbers, rounded one by one."""
    found = {}
    for column in (*COLUMNS, *UNSHOWN):
        value = getattr(report, column.name)
        if value is not None and math.isfinite(value):
            found[column.wire] = round(value * column.scale) / column.scale if column.scale > 1 else value
    if None not in (report.ukeire_kinds, report.ukeire_count):
        found["ukeire"] = [report.ukeire_kinds, report.ukeire_count]
    return found


def table_of(reports):
    """Return the table of some options, printed cell by cell."""

    def cell(value, decimals):
        return "-" if value is None or not math.isfinite(value) else f"{value:.{decimals}f}"

    filled = [any(getattr(one, column.name) is not None for one in reports) for column in COLUMNS]
    counted = any(one.ukeire_count is not None for one in reports)
    rows = [
        ["action", *compress([column.wire for column in COLUMNS], filled), *(["ukeire"] if counted else [])]
    ]
    for one in reports:
        numbers = [cell(getattr(one, column.name), column.shown_decimals) for column in COLUMNS]
        name = f"{one.action.tile} drawn" if one.action.from_draw else one.action.tile
        kinds = "-" if one.ukeire_kinds is None else one.ukeire_kinds
        ukeire = "-" if one.ukeire_count is None else f"{kinds}/{one.ukeire_count}"
        rows.append([name, *compress(numbers, filled), *([ukeire] if counted else [])])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            text.rjust(width) if at else text.ljust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    if any(one.note for one in reports):
        lines = [
            f"{line}  {note}"
            for line, note in zip(lines, ["note", *(one.note for one in reports)], strict=True)
        ]
    return [line.rstrip() for line in lines] if reports else []


@given(DECISIONS)
@example(
    Decision(Discard("E"), (Report(Discard("E"), win_prob=0.0005, expected_points=-0.3, draw_prob=0.0625),))
)
@example(Decision(Discard("E"), (Report(Discard("E"), ukeire_count=3),)))
def test_numbers_are_rounded_and_printed_as_one_by_one(decision):
    candidates = decision_to_meta(decision, 1)[KEY]["candidates"]
    known = {column.wire for column in (*COLUMNS, *UNSHOWN)} | {"ukeire"}
    for report, candidate in zip(decision.reports, candidates, strict=True):
        shown = {name: value for name, value in candidate.items() if name in known}
        assert shown == data_of(report)
        assert [type(value) for value in shown.values()] == [type(data_of(report)[name]) for name in shown]
        assert "-0.0" not in map(str, shown.values())
    assert decision_table(decision).split("\n")[:-1] == table_of(decision.reports)


@given(DECISIONS.filter(lambda decision: decision.reports), st.integers(1, 160))
def test_a_narrow_table_has_the_columns_of_the_wide_one_below_each_other(decision, width):
    blocks, notes, foot = parts_of(decision_table(decision, width))
    assert foot == decision_table(decision).split("\n")[-1]
    names = max(len("action"), *[len(one.action.label) for one in decision.reports])
    columns = [[line[names:] for line in block] for block in blocks]
    joined = [line[:names] + "".join(cells) for line, *cells in zip(blocks[0], *columns, strict=True)]
    assert notes in ([], [f"{one.action.label}: {one.note}" for one in decision.reports if one.note])
    beside = [replace(one, note="") for one in decision.reports] if notes else decision.reports
    assert [line.rstrip() for line in joined] == table_of(beside)
    for block, cells in zip(blocks, columns, strict=True):
        assert len(block[0]) <= width or len(cells[0].split()) <= 1
    for block, following in pairwise(zip(blocks, columns, strict=True)):
        assert len(block[0][0]) + len(re.match(r" *\S+", following[1][0])[0]) > width


def parts_of(table):
    """Return the blocks of a table with their lines padded, the lines of notes, and the last line."""
    *text, last = table.split("\n\n")
    tail = last.split("\n")
    blocks = [block.split("\n") for block in [*text, "\n".join(tail[:-1])]]
    notes = [] if blocks[-1][0].startswith("action") else blocks.pop()
    return [[line.ljust(max(map(len, block))) for line in block] for block in blocks], notes, tail[-1]


@given(st.lists(st.dictionaries(st.integers(0, 3), DECISIONS, max_size=2), max_size=4))
def test_many_events_give_the_same_annotations_as_one_by_one(events):
    annotations = list(annotations_of(events))
    assert len(annotations) == len(events)
    for decisions, (logs, meta) in zip(events, annotations, strict=True):
        for seat in range(4):
            decision = decisions.get(seat)
            assert logs[seat] == (None if decision is None else decision_table(decision))
            assert meta[seat] == (None if decision is None else decision_to_meta(decision, seat))
