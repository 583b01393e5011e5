"""A decision as data for the wire and for logs, as an aligned table for people, and read back from the data.

The field names are those familiar from annotated Mjai logs; ``docs/glossary.md`` explains them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from numbers import Integral
from typing import Any, cast

from manue.agents.base import Decision
from manue.decision.report import Report, Worth
from manue.errors import ProtocolError, UsageError
from manue.foreign import printable
from manue.game.actions import Discard
from manue.models.fold import Fold
from manue.protocol.codec import Fields, action_to_fields, fields_to_action
from manue.protocol.details import details_to_fields, fields_to_details
from manue.protocol.figures import COLUMNS, KEYS, TITLES, UNSHOWN, Figures, figures_of, rounded
from manue.tiles import KINDS, Seat, Tile

KEY = "manue"
"""Our key in ``meta``."""
_LARGEST = 1 << 64
"""Whole numbers in an annotation are smaller than this."""


def decision_to_meta(decision: Decision, seat: Seat) -> Fields:
    """Return ``{"manue": {...}}``: the decision as JSON data, options best first.

    Numbers that an agent does not estimate are left out; `manue.protocol.details` describes what candidates
    may have in addition to the columns. ``fold`` has the probability of dealing in, and the mean points paid
    then, if only the safest tiles are discarded from now on. ``moves`` are the Mjai replies that carry out an
    option: one move, or a riichi or call followed by its discard. ``value`` is what decided between the
    options, in points, and ``habit`` the part of it that the human policy added. ``danger`` has P(it wins) by
    kind for each seat.
    """
    return _meta(decision, seat, *_figures([decision]))


def _figures(decisions: Sequence[Decision]) -> Iterator[Figures]:
    options = [decision.reports for decision in decisions]
    return figures_of(options, [[one.label for one in reports] for reports in options])


def _meta(decision: Decision, seat: Seat, figures: Figures) -> Fields:
    seats = repeat(seat, len(decision.reports))
    fields: Fields = {
        "chosen": action_to_fields(decision.action, seat),
        "candidates": list(map(_candidate, seats, decision.reports, figures.data, figures.complete)),
        "tenpaiProbs": [rounded(prob, 4) for prob in decision.tenpai_probs],
        "trials": int(decision.mc_draws),
        "seed": int(decision.seed),
        "elapsed_ms": rounded(decision.elapsed_ms, 2),
    }
    if decision.fold is not None:
        fields["fold"] = {
            "unsafeProb": rounded(decision.fold.prob, 4),
            "avgHojuPt": rounded(decision.fold.points, 1),
        }
    for candidate, worth in zip(fields["candidates"], decision.worths, strict=False):
        if worth is not None:
            candidate["value"], candidate["habit"] = rounded(worth.value, 1), rounded(worth.habit, 1)
    if decision.dangers:
        fields["danger"] = [
            {tile: rounded(prob, 4) for tile, prob in kinds.items()} for kinds in decision.dangers
        ]
    if decision.note:
        fields["note"] = decision.note
    return {KEY: fields}


def _candidate(seat: Seat, report: Report, row: Sequence[Any], complete: bool) -> Fields:  # noqa: FBT001 - mapped over
    fields: Fields = dict(zip(KEYS, row))  # noqa: B905 - strict=True takes a quarter longer
    if not complete:
        fields = {name: value for name, value in fields.items() if value == value}  # noqa: PLR0124 - no NaN
    if report.note:
        fields["note"] = report.note
    if report.details is not None:
        fields |= details_to_fields(report.details)
    move, discard = action_to_fields(report.action, seat), report.discard
    fields["moves"] = [move] if discard is None else [move, action_to_fields(discard, seat)]
    return fields


def meta_to_decision(meta: Any) -> Decision | None:
    """Read a decision back from ``meta``; ``None`` if it has no data of ours.

    Raises
    ------
    ProtocolError
        If the value under our key is not in the format that we write.
    """
    data = meta.get(KEY) if isinstance(meta, dict) else None
    if data is None:
        return None
    try:
        return Decision(
            action=fields_to_action(data["chosen"]),
            reports=tuple(_report(candidate) for candidate in data["candidates"]),
            tenpai_probs=tuple(_number(prob) for prob in data["tenpaiProbs"]),
            mc_draws=_whole(data["trials"]) or 0,
            seed=_whole(data["seed"]) or 0,
            elapsed_ms=_number(data["elapsed_ms"]) or 0.0,
            fold=_fold(data.get("fold")),
            note=str(data.get("note") or ""),
            dangers=_dangers(data.get("danger")),
            worths=_worths(data["candidates"]),
        )
    except KeyError as error:
        raise ProtocolError(f"damaged annotation: no field {error}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise ProtocolError(f"damaged annotation: {error}") from None


def _report(candidate: Mapping[str, Any]) -> Report:
    action, *rest = (fields_to_action(move) for move in candidate["moves"])
    discard = rest[0] if rest else None
    if len(rest) > 1 or not isinstance(discard, Discard | None):
        raise TypeError("an option is one move and at most one discard")
    kinds, count = candidate.get("ukeire") or (None, None)
    numbers = {
        column.name: _number(candidate.get(column.wire))
        if column.scale > 1
        else _whole(candidate.get(column.wire))
        for column in (*COLUMNS, *UNSHOWN)
    }
    return Report(
        action,
        discard,
        ukeire_kinds=_whole(kinds),
        ukeire_count=_whole(count),
        note=str(candidate.get("note") or ""),
        details=fields_to_details(candidate),
        **cast("dict[str, Any]", numbers),
    )


def _dangers(fields: object) -> tuple[dict[Tile, float], ...]:
    if fields is None:
        return ()
    if not isinstance(fields, list) or len(fields) != 4:
        raise TypeError("danger is known for four seats")
    return tuple(_danger(kinds) for kinds in fields)


def _danger(kinds: Mapping[str, Any]) -> dict[Tile, float]:
    found = {}
    for tile, value in kinds.items():
        prob = _number(value)
        if tile not in KINDS or prob is None or not 0 <= prob <= 1:
            raise ValueError("danger is a probability by kind")
        found[tile] = prob
    return found


def _worths(candidates: Sequence[Mapping[str, Any]]) -> tuple[Worth | None, ...]:
    found = tuple(_worth(candidate) for candidate in candidates)
    return found if any(found) else ()


def _worth(candidate: Mapping[str, Any]) -> Worth | None:
    value, habit = _number(candidate.get("value")), _number(candidate.get("habit"))
    if value is None or not math.isfinite(value):
        return None
    return Worth(value, habit if habit is not None and math.isfinite(habit) else 0.0)


def _fold(fields: Mapping[str, Any] | None) -> Fold | None:
    if fields is None:
        return None
    prob, points = _number(fields["unsafeProb"]), _number(fields["avgHojuPt"])
    if prob is None or points is None:
        raise TypeError("folding needs a probability and points")
    if not math.isfinite(prob) or not math.isfinite(points):
        raise ValueError("folding needs finite numbers")
    return Fold(prob, points)


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return float(_in_range(value)) if isinstance(value, int) else value


def _whole(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return _in_range(value)


def _in_range(value: int) -> int:
    if not -_LARGEST < value < _LARGEST:
        raise ValueError(f"a number of {value.bit_length()} bits")
    return value


def decision_table(decision: Decision, width: int | None = None) -> str:
    """Return the options as aligned text, best first, without empty columns.

    A last line shows the choice, the tenpai probabilities of the others by seat, what folding costs, the
    number of Monte Carlo draws, the seed and the time.

    Parameters
    ----------
    decision : Decision
        Of any agent.
    width : int, optional
        Characters of a line, default any number. Columns for which there is no room follow below, beside the
        options once more.

    Returns
    -------
    str
        Several lines; numbers as in an annotated game record (`COLUMNS`).

    Raises
    ------
    UsageError
        If that is no decision, or no width.

    Examples
    --------
    >>> import manue
    >>> decision = manue.evaluate("123m456p789s1122z 9m", agent="greedy")
    >>> print(manue.decision_table(decision).splitlines()[1])
    riichi        0  riichi whenever possible
    """
    if not isinstance(decision, Decision):
        raise UsageError(f"{decision!r} is not a Decision")
    if width is not None and (not isinstance(width, Integral) or isinstance(width, bool) or width < 1):
        raise UsageError(f"{width!r} is not a number of characters, from 1")
    return _table(decision, next(_figures([decision])), width)


def _table(decision: Decision, figures: Figures, width: int | None = None) -> str:
    reports = decision.reports
    if not reports:
        return _foot(decision)
    blocks = [_lines(figures, shown) for shown in _blocks(figures.filled, figures.widths, width)]
    notes = [printable(report.note) for report in reports]
    if any(notes):
        blocks = _with_notes(blocks, notes, figures, width)
    text = "\n\n".join("\n".join(line.rstrip() for line in lines) for lines in blocks)
    return f"{text}\n{_foot(decision)}"


def _with_notes(
    blocks: list[list[str]], notes: list[str], figures: Figures, width: int | None
) -> list[list[str]]:
    """Return the table with the notes as last column or, without room for it, with a line for each below."""
    *before, last = blocks
    beside = [f"{line}  {note}" for line, note in zip(last, ["note", *notes], strict=True)]
    if width is None or max(map(len, beside)) <= width:
        return [*before, beside]
    return [*blocks, [f"{row[0]}: {note}" for row, note in zip(figures.cells, notes, strict=True) if note]]


def _lines(figures: Figures, shown: tuple[bool, ...]) -> list[str]:
    titles, aligned = _layout(shown, figures.widths)
    return [titles, *[aligned % tuple(row) for row in figures.cells]]


def _blocks(filled: tuple[bool, ...], widths: tuple[int, ...], width: int | None) -> list[tuple[bool, ...]]:
    """Return the columns of each part of a table, as many beside the options as a line has room for."""
    if width is None:
        return [filled]
    parts: list[list[int]] = [[]]
    used = widths[0]
    for column in (at for at, known in enumerate(filled) if known and at > 0):
        if parts[-1] and used + 2 + widths[column] > width:
            parts.append([])
            used = widths[0]
        parts[-1].append(column)
        used += 2 + widths[column]
    return [tuple(at == 0 or at in part for at in range(len(filled))) for part in parts]


@lru_cache(256)
def _layout(shown: tuple[bool, ...], widths: tuple[int, ...]) -> tuple[str, str]:
    """Return the aligned titles of the columns shown, and the format of a row of cells."""
    form = f"%-{widths[0]}s" + "".join(
        f"  %{width}s" if known else "%.0s" for known, width in zip(shown[1:], widths[1:], strict=True)
    )
    return form % TITLES, form


def _foot(decision: Decision) -> str:
    parts = [f"chosen {decision.action.label}"]
    if any(prob is not None for prob in decision.tenpai_probs):
        shown = " ".join("-" if prob is None else f"{prob:.3f}" for prob in decision.tenpai_probs)
        parts.append(f"tenpaiProbs {shown}")
    if decision.mc_draws:
        parts.append(f"Monte Carlo draws {decision.mc_draws}, seed {decision.seed}")
    if decision.fold is not None:
        parts.append(f"folding costs {decision.fold.cost:.0f}")
    parts.append(f"{decision.elapsed_ms:.1f} ms")
    return "; ".join(parts)


Annotation = tuple[list[str | None], list[Fields | None]]
"""``logs`` and ``meta`` of an event, by seat."""


def annotation_of(decisions: Mapping[Seat, Decision]) -> Annotation:
    """Return ``logs`` and ``meta`` for the event that caused these decisions, by seat."""
    return next(annotations_of([decisions]))


def annotations_of(events: Sequence[Mapping[Seat, Decision]]) -> Iterator[Annotation]:
    """Yield `annotation_of` for each of many events, several times faster than one by one."""
    figures = _figures([decision for decisions in events for decision in decisions.values()])
    for decisions in events:
        logs: list[str | None] = [None] * 4
        meta: list[Fields | None] = [None] * 4
        for seat, decision in decisions.items():
            own = next(figures)
            logs[seat], meta[seat] = _table(decision, own), _meta(decision, seat, own)
        yield logs, meta


def decisions_of(meta: Any) -> dict[Seat, Decision]:
    """Return the decisions that an event of a log caused, by seat; none if ``meta`` is missing or foreign.

    Raises
    ------
    ProtocolError
        If the value under our key is not in the format that we write.
    """
    if not isinstance(meta, list):
        return {}
    found = {seat: meta_to_decision(entry) for seat, entry in enumerate(meta[:4])}
    return {seat: decision for seat, decision in found.items() if decision is not None}
