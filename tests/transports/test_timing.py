"""Requests and acknowledgements at random moments: never two answers to one id."""

import asyncio
import json
import random
import time
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from manue.agents.base import Decision
from manue.protocol.dialect import RIICHILAB
from manue.protocol.session import Session
from manue.transports.base import Conversation
from tests.conftest import FULL
from tests.protocol.minds import RandomMind
from tests.transports.hosts import first_request

TICK = 0.01
"""Seconds; waits and deadlines are multiples of it."""


class MoodyMind(RandomMind):
    """Thinks shortly, long, or breaks."""

    def decide(self, state, actions) -> Decision:
        time.sleep(self.random.choice((0, 1, 4, 12)) * TICK)
        if self.random.random() < 0.1:
            raise RuntimeError("out of ideas")
        return super().decide(state, actions)


class MemoryChannel:
    """A host that speaks by a schedule of (ticks to wait, line), and keeps what it heard."""

    def __init__(self, schedule):
        self.schedule = iter(schedule)
        self.heard = []

    async def receive(self):
        step = next(self.schedule, None)
        if step is None:
            await asyncio.sleep(15 * TICK)
            return None
        ticks, line = step
        await asyncio.sleep(ticks * TICK)
        return line

    async def send(self, line):
        self.heard.append(json.loads(line))

    async def close(self):
        pass


def line_of(step, legal):
    kind, number, ticks = step
    if kind == "request":
        clock = {"deadline_ms": ticks * TICK * 1000}
        fields = {"type": "request_action", "request_id": number, "time": clock, "possible_actions": legal}
    else:
        fields = {"type": "action_ack", "request_id": number, "status": kind}
    return json.dumps(fields)


STEP = st.tuples(
    st.sampled_from("request request request accepted defaulted stale rejected".split()),
    st.integers(1, 6),
    st.integers(2, 20),
)


def test_never_two_answers_to_one_id():
    answers = 0

    @settings(max_examples=300 if FULL else 12, deadline=None)
    @given(st.lists(st.tuples(st.integers(0, 8), STEP), max_size=12), st.integers(0, 2**32))
    def play(plan, seed):
        nonlocal answers
        counts = answers_by_id(plan, seed)
        assert all(count == 1 for count in counts.values())
        answers += counts.total()

    play()
    assert answers > 0


def answers_by_id(plan, seed):
    """Play a conversation; return how many answers each request got."""
    events, legal = first_request()
    schedule = [(0, json.dumps(event)) for event in events]
    schedule += [(wait, line_of(step, legal)) for wait, step in plan]
    schedule += [(10, '{"type":"end_game"}')]
    channel = MemoryChannel(schedule)
    session = Session(MoodyMind(random.Random(seed).random()), RIICHILAB, complain=lambda _: None)
    asyncio.run(Conversation(session, channel, lambda *_: None).run())
    return Counter(reply["request_id"] for reply in channel.heard)
