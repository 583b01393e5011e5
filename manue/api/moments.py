"""A moment of a game record: a round and a turn of it, ``South-2.7`` or ``S2.7``."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from manue.agents.base import Agent, Decision
from manue.agents.tsumogiri import Tsumogiri
from manue.errors import EventError, PositionError, UsageError
from manue.game.actions import Action
from manue.game.events import Event, RoundStart, seen_by
from manue.language.messages import ENGLISH
from manue.player import Player
from manue.records.archive import LogEntry
from manue.review.player_names import game_names
from manue.rules import Rules
from manue.tiles import Seat

_MOMENT = re.compile(r"(?:(East|South|West)-|([ESW]))([1-4])(?:-(\d{1,3}))?\.(\d{1,2})", re.IGNORECASE)
NOTATION = "South-2.7 or S2.7 (round and turn; S2-1.7: of honba 1)"
"""How a moment is written, for errors."""


class Moment(NamedTuple):
    """A turn, from 1, of a round; without a number of honba of the first round of that name."""

    wind: str
    number: int
    honba: int | None
    turn: int


def moment_of(text: str) -> Moment | None:
    """Return the moment that a text names; ``None`` if it names none."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    word, letter, number, honba, turn = found.groups()
    return Moment((word or letter)[0].upper(), int(number), None if honba is None else int(honba), int(turn))


def until_moment(game: Sequence[LogEntry], text: str, seat: Seat, rules: Rules) -> Sequence[LogEntry]:
    """Return the events of a game up to a moment in which a seat decides.

    Of the decisions in a turn, it is the one after the seat's own draw, failing that on an offered tile.

    Raises
    ------
    UsageError
        If the text names no moment of this game, or the seat has nothing to decide then.
    """
    moment = moment_of(text)
    starts = [] if moment is None else [at for at, entry in enumerate(game) if _begins(entry.event, moment)]
    if moment is None or not starts:
        wrong = f"not a moment, such as {NOTATION}" if moment is None else "no such round"
        raise UsageError(f"{text}: {wrong}; there are {', '.join(_rounds_of(game))}")
    at = _decision_in(game, starts[0], Player(seat, Tsumogiri(), rules), moment.turn)
    if at is None:
        raise UsageError(f"{text}: {game_names(game)[seat]} has nothing to decide in this turn")
    return game[: at + 1]


def _begins(event: Event | None, moment: Moment) -> bool:
    if not isinstance(event, RoundStart) or (event.round_wind, event.number) != moment[:2]:
        return False
    return moment.honba is None or event.honba == moment.honba


def _rounds_of(game: Sequence[LogEntry]) -> list[str]:
    """Return the rounds of a game as a moment names them: ``South-2``, ``South-2-1`` for its first repeat."""
    starts = [entry.event for entry in game if isinstance(entry.event, RoundStart)]
    return [
        f"{ENGLISH.text(f'wind.{one.round_wind}')}-{one.number}{f'-{one.honba}' if one.honba else ''}"
        for one in starts
    ]


def _decision_in(game: Sequence[LogEntry], start: int, player: Player, turn: int) -> int | None:
    """Return the event after which the player decides in an own turn, failing that on an offered tile."""
    seat = player.state.seat
    offered: int | None = None
    for at, entry in enumerate(game):
        if entry.event is None:
            continue
        if at > start and isinstance(entry.event, RoundStart):
            break
        actions = player.observe(seen_by(entry.event, seat))
        if at <= start or not actions or len(player.state.me.river) + 1 != turn:
            continue
        if player.state.turn == seat and player.state.offer is None:
            return at
        offered = at
    return offered


def decide_after(entries: Sequence[LogEntry], seat: Seat, agent: Agent, rules: Rules) -> Decision:
    """Return what an agent decides after the last of some events, of which it sees what its seat sees.

    Raises
    ------
    PositionError
        If an event cannot follow those before, or the seat has nothing to decide after the last.
    """
    player = Player(seat, agent, rules)
    actions: tuple[Action, ...] = ()
    for entry in entries:
        if entry.event is not None:
            try:
                actions = player.observe(seen_by(entry.event, seat))
            except EventError as error:
                raise PositionError(f"{entry.where}: {error}") from None
    if not actions:
        raise PositionError("there is nothing to decide for this seat after the last event")
    return player.decide(actions)
