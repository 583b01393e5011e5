"""Matches between agents, your own among them, from a program."""

import multiprocessing
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from manue.agents.base import Agent, Decider
from manue.agents.registry import agent_of
from manue.api.arguments import path_of, whole
from manue.errors import UsageError
from manue.match.executors import executor_factory
from manue.match.folder import DESCRIPTION
from manue.match.games import MatchSettings
from manue.match.match import Match
from manue.match.schedule import Schedule, fixed_seats, round_robin
from manue.match.summary import Summary
from manue.player import warm_up
from manue.rules import Length, Rules, RulesName, last_round_of, rules_of
from manue.table.program_spec import check_names, name_of
from manue.table.referee import engine_rules
from manue.table.seat_factory import check_spec, make_seat_player, warm_up_spec
from manue.table.seats import AgentSeat, SeatPlayer
from manue.table.thinking_time import Limits
from manue.tiles import Seat


def play_match(
    agents: Sequence[str | Decider | type],
    games: int | None = None,
    *,
    seed: int = 0,
    length: Length = "hanchan",
    rules: RulesName = "tenhou",
    workers: int = 1,
    out: str | Path | None = None,
    strict: bool = False,
) -> Summary:
    """Play games on duplicate walls, every lineup in all rotations of the seats; needs ``manue[arena]``.

    Parameters
    ----------
    agents : sequence
        Four for a table; two or three meet two against two in pairs, five and more every four of them. Each
        is a spec as for `make_agent`, an agent of your own, or its class, made without arguments.
    games : int, optional
        How many; default: one wall, every lineup in all rotations.
    seed : int
        Of the walls; the same seed gives the same games.
    length : {"hanchan", "east"}
    rules : {"tenhou", "mjsoul"}
        Tenhou's or Mahjong Soul's.
    workers : int
        Processes. More than one take only specs (``package.module:Class`` for agents of your own), and a
        script has to guard its call by ``if __name__ == "__main__":``.
    out : str or Path, optional
        Folder for results, report and annotated logs; default: nothing is kept.
    strict : bool
        Raise the first failure of an agent, instead of letting a stand-in finish its game.

    Returns
    -------
    Summary
        ``summary.agents[name]`` has ``places`` (a count for each place), ``placement`` and ``points`` (each
        with ``mean`` and ``ci95``) and more; ``to_json()`` gives everything as plain data. ``name`` is the
        agent's spec; for an agent of your own it is its ``name`` or, if it has none, the name of its class.

    Raises
    ------
    UsageError
        If the agents fit no table, one is unknown, two have one name, the length or the rules are unknown,
        there are no games or workers, or the folder cannot be made or holds a match already.
    ModelError
        If a model that an agent needs, or that of final places, is missing or damaged.
    AgentError, IllegalActionError
        If an agent of your own fails, or chooses what is not legal, in the made-up positions that every agent
        decides before the first game.
    SeatFault
        From a strict match, when an agent fails.
    MissingExtraError
        If the referee is not installed.

    Examples
    --------
    >>> import manue
    >>> summary = manue.play_match(["greedy", "tsumogiri"], games=2, length="east")
    >>> summary.games, summary.agents["greedy"].placement.mean < 2.5
    (2, True)
    """
    engine_rules(rules_of(rules))
    last_round_of(length)
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise UsageError(f"the agents are a sequence, as ['manue', 'greedy'], not {agents!r}")
    agents = list(agents)
    seed, workers = whole(seed, "seed"), _counted(workers, "workers")
    if workers > 1:
        _check_script()
    games = None if games is None else _counted(games, "games")
    own: dict[str, Agent] = {}
    names = [agent if isinstance(agent, str) else _own_name(agent, own) for agent in agents]
    if own and workers > 1:
        raise UsageError("agents play in several processes by their specs: name yours package.module:Class")
    specs = list(dict.fromkeys(agent for agent in agents if isinstance(agent, str)))
    for spec in specs:
        clash = next((name for name in (spec, name_of(spec)) if name in own), None)
        if clash is not None:
            raise UsageError(f"two different agents are called {clash!r}")
        check_spec(spec)
    check_names(specs)
    schedule = _schedule(names)
    settings = MatchSettings(
        schedule, seed, length, rules, strict=strict, logs=out is not None, own=tuple(own)
    )
    make_player = partial(_player, own) if own else make_seat_player
    with tempfile.TemporaryDirectory(prefix="manue-match-") as folder:
        path = Path(folder) if out is None else _made(path_of(out, "out"))
        _warm_up(specs, own.values())
        match = Match(settings, path, schedule.block if games is None else games, make_player=make_player)
        match.run(*executor_factory(None, workers))
    return match.summary


def _check_script() -> None:
    """Check that workers can import the calling script, which is the first thing they do.

    In a worker that reaches the call by that import, this ends the process with a line for the author.

    Raises
    ------
    UsageError
        If the script is no file, as on standard input.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):  # as multiprocessing itself asks
        raise SystemExit("manue: play_match(workers=...) has to stand under `if __name__ == '__main__':`")
    script = getattr(sys.modules["__main__"], "__file__", None)
    if script is not None and not Path(script).exists():
        raise UsageError(f"workers import the script, and {script} is no file: play with workers=1")


def _counted(number: int, what: str) -> int:
    found = whole(number, what)
    if found < 1:
        raise UsageError(f"{what}: 1 or more, not {found}")
    return found


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from error
    if (folder / DESCRIPTION).exists():
        raise UsageError(f"{folder} already holds a match: choose another folder")
    return folder


def _warm_up(specs: Iterable[str], own: Iterable[Agent]) -> None:
    for spec in specs:
        warm_up_spec(spec)
    for agent in own:
        warm_up(agent)


def _own_name(agent: Decider | type, own: dict[str, Agent]) -> str:
    """Return the name that an agent of the caller's own has in the results, and note it in ``own``."""
    known = next((name for name, other in own.items() if other is agent or type(other) is agent), None)
    if known is not None:
        return known
    made = agent_of(agent)
    if made.name in own:
        raise UsageError(f"two different agents are called {made.name!r}")
    own[made.name] = made
    return made.name


def _schedule(names: list[str]) -> Schedule:
    return fixed_seats(names) if len(names) == 4 else round_robin(names)


def _player(
    own: Mapping[str, Agent], spec: str, seat: Seat, rules: Rules, limits: Limits, *, details: bool = False
) -> SeatPlayer:
    if spec in own:
        return AgentSeat(seat, own[spec], rules)
    return make_seat_player(spec, seat, rules, limits, details=details)
