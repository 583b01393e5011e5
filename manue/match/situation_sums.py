"""Where the agents of a match gain and lose placement: sums by situation over all rounds, in constant memory.

The same rounds are divided in three ways (`manue.table.situations.DIVISIONS`). In each, the changes per game
of all parts add up to an agent's mean placement minus the one expected at the start of its games.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from manue.intervals import WallMean, with_spread
from manue.table.situations import DIVISIONS, UNIT, parts_of

Cells = dict[str, list[int]]
"""By cell: number of rounds, points, and change of the expected placement (in `UNIT`)."""


class _AgentSums:
    def __init__(self) -> None:
        self.games = 0
        self.start = 0
        self.cells: Cells = {}

    def add(self, seat: Mapping[str, Any]) -> None:
        """Add what a seat reports of one game."""
        self.games += 1
        self.start += seat["start"]
        for cell, values in seat["cells"].items():
            sums = self.cells.setdefault(cell, [0, 0, 0])
            for place, value in enumerate(values):
                sums[place] += value


class SituationSums:
    """Running totals; games of earlier versions, which did not record situations, are left out."""

    def __init__(self) -> None:
        self._agents: dict[str, _AgentSums] = {}
        self._means: dict[str, dict[str, WallMean]] = {}  # by agent and part: the change per game
        self._differences: dict[tuple[str, str], dict[str, WallMean]] = {}

    def add(self, line: Mapping[str, Any]) -> None:
        """Add one game, a line of results.jsonl."""
        for name in line["agents"]:  # in the order of the summary, by which pairs are asked for
            self._agents.setdefault(name, _AgentSums())
        for name, seat in zip(line["agents"], line.get("situations", ()), strict=False):
            self._agents[name].add(seat)

    def close_wall(self, lines: Sequence[Mapping[str, Any]], *, whole: bool) -> None:
        """Add the games of a wall to the intervals and, if the wall is complete, to the differences."""
        sums: dict[str, _AgentSums] = {}
        for line in lines:
            for name, seat in zip(line["agents"], line.get("situations", ()), strict=False):
                sums.setdefault(name, _AgentSums()).add(seat)
        changes = {name: _changes(agent.cells) for name, agent in sums.items()}
        for name, agent in sums.items():
            _add(self._means.setdefault(name, {}), changes[name], agent.games)
        if not whole or not all("situations" in line for line in lines):
            return
        for one, other in combinations((name for name in self._agents if name in sums), 2):
            games, others = sums[one].games, sums[other].games
            difference = {
                part: changes[one].get(part, 0) * others - changes[other].get(part, 0) * games
                for part in changes[one] | changes[other]
            }
            _add(self._differences.setdefault((one, other), {}), difference, games * others)

    def of_agent(self, name: str) -> dict[str, Any] | None:
        """Return the table of an agent, or ``None`` if it has no games.

        Returns
        -------
        dict
            ``games``; ``start``, the mean placement expected at their start; and for each division its parts:
            ``rounds``, their ``share`` of all rounds, ``win_rate`` and ``deal_in_rate`` in them, the mean
            change of ``points`` and ``placement`` in a round, and ``per_game``, the change of placement that
            they make per game, with its 95 % interval ``ci95``.
        """
        sums = self._agents.get(name)
        if sums is None or not sums.games:
            return None
        rounds = sum(count for count, _, _ in sums.cells.values())
        found: dict[str, Any] = {"games": sums.games, "start": round(sums.start / sums.games / UNIT, 5)}
        for at, (division, parts) in enumerate(DIVISIONS.items()):
            found[division] = {}
            for part in parts:
                inside = {cell: values for cell, values in sums.cells.items() if parts_of(cell)[at] == part}
                if inside:
                    found[division][part] = _part(inside, rounds) | _mean(self._means.get(name, {}), part)
        return found

    def of_pair(self, one: str, other: str) -> dict[str, Any] | None:
        """Return the differences of ``per_game``, ``one`` minus ``other``, by division and part.

        Parts in which neither had a round are left out; ``None`` if no wall has all its situations.
        """
        means = self._differences.get((one, other))
        if means is None:
            return None
        had = {part for name in (one, other) for cell in self._agents[name].cells for part in parts_of(cell)}
        return {
            division: {part: _mean(means, part) for part in parts if part in had}
            for division, parts in DIVISIONS.items()
        }


def total_change(table: Mapping[str, Any]) -> float:
    """Return the change per game by all rounds, from the table of an agent or of a pair."""
    return float(sum(part["per_game"] for part in table["time"].values()))


def difference_text(table: Mapping[str, Any], division: str, part: str) -> str:
    """Return a difference of a pair's table: ``-0.182 ± 0.022``, or ``-`` if neither had such a round."""
    found = table[division].get(part)
    return "-" if found is None else with_spread(f"{found['per_game']:+.3f}", found["ci95"], 3)


def _changes(cells: Cells) -> dict[str, int]:
    """Add up the placement changes by part, for all divisions in one dict."""
    found: dict[str, int] = {}
    for cell, (_, _, moved) in cells.items():
        for part in parts_of(cell):
            found[part] = found.get(part, 0) + moved
    return found


def _add(means: dict[str, WallMean], changes: Mapping[str, int], count: int) -> None:
    for parts in DIVISIONS.values():
        for part in parts:
            means.setdefault(part, WallMean()).add_wall(changes.get(part, 0), count)


def _mean(means: Mapping[str, WallMean], part: str) -> dict[str, float | None]:
    mean = means.get(part, WallMean())  # there is none until the first wall is complete
    error = mean.ci95
    return {
        "per_game": None if mean.mean is None else round(mean.mean / UNIT, 5),
        "ci95": None if error is None else round(error / UNIT, 5),
    }


def _part(cells: Cells, rounds: int) -> dict[str, Any]:
    """Return the figures of the rounds in these cells."""
    count, points, moved = (sum(values[column] for values in cells.values()) for column in range(3))
    ended = {
        ending: sum(values[0] for cell, values in cells.items() if parts_of(cell).ending == ending)
        for ending in ("win", "deal-in")
    }
    return {
        "rounds": count,
        "share": round(count / rounds, 5),
        "win_rate": round(ended["win"] / count, 5),
        "deal_in_rate": round(ended["deal-in"] / count, 5),
        "points": round(points / count, 1),
        "placement": round(moved / count / UNIT, 5),
    }
