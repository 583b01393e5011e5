"""Every option of a decision played on in the same worlds, to the end of the round; compiled code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from manue.arrays import I8, I16, I32, I64, U64, Bool
from manue.compiled import compiled
from manue.cores import available_cores
from manue.futures import ThreadPool
from manue.game.actions import Action, Discard
from manue.models.placement import ABORTED, EXHAUSTED, WON
from manue.rollouts.hands import put_hand
from manue.rollouts.snapshot import TILE_NUMBERS, Snapshot
from manue.rollouts.worlds import Worlds
from manue.rules import Rules
from manue.sim.codes import RIICHI, code_of
from manue.sim.games import dealer_stays, is_aborted, is_drawn
from manue.sim.kit import new_kit
from manue.sim.play import play_on
from manue.sim.players import PLANNED, POLICY
from manue.sim.randomness import random_below
from manue.sim.table import Tables

Plan = tuple[Action, Discard | None]
"""An option: the action, and the discard that follows a call or a riichi."""
CHUNK = 256
"""Worlds played on at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """How the round ended in each world after each option.

    Parameters
    ----------
    scores : int32[worlds, options, 4]
        Points by seat after the round, without sticks left on the table.
    stays : bool[worlds, options]
        Whether the dealer deals the next round too.
    ended : int8[worlds, options]
        ``manue.models.placement.WON``, ``EXHAUSTED`` or ``ABORTED``.
    drawn : int64[worlds]
        Which hands the others had: equal numbers, equal hands.
    """

    scores: I32
    stays: Bool
    ended: I8
    drawn: I64


class _Start(NamedTuple):
    """What all worlds and options have in common, for the kernel.

    Attributes
    ----------
    position : TABLE[1]
        The decision, with the players of the seats.
    table : TABLE[1]
        On which the rounds are played.
    seat, turn, occasion, unseen, places
        As in `manue.rollouts.snapshot.Snapshot`.
    """

    position: Tables
    table: Tables
    seat: int
    turn: int
    occasion: int
    unseen: I8
    places: I64


class _Scripts(NamedTuple):
    """The plans of the options as codes.

    Attributes
    ----------
    steps : int16[options, 2]
    lengths : int64[options]
        How many codes each option has.
    """

    steps: I16
    lengths: I64


def play_options(
    snapshot: Snapshot,
    worlds: Worlds,
    plans: Sequence[Plan],
    seed: int,
    rules: Rules,
    weights: Any,
    advance: Callable[[int], None] = lambda _worlds: None,
) -> Results:
    """Play every option on in every world, with the policy net in all four seats.

    In a world all options meet the same hands and the same wall.

    Parameters
    ----------
    snapshot : Snapshot
    worlds : Worlds
    plans : sequence of (Action, Discard or None)
        The options.
    seed : int
        Of the order of the tiles in the walls.
    rules : Rules
    weights : float32[weights]
        The policy net.
    advance : callable
        Called with the number of worlds that have been played on since its last call.
    """
    number = len(worlds.hands)
    scores = np.zeros((number, len(plans), 4), np.int32)
    stays, ended = np.zeros((number, len(plans)), np.bool_), np.zeros((number, len(plans)), np.int8)
    words = np.random.default_rng([seed, 2]).integers(1, 2**63, number, dtype=np.uint64)
    scripts = _scripts(snapshot, plans)
    position = snapshot.tables.copy()
    position["player"] = POLICY
    position["player"][0, snapshot.seat] = PLANNED

    def play(first: int) -> int:
        part = slice(first, first + CHUNK)
        start = _Start(
            position,
            position.copy(),
            snapshot.seat,
            snapshot.turn,
            snapshot.occasion,
            snapshot.unseen,
            snapshot.places,
        )
        results = scores[part], stays[part], ended[part]
        _play_worlds(start, worlds.hands[part], words[part], scripts, new_kit(rules, [weights]), *results)
        return len(words[part])

    with ThreadPool(available_cores()) as pool:
        for done in pool.map(play, range(0, number, CHUNK)):
            advance(done)
    return Results(scores, stays, ended, worlds.drawn)


def _scripts(snapshot: Snapshot, plans: Sequence[Plan]) -> _Scripts:
    steps, lengths = np.zeros((len(plans), 2), np.int16), np.zeros(len(plans), np.int64)
    for option, (action, discard) in enumerate(plans):
        codes = [code_of(one, snapshot.seat) for one in (action, discard) if one is not None]
        if snapshot.declared:
            codes.insert(0, RIICHI)
        steps[option, : len(codes)] = codes
        lengths[option] = len(codes)
    return _Scripts(steps, lengths)


@compiled
def put_wall(t: Any, left: I8, places: I64) -> None:
    """Put the tiles left, int8[37], into places of the wall in an order drawn by the ``rng`` of the table."""
    count = 0
    wall = t["wall"]
    for tile in range(len(left)):
        for _ in range(left[tile]):
            other = random_below(t, count + 1)
            wall[places[count]] = wall[places[other]]
            wall[places[other]] = tile
            count += 1


@compiled
def _play_worlds(
    start: _Start, hands: I8, words: U64, scripts: _Scripts, kit: Any, scores: I32, stays: Bool, ended: I8
) -> None:
    """Play every option on in n worlds, and fill in how the rounds ended.

    Parameters
    ----------
    start : _Start
    hands : int8[n, 4, 37]
        Of the others in each world, by seat and tile.
    words : uint64[n]
        State of the table's random numbers in each world, by which its wall is shuffled; not 0.
    scripts : _Scripts
    kit : KIT
        With the policy net.
    scores, stays, ended : int32[n, options, 4], bool[n, options], int8[n, options]
        Filled, as in `Results`.
    """
    left = np.empty(TILE_NUMBERS, np.int8)
    for world in range(len(hands)):
        for option in range(len(scripts.steps)):
            start.table[0] = start.position[0]
            t = start.table[0]
            t["rng"] = words[world]
            left[:] = start.unseen
            for step in range(1, 4):
                seat = (start.seat + step) % 4
                left -= hands[world, seat]
                put_hand(t, seat, hands[world, seat], kit["tables"])
            put_wall(t, left, start.places)
            for at in range(scripts.lengths[option]):
                kit["script"][at, 1] = scripts.steps[option, at]
            kit["script_len"] = scripts.lengths[option]
            play_on(t, start.turn, start.occasion, kit)
            scores[world, option] = t["scores"]
            stays[world, option] = dealer_stays(t)
            ended[world, option] = ABORTED if is_aborted(t) else EXHAUSTED if is_drawn(t) else WON
