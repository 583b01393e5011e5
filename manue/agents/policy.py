"""The policy nets as players, at the speed of a kernel: what strong players do most, or what came of it."""

from typing import Any

from manue.agents.base import Decision
from manue.arrays import F32
from manue.decision.report import Report
from manue.game.actions import Action, Discard
from manue.game.state import RoundState
from manue.models.policy import NAME, SELFPLAY, load_policy
from manue.rules import Rules
from manue.sim.codes import code_of
from manue.sim.kit import new_kit
from manue.sim.occasions import ANSWER, CALL_DISCARD
from manue.sim.players import POLICY, decide
from manue.sim.view import forbidden_kinds, table_of

NETS = {"policy": NAME, "policy@selfplay": SELFPLAY}
"""The models of the players, by their names."""
_NOTES = {"policy": "what strong players do", "policy@selfplay": "what it has learned by playing"}


class PolicyPlayer:
    """Chooses as a policy net does at the simulated table.

    Parameters
    ----------
    weights : float32[weights], optional
        Default `load_policy()` of the model of that name.
    name : {"policy", "policy@selfplay"}

    Raises
    ------
    ModelError
        If the model is missing or damaged.
    """

    def __init__(self, weights: F32 | None = None, name: str = "policy") -> None:
        self.name = name
        self._weights = load_policy(name=NETS[name]) if weights is None else weights
        self._kits: dict[Rules, Any] = {}

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Choose by the net; a win is taken, nine terminals are declared far from tenpai."""
        t, occasion = table_of(state, actions)
        seat, kit = state.seat, self._kit(state.rules)
        t["player"][seat] = POLICY
        by_code = {code_of(action, seat): action for action in actions}
        code = decide(t, seat, occasion, len(actions) if occasion == ANSWER else 0, kit)
        if code not in by_code and any(isinstance(action, Discard) for action in actions):
            # the host allows less than the rules: the best of the discards that it does
            t["forbidden"] = forbidden_kinds(actions)
            code = decide(t, seat, CALL_DISCARD, 0, kit)
        chosen = by_code.get(code, actions[-1])  # the last, where not even that copy is allowed
        return Decision(chosen, (Report(chosen, note=_NOTES[self.name]),))

    def _kit(self, rules: Rules) -> Any:
        """Return the kit for a set of rules."""
        if rules not in self._kits:
            self._kits[rules] = new_kit(rules, [self._weights])
        return self._kits[rules]
