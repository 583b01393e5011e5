"""Manue: chooses the option with the best expected value and reports every number behind the choice."""

import time
from collections.abc import Sequence
from dataclasses import replace

from manue.agents.base import Decision
from manue.decision.details import notable_dangers, with_details
from manue.decision.evaluation import evaluate_options
from manue.decision.report import Report, Worth
from manue.decision.settings import DEFAULT, Settings, position_seed
from manue.decision.tie_break import worths_in_points
from manue.decision.values import ValuedOption, value_of_win
from manue.game.actions import Action, Discard, win_among
from manue.game.state import RoundState
from manue.models.model_set import Models
from manue.tiles import is_red

FULL_SECONDS = 0.25
"""Time for a decision from which on nothing is cut: several times what the slowest positions take."""
MIN_DRAWS = 100
"""Fewest Monte Carlo draws when time is short."""

LAST = 4.0 - 1e-9
"""With an expected place beyond this the last place is certain."""
SEALS_LAST = "the win would seal the last place"
WORTH_MORE = "it is worth more than the win"
"""Notes of what is done instead of a win."""
WIN_MARGIN = 1000.0
"""Points by which something else must be worth more than a win to be preferred (docs/results.md)."""


class Manue:
    """The player.

    Parameters
    ----------
    settings : Settings
    name : str
    models : Models, optional
        Default the models of ``settings.models``.

    Raises
    ------
    ModelError
        If a model is missing or damaged.
    """

    def __init__(
        self, settings: Settings = DEFAULT, name: str = "manue", models: Models | None = None
    ) -> None:
        self.settings = settings
        self.name = name
        self.models = Models.load(settings.models or None) if models is None else models

    def explaining(self) -> "Manue":
        """Return the same player with details in its reports."""
        return Manue(replace(self.settings, details=True), self.name, self.models)

    def decide(self, state: RoundState, actions: tuple[Action, ...]) -> Decision:
        """Value all legal actions and choose the best; take a win unless something else is worth far more."""
        return self._decide(state, actions, self.settings)

    def decide_within(self, state: RoundState, actions: tuple[Action, ...], seconds: float) -> Decision:
        """Decide with as many Monte Carlo draws as time allows: all of them given `FULL_SECONDS`.

        With fewer, no exchanges beyond the fewest are considered either.
        """
        share = min(max(seconds, 0.0) / FULL_SECONDS, 1.0)
        if share == 1.0:
            return self.decide(state, actions)
        mc_draws = max(int(self.settings.mc_draws * share), min(self.settings.mc_draws, MIN_DRAWS))
        return self._decide(state, actions, replace(self.settings, mc_draws=mc_draws, extra=0))

    def _decide(self, state: RoundState, actions: tuple[Action, ...], settings: Settings) -> Decision:
        started = time.perf_counter()
        seed = position_seed(state, settings.seed)
        found = evaluate_options(state, actions, seed, settings, self.models)
        ranked = sorted(found.valued, key=_rank, reverse=True)
        reports = tuple(option.report for option in ranked)
        if settings.details:
            reports = with_details(found.bases, ranked, self.models.dangers)
        worths = worths_in_points(ranked, settings.least_worth)
        fold = None if state.me.riichi else self.models.fold.cost(found.scene, found.danger, state.seat)
        if (win := win_among(actions)) is not None:
            taken = value_of_win(state, win, self.models.placement, settings.ranking)
            report = Report(win, win_prob=1.0, shanten=-1) if taken is None else taken.report
            worths = () if taken is None else worths_in_points([*ranked, taken], settings.least_worth)
            reports, worths = _with_win(reports, report, worths, settings)
        return Decision(
            reports[0].action,
            reports,
            tenpai_probs=found.danger.tenpai_of_opponents(state.seat),
            mc_draws=settings.mc_draws,
            seed=seed,
            elapsed_ms=(time.perf_counter() - started) * 1000.0,
            fold=fold,
            worths=worths,
            dangers=notable_dangers(state, found.danger) if settings.details else (),
        )


def _with_win(
    reports: tuple[Report, ...], win: Report, worths: tuple[Worth, ...], settings: Settings
) -> tuple[tuple[Report, ...], tuple[Worth, ...]]:
    """Put a win, whose worth is the last, first among the options, or last if the first one is preferred."""
    if reports and (reason := _reason_to_decline(win, worths, settings)):
        return (replace(reports[0], note=reason), *reports[1:], win), worths
    return (replace(win, note="a win is taken"), *reports), (*worths[-1:], *worths[:-1])


def _reason_to_decline(win: Report, worths: Sequence[Worth], settings: Settings) -> str:
    """Return why the first option is preferred to a win, whose worth is the last; "" if it is not."""
    if settings.policy != "placement":
        return ""
    if win.expected_rank is not None and win.expected_rank > LAST:
        return SEALS_LAST
    if settings.decline_wins and worths:
        best, taken = worths[0], worths[-1]
        if best.value - best.habit - taken.value >= WIN_MARGIN:
            return WORTH_MORE
    return ""


def _rank(valued: ValuedOption) -> tuple[float, bool, float]:
    """Sort key: the value, then keeping red fives, then the safer tile."""
    report = valued.report
    discard = report.action if isinstance(report.action, Discard) else report.discard
    red = discard is not None and is_red(discard.tile)
    safety = -(report.deal_in_prob or 0.0)
    return round(valued.value, 6), not red, safety
