"""From model outputs to outcomes: how likely each ending is after each option, and what it pays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from manue.arrays import F64, Bool
from manue.compiled import compiled
from manue.decision.basis import Basis
from manue.decision.endings import DEAL_INS, OutcomeProbabilities, endings_after, endings_of_deal_in
from manue.decision.options import Option
from manue.decision.own_wins import ways_of_wins
from manue.decision.payoffs import Payoffs, ScoreSituation, payoffs_of, payoffs_of_deal_ins
from manue.game.abortive_draws import aborting_kinds
from manue.game.actions import Call
from manue.game.state import RoundState
from manue.hand.points import least_wins
from manue.models.afterstate import AT_FACTS, OPPONENT_FACTS, Prospects
from manue.models.danger import Danger
from manue.models.model_set import Models
from manue.models.opponents import LOSS_SIZES
from manue.models.placement import RoundPosition
from manue.tiles import KIND_OF, Kind, opponents_of


class PayoffsByStick(NamedTuple):
    """What each ending is worth, and the same for a seat that pays for riichi."""

    plain: Payoffs
    with_stick: Payoffs


class DealIns(NamedTuple):
    """Dealing in with the very tile that each option risks.

    Attributes
    ----------
    probs : float64[n, 9]
        P(each way of it), by opponent, in turn order, then size.
    results : float64[n, 9, 5]
        What each is worth: this seat's score change, then P(it finishes in place 1..4).
    """

    probs: F64
    results: F64


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the round may end after each option of a decision, and what each ending pays.

    Parameters
    ----------
    prospects : Prospects
        What the hands left lead to.
    now : DealIns
        The endings by dealing in with the discard itself.
    after : float64[n, 89]
        P(ending) once the discard has passed; rows sum to 1.
    later : float64[n, 89]
        ``after`` times P(the discard passes); with those of ``now`` its rows sum to 1.
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
    now: DealIns
    after: F64
    later: F64
    payoffs: PayoffsByStick
    payoffs_after_kan: PayoffsByStick
    kan: Bool
    stick: F64

    def by_payoffs(self) -> Iterator[tuple[PayoffsByStick, Bool | slice]]:
        """Yield what each ending is worth, with an index of the options for which it is."""
        if not self.kan.any():
            yield self.payoffs, slice(None)
            return
        if not self.kan.all():
            yield self.payoffs, ~self.kan
        yield self.payoffs_after_kan, self.kan


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
    grown = sizes * models.afterstate.growth_by_kan.others
    payoffs, *after_kan = _payoffs(
        state, [sizes, grown] if kan.any() else [sizes], models, with_stick=bool(stick.any())
    )
    now = _deal_ins(basis, options, models)
    after = _endings_after(state, options, aborted, facts, prospects, models)
    later = (1.0 - now.probs.sum(axis=1, keepdims=True)) * after
    return Outcomes(prospects, now, after, later, payoffs, after_kan[0] if after_kan else payoffs, kan, stick)


def _payoffs(
    state: RoundState, sizes: Sequence[F64], models: Models, *, with_stick: bool
) -> list[PayoffsByStick]:
    """Return what each ending is worth, for each of the sizes of opponents' wins: float64[2, 3, 3]."""
    position, scores = position_of(state), tuple(state.scores)
    sticks = (False, True) if with_stick else (False,)
    situations = [
        ScoreSituation(state.seat, scores, position, points, pays_stick)
        for points in sizes
        for pays_stick in sticks
    ]
    found = payoffs_of(situations, models.placement, state.rules)
    return [PayoffsByStick(found[i], found[i + with_stick]) for i in range(0, len(found), len(sticks))]


def _deal_ins(basis: Basis, options: Sequence[Option], models: Models) -> DealIns:
    """Return the endings by dealing in with what each option risks, at what that very tile costs."""
    state, _, danger = basis
    seats = opponents_of(state.seat)
    risks = {i: risk for i, option in enumerate(options) if (risk := risk_of(option, danger)) is not None}
    rows, kinds = list(risks), [[risk.kind] for risk in risks.values()]
    growths = [models.afterstate.growth_by_kan.others if risk.new_dora else 1.0 for risk in risks.values()]
    found = DealIns(np.zeros((len(options), DEAL_INS)), np.zeros((len(options), DEAL_INS, 5)))
    if rows:
        found.probs[rows], wins = endings_of_deal_in(danger.prob[seats, kinds])
        losses = danger.loss[seats, kinds] * (wins * growths)[:, None]
        riichi = np.array([state.players[seat].riichi for seat in seats] * len(rows))
        sizes = models.dangers.opponents.loss_sizes(losses.ravel(), riichi).reshape(-1, 3, LOSS_SIZES)
        found.results[rows] = payoffs_of_deal_ins(
            sizes, state.scores, position_of(state), state.seat, models.placement, state.rules
        )
    return found


def _endings_after(
    state: RoundState,
    options: Sequence[Option],
    aborted: Bool,
    facts: F64,
    prospects: Prospects,
    models: Models,
) -> F64:
    """Return P(ending) once the discard has passed: float64[n, 89]."""
    model = models.afterstate
    riichi = np.array([option.riichi for option in options], np.bool_)
    tsumo_share = np.array(model.win_statistics.tsumo_share)[riichi.astype(np.intp)]
    drawn = np.array([option.ways for option in options])
    dealer = state.seat == state.dealer
    in_riichi = riichi + facts[:, AT_FACTS.riichi].sum()
    return endings_after(
        OutcomeProbabilities(
            prospects.win,
            prospects.deal_in_later,
            prospects.draw,
            ways_of_wins(drawn, prospects.win_points, tsumo_share, dealer=dealer),
            np.where(riichi, 1.0, prospects.tenpai_at_draw),
            model.win_shares(
                facts[:, AT_FACTS.can_win], facts[:, AT_FACTS.riichi], facts[:, AT_FACTS.dealer]
            ),
            model.other_tsumo_share,
            model.opponents_tenpai_at_draw(facts, in_riichi),
            aborted,
        )
    )


def _sizes_of_wins(facts: F64, models: Models) -> F64:
    """Return three sizes of each opponent's win off a discard, and by self-draw: float64[2, 3, 3]."""
    now = models.dangers.opponents.loss_sizes(facts[:, AT_FACTS.size], facts[:, AT_FACTS.riichi] > 0)
    return np.asarray(models.afterstate.growths(facts)[:, :, None] * now, np.float64)


def opponent_facts(state: RoundState, danger: Danger) -> F64:
    """Return what is known of each opponent, in turn order: float64[3, len(OPPONENT_FACTS)]."""
    seats = opponents_of(state.seat)
    facts = np.empty((len(seats), len(OPPONENT_FACTS)))
    facts[:, AT_FACTS.tenpai] = danger.tenpai[seats]
    facts[:, AT_FACTS.can_win] = danger.can_win[seats]
    facts[:, AT_FACTS.riichi] = [state.players[seat].riichi for seat in seats]
    facts[:, AT_FACTS.dealer] = dealer = np.array([seat == state.dealer for seat in seats])
    facts[:, AT_FACTS.size] = np.maximum(_mean_wins(danger.prob, danger.loss, state.seat), least_wins(dealer))
    facts[:, AT_FACTS.tiles_left] = state.tiles_left
    return facts


class Risk(NamedTuple):
    """What may deal in at once after an option.

    Attributes
    ----------
    kind : int
    new_dora : bool
        Whether the dora of a kan counts for whoever wins on it.
    """

    kind: Kind
    new_dora: bool = False


def risk_of(option: Option, danger: Danger) -> Risk | None:
    """Return what the option risks, ``None`` if it discards nothing.

    A kan only postpones a discard, at best of the safest kind, for which its new dora counts already: it is
    revealed before the discard at the latest. An added kan may itself be robbed, before it is.
    """
    action = option.branch.action
    if not isinstance(action, Call) or option.discard is not None:
        return None if option.kind is None else Risk(option.kind)
    safest = min((int(kind) for kind in np.flatnonzero(option.view.counts)), key=danger.deal_in)
    risks = [Risk(safest, new_dora=True)]
    if action.kind == "kakan" and action.tile is not None:
        risks.append(Risk(KIND_OF[action.tile]))
    return max(risks, key=lambda risk: danger.deal_in(risk.kind))


def _aborted_after(state: RoundState, options: Sequence[Option]) -> Bool:
    """Return after which options the round is aborted if the discard passes: bool[n]."""
    silent, in_riichi = (aborting_kinds(state, riichi=riichi) for riichi in (False, True))
    return np.array([option.kind in (in_riichi if option.riichi else silent) for option in options], np.bool_)


def position_of(state: RoundState) -> RoundPosition:
    """Return the position of the round in the game."""
    return RoundPosition.at(state, state.rules.last_round)


# ---- kernels


@compiled
def _mean_wins(prob: F64, loss: F64, seat: int) -> F64:
    """Return the mean points of a deal-in now to each opponent, over the kinds it may win on: float64[3].

    Of an opponent that can win on none it is the greatest loss.
    """
    means = np.empty(3)
    for other in range(3):
        opponent = (seat + 1 + other) % 4
        total = lost = greatest = 0.0
        for kind in range(34):
            total += prob[opponent, kind]
            lost += prob[opponent, kind] * loss[opponent, kind]
            greatest = max(greatest, loss[opponent, kind])
        means[other] = lost / total if total > 0.0 else greatest
    return means
