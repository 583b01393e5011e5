"""Statistics of a match in constant memory: rates per agent, intervals over walls, paired differences.

Agents are compared wall by wall: that is what duplicate walls are for.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from manue.as_text import counted, known
from manue.foreign import printable
from manue.intervals import WallMean
from manue.language.messages import ENGLISH, Messages
from manue.match.situation_sums import SituationSums
from manue.table.decision_times import Timing
from manue.table.tally import SeatTally

ResultLine = Mapping[str, Any]
"""One line of results.jsonl."""


@dataclass(slots=True)
class AgentSummary:
    """Statistics of an agent over all seats it has played."""

    places: Counter[int] = field(default_factory=Counter)
    placement: WallMean = field(default_factory=WallMean)
    points: WallMean = field(default_factory=WallMean)
    tally: SeatTally = field(default_factory=SeatTally)
    timing: Timing = field(default_factory=Timing)
    faults: Counter[str] = field(default_factory=Counter)
    seats_lost: int = 0  # to a stand-in; by lateness only where no answer of that game came in time
    sound_places: Counter[int] = field(default_factory=Counter)  # in games without any fault

    def to_json(self) -> dict[str, Any]:
        """Return plain data. Rates are per round dealt; points are per win and per deal-in."""
        tally, games = self.tally, self.placement.count
        return {
            "games": games,
            "mean_placement": _rounded(self.placement.mean, 4),
            "ci95": _rounded(self.placement.ci95, 4),
            "places": [self.places[place] for place in range(1, 5)],
            "mean_points": _rounded(self.points.mean, 1),
            "mean_points_ci95": _rounded(self.points.ci95, 1),
            "rounds": tally.rounds,
            "win_rate": _share(tally.wins, tally.rounds),
            "tsumo_share": _share(tally.tsumo_wins, tally.wins),
            "win_points": _share(tally.win_points, tally.wins, 1),
            "deal_in_rate": _share(tally.deal_ins, tally.rounds),
            "deal_in_points": _share(tally.deal_in_points, tally.deal_ins, 1),
            "riichi_rate": _share(tally.riichi, tally.rounds),
            "riichi_win_rate": _share(tally.riichi_wins, tally.riichi),
            "call_rate": _share(tally.calls, tally.rounds),
            "decisions": self.timing.count,
            "decision_ms": {
                "median": _rounded(self.timing.quantile(0.5), 4),
                "p99": _rounded(self.timing.quantile(0.99), 4),
                "max": _rounded(self.timing.max_ms, 4) if self.timing.count else None,
            },
            "illegal": self.faults["illegal"],
            "faults": dict(sorted(self.faults.items())),
            "seats_lost": self.seats_lost,
            "sound_games": self.sound_places.total(),
            "sound_mean_placement": _rounded(mean_place(self.sound_places), 4),
        }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def mean_place(places: Counter[int]) -> float | None:
    """Return the mean of places that are counted, 1..4; ``None`` if there are none."""
    total = places.total()
    return sum(place * count for place, count in places.items()) / total if total else None


def _share(part: int, whole: int, digits: int = 5) -> float | None:
    return round(part / whole, digits) if whole else None


class Summary:
    """Running totals, fed the results of games in any order within a wall.

    Parameters
    ----------
    block : int
        Games per wall.
    """

    def __init__(self, block: int) -> None:
        self.games = 0
        self.rounds = 0
        self.draws = 0
        self.agents: dict[str, AgentSummary] = {}
        self.differences: dict[tuple[str, str], WallMean] = {}
        self.situations = SituationSums()
        self.faulty_games = 0
        self.faulty_kinds: Counter[str] = Counter()  # games by kind of fault
        self._block = block
        self._open: dict[int, list[ResultLine]] = {}

    def __repr__(self) -> str:
        means = {name: _rounded(mean_place(agent.places), 3) for name, agent in self.agents.items()}
        return f"<Summary of {counted(self.games, 'game')}, mean places {means}>"

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Summary) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it grows

    def add(self, line: ResultLine) -> None:
        """Add one game; its placements count once its wall is complete, or at `finish`."""
        self.games += 1
        self.rounds += line["rounds"]
        self.draws += line["draws"]
        for seat, name in enumerate(line["agents"]):
            agent = self.agents.setdefault(name, AgentSummary())
            agent.places[line["placements"][seat]] += 1
            agent.sound_places[line["placements"][seat]] += not line["faults"]
            agent.tally.add(SeatTally(**line["seats"][seat]))
            agent.timing.merge(Timing.from_json(line["timings"][seat]))
        self.situations.add(line)
        self.faulty_games += bool(line["faults"])
        self.faulty_kinds.update({fault["kind"] for fault in line["faults"]})
        for fault in line["faults"]:
            agent = self.agents[line["agents"][fault["seat"]]]
            agent.faults[fault["kind"]] += 1
            in_time = Timing.from_json(line["timings"][fault["seat"]]).count
            agent.seats_lost += bool(fault.get("lost")) and (fault["kind"] != "late" or in_time == 0)
        wall = self._open.setdefault(line["wall"], [])
        kept = ("agents", "placements", "scores", "situations")
        wall.append({name: line[name] for name in kept if name in line})
        if len(wall) == self._block:
            self._close_wall(line["wall"])

    def finish(self) -> None:
        """Count the games of incomplete walls."""
        for wall in sorted(self._open):
            self._close_wall(wall)

    def _close_wall(self, wall: int) -> None:
        lines = self._open.pop(wall)
        placements = _per_agent(lines, "placements")
        for name, (total, count) in placements.items():
            self.agents[name].placement.add_wall(total, count)
        for name, (total, count) in _per_agent(lines, "scores").items():
            self.agents[name].points.add_wall(total, count)
        whole = len(lines) == self._block
        self.situations.close_wall(lines, whole=whole)
        if not whole:
            return
        for one, other in combinations((name for name in self.agents if name in placements), 2):
            (total, count), (other_total, other_count) = placements[one], placements[other]
            difference = self.differences.setdefault((one, other), WallMean())
            # weighted by both counts, so that the mean is the difference of the mean placements
            difference.add_wall(total * other_count - other_total * count, count * other_count)

    def to_json(self) -> dict[str, Any]:
        """Return the content of summary.json."""
        return {
            "games": self.games,
            "rounds": self.rounds,
            "draw_rate": _share(self.draws, self.rounds),
            "faulty_games": self.faulty_games,
            "faulty_kinds": dict(sorted(self.faulty_kinds.items())),
            "agents": {
                name: {**agent.to_json(), "situations": self.situations.of_agent(name)}
                for name, agent in self.agents.items()
            },
            "paired": [
                {
                    "agent": one,
                    "against": other,
                    "walls": mean.walls,
                    "placement_difference": _rounded(mean.mean, 4),
                    "ci95": _rounded(mean.ci95, 4),
                    "situations": self.situations.of_pair(one, other),
                }
                for (one, other), mean in self.differences.items()
            ],
        }


def _per_agent(lines: Sequence[ResultLine], what: str) -> dict[str, tuple[int, int]]:
    sums: dict[str, tuple[int, int]] = {}
    for line in lines:
        for name, value in zip(line["agents"], line[what], strict=True):
            total, count = sums.get(name, (0, 0))
            sums[name] = (total + value, count + 1)
    return sums


def fault_line(summary: Mapping[str, Any], words: Messages = ENGLISH) -> str | None:
    """Return how many games had faults, and the placements with and without them; ``None`` if none had."""
    if not summary["faulty_games"]:
        return None
    kinds = words.text("list.comma").join(
        words.text("match.fault.kind", kind=kind, n=games) for kind, games in summary["faulty_kinds"].items()
    )
    means = "; ".join(
        words.text(
            "match.fault.mean",
            name=printable(name),
            mean=f"{agent['mean_placement']:.3f}",
            sound=known(agent["sound_mean_placement"], ".3f"),
        )
        for name, agent in summary["agents"].items()
    )
    return words.text(
        "match.fault", n=summary["faulty_games"], games=summary["games"], kinds=kinds, means=means
    )


def failed_in_every_game(summary: Mapping[str, Any]) -> list[str]:
    """Return the names of those who lost their seat in every game, as `AgentSummary.seats_lost` counts."""
    return [name for name, agent in summary["agents"].items() if agent["seats_lost"] >= agent["games"] > 0]


def stand_in_lines(summary: Mapping[str, Any], words: Messages = ENGLISH) -> list[str]:
    """Return a line for each such player: the results under its name are its stand-in's."""
    return [words.text("match.fault.all", name=printable(name)) for name in failed_in_every_game(summary)]
