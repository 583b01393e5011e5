"""The policy net as a player: does what strong players do most, at the speed of a kernel."""

from manue.agents.base import Decision
from manue.arrays import F32
from manue.decision.report import Report
from manue.game.actions import Action
from manue.game.state import RoundState
from manue.models.policy import load_policy
from manue.sim.codes import code_of
from manue.sim.kit import new_kit
from manue.sim.moments import ANSWER
from manue.sim.players import POLICY, decide
from manue.sim.view import table_of


class PolicyPlayer:
    """Chooses as the policy net of the simulated table does.

    Parameters
    ----------
    weights : float32[WEIGHTS], optional
        Default `load_policy()`.

    Raises
    ------
    ModelError
        If the model is missing or damaged.
    """

    name = "policy"

    def __init__(self, weights: F32 | None = None) -> None:
        self._kit = new_kit(weights=(load_policy() if weights is None else weights)[None])

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Choose by the net; a win is taken, nine terminals are declared far from tenpai."""
        t, moment = table_of(state, actions)
        t["player"][state.seat] = POLICY
        code = decide(t, state.seat, moment, len(actions) if moment == ANSWER else 0, self._kit)
        by_code = {code_of(action, state.seat): action for action in actions}
        chosen = by_code[code]
        return Decision(chosen, (Report(chosen, note="what strong players do"),))
