"""One seat at a table: an event in, a decision or nothing out."""

from manue.agents.base import Agent, Decision
from manue.errors import IllegalActionError
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
        self.state.apply(event)
        actions = legal_actions(self.state)
        if not actions:
            return None
        decision = self.agent.decide(self.state, actions)
        if decision.action not in actions:
            raise IllegalActionError(f"{self.agent.name} chose {decision.action}, not one of {actions}")
        return decision
