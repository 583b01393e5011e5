"""Two agents compared round by round: a round of four of one, and the same with the other in one seat.

Whole games of two versions drift apart after the first choice that differs, so a match needs thousands of
them to tell the versions apart. Here a round starts as one did in some record (points, round, honba, sticks),
with a wall of its own. It is played by four of the reference, and again for each seat in which the challenger
would have chosen otherwise, with the challenger in that seat. In the other seats the difference is 0, for
agents are functions of what they see.
"""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from manue.agents.base import Agent, Decision
from manue.agents.registry import make_agent
from manue.arrays import F64
from manue.errors import EventError, LogError
from manue.foreign import MESSAGE, printable
from manue.game.actions import Action, Call, Discard, Riichi
from manue.game.events import Event, GameEnd, RoundEnd, RoundStart
from manue.game.state import RoundState
from manue.models.model_set import Models
from manue.models.placement import PLACES, RoundPosition, exact_places
from manue.player import decision_of
from manue.records.games import RecordedGame, collect_games
from manue.rules import TENHOU
from manue.stderr import report
from manue.table.referee import Referee, wall_seed
from manue.table.seats import AgentSeat, TableEvent
from manue.table.table import event_of
from manue.tiles import Seat

CHOICES = ("discard", "riichi", "chi", "pon", "kan", "other")
"""What the first choice that differs is about."""
SAME = -1
"""In place of a choice: none differs."""


class Start(NamedTuple):
    """Where a round starts: the position of the game, and the points by seat."""

    position: RoundPosition
    scores: tuple[int, ...]


class Gain(NamedTuple):
    """What the challenger brought one seat in a round, beside the reference.

    Attributes
    ----------
    choice : int
        What the first choice that differed was about, of `CHOICES`, or `SAME`.
    points : float
    place : float
        Change of the expected final place: below 0 the challenger is better.
    """

    choice: int
    points: float
    place: float


def starts_of(logs: Sequence[Path], count: int, seed: int) -> list[Start]:
    """Return ``count`` round starts from logs chosen at random, repeating them if there are too few.

    All are taken for rounds of a hanchan. Logs that cannot be read are reported and left out.

    Raises
    ------
    LogError
        If none of the logs has a round with points.
    """
    found: list[Start] = []
    skipped: list[str] = []
    for log in random.Random(seed).sample(logs, len(logs)):
        for starts in collect_games(log, _starts):
            if isinstance(starts, str):
                skipped.append(starts)
                report(f"skipped {printable(starts, MESSAGE)}")
            else:
                found += starts
        if len(found) >= count:
            break
    if not found:
        raise LogError(f"no round to start with: {skipped[0] if skipped else 'the logs hold none'}")
    return [found[number % len(found)] for number in range(count)]


def _starts(game: RecordedGame) -> list[Start]:
    return [_start(event) for event in game.events if isinstance(event, RoundStart)]


def _start(event: RoundStart) -> Start:
    if event.scores is None:
        raise EventError("a round starts without the points of the seats")
    return Start(RoundPosition.at(event), event.scores)


def gains(
    challenger: str, reference: str, starts: Sequence[Start], seed: int, pool: Executor
) -> Iterator[tuple[Gain, ...]]:
    """Yield what the challenger brought by seat, round by round; both are given as specs of agents."""
    play = partial(gains_of_round, challenger, reference)
    walls = [wall_seed(seed, wall) for wall in range(len(starts))]
    yield from pool.map(play, starts, walls)


def gains_of_round(challenger: str, reference: str, start: Start, wall: int) -> tuple[Gain, ...]:
    """Return what the challenger brings in each seat of one round, with a seed of the referee."""
    usual, other = _agent(reference), _agent(challenger)
    shadow = _Shadow(usual, other)
    before = _result(start, wall, [shadow] * 4)
    found = []
    for seat in range(4):
        choice = shadow.first.get(seat, SAME)
        if choice == SAME:
            found.append(Gain(SAME, 0.0, 0.0))
            continue
        agents = [other if at == seat else usual for at in range(4)]
        change = _result(start, wall, agents) - before
        found.append(Gain(choice, *change[seat].tolist()))
    return tuple(found)


_agent = cache(make_agent)


class _Shadow:
    """Decides as the reference does, and notes in which seats the challenger would not."""

    def __init__(self, reference: Agent, challenger: Agent) -> None:
        self.name = reference.name
        self.first: dict[Seat, int] = {}
        self._reference, self._challenger = reference, challenger

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Decide as the reference; raises what `decision_of` does, of either agent."""
        decision = decision_of(self._reference, state, actions)
        if state.seat not in self.first and len(actions) > 1:
            other = decision_of(self._challenger, state, actions)
            if other.action != decision.action:
                self.first[state.seat] = _choice(decision.action, other.action)
        return decision


def _choice(*actions: Action) -> int:
    """Return what a choice between two actions is about, of `CHOICES`."""
    name = "other"
    calls = [action for action in actions if isinstance(action, Call)]
    if any(isinstance(action, Riichi) for action in actions):
        name = "riichi"
    elif calls:
        name = "kan" if any(call.is_kan for call in calls) else calls[0].kind
    elif all(isinstance(action, Discard) for action in actions):
        name = "discard"
    return CHOICES.index(name)


def _result(start: Start, wall: int, agents: Sequence[Agent]) -> F64:
    """Play a round; return the points and the expected final place of every seat after it: float64[4, 2]."""
    referee = Referee(wall)
    seats = [AgentSeat(seat, agent, TENHOU) for seat, agent in enumerate(agents)]
    messages = referee.start_at(*start)
    while True:
        events = [TableEvent(message, event_of(message)) for message in messages]
        ends = [at for at, one in enumerate(events) if isinstance(one.event, RoundEnd)]
        if ends:
            return _standing([one.event for one in events[ends[0] :]])
        answers = [seat.observe(events, asked=at in referee.asked) for at, seat in enumerate(seats)]
        replies = {at: answer.reply for at, answer in enumerate(answers) if answer is not None}
        messages = referee.step(replies)


def _standing(events: Sequence[Event]) -> F64:
    """Return points and expected final places from what follows a round: the next one, or the end."""
    for event in events:
        if isinstance(event, RoundStart):
            position, scores = _start(event)
            places = Models.load().placement.final_places(scores, position)
            return np.column_stack([scores, places @ PLACES])
        if isinstance(event, GameEnd) and event.scores is not None:
            final = np.array([event.scores], np.float64)
            return np.column_stack([final[0], exact_places(final)[0] @ PLACES])
    raise EventError("the referee says nothing after a round")
