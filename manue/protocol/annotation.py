"""A decision as data for the wire and for logs, as an aligned table for people, and back from the data.

The names of the fields are those that readers of annotated Mjai logs know; the glossary is `COLUMNS`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter
from typing import Any, cast

from manue.agents.base import Decision, Report
from manue.errors import ProtocolError
from manue.estimate.fold import Fold
from manue.game.actions import Action, Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.protocol.codec import Fields, action_to_fields, fields_to_action
from manue.protocol.details import details_to_fields, fields_to_details
from manue.tiles import Seat

KEY = "manue"
"""The key of our data inside ``meta``."""


@dataclass(frozen=True, slots=True)
class Column:
    """One number of a report: its name on the wire and in code, decimals in data and tables, meaning.

    The data hold multiples of 1 / ``scale``, a power of ten; 1 means whole numbers.
    """

    wire: str
    name: str
    scale: int
    shown_decimals: int
    meaning: str


COLUMNS = (
    Column("expPt", "expected_points", 10, 0, "expected points from now to the end of the round"),
    Column("avgRank", "expected_rank", 10_000, 3, "expected final place, 1 to 4"),
    Column("horaProb", "win_prob", 100_000, 3, "chance to win this round"),
    Column("avgHoraPt", "win_points", 10, 0, "mean points of that win"),
    Column("unsafeProb", "deal_in_prob", 100_000, 3, "chance that this discard is won on"),
    Column("avgHojuPt", "deal_in_points", 10, 0, "mean points paid if it is"),
    Column("ryukyokuProb", "draw_prob", 100_000, 3, "chance of an exhaustive draw"),
    Column("ryukyokuAvgPt", "draw_points", 10, 0, "mean points then"),
    Column("otherHoraProb", "others_win_prob", 100_000, 3, "chance that somebody else wins"),
    Column("shanten", "shanten", 1, 0, "exchanges to tenpai"),
    Column("playedProb", "played_prob", 10_000, 3, "share of strong players who do it here"),
)
ERRORS = (
    Column("horaProbError", "win_prob_error", 100_000, 3, "standard error of horaProb"),
    Column("avgHoraPtError", "win_points_error", 10, 0, "standard error of avgHoraPt"),
)
_NUMBERS = attrgetter(*(column.name for column in COLUMNS))
_SHOWN = "\t".join(f"%.{column.shown_decimals}f" for column in COLUMNS)


def describe(action: Action, discard: Discard | None = None) -> str:
    """Print an option in a few words: ``3m``, ``3m drawn``, ``riichi 3m``, ``pon E E + E, 1m``, ``pass``."""
    match action:
        case Discard(tile, from_draw):
            text = f"{tile} drawn" if from_draw else tile
        case Call(kind, consumed, tile):
            text = " ".join((kind, *consumed, *(("+", tile) if tile else ())))
        case Win(tile):
            text = f"win {tile}"
        case Pass():
            text = "pass"
        case Riichi():
            text = "riichi"
        case NineTerminals():
            text = "nine terminals"
    if discard is None:
        return text
    return f"{text}{' ' if isinstance(action, Riichi) else ', '}{describe(discard)}"


def decision_to_meta(decision: Decision, seat: Seat) -> Fields:
    """Return ``{"manue": {...}}``: the decision as JSON data, options best first.

    What an agent does not estimate is left out; what candidates may carry beside the columns stands in
    `manue.protocol.details`. ``fold`` is the chance to deal in, and the mean points then, when only the
    safest tiles are discarded from here. ``moves`` are the Mjai replies that carry an option out: one,
    or a riichi or a call and its discard.
    """
    fields: Fields = {
        "chosen": action_to_fields(decision.action, seat),
        "candidates": [_candidate(report, seat) for report in decision.reports],
        "tenpaiProbs": [_rounded(prob, 4) for prob in decision.tenpai_probs],
        "trials": decision.trials,
        "seed": decision.seed,
        "elapsed_ms": _rounded(decision.elapsed_ms, 2),
    }
    if decision.fold is not None:
        fields["fold"] = {
            "unsafeProb": round(decision.fold.prob, 4),
            "avgHojuPt": round(decision.fold.points, 1),
        }
    return {KEY: fields}


def _candidate(report: Report, seat: Seat) -> Fields:
    moves = [report.action] if report.discard is None else [report.action, report.discard]
    fields: Fields = {"action": describe(report.action, report.discard)}
    _add(fields, COLUMNS, _NUMBERS(report))
    if report.ukeire_kinds is not None and report.ukeire_count is not None:
        fields["ukeire"] = [report.ukeire_kinds, report.ukeire_count]
    _add(fields, ERRORS, (report.win_prob_error, report.win_points_error))
    if report.note:
        fields["note"] = report.note
    if report.details is not None:
        fields |= details_to_fields(report.details)
    fields["moves"] = [action_to_fields(move, seat) for move in moves]
    return fields


def _add(fields: Fields, columns: Sequence[Column], values: Sequence[float | None]) -> None:
    """Add what is known, in multiples of 1 / ``scale``: twice as fast as rounding to decimals."""
    for column, value in zip(columns, values, strict=True):
        if value is not None and math.isfinite(value):
            scale = column.scale
            fields[column.wire] = round(value * scale) / scale if scale > 1 else int(value)


def _rounded(value: float | None, decimals: int) -> float | None:
    return None if value is None or not math.isfinite(value) else round(float(value), decimals)


def meta_to_decision(meta: Any) -> Decision | None:
    """Read a decision back from ``meta``; ``None`` if it holds nothing of ours.

    Raises
    ------
    ProtocolError
        If what stands under our key is not what we write.
    """
    data = meta.get(KEY) if isinstance(meta, dict) else None
    if data is None:
        return None
    try:
        return Decision(
            action=fields_to_action(data["chosen"]),
            reports=tuple(_report(candidate) for candidate in data["candidates"]),
            tenpai_probs=tuple(_number(prob) for prob in data["tenpaiProbs"]),
            trials=_whole(data["trials"]) or 0,
            seed=_whole(data["seed"]) or 0,
            elapsed_ms=_number(data["elapsed_ms"]) or 0.0,
            fold=_fold(data.get("fold")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProtocolError(f"damaged annotation: {error!r}") from None


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
        for column in (*COLUMNS, *ERRORS)
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


def _fold(fields: Mapping[str, Any] | None) -> Fold | None:
    if fields is None:
        return None
    prob, points = _number(fields["unsafeProb"]), _number(fields["avgHojuPt"])
    if prob is None or points is None:
        raise TypeError("folding needs a chance and points")
    return Fold(prob, points)


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _whole(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def decision_table(decision: Decision) -> str:
    """Return the options as aligned text, best first, without columns that nobody filled in.

    A last line tells the tenpai probabilities of the others by seat, the trials, the seed and the time.
    """
    reports = decision.reports
    numbers = [_NUMBERS(report) for report in reports]
    filled = [column.count(None) < len(column) for column in zip(*numbers, strict=True)]
    counted = any(report.ukeire_count is not None for report in reports)
    titles = [column.wire for column in COLUMNS]
    rows = [["action", *compress(titles, filled), *(["ukeire"] if counted else [])]]
    for report, values in zip(reports, numbers, strict=True):
        row = [describe(report.action, report.discard), *compress(_shown(values), filled)]
        if counted:
            row.append("-" if report.ukeire_count is None else f"{report.ukeire_kinds}/{report.ukeire_count}")
        rows.append(row)
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    aligned = "  ".join((f"%-{widths[0]}s", *(f"%{width}s" for width in widths[1:])))
    lines = [aligned % tuple(row) for row in rows]
    if any(report.note for report in reports):
        notes = ["note", *(report.note for report in reports)]
        lines = [f"{line}  {note}" for line, note in zip(lines, notes, strict=True)]
    return "\n".join([*(line.rstrip() for line in lines if reports), _foot(decision)])


def _shown(values: tuple[float | None, ...]) -> list[str]:
    if None not in values:
        cells = _SHOWN % values
        if "n" not in cells:  # as in inf and nan
            return cells.split("\t")
    return [
        "-" if value is None or not math.isfinite(value) else f"{value:.{column.shown_decimals}f}"
        for value, column in zip(values, COLUMNS, strict=True)
    ]


def _foot(decision: Decision) -> str:
    parts = [f"chosen {describe(decision.action)}"]
    if any(prob is not None for prob in decision.tenpai_probs):
        shown = " ".join("-" if prob is None else f"{prob:.3f}" for prob in decision.tenpai_probs)
        parts.append(f"tenpaiProbs {shown}")
    if decision.trials:
        parts.append(f"trials {decision.trials}, seed {decision.seed}")
    if decision.fold is not None:
        parts.append(f"folding costs {decision.fold.cost:.0f}")
    parts.append(f"{decision.elapsed_ms:.1f} ms")
    return "; ".join(parts)


def annotation_of(decisions: Mapping[Seat, Decision]) -> tuple[list[str | None], list[Fields | None]]:
    """Return ``logs`` and ``meta`` for the event that caused these decisions, by seat."""
    logs = [decision_table(decisions[seat]) if seat in decisions else None for seat in range(4)]
    meta = [decision_to_meta(decisions[seat], seat) if seat in decisions else None for seat in range(4)]
    return logs, meta


def decisions_of(meta: Any) -> dict[Seat, Decision]:
    """Read the decisions that an event of a log caused, by seat; foreign or missing ``meta`` gives none.

    Raises
    ------
    ProtocolError
        If what stands under our key is not what we write.
    """
    if not isinstance(meta, list):
        return {}
    found = {seat: meta_to_decision(entry) for seat, entry in enumerate(meta[:4])}
    return {seat: decision for seat, decision in found.items() if decision is not None}
