"""Random interleavings of requests, acknowledgements, events and thoughts that come late or never."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from manue.protocol.dialect import RIICHILAB
from manue.protocol.session import Session
from manue.protocol.turn import Turn
from tests.conftest import FULL
from tests.protocol.minds import RandomMind
from tests.transports.hosts import first_request, riichienv_game, short

STATUSES = st.sampled_from("accepted rejected unparseable stale defaulted".split())
STEP = st.one_of(
    st.tuples(st.just("request"), st.integers(-2, 3), st.booleans()),
    st.tuples(st.just("event")),
    st.tuples(st.just("ack"), st.integers(-2, 1), STATUSES),
    st.tuples(st.just("finish"), st.integers(0, 5)),
    st.tuples(st.just("give up"), st.integers(0, 5)),
    st.tuples(st.just("junk")),
)


class Interleaving:
    """A host and thinkers in any order; it keeps what may still be answered."""

    def __init__(self):
        self.complaints = []
        self.session = Session(RandomMind(1), RIICHILAB, complain=self.complaints.append)
        events, _ = first_request()
        for event in events:
            assert self.session.receive(json.dumps(event)) is None
        self.items = iter(riichienv_game()[len(events) :])
        self.legal = next(self.items)["legal"]
        self.newest, self.wanted, self.asked = 10, None, False
        self.turns, self.sent = [], Counter()

    def request(self, step, complete):
        number = self.newest + step
        legal = short(self.legal) if complete else None
        message = {"type": "request_action", "request_id": number, "possible_actions": legal}
        answer = self.session.receive(json.dumps(message))
        fresh = number > self.newest or not self.asked
        assert answer is None or fresh
        if fresh:
            assert answer is not None or not complete
            self.newest, self.asked = number, True
            self.wanted = None if answer is None else number
            if isinstance(answer, Turn):
                self.turns.append(answer)
            elif answer is not None:
                self.heard(answer)

    def event(self):
        for item in self.items:
            if "event" in item:
                assert self.session.receive(json.dumps(item["event"])) is None
                if item["event"]["type"] in ("end_kyoku", "end_game"):
                    self.wanted = None
                return
            self.legal = item["legal"]

    def ack(self, step, status):
        number = self.newest + step
        line = {"type": "action_ack", "request_id": number, "status": status}
        assert self.session.receive(json.dumps(line)) is None
        if number == self.wanted and status != "accepted":
            self.wanted = None

    def finish(self, which):
        if which < len(self.turns):
            turn = self.turns[which]
            self.heard(self.session.answer(turn, turn.think()), turn)

    def give_up(self, which):
        if which < len(self.turns):
            self.heard(self.session.fall_back(self.turns[which], "late"), self.turns[which])

    def junk(self):
        assert self.session.receive("{oops") is None

    def heard(self, reply, turn=None):
        number = turn.request_id if turn is not None else self.wanted
        assert (reply is not None) == (number == self.wanted), "answered iff the request still waits"
        if reply is not None:
            assert json.loads(reply)["request_id"] == number
            self.sent[number] += 1
            self.wanted = None


@settings(max_examples=2000 if FULL else 150, deadline=None)
@given(st.lists(STEP, max_size=25))
def test_no_request_is_answered_twice_nor_after_it_has_passed(steps):
    play = Interleaving()
    for name, *arguments in steps:
        getattr(play, name.replace(" ", "_"))(*arguments)
    assert all(count == 1 for count in play.sent.values())
