"""Who sits where in which game: duplicate walls, each played in every rotation of the seats.

Games come in blocks that share a wall: game ``g`` of a match with ``r`` rotations is rotation ``g % r`` of
wall ``g // r``. Rotation ``k`` moves every player on by ``k`` seats, so that over a block each lineup plays
the same tiles from every side of the table. A round robin plays all its lineups on every wall.
"""

import shlex
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

from manue.as_text import counted
from manue.errors import UsageError

Lineup = tuple[str, str, str, str]
FORMATS = ("seats", "self", "one-three", "two-two", "round-robin")
"""Names of the ways to seat agents; see `schedule_of`."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: ``seats`` names the agent in each seat."""

    game: int
    wall: int
    seats: Lineup


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a match, by number. Two runs of the same match have equal schedules.

    Parameters
    ----------
    lineups : tuple of tuple of str
        Those played on every wall, rotations included.
    """

    lineups: tuple[Lineup, ...]

    @property
    def block(self) -> int:
        """Games per wall."""
        return len(self.lineups)

    def fixture(self, game: int) -> Fixture:
        """Return a game by its number, from 0."""
        wall, place = divmod(game, self.block)
        return Fixture(game, wall, self.lineups[place])

    def agents(self) -> list[str]:
        """Return the distinct agents in order of appearance."""
        return list(dict.fromkeys(agent for lineup in self.lineups for agent in lineup))


def rotations(lineup: Lineup) -> tuple[Lineup, ...]:
    """Return the distinct rotations of a lineup, at most four."""
    turned = [(*lineup[-shift:], *lineup[:-shift]) if shift else lineup for shift in range(4)]
    return tuple(dict.fromkeys(turned))  # type: ignore[arg-type]  # slices of a tuple of four lose the length


def fixed_seats(agents: list[str]) -> Schedule:
    """Return the schedule of one lineup of four and its rotations; the agents are given by seat.

    Raises
    ------
    UsageError
        If there are not exactly four.
    """
    if not any(agents):
        raise UsageError("a table has four seats: name an agent for each")
    if len(agents) != 4:
        raise UsageError(f"a table has four seats, not {len(agents)}: {', '.join(agents)}")
    first, second, third, fourth = agents
    return Schedule(rotations((first, second, third, fourth)))


def two_against_two(one: str, other: str) -> Schedule:
    """Return all six seatings of two of one agent and two of the other."""
    lineups: list[Lineup] = []
    for places in combinations(range(4), 2):
        a, b, c, d = (one if seat in places else other for seat in range(4))
        lineups.append((a, b, c, d))
    return Schedule(tuple(lineups))


def round_robin(agents: list[str]) -> Schedule:
    """Return the schedule in which any four of the agents meet, in every rotation, on every wall.

    With two or three agents, every pair plays two against two.

    Raises
    ------
    UsageError
        If there are fewer than two agents, or one is named twice.
    """
    twice = next((agent for agent in agents if agents.count(agent) > 1), None)
    if twice is not None:
        raise UsageError(f"a round robin names every agent once, but {twice} is named twice")
    if len(agents) < 2:
        raise UsageError("a round robin needs two or more agents")
    lineups: list[Lineup] = []
    if len(agents) < 4:
        for one, other in combinations(agents, 2):
            lineups += two_against_two(one, other).lineups
    else:
        for first, second, third, fourth in combinations(agents, 4):
            lineups += rotations((first, second, third, fourth))
    return Schedule(tuple(lineups))


def schedule_of(form: str, agents: list[str]) -> Schedule:
    """Return the schedule of a format.

    Parameters
    ----------
    form : str
        One of `FORMATS`: ``seats`` (four agents by seat), ``self`` (one agent in all seats), ``one-three``
        (one agent against three of another), ``two-two`` (two against two), ``round-robin``.
    agents : list of str

    Raises
    ------
    UsageError
        If the number of agents does not fit the format.
    """
    needed = {"self": 1, "one-three": 2, "two-two": 2}.get(form)
    if needed is not None and len(agents) != needed:
        raise UsageError(f"--format {form} takes {counted(needed, 'agent')}, not {len(agents)}")
    match form:
        case "self":
            return fixed_seats(agents * 4)
        case "one-three":
            return fixed_seats([agents[0], *agents[1:] * 3])
        case "two-two":
            return two_against_two(*agents)
        case "round-robin":
            return round_robin(agents)
        case _:
            return fixed_seats(agents)


def options_of(schedule: Schedule) -> str:
    """Return the options of ``manue match`` that give a schedule: ``--seats a,b --format two-two``."""
    agents = schedule.agents()
    for form in ("self", "one-three", "two-two", "seats", "round-robin"):
        named = list(schedule.lineups[0]) if form == "seats" else agents
        with suppress(UsageError):
            if schedule_of(form, named) == schedule:
                format_option = [] if form == "seats" else ["--format", form]
                return shlex.join(["--seats", ",".join(named), *format_option])
    return shlex.join(["--seats", ",".join(agents)])
