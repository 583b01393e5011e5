"""One game of a match, wherever it runs: from settings and a fixture to a line of results and a log."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from manue.match.schedule import Fixture, Schedule
from manue.records.log_writer import HeldLog
from manue.rules import LAST_ROUND, RULES, Length, RulesName
from manue.table.program_spec import name_of
from manue.table.referee import Referee, wall_seed
from manue.table.seat_factory import make_seat_player, seated
from manue.table.seats import SeatPlayer
from manue.table.table import GameRecord, Table
from manue.table.thinking_time import Limits
from manue.tiles import Seat


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Everything that determines the games of a match: the same settings give the same games.

    Parameters
    ----------
    schedule : Schedule
    seed : int
        Of the walls, 0 or more. The seed of a wall follows from it and from the wall's number
        (`manue.table.referee.wall_seed`).
    length : {"hanchan", "east"}
    rules : {"tenhou", "mjsoul"}
    limits : Limits
        Times, in seconds, of the players that are not built in, programs and clients over TCP; and the late
        answers allowed to a program.
    strict : bool
        Whether the match stops at the first fault of a player; otherwise a stand-in plays on for it.
    logs : bool
        Whether each game leaves an annotated log.
    details : bool
        Whether every `manue` explains its best options in the logs: about 1 ms more a decision, larger logs,
        and the same choices.
    own : tuple of str
        Those in the schedule that are the names of agents of the caller's own; all others are specs.
    """

    schedule: Schedule
    seed: int = 0
    length: Length = "hanchan"
    rules: RulesName = "tenhou"
    limits: Limits = field(default_factory=Limits)
    strict: bool = False
    logs: bool = True
    details: bool = False
    own: tuple[str, ...] = ()

    def name_of(self, agent: str) -> str:
        """Return what an agent of the schedule is called in results and tables."""
        return agent if agent in self.own else name_of(agent)

    def specs(self) -> list[str]:
        """Return the specs in the schedule, each once."""
        return [agent for agent in self.schedule.agents() if agent not in self.own]

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain data; ``own`` only where there are such agents."""
        lineups = [list(lineup) for lineup in self.schedule.lineups]
        data = asdict(self) | {"schedule": lineups, "own": list(self.own)}
        if not self.own:
            del data["own"]
        return data


def log_name(game: int) -> str:
    """Return the path of a game's log within the folder of the match."""
    return f"games/{game:06}.mjson.gz"


def bot_log_name(game: int, seat: Seat) -> str:
    """Return the name of the file with a program's conversation of a game."""
    return f"{game:06}-seat{seat}.log"


class PlayedGame(NamedTuple):
    """What a game of a match leaves.

    Attributes
    ----------
    line : dict
        For results.jsonl.
    log : bytes
        The annotated log, gzipped; empty if the match keeps no logs.
    """

    line: dict[str, Any]
    log: bytes


def play_fixture(
    settings: MatchSettings,
    fixture: Fixture,
    make_player: Callable[..., SeatPlayer] = make_seat_player,
    log_bots: Path | None = None,
) -> PlayedGame:
    """Play one game between players made by ``make_player``.

    The conversations with programs are kept in the folder ``log_bots``, if one is given.

    Raises
    ------
    SeatFault
        If a player fails in a strict match.
    """
    rules = RULES[settings.rules]
    seed = wall_seed(settings.seed, fixture.wall)
    names = [settings.name_of(agent) for agent in fixture.seats]
    referee = Referee(seed, length=settings.length, rules=rules, names=names)

    def player_of(seat: Seat, spec: str) -> SeatPlayer:
        more = {} if log_bots is None else {"log": log_bots / bot_log_name(fixture.game, seat)}
        return make_player(spec, seat, rules, settings.limits, details=settings.details, **more)

    players = seated(player_of(seat, spec) for seat, spec in enumerate(fixture.seats))
    log = HeldLog() if settings.logs else None
    record = Table(referee, players, log=log, strict=settings.strict).play()
    return PlayedGame(line_of(settings, fixture, seed, record), b"" if log is None else log.gzipped())


def line_of(settings: MatchSettings, fixture: Fixture, seed: int, record: GameRecord) -> dict[str, Any]:
    """Return the line for results.jsonl."""
    last = LAST_ROUND[settings.length]
    return {
        "game": fixture.game,
        "wall": fixture.wall,
        "wall_seed": seed,
        "agents": [settings.name_of(agent) for agent in fixture.seats],
        "scores": record.scores,
        "placements": record.places,
        "rounds": record.rounds,
        "draws": record.draws,
        "events": record.events,
        "digest": record.digest,
        "seats": [tally.to_json() for tally in record.tallies],
        "situations": record.situations.to_json(record.scores, record.places, last),
        "faults": [asdict(fault) for fault in record.faults],
        "log": log_name(fixture.game) if settings.logs else None,
        "timings": [timing.to_json() for timing in record.timings],
        "seconds": round(record.seconds, 3),
    }
