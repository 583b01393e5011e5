"""Measures how readily opponents discard waits, by class (`manue.features.wait_discard_rates`)."""

from collections.abc import Iterator

import numpy as np

from manue.arrays import F64, I64
from manue.as_text import table_head
from manue.compiled import compiled
from manue.features.scene import ANKAN_MELD, Scenes
from manue.features.wait_discard_rates import AXES, CLOSED, DECLARED, OPENED, TABLE_SHAPE, wait_class
from manue.training.dataset import Shard, rounds_of

PRIOR = 200.0
"""Weight, in copies, of the mean of similar classes: those that differ only in copies seen and dora."""


def count_copies(shard: Shard, discarded: F64, copies: F64) -> None:
    """Count unseen copies, and those that opponents discarded later in the round, by class.

    They are counted at every discard, for every kind that its seat could still win on by ron.

    Parameters
    ----------
    shard : Shard
        Whole rounds, their discards in the order they were made.
    discarded, copies : float64[CLASSES]
        Where the numbers are added.
    """
    truths = shard.truths
    seats, thrown = truths["seat"].astype(np.int64), truths["discarded"].astype(np.int64)
    _count(shard.scenes, rounds_of(truths), seats, thrown, discarded, copies)


def shares(discarded: F64, copies: F64) -> F64:
    """Return the shares, shrunk towards the mean of similar classes, and that towards the mean of all.

    All are float64 of the shape of `AXES`, one axis each.
    """
    like = (4, 5)
    every = discarded.sum() / max(copies.sum(), 1.0)
    mean = (discarded.sum(like, keepdims=True) + PRIOR * every) / (copies.sum(like, keepdims=True) + PRIOR)
    return np.asarray((discarded + PRIOR * mean) / (copies + PRIOR), np.float64)


def discard_rate_lines(discard_rates: F64) -> Iterator[str]:
    """Yield a table of some shares: against a riichi early in a round, for kinds that are not dora."""
    sides = AXES[3][1]
    yield "Share of the unseen copies of a kind that opponents discard later in the round, against a riichi"
    yield "with 32-47 tiles left, if one copy is visible to all and the kind is not dora, by the ryanmen that"
    yield "may wait on it:"
    yield ""
    yield from table_head(["kind", *sides])
    for shape, name in enumerate(AXES[2][1]):
        most = 0 if shape < 2 else 2 if shape == TABLE_SHAPE[2] - 1 else 1
        cells = [
            f"{discard_rates[DECLARED, 1, shape, side, 1, 0]:.3f}" if side <= most else ""
            for side in range(3)
        ]
        yield f"| {name} | {' | '.join(cells)} |"


# ---- kernel


@compiled
def _count(scenes: Scenes, rounds: I64, seats: I64, thrown: I64, discarded: F64, copies: F64) -> None:
    """Go through the discards from last to first, counting what each seat discards afterwards."""
    later = np.zeros((4, 34), np.int64)
    everyone = np.zeros(34, np.int64)
    counts = np.empty(34, np.int8)
    for i in range(len(scenes) - 1, -1, -1):
        if i == len(scenes) - 1 or rounds[i] != rounds[i + 1]:
            later[:] = 0
            everyone[:] = 0
        here, seat = scenes[i], seats[i]
        manner = DECLARED if here["riichi"][0] != 0 else CLOSED
        for meld in range(here["meld_len"][0]):
            if here["meld_kind"][0, meld] != ANKAN_MELD:
                manner = OPENED
        counts[:] = here["hand"]
        counts[thrown[i]] -= 1
        for kind in range(34):
            unseen = 4 - here["visible"][kind]
            if unseen <= 0 or here["safe"][0, kind] != 0 or kind == thrown[i]:
                continue
            at = wait_class(here, counts, thrown[i], kind, manner)
            copies[at] += unseen
            discarded[at] += everyone[kind] - later[seat, kind]
        later[seat, thrown[i]] += 1
        everyone[thrown[i]] += 1
