"""One seat at a table: an event in, a decision or nothing out."""

import copy
from typing import Self

from manue.agents.base import Agent, Decision
from manue.errors import IllegalActionError
from manue.game.actions import Action
from manue.game.events import Event
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.rules import TENHOU, Rules
from manue.tiles import Seat


class Player:
    """An agent in a seat, with all it has seen of the game.

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
        """Take in an event; return a decision if there is one to make, else ``None`` (silence).

        Raises
        ------
        EventError
            If the event cannot follow what is known; the state is then unchanged.
        IllegalActionError
            If the agent chose something that is not legal.
        """
        actions = self.observe(event)
        return self.decide(actions) if actions else None

    def observe(self, event: Event) -> tuple[Action, ...]:
        """Take in an event and return what may be chosen now; raises EventError like `receive`."""
        self.state.apply(event)
        return legal_actions(self.state)

    def decide(self, actions: tuple[Action, ...]) -> Decision:
        """Let the agent choose one of these legal actions (never empty); raises IllegalActionError."""
        decision = self.agent.decide(self.state, actions)
        if decision.action not in actions:
            raise IllegalActionError(f"{self.agent.name} chose {decision.action}, not one of {actions}")
        return decision

    def fork(self) -> Self:
        """Return a player that has seen the same and goes on alone, while this one is still thinking."""
        other = copy.copy(self)
        other.state = copy.deepcopy(self.state)
        return other
