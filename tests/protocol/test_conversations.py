"""Every captured conversation is held again: one answer where one is due, none elsewhere, each legal."""

import json
from collections import Counter
from itertools import islice

import pytest

from manue.protocol.dialect import ARRAYS, LINES, REVIEW, RIICHILAB, TCP
from manue.protocol.session import Session
from manue.protocol.turn import Turn
from tests.captures import lines_of, names
from tests.protocol.minds import RandomMind

RUBY = names("ruby-server-")
RIICHIENV = names("riichienv-")
MJAIAPP = [name for name in names("mjaiapp-") if "server-log" not in name]


def same(ours, theirs):
    """Compare a reply with an entry of a legal set; the order of consumed tiles is free."""

    def key(fields):
        known = ("type", "actor", "target", "pai", "consumed", "tsumogiri", "reason")
        fields = {name: fields[name] for name in known if name in fields}
        return fields | ({"consumed": sorted(fields["consumed"])} if "consumed" in fields else {})

    return key(ours) == key(theirs)


class RubyJudge:
    """What the original server accepts, inferred from its own lines alone."""

    def __init__(self):
        self.hand = Counter()
        self.me = self.drawn = None
        self.riichi = False

    def see(self, message):
        kind, mine = message["type"], message.get("actor") == self.me
        if kind == "start_game":
            self.me = message["id"]
        elif kind == "start_kyoku":
            self.hand, self.riichi = Counter(message["tehais"][self.me]), False
        elif kind == "reach_accepted" and mine:
            self.riichi = True
        elif mine and kind == "tsumo":
            self.drawn = message["pai"]
            self.hand[self.drawn] += 1
        elif mine and kind == "dahai":
            self.hand[message["pai"]] -= 1
            self.drawn = None
        elif mine and kind in ("chi", "pon", "daiminkan", "ankan"):
            self.hand.subtract(message["consumed"])
            self.drawn = None
        elif mine and kind == "kakan":
            self.hand[message["pai"]] -= 1

    def accepts(self, message, reply):
        kind, mine = message["type"], message.get("actor") == self.me
        must_act = mine and kind in ("tsumo", "chi", "pon", "reach")
        if reply["type"] == "none":
            return not must_act
        if reply["type"] != "dahai":
            return any(same(reply, offered) for offered in message.get("possible_actions", ()))
        if not must_act or reply["pai"] in message.get("cannot_dahai", ()) or reply["actor"] != self.me:
            return False
        if reply["tsumogiri"]:
            return reply["pai"] == self.drawn
        return not self.riichi and self.hand[reply["pai"]] > (reply["pai"] == self.drawn)


@pytest.mark.parametrize("name", RUBY)
def test_the_original_server_gets_one_acceptable_answer_to_every_line(name):
    complaints = []
    mind = RandomMind(1)
    session = Session(mind, TCP, name="me", complain=complaints.append)
    judge = RubyJudge()
    messages = [
        line["msg"] for line in lines_of(name) if line["dir"] == "in" and isinstance(line["msg"], dict)
    ]
    answers = 0
    for message in messages:
        reply = json.loads(session.respond(json.dumps(message)))
        judge.see(message)
        if message["type"] == "hello":
            assert reply == {"type": "join", "name": "me", "room": "default"}
        else:
            assert judge.accepts(message, reply), (message, reply)
        answers += 1
    assert answers == len(messages)
    assert complaints == []
    assert session.over == (messages[-1]["type"] in ("error", "end_game"))
    assert (session.failure is None) == (messages[-1]["type"] != "error")


@pytest.mark.parametrize("name", RIICHIENV)
def test_riichienv_is_answered_where_it_asks_and_nowhere_else(name):
    complaints, session, reply, asked = [], None, None, 0
    start = ""
    for line in lines_of(name):
        if (who := f"{line['game']}-{line['seat']}") != start:
            start = who
            session = Session(RandomMind(2), LINES, seat=line["seat"], complain=complaints.append)
        if "event" in line:
            assert reply is None, "answered without being asked"
            reply = session.respond(json.dumps(line["event"]))
        else:
            assert reply is not None, "silent when asked"
            assert any(same(json.loads(reply), legal) for legal in line["legal"]), (reply, line["legal"])
            reply, asked = None, asked + 1
    assert reply is None
    assert asked > 1000
    assert complaints == []


def test_requests_with_shortened_legal_sets_are_answered_from_them():
    """The same games in the manner of RiichiLab: events are pushed, requests carry short entries."""
    complaints, session, start, number = [], None, "", 0
    for line in islice(lines_of("riichienv-mixed"), 12_000):
        if (who := f"{line['game']}-{line['seat']}") != start:
            start, number = who, 0
            session = Session(RandomMind(3), RIICHILAB, complain=complaints.append)
        if "event" in line:
            event = line["event"]
            if event["type"] == "start_game":
                event = event | {"id": line["seat"]}
            assert session.receive(json.dumps(event)) is None
            continue
        number += 3
        short = [
            {k: v for k, v in legal.items() if k in ("type", "pai", "consumed")} for legal in line["legal"]
        ]
        request = {"type": "request_action", "request_id": number, "possible_actions": short + short[:1]}
        reply = json.loads(session.respond(json.dumps(request)))
        assert reply["request_id"] == number
        assert any(same(reply, legal) for legal in line["legal"]), (reply, line["legal"])
        assert session.receive(json.dumps(request)) is None, "a repeated request is not answered twice"
    assert complaints == []


MUST = {"can_discard"}
FAULTS = [name for name in RUBY if "fault" in name]
FORGIVEN = ("extra_field", "noneactor", "noendreply", "other-player", "timeout")
"""Faults that the server forgave, somebody else's, and one of time alone."""


@pytest.mark.parametrize("name", [*FAULTS, *RUBY[-3:]])
def test_the_judge_of_these_tests_agrees_with_the_server(name):
    """It accepts what was played and refuses what the server refused, so it can find fault with us too."""
    judge, before, refused = RubyJudge(), None, []
    for line in lines_of(name):
        message = line["msg"]
        if line["dir"] == "in":
            before = message
            if isinstance(message, dict):
                judge.see(message)
        elif before["type"] not in ("hello", "error"):
            complete = isinstance(message, dict) and (
                message["type"] != "dahai" or {"actor", "tsumogiri"} <= set(message)
            )
            closing = isinstance(message, str) and message.startswith("<")
            if not closing and not (complete and judge.accepts(before, message)):
                refused.append(message)
    expect_fault = "fault" in name and not any(word in name for word in FORGIVEN)
    assert len(refused) == expect_fault, refused


FLAGS = {
    "chi": {"can_chi_low", "can_chi_mid", "can_chi_high"},
    "pon": {"can_pon"},
    "daiminkan": {"can_daiminkan"},
    "ankan": {"can_ankan"},
    "kakan": {"can_kakan"},
    "reach": {"can_riichi"},
    "hora": {"can_tsumo_agari", "can_ron_agari"},
    "ryukyoku": {"can_ryukyoku"},
    "dahai": {"can_discard"},
}


@pytest.mark.parametrize("name", MJAIAPP)
def test_mjai_app_gets_one_possible_answer_to_every_array(name):
    complaints = []
    sessions = [Session(RandomMind(seat), ARRAYS, seat=seat, complain=complaints.append) for seat in range(4)]
    reply = None
    for line in lines_of(name):
        if line.get("dir") == "in":
            assert reply is None
            reply = json.loads(sessions[line["seat"]].respond(json.dumps(line["msg"])))
        elif line.get("dir") == "out":
            cans = set(line["cans"])
            if reply["type"] == "none":
                assert not cans & MUST
            else:
                assert cans & FLAGS[reply["type"]], (reply, cans)
            reply = None
    assert complaints == []


def test_a_full_log_is_reviewed_line_by_line():
    """A reviewer feeds every line of a log with all hands open and wants a line back each time."""
    lines = list(lines_of("mjaiapp-hanchan-1.server-log"))
    for seat in range(4):
        complaints = []
        every = Session(RandomMind(4), REVIEW, seat=seat, complain=complaints.append)
        some = Session(RandomMind(4), LINES, seat=seat, complain=complaints.append)
        for line in lines:
            full = json.loads(every.respond(json.dumps(line)))
            quiet = some.respond(json.dumps(line))
            assert full == ({"type": "none"} if quiet is None else json.loads(quiet))
        assert complaints == []
        assert every.games == some.games == 1


def test_can_act_false_silences_a_decision():
    start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    hands = [["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "S", "W", "N"], *[["?"] * 13] * 3]
    draw = {"type": "tsumo", "actor": 0, "pai": "P"}
    for extra, turn in (({}, True), ({"can_act": True}, True), ({"can_act": False}, False)):
        session = Session(RandomMind(), LINES, seat=0, complain=print)
        session.receive(json.dumps(start | {"dora_marker": "1s", "tehais": hands}))
        assert isinstance(session.receive(json.dumps(draw | extra)), Turn) == turn
