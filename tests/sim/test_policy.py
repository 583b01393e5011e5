"""The columns of the policy net equal those of a slow oracle, in games with calls and riichi."""

import numpy as np
import pytest

from manue.game.actions import Call, Discard, Pass, Riichi
from manue.game.events import Draw
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.hand.shanten import ukeire_by_discard
from manue.sim.codes import code_of
from manue.sim.columns import CALL_COLUMNS, CONTEXT, DISCARD_COLUMNS, RIICHI_COLUMNS
from manue.sim.context_features import fill_context
from manue.sim.danger import fill_dangers
from manue.sim.declaration_features import fill_call, fill_riichi
from manue.sim.discard_features import fill_discards
from manue.sim.hands import rate_discards
from manue.sim.kit import new_kit
from manue.sim.players import EAGER, GREEDY, RANDOM
from manue.sim.view import table_of
from manue.tiles import KIND_OF, parse_tiles
from tests.agents.test_manue import state_of
from tests.game.judging import event_of
from tests.oracles.policy_columns import best_left, call_of, context_of, discards_of, riichi_of
from tests.sim.judge import simulate

LEAST = 1e-7


def named(columns, row):
    return {
        column.name: float(value) for column, value in zip(columns, row, strict=False) if abs(value) > 1e-7
    }


def equal(found, wanted, where):
    different = {
        name: (found.get(name, 0), wanted.get(name, 0))
        for name in found.keys() | wanted.keys()
        if found.get(name, 0) != pytest.approx(wanted.get(name, 0), rel=1e-4, abs=1e-5)
    }
    assert different == {}, where


@pytest.mark.parametrize("seed", range(3))
def test_columns(seed):
    game = simulate(seed, [EAGER, GREEDY, EAGER, RANDOM], last_index=0, rng=seed)
    states = [RoundState(seat) for seat in range(4)]
    kit = new_kit()
    compared = {"discards": 0, "calls": 0, "kans": 0, "riichi": 0}
    for message in game.messages[:-1]:
        for state in states:
            state.apply(event_of(message))
            actions = legal_actions(state)
            if actions:
                compare(state, actions, kit, compared)
    print(compared)
    assert compared["discards"] > 50
    assert compared["calls"] > 5


@pytest.mark.parametrize(
    "hand",
    [
        "123p678p78s99s789m5mr",  # regression: the dora of the red five that is given up was counted
        "123p678p78s99s78m5m5mr",
        "22m33m44m55p66p77p8s9s",
        "123m456p789s11z23s9p",
        "19m19p19s1234567z9s",  # regression: the tile discarded, on which the hand waits, was unseen
    ],
)
def test_riichi_columns(hand):
    *held, drawn = parse_tiles(hand)
    state = state_of(" ".join(held), Draw(0, drawn))
    kit, compared = new_kit(), {"discards": 0, "calls": 0, "kans": 0, "riichi": 0}
    compare(state, legal_actions(state), kit, compared)
    assert compared["riichi"] == 1


def compare(state, actions, kit, compared):
    t, _ = table_of(state, actions)
    seat = state.seat
    kinds = sorted({KIND_OF[action.tile] for action in actions if isinstance(action, Discard)})
    if len(kinds) > 1:
        rate_discards(t, seat, kit["tables"])
        after, _ = ukeire_by_discard(state.counts, len(state.me.melds))
        lowest = int(min(after[kind] for kind in kinds))
        fill_context(t, seat, lowest, kit["context"])
        equal(named(CONTEXT, kit["context"]), context_of(state, lowest), "context")
        fill_dangers(t, seat, kit["dangers"])
        mask = sum(1 << kind for kind in kinds)
        n = fill_discards(t, seat, mask, kit["tables"], kit["dangers"], kit["rows"], kit["found"])
        assert kit["found"][:n].tolist() == kinds
        for at, wanted in enumerate(discards_of(state, kinds)):
            equal(named(DISCARD_COLUMNS, kit["rows"][at]), wanted, (state.last_event, kinds[at]))
        compared["discards"] += 1
        if Riichi() in actions:
            fill_riichi(t, seat, kit["dangers"], kit, kit["rows"][0])
            equal(named(RIICHI_COLUMNS, kit["rows"][0]), riichi_of(state), ("riichi", state.hand))
            compared["riichi"] += 1
    unseen = np.maximum(4 - state.visible.astype(int), 0)
    for action in actions:
        if isinstance(action, Call):
            kit["rows"][0] = 0
            now, useful = best_left(state.counts, len(state.me.melds), unseen, ())
            fill_call(t, seat, code_of(action, seat), now, useful, kit["tables"], kit["rows"][0])
            wanted = call_of(state, action.kind, action.consumed, action.tile)
            equal(named(CALL_COLUMNS, kit["rows"][0]), wanted, (state.hand, action))
            compared["calls" if Pass() in actions else "kans"] += 1
