"""Manue: weighs every option by one expected value and takes the best, with all numbers told.

Own wins come from Monte Carlo draws (``manue.draws.win``), deal-ins from the danger model
(``manue.models.danger``); ``manue.decision.values`` tells what an option is worth under each policy.
"""

import time
import zlib
from dataclasses import dataclass, replace

from manue.agents.base import Decision, Report
from manue.decision.calls import with_call_policy
from manue.decision.details import with_details
from manue.decision.options import DrawSettings, Option, options_of
from manue.decision.tie_break import break_ties
from manue.decision.values import POLICIES, ValuedOption, abort_value, classic_values, full_values, win_report
from manue.draws.win import WinStatistics
from manue.errors import UsageError
from manue.features.scene import Scenes, scene_of
from manue.game.actions import Action, Call, Discard, NineTerminals, Win
from manue.game.events import RiichiDeclared
from manue.game.state import RoundState
from manue.models.afterstate import afterstate_model
from manue.models.danger import Danger, dangers_of
from manue.models.fold import fold_cost
from manue.models.placement import UMA
from manue.tiles import is_red


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
        Points that settle close calls (``manue.decision.tie_break``) between discards, and whether to take an
        offer; the classic policy knows none.
    call_thresholds : bool
        Count the odds of an offer from the level of its sort, else from even.
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

    def weighs(self, action: Action) -> bool:
        """Tell whether an action is weighed at all."""
        match action:
            case Call(kind="ankan" | "kakan" | "daiminkan"):
                return self.kans
            case NineTerminals():
                return self.nine_terminals
        return True


FULL_SECONDS = 0.25
"""With this long for a decision nothing is cut: several times what the slowest positions take."""
FEWEST_DRAWS = 100

LAST = 4.0 - 1e-9
"""An expected place beyond this is certain."""

FIRST = Settings(policy="points-classic")
"""The player as it was when it played its first hanchan: the yardstick of everything since."""


class Manue:
    """The player."""

    def __init__(self, settings: Settings = Settings(), name: str = "manue") -> None:
        self.settings = settings
        self.name = name

    def explaining(self) -> "Manue":
        """Return the same player, which also tells the details of its decisions."""
        return Manue(replace(self.settings, details=True), self.name)

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Weigh all legal actions and take the best; a win is taken unless it seals the last place."""
        return self._decide(state, actions, self.settings)

    def decide_within(self, state: RoundState, actions: tuple[Action, ...], seconds: float) -> Decision:
        """Decide with as many Monte Carlo draws as fit: all of them in `FULL_SECONDS`, fewer in less."""
        share = min(max(seconds, 0.0) / FULL_SECONDS, 1.0)
        if share == 1.0:
            return self.decide(state, actions)
        mc_draws = max(int(self.settings.mc_draws * share), min(self.settings.mc_draws, FEWEST_DRAWS))
        return self._decide(state, actions, replace(self.settings, mc_draws=mc_draws, extra=0))

    def _decide(self, state: RoundState, actions: tuple[Action, ...], settings: Settings) -> Decision:
        started = time.perf_counter()
        seed = position_seed(state, settings.seed)
        scene = scene_of(state)
        danger, _, valued = weigh(state, scene, actions, seed, settings)
        valued.sort(key=_rank, reverse=True)
        reports = tuple(one.report for one in valued)
        if settings.details:
            reports = with_details(state, scene, danger, valued)
        win = next((action for action in actions if isinstance(action, Win)), None)
        if win is not None:
            reports = _with_win(reports, win_report(state, win), settings)
        return Decision(
            reports[0].action,
            reports,
            tuple(None if seat == state.seat else float(danger.tenpai[seat]) for seat in range(4)),
            settings.mc_draws,
            seed,
            (time.perf_counter() - started) * 1000.0,
            fold_cost(state, scene, danger),
        )


def weigh(
    state: RoundState, scene: Scenes, actions: tuple[Action, ...], seed: int, settings: Settings
) -> tuple[Danger, list[Option], list[ValuedOption]]:
    """Return the dangers, the options and their values in the same order, nine terminals last."""
    danger, options, valued = rate(state, scene, actions, seed, settings)
    if settings.policy == "points-classic":
        return danger, options, valued
    call_log_odds = with_call_policy(scene, valued, thresholds=settings.call_thresholds)
    return danger, options, break_ties(call_log_odds, settings.discard_policy, settings.call_policy)


def rate(
    state: RoundState, scene: Scenes, actions: tuple[Action, ...], seed: int, settings: Settings
) -> tuple[Danger, list[Option], list[ValuedOption]]:
    """Do the same by the expected values alone, before practice settles close calls."""
    classic = settings.policy == "points-classic"
    actions = tuple(action for action in actions if settings.weighs(action))
    danger = dangers_of(scene, state.seat)
    win_statistics = WinStatistics() if classic else afterstate_model().win_statistics
    mc_draws = DrawSettings(
        seed,
        settings.mc_draws,
        settings.extra,
        win_statistics,
        locked=not classic,
        keep_targets=settings.details,
    )
    options = list(options_of(state, scene, actions, mc_draws))
    if classic:
        return danger, options, classic_values(state, options, danger)
    valued = full_values(state, scene, options, danger, settings.policy, settings.uma)
    for action in actions:
        if isinstance(action, NineTerminals):
            valued.append(abort_value(state, action, settings.policy, settings.uma))
    return danger, options, valued


def _with_win(reports: tuple[Report, ...], win: Report, settings: Settings) -> tuple[Report, ...]:
    """Put a win first, or last if it ends the game in the last place: nothing else can be worse."""
    if settings.policy == "placement" and win.expected_rank is not None and win.expected_rank > LAST:
        best = replace(reports[0], note="the win would seal the last place")
        return (best, *reports[1:], win)
    return (replace(win, note="a win is taken"), *reports)


def position_seed(state: RoundState, seed: int) -> int:
    """Derive the seed of a decision from the position; the discard after a riichi has that of the riichi."""
    events = state.event_count - isinstance(state.last_event, RiichiDeclared)
    position = (seed, state.seat, state.round_wind, state.number, state.honba, events, *state.scores)
    return zlib.crc32(repr(position).encode())


def _rank(valued: ValuedOption) -> tuple[float, bool, float]:
    """Sort key: the value, then red fives kept, then the safer tile."""
    report = valued.report
    discard = report.action if isinstance(report.action, Discard) else report.discard
    red = discard is not None and is_red(discard.tile)
    safety = -(report.deal_in_prob or 0.0)
    return round(valued.value, 6), not red, safety
