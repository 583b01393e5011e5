"""One decision, from the state to a value for every option, in this order.

state -> options -> basis -> features -> model outputs -> outcomes -> values -> human policy -> ties broken

The table as it is comes before the options, which read its scene; the tables after each call follow them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from manue.decision.afterstates import afterstates_of, discards_by_hand
from manue.decision.basis import Bases, Basis, bases_of, basis_of, unless_won
from manue.decision.declarations import with_call_policy
from manue.decision.human_policy import discard_shares, log_preferences
from manue.decision.options import DrawSettings, Option, options_of
from manue.decision.outcomes import outcomes_of
from manue.decision.settings import Settings
from manue.decision.tie_break import break_ties
from manue.decision.values import ValuedOption, classic_values, value_of_abort, values_over_outcomes
from manue.draws.win import WinStatistics
from manue.features.scene import Scenes
from manue.game.actions import Action, NineTerminals
from manue.game.state import RoundState
from manue.models.danger import Danger
from manue.models.model_set import Models


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A decision with the value of every option.

    Parameters
    ----------
    bases : Bases
        The tables on which they are valued.
    options : list of Option
        First the discards, each riichi after the silent discard of the same tile; then calls, kans and a pass
        in the order of the legal actions.
    valued : list of ValuedOption
        The same options with their values, nine terminals last.
    """

    bases: Bases
    options: list[Option]
    valued: list[ValuedOption]

    @property
    def scene(self) -> Scenes:
        """What the seat sees before it acts: SCENE[1]."""
        return self.bases.now.scene

    @property
    def danger(self) -> Danger:
        """What the opponents threaten before it acts."""
        return self.bases.now.danger


def evaluate_options(
    state: RoundState, actions: tuple[Action, ...], seed: int, settings: Settings, models: Models
) -> Evaluation:
    """Value every option, with ties broken by the human policy if the settings ask for it.

    Parameters
    ----------
    state : RoundState
    actions : tuple of Action
        The legal actions in that state, or some of them; a win is not an option.
    seed : int
        Seed of the Monte Carlo draws.
    settings : Settings
    models : Models
    """
    found = expected_values(state, actions, seed, settings, models)
    if settings.policy == "points-classic":
        return found
    called = with_call_policy(
        found.scene, found.valued, models.call_policy, thresholds=settings.call_thresholds
    )
    valued = break_ties(called, settings.discard_policy, settings.call_policy, settings.least_worth)
    return Evaluation(found.bases, found.options, valued)


def expected_values(
    state: RoundState, actions: tuple[Action, ...], seed: int, settings: Settings, models: Models
) -> Evaluation:
    """Value every option by its expected value alone; parameters as in `evaluate_options`."""
    classic = settings.policy == "points-classic"
    allowed = tuple(action for action in actions if settings.considers(action))
    win_statistics = WinStatistics() if classic else models.afterstate.win_statistics
    draws = DrawSettings(
        seed,
        settings.mc_draws,
        settings.extra,
        win_statistics,
        locked=not classic,
        keep_targets=settings.details,
    )
    now = basis_of(state if classic else unless_won(state), models.dangers)
    options = list(options_of(now.state, now.scene, allowed, draws))
    if classic:
        return Evaluation(Bases(now, {}), options, classic_values(now, options) if options else [])
    bases = bases_of(now, options, models.dangers)
    valued = [
        one for basis, part in bases.parts(options) for one in _values_on(basis, part, settings, models)
    ]
    valued += [
        value_of_abort(state, action, models.placement, settings.ranking)
        for action in allowed
        if isinstance(action, NineTerminals)
    ]
    return Evaluation(bases, options, valued)


def _values_on(
    basis: Basis, options: Sequence[Option], settings: Settings, models: Models
) -> list[ValuedOption]:
    state, scene, danger = basis
    discard_rates = models.afterstate.win_statistics.discard_rates
    afterstates = afterstates_of(scene, options, danger, state.seat, discard_rates)
    shares = discard_shares(discards_by_hand(scene, options, afterstates, danger), models.discard_policy)
    preference = log_preferences(shares, len(options))
    prospects = models.afterstate.prospects(afterstates.rows, afterstates.groups, afterstates.kan, preference)
    outcomes = outcomes_of(basis, options, afterstates.kan, prospects, models)
    return values_over_outcomes(basis, options, afterstates.rows, shares, outcomes, settings.ranking)
