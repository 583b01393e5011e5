"""Agents by spec: ``NAME[:OPTIONS]`` for those of this package, ``MODULE:CLASS[:OPTIONS]`` for any other.

Options are ``key=value,key=value``: ``greedy``, ``manue:policy=placement,mc_draws=500``,
``package.module:Class``, ``package.module:Class:style=wild``. What follows the first colon is a class if it
is an identifier, and options always contain ``=``, so the two forms cannot be confused; a name of this
package goes before a module of the same name.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from manue.agents.base import Agent, Decider
from manue.agents.greedy import Greedy
from manue.agents.imported import agent_of_class, agent_of_object, import_agent, likely_class
from manue.agents.manue import Manue
from manue.agents.rules import RulePlayer
from manue.agents.tsumogiri import Tsumogiri
from manue.as_text import did_you_mean
from manue.decision.settings import FIRST, Settings
from manue.errors import UnknownAgentError, UsageError
from manue.foreign import is_whole, printable
from manue.models.model_set import Models
from manue.stderr import report

Options = Mapping[str, str]


def _plain(make: Callable[[], Agent]) -> Callable[[Options], Agent]:
    def build(options: Options) -> Agent:
        """Make the agent; raises UsageError if any option is given."""
        if options:
            raise UsageError(f"takes no options, but got {next(iter(options))!r}")
        return make()

    return build


def _manue(base: Settings, name: str) -> Callable[[Options], Agent]:
    kinds = {field.name: type(getattr(base, field.name)) for field in fields(base)}

    def build(options: Options) -> Agent:
        """Make a `Manue` with these options over the base settings; raises UsageError."""
        values: dict[str, Any] = {}
        for given, text in options.items():
            key = _current_name(given)
            if key not in kinds:
                raise UsageError(
                    f"unknown option {key!r}{did_you_mean(key, kinds)}; known: {', '.join(sorted(kinds))}"
                )
            if key in values:
                raise UsageError(f"{key!r} is given twice, once by its old name")
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
    report(f"the option {option!r} is now called {OLD_NAMES[option]!r}")
    return OLD_NAMES[option]


def _read(key: str, kind: type, text: str) -> str | int | bool:
    if kind is bool:
        if text not in {"0", "1"}:
            raise UsageError(f"{key} must be 0 or 1, not {text!r}")
        return text == "1"
    if kind is int:
        if not is_whole(text):
            raise UsageError(f"{key} must be a whole number, not {printable(text)!r}")
        return int(text)
    return text


def _models_of(options: Options) -> str | None:
    """Return the folder of models that the options name, if any; raises UsageError for other options."""
    unknown = [key for key in options if key != "models"]
    if unknown:
        raise UsageError(
            f"unknown option {unknown[0]!r}{did_you_mean(unknown[0], ['models'])}; known: models"
        )
    return options.get("models")


def _rules(options: Options) -> Agent:
    return RulePlayer(Models.load(_models_of(options)))


def _policy(name: str) -> Callable[[Options], Agent]:
    def build(options: Options) -> Agent:
        # the table in compiled code is loaded for these agents only
        from manue.agents.policy import NETS, PolicyPlayer  # noqa: PLC0415
        from manue.models.policy import load_policy  # noqa: PLC0415

        return PolicyPlayer(load_policy(_models_of(options), NETS[name]), name)

    return build


BUILDERS: dict[str, Callable[[Options], Agent]] = {
    "greedy": _plain(Greedy),
    "manue": _manue(Settings(), "manue"),
    "manue@first": _manue(FIRST, "manue@first"),
    "policy": _policy("policy"),
    "policy@selfplay": _policy("policy@selfplay"),
    "rules": _rules,
    "tsumogiri": _plain(Tsumogiri),
}
"""Builders of agents from their options, by agent name; they raise UsageError for an unknown option."""


SPEC_HELP = f"{', '.join(sorted(BUILDERS))}, or MODULE:CLASS for an agent of your own"
"""What an agent may be called, for help texts and errors."""


def is_meant_as_program(spec: str) -> bool:
    """Return whether a spec begins as that of a program does, well-formed or not: ``NAME=cmd-...:``."""
    return spec.partition(":")[0].rpartition("=")[2].partition("-")[0] == "cmd"


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split a spec into the agent's name, or ``module:Class``, and the options.

    Raises
    ------
    UsageError
        If an option is not ``key=value`` or is given twice, or the spec is that of a program.
    """
    name, _, rest = spec.partition(":")
    if is_meant_as_program(spec):
        raise UsageError(f"agent {spec!r}: a program plays in matches (manue match), not here")
    if name not in BUILDERS:
        class_name, _, class_options = rest.partition(":")
        if class_name.isidentifier():
            name, rest = f"{name}:{class_name}", class_options
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or key in options:
            raise UsageError(f"agent {spec!r}: {part!r} is not key=value, or is given twice")
        options[key] = value
    return name, options


def with_options(spec: str, options: Options) -> str:
    """Return a spec with options added, in place of those it names; raises UsageError like `parse_spec`."""
    name, given = parse_spec(spec)
    kept = {key: value for key, value in given.items() if OLD_NAMES.get(key, key) not in options}
    combined = ",".join(f"{key}={value}" for key, value in {**kept, **options}.items())
    return f"{name}:{combined}" if combined else name


def make_agent(spec: str, models: str | Path | None = None) -> Agent:
    """Make the agent that a spec names.

    Parameters
    ----------
    spec : str
        A name of `BUILDERS`, with options or without: ``rules``, ``manue:mc_draws=200,policy=points``; or a
        class of your own: ``package.module:Class``, ``package.module:Class:key=value``. The class is
        imported, the current folder searched last, and made with the options as keywords, all of them texts;
        it is an `Agent`, whose name is that of the class unless it has another.
    models : str or Path, optional
        Folder of the models: the option ``models`` of ``manue``, ``rules`` and ``policy``.

    Returns
    -------
    Agent

    Raises
    ------
    UsageError
        If there is no such agent, module or class, if it refuses an option or a value, or has no ``decide``.
    ModelError
        If a model is missing or damaged.

    Examples
    --------
    >>> import manue
    >>> manue.make_agent("manue:mc_draws=200").name
    'manue'
    """
    if not isinstance(spec, str):
        raise UsageError(f"an agent is named by a text, as 'manue', not {spec!r}")
    name, options = parse_spec(spec)
    if models is not None:
        options["models"] = str(models)
    if name not in BUILDERS and ":" not in name:
        meant = did_you_mean(name, BUILDERS) or likely_class(name)
        raise UnknownAgentError(f"unknown agent {name!r}{meant}; known: {SPEC_HELP}")
    try:
        return BUILDERS[name](options) if name in BUILDERS else import_agent(name, options)
    except UsageError as error:
        raise UsageError(f"agent {spec!r}: {error}") from error


def agent_of(given: str | Decider | type) -> Agent:
    """Return an agent given by its spec, as an object, or by its class, which is made without arguments.

    Raises
    ------
    UsageError, ModelError
        As `make_agent`; a UsageError also if an object or a class is not an agent.
    """
    if isinstance(given, str):
        return make_agent(given)
    return agent_of_class(given, {}) if isinstance(given, type) else agent_of_object(given)
