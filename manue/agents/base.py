"""What an agent is, and what it reports about the options it evaluated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from manue.decision.report import Report, Worth
from manue.game.actions import Action
from manue.game.state import RoundState
from manue.models.fold import Fold
from manue.tiles import Tile


@dataclass(frozen=True, slots=True)
class Decision:
    """A chosen action with the reports of all options, and how they were obtained.

    Parameters
    ----------
    action : Action
        One of the legal actions that the agent was given.
    reports : tuple of Report
        Every option, best first; empty of an agent that reports none.
    tenpai_probs : tuple of (float or None)
        P(tenpai) by absolute seat, ``None`` for this one.
    mc_draws, seed : int
        Number of Monte Carlo draws, and their seed.
    elapsed_ms : float
        How long the decision took, in milliseconds.
    fold : Fold, optional
        What folding from here on costs: P(dealing in) and points.
    note : str
        How it came about, in words; empty if there is nothing to say.
    dangers : tuple of mapping of str to float
        By absolute seat: for each kind worth mention, P(the seat wins if it is discarded).
    worths : tuple of (Worth or None)
        For each report, in the same order: what decided between the options; ``None`` where nothing did.
    """

    action: Action
    reports: tuple[Report, ...] = ()
    tenpai_probs: tuple[float | None, ...] = ()
    mc_draws: int = 0
    seed: int = 0
    elapsed_ms: float = 0.0
    fold: Fold | None = None
    note: str = ""
    dangers: tuple[Mapping[Tile, float], ...] = ()
    worths: tuple[Worth | None, ...] = ()

    @property
    def label(self) -> str:
        """The choice in short, with the discard planned after a riichi or a call: ``riichi 3m``."""
        report = self.chosen_report
        return self.action.label if report is None else report.label

    @property
    def chosen_report(self) -> Report | None:
        """The first report on the action; ``None`` if there is none."""
        return next((report for report in self.reports if report.action == self.action), None)


class Decider(Protocol):
    """What the library takes as an agent: without a ``name`` it gets that of its class."""

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Choose one of the legal actions; there is at least one."""
        ...


class Agent(Decider, Protocol):
    """The mind of a player: a pure function of the state it is shown."""

    name: str


@runtime_checkable
class TimedAgent(Agent, Protocol):
    """An agent that can adapt its work to the time available, say by fewer Monte Carlo draws."""

    def decide_within(self, state: RoundState, actions: tuple[Action, ...], seconds: float) -> Decision:
        """Choose one of the legal actions within about ``seconds``."""
        ...
