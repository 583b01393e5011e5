"""Everything that makes one version of the player differ from another."""

import zlib
from dataclasses import dataclass

from manue.decision.values import POLICIES
from manue.errors import UsageError
from manue.game.actions import Action, Call, NineTerminals
from manue.game.events import RiichiDeclared
from manue.game.state import RoundState
from manue.models.placement import UMA


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that makes one version of the player differ from another.

    Parameters
    ----------
    policy : {"points-classic", "points", "placement"}
    mc_draws : int
    seed : int
        Together with the position it seeds the draws: the same position gives the same numbers.
    extra : int
        Exchanges beyond the fewest that a target hand may need.
    uma : str
        Ranking points of the placement policy (``manue.models.placement.UMA``).
    discard_policy, call_policy : int
        Points by which the human policy breaks ties (``manue.decision.tie_break``) between discards, and on
        declarations (riichi, calls, kans); the classic policy has none.
    call_thresholds : bool
        Count the odds of a declaration from its decision threshold, else from even odds.
    models : str
        Folder of the models; default "": those of ``$MANUE_MODELS`` or of the package.
    kans, nine_terminals : bool
        Weigh kans and the abortive draw; else they are never declared.
    details : bool
        Tell what stands behind the numbers of the best options (``manue.decision.details``). The choice is the
        same; it only takes longer.

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
    details: bool = False
    models: str = ""

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise UsageError(f"unknown policy {self.policy!r}; known: {', '.join(POLICIES)}")
        if self.uma not in UMA:
            raise UsageError(f"unknown uma {self.uma!r}; known: {', '.join(UMA)}")
        if not 1 <= self.mc_draws <= 1_000_000:
            raise UsageError(f"trials must be 1..1000000, not {self.mc_draws}")
        if not 0 <= self.extra <= 3:
            raise UsageError(f"extra must be 0..3, not {self.extra}")
        for name in ("discard_policy", "call_policy"):
            if not 0 <= getattr(self, name) <= 10_000:
                raise UsageError(f"{name} must be 0..10000, not {getattr(self, name)}")

    def considers(self, action: Action) -> bool:
        """Return whether an action is valued at all."""
        match action:
            case Call(kind="ankan" | "kakan" | "daiminkan"):
                return self.kans
            case NineTerminals():
                return self.nine_terminals
        return True


DEFAULT = Settings()
"""The player as it is."""
FIRST = Settings(policy="points-classic")
"""The player as it was when it played its first hanchan: the yardstick of everything since."""


def position_seed(state: RoundState, seed: int) -> int:
    """Derive the seed of a decision from the position; the discard after a riichi has that of the riichi."""
    events = state.event_count - isinstance(state.last_event, RiichiDeclared)
    position = (seed, state.seat, state.round_wind, state.number, state.honba, events, *state.scores)
    return zlib.crc32(repr(position).encode())
