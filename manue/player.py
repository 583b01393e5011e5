"""One seat at a table: events go in, decisions come out."""

import copy
import sys
import traceback
from dataclasses import replace
from pathlib import Path

from typing_extensions import Self

from manue.agents.base import Agent, Decision, TimedAgent
from manue.agents.flaws import flaw_of
from manue.errors import NOT_OF_AGENTS, AgentError, IllegalActionError, described
from manue.game.actions import Action
from manue.game.events import Discarded, Draw, Event, RiichiAccepted, RiichiDeclared, RoundStart
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.rules import TENHOU, Rules
from manue.tiles import Seat, Tile, parse_tiles


class Player:
    """An agent in a seat, with everything that seat has seen of the game.

    Parameters
    ----------
    seat : int
        0..3, fixed for the game.
    agent : Agent
    rules : Rules
    """

    def __init__(self, seat: Seat, agent: Agent, rules: Rules = TENHOU) -> None:
        self.agent = agent
        self.state = RoundState(seat, rules)

    def receive(self, event: Event) -> Decision | None:
        """Process an event; return a decision if there is one to make, else ``None``.

        Raises
        ------
        EventError
            If the event is impossible given what is known; the state is then unchanged.
        AgentError, IllegalActionError
            As `decision_of`.
        """
        actions = self.observe(event)
        return self.decide(actions) if actions else None

    def observe(self, event: Event) -> tuple[Action, ...]:
        """Process an event and return the actions that may be chosen; raises EventError like `receive`."""
        self.state.apply(event)
        return legal_actions(self.state)

    def decide(self, actions: tuple[Action, ...], seconds: float | None = None) -> Decision:
        """Let the agent choose one of these legal actions, never empty, as `decision_of` does.

        ``seconds`` is the time available; an agent that is not a `TimedAgent` ignores it.
        """
        return decision_of(self.agent, self.state, actions, seconds)

    def fork(self) -> Self:
        """Return an independent player that has seen the same, for use while this one is still thinking."""
        other = copy.copy(self)
        other.state = self.state.copied()
        return other


def decision_of(
    agent: Agent, state: RoundState, actions: tuple[Action, ...], seconds: float | None = None
) -> Decision:
    """Return what an agent chooses, of legal actions.

    Parameters
    ----------
    agent : Agent
    state : RoundState
    actions : tuple of Action
    seconds : float, optional
        The time available, of which only a `TimedAgent` is informed.

    Raises
    ------
    AgentError
        If the agent is from outside this package and raises whatever it may be, except `NOT_OF_AGENTS`.
    IllegalActionError
        If what it returns may not be played.
    """
    from_outside = type(agent).__module__.partition(".")[0] != __package__
    try:  # whoever tries a discard on the hand that is shown must not change ours
        decision = _asked(agent, state.copied() if from_outside else state, actions, seconds)
    except NOT_OF_AGENTS:
        raise
    except BaseException as error:
        if not from_outside:
            raise
        raise AgentError(agent.name, described(error), _where_in(type(agent), error)) from error
    if from_outside and (flaw := flaw_of(decision)) is not None:
        raise IllegalActionError(f"{agent.name} returned {flaw}")
    for action in actions:
        if action == decision.action:  # an equal one of the agent's may hold numbers that no JSON can
            return decision if action is decision.action else replace(decision, action=action)
    allowed = ", ".join(action.label for action in actions)
    raise IllegalActionError(f"{agent.name} chose {decision.action}; allowed: {allowed}")


def _asked(agent: Agent, state: RoundState, actions: tuple[Action, ...], seconds: float | None) -> Decision:
    if seconds is not None and isinstance(agent, TimedAgent):
        return agent.decide_within(state, actions, seconds)
    return agent.decide(state, actions)


def _where_in(agent: type, error: BaseException) -> str:
    """Return where in the file of an agent's class an error came from; empty if not from there."""
    file = getattr(sys.modules.get(agent.__module__), "__file__", None)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{Path(file).name}, line {lines[-1]}" if file and lines else ""


def warm_up(agent: Agent) -> int:
    """Let an agent decide a few positions, so that nothing is compiled during a game; return how many."""
    unseen = (None,) * 13
    to_win, to_fold = "234m567p34s678sEE", "158m269p1378sSWF"
    even, nearly_over = (TENHOU.start_points,) * 4, (96_700, 1_100, 1_100, 1_100)  # a win here ends the game
    events: list[Event] = []
    for tiles, scores in ((to_win, even), (to_fold, even), (to_win, nearly_over)):
        hand = tuple(parse_tiles(tiles))
        events.append(RoundStart("E", 1, 0, 0, 0, "1m", (hand, unseen, unseen, unseen), scores))
        for drawn, *discards in (("9m", "9s", "E", "2s"), ("P", "2s", "C", "8s"), ("5s", "W", "S", "7s")):
            events += [Draw(0, drawn), Discarded(0, drawn, from_draw=True)]
            for seat, tile in enumerate(discards, 1):
                events += [Draw(seat, None), *_discard(seat, tile, riichi=tile == "C")]
    player = Player(0, agent)
    return sum(player.receive(event) is not None for event in events)


def _discard(seat: Seat, tile: Tile, *, riichi: bool) -> list[Event]:
    discard = Discarded(seat, tile, from_draw=True)
    return [RiichiDeclared(seat), discard, RiichiAccepted(seat)] if riichi else [discard]
