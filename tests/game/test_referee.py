"""Our legal sets against riichienv's, decision by decision, in games of mixed simple players.

MANUE_FULL=1 plays 100 hanchan instead of 4.
"""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from manue.game.actions import Action, Call, Discard, Pass, Riichi, Win
from manue.game.state import RoundState
from manue.hand.shanten import shanten_batch
from manue.rules import MAHJONG_SOUL, TENHOU, Rules
from manue.tiles import KIND_OF
from tests.conftest import FULL
from tests.game.judging import choices_of, differences, event_of, follow

riichienv = pytest.importorskip("riichienv", reason="needs the extra 'arena'")

Pick = Callable[[RoundState, Sequence[Action], random.Random], Action]
GAMES = 100 if FULL else 4


def best_discard(state: RoundState, actions: Sequence[Action], rng: random.Random) -> Action:
    discards = [action for action in actions if isinstance(action, Discard)]
    hands = np.array([state.counts] * len(discards))
    hands[range(len(discards)), [KIND_OF[discard.tile] for discard in discards]] -= 1
    values = shanten_batch(hands, len(state.me.melds))
    return rng.choice(
        [discard for discard, value in zip(discards, values, strict=True) if value == min(values)]
    )


def pick_random(state: RoundState, actions: Sequence[Action], rng: random.Random) -> Action:
    return rng.choice(actions)


def pick_keen(state: RoundState, actions: Sequence[Action], rng: random.Random) -> Action:
    """Wins, declares riichi and makes kans whenever possible; calls nothing else."""
    for kind in (Win, Riichi):
        for action in actions:
            if isinstance(action, kind):
                return action
    for action in actions:
        if isinstance(action, Call) and action.kind in {"ankan", "kakan"}:
            return action
    return Pass() if Pass() in actions else best_discard(state, actions, rng)


def pick_caller(state: RoundState, actions: Sequence[Action], rng: random.Random) -> Action:
    """Calls and makes kans nearly always."""
    for action in actions:
        if isinstance(action, Win):
            return action
    calls = [action for action in actions if isinstance(action, Call)]
    if calls and rng.random() < 0.8:
        return rng.choice(calls)
    return Pass() if Pass() in actions else best_discard(state, actions, rng)


def pick_refuser(state: RoundState, actions: Sequence[Action], rng: random.Random) -> Action:
    """Gets ready, often in riichi, but lets most wins go by: furiten of every kind."""
    if any(isinstance(action, Win) for action in actions) and rng.random() < 0.1:
        return next(action for action in actions if isinstance(action, Win))
    if Riichi() in actions and rng.random() < 0.5:
        return Riichi()
    kans = [action for action in actions if isinstance(action, Call) and action.kind == "ankan"]
    if kans:
        return kans[0]
    return Pass() if Pass() in actions else best_discard(state, actions, rng)


PLAYERS: list[Pick] = [pick_random, pick_keen, pick_caller, pick_refuser, pick_keen, pick_refuser]


@dataclass
class Tally:
    decisions: int = 0
    offered: Counter = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


class Table:
    """A seeded game in which every seat's own state predicts what the referee will allow."""

    def __init__(self, seed: int, rule=None, rules: Rules = TENHOU) -> None:
        self.rng = random.Random(seed)
        self.env = riichienv.RiichiEnv(game_mode="4p-red-half", seed=seed, rule=rule)
        self.states = [RoundState(seat, rules) for seat in range(4)]
        self.picks = [self.rng.choice(PLAYERS) for _ in range(4)]
        self.tally = Tally()

    def play(self) -> Tally:
        asked = self.env.reset()
        while not self.env.done():
            asked = self.env.step({seat: self.answer(seat, view) for seat, view in sorted(asked.items())})
        for seat, view in asked.items():
            self.hear(seat, view)
        return self.tally

    def hear(self, seat: int, view) -> tuple[Action, ...]:
        """Feed what the seat has not seen; whatever it could decide must come last."""
        actions: tuple[Action, ...] = ()
        for line in view.new_events():
            if actions:
                self.tally.differences.append(f"seat {seat} was not asked for {actions}")
            actions = follow(self.states[seat], event_of(json.loads(line)))
        return actions

    def answer(self, seat: int, view):
        ours = self.hear(seat, view)
        allowed = view.legal_actions()
        theirs = choices_of(self.spelled_out(action) for action in allowed)
        self.tally.decisions += 1
        self.tally.differences += differences(ours, theirs)
        for action in ours:
            self.tally.offered[action.kind if isinstance(action, Call) else type(action).__name__] += 1
        chosen = self.picks[seat](self.states[seat], ours, self.rng)
        same = [a for a, choice in zip(allowed, theirs, strict=True) if not differences([chosen], [choice])]
        return same[0]

    def spelled_out(self, action) -> dict:
        """The referee leaves out which copy is the drawn one; it numbers physical tiles."""
        fields = json.loads(action.to_mjai())
        if fields["type"] == "dahai":
            fields["tsumogiri"] = action.tile == self.env.drawn_tile
        return fields


def test_legal_sets_equal_the_referees_at_every_decision():
    total = Tally()
    for seed in range(GAMES):
        tally = Table(seed).play()
        assert tally.differences == [], f"seed {seed}"
        total.decisions += tally.decisions
        total.offered += tally.offered
    print(f"{GAMES} hanchan, {total.decisions} decisions; offered {dict(total.offered)}")
    every_kind = {"Win", "Riichi", "Discard", "Pass", "chi", "pon", "daiminkan", "kakan", "ankan"}
    assert every_kind <= set(total.offered)
    assert total.decisions > 500 * GAMES


def test_legal_sets_are_equal_under_the_rules_of_mahjong_soul():
    """There a closed kan can be robbed, and the dealer's first discard is never reported as just drawn."""
    decisions = 0
    for seed in range(300, 300 + GAMES // 4):
        tally = Table(seed, riichienv.GameRule.default_mjsoul(), MAHJONG_SOUL).play()
        assert tally.differences == [], f"seed {seed}"
        decisions += tally.decisions
    assert decisions > 500 * GAMES // 4


def test_a_round_ended_by_an_illegal_action_replays():
    table = Table(7)
    seat, view = next(iter(table.env.reset().items()))
    missing = next(tile for tile in range(136) if tile not in view.hand)
    table.env.step({seat: riichienv.Action(riichienv.ActionType.DISCARD, missing)})
    for state in table.states:
        for fields in table.env.mjai_log:
            follow(state, event_of(fields))
        assert (state.honba, state.scores) == (1, [13_000, 29_000, 29_000, 29_000])
