"""How a round may end, what each ending changes, and what a candidate makes of it.

The endings are a fixed list (``Endings``): own win by self-draw or off each opponent at several sizes,
dealing in to each opponent, an opponent's win by self-draw or off another, an exhaustive draw with every
pattern of tenpai hands. Score changes and final places of all endings are computed once a decision
(``Payoffs``); a candidate is a vector of their probabilities, so that weighing one more option costs one dot
product.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from manue.arrays import F64, Bool
from manue.compiled import compiled
from manue.models.placement import PlacementModel, RoundPosition
from manue.rules import TENHOU, Rules
from manue.tiles import Seat

WIN_SIZES: tuple[int, ...] = (1000, 2000, 3900, 5200, 8000, 12000, 18000, 32000)
"""Sizes of the own win, points without honba; means between two of them are split linearly."""

POINT_ATOMS = 3
"""Sizes by which an opponent's win is represented."""


class Endings:
    """Slices of the fixed list of endings seen from one seat; opponents in turn order after it."""

    own_tsumo = slice(0, 8)
    own_ron = slice(8, 32)  # by opponent, then size
    deal_in = slice(32, 41)  # by opponent, then atom
    other_tsumo = slice(41, 50)  # by opponent, then atom
    other_ron = slice(50, 68)  # by winner, then by payer among the other two, then atom
    draw = slice(68, 84)  # by pattern: bit 0 is the own hand, bits 1..3 the opponents


COUNT = 84


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What every ending is worth to one seat.

    Parameters
    ----------
    deltas : ndarray, shape (84, 4)
        Score changes from now on, by seat, a riichi stick paid now included. Each row and the change of
        deposits on the table sum to 0.
    points : ndarray, shape (84,)
        The own score change.
    places : ndarray, shape (84, 4)
        P(own final place 1..4).
    """

    deltas: F64
    points: F64
    places: F64


@dataclass(frozen=True, slots=True)
class ScoreSituation:
    """The money on the table, seen from one seat.

    Parameters
    ----------
    seat : int
    scores : sequence of int
        Points by absolute seat.
    position : RoundPosition
        Round, dealer, honba and deposits.
    opponent_points : ndarray, shape (3, 3)
        Three sizes of each opponent's win, points without honba, opponents in turn order.
    pays_stick : bool
        Whether the candidate declares riichi and pays for it.
    """

    seat: Seat
    scores: tuple[int, ...]
    position: RoundPosition
    opponent_points: F64
    pays_stick: bool = False


def payoffs_of(situation: ScoreSituation, model: PlacementModel, rules: Rules = TENHOU) -> Payoffs:
    """Compute score changes and final places of all endings."""
    deltas = np.zeros((COUNT, 4))
    stays = np.zeros(COUNT, np.bool_)
    position = situation.position
    sticks = position.deposits + situation.pays_stick
    _fill_deltas(
        deltas,
        stays,
        situation.seat,
        position.dealer,
        position.honba,
        sticks,
        np.array(WIN_SIZES, np.float64),
        np.ascontiguousarray(situation.opponent_points, np.float64),
    )
    if situation.pays_stick:
        deltas[:, situation.seat] -= 1000.0
    scores = np.asarray(situation.scores, np.float64) + deltas
    places = model.places_after(scores, stays, position, situation.seat, rules)
    return Payoffs(deltas, deltas[:, situation.seat].copy(), places)


class OutcomeProbabilities(NamedTuple):
    """How the round goes on once a candidate's discard has passed, for n candidates.

    ``win + deal_in_later + draw`` is at most 1; what remains is that others win, not off this seat.

    Attributes
    ----------
    win, deal_in_later, draw : float64[n]
        P(own win), P(dealing in with a later tile), P(exhaustive draw).
    win_points : float64[n]
        Mean points of the own win without honba.
    tsumo_share : float64[n]
        Share of own wins by self-draw.
    own_tenpai : float64[n]
        P(own tenpai, given an exhaustive draw).
    threat : float64[3]
        Each opponent's share of the opponents' wins, in turn order, summing to 1.
    other_tsumo_share : float
        Share of self-draws among opponents' wins that are not off this seat.
    tenpai_at_draw : float64[3]
        The opponents' P(tenpai) at an exhaustive draw.
    """

    win: F64
    deal_in_later: F64
    draw: F64
    win_points: F64
    tsumo_share: F64
    own_tenpai: F64
    threat: F64
    other_tsumo_share: float
    tenpai_at_draw: F64


def endings_after(probabilities: OutcomeProbabilities) -> F64:
    """Return P(every ending) once the discard has passed: float64[n, 84], rows summing to 1."""
    out = np.zeros((len(probabilities.win), COUNT))
    _fill_endings(probabilities, np.array(WIN_SIZES, np.float64), out)
    return out


def endings_of_deal_in(probs: F64, losses: F64, sizes: F64) -> F64:
    """Return the probability of every ending by which a discard is won on at once: float64[n, 84].

    Parameters
    ----------
    probs : float64[n, 3]
        P(the opponent wins on it), in turn order; their sum, cut at 1, is the sum of the row.
    losses : float64[n, 3]
        Mean points if it does.
    sizes : float64[3, 3]
        The sizes by which each opponent's wins are represented; their weights are tilted to the mean loss.
    """
    out = np.zeros((len(probs), COUNT))
    _fill_deal_ins(probs, losses, sizes, out)
    return out


SCORE_STEPS: tuple[int, ...] = tuple(
    sign * size
    for sign, sizes in (
        (-1, (48000, 32000, 18000, 12000, 8000, 4000, 2000, 1000)),
        (1, (0, 1000, 2000, 4000, 8000, 12000, 18000, 32000, 48000)),
    )
    for size in sizes
)
"""Own score changes by which a distribution is told."""


def score_distribution(points: F64, probs: F64) -> F64:
    """Tell the distribution of the own score change over endings: float64[len(SCORE_STEPS)].

    Parameters
    ----------
    points, probs : float64[n]
        Own score change and probability of each ending. One between two steps counts for both, the nearer
        the more, so that the mean is kept; beyond the last step it counts for that.
    """
    steps = np.array(SCORE_STEPS, np.float64)
    inside = np.clip(points, steps[0], steps[-1])
    upper = np.clip(np.searchsorted(steps, inside, side="right"), 1, len(steps) - 1)
    share = (inside - steps[upper - 1]) / (steps[upper] - steps[upper - 1])
    out = np.bincount(upper - 1, probs * (1.0 - share), len(steps))
    return np.asarray(out + np.bincount(upper, probs * share, len(steps)), np.float64)


@compiled
def _fill_deal_ins(probs: F64, losses: F64, sizes: F64, out: F64) -> None:
    """Tilt the weights of an opponent's sizes so that their mean is as near the loss as may be."""
    for i in range(len(probs)):
        total = max(probs[i].sum(), 1.0)
        for other in range(3):
            low, high = sizes[other, 0], sizes[other, 2]
            tilt = (losses[i, other] - sizes[other].mean()) / max(high - low, 1.0)
            tilt = min(max(tilt, -1.0 / POINT_ATOMS), 1.0 / POINT_ATOMS)
            for k in range(POINT_ATOMS):
                weight = 1.0 / POINT_ATOMS + tilt * (k - 1)
                out[i, 32 + 3 * other + k] = probs[i, other] / total * weight


@compiled
def _fill_endings(probabilities: OutcomeProbabilities, win_sizes: F64, out: F64) -> None:
    """Go through the endings in the order of `Endings`."""
    atom = 1.0 / POINT_ATOMS
    for i in range(len(out)):
        row = out[i]
        win, tsumo = probabilities.win[i], probabilities.tsumo_share[i]
        size, upper = _size_of(probabilities.win_points[i], win_sizes)
        for place, share in ((size, 1.0 - upper), (size + 1, upper)):
            row[place] = win * tsumo * share
            for other in range(3):
                row[8 + 8 * other + place] = win * (1.0 - tsumo) / 3.0 * share
        others = max(0.0, 1.0 - win - probabilities.deal_in_later[i] - probabilities.draw[i])
        for other in range(3):
            threat = probabilities.threat[other] * atom
            for k in range(POINT_ATOMS):
                row[32 + 3 * other + k] = probabilities.deal_in_later[i] * threat
                row[41 + 3 * other + k] = others * probabilities.other_tsumo_share * threat
                for payer in range(2):
                    ron = others * (1.0 - probabilities.other_tsumo_share) / 2.0
                    row[50 + 6 * other + 3 * payer + k] = ron * threat
        for pattern in range(16):
            chance = probabilities.draw[i]
            own = probabilities.own_tenpai[i]
            chance *= own if pattern & 1 else 1.0 - own
            for other in range(3):
                tenpai = probabilities.tenpai_at_draw[other]
                chance *= tenpai if pattern >> (other + 1) & 1 else 1.0 - tenpai
            row[68 + pattern] = chance


@compiled
def _size_of(points: float, win_sizes: F64) -> tuple[int, float]:
    """Spread a mean over two neighbouring sizes so that it is kept: the lower one, and the upper's share."""
    clipped = min(max(points, win_sizes[0]), win_sizes[-1])
    lower = 0
    while lower < len(win_sizes) - 2 and win_sizes[lower + 1] <= clipped:
        lower += 1
    return lower, (clipped - win_sizes[lower]) / (win_sizes[lower + 1] - win_sizes[lower])


@compiled
def _win_by_self_draw(row: F64, winner: int, dealer: int, size: float, honba: int, sticks: int) -> None:
    """Charge a self-draw: half from the dealer and a quarter from the others, or a third from each."""
    total = 0.0
    for seat in range(4):
        if seat == winner:
            continue
        share = size / 3.0 if winner == dealer else (size / 2.0 if seat == dealer else size / 4.0)
        paid = np.ceil(share / 100.0 - 1e-9) * 100.0 + 100.0 * honba
        row[seat] -= paid
        total += paid
    row[winner] += total + 1000.0 * sticks


@compiled
def _win_off(row: F64, winner: int, payer: int, size: float, honba: int, sticks: int) -> None:
    paid = size + 300.0 * honba
    row[payer] -= paid
    row[winner] += paid + 1000.0 * sticks


@compiled
def _exhaust(row: F64, seat: int, pattern: int) -> None:
    """Share out 3000 points among tenpai hands, paid by the others; bit 0 is ``seat``."""
    ready = 0
    for bit in range(4):
        ready += pattern >> bit & 1
    if ready in {0, 4}:
        return
    for bit in range(4):
        row[(seat + bit) % 4] += 3000.0 / ready if pattern >> bit & 1 else -3000.0 / (4 - ready)


@compiled
def _fill_deltas(
    deltas: F64,
    stays: Bool,
    seat: int,
    dealer: int,
    honba: int,
    sticks: int,
    sizes: F64,
    opponent_points: F64,
) -> None:
    row = 0
    for size in range(8):
        _win_by_self_draw(deltas[row], seat, dealer, sizes[size], honba, sticks)
        stays[row] = seat == dealer
        row += 1
    for other in range(1, 4):
        for size in range(8):
            _win_off(deltas[row], seat, (seat + other) % 4, sizes[size], honba, sticks)
            stays[row] = seat == dealer
            row += 1
    for other in range(1, 4):
        winner = (seat + other) % 4
        for atom in range(3):
            _win_off(deltas[row], winner, seat, opponent_points[other - 1, atom], honba, sticks)
            stays[row] = winner == dealer
            row += 1
    for other in range(1, 4):
        winner = (seat + other) % 4
        for atom in range(3):
            _win_by_self_draw(deltas[row], winner, dealer, opponent_points[other - 1, atom], honba, sticks)
            stays[row] = winner == dealer
            row += 1
    for other in range(1, 4):
        winner = (seat + other) % 4
        for third in range(1, 4):
            if third == other:
                continue
            for atom in range(3):
                size = opponent_points[other - 1, atom]
                _win_off(deltas[row], winner, (seat + third) % 4, size, honba, sticks)
                stays[row] = winner == dealer
                row += 1
    for pattern in range(16):
        _exhaust(deltas[row], seat, pattern)
        stays[row] = (pattern >> ((dealer - seat) % 4) & 1) == 1
        row += 1
