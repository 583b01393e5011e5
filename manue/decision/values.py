"""What options are worth: by the classic formula, or by all endings of the round.

``points-classic``
    expPt = (1 - P(deal-in)) P(win) points(win) - P(deal-in) points(deal-in), with P(win) and points(win) from
    the Monte Carlo draws alone.
``points``
    The mean score change of this seat over all endings (``manue.decision.endings``), with the stick that it
    pays for riichi, now or later, where it does not win.
``placement``
    The mean ranking points of its final place over the same endings.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from manue.arrays import F32, F64, I64
from manue.compiled import compiled
from manue.decision.basis import Basis
from manue.decision.endings import COUNT, DRAW, Endings
from manue.decision.human_policy import DiscardShare
from manue.decision.options import Option
from manue.decision.outcomes import Outcomes, position_of, risk_of
from manue.decision.report import Report
from manue.game.actions import Discard, NineTerminals, Win
from manue.game.state import RoundState
from manue.game.win import deltas_of_win, scores_of_win
from manue.models.placement import ABORTED, PLACES, PlacementModel
from manue.rules import HONBA, STICK

POLICIES = ("points-classic", "points", "placement")


class OutcomeDistribution(NamedTuple):
    """Endings of a round, float64[m] each: this seat's score change, its worth under the policy, P."""

    points: F64
    worth: F64
    probabilities: F64


class ValuedOption(NamedTuple):
    """An option with its value under the policy and the numbers behind it.

    Attributes
    ----------
    value : float
    report : Report
    option : Option or None
        ``None`` for an abortive draw.
    endings : tuple of OutcomeDistribution
        Dealing in with the discard itself (m = 9), and all later endings (m = 89, the list of
        ``manue.decision.endings``); empty under the classic policy.
    after : float32[n] or None
        Features of the hand left (``manue.features.afterstate``).
    log_preference : float
        Log of how often strong players make this discard, relative to their favourite from the hand.
    call_log_odds : float
        Log-odds that strong players make its declaration (riichi, a call, a kan), measured from the decision
        threshold; 0 if it makes none.
    habit : float
        The part of ``value`` that the human policy added or took away.
    stick : float
        P(this seat pays for riichi from now on), given that it does not win.
    """

    value: float
    report: Report
    option: Option | None = None
    endings: tuple[OutcomeDistribution, ...] = ()
    after: F32 | None = None
    log_preference: float = 0.0
    call_log_odds: float = 0.0
    habit: float = 0.0
    stick: float = 0.0


def classic_values(basis: Basis, options: Sequence[Option]) -> list[ValuedOption]:
    """Value options by the classic formula, on the table as it is now."""
    valued = []
    for option, known in zip(options, _facts(basis, options), strict=True):
        deal_in, loss = _deal_in(basis, option)
        win_points = option.mc_win_points + basis.state.bonus
        value = (1.0 - deal_in) * option.mc_win_prob * win_points - deal_in * loss
        report = Report(
            option.action,
            expected_points=value,
            win_prob=option.mc_win_prob,
            win_points=win_points,
            deal_in_prob=deal_in,
            deal_in_points=loss,
            **known,
        )
        valued.append(ValuedOption(value, report, option))
    return valued


def values_over_outcomes(
    basis: Basis,
    options: Sequence[Option],
    rows: F32,
    shares: dict[int, DiscardShare],
    outcomes: Outcomes,
    ranking: F64 | None,
) -> list[ValuedOption]:
    """Value options by all endings of the round, under ``points`` or ``placement``.

    Parameters
    ----------
    basis : Basis
        What the options are valued on.
    options : sequence of Option
    rows : float32[n, len(COLUMNS)]
        Features of the hands left.
    shares : dict of int to DiscardShare
        How often strong players make the discard, by index of the option.
    outcomes : Outcomes
    ranking : float64[4] or None
        Ranking points by place, under ``placement``; ``None`` under ``points``.
    """
    figures = _figures(outcomes, ranking, basis.state.bonus)
    endings = _endings(outcomes, ranking)
    facts = _facts(basis, options)
    valued = []
    for i, (option, known) in enumerate(zip(options, figures, strict=True)):
        share = shares.get(i)
        report = _report(option, known, None if share is None else share.prob, facts[i])
        preference = 0.0 if share is None else share.log_preference
        stick = float(outcomes.stick[i])
        valued.append(ValuedOption(known.value, report, option, endings[i], rows[i], preference, stick=stick))
    return valued


def _endings(outcomes: Outcomes, ranking: F64 | None) -> list[tuple[OutcomeDistribution, ...]]:
    """Return the endings of every option; parameters as in `_figures`."""
    found: list[tuple[OutcomeDistribution, ...]] = [()] * len(outcomes.stick)
    now = outcomes.now.results
    now_points, now_worth = now[..., 0], now[..., 0] if ranking is None else now[..., 1:] @ ranking
    for (plain, stick), where in outcomes.by_payoffs():
        worth, paying = (pay.points if ranking is None else pay.places @ ranking for pay in (plain, stick))
        pays = outcomes.stick[where, None]
        points, worths = _mixed(plain.points, stick.points, pays), _mixed(worth, paying, pays)
        members = np.arange(len(found))[where].tolist()
        for i, later_points, later_worth in zip(members, points, worths, strict=True):
            found[i] = (
                OutcomeDistribution(now_points[i], now_worth[i], outcomes.now.probs[i]),
                OutcomeDistribution(later_points, later_worth, outcomes.later[i]),
            )
    return found


class _Facts(TypedDict):
    """The fields of an option's report that do not depend on the policy."""

    discard: Discard | None
    shanten: int
    ukeire_kinds: int
    ukeire_count: int
    win_prob_error: float
    win_points_error: float


class _Figures(NamedTuple):
    """What the endings of the round come to after an option, in the order of `_figures`."""

    value: float
    points: float
    rank: float
    win: float
    win_points: float
    draw: float
    points_at_draw: float  # times P(draw)
    deal_in: float
    points_of_deal_in: float  # times P(deal-in)
    deal_in_later: float


def _figures(outcomes: Outcomes, ranking: F64 | None, bonus: float) -> list[_Figures]:
    """Return the figures of every option; its value is in ranking points, or in points without them.

    Parameters
    ----------
    outcomes : Outcomes
    ranking : float64[4] or None
        Ranking points by place.
    bonus : float
        Points of honba and sticks that a win brings.
    """
    now, after, numbers = outcomes.now, outcomes.after, np.arange(len(outcomes.stick))
    at_deal_in = (now.probs[:, None, :] @ now.results)[:, 0]
    results, at_draw = at_deal_in.copy(), np.zeros(len(numbers))
    for (plain, stick), where in outcomes.by_payoffs():
        pays = plain.results, stick.results, outcomes.stick
        _add_up(numbers[where], *pays, after, outcomes.later, results, at_draw)
    points, places = results[:, 0], results[:, 1:]
    columns = (
        points if ranking is None else places @ ranking,
        points,
        places @ PLACES,
        outcomes.prospects.win,
        outcomes.prospects.win_points + bonus,
        after[:, Endings.any_draw].sum(axis=1),
        at_draw,
        now.probs.sum(axis=1),
        at_deal_in[:, 0],
        after[:, Endings.deal_in].sum(axis=1),
    )
    return [_Figures(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _report(option: Option, known: _Figures, played_prob: float | None, facts: _Facts) -> Report:
    return Report(
        option.action,
        expected_points=known.points,
        expected_rank=known.rank,
        win_prob=known.win,
        win_points=known.win_points,
        draw_prob=known.draw,
        draw_points=known.points_at_draw / known.draw if known.draw else 0.0,
        deal_in_prob=known.deal_in,
        deal_in_points=-known.points_of_deal_in / known.deal_in if known.deal_in else 0.0,
        others_win_prob=max(0.0, 1.0 - known.win - known.draw),
        deal_in_later_prob=known.deal_in_later,
        played_prob=played_prob,
        **facts,
    )


def value_of_abort(
    state: RoundState, action: NineTerminals, placement: PlacementModel, ranking: F64 | None
) -> ValuedOption:
    """Value an abortive draw: nobody gains points and the round is played again, whatever the scores.

    ``ranking`` is as in `values_over_outcomes`.
    """
    (places,) = placement.places_after(
        [state.scores], [True], position_of(state), state.seat, state.rules, ended=ABORTED
    )
    rank = float(places @ PLACES)
    value = 0.0 if ranking is None else float(places @ ranking)
    return ValuedOption(
        value, Report(action, expected_points=0.0, expected_rank=rank, draw_prob=1.0, draw_points=0.0)
    )


def value_of_win(
    state: RoundState, action: Win, placement: PlacementModel, ranking: F64 | None
) -> ValuedOption | None:
    """Value a win by what it brings, honba and deposits included: in riichi the mean over the ura-dora.

    ``ranking`` is as in `values_over_outcomes`. ``None`` if the win has no yaku by the rules of the game.
    """
    cases = list(scores_of_win(state, action.tile, action.source))
    if not cases:
        return None
    chances = np.array([chance for chance, _ in cases])
    deltas = np.array([deltas_of_win(state, score, action.source) for _, score in cases], float)
    deltas[:, state.seat] += STICK * state.deposits
    stays = np.full(len(cases), state.seat == state.dealer)
    scores = np.array(state.scores) + deltas
    places = placement.places_after(scores, stays, position_of(state), state.seat, state.rules)
    points = float(chances @ deltas[:, state.seat])
    rank = float(chances @ places @ PLACES)
    report = Report(
        action, expected_points=points, expected_rank=rank, win_prob=1.0, win_points=points, shanten=-1
    )
    return ValuedOption(points if ranking is None else float(chances @ places @ ranking), report)


def _mixed(plain: F64, stick: F64, share: F64 | float) -> F64:
    """Return what is paid if a stick is paid in this share of the cases; a win brings it back."""
    mixed: F64 = plain + share * (stick - plain)
    return mixed


def _deal_in(basis: Basis, option: Option) -> tuple[float, float]:
    """Return P(what the option risks deals in), and the mean points paid then by the table as it is."""
    state, _, danger = basis
    risk = risk_of(option, danger)
    if risk is None or not (prob := danger.deal_in(risk.kind)):
        return 0.0, 0.0
    return prob, danger.cost(risk.kind) / prob + HONBA * state.honba


def _facts(basis: Basis, options: Sequence[Option]) -> list[_Facts]:
    """Return the fields of every option's report that do not depend on the policy."""
    useful = np.array([option.useful for option in options])
    left = basis.state.unseen
    useful_kinds = (useful & (left > 0)).sum(axis=1).tolist()
    useful_tiles = (useful @ left).tolist()
    found: list[_Facts] = []
    for option, ukeire_kinds, ukeire_count in zip(options, useful_kinds, useful_tiles, strict=True):
        prob_error, points_error = option.errors
        found.append(
            {
                "discard": None if option.action is option.discard else option.discard,
                "shanten": option.shanten,
                "ukeire_kinds": ukeire_kinds,
                "ukeire_count": ukeire_count,
                "win_prob_error": prob_error,
                "win_points_error": points_error,
            }
        )
    return found


# ---- kernels


@compiled
def _add_up(
    numbers: I64,
    plain: F64,
    with_stick: F64,
    stick: F64,
    after: F64,
    later: F64,
    results: F64,
    at_draw: F64,
) -> None:
    """Add up the endings of some options, given by their numbers.

    Parameters
    ----------
    numbers : int64[m]
    plain, with_stick : float64[89, 5]
        What each ending is worth to these options (`PayoffsByStick`).
    stick, after, later
        As in `Outcomes`.
    results : float64[n, 5]
        The mean score change, and P(this seat finishes in place 1..4), are added to these.
    at_draw : float64[n]
        The score changes of draws, times their probabilities, are added to these.
    """
    for i in numbers:
        for ending in range(COUNT):
            for column in range(5):
                worth = plain[ending, column]
                worth += stick[i] * (with_stick[ending, column] - worth)
                results[i, column] += later[i, ending] * worth
                if column == 0 and ending >= DRAW:
                    at_draw[i] += after[i, ending] * worth
