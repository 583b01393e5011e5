"""Mutated lines by the thousand (MANUE_FULL=1: by the million) through parser, codec, state and session."""

import json
import random

import pytest

from manue.errors import ThreePlayersError
from manue.player import warm_up
from manue.protocol.dialect import ARRAYS, LINES, RIICHILAB, TCP
from manue.protocol.session import Session
from tests.conftest import FULL
from tests.protocol.minds import RandomMind
from tests.transports.hosts import riichienv_game, ruby_lines

INPUTS = 1_000_000 if FULL else 8_000
WORDS = (
    b'null true false -1 0 3 4 99999999999999999999 1e400 "?" "5mr" "1m" "E" [] {} [[]] "actor" "type" '
    b'"tsumo" "dahai" "reach" "kakan" "start_kyoku" "request_action" \\ud800 \xff \x00 { } [ ] , : "'
).split()


def mutate(rng, line, others):
    data = bytearray(line)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        match rng.randrange(6):
            case 0:
                del data[at : min(to, at + 8)]
            case 1:
                data[at:at] = rng.choice(WORDS)
            case 2:
                data[at:to] = data[at:to] * 2 if to - at < 500 else b""
            case 3:
                other = rng.choice(others)
                data[at:] = other[rng.randrange(len(other)) :]
            case 4 if data:
                data[at % len(data)] = rng.randrange(256)
            case _:
                data[at : at + 1] = rng.choice(WORDS)
        if not data:
            data = bytearray(b"{}")
    return bytes(data)


@pytest.mark.timeout(3600)
def test_mutated_lines_are_messages_or_complaints():
    rng = random.Random(11)
    events = [item["event"] for item in riichienv_game(1, 3) if "event" in item]
    requests = [
        {
            "type": "request_action",
            "request_id": n,
            "time": {"deadline_ms": 100},
            "possible_actions": item["legal"],
        }
        for n, item in enumerate(riichienv_game(1, 3))
        if "legal" in item
    ]
    messages = [*ruby_lines("tonnan-q20-client0"), *events, *requests[:100]]
    originals = [json.dumps(message).encode() for message in messages]
    rounds = [at for at, message in enumerate(messages) if message["type"] == "start_kyoku"]
    warm_up(RandomMind())
    lines = taken = complaints = 0

    def complain(_):
        nonlocal complaints
        complaints += 1

    while lines < INPUTS:
        dialect = rng.choice((TCP, LINES, ARRAYS, RIICHILAB))
        session = Session(RandomMind(lines), dialect, complain=complain, seat=rng.randrange(4))
        start, share = rng.choice(rounds), rng.choice((0.01, 0.05, 0.4))
        for line in [originals[0], *originals[start : start + 120]]:
            data = mutate(rng, line, originals) if rng.random() < share else line
            if dialect is ARRAYS and rng.random() < 0.95:
                data = b"[" + data + b"]"
            lines += 1
            try:
                reply = session.respond(data)
            except ThreePlayersError:  # a name was lost: such a game is refused, whatever follows
                complaints += 1
                break
            if reply is not None:
                json.loads(reply)
                taken += 1
    assert complaints > 0.1 * lines
    assert taken > 0.1 * lines
    assert len(session.position()) < 300
