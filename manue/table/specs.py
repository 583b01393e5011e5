"""The specs of several seats as the command line gives them: split, completed, checked."""

import re
import threading
from collections.abc import Iterable

from manue.agents.registry import OLD_NAMES, parse_spec, with_options
from manue.stderr import note
from manue.table.program_spec import check_names, parse_program, split_parts
from manue.table.seat_factory import check_spec, warm_up_spec
from manue.table.situations import load_placement_model

PATIENCE_SECONDS = 2.0
"""A check that takes longer than this is explained on stderr."""


def split_specs(text: str) -> list[str]:
    """Split ``manue:policy=points,mc_draws=500,greedy``: ``key=value`` belongs to the agent before it.

    A comma in quotes, or in the ``[settings]`` of a program, belongs to the program.
    """
    specs: list[str] = []
    for part in split_parts(text):
        if specs and _takes_options(specs[-1]) and re.fullmatch(r"\w+=[^:]*", part):
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


def _takes_options(spec: str) -> bool:
    return ":" in spec and parse_program(spec) is None


def is_manue(spec: str) -> bool:
    """Return whether a spec is that of ``manue``, or of an earlier version of it."""
    return re.match(r"manue(@\w+)?(:|$)", spec) is not None


def with_mc_draws(spec: str, mc_draws: int | None) -> str:
    """Add ``mc_draws`` to the spec of a ``manue`` that does not set it; leave all other specs alone."""
    if mc_draws is None or not is_manue(spec):
        return spec
    if "mc_draws" in {OLD_NAMES.get(option, option) for option in parse_spec(spec)[1]}:
        return spec
    return with_options(spec, {"mc_draws": str(mc_draws)})


def check_specs(specs: Iterable[str]) -> None:
    """Check that every spec names a player, then warm up: load or compile what the agents need.

    A note on stderr explains a long wait.

    Raises
    ------
    UsageError
        If a spec names no known player, or two share a name; before anything is compiled.
    """
    distinct = list(dict.fromkeys(specs))
    check_names(distinct)
    timer = threading.Timer(PATIENCE_SECONDS, note, ["warming up"])
    timer.daemon = True
    timer.start()
    try:
        for spec in distinct:
            check_spec(spec)
        for spec in distinct:
            warm_up_spec(spec)
        load_placement_model()
    finally:
        timer.cancel()
