"""Agents from outside this package, named by module and class: ``package.module:Class``."""

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from manue.agents.base import Agent
from manue.errors import NOT_OF_AGENTS, UsageError, described


def import_agent(where: str, options: Mapping[str, str]) -> Agent:
    """Import a class and make an agent of it.

    The current folder is searched after everything else that Python imports from, in worker processes too.

    Parameters
    ----------
    where : str
        ``package.module:Class``.
    options : mapping of str to str
        Passed to the class as keywords. An agent without a ``name`` gets that of its class.

    Raises
    ------
    UsageError
        If there is no such module or class, if importing or making it fails, or if what it makes is no agent.
    """
    module, _, name = where.partition(":")
    return agent_of_class(_class_of(module, name), options)


def likely_class(text: str) -> str:
    """Return how a path, or a class after a dot, is to be written as ``MODULE:CLASS``; "" for other texts."""
    where, _, name = text.partition(":")
    module = where.removeprefix("./").removesuffix(".py").replace("/", ".")
    if module == where:
        module, _, name = ("", "", "") if name else module.rpartition(".")
    words = [*module.split("."), name or "CLASS"]
    return f" (write {module}:{words[-1]})" if all(word.isidentifier() for word in words) else ""


def agent_of_class(agent_class: type, options: Mapping[str, str]) -> Agent:
    """Make an agent; parameters and errors are those of `import_agent`, with the class itself."""
    try:
        agent = agent_class(**options)
    except NOT_OF_AGENTS:
        raise
    except BaseException as error:  # whatever a foreign constructor raises is a refusal
        reason = f"{agent_class.__name__} refuses {_shown(options)}: {described(error)}"
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


def _class_of(module: str, name: str) -> type:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise UsageError(f"importing {module} fails: {described(error)}") from error
        raise UsageError(f"there is no module {error.name}{likely_class(f'{module}:{name}')}") from None
    except NOT_OF_AGENTS:
        raise
    except BaseException as error:  # a foreign module may fail in any way
        raise UsageError(f"importing {module} fails: {described(error)}") from error
    if not isinstance(found, type):
        raise UsageError(f"module {module} has no class {name}")
    return found


def _named(agent: object, name: str) -> Agent:
    own = getattr(agent, "name", None)
    if not isinstance(own, str) or not own.strip():
        try:
            agent.name = name  # type: ignore[attr-defined]  # what an agent is found to lack
        except AttributeError:
            raise UsageError(f"{name} has no name, and none can be set") from None
    return cast("Agent", agent)


def _shown(options: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items()) or "to be made without options"
