"""How a round may end: a fixed list of endings, and the probability of each after an option.

The endings (``Endings``) are: this seat's win by self-draw or off each opponent, in several sizes; dealing in
to each opponent; an opponent's win by self-draw or off another opponent; an exhaustive draw with each pattern
of tenpai hands; an abortive draw. An option is a vector of their probabilities. What each ending is worth
(``manue.decision.payoffs``) is computed once per decision, so valuing one more option costs one dot product.
Only dealing in with the very tile that an option risks has endings of its own (`endings_of_deal_in`), because
some tiles cost far more than others.
"""

from typing import NamedTuple

import numpy as np

from manue.arrays import F64, Bool
from manue.compiled import compiled
from manue.hand.points import SIZES, between
from manue.models.opponents import LOSS_SIZES

PATTERNS = 16
"""Patterns of tenpai hands at an exhaustive draw: bit 0 is this seat's hand, bits 1..3 the opponents'."""

OWN_TSUMO = 0  # by size
OWN_RON = OWN_TSUMO + SIZES  # by opponent, then size
DEAL_IN = OWN_RON + 3 * SIZES  # by opponent, then size
OTHER_TSUMO = DEAL_IN + 3 * LOSS_SIZES  # by opponent, then size
OTHER_RON = OTHER_TSUMO + 3 * LOSS_SIZES  # by winner, then by payer among the other two, then size
DRAW = OTHER_RON + 6 * LOSS_SIZES  # by pattern
ABORT = DRAW + PATTERNS
COUNT = ABORT + 1
"""Where each kind of ending starts in the list, and the length of the list, 89; opponents in turn order."""

DEAL_INS = 3 * LOSS_SIZES
"""Ways in which one tile may deal in: by opponent, in turn order, then size."""


class Endings:
    """Slices of the list of endings."""

    own_tsumo = slice(OWN_TSUMO, OWN_RON)
    own_ron = slice(OWN_RON, DEAL_IN)
    deal_in = slice(DEAL_IN, OTHER_TSUMO)
    other_tsumo = slice(OTHER_TSUMO, OTHER_RON)
    other_ron = slice(OTHER_RON, DRAW)
    draw = slice(DRAW, ABORT)
    any_draw = slice(DRAW, COUNT)


class OutcomeProbabilities(NamedTuple):
    """How the round continues once an option's discard has passed, for n options.

    ``win + deal_in_later + draw`` is at most 1; the rest is P(others win, but not off this seat).

    Attributes
    ----------
    win, deal_in_later, draw : float64[n]
        P(this seat wins), P(it deals in with a later tile), P(draw).
    ways : float64[n, 2, SIZES]
        P(its win is a self-draw of each size, and a ron of each size); sums to 1
        (``manue.decision.own_wins``).
    own_tenpai : float64[n]
        P(this seat is tenpai, given an exhaustive draw).
    win_shares : float64[3]
        Each opponent's share of the opponents' wins, in turn order, summing to 1.
    other_tsumo_share : float
        Share of self-draws among the opponents' wins that are not off this seat.
    tenpai_at_draw : float64[n, 3]
        P(each opponent is tenpai, given an exhaustive draw).
    aborted : bool[n]
        Whether the draw is an abortive one.
    """

    win: F64
    deal_in_later: F64
    draw: F64
    ways: F64
    own_tenpai: F64
    win_shares: F64
    other_tsumo_share: float
    tenpai_at_draw: F64
    aborted: Bool


def endings_after(probabilities: OutcomeProbabilities) -> F64:
    """Return P(each ending) once the discard has passed: float64[n, 89], rows summing to 1."""
    out = np.zeros((len(probabilities.win), COUNT))
    _fill_endings(probabilities, out)
    return out


def endings_of_deal_in(probs: F64) -> tuple[F64, F64]:
    """Return P(each way of dealing in with a tile), and how many win on it where anybody does.

    Where two might win on it, an ending stands for both of their wins: there are fewer endings than wins, and
    what an ending pays has to be as much larger as the second figure says.

    Parameters
    ----------
    probs : float64[n, 3]
        P(the opponent wins on it), in turn order.

    Returns
    -------
    endings : float64[n, 9]
        Rows sum to P(anybody wins on it).
    wins : float64[n]
        At least 1.
    """
    endings, wins = np.empty((len(probs), DEAL_INS)), np.empty(len(probs))
    _fill_deal_ins(probs, endings, wins)
    return endings, wins


SCORE_STEPS: tuple[int, ...] = tuple(
    sign * size
    for sign, sizes in (
        (-1, (48000, 32000, 18000, 12000, 8000, 4000, 2000, 1000)),
        (1, (0, 1000, 2000, 4000, 8000, 12000, 18000, 32000, 48000)),
    )
    for size in sizes
)
"""Changes of this seat's score at which a distribution is given."""


def score_distribution(points: F64, probs: F64) -> F64:
    """Return the distribution of this seat's score change over the endings: float64[len(SCORE_STEPS)].

    Parameters
    ----------
    points, probs : float64[n]
        This seat's score change and the probability of each ending. A change between two steps is divided
        between them so that the mean is kept; one beyond the outermost step counts for that step.
    """
    steps = np.array(SCORE_STEPS, np.float64)
    upper, share = between(points, steps)
    out = np.bincount(upper - 1, probs * (1.0 - share), len(steps))
    return np.asarray(out + np.bincount(upper, probs * share, len(steps)), np.float64)


# ---- kernels


@compiled
def _fill_deal_ins(probs: F64, endings: F64, wins: F64) -> None:
    for i in range(len(probs)):
        nobody, mean = 1.0, 0.0
        for other in range(3):
            nobody *= 1.0 - probs[i, other]
            mean += probs[i, other]
        wins[i] = mean / (1.0 - nobody) if nobody < 1.0 else 1.0
        for other in range(3):
            for size in range(LOSS_SIZES):
                endings[i, LOSS_SIZES * other + size] = probs[i, other] / (LOSS_SIZES * wins[i])


@compiled
def _fill_endings(probabilities: OutcomeProbabilities, out: F64) -> None:
    """Fill in the endings in the order of `Endings`."""
    share = 1.0 / LOSS_SIZES
    for i in range(len(out)):
        row = out[i]
        win, ways = probabilities.win[i], probabilities.ways[i]
        for size in range(SIZES):
            row[OWN_TSUMO + size] = win * ways[0, size]
            for other in range(3):
                row[OWN_RON + SIZES * other + size] = win * ways[1, size] / 3.0
        others = max(0.0, 1.0 - win - probabilities.deal_in_later[i] - probabilities.draw[i])
        for other in range(3):
            won = probabilities.win_shares[other] * share
            for k in range(LOSS_SIZES):
                row[DEAL_IN + LOSS_SIZES * other + k] = probabilities.deal_in_later[i] * won
                row[OTHER_TSUMO + LOSS_SIZES * other + k] = others * probabilities.other_tsumo_share * won
                for payer in range(2):
                    ron = others * (1.0 - probabilities.other_tsumo_share) / 2.0
                    row[OTHER_RON + LOSS_SIZES * (2 * other + payer) + k] = ron * won
        if probabilities.aborted[i]:
            row[ABORT] = probabilities.draw[i]
            continue
        for pattern in range(PATTERNS):
            chance = probabilities.draw[i]
            own = probabilities.own_tenpai[i]
            chance *= own if pattern & 1 else 1.0 - own
            for other in range(3):
                tenpai = probabilities.tenpai_at_draw[i, other]
                chance *= tenpai if pattern >> (other + 1) & 1 else 1.0 - tenpai
            row[DRAW + pattern] = chance
