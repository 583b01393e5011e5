"""The simplest player: it discards what it drew. It replaces a player that failed."""

from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Action, Discard, Pass
from manue.game.state import RoundState


class Tsumogiri:
    """Discards the drawn tile, never calls, never wins."""

    name = "tsumogiri"

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Pass if possible, else discard the drawn tile, else (after a call) make the last legal discard."""
        del state
        may_pass = any(isinstance(action, Pass) for action in actions)
        discards = [action for action in actions if isinstance(action, Discard)]
        drawn = (action for action in discards if action.from_draw)
        chosen = Pass() if may_pass else next(drawn, discards[-1])
        return Decision(chosen, (Report(chosen, note="what was drawn"),))
