"""From model outputs to outcomes: how likely each ending is after each option, and what it pays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from manue.arrays import F64, I64, Bool
from manue.decision.basis import Basis
from manue.decision.endings import OutcomeProbabilities, endings_after, endings_of_deal_in
from manue.decision.options import Option
from manue.decision.own_wins import ways_of_wins
from manue.decision.payoffs import Payoffs, ScoreSituation, payoffs_of
from manue.game.abortive_draws import aborting_kinds
from manue.game.actions import Call
from manue.game.state import RoundState
from manue.hand.points import LEAST_WIN
from manue.models.afterstate import AT_FACTS, Prospects
from manue.models.danger import Danger
from manue.models.model_set import Models
from manue.models.placement import RoundPosition
from manue.tiles import KIND_OF, Kind, Seat, opponents_of, round_index


class PayoffsByStick(NamedTuple):
    """What each ending is worth, and the same for a seat that pays for riichi."""

    plain: Payoffs
    with_stick: Payoffs


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the round may end after each option of a decision, and what each ending pays.

    Parameters
    ----------
    prospects : Prospects
        What the hands left lead to.
    now : float64[n, 85]
        P(ending) by dealing in with the discard itself.
    after : float64[n, 85]
        P(ending) once the discard has passed; rows sum to 1.
    later : float64[n, 85]
        ``after`` times P(the discard passes); rows of ``now + later`` sum to 1.
    payoffs : PayoffsByStick
        What each ending is worth.
    payoffs_after_kan : PayoffsByStick
        The same after a kan, whose new dora makes opponents' wins larger.
    kan : bool[n]
        Whether the option declares a kan.
    stick : float64[n]
        P(this seat pays for riichi from now on), given that it does not win; 1 if the option declares it.
    """

    prospects: Prospects
    now: F64
    after: F64
    later: F64
    payoffs: PayoffsByStick
    payoffs_after_kan: PayoffsByStick
    kan: Bool
    stick: F64

    def by_payoffs(self) -> Iterator[tuple[PayoffsByStick, I64]]:
        """Yield what each ending is worth, with the indices of the options for which it is."""
        for payoffs, members in ((self.payoffs, ~self.kan), (self.payoffs_after_kan, self.kan)):
            if members.any():
                yield payoffs, np.flatnonzero(members)


def outcomes_of(
    basis: Basis, options: Sequence[Option], kan: Bool, prospects: Prospects, models: Models
) -> Outcomes:
    """Return the outcomes of the options.

    Parameters
    ----------
    basis : Basis
        What the options are valued on.
    options : sequence of Option
    kan : bool[n]
        Whether the option declares a kan.
    prospects : Prospects
        What the hands left lead to unless the round is aborted.
    models : Models
    """
    state, _, danger = basis
    aborted = _aborted_after(state, options)
    prospects = prospects.aborted(aborted)
    facts = opponent_facts(state, danger)
    sizes = _sizes_of_wins(facts, models)
    stick = np.where([option.pays_stick for option in options], 1.0, prospects.stick)
    if state.scores[state.seat] < state.rules.riichi_needs_points:
        stick[:] = 0.0
    payoffs = _payoffs(state, sizes, models, with_stick=bool(stick.any()))
    after_kan = payoffs
    if kan.any():
        grown = sizes * models.afterstate.growth_by_kan.others
        after_kan = _payoffs(state, grown, models, with_stick=bool(stick[kan].any()))
    now = _endings_now(options, danger, opponents_of(state.seat), sizes[0])
    after = _endings_after(state, options, aborted, facts, prospects, models)
    later = (1.0 - now.sum(axis=1, keepdims=True)) * after
    return Outcomes(prospects, now, after, later, payoffs, after_kan, kan, stick)


def _payoffs(state: RoundState, sizes: F64, models: Models, *, with_stick: bool) -> PayoffsByStick:
    """Return what each ending is worth, if opponents' wins are of these sizes: float64[2, 3, 3]."""
    situation = ScoreSituation(state.seat, tuple(state.scores), position_of(state), sizes)
    plain = payoffs_of(situation, models.placement, state.rules)
    if not with_stick:
        return PayoffsByStick(plain, plain)
    paying = replace(situation, pays_stick=True)
    return PayoffsByStick(plain, payoffs_of(paying, models.placement, state.rules))


def _endings_now(options: Sequence[Option], danger: Danger, opponents: list[Seat], sizes: F64) -> F64:
    """Return P(ending) by dealing in with the discard itself: float64[n, 85]."""
    thrown = [
        (i, kind) for i, option in enumerate(options) if (kind := kind_at_risk(option, danger)) is not None
    ]
    probs, losses = np.zeros((len(options), 3)), np.zeros((len(options), 3))
    rows, kinds = [i for i, _ in thrown], [kind for _, kind in thrown]
    probs[rows] = danger.prob[opponents][:, kinds].T
    losses[rows] = danger.loss[opponents][:, kinds].T
    return endings_of_deal_in(probs, losses, sizes)


def _endings_after(
    state: RoundState,
    options: Sequence[Option],
    aborted: Bool,
    facts: F64,
    prospects: Prospects,
    models: Models,
) -> F64:
    """Return P(ending) once the discard has passed: float64[n, 85]."""
    model = models.afterstate
    riichi = np.array([option.riichi for option in options], np.bool_)
    tsumo_share = np.array(model.win_statistics.tsumo_share)[riichi.astype(np.intp)]
    drawn = np.stack([option.ways for option in options])
    dealer = state.seat == state.dealer
    in_riichi = riichi + facts[:, AT_FACTS.riichi].sum()
    return endings_after(
        OutcomeProbabilities(
            prospects.win,
            prospects.deal_in_later,
            prospects.draw,
            ways_of_wins(drawn, prospects.win_points, tsumo_share, dealer=dealer),
            np.where(riichi, 1.0, prospects.tenpai_at_draw),
            model.threats(facts[:, AT_FACTS.can_win], facts[:, AT_FACTS.riichi], facts[:, AT_FACTS.dealer]),
            model.other_tsumo_share,
            model.opponents_tenpai_at_draw(facts, in_riichi),
            aborted,
        )
    )


def _sizes_of_wins(facts: F64, models: Models) -> F64:
    """Return three sizes of each opponent's win off a discard, and by self-draw: float64[2, 3, 3]."""
    loss_sizes = models.dangers.opponents.loss_sizes
    riichi, means = facts[:, AT_FACTS.riichi] > 0, facts[:, AT_FACTS.size]
    now = np.stack(
        [
            loss_sizes(mean, riichi=declared)
            for mean, declared in zip(means.tolist(), riichi.tolist(), strict=True)
        ]
    )
    return np.asarray(models.afterstate.growths(facts)[:, :, None] * now, np.float64)


def _mean_wins(danger: Danger, opponents: Sequence[Seat]) -> F64:
    """Return the mean points of a deal-in now to each opponent, over the kinds it may win on: float64[3]."""
    means = []
    for seat in opponents:
        weights, losses = danger.prob[seat], danger.loss[seat]
        total = float(weights.sum())
        mean = float(weights @ losses) / total if total > 0 else float(losses.max(initial=LEAST_WIN))
        means.append(max(mean, LEAST_WIN))
    return np.array(means)


def opponent_facts(state: RoundState, danger: Danger) -> F64:
    """Return what is known of each opponent, in turn order: float64[3, len(OPPONENT_FACTS)]."""
    seats = opponents_of(state.seat)
    return np.stack(
        [
            danger.tenpai[seats],
            danger.can_win[seats],
            np.array([state.players[seat].riichi for seat in seats], np.float64),
            np.array([seat == state.dealer for seat in seats], np.float64),
            _mean_wins(danger, seats),
            np.full(3, float(state.tiles_left)),
        ],
        axis=1,
    )


def kind_at_risk(option: Option, danger: Danger) -> Kind | None:
    """Return the kind that the option risks.

    A kan only postpones a discard, at best of the safest kind; but an added one may itself be robbed.
    """
    action = option.branch.action
    if not isinstance(action, Call) or option.discard is not None:
        return option.kind
    safest = min((int(kind) for kind in np.flatnonzero(option.view.counts)), key=danger.deal_in)
    added = KIND_OF[action.tile] if action.kind == "kakan" and action.tile is not None else safest
    return max(safest, added, key=danger.deal_in)


def _aborted_after(state: RoundState, options: Sequence[Option]) -> Bool:
    """Return after which options the round is aborted if the discard passes: bool[n]."""
    silent, in_riichi = (aborting_kinds(state, riichi=riichi) for riichi in (False, True))
    return np.array([option.kind in (in_riichi if option.riichi else silent) for option in options], np.bool_)


def position_of(state: RoundState) -> RoundPosition:
    """Return the position of the round in the game."""
    index = round_index(state.round_wind, state.number)
    return RoundPosition(index, state.dealer, state.honba, state.deposits, state.rules.last_round)
