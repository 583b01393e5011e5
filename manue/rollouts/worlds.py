"""Worlds: what the others may hold, drawn so that they wait as often, and on what, as the models say.

First a pool of worlds is drawn from the tiles not seen (`manue.rollouts.hands`), so that the hands of a world
never hold a tile twice. Then the worlds are weighed by iterative proportional fitting, or raking (Deming and
Stephan, "On a least squares adjustment of a sampled frequency table", 1940), until, for each opponent, the
weights of the worlds in which it is tenpai add up to P(tenpai), and of those in which it wins on a kind to
P(the kind wins now). The worlds to be played on are drawn by these weights.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from manue.arrays import F64, I8, I64, Bool
from manue.compiled import compiled
from manue.game.state import RoundState
from manue.models.danger import Danger
from manue.rollouts.hands import MAX_SHANTEN, draw_hand, winning_kinds
from manue.rollouts.snapshot import TILE_NUMBERS, Snapshot
from manue.sim.randomness import random_below, random_share
from manue.sim.table import Tables

MIN_POOL, MAX_POOL, POOL_SHARE = 4096, 32_768, 4
"""Worlds drawn for each one wanted, within limits."""
_MIN_TENPAI = 0.03
"""Least share of the pool in which an opponent is tenpai, and in which it is not."""
_SWEEPS, _NEAR = 60, 1e-3
"""Most sweeps of the fit, and the relative change of weights below which it ends."""
_MIN_INSIDE = 3
"""A kind that fewer worlds of the pool win on is left as it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """Hands of the opponents in n worlds, all equally likely.

    Parameters
    ----------
    hands : int8[n, 4, 37]
        By absolute seat and tile; the observer's are 0.
    tenpai : bool[n, 4]
    wins : int64[n, 4]
        Mask of the kinds on which a seat would win if they were discarded now.
    drawn : int64[n]
        Which hands of the pool; those with a large weight are in several worlds.
    """

    hands: I8
    tenpai: Bool
    wins: I64
    drawn: I64

    def any_wins(self) -> F64:
        """Return the share of the worlds in which anybody wins on each kind: float64[34]."""
        together = np.bitwise_or.reduce(self.wins, axis=1)
        return np.asarray((together[:, None] >> np.arange(34) & 1).mean(axis=0), np.float64)


def draw_worlds(
    snapshot: Snapshot, state: RoundState, danger: Danger, number: int, seed: int, kit: Any
) -> Worlds:
    """Draw worlds that agree with what a seat sees and with what the models say of the opponents.

    Parameters
    ----------
    snapshot : Snapshot
    state : RoundState
        The state it was taken of.
    danger : Danger
        What the opponents threaten there.
    number : int
    seed : int
        The same gives the same worlds.
    kit : KIT
    """
    size = min(max(MIN_POOL, POOL_SHARE * number), max(MAX_POOL, number))
    hands = np.zeros((size, 4, TILE_NUMBERS), np.int8)
    tenpai, wins = np.zeros((size, 4), np.bool_), np.zeros((size, 4), np.int64)
    shares = np.array([shanten_shares(state, seat, float(danger.tenpai[seat])) for seat in range(4)])
    _draw_pool(
        snapshot.tables.copy(), snapshot.seat, shares, snapshot.unseen, _word(seed), kit, hands, tenpai, wins
    )
    weights = _weigh(snapshot, danger, tenpai, wins)
    chosen = _systematic(weights, number, np.random.default_rng([seed, 1]))
    return Worlds(hands[chosen], tenpai[chosen], wins[chosen], chosen)


def shanten_shares(state: RoundState, seat: int, tenpai: float) -> F64:
    """Return how often a hand of the pool has a shanten of 0, 1 .. `MAX_SHANTEN`: float64[7].

    Hands that are not tenpai have the shanten of those of strong players after as many discards and calls.
    """
    player = state.players[seat]
    if player.riichi:
        return np.asarray(np.eye(MAX_SHANTEN + 1)[0], np.float64)
    counts = _hands_by_turn()
    row = counts[min(len(player.melds), len(counts) - 1), min(len(player.river), counts.shape[1] - 1)]
    ready = min(max(tenpai, _MIN_TENPAI), 1.0 - _MIN_TENPAI)
    return np.concatenate([[ready], (1.0 - ready) * row / row.sum()])


@cache
def _hands_by_turn() -> F64:
    """Return the counts of ``hands_by_turn.json``, each one more: float64[melds, discards, MAX_SHANTEN]."""
    found = json.loads((files("manue.rollouts") / "hands_by_turn.json").read_text("utf-8"))
    return np.array(found["counts"], np.float64) + 1.0


def _word(seed: int) -> np.uint64:
    """Return a state of the table's generator, which must not be 0."""
    return np.random.default_rng(seed).integers(1, 2**63, dtype=np.uint64)


@compiled
def _draw_pool(
    tables: Tables,
    observer: int,
    shares: F64,
    unseen: I8,
    word: np.uint64,
    kit: Any,
    hands: I8,
    tenpai: Bool,
    wins: I64,
) -> None:
    """Fill a pool of worlds; those in riichi take their tiles first, the others in any order."""
    t = tables[0]
    t["rng"] = word
    left = np.empty(TILE_NUMBERS, np.int8)
    for world in range(len(hands)):
        left[:] = unseen
        first = random_below(t, 3)
        turn = 1 + random_below(t, 2)
        for riichi in range(1, -1, -1):
            for step in range(3):
                seat = (observer + 1 + (first + turn * step) % 3) % 4
                if (t["riichi"][seat] > 0) != (riichi == 1):
                    continue
                shanten, rest = 0, random_share(t)
                while shanten < MAX_SHANTEN and rest >= shares[seat, shanten]:
                    rest -= shares[seat, shanten]
                    shanten += 1
                draw_hand(t, seat, shanten, left, hands[world, seat], kit)
                if t["waits"][seat] != 0:
                    tenpai[world, seat] = True
                    wins[world, seat] = winning_kinds(t, seat, kit)


def _weigh(snapshot: Snapshot, danger: Danger, tenpai: Bool, wins: I64) -> F64:
    """Weigh the worlds of a pool by the models: float64[n]."""
    margins: list[tuple[I64, float]] = []
    for seat in snapshot.opponents:
        ready = np.flatnonzero(tenpai[:, seat])
        margins.append((ready, float(danger.tenpai[seat])))
        for kind in np.flatnonzero(danger.prob[seat] > 0).tolist():
            inside = np.flatnonzero(wins[:, seat] >> kind & 1)
            if len(inside) >= _MIN_INSIDE:
                margins.append((inside, float(danger.prob[seat, kind])))
    return fit_weights(len(tenpai), margins)


def fit_weights(size: int, margins: list[tuple[I64, float]]) -> F64:
    """Return weights, which sum to 1, such that those of each set of members add up to a probability.

    By iterative proportional fitting: set after set, its weights are scaled to what is wanted, until none
    changes much, or a number of sweeps is over where the sets contradict each other.

    Parameters
    ----------
    size : int
        How many weights.
    margins : list of (int64[n], float)
        The members of each set and the probability wanted. A set with all members, or with none, is left out;
        with the probability 1 only its members keep a weight.
    """
    weights = np.full(size, 1.0 / size)
    margins = [(inside, wanted) for inside, wanted in margins if 0 < len(inside) < size]
    for inside, wanted in margins:
        if wanted >= 1.0:
            kept = np.zeros(size)
            kept[inside] = weights[inside]
            weights = kept
    fitted = [(inside, wanted / (1.0 - wanted)) for inside, wanted in margins if wanted < 1.0]
    for _ in range(_SWEEPS):
        most = 0.0
        total = weights.sum()
        for inside, odds in fitted:
            held = weights[inside].sum()
            if not 0.0 < held < total:
                continue
            factor = odds * (total - held) / held
            weights[inside] *= factor
            total += (factor - 1.0) * held
            most = max(most, abs(factor - 1.0))
        weights /= weights.sum()
        if most < _NEAR:
            break
    return weights


def _systematic(weights: F64, number: int, rng: np.random.Generator) -> I64:
    """Draw members by their weights, each as often as expected to within one: int64[number], in any order."""
    places = (np.arange(number) + rng.random()) / number
    chosen = np.searchsorted(np.cumsum(weights) / weights.sum(), places)
    return np.asarray(rng.permutation(np.minimum(chosen, len(weights) - 1)), np.int64)
