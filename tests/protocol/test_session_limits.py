"""What a session does at its edges: time, lost lines, seats, what it says to people and to hosts."""

import json
from dataclasses import replace

import pytest

from manue.agents.base import Decision
from manue.bot import EMBEDDED
from manue.decision.report import Report
from manue.errors import UsageError
from manue.game.actions import Call, Discard, Pass, Win
from manue.game.events import DoraRevealed, GameStart
from manue.protocol.codec import event_to_fields
from manue.protocol.dialect import AKAGI, ARRAYS, LINES, RIICHILAB, TCP
from manue.protocol.mortal import last_line
from manue.protocol.session import OLDEST_VERSION, Session
from manue.protocol.turn import Turn
from manue.rules import EAST_ONLY, HANCHAN, MAHJONG_SOUL, TENHOU, stated_name
from tests.messages import start_kyoku
from tests.protocol.minds import RandomMind
from tests.table.test_seats import robbed_kan

HAND = "1m 2m 3m 4m 5m 6m 7m 8m 9m E E W N".split()
HIDDEN = ["?"] * 13
NAMES = ["a", "b", "c", "d"]
GAME = {"type": "start_game", "id": 0, "names": NAMES}
DRAW = {"type": "tsumo", "actor": 0, "pai": "P"}
ADRIFT = "; answering without a view of the round until the next one"


def start(seat=0, **fields):
    hands = [HIDDEN] * 4
    hands[seat] = HAND
    return start_kyoku(tehais=hands, oya=seat, dora_marker="1s", **fields)


class Host:
    """Sends messages to a session, and keeps what it says to people."""

    def __init__(self, dialect, mind=None, **options):
        self.dialect = dialect
        self.complaints, self.news = [], []
        self.session = Session(
            mind or RandomMind(), dialect, complain=self.complaints.append, inform=self.news.append, **options
        )

    def send(self, *messages):
        """Send messages, and return the last answer."""
        for message in messages:
            answer = self.session.receive(json.dumps([message] if self.dialect.frame == "array" else message))
        return answer

    def reply(self, message):
        line = json.dumps([message] if self.dialect.frame == "array" else message)
        return json.loads(self.session.respond(line))


# ---- time


class TimedMind(RandomMind):
    """Notes how many seconds it is given."""

    def __init__(self):
        super().__init__()
        self.given = []

    def decide_within(self, state, actions, seconds):
        self.given.append(seconds)
        return self.decide(state, actions)


def test_a_thought_is_given_the_time_of_its_turn_or_what_is_left_of_it():
    mind = TimedMind()
    turn = Host(ARRAYS, mind).send(GAME, start(), DRAW)
    turn.think()
    turn.think(0.25)
    assert mind.given == [ARRAYS.seconds, 0.25]


# ---- out of step


def test_a_broken_line_loses_no_view_of_the_round():
    host = Host(ARRAYS)
    host.send(GAME, start())
    assert host.session.receive("[{") == '{"type":"none"}'
    assert isinstance(host.send(DRAW), Turn)
    assert len(host.complaints) == 1
    assert not host.complaints[0].endswith(ADRIFT)


def test_a_host_that_lists_what_is_legal_needs_no_view_of_the_round():
    host = Host(RIICHILAB)
    host.send(GAME, start(), DRAW, DRAW | {"pai": "F"})
    assert len(host.complaints) == 1
    assert not host.complaints[0].endswith(ADRIFT)


def test_a_new_game_is_followed_anew():
    host = Host(TCP)
    host.send(GAME, start(), DRAW, DRAW | {"pai": "F"}, GAME)
    assert host.complaints[-1].endswith(ADRIFT)
    host.send(DRAW)
    assert len(host.complaints) == 2
    assert host.complaints[-1].endswith(ADRIFT)


@pytest.mark.parametrize("may_act", [True, None, False])
def test_out_of_step_our_draw_is_discarded_unless_the_host_wants_no_answer(may_act):
    host = Host(TCP)
    host.send(GAME, start(), DRAW, DRAW | {"pai": "F"})
    reply = host.reply(DRAW | {"pai": "C", "can_act": may_act})
    drawn = {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": True}
    assert reply == ({"type": "none"} if may_act is False else drawn)


def test_that_the_view_is_lost_is_reported_once_a_round():
    host = Host(TCP)
    for _ in range(2):
        host.send(GAME, start(), DRAW, DRAW | {"pai": "F"}, DRAW | {"pai": "C"})
    assert [complaint.endswith(ADRIFT) for complaint in host.complaints] == [True, False] * 2


def test_a_new_game_counts_its_requests_anew():
    host = Host(RIICHILAB)
    host.send(GAME, start(), DRAW)
    request = {"type": "request_action", "request_id": 5}
    assert host.send(request).request_id == 5
    assert host.send(GAME, start(), DRAW, request | {"request_id": 1}).request_id == 1


def test_a_request_at_the_start_of_a_game_is_not_answered_from_the_game_before():
    host = Host(RIICHILAB)
    host.send(GAME, start(), DRAW, GAME)
    assert host.send({"type": "request_action", "request_id": 1}) is None
    assert host.complaints == ["line 5: asked for a move when we have none"]


@pytest.mark.parametrize(
    "end", [GAME, {"type": "end_kyoku"}, {"type": "end_game"}], ids=lambda end: end["type"]
)
def test_a_turn_ends_with_its_round_and_its_game(end):
    host = Host(LINES, seat=0)
    turn = host.send(start(), DRAW)
    assert host.session.is_open(turn)
    host.send(end)
    assert not host.session.is_open(turn)
    assert host.session.answer(turn, turn.think()) is None


@pytest.mark.parametrize(("dialect", "one_game"), [(TCP, True), (ARRAYS, True), (LINES, False)])
def test_a_session_ends_with_its_game_unless_the_host_plays_several(dialect, one_game):
    host = Host(dialect, seat=0)
    for games in (1, 2):
        host.send(GAME, start(), {"type": "end_kyoku"}, {"type": "end_game"})
        assert host.session.games == games
        assert host.session.over == one_game


# ---- seats and rules


def test_a_seat_that_nobody_gives_is_asked_for():
    host = Host(LINES)
    host.send({"type": "start_game"})
    with pytest.raises(UsageError, match=r"^the host does not give our seat: set it with --id 0\.\.3$"):
        host.send(start())


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL])
@pytest.mark.parametrize("announced", [True, False])
def test_the_player_has_the_names_of_the_game_and_the_rules_of_the_session(rules, announced):
    host = Host(LINES, seat=2, rules=rules)
    if announced:
        host.send(GAME | {"id": None})
        assert host.session.position() == [GameStart(2, tuple(NAMES), rules=stated_name(rules))]
    state = host.send(start(2), DRAW | {"actor": 2}).player.state
    assert state.rules == rules
    assert state.names == (tuple(NAMES) if announced else ())


@pytest.mark.parametrize(
    ("by_host", "by_user", "expected"),
    [
        (4, None, EAST_ONLY),
        (0, None, HANCHAN),
        (None, None, HANCHAN),
        (4, HANCHAN, HANCHAN),
        (None, EAST_ONLY, EAST_ONLY),
    ],
)
def test_the_game_is_as_long_as_the_user_says_else_the_host(by_host, by_user, expected):
    """Once the host's word was dropped, and East-only games were played as hanchan."""
    host = Host(EMBEDDED, last_round=by_user)
    state = host.send(GAME | {"kyoku_first": by_host}, start(), DRAW).player.state
    assert state.rules.last_round == expected
    begun, round_start, _ = host.session.position()
    assert begun.last_round == (None if by_host is by_user is None else expected)
    said = json.loads(host.session.last_line())["phi_matrix"]
    assert said == last_line([round_start], "", expected)["phi_matrix"]


@pytest.mark.parametrize(
    ("by_host", "by_user", "expected"),
    [
        (None, TENHOU, TENHOU),
        (None, MAHJONG_SOUL, MAHJONG_SOUL),
        ("mjsoul", TENHOU, MAHJONG_SOUL),
        ("tenhou", MAHJONG_SOUL, TENHOU),
    ],
)
def test_a_host_says_by_which_rules_it_plays(by_host, by_user, expected):
    host = Host(EMBEDDED, rules=by_user, last_round=EAST_ONLY)
    state = host.send(GAME | {"rules": by_host}, start(), DRAW).player.state
    assert state.rules == replace(expected, last_round=EAST_ONLY)


@pytest.mark.parametrize(("flag", "expected"), [(False, False), (True, True), (None, True), ("no", True)])
def test_a_host_says_whether_there_are_red_fives(flag, expected):
    """Regression: red fives were waited for in games that have none."""
    host = Host(EMBEDDED)
    state = host.send(GAME | {"aka_flag": flag}, start(), DRAW).player.state
    assert state.rules.red_fives is expected
    assert state.rules.last_round == HANCHAN


def test_without_a_start_the_game_is_as_long_as_the_user_says():
    state = Host(LINES, seat=0, last_round=EAST_ONLY).send(start(), DRAW).player.state
    assert state.rules.last_round == EAST_ONLY


# ---- what people are shown


def test_rounds_and_the_end_are_reported_with_our_points_in_brackets():
    host = Host(LINES, seat=2)
    scores = [20_000, 21_000, 29_000, 30_000]
    host.send(start(2, kyoku=3, honba=1, scores=scores), {"type": "end_kyoku"})
    host.send({"type": "end_game", "scores": scores[::-1]})
    assert host.news == [
        "E3, 1 honba: 20000 21000 [29000] 30000",
        "game over: 30000 29000 [21000] 20000",
    ]


def test_a_long_verdict_of_a_host_is_cut():
    host = Host(RIICHILAB)
    host.send(GAME, {"type": "action_ack", "request_id": 1, "status": "x" * 90, "reason": "why"})
    assert host.complaints == [f"line 2: request 1: {'x' * 37}... why"]


def test_hosts_that_are_too_old_are_left_and_others_joined():
    host = Host(TCP, name="me", room="here", token="secret")
    hello = {"type": "hello", "protocol": "mjsonp"}
    join = {"type": "join", "name": "me", "room": "here", "token": "secret"}
    assert host.reply(hello | {"protocol_version": OLDEST_VERSION}) == join
    assert host.reply({"type": "hello"}) == join
    assert not host.session.over
    assert host.reply(hello | {"protocol_version": OLDEST_VERSION - 1}) == {"type": "none"}
    assert host.session.over
    assert host.session.failure == "the host speaks version 1 of the protocol; 2 or later is needed"


@pytest.mark.parametrize(
    ("missing", "awaited"),
    [(None, "the game to begin"), (1, "the game to begin"), (2, "1 more client"), (4, "3 more clients")],
)
def test_how_many_clients_a_table_waits_for_is_reported(missing, awaited):
    host = Host(TCP, name="me")
    host.send({"type": "hello", "waiting_for": missing})
    assert host.news == [f"joining as me, waiting for {awaited}"]


def test_the_result_of_a_validation_is_kept():
    host = Host(RIICHILAB)
    host.send({"type": "validation_result", "passed": False, "reason": "slow"})
    assert (host.session.verdict.passed, host.session.verdict.reason) == (False, "slow")


# ---- replies


class Unsure(RandomMind):
    """Reports what is no number."""

    def decide(self, state, actions):
        action = next(action for action in actions if isinstance(action, Discard))
        return Decision(action, (Report(action, expected_points=float("nan")),))


def test_what_is_no_number_leaves_as_null():
    host = Host(LINES, Unsure(), seat=0)
    host.send(start())
    reply = host.session.respond(json.dumps(DRAW))
    assert "NaN" not in reply
    assert '"meta"' in reply


@pytest.mark.parametrize(("dialect", "shown"), [(AKAGI, True), (ARRAYS, False), (LINES, False)])
def test_only_a_display_is_sent_a_card(dialect, shown):
    host = Host(dialect, seat=0)
    host.send(GAME, start())
    assert ("show" in host.reply(DRAW).get("meta", {})) == shown


def test_what_a_request_does_not_list_is_not_chosen():
    host = Host(RIICHILAB)
    host.send(GAME, start(), DRAW)
    listed = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False}
    turn = host.send({"type": "request_action", "request_id": 1, "possible_actions": [listed]})
    assert turn.actions == (Discard("1m"),)


def test_a_request_to_rob_a_kan_may_come_after_the_indicator_of_the_kan_before():
    host = Host(RIICHILAB, seat=0)
    host.send(*(event_to_fields(event) for event in [*robbed_kan().events, DoraRevealed("1p")]))
    assert host.send({"type": "request_action", "request_id": 1}).actions == (Win("5mr", 3), Pass())
    assert host.complaints == []


def test_a_win_after_a_kan_may_be_asked_for_after_the_indicator():
    """Regression: there was nothing to choose then, so the host got the safest of what it lists."""
    hands = ["E E E 2m 3m 4m 5p 6p 7p 3s 4s 9s 9s".split(), *[HIDDEN] * 3]
    kan = {"type": "ankan", "actor": 0, "consumed": ["E"] * 4}
    host = Host(RIICHILAB)
    host.send(GAME, start_kyoku(tehais=hands, dora_marker="1s"), DRAW | {"pai": "E"}, kan)
    drawn = [DRAW | {"pai": "5s"}, {"type": "dora", "dora_marker": "9p"}]
    turn = host.send(*drawn, {"type": "request_action", "request_id": 1})
    assert Win("5s", 0) in turn.actions
    assert host.complaints == []


def test_a_call_may_be_asked_for_after_the_indicator_of_a_kan():
    host = Host(RIICHILAB)
    discard = {"type": "dahai", "actor": 3, "pai": "E", "tsumogiri": True}
    kan = {"type": "ankan", "actor": 3, "consumed": ["C"] * 4}
    draw = {"type": "tsumo", "actor": 3, "pai": "?"}
    host.send(GAME, start() | {"oya": 3, "kyoku": 4}, draw, kan, draw, discard)
    turn = host.send({"type": "dora", "dora_marker": "9p"}, {"type": "request_action", "request_id": 1})
    assert turn.actions == (Call("pon", ("E", "E"), "E", 3), Pass())


DECLARED = (
    {"type": "tsumo", "actor": 3, "pai": "?"},
    {"type": "reach", "actor": 3},
    {"type": "dahai", "actor": 3, "pai": "E", "tsumogiri": True},
    {"type": "reach_accepted", "actor": 3},
)


def test_a_call_may_be_asked_for_after_the_stick_of_a_riichi():
    """There was nothing to choose then: the call was passed up."""
    host = Host(RIICHILAB)
    host.send(GAME, start() | {"oya": 3, "kyoku": 4}, *DECLARED)
    turn = host.send({"type": "request_action", "request_id": 1})
    assert turn.actions == (Call("pon", ("E", "E"), "E", 3), Pass())
    assert host.complaints == []


def test_an_array_that_ended_with_the_stick_of_a_riichi_lost_the_offer_of_its_discard():
    host = Host(ARRAYS)
    host.session.receive(json.dumps([GAME, start() | {"oya": 3, "kyoku": 4}]))
    turn = host.session.receive(json.dumps(DECLARED))
    assert turn.actions == (Call("pon", ("E", "E"), "E", 3), Pass())


def test_the_safest_choice_of_a_host_leaves_without_its_notes():
    host = Host(RIICHILAB)
    host.send(GAME, start())
    noted = {"type": "none", "log": "?", "meta": {"a": 1}, "request_id": 4}
    assert host.reply({"type": "request_action", "possible_actions": [noted]}) == {"type": "none"}


def test_a_turn_that_is_withdrawn_is_reported_and_not_answered():
    host = Host(LINES, seat=0)
    turn = host.send(start(), DRAW)
    host.session.withdraw(turn, "too late")
    assert host.complaints == ["line 2: too late; not answering"]
    assert host.session.answer(turn, turn.think()) is None
    host.session.withdraw(turn, "again")
    assert len(host.complaints) == 1


# ---- what cannot be answered


def test_a_hidden_draw_of_ours_is_not_discarded():
    """Regression: out of step, a draw that the host hides was answered by a discard of no tile."""
    host = Host(TCP)
    host.send(GAME, start(), DRAW, DRAW | {"pai": "F"})
    assert host.reply(DRAW | {"pai": "?"}) == {"type": "none"}


def test_a_request_after_an_impossible_event_is_not_answered_from_before():
    host = Host(RIICHILAB)
    host.send(GAME, start(), DRAW)
    assert host.reply({"type": "request_action", "request_id": 1})["type"] == "dahai"
    host.send({"type": "dahai", "actor": 0, "pai": "9p", "tsumogiri": False})
    assert host.send({"type": "request_action", "request_id": 2}) is None
    assert "asked for a move when we have none" in host.complaints[-1]
