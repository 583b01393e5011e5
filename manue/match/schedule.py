"""Who sits where in which game: duplicate walls with every rotation of the seats.

Games come in blocks that share one wall: game ``g`` of a match of ``r`` rotations is rotation ``g % r`` of
wall ``g // r``. Rotation ``k`` moves every player ``k`` seats on, so that over a block each lineup meets the
same tiles from each side of the table. A round robin plays all its lineups on each wall.
"""

from dataclasses import dataclass
from itertools import combinations

from manue.errors import UsageError

Lineup = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: ``seats`` names the agent in each seat."""

    game: int
    wall: int
    seats: Lineup


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a match, by number; a value that two runs of a match share.

    Parameters
    ----------
    tables : tuple of tuple of str
        The lineups played on every wall, rotations included.
    """

    tables: tuple[Lineup, ...]

    @property
    def block(self) -> int:
        """Games per wall."""
        return len(self.tables)

    def fixture(self, game: int) -> Fixture:
        """Return a game by its number, 0 and up."""
        wall, place = divmod(game, self.block)
        return Fixture(game, wall, self.tables[place])

    def agents(self) -> list[str]:
        """Return the distinct agents in order of appearance."""
        return list(dict.fromkeys(agent for table in self.tables for agent in table))


def rotations(lineup: Lineup) -> tuple[Lineup, ...]:
    """Return the four rotations of a lineup, those that repeat an earlier one left out."""
    turned = [(*lineup[-shift:], *lineup[:-shift]) if shift else lineup for shift in range(4)]
    return tuple(dict.fromkeys(turned))  # type: ignore[arg-type]  # slices of a tuple of four lose the length


def fixed_seats(agents: list[str]) -> Schedule:
    """Return the schedule of one lineup of four, rotated; the agents are given by seat.

    Raises
    ------
    UsageError
        If they are not four.
    """
    if len(agents) != 4:
        raise UsageError(f"a table has four seats, not {len(agents)}: {', '.join(agents) or 'none'}")
    first, second, third, fourth = agents
    return Schedule(rotations((first, second, third, fourth)))


def two_against_two(one: str, other: str) -> Schedule:
    """Return all six seatings of two of one agent and two of the other."""
    tables: list[Lineup] = []
    for places in combinations(range(4), 2):
        a, b, c, d = (one if seat in places else other for seat in range(4))
        tables.append((a, b, c, d))
    return Schedule(tuple(tables))


def round_robin(agents: list[str]) -> Schedule:
    """Return the schedule in which every four of the agents meet, in every rotation, on every wall.

    With two or three agents every pair plays two against two.

    Raises
    ------
    UsageError
        With fewer than two agents or with one named twice.
    """
    twice = next((agent for agent in agents if agents.count(agent) > 1), None)
    if twice is not None:
        raise UsageError(f"a round robin names every agent once, and {twice} is there twice")
    if len(agents) < 2:
        raise UsageError("a round robin needs two or more agents")
    tables: list[Lineup] = []
    if len(agents) < 4:
        for one, other in combinations(agents, 2):
            tables += two_against_two(one, other).tables
    else:
        for first, second, third, fourth in combinations(agents, 4):
            tables += rotations((first, second, third, fourth))
    return Schedule(tuple(tables))
