"""From model outputs to outcomes: how likely each ending is after each option, and what it pays."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from manue.arrays import F64
from manue.decision.endings import (
    POINT_ATOMS,
    OutcomeProbabilities,
    endings_after,
    endings_of_deal_in,
)
from manue.decision.options import Option
from manue.decision.payoffs import Payoffs, ScoreSituation, payoffs_of
from manue.game.actions import Call
from manue.game.state import RoundState
from manue.models.afterstate import Prospects
from manue.models.danger import Danger
from manue.models.model_set import Models
from manue.models.opponents import OpponentsModel
from manue.models.placement import RoundPosition
from manue.tiles import WINDS, Kind, Seat


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the round may end after each option of a decision, and what each ending pays.

    Parameters
    ----------
    now : float64[n, 84]
        P(ending) by dealing in with the discard itself.
    after : float64[n, 84]
        P(ending) once the discard has passed; rows sum to 1.
    later : float64[n, 84]
        ``after`` times P(the discard passes); rows of ``now + later`` sum to 1.
    payoffs : Payoffs
        What each ending is worth.
    payoffs_with_stick : Payoffs
        The same for an option that pays for riichi.
    """

    now: F64
    after: F64
    later: F64
    payoffs: Payoffs
    payoffs_with_stick: Payoffs


def outcomes_of(
    state: RoundState, options: Sequence[Option], danger: Danger, prospects: Prospects, models: Models
) -> Outcomes:
    """Return the outcomes of the options.

    Parameters
    ----------
    state : RoundState
    options : sequence of Option
    danger : Danger
    prospects : Prospects
        What the hands left lead to.
    models : Models
    """
    order = [(state.seat + i) % 4 for i in (1, 2, 3)]
    sizes = _sizes_of_wins(state, danger, order, models.dangers.opponents)
    situation = ScoreSituation(state.seat, tuple(state.scores), position_of(state), sizes)
    payoffs = payoffs_of(situation, models.placement, state.rules)
    with_stick = payoffs
    if any(option.pays_stick for option in options):
        with_stick = payoffs_of(replace(situation, pays_stick=True), models.placement, state.rules)
    now = _endings_now(options, danger, order, sizes)
    after = _endings_after(state, options, danger, order, prospects, models)
    later = (1.0 - now.sum(axis=1, keepdims=True)) * after
    return Outcomes(now, after, later, payoffs, with_stick)


def _endings_now(options: Sequence[Option], danger: Danger, order: list[Seat], sizes: F64) -> F64:
    """Return P(ending) by dealing in with the discard itself: float64[n, 84]."""
    thrown = [
        (i, kind) for i, option in enumerate(options) if (kind := kind_at_risk(option, danger)) is not None
    ]
    probs, losses = np.zeros((len(options), 3)), np.zeros((len(options), 3))
    rows, kinds = [i for i, _ in thrown], [kind for _, kind in thrown]
    probs[rows] = danger.prob[order][:, kinds].T
    losses[rows] = danger.loss[order][:, kinds].T
    return endings_of_deal_in(probs, losses, sizes)


def _endings_after(
    state: RoundState,
    options: Sequence[Option],
    danger: Danger,
    order: list[Seat],
    prospects: Prospects,
    models: Models,
) -> F64:
    """Return P(ending) once the discard has passed: float64[n, 84]."""
    model = models.afterstate
    in_riichi = np.array([state.players[seat].riichi for seat in order], np.float64)
    dealer = np.array([seat == state.dealer for seat in order], np.float64)
    riichi = np.array([option.riichi for option in options], np.bool_)
    return endings_after(
        OutcomeProbabilities(
            prospects.win,
            prospects.deal_in_later,
            prospects.draw,
            prospects.win_points,
            np.array(model.win_statistics.tsumo_share)[riichi.astype(np.intp)],
            np.where(riichi, 1.0, prospects.tenpai_at_draw),
            model.threats(danger.can_win[order], in_riichi, dealer),
            model.other_tsumo_share,
            model.opponents_tenpai_at_draw(danger.tenpai[order], state.tiles_left),
        )
    )


def _sizes_of_wins(state: RoundState, danger: Danger, order: list[Seat], model: OpponentsModel) -> F64:
    """Return three sizes of each opponent's win, around the mean loss over the kinds it may win on."""
    sizes = []
    for seat in order:
        weights, losses = danger.prob[seat], danger.loss[seat]
        total = float(weights.sum())
        mean = float(weights @ losses) / total if total > 0 else float(losses.max(initial=1000.0))
        found = model.loss_sizes(max(mean, 1000.0), riichi=state.players[seat].riichi)
        sizes.append(np.asarray(found, np.float64)[:POINT_ATOMS])
    return np.stack(sizes)


def kind_at_risk(option: Option, danger: Danger) -> Kind | None:
    """Return the kind that the option risks: a kan only postpones a discard, at best of the safest kind."""
    if isinstance(option.branch.action, Call) and option.discard is None:
        return min((int(kind) for kind in np.flatnonzero(option.view.counts)), key=danger.deal_in)
    return option.kind


def position_of(state: RoundState) -> RoundPosition:
    """Return the position of the round in the game."""
    index = WINDS.index(state.round_wind) * 4 + state.number - 1
    return RoundPosition(index, state.dealer, state.honba, state.deposits, state.rules.last_round)
