"""What may be wrong with a decision that an agent from outside this package returns."""

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, TypeGuard

from manue.agents.base import Decision
from manue.decision.report import Details, Report, Worth
from manue.game.actions import Action, Discard
from manue.models.fold import Fold
from manue.tiles import KINDS

_SURROGATE = re.compile("[\ud800-\udfff]")
_COUNTS = ["ukeire_kinds", "ukeire_count"]
_NUMBERS = [
    field.name
    for field in fields(Report)
    if field.name not in {"action", "discard", "note", "details", *_COUNTS}
]


def flaw_of(decision: object) -> str | None:
    """Return what is wrong with what an agent returned; ``None`` if all of it can be shown and logged."""
    if inspect.iscoroutine(decision):
        decision.close()  # it is never awaited
        return "a coroutine, not a Decision: decide() may not be async"
    if not isinstance(decision, Decision):
        return f"{_shown(decision)}, which is not a Decision"
    if not isinstance(decision.reports, Sequence):
        return f"reports that are not a sequence: {_shown(decision.reports)}"
    for name, is_right in _RIGHT.items():
        value = getattr(decision, name)
        if not is_right(value):
            return f"a decision whose {name} cannot be shown: {_shown(value)}"
    return next(filter(None, map(_flaw_of_report, decision.reports)), None)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and 0 <= int(value) < 1 << 64


def _is_number(value: object) -> TypeGuard[Real]:
    """Return whether a value is a number that a float can hold; NaN is one."""
    if not isinstance(value, Real):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_finite(value: object) -> bool:
    return _is_number(value) and math.isfinite(value)


def _is_text(value: object) -> bool:
    """Return whether a value is a text that UTF-8 can hold."""
    return isinstance(value, str) and not _SURROGATE.search(value)


def _is_by_seat(value: object, is_right: Callable[[Any], bool]) -> bool:
    return isinstance(value, Sequence) and len(value) in {0, 4} and all(map(is_right, value))


def _is_danger(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        tile in KINDS and _is_finite(prob) and 0 <= prob <= 1 for tile, prob in value.items()
    )


def _is_worth(value: object) -> bool:
    return value is None or (isinstance(value, Worth) and all(map(_is_finite, value)))


def _is_fold(value: object) -> bool:
    return value is None or (isinstance(value, Fold) and _is_finite(value.prob) and _is_finite(value.points))


_RIGHT: dict[str, Callable[[Any], bool]] = {
    "tenpai_probs": lambda given: _is_by_seat(given, lambda prob: prob is None or _is_number(prob)),
    "mc_draws": _is_count,
    "seed": _is_count,
    "elapsed_ms": _is_finite,
    "fold": _is_fold,
    "note": _is_text,
    "dangers": lambda given: _is_by_seat(given, _is_danger),
    "worths": lambda given: isinstance(given, Sequence) and all(map(_is_worth, given)),
}
"""What the fields of a decision beside its action and reports have to be."""


def _flaw_of_report(report: object) -> str | None:
    if not isinstance(report, Report):
        return f"{_shown(report)} among its reports, which is not a Report"
    if not isinstance(report.action, Action) or not isinstance(report.discard, Discard | None):
        return f"a report on {_shown(report.action)} and {_shown(report.discard)}, which are not options"
    for name in _NUMBERS:
        value = getattr(report, name)
        if value is not None and not _is_number(value):
            return f"a report whose {name} is {_shown(value)}, which is not a number"
    for name in _COUNTS:
        value = getattr(report, name)
        if value is not None and not _is_count(value):
            return f"a report whose {name} is {_shown(value)}, which is not a count"
    if not _is_text(report.note):
        return f"a report whose note is {_shown(report.note)}, which is not a text"
    if not isinstance(report.details, Details | None):
        return f"a report whose details are {_shown(report.details)}, which are not Details"
    return None


def _shown(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001  a foreign object, or a number of thousands of digits
        return f"a value of type {type(value).__name__}"
