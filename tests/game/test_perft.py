"""Exact counts of the ways a round can begin: every choice of every seat, from a fixed wall.

One ply is a question of the referee: all seats asked answer at once, so a ply has the product of their
choices. Our count equals the referee's only if no choice is missing or extra anywhere in the tree.
MANUE_FULL=1 looks one ply further.
"""

import json
from itertools import product
from math import prod

import pytest

from manue.game.legal import legal_actions
from manue.game.state import RoundState
from tests.conftest import FULL
from tests.game.judging import event_of

riichienv = pytest.importorskip("riichienv", reason="needs the extra 'arena'")

PLIES = 5 if FULL else 4


class Node:
    """The table after some plies; reached by playing the same wall again from the start."""

    def __init__(self, seed: int, path: tuple) -> None:
        self.env = riichienv.RiichiEnv(game_mode="4p-red-half", seed=seed)
        self.states = [RoundState(seat) for seat in range(4)]
        self.hear(self.env.reset())
        for answers in path:
            self.hear(self.env.step({seat: self.moves[seat][at] for seat, at in answers}))

    def hear(self, asked: dict) -> None:
        self.moves, self.ours = {}, {}
        for seat, view in asked.items():
            for line in view.new_events():
                self.states[seat].apply(event_of(json.loads(line)))
            self.ours[seat] = legal_actions(self.states[seat])
            self.moves[seat] = self.distinct(view.legal_actions())

    def distinct(self, moves: list) -> list:
        """Leave out physical copies of one tile, but not the copy just drawn."""
        found = {(move.to_mjai(), move.tile == self.env.drawn_tile): move for move in moves}
        return list(found.values())

    def answers(self) -> list[tuple]:
        seats = sorted(self.moves)
        choices = product(*(range(len(self.moves[seat])) for seat in seats))
        return [tuple(zip(seats, choice, strict=True)) for choice in choices]


def count(seed: int, plies: int, path: tuple = ()) -> tuple[int, int]:
    """Return the number of ways by the referee's choices and by ours."""
    node = Node(seed, path)
    if plies == 1 or not node.moves:
        theirs = prod(len(moves) for moves in node.moves.values())
        return theirs, prod(len(node.ours[seat]) for seat in node.moves)
    totals = [count(seed, plies - 1, (*path, answer)) for answer in node.answers()]
    return sum(total[0] for total in totals), sum(total[1] for total in totals)


@pytest.mark.parametrize("seed", range(6))
def test_ways_to_begin(seed):
    theirs, ours = count(seed, PLIES)
    print(f"wall {seed}, {PLIES} plies: {theirs} ways")
    assert ours == theirs > 5_000
