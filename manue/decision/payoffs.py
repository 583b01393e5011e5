"""What each ending of a round changes: the scores of all seats, and this seat's final place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from manue.arrays import F64, Bool
from manue.compiled import compiled
from manue.decision.endings import ABORT, COUNT, DEAL_INS, DRAW, PATTERNS
from manue.hand.points import SIZES, sizes_of_wins
from manue.models.opponents import LOSS_SIZES
from manue.models.placement import ABORTED, EXHAUSTED, WON, PlacementModel, RoundPosition
from manue.rules import HONBA, NOTEN_POINTS, STICK, TENHOU, Rules
from manue.tiles import Seat


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What each ending is worth to one seat.

    Parameters
    ----------
    deltas : float64[89, 4]
        Score changes from now on, by seat, including a riichi stick paid now. Each row and the change of the
        deposits on the table sum to 0.
    results : float64[89, 5]
        This seat's score change, then P(it finishes in place 1..4).
    """

    deltas: F64
    results: F64

    @property
    def points(self) -> F64:
        """The score change of this seat: float64[89]."""
        return self.results[:, 0]

    @property
    def places(self) -> F64:
        """P(this seat finishes in place 1..4): float64[89, 4]."""
        return self.results[:, 1:]


@dataclass(frozen=True, slots=True)
class ScoreSituation:
    """Scores and sizes of wins, seen from one seat.

    Parameters
    ----------
    seat : int
    scores : sequence of int
        Points by absolute seat.
    position : RoundPosition
        Round, dealer, honba and deposits.
    opponent_points : float64[2, 3, 3]
        Three sizes of each opponent's win off a discard, and by self-draw, points without honba, opponents in
        turn order.
    pays_stick : bool
        Whether the option declares riichi and pays for it.
    """

    seat: Seat
    scores: tuple[int, ...]
    position: RoundPosition
    opponent_points: F64
    pays_stick: bool = False


def payoffs_of(
    situations: Sequence[ScoreSituation], model: PlacementModel, rules: Rules = TENHOU
) -> list[Payoffs]:
    """Compute the score changes and final places of all endings.

    Parameters
    ----------
    situations : sequence of ScoreSituation
        At least one; they differ at most in the sizes of the opponents' wins and in the stick.
    model : PlacementModel
    rules : Rules
    """
    first = situations[0]
    seat, position = first.seat, first.position
    deltas = np.zeros((len(situations), COUNT, 4))
    stays = np.zeros((len(situations), COUNT), np.bool_)
    sizes = sizes_of_wins(dealer=seat == position.dealer, tsumo=False)
    for situation, changes, staying in zip(situations, deltas, stays, strict=True):
        opponents = np.ascontiguousarray(situation.opponent_points, np.float64)
        sticks = position.deposits + situation.pays_stick
        _fill_deltas(changes, staying, seat, position.dealer, position.honba, sticks, sizes, opponents)
        changes[:, seat] -= STICK * situation.pays_stick
    scores = (deltas + first.scores).reshape(-1, 4)
    ended = np.concatenate([_ENDED] * len(situations))
    places = model.places_after(scores, stays.ravel(), position, seat, rules, ended=ended)
    results = np.empty((len(situations), COUNT, 5))
    results[:, :, 0] = deltas[:, :, seat]
    results[:, :, 1:] = places.reshape(-1, COUNT, 4)
    return [Payoffs(*both) for both in zip(deltas, results, strict=True)]


def payoffs_of_deal_ins(
    sizes: F64,
    scores: Sequence[int],
    position: RoundPosition,
    seat: Seat,
    model: PlacementModel,
    rules: Rules = TENHOU,
) -> F64:
    """Return what each way of dealing in with a tile is worth: float64[n, 9, 5].

    By tile: this seat's score change, then P(it finishes in place 1..4), by opponent and size.

    Parameters
    ----------
    sizes : float64[n, 3, 3]
        By tile, three sizes of each opponent's win, points without honba, opponents in turn order.
    scores : sequence of int
        Points by absolute seat; a riichi is not paid for if its discard deals in.
    position : RoundPosition
        Round, dealer, honba and deposits.
    seat : int
    model : PlacementModel
    rules : Rules
    """
    deltas = np.zeros((len(sizes) * DEAL_INS, 4))
    stays = np.empty(len(deltas), np.bool_)
    _fill_deltas_of_deal_ins(deltas, stays, seat, position.dealer, position.honba, position.deposits, sizes)
    results = np.empty((len(deltas), 5))
    results[:, 0] = deltas[:, seat]
    results[:, 1:] = model.places_after(deltas + np.array(scores), stays, position, seat, rules)
    return results.reshape(-1, DEAL_INS, 5)


_ENDED = np.full(COUNT, WON)
_ENDED[DRAW:ABORT], _ENDED[ABORT] = EXHAUSTED, ABORTED


# ---- kernels


@compiled
def _win_by_self_draw(row: F64, winner: int, dealer: int, size: float, honba: int, sticks: int) -> None:
    """Charge a self-draw: the dealer pays half and the others a quarter, or each pays a third to a dealer."""
    total = 0.0
    for seat in range(4):
        if seat == winner:
            continue
        share = size / 3.0 if winner == dealer else (size / 2.0 if seat == dealer else size / 4.0)
        paid = np.ceil(share / 100.0 - 1e-9) * 100.0 + HONBA // 3 * honba
        row[seat] -= paid
        total += paid
    row[winner] += total + STICK * sticks


@compiled
def _win_off(row: F64, winner: int, payer: int, size: float, honba: int, sticks: int) -> None:
    paid = size + HONBA * honba
    row[payer] -= paid
    row[winner] += paid + STICK * sticks


@compiled
def _exhaust(row: F64, seat: int, pattern: int) -> None:
    """Divide `NOTEN_POINTS` among the tenpai hands, paid by the others; bit 0 is ``seat``."""
    ready = 0
    for bit in range(4):
        ready += pattern >> bit & 1
    if ready in (0, 4):
        return
    for bit in range(4):
        row[(seat + bit) % 4] += NOTEN_POINTS / ready if pattern >> bit & 1 else -NOTEN_POINTS / (4 - ready)


@compiled
def _fill_deltas_of_deal_ins(
    deltas: F64, stays: Bool, seat: int, dealer: int, honba: int, sticks: int, sizes: F64
) -> None:
    row = 0
    for tile in range(len(sizes)):
        for other in range(1, 4):
            winner = (seat + other) % 4
            for size in range(LOSS_SIZES):
                _win_off(deltas[row], winner, seat, sizes[tile, other - 1, size], honba, sticks)
                stays[row] = winner == dealer
                row += 1


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
    for size in range(SIZES):
        _win_by_self_draw(deltas[row], seat, dealer, sizes[size], honba, sticks)
        stays[row] = seat == dealer
        row += 1
    for other in range(1, 4):
        for size in range(SIZES):
            _win_off(deltas[row], seat, (seat + other) % 4, sizes[size], honba, sticks)
            stays[row] = seat == dealer
            row += 1
    for other in range(1, 4):
        winner = (seat + other) % 4
        for size in range(LOSS_SIZES):
            _win_off(deltas[row], winner, seat, opponent_points[0, other - 1, size], honba, sticks)
            stays[row] = winner == dealer
            row += 1
    for other in range(1, 4):
        winner = (seat + other) % 4
        for size in range(LOSS_SIZES):
            points = opponent_points[1, other - 1, size]
            _win_by_self_draw(deltas[row], winner, dealer, points, honba, sticks)
            stays[row] = winner == dealer
            row += 1
    for other in range(1, 4):
        winner = (seat + other) % 4
        for third in range(1, 4):
            if third == other:
                continue
            for size in range(LOSS_SIZES):
                points = opponent_points[0, other - 1, size]
                _win_off(deltas[row], winner, (seat + third) % 4, points, honba, sticks)
                stays[row] = winner == dealer
                row += 1
    for pattern in range(PATTERNS):
        _exhaust(deltas[row], seat, pattern)
        stays[row] = (pattern >> ((dealer - seat) % 4) & 1) == 1
        row += 1
    stays[row] = True
