"""P(final place 1..4) of every seat, from the scores after a round and what is left of the game.

During the game, the points that each player will still gain are drawn around a small drift from a narrow or a
wide normal distribution. To most players little happens in a round, to some much, and more is won at a time
than lost: a single normal distribution takes a player who is last for less likely to stay there than it is,
and for less likely to win. The spread depends on the rounds left and on the player's turns as dealer still to
come, the form on the rounds left. P(place) integrates over the player's result the probability that others
finish above it. Once the game is over, places are exact: by points, equal points by seat order.
``manue.training.placement`` fits the few parameters on records.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from manue.arrays import F64, I64, Bool
from manue.compiled import compiled, inlined
from manue.game.events import RoundStart
from manue.game.state import RoundState
from manue.models.files import ModelFile
from manue.rules import EXTRA_ROUNDS, HANCHAN, TENHOU, Rules
from manue.tiles import Seat, round_index

ROUNDS = 8
"""East 1 to South 4; a hanchan continues into West only while nobody has the target points."""

PARAMETERS: dict[str, tuple[int]] = {"spread": (ROUNDS,), "shape": (5,), "form": (6,)}
"""The learned arrays and their shapes, in the order of `PlacementModel.learned`."""

_SPREAD_BY_TURNS, _DRIFT_BY_TURNS, _SPREAD_OF_DEALER, _SPREAD_BY_HONBA, _DRIFT_OF_DEALER = range(5)
"""Places of the influences in ``shape``."""
_MOST_HONBA = 4
"""More honba do not widen the spread further."""
_TIE = 1e-4
"""Thousands of points by which a seat counts as behind the one before it: equal points go by seat order."""

PLACES: F64 = np.arange(1.0, 5.0)
"""The final places: P(place) times these is the expected one."""

UMA: dict[str, tuple[float, float, float, float]] = {
    "tenhou": (90.0, 45.0, 0.0, -135.0),
    "club": (30.0, 10.0, -10.0, -30.0),
}
"""Ranking points of places 1..4, by name."""


WON, EXHAUSTED, ABORTED = range(3)
"""How a round ended: by a win, in an exhaustive draw, in an abortive draw."""


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """The position of a game at the start of a round.

    Parameters
    ----------
    index : int
        0 for East 1 .. 7 for South 4, 8 .. 11 for West.
    dealer : int
        The dealer's seat.
    honba, deposits : int
    last : int
        Index of the last planned round: 7 for a hanchan, 3 for an East-only game.
    """

    index: int
    dealer: Seat
    honba: int = 0
    deposits: int = 0
    last: int = HANCHAN

    @classmethod
    def at(cls, start: RoundStart | RoundState, last: int = HANCHAN) -> "RoundPosition":
        """Return the position at the start of a round, or at a later state of it."""
        index = round_index(start.round_wind, start.number)
        return cls(index, start.dealer, start.honba, start.deposits, last)


@dataclass(frozen=True, slots=True)
class PlacementModel:
    """Fitted parameters, points in thousands.

    Parameters
    ----------
    spread : float64[8]
        Log standard deviation of the narrow distribution with 1..8 rounds left.
    shape : float64[5]
        Influence of dealer turns left on the log spread and on the drift, of being dealer on the log spread,
        of honba on the log spread, of being dealer on the drift.
    cumulative : float64[8, 1101]
        With 1..8 rounds left, P(result <= x) for each x of a grid in units of the spread.
    nodes : float64[8, 24]
        The results at which P(place) is integrated, in the same units.
    """

    spread: F64
    shape: F64
    cumulative: F64
    nodes: F64

    @classmethod
    def of(cls, file: ModelFile) -> "PlacementModel":
        """Read the model from its file; raises ModelError if arrays are missing."""
        return cls.learned(*(file.array(name, shape) for name, shape in PARAMETERS.items()))

    @classmethod
    def learned(cls, spread: F64, shape: F64, form: F64) -> "PlacementModel":
        """Return the model with these parameters.

        Parameters
        ----------
        form : float64[6]
            Two each, the value with four rounds left and the change to eight: the log-odds of the narrow
            distribution, the log of how much wider the other is, how much more is gained in it (in units of
            the spread).
        """
        return cls(spread, shape, *_curves(*form.tolist()))

    def final_places(self, scores: npt.ArrayLike, position: RoundPosition) -> F64:
        """Return P(place) at the end of the game, before the round at ``position`` is played.

        Parameters
        ----------
        scores : array_like[..., 4]
            Points by seat.

        Returns
        -------
        float64[..., 4, 4]
            By seat and place; rows and columns sum to 1 (columns within 0.002, from the integration).
        """
        flat = np.asarray(scores, np.float64).reshape(-1, 4)
        index, dealer, honba = (
            np.full(len(flat), value) for value in (position.index, position.dealer, position.honba)
        )
        places = self.places_at(flat, index, dealer, honba, position.last)
        return places.reshape((*np.shape(scores), 4))

    def places_at(
        self,
        scores: F64,
        index: I64,
        dealer: I64,
        honba: I64,
        last: int = HANCHAN,
        seats: Sequence[Seat] = range(4),
    ) -> F64:
        """Return P(place) of seats in n positions: float64[n, seats, 4] from float64[n, 4] and int64[n]."""
        out = np.zeros((len(scores), len(seats), 4))
        curves = self.cumulative, self.nodes
        _places(scores, index, dealer, honba, last, self.spread, self.shape, *curves, np.array(seats), out)
        return out

    def places_after(
        self,
        scores: npt.ArrayLike,
        dealer_stays: npt.ArrayLike,
        position: RoundPosition,
        seat: Seat,
        rules: Rules = TENHOU,
        *,
        ended: npt.ArrayLike = WON,
    ) -> F64:
        """Return P(place) of a seat after the round at ``position`` ended with these scores.

        Parameters
        ----------
        scores : array_like[n, 4]
            Points by seat after the round, without deposits left on the table.
        dealer_stays : array_like of bool[n]
            Whether the dealer keeps the deal (won, or was tenpai at a draw).
        seat : int
        rules : Rules
        ended : int or array_like of int[n]
            ``WON``, ``EXHAUSTED`` or ``ABORTED``.

        Returns
        -------
        float64[n, 4]
            By place; exact if the game is over.
        """
        scores = np.asarray(scores, np.float64)
        stays = np.asarray(dealer_stays, np.bool_)
        index = position.index + ~stays
        dealer = (position.dealer + ~stays) % 4
        ended = np.full(len(stays), ended)
        honba = (stays | (ended != WON)) * (position.honba + 1)
        out = self.places_at(scores, index, dealer, honba, position.last, (seat,))[:, 0]
        over = game_over(scores, stays, position, rules, ended == ABORTED)
        if over.any():
            out[over] = exact_places(scores[over], (seat,))[:, 0]
        return out


def game_over(scores: F64, dealer_stays: Bool, position: RoundPosition, rules: Rules, aborted: Bool) -> Bool:
    """Return whether each result ends the game: somebody below 0, or the target reached in the last rounds.

    From the last planned round on, whoever reaches the target ends the game; but a dealer who stays plays on
    unless leading with it, in extra rounds too, and an abortive draw is played again even then. The fourth
    extra round is the last even without the target, once its dealer does not stay.

    Parameters
    ----------
    scores : float64[n, 4]
        By seat, after the round.
    dealer_stays : bool[n]
    aborted : bool[n]

    Returns
    -------
    bool[n]
    """
    over = np.empty(len(scores), np.bool_)
    late = position.index - position.last
    _end(scores, dealer_stays, aborted, late, position.dealer, rules.target_points, over)
    return over


def exact_places(scores: F64, seats: Sequence[Seat] = range(4)) -> F64:
    """Return the places of final scores as 0 or 1: float64[n, seats, 4]; equal points go by seat order."""
    out = np.zeros((len(scores), len(seats), 4))
    _exact(scores, np.array(seats), out)
    return out


_LEVELS, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_LEVELS, _WEIGHTS = (_LEVELS + 1.0) / 2.0, _WEIGHTS / 2.0
_LOWEST, _STEPS_OF_ONE, _CELLS = -20.0, 25.0, 1100
_GRID = _LOWEST + np.arange(_CELLS + 1) / _STEPS_OF_ONE


def _normal(deviations: F64) -> F64:
    """Return P(a normal result is at most ``deviations`` standard deviations above the mean)."""
    return np.array([0.5 * math.erfc(-x / math.sqrt(2.0)) for x in deviations.tolist()])


_NARROW = _normal(_GRID)


@functools.lru_cache(maxsize=32)
def _curves(*form: float) -> tuple[F64, F64]:
    """Return ``cumulative`` and ``nodes`` of a model with this form.

    They are kept, because a fit by differences asks for the same form again and again.
    """
    cumulative, nodes = np.empty((ROUNDS, len(_GRID))), np.empty((ROUNDS, len(_LEVELS)))
    for left in range(ROUNDS):
        odds, wider, more = np.reshape(form, (3, 2)) @ [1.0, (left - 3) / 4]
        narrow = 1.0 / (1.0 + math.exp(-odds))
        wide = _normal((_GRID - more) / math.exp(wider))
        cumulative[left] = narrow * _NARROW + (1.0 - narrow) * wide
        nodes[left] = np.interp(_LEVELS, cumulative[left], _GRID)
    return cumulative, nodes


@inlined
def _ahead(scores: F64, seat: int) -> int:
    """Count who is ahead of a seat, by points, then by seat order."""
    ahead = 0
    for other in range(4):
        ahead += scores[other] > scores[seat] or (scores[other] == scores[seat] and other < seat)
    return ahead


@compiled
def _exact(scores: F64, seats: I64, out: F64) -> None:
    """Set the place of each seat to 1."""
    for row in range(len(scores)):
        for i in range(len(seats)):
            out[row, i, _ahead(scores[row], seats[i])] = 1.0


@compiled
def _end(
    scores: F64, dealer_stays: Bool, aborted: Bool, late: int, dealer: int, target: int, over: Bool
) -> None:
    """Set which results end the game; ``late`` counts from the last planned round."""
    for row in range(len(scores)):
        stays = dealer_stays[row]
        over[row] = scores[row].min() < 0.0
        if late >= 0 and scores[row].max() >= target and not aborted[row]:
            over[row] |= not stays or _ahead(scores[row], dealer) == 0
        if late >= EXTRA_ROUNDS:
            over[row] |= not stays


@compiled
def _dealer_turns_left(seat: int, index: int, dealer: int, last: int) -> float:
    """Count the rounds from ``index`` on in which this seat deals if no dealer ever stays."""
    if index > last:
        return 1.0 if seat == dealer else 0.0
    turns = 0.0
    for later in range(index, last + 1):
        if (dealer + later - index) % 4 == seat:
            turns += 1.0
    return turns


@compiled
def _places(
    scores: F64,
    index: I64,
    dealer: I64,
    honba: I64,
    last: int,
    spread: F64,
    shape: F64,
    cumulative: F64,
    nodes: F64,
    seats: I64,
    out: F64,
) -> None:
    """Fill P(place) of seats in n positions, float64[n, seats, 4]: each result around its mean and spread."""
    mean = np.empty(4)
    deviation = np.empty(4)
    for row in range(len(scores)):
        left = min(max(last + 1 - index[row], 1), ROUNDS)
        base = spread[left - 1] + shape[_SPREAD_BY_HONBA] * min(honba[row], _MOST_HONBA)
        for seat in range(4):
            turns = _dealer_turns_left(seat, index[row], dealer[row], last)
            average = 1.0 if index[row] > last else (last + 1.0 - index[row])
            more_turns = turns - average / 4
            dealing = (1.0 if seat == dealer[row] else 0.0) - 0.25
            drift = shape[_DRIFT_BY_TURNS] * more_turns
            mean[seat] = scores[row, seat] / 1000.0 + drift + shape[_DRIFT_OF_DEALER] * dealing
            mean[seat] -= _TIE * seat
            wider = shape[_SPREAD_BY_TURNS] * more_turns
            deviation[seat] = math.exp(base + wider + shape[_SPREAD_OF_DEALER] * dealing)
        for i in range(len(seats)):
            _integrate_places(mean, deviation, cumulative[left - 1], nodes[left - 1], seats[i], out[row, i])


@compiled
def _integrate_places(mean: F64, deviation: F64, cumulative: F64, nodes: F64, seat: int, out: F64) -> None:
    """Sum P(0..3 others finish above the seat) over its result by Gauss-Legendre quadrature."""
    below = np.empty((3, len(nodes)))
    for step in range(1, 4):
        other = (seat + step) % 4
        ahead = (mean[seat] - mean[other]) / deviation[other]
        _interpolate(cumulative, ahead, deviation[seat] / deviation[other], nodes, below[step - 1])
    for node in range(len(nodes)):
        first, second, third = below[0, node], below[1, node], below[2, node]
        both, neither = first * second, (1.0 - first) * (1.0 - second)
        one = first * (1.0 - second) + (1.0 - first) * second
        out[0] += _WEIGHTS[node] * both * third
        out[1] += _WEIGHTS[node] * (one * third + both * (1.0 - third))
        out[2] += _WEIGHTS[node] * (neither * third + one * (1.0 - third))
        out[3] += _WEIGHTS[node] * neither * (1.0 - third)


@compiled
def _interpolate(cumulative: F64, ahead: float, scale: float, nodes: F64, out: F64) -> None:
    """Interpolate P(result <= ``ahead + scale * node``) for each node between the points of the grid."""
    first, step = (ahead - _LOWEST) * _STEPS_OF_ONE, scale * _STEPS_OF_ONE
    for node in range(len(nodes)):
        at = min(max(first + step * nodes[node], 0.0), _CELLS - 1e-6)
        cell = int(at)
        out[node] = cumulative[cell] + (at - cell) * (cumulative[cell + 1] - cumulative[cell])
