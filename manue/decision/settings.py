"""Everything that distinguishes one version of the player from another."""

import zlib
from dataclasses import dataclass

import numpy as np

from manue.arrays import F64
from manue.decision.point_worth import MIN_WORTH
from manue.decision.values import POLICIES
from manue.errors import UsageError
from manue.game.actions import Action, Call, NineTerminals
from manue.game.events import RiichiDeclared
from manue.game.state import RoundState
from manue.models.placement import UMA


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that distinguishes one version of the player from another.

    Parameters
    ----------
    policy : {"points-classic", "points", "placement"}
    mc_draws : int
        Monte Carlo draws per decision, 1..1000000.
    seed : int
        Seeds the draws together with the position, so the same position gives the same numbers.
    extra : int
        Exchanges allowed beyond the fewest that reach a target hand, 0..3.
    uma : str
        Ranking points of the placement policy (``manue.models.placement.UMA``).
    discard_policy, call_policy : int
        Points by which the human policy breaks ties (``manue.decision.tie_break``) between discards, and over
        declarations (riichi, calls, kans), 0..10000; not used by the classic policy.
    call_thresholds : bool
        Measure the log-odds of a declaration from its decision threshold, else from even odds.
    models : str
        Folder of the models; default "": the folder ``$MANUE_MODELS``, else that of the package.
    kans, nine_terminals : bool
        Evaluate kans and the abortive draw; if false, they are never declared.
    decline_wins : bool
        Under ``placement``, do not take a win where something else is worth 1000 points more; if false, only
        where it would end the game in last place.
    details : bool
        Report what is behind the numbers of the best options (``manue.decision.details``). This takes longer
        but does not change the choice.

    Raises
    ------
    UsageError
        If a value is out of range.
    """

    policy: str = "placement"
    mc_draws: int = 1000
    seed: int = 0
    extra: int = 1
    uma: str = "tenhou"
    discard_policy: int = 400
    call_policy: int = 500
    call_thresholds: bool = True
    kans: bool = True
    nine_terminals: bool = True
    decline_wins: bool = True
    details: bool = False
    models: str = ""

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise UsageError(f"unknown policy {self.policy!r}; known: {', '.join(POLICIES)}")
        if self.uma not in UMA:
            raise UsageError(f"unknown uma {self.uma!r}; known: {', '.join(UMA)}")
        if not 1 <= self.mc_draws <= 1_000_000:
            raise UsageError(f"mc_draws must be 1..1000000, not {self.mc_draws}")
        if not 0 <= self.extra <= 3:
            raise UsageError(f"extra must be 0..3, not {self.extra}")
        for name in ("discard_policy", "call_policy"):
            if not 0 <= getattr(self, name) <= 10_000:
                raise UsageError(f"{name} must be 0..10000, not {getattr(self, name)}")

    @property
    def ranking(self) -> F64 | None:
        """Ranking points by place, float64[4], where they are what counts; ``None`` where points are."""
        return np.array(UMA[self.uma]) if self.policy == "placement" else None

    @property
    def least_worth(self) -> float:
        """The least that a point is worth under the policy (``manue.decision.point_worth``)."""
        ranking = self.ranking
        return 1.0 if ranking is None else MIN_WORTH * float(ranking[0] - ranking[3])

    def considers(self, action: Action) -> bool:
        """Return whether an action is valued at all."""
        match action:
            case Call(kind="ankan" | "kakan" | "daiminkan"):
                return self.kans
            case NineTerminals():
                return self.nine_terminals
        return True


DEFAULT = Settings()
"""The current player."""
FIRST = Settings(policy="points-classic")
"""The player of its first hanchan: the baseline for everything since."""


def position_seed(state: RoundState, seed: int) -> int:
    """Derive the seed of a decision from the position; the discard of a riichi uses the riichi's seed."""
    events = state.event_count - isinstance(state.last_event, RiichiDeclared)
    position = (seed, state.seat, state.round_wind, state.number, state.honba, events, *state.scores)
    return zlib.crc32(repr(position).encode())
