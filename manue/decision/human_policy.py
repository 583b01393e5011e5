"""What strong players do: which tile of a hand they discard (the discard policy)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from manue.arrays import F64
from manue.decision.afterstates import DiscardsOfHand
from manue.models.discard_policy import DiscardPolicy

MIN_SHARE = 1e-6
"""Share of a discard that strong players never make, relative to their favourite."""


class DiscardShare(NamedTuple):
    """P(strong players make a discard), and the log of its ratio to that of their favourite from the hand."""

    prob: float
    log_preference: float


def discard_shares(hands: Sequence[DiscardsOfHand], model: DiscardPolicy) -> dict[int, DiscardShare]:
    """Return how often strong players make each discard, by index of the option."""
    shares: dict[int, DiscardShare] = {}
    for hand in hands:
        found = model.shares(hand.rows, hand.kinds, hand.planes)
        preference = np.log(np.maximum(found / found.max(), MIN_SHARE))
        for number, prob, log in zip(hand.members, found.tolist(), preference.tolist(), strict=True):
            shares[number] = DiscardShare(prob, log)
    return shares


def log_preferences(shares: Mapping[int, DiscardShare], options: int) -> F64:
    """Return the log preference of each option, 0 where it is not a discard without riichi."""
    found = np.zeros(options)
    for number, share in shares.items():
        found[number] = share.log_preference
    return found
