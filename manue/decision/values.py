"""What options are worth: the classic expected value, and the one over all endings of the round.

``points-classic``
    expPt = (1 - P(deal-in)) P(win) points(win) - P(deal-in) points(deal-in), by the Monte Carlo draws alone.
``points``
    The mean own score change over all endings (``manue.decision.endings``): deal-in now, own win, dealing in
    later, a draw, another's win; chances from the learned layer (``manue.models.afterstate``).
``placement``
    The mean ranking points of the final place over the same endings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from manue.agents.base import Report
from manue.arrays import F32, F64, I64
from manue.decision.endings import (
    POINT_ATOMS,
    Endings,
    OutcomeProbabilities,
    Payoffs,
    ScoreSituation,
    endings_after,
    endings_of_deal_in,
    payoffs_of,
)
from manue.decision.options import Option
from manue.features.afterstate import NO_SET, Hands, afterstate_rows
from manue.features.scene import Scenes
from manue.game.actions import Call, NineTerminals, Win
from manue.game.state import RoundState
from manue.game.win import score_of_win
from manue.hand.score import set_code
from manue.models.afterstate import Prospects, afterstate_model
from manue.models.danger import Danger
from manue.models.discard_policy import discard_policy_model, discard_policy_rows
from manue.models.opponents import opponents_model
from manue.models.placement import UMA, RoundPosition, placement_model
from manue.tiles import COPIES, KIND_OF, WINDS, Kind, is_red

POLICIES = ("points-classic", "points", "placement")
LEAST_SHARE = 1e-6
"""Of a discard that strong players never make."""
_PLACES = np.arange(1.0, 5.0)


class OutcomeDistribution(NamedTuple):
    """Endings of a round, float64[84] each: own score changes, their worth under the policy, chances."""

    points: F64
    worth: F64
    probabilities: F64


@dataclass(frozen=True, slots=True)
class ValuedOption:
    """An option with its value under the policy and the numbers behind it.

    Parameters
    ----------
    value : float
    report : Report
    option : Option or None
        ``None`` for an abortive draw.
    endings : tuple of OutcomeDistribution
        By dealing in now and after that; none where the policy does not ask.
    after : float32[n] or None
        What the hand left looks like (``manue.models.afterstate.COLUMNS``).
    log_preference : float
        How readily strong players choose it, less how readily they choose the likeliest of its kind:
        log of the shares' ratio.
    call_log_odds : float
        Log-odds that strong players take the offer (``manue.decision.calls``) that it takes, beyond the level
        of its sort.
    """

    value: float
    report: Report
    option: Option | None = None
    endings: tuple[OutcomeDistribution, ...] = ()
    after: F32 | None = None
    log_preference: float = 0.0
    call_log_odds: float = 0.0


def classic_values(state: RoundState, options: Sequence[Option], danger: Danger) -> list[ValuedOption]:
    """Value options by the classic formula."""
    facts = _Facts(state, options, danger)
    valued = []
    for i, option in enumerate(options):
        told = facts.of(i)
        deal_in, loss = told["deal_in_prob"], told["deal_in_points"]
        win_points = option.mc_win_points + bonus_of(state)
        value = (1.0 - deal_in) * option.mc_win_prob * win_points - deal_in * loss
        report = Report(
            option.action,
            expected_points=value,
            win_prob=option.mc_win_prob,
            win_points=win_points,
            **told,
        )
        valued.append(ValuedOption(value, report, option))
    return valued


def full_values(
    state: RoundState,
    scene: Scenes,
    options: Sequence[Option],
    danger: Danger,
    policy: str,
    uma: str,
) -> list[ValuedOption]:
    """Value options by all endings of the round, under ``points`` or ``placement``."""
    table = _Table.of(state, danger, may_pay=any(option.pays_stick for option in options))
    hands = hands_of(options)
    rows = afterstate_rows(scene, hands, danger, state.seat, afterstate_model().win_statistics.discard_rates)
    shares = _played(scene, options, hands, rows, danger)
    prospects = afterstate_model().prospects(rows, _groups(options))
    ranking = np.array(UMA[uma])
    facts = _Facts(state, options, danger)
    now, after = table.endings(options, prospects, danger)
    later = (1.0 - now.sum(axis=1, keepdims=True)) * after
    staked = np.array([option.pays_stick for option in options], np.bool_)
    plain, stick = table.plain, table.with_stick
    points = now @ plain.points + np.where(staked, later @ stick.points, later @ plain.points)
    places = now @ plain.places + np.where(staked[:, None], later @ stick.places, later @ plain.places)
    ranks, own_draws = places @ _PLACES, after[:, Endings.draw]
    draw_probs = own_draws.sum(axis=1)
    at_draw = np.where(staked, own_draws @ stick.points[Endings.draw], own_draws @ plain.points[Endings.draw])
    values = points if policy == "points" else places @ ranking
    worth, staked_worth = (
        payoffs.points if policy == "points" else payoffs.places @ ranking for payoffs in (plain, stick)
    )
    win_points = prospects.win_points + bonus_of(state)
    figures = np.stack([values, points, ranks, prospects.win, win_points, draw_probs, at_draw], axis=1)
    valued = []
    for i, (option, told) in enumerate(zip(options, figures.tolist(), strict=True)):
        value, expected, rank, win, points_of_win, draw, points_at_draw = told
        share, log_preference = shares.get(i, (None, 0.0))
        report = Report(
            option.action,
            expected_points=expected,
            expected_rank=rank,
            win_prob=win,
            win_points=points_of_win,
            draw_prob=draw,
            draw_points=points_at_draw / draw if draw else 0.0,
            others_win_prob=max(0.0, 1.0 - win - draw),
            played_prob=share,
            **facts.of(i),
        )
        after_now = (
            OutcomeDistribution(stick.points, staked_worth, later[i])
            if option.pays_stick
            else OutcomeDistribution(plain.points, worth, later[i])
        )
        endings = (OutcomeDistribution(plain.points, worth, now[i]), after_now)
        valued.append(ValuedOption(value, report, option, endings, rows[i], log_preference))
    return valued


def _played(
    scene: Scenes, options: Sequence[Option], hands: Hands, rows: F32, danger: Danger
) -> dict[int, tuple[float, float]]:
    """Return P(strong players discard it) and its readiness, of discards without riichi, by number."""
    lines: dict[int, list[int]] = {}
    for i, option in enumerate(options):
        if option.discard is not None and not option.riichi:
            lines.setdefault(id(option.line), []).append(i)
    deal_in = danger.any_deal_in()
    shares: dict[int, tuple[float, float]] = {}
    for members in lines.values():
        left = Hands._make(column[members] for column in hands)
        found = discard_policy_model().shares(discard_policy_rows(scene, left, rows[members], deal_in))
        log_preference = np.log(np.maximum(found / found.max(), LEAST_SHARE))
        shares |= zip(members, zip(found.tolist(), log_preference.tolist(), strict=True), strict=True)
    return shares


def abort_value(state: RoundState, action: NineTerminals, policy: str, uma: str) -> ValuedOption:
    """Value an abortive draw: nobody gains, the dealer stays."""
    position = position_of(state)
    places = placement_model().places_after([state.scores], [True], position, state.seat, state.rules)[0]
    rank = float(places @ _PLACES)
    value = 0.0 if policy == "points" else float(places @ np.array(UMA[uma]))
    return ValuedOption(
        value, Report(action, expected_points=0.0, expected_rank=rank, draw_prob=1.0, draw_points=0.0)
    )


def win_report(state: RoundState, action: Win) -> Report:
    """Tell what a win brings, honba and deposits included; ura-dora are not known before."""
    score = score_of_win(state, action.tile, action.source)
    if score is None:
        return Report(action, win_prob=1.0, shanten=-1)
    deltas = score.deltas(state.seat, state.dealer, action.source)
    deltas[state.seat] += 1000 * state.deposits
    scores = [old + change for old, change in zip(state.scores, deltas, strict=True)]
    stays = state.seat == state.dealer
    places = placement_model().places_after([scores], [stays], position_of(state), state.seat, state.rules)
    points = float(deltas[state.seat])
    rank = float(places[0] @ _PLACES)
    return Report(
        action, expected_points=points, expected_rank=rank, win_prob=1.0, win_points=points, shanten=-1
    )


def position_of(state: RoundState) -> RoundPosition:
    """Return where the game stands."""
    index = WINDS.index(state.round_wind) * 4 + state.number - 1
    return RoundPosition(index, state.dealer, state.honba, state.deposits)


@dataclass(frozen=True, slots=True)
class _Table:
    """What all options of a decision share."""

    plain: Payoffs
    with_stick: Payoffs
    sizes: F64
    threat: F64
    opponents_at_draw: F64
    order: tuple[int, ...]

    @classmethod
    def of(cls, state: RoundState, danger: Danger, *, may_pay: bool) -> "_Table":
        model = afterstate_model()
        order = tuple((state.seat + i) % 4 for i in (1, 2, 3))
        riichi = np.array([state.players[seat].riichi for seat in order], np.float64)
        sizes = np.stack([_sizes(danger, seat, riichi=bool(riichi[i])) for i, seat in enumerate(order)])
        situation = ScoreSituation(state.seat, tuple(state.scores), position_of(state), sizes)
        placement = placement_model()
        plain = payoffs_of(situation, placement, state.rules)
        with_stick = (
            payoffs_of(replace(situation, pays_stick=True), placement, state.rules) if may_pay else plain
        )
        chosen = list(order)
        dealer = np.array([seat == state.dealer for seat in order], np.float64)
        return cls(
            plain,
            with_stick,
            sizes,
            model.threats(danger.can_win[chosen], riichi, dealer),
            model.opponents_tenpai_at_draw(danger.tenpai[chosen], state.tiles_left),
            order,
        )

    def endings(self, options: Sequence[Option], prospects: Prospects, danger: Danger) -> tuple[F64, F64]:
        """Return the endings by dealing in now, and those after the discard has passed: float64[n, 84]."""
        model = afterstate_model()
        kinds_thrown = [_thrown(option, danger) for option in options]
        thrown = [(i, kind) for i, kind in enumerate(kinds_thrown) if kind is not None]
        probs, losses = np.zeros((len(options), 3)), np.zeros((len(options), 3))
        rows, kinds = [i for i, _ in thrown], [kind for _, kind in thrown]
        seats = list(self.order)
        probs[rows] = danger.prob[seats][:, kinds].T
        losses[rows] = danger.loss[seats][:, kinds].T
        riichi = np.array([option.riichi for option in options], np.bool_)
        after = endings_after(
            OutcomeProbabilities(
                prospects.win,
                prospects.deal_in_later,
                prospects.draw,
                prospects.win_points,
                np.array(model.win_statistics.tsumo_share)[riichi.astype(np.intp)],
                np.where(riichi, 1.0, prospects.tenpai_at_draw),
                self.threat,
                model.other_tsumo_share,
                self.opponents_at_draw,
            )
        )
        return endings_of_deal_in(probs, losses, self.sizes), after


def _sizes(danger: Danger, seat: int, *, riichi: bool) -> F64:
    """Three sizes of a seat's win: around the mean loss over the kinds it may win on."""
    weights = danger.prob[seat]
    total = float(weights.sum())
    losses = danger.loss[seat]
    mean = float(weights @ losses) / total if total > 0 else float(losses.max(initial=1000.0))
    return np.asarray(opponents_model().loss_sizes(max(mean, 1000.0), riichi=riichi), np.float64)[
        :POINT_ATOMS
    ]


def _thrown(option: Option, danger: Danger) -> Kind | None:
    """Return the kind whose danger the option takes: a kan puts off a discard, at best the safest."""
    if isinstance(option.line.action, Call) and option.discard is None:
        return min((int(kind) for kind in np.flatnonzero(option.view.counts)), key=danger.deal_in)
    return option.kind


def bonus_of(state: RoundState) -> int:
    """Points that a win brings beside its own."""
    return 300 * state.honba + 1000 * state.deposits


class _Facts:
    """What does not depend on the policy, as arguments of a report."""

    def __init__(self, state: RoundState, options: Sequence[Option], danger: Danger) -> None:
        self._options = options
        self._danger = danger
        self._deal_in = danger.any_deal_in().tolist()
        self._cost = (danger.prob * danger.loss).sum(axis=0).tolist()
        self._honba = 300 * state.honba
        useful = np.stack([option.useful for option in options])
        left = np.maximum(COPIES - state.visible, 0)
        self._useful_kinds = useful.sum(axis=1).tolist()
        self._useful_tiles = (useful * left).sum(axis=1).tolist()

    def of(self, number: int) -> dict[str, Any]:
        """Return those of an option by its number."""
        option = self._options[number]
        kind = _thrown(option, self._danger)
        deal_in = 0.0 if kind is None else self._deal_in[kind]
        loss = self._cost[kind] / deal_in + self._honba if kind is not None and deal_in else 0.0
        prob_error, points_error = option.errors
        return {
            "discard": option.discard if option.action != option.discard else None,
            "deal_in_prob": deal_in,
            "deal_in_points": loss,
            "shanten": option.shanten,
            "ukeire_kinds": self._useful_kinds[number],
            "ukeire_count": self._useful_tiles[number],
            "win_prob_error": prob_error,
            "win_points_error": points_error,
        }


def _groups(options: Sequence[Option]) -> I64:
    """Give discards of one hand under one plan the same number."""
    plans: dict[tuple[int, int, bool], int] = {}
    return np.array(
        [plans.setdefault((id(option.line), option.column, option.riichi), len(plans)) for option in options],
        np.int64,
    )


def hands_of(options: Sequence[Option]) -> Hands:
    """Gather the hands that the options leave."""
    counts = np.stack([option.view.counts for option in options])
    sets = np.full((len(options), 4), NO_SET, np.int16)
    reds = np.empty(len(options), np.int8)
    thrown = np.full(len(options), -1, np.int8)
    for i, option in enumerate(options):
        for j, meld in enumerate(option.line.melds):
            sets[i, j] = set_code(meld)
        reds[i] = sum(option.view.reds) + sum(
            is_red(tile) for meld in option.line.melds for tile in meld.tiles
        )
        if option.discard is not None:
            thrown[i] = kind = KIND_OF[option.discard.tile]
            counts[i, kind] -= 1
            reds[i] -= is_red(option.discard.tile)
    return Hands(
        counts,
        sets,
        reds,
        np.array([option.riichi for option in options], np.int8),
        np.array([option.line.own_draws for option in options], np.int16),
        thrown,
        np.array([option.mc_win_prob for option in options], np.float32),
        np.array([option.mc_win_points for option in options], np.float32),
        np.array([option.ron_waits for option in options], np.int64),
    )
