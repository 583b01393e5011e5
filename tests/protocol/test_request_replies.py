"""A host's requests one at a time: how long may be thought, and what is answered without thinking."""

import json
from itertools import permutations

import pytest

from manue.game.actions import Call, Discard, Pass, Riichi, Win
from manue.protocol.codec import allowed_by
from manue.protocol.dialect import LINES, RIICHILAB, TCP
from manue.protocol.messages import Choice
from manue.protocol.session import Session
from manue.protocol.turn import Turn
from tests.protocol.minds import RandomMind
from tests.protocol.test_session import DRAW, HANDS, START

GAME = {"type": "start_game", "id": 0, "names": ["a", "b", "c", "d"]}
OTHERS_DRAW = {"type": "tsumo", "actor": 1, "pai": "?"}
OWN_DISCARD = {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": True}


def session_after(dialect, *messages):
    complaints = []
    session = Session(RandomMind(), dialect, complain=complaints.append, seat=0)
    for message in (GAME, START, *messages):
        session.receive(json.dumps(message))
    return session, complaints


def request(session, number=7, **fields):
    return session.receive(json.dumps({"type": "request_action", "request_id": number, **fields}))


# ---- how long


@pytest.mark.parametrize(
    ("time", "seconds", "deadline"),
    [
        (None, RIICHILAB.seconds, None),
        ({}, RIICHILAB.seconds, None),
        ({"deadline_ms": 3_000}, 2.75, 3.0),
        ({"deadline_ms": 300}, 0.15, 0.3),
        ({"deadline_ms": 3_000, "grace_ms": 1, "bank_ms": 1}, 2.75, 3.0),
        ({"grace_ms": 2_000, "bank_ms": 5_000}, 6.75, 7.0),
        ({"grace_ms": 2_000}, 1.75, 2.0),
    ],
)
def test_a_request_leaves_a_margin_before_its_deadline(time, seconds, deadline):
    session, _ = session_after(RIICHILAB, DRAW)
    turn = request(session, time=time)
    assert isinstance(turn, Turn)
    assert (turn.seconds, turn.deadline, turn.request_id) == (seconds, deadline, 7)
    assert Discard("P", from_draw=True) in turn.actions


# ---- without thinking


def test_the_tile_drawn_goes_first_then_a_pass_then_a_discard_then_the_rest():
    session, _ = session_after(RIICHILAB, DRAW)
    player = request(session).player
    ranked = [Discard("P", from_draw=True), Pass(), Discard("E"), Riichi()]
    for first, expected in enumerate(ranked):
        for actions in permutations(ranked[first:]):
            assert Turn(player, actions, None).fallback() == expected


def test_the_answer_without_thinking_has_the_number_of_its_request():
    session, complaints = session_after(RIICHILAB, DRAW)
    turn = request(session)
    assert session.is_open(turn)
    reply = json.loads(session.fall_back(turn, "late"))
    assert reply == {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": True, "request_id": 7}
    assert not session.is_open(turn)
    assert complaints[-1].startswith("line 4: late; answering ")


CHOICES = [
    {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": True},
    {"type": "none"},
    {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False},
    {"type": "reach", "actor": 0},
]


@pytest.mark.parametrize("first", range(len(CHOICES)))
def test_a_host_that_asks_out_of_turn_gets_the_safest_of_what_it_names(first):
    session, complaints = session_after(RIICHILAB, DRAW, OWN_DISCARD, OTHERS_DRAW)
    orders = list(permutations(choice | {"request_id": 3} for choice in CHOICES[first:]))
    for number, named in enumerate(orders, 1):
        reply = request(session, number, possible_actions=list(named))
        assert json.loads(reply) == CHOICES[first] | {"request_id": number}
    assert complaints[0] == "line 6: asked for a move when we have none"
    assert len(complaints) == len(orders)


@pytest.mark.parametrize(
    ("ack", "said"),
    [
        ({"status": "rejected", "reason": "late"}, "line 4: request 7: rejected late"),
        ({"status": "stale", "message": "too old"}, "line 4: request 7: stale too old"),
        ({"status": "defaulted"}, "line 4: request 7: defaulted"),
    ],
)
def test_the_reason_of_a_refused_answer_is_passed_on(ack, said):
    session, complaints = session_after(RIICHILAB, DRAW)
    session.receive(json.dumps({"type": "action_ack", "request_id": 7, **ack}))
    assert complaints == [said]


def test_an_answer_that_was_accepted_is_not_mentioned():
    session, complaints = session_after(RIICHILAB, DRAW)
    turn = request(session)
    session.receive(json.dumps({"type": "action_ack", "request_id": 7, "status": "accepted"}))
    assert complaints == []
    assert session.is_open(turn)


def test_a_refused_answer_ends_the_turn_that_it_was_for():
    session, _ = session_after(RIICHILAB, DRAW)
    turn = request(session)
    for number, is_open in ((6, True), (7, False)):
        session.receive(json.dumps({"type": "action_ack", "request_id": number, "status": "rejected"}))
        assert session.is_open(turn) == is_open


# ---- other dialects


def test_a_game_is_on_from_its_start_to_its_end():
    session, _ = session_after(TCP)
    assert session.in_game
    session.receive(json.dumps({"type": "end_kyoku"}))
    session.receive(json.dumps({"type": "end_game"}))
    assert not session.in_game


@pytest.mark.parametrize(("dialect", "reply"), [(TCP, '{"type":"none"}'), (LINES, None)])
def test_only_hosts_that_wait_for_every_answer_are_told_that_there_is_none(dialect, reply):
    session, _ = session_after(dialect)
    assert session.receive(json.dumps(OTHERS_DRAW | {"actor": 0, "pai": "P", "can_act": False})) == reply


@pytest.mark.parametrize(("banned", "tile", "drawn"), [([], "P", True), (["P"], "N", False)])
def test_an_impossible_riichi_is_followed_by_the_tile_drawn_if_it_is_not_forbidden(banned, tile, drawn):
    session, _ = session_after(TCP, DRAW, {"type": "reach", "actor": 0}, DRAW)
    reply = session.receive(json.dumps({"type": "reach", "actor": 0, "cannot_dahai": banned}))
    assert (HANDS[0][-1], json.loads(reply)) == (
        "N",
        {"type": "dahai", "actor": 0, "pai": tile, "tsumogiri": drawn},
    )


@pytest.mark.parametrize(
    ("offered", "held"),
    [
        ({"type": "dahai", "pai": "5p"}, Discard("5pr")),
        ({"type": "chi", "pai": "4p", "consumed": ["5p", "6p"]}, Call("chi", ("5pr", "6p"), "4p", 3)),
        ({"type": "pon", "pai": "5p", "consumed": ["5p", "5p"]}, Call("pon", ("5p", "5pr"), "5p", 3)),
        ({"type": "ankan", "consumed": ["5p"] * 4}, Call("ankan", ("5pr", "5p", "5p", "5p"))),
        ({"type": "hora", "pai": "5p"}, Win("5pr", 2)),
    ],
)
def test_a_host_that_folds_red_fives_is_answered_with_the_tile_held(offered, held):
    assert allowed_by([Choice(**offered)], (Pass(), held)) == (held,)


def test_a_plain_five_stays_a_plain_five_where_both_are_held():
    both = (Discard("5p"), Discard("5pr"))
    assert allowed_by([Choice(type="dahai", pai="5p")], both) == (Discard("5p"),)
