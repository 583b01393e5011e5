"""Danger by counting, for players in compiled code: which tiles may be waits, and which are safe.

Kernels of this package have no trained models of danger (`manue.models`): these are counts of shapes.
"""

from typing import Any

import numpy as np

from manue.arrays import F32
from manue.compiled import compiled
from manue.sim.codes import ALL_KINDS
from manue.sim.hands import unseen_copies

_SINGLE, _HONOR_SINGLE, _EDGE = np.float32(0.2), np.float32(0.6), np.float32(0.35)
_CLOSED = 0.3
"""Weights of a way to hold a waiting shape, beside 1 for a two-sided wait and for a pair."""


@compiled
def fill_dangers(t: Any, seat: int, dangers: F32) -> None:
    """Fill the share of the waits that each opponent may have on each kind: float32[4, 34], by absolute seat.

    The shapes that could wait on a kind are counted by the unseen copies of the tiles they need; a shape that
    also waits on a tile which is safe cannot be there.
    """
    for step in range(1, 4):
        opponent = (seat + step) % 4
        row = dangers[opponent]
        row[:] = 0.0
        if t["riichi"][opponent] == 0 and t["meld_len"][opponent] == 0:
            continue
        safe = int(t["safe"][opponent] | t["passed"][opponent])
        total = np.float32(1e-6)
        for kind in range(34):
            if safe >> kind & 1:
                continue
            weight = _shapes_on(t, seat, kind, safe)
            row[kind] = weight
            total += weight
        for kind in range(34):
            row[kind] /= total


@compiled
def _shapes_on(t: Any, seat: int, kind: int, safe: int) -> np.float32:
    """Weigh the shapes that could wait on a kind."""
    own = np.float32(unseen_copies(t, seat, kind))
    weight = own * (own - np.float32(1.0)) * np.float32(0.5)  # the pairs that the copies make
    if kind >= 27:
        return weight + _HONOR_SINGLE * own
    weight += _SINGLE * own
    number = kind % 9
    if number >= 2:
        pair = np.float32(unseen_copies(t, seat, kind - 1) * unseen_copies(t, seat, kind - 2))
        if number == 2:
            weight += _EDGE * pair
        elif not safe >> (kind - 3) & 1:
            weight += pair
    if number <= 6:
        pair = np.float32(unseen_copies(t, seat, kind + 1) * unseen_copies(t, seat, kind + 2))
        if number == 6:
            weight += _EDGE * pair
        elif not safe >> (kind + 3) & 1:
            weight += pair
    if 1 <= number <= 7:
        weight += np.float32(_CLOSED * unseen_copies(t, seat, kind - 1) * unseen_copies(t, seat, kind + 1))
    return weight


@compiled
def safe_against_riichi(t: Any, seat: int) -> int:
    """Return the mask of the kinds safe against all opponents in riichi; 0 if nobody is, or no kind is."""
    mask, threats = ALL_KINDS, 0
    for step in range(1, 4):
        opponent = (seat + step) % 4
        if t["riichi"][opponent]:
            mask &= int(t["safe"][opponent])
            threats += 1
    return mask if threats else 0
