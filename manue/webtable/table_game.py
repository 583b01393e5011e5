"""One game of a person against agents: seats, referee, log, and the review of it at the end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from manue.agents.manue import Manue
from manue.errors import UsageError
from manue.records.formats import read_game
from manue.records.length import known_length
from manue.records.log_writer import LogWriter
from manue.review.judge import review_game
from manue.review.page import page_html
from manue.review.player_names import distinct_names
from manue.rules import LAST_ROUND, RULES, Length, RulesName
from manue.table.program_spec import name_of
from manue.table.referee import Referee, wall_seed
from manue.table.seat_factory import make_seat_player, seated
from manue.table.table import GameRecord, Table
from manue.table.thinking_time import Limits
from manue.tiles import Seat
from manue.webtable.hints import Advisor
from manue.webtable.screen import Screen
from manue.webtable.seat import PersonSeat

ME = "me"
"""The spec of the person's seat."""


@dataclass(frozen=True, slots=True)
class TableGame:
    """What is played, and with whom."""

    seats: tuple[str, ...]  # specs by seat, one of them `ME`
    log: Path
    name: str = "Player"  # of the person
    length: Length = "hanchan"
    rules: RulesName = "tenhou"
    seed: int = 0
    limits: Limits = field(default_factory=Limits)  # of programs
    number: int = 1  # of the game, at this table
    log_number: int = 1  # at the end of the log's name, from the second game on

    @property
    def me(self) -> Seat:
        """The person's seat."""
        return self.seats.index(ME)

    def next_game(self) -> "TableGame":
        """Return the next game of the same players, whose log stands beside that of this one."""
        name, dot, endings = self.log.name.partition(".")
        stem = name.removesuffix(f"-{self.log_number}") if self.number > 1 else name
        logs = (
            (number, self.log.with_name(f"{stem}-{number}{dot}{endings}"))
            for number in count(self.log_number + 1)
        )
        log_number, log = next((number, log) for number, log in logs if not log.exists())
        return replace(self, log=log, number=self.number + 1, log_number=log_number)

    def names(self) -> list[str]:
        """Return the distinct names of the four players."""
        return list(distinct_names([self.name if spec == ME else name_of(spec) for spec in self.seats]))


def checked_seats(seats: Sequence[str]) -> tuple[str, ...]:
    """Return the specs of four seats.

    Raises
    ------
    UsageError
        If they are not four, or not exactly one of them is the person's.
    """
    if len(seats) != 4 or list(seats).count(ME) != 1:
        raise UsageError(f"--seats must name four players, one of them {ME!r}, not {','.join(seats)!r}")
    return tuple(seats)


def play(game: TableGame, screen: Screen, agent: Manue, log: LogWriter) -> GameRecord:
    """Play a game to its end.

    Parameters
    ----------
    game : TableGame
    screen : Screen
    agent : Manue
        Who gives help.
    log : LogWriter

    Raises
    ------
    AbandonedError
        If the player left the table; what was played is in the log.
    """
    rules = RULES[game.rules]
    seed = wall_seed(game.seed, game.number - 1)
    referee = Referee(seed, length=game.length, rules=rules, names=game.names())
    person = PersonSeat(game.me, rules, screen, Advisor(agent))
    players = seated(
        person if spec == ME else make_seat_player(spec, seat, rules, game.limits)
        for seat, spec in enumerate(game.seats)
    )
    return Table(referee, players, log=log, client_seats=frozenset({game.me})).play()


def review_page(
    game: TableGame,
    agent: Manue,
    language: str | None = None,
    judged: Callable[[float], None] = lambda _: None,
) -> str:
    """Return the page on which an agent reviews the person's decisions: `manue review LOG --seat N`.

    Parameters
    ----------
    game : TableGame
        A game that is over.
    agent : Manue
    language : str, optional
        Language of the page; by default that of the browser.
    judged : callable
        Called after every entry of the log with the share of them that is judged, 0 to 1.

    Raises
    ------
    LogError
        If the log is gone or damaged.
    """
    entries, _ = known_length(read_game(game.log), LAST_ROUND[game.length])
    judged_entries = count(1)
    _, data = review_game(
        entries,
        game.log,
        agent.explaining(),
        agent.name,
        [game.me],
        rules=RULES[game.rules],
        step=lambda: judged(next(judged_entries) / len(entries)),
    )
    return page_html(data, language)
