"""Games played at random under the rules: legal material for tests that need no records."""

import random

from manue.game.actions import Call, Discard, Pass, Riichi
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    GameEnd,
    GameStart,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundEnd,
    RoundStart,
)
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.records.log_writer import LogWriter
from manue.tiles import KINDS, RED_FIVES


def wall(rng):
    tiles = [tile for tile in KINDS for _ in range(4)]
    for red in RED_FIVES:
        tiles[tiles.index(red[:2])] = red
    rng.shuffle(tiles)
    return tiles


class RandomGame:
    """Four seats that call, kan, declare riichi and discard by chance and never win."""

    def __init__(self, seed, names=("Ann", "Bo", "Cy", "Di")):
        self.rng = random.Random(seed)
        self.states = [RoundState(seat) for seat in range(4)]
        self.events = []
        self.emit(GameStart(None, tuple(names)))

    def emit(self, event):
        for state in self.states:
            state.apply(event)
        self.events.append(event)

    def choose(self, seat, calls):
        actions = [
            a for a in legal_actions(self.states[seat]) if isinstance(a, Discard | Riichi | Call | Pass)
        ]
        bold = [a for a in actions if isinstance(a, Riichi | Call)]
        if bold and self.rng.random() < calls:
            return self.rng.choice(bold)
        return self.rng.choice([a for a in actions if not isinstance(a, Riichi | Call)] or [None])

    def round(self, number, dealer, calls=0.3):
        tiles = wall(self.rng)
        hands = tuple(tuple(tiles.pop() for _ in range(13)) for _ in range(4))
        self.dead = [tiles.pop() for _ in range(14)]
        deposits = self.states[0].deposits
        scores = tuple(self.states[0].scores)
        self.emit(RoundStart("E", number, 0, deposits, dealer, self.dead.pop(), hands, scores))
        self.tiles, seat, self.pending = tiles, dealer, 0
        while self.states[0].tiles_left:
            seat = self.turn(seat, calls)
        self.emit(RoundDrawn("exhaustive", (0, 0, 0, 0)))
        self.emit(RoundEnd())

    def turn(self, seat, calls, *, after_call=False, rinshan=False):
        if not after_call:
            self.emit(Draw(seat, self.dead.pop(0) if rinshan else self.tiles.pop()))
        action = self.choose(seat, calls)
        if isinstance(action, Call):
            self.emit(Called(seat, action))
            if action.kind == "ankan":
                self.emit(DoraRevealed(self.dead.pop()))
            else:
                self.pending += 1
            return self.turn(seat, calls, rinshan=True)
        declared = isinstance(action, Riichi)
        if declared:
            self.emit(RiichiDeclared(seat))
            action = self.choose(seat, 0)
        for _ in range(self.pending):
            self.emit(DoraRevealed(self.dead.pop()))
        self.pending = 0
        self.emit(Discarded(seat, action.tile, action.from_draw))
        if declared:
            self.emit(RiichiAccepted(seat))
        return self.answers(seat, calls)

    def answers(self, seat, calls):
        if self.states[0].tiles_left == 0:
            return seat
        wishes = [((seat + k) % 4, self.choose((seat + k) % 4, calls)) for k in (1, 2, 3)]
        wishes = [(who, wish) for who, wish in wishes if isinstance(wish, Call)]
        if not wishes:
            return (seat + 1) % 4
        who, call = min(wishes, key=lambda pair: pair[1].kind == "chi")
        self.emit(Called(who, call))
        if call.kind == "daiminkan":
            self.pending += 1
            return self.turn(who, calls, rinshan=True)
        return self.turn(who, calls, after_call=True)

    def finish(self):
        self.emit(GameEnd(tuple(self.states[0].scores)))
        return self.events


def made_up_game(seed=1, rounds=4, names=("Ann", "Bo", "Cy", "Di")):
    """Events of a whole random game."""
    game = RandomGame(seed, names)
    for number in range(rounds):
        game.round(number % 4 + 1, number % 4)
    return game.finish()


def write_game(path, events):
    """Write events as a plain log."""
    with LogWriter(path) as writer:
        for event in events:
            writer.write(event)
    return path
