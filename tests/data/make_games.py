"""The sample games of `games/`: played by agents of our own, written like records of people.

usage: python -m tests.data.make_games SEED LENGTH SEATS FILE        (as README.md lists them)

The referee is riichienv. What its events leave out and records have (points, fu, han and yaku of a win, the
points of all seats, who was tenpai) is added here; a win that we would pay otherwise is an error.
"""

import gzip
import json
import random
import sys
from pathlib import Path

from manue.agents.base import Decision
from manue.agents.greedy import Greedy
from manue.agents.registry import make_agent
from manue.game.actions import Call, NineTerminals, Riichi, Win
from manue.game.events import seen_by
from manue.game.state import RoundState
from manue.game.win import score_of_win
from manue.player import Player
from manue.protocol.codec import action_to_fields, message_to_event
from manue.protocol.parsing import parse_value
from manue.rules import TENHOU
from manue.table.referee import Referee
from tests.oracles.recorded_wins import TENHOU_NUMBERS

REASONS = {
    "exhaustive_draw": "fanpai",
    "kyushu_kyuhai": "kyushukyuhai",
    "nagashimangan": "nagashimangan",
    "sanchaho": "sanchaho",
    "sufuurenta": "suufonrenta",
    "suucha_riichi": "suuchariichi",
    "suukansansen": "suukaikan",
}
"""riichienv's words for a round without a winner, and those of the records."""


class Caller(Greedy):
    """Greedy, but makes every kan, and takes other calls by chance: for what seldom happens."""

    name = "caller"

    def __init__(self, seed):
        self.random = random.Random(seed)

    def decide(self, state, actions):
        wanted = [action for action in actions if isinstance(action, Win | Riichi | NineTerminals)]
        wanted = wanted or [a for a in actions if isinstance(a, Call) and a.kind.endswith("kan")]
        if not wanted and self.random.random() < 0.25:
            wanted = [action for action in actions if isinstance(action, Call)]
        return Decision(self.random.choice(wanted)) if wanted else super().decide(state, actions)


class Scribe:
    """Completes the referee's events as records have them."""

    def __init__(self):
        self.states = [RoundState(seat) for seat in range(4)]
        self.scores = [25000] * 4
        self.sticks = 0

    def completed(self, message):
        """Return the line for a message; the four seats see it too."""
        kind = message["type"]
        if kind == "start_kyoku":
            assert message["scores"] == self.scores
            self.sticks = message["kyotaku"]
        if kind == "reach_accepted":
            message = message | self.paid([-1000 * (seat == message["actor"]) for seat in range(4)])
            self.sticks += 1
        elif kind == "hora":
            message = self.win(message)
        elif kind == "ryukyoku":
            message = self.draw(message)
        event = message_to_event(parse_value(message))
        for state in self.states:
            state.apply(event)
        return message

    def draw(self, message):
        fields = {"type": "ryukyoku", "reason": REASONS[message["reason"]]}
        if message["reason"] == "exhaustive_draw":
            fields["tenpais"] = [bool(state.waits) for state in self.states]
        return fields | self.paid(message.get("deltas") or [0] * 4)

    def win(self, message):
        winner, source = message["actor"], message["target"]
        state = self.states[winner]
        tile = state.drawn if winner == source else state.offer.tile
        ura = message.get("ura_markers", [])
        score = score_of_win(state, tile, source, ura_indicators=ura)
        second = bool(state.winners)
        deltas = score.deltas(winner, state.dealer, source)
        deltas[winner] += 0 if second else 1000 * self.sticks
        if not second:
            assert deltas == message["deltas"], (message, score)
        hand = [*state.hand] if winner == source else [*state.hand, tile]
        names = [(name, min(han, 13)) for name, han in score.yaku]
        return {
            "type": "hora", "actor": winner, "target": source, "pai": tile, "ura_markers": ura,
            "hora_tehais": hand, "fu": score.fu, "han": score.han,
            "hora_points": score.total - 300 * score.honba,
            "yaku_ids": [TENHOU_NUMBERS.index(name) for name, _ in names],
            "yaku_han": [han for _, han in names],
        } | self.paid(message["deltas"])  # fmt: skip

    def paid(self, deltas):
        self.scores = [have + more for have, more in zip(self.scores, deltas, strict=True)]
        return {"deltas": deltas, "scores": self.scores}


def play(seed, length, seats):
    """Return the lines of a game."""
    players = [
        Player(seat, Caller(seed + seat) if spec == "caller" else make_agent(spec), TENHOU)
        for seat, spec in enumerate(seats)
    ]
    referee = Referee(seed, length=length, rules=TENHOU, names=seats)
    scribe, lines = Scribe(), []
    messages = referee.start()
    while True:
        replies = {}
        for message in messages:
            line = scribe.completed(message)
            lines.append(line)
            event = message_to_event(parse_value(message))
            for seat, player in enumerate(players):
                decision = player.receive(seen_by(event, seat))
                if decision is not None:
                    replies[seat] = action_to_fields(decision.action, seat)
        if referee.over:
            return lines
        messages = referee.step(replies)


def main(seed, length, seats, file):
    """Play one game and write it."""
    lines = play(int(seed), length, seats.split(","))
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    Path(file).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
