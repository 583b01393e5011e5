"""What an agent is, and what it says about every option it weighed."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from manue.game.actions import Action, Discard
from manue.game.state import RoundState


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers behind one option; ``None`` where an agent does not estimate them.

    Probabilities are 0..1, points are real points. ``expected_points`` is what the option is chosen by under
    the points policies, ``expected_rank`` the mean final placement 1..4.
    """

    action: Action
    discard: Discard | None = None  # the discard planned after a riichi or a call
    expected_points: float | None = None
    expected_rank: float | None = None
    win_prob: float | None = None
    win_points: float | None = None
    deal_in_prob: float | None = None
    deal_in_points: float | None = None
    draw_prob: float | None = None
    draw_points: float | None = None
    others_win_prob: float | None = None
    shanten: int | None = None
    ukeire_kinds: int | None = None
    ukeire_count: int | None = None
    win_prob_error: float | None = None  # one standard error of the trials
    win_points_error: float | None = None
    note: str = ""  # which rule decided, where an agent decides by rules


@dataclass(frozen=True, slots=True)
class Decision:
    """A chosen action with the reports of all options, best first, and how they were made."""

    action: Action
    reports: tuple[Report, ...] = ()
    tenpai_probs: tuple[float | None, ...] = ()  # by absolute seat, None for the own
    trials: int = 0
    seed: int = 0
    elapsed_ms: float = 0.0


class Agent(Protocol):
    """A player's mind: a pure function of the state it is shown."""

    name: str

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Choose one of the legal actions (never empty)."""
        ...


@runtime_checkable
class TimedAgent(Agent, Protocol):
    """An agent that can fit its work into the time there is, as by fewer trials."""

    def decide_within(self, state: RoundState, actions: tuple[Action, ...], seconds: float) -> Decision:
        """Choose one of the legal actions within about so many seconds."""
        ...
