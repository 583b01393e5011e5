"""Agents from outside this package, named by module and class: ``package.module:Class``."""

import importlib
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from numbers import Integral, Real
from pathlib import Path
from typing import Any, cast

from manue.agents.base import Agent, Decision
from manue.decision.report import Details, Report, Worth
from manue.errors import UsageError
from manue.game.actions import Action, Discard
from manue.models.fold import Fold
from manue.tiles import KINDS

_NUMBERS = [
    field.name for field in fields(Report) if field.name not in {"action", "discard", "note", "details"}
]


def import_agent(place: str, options: Mapping[str, str]) -> Agent:
    """Import a class and make an agent of it.

    The current folder is searched after everything else that Python imports from, in worker processes too.

    Parameters
    ----------
    place : str
        ``package.module:Class``.
    options : mapping of str to str
        Passed to the class as keywords. An agent without a ``name`` gets that of its class.

    Raises
    ------
    UsageError
        If there is no such module or class, if importing or making it fails, or if what it makes is no agent.
    """
    module, _, name = place.partition(":")
    return agent_of_class(_class_of(module, name), options)


def agent_of_class(agent_class: type, options: Mapping[str, str]) -> Agent:
    """Make an agent; parameters and errors are those of `import_agent`, with the class itself."""
    try:
        agent = agent_class(**options)
    except Exception as error:  # whatever a foreign constructor raises is a refusal
        reason = f"{agent_class.__name__} refuses {_shown(options)}: {_reason(error)}"
        raise UsageError(reason) from error
    return agent_of_object(agent)


def agent_of_object(agent: object) -> Agent:
    """Return an object as an agent; without a ``name`` it gets that of its class.

    Raises
    ------
    UsageError
        If it has no method ``decide``, or no name and none can be set.
    """
    name = type(agent).__name__
    if not callable(getattr(agent, "decide", None)):
        raise UsageError(f"{name} has no method decide(state, actions)")
    return _named(agent, name)


def flaw_of(decision: object) -> str | None:
    """Return what is wrong with what an agent returned; ``None`` if all of it can be shown and logged."""
    if not isinstance(decision, Decision):
        return f"{decision!r}, which is not a Decision"
    if not isinstance(decision.reports, Sequence):
        return f"reports that are not a sequence: {decision.reports!r}"
    for name, is_right in _RIGHT.items():
        value = getattr(decision, name)
        if not is_right(value):
            return f"a decision whose {name} cannot be shown: {value!r}"
    return next(filter(None, map(_flaw_of_report, decision.reports)), None)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and 0 <= int(value) < 1 << 64


def _is_finite(value: object) -> bool:
    return isinstance(value, Real) and math.isfinite(value)


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
    "tenpai_probs": lambda given: _is_by_seat(given, lambda prob: prob is None or isinstance(prob, Real)),
    "mc_draws": _is_count,
    "seed": _is_count,
    "elapsed_ms": lambda given: isinstance(given, Real),
    "fold": _is_fold,
    "note": lambda given: isinstance(given, str),
    "dangers": lambda given: _is_by_seat(given, _is_danger),
    "worths": lambda given: isinstance(given, Sequence) and all(map(_is_worth, given)),
}
"""What the fields of a decision beside its action and reports have to be."""


def _flaw_of_report(report: object) -> str | None:
    if not isinstance(report, Report):
        return f"{report!r} among its reports, which is not a Report"
    if not isinstance(report.action, Action) or not isinstance(report.discard, Discard | None):
        return f"a report on {report.action!r} and {report.discard!r}, which are not options"
    for name in _NUMBERS:
        value = getattr(report, name)
        if value is not None and not isinstance(value, Real):
            return f"a report whose {name} is {value!r}, which is not a number"
    if not isinstance(report.note, str):
        return f"a report whose note is {report.note!r}, which is not a text"
    if not isinstance(report.details, Details | None):
        return f"a report whose details are {report.details!r}, which are not Details"
    return None


def _class_of(module: str, name: str) -> type:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise UsageError(f"importing {module} fails: {_reason(error)}") from error
        raise UsageError(f"there is no module {error.name}") from None
    except Exception as error:  # a foreign module may fail in any way
        raise UsageError(f"importing {module} fails: {_reason(error)}") from error
    if not isinstance(found, type):
        raise UsageError(f"module {module} has no class {name}")
    return found


def _named(agent: object, name: str) -> Agent:
    if not isinstance(getattr(agent, "name", None), str):
        try:
            agent.name = name  # type: ignore[attr-defined]  # what an agent is found to lack
        except AttributeError:
            raise UsageError(f"{name} has no name, and none can be set") from None
    return cast("Agent", agent)


def _shown(options: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items()) or "to be made without options"


def _reason(error: Exception) -> str:
    text = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
