"""Agents by name: ``greedy``, ``manue:policy=placement,mc_draws=500``."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from manue.agents.base import Agent
from manue.agents.greedy import Greedy
from manue.agents.manue import Manue
from manue.agents.rules import RulePlayer
from manue.agents.tsumogiri import Tsumogiri
from manue.decision.settings import FIRST, Settings
from manue.errors import UsageError
from manue.models.model_set import Models

Options = Mapping[str, str]


def _plain(make: Callable[[], Agent]) -> Callable[[Options], Agent]:
    def build(options: Options) -> Agent:
        if options:
            raise UsageError(f"takes no options, but got {next(iter(options))!r}")
        return make()

    return build


def _manue(base: Settings, name: str) -> Callable[[Options], Agent]:
    kinds = {field.name: type(getattr(base, field.name)) for field in fields(base)}

    def build(options: Options) -> Agent:
        values: dict[str, Any] = {}
        for given, text in options.items():
            key = _current_name(given)
            if key not in kinds:
                raise UsageError(f"unknown option {key!r}; known: {', '.join(sorted(kinds))}")
            if key in values:
                raise UsageError(f"{given!r} and {key!r} are the same option")
            values[key] = _read(key, kinds[key], text)
        return Manue(replace(base, **values), name)

    return build


OLD_NAMES = {
    "trials": "mc_draws",
    "practice": "discard_policy",
    "offers": "call_policy",
    "levels": "call_thresholds",
}
"""Options of version 0.1 and their current names; accepted until 0.3."""


@cache
def _current_name(option: str) -> str:
    """Return the current name of an option; for an old name print a notice, once per process."""
    if option not in OLD_NAMES:
        return option
    print(f"manue: the option {option!r} is now called {OLD_NAMES[option]!r}", file=sys.stderr)
    return OLD_NAMES[option]


def _read(key: str, kind: type, text: str) -> str | int | bool:
    if kind is bool:
        if text not in {"0", "1"}:
            raise UsageError(f"{key} must be 0 or 1, not {text!r}")
        return text == "1"
    if kind is int:
        if not text.isdecimal():
            raise UsageError(f"{key} must be a whole number, not {text!r}")
        return int(text)
    return text


def _rules(options: Options) -> Agent:
    unknown = [key for key in options if key != "models"]
    if unknown:
        raise UsageError(f"unknown option {unknown[0]!r}; known: models")
    return RulePlayer(Models.load(options.get("models")))


BUILDERS: dict[str, Callable[[Options], Agent]] = {
    "greedy": _plain(Greedy),
    "manue": _manue(Settings(), "manue"),
    "manue@first": _manue(FIRST, "manue@first"),
    "rules": _rules,
    "tsumogiri": _plain(Tsumogiri),
}
"""Builders of agents from their options, by agent name; they raise UsageError for an unknown option."""


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,key=value`` into the name and the options.

    Raises
    ------
    UsageError
        If an option is not ``key=value`` or is given twice.
    """
    name, _, rest = spec.partition(":")
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or key in options:
            raise UsageError(f"agent {spec!r}: {part!r} is not key=value, or is given twice")
        options[key] = value
    return name, options


def make_agent(spec: str) -> Agent:
    """Build the agent described by a spec.

    Raises
    ------
    UsageError
        If the agent, an option or a value is unknown; the message names it.
    """
    name, options = parse_spec(spec)
    if name not in BUILDERS:
        raise UsageError(f"unknown agent {name!r}; known: {', '.join(sorted(BUILDERS))}")
    try:
        return BUILDERS[name](options)
    except UsageError as error:
        raise UsageError(f"agent {spec!r}: {error}") from error
