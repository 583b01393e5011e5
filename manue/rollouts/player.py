"""Manue with close decisions played on: for reviews and study, where time does not matter."""

from collections.abc import Callable
from dataclasses import replace

from manue.agents.base import Agent, Decision
from manue.agents.manue import Manue
from manue.decision.report import Details, Report
from manue.decision.settings import Settings, position_seed
from manue.errors import UsageError
from manue.features.scene import scene_of
from manue.game.actions import Action, Discard, Win
from manue.game.state import RoundState
from manue.models.policy import load_policy
from manue.rollouts.comparison import Played, valued
from manue.rollouts.playouts import play_options
from manue.rollouts.snapshot import snapshot_of
from manue.rollouts.worlds import draw_worlds
from manue.sim.kit import new_kit
from manue.tiles import KIND_OF

PLAYED_ON_WITHIN = 300.0
"""Options within this many points of the chosen one are played on."""
MAX_OPTIONS = 3
MIN_WORLDS, MAX_WORLDS = 2, 1_000_000


class RolloutManue:
    """Decides as `Manue`, and adds to close options what playing on says; the choice is the same.

    Parameters
    ----------
    manue : Manue
    worlds : int
        How many worlds each option is played on in, 2..1000000.
    advance : callable, optional
        Called with the number of worlds that have been played on since its last call.

    Raises
    ------
    UsageError
        If the number is out of range.
    ModelError
        If the policy net is missing or damaged.
    """

    def __init__(
        self, manue: Manue, worlds: int, advance: Callable[[int], None] = lambda _worlds: None
    ) -> None:
        if not MIN_WORLDS <= worlds <= MAX_WORLDS:
            raise UsageError(f"rollouts: {MIN_WORLDS} to {MAX_WORLDS} worlds, not {worlds}")
        self.name = manue.name
        self.manue = manue
        self.worlds = worlds
        self._advance = advance
        self._weights = load_policy(manue.settings.models or None)

    @property
    def settings(self) -> Settings:
        """Those of the player whose decisions are played on: reviews read them of any agent."""
        return self.manue.settings

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Decide, and play on from the options that are close."""
        decision = self.manue.decide(state, actions)
        close = close_options(decision)
        played = self.play(decision, state, actions, close) if close else None
        if played is None:
            return decision
        reports = list(decision.reports)
        for at, rollout in zip(close, played.rollouts(), strict=True):
            details = replace(reports[at].details or Details(), rollout=rollout)
            reports[at] = replace(reports[at], details=details)
        return replace(decision, reports=tuple(reports))

    def play(
        self, decision: Decision, state: RoundState, actions: tuple[Action, ...], close: list[int]
    ) -> Played | None:
        """Play some options of a decision on; ``None`` if it cannot be (`manue.rollouts.snapshot`)."""
        snapshot = snapshot_of(state, actions)
        if snapshot is None:
            return None
        models, settings, rules = self.manue.models, self.settings, state.rules
        seed = position_seed(state, settings.seed)
        danger = models.dangers.read(scene_of(state), state.seat)
        worlds = draw_worlds(snapshot, state, danger, self.worlds, seed, new_kit(rules))
        plans = [(decision.reports[at].action, decision.reports[at].discard) for at in close]
        results = play_options(snapshot, worlds, plans, seed, rules, self._weights, self._advance)
        return valued(results, state, models.placement, settings)


def with_rollouts(agent: Agent, worlds: int, advance: Callable[[int], None] = lambda _worlds: None) -> Agent:
    """Return an agent with its close decisions played on; parameters as in `RolloutManue`.

    Raises
    ------
    UsageError
        If the agent is not `Manue`, whose values say what is close, or the number is out of range.
    """
    if not isinstance(agent, Manue):
        raise UsageError(f"rollouts need the values of manue: {agent.name} has none")
    return RolloutManue(agent, worlds, advance)


def close_options(decision: Decision) -> list[int]:
    """Return the options to be played on, the chosen one first; none if no other is close to it.

    Of discards of one kind only the first is taken: all that differs is which copy it is.
    """
    if not decision.worths or decision.worths[0] is None or isinstance(decision.action, Win):
        return []
    best = decision.worths[0].value
    found: list[int] = []
    taken: set[object] = set()
    for at, (report, worth) in enumerate(zip(decision.reports, decision.worths, strict=True)):
        key = _key(report)
        if isinstance(report.action, Win):
            continue  # nothing is left to play on
        if worth is not None and best - worth.value <= PLAYED_ON_WITHIN and key not in taken:
            taken.add(key)
            found.append(at)
    return found[:MAX_OPTIONS] if len(found) > 1 else []


def _key(report: Report) -> object:
    action = report.action
    return KIND_OF[action.tile] if isinstance(action, Discard) else (action, report.discard)
