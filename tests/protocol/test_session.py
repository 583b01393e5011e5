"""What a session does with input that nobody should send."""

import json
import tracemalloc
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.agents.base import Decision
from manue.bot import EMBEDDED
from manue.errors import AgentError, EventError, ProtocolError, ThreePlayersError, UsageError
from manue.game.actions import Discard, Pass, Win
from manue.game.events import GameStart, RoundStart
from manue.protocol.dialect import _USUAL, ARRAYS, DIALECTS, LINES, RIICHILAB, TCP, WEBSOCKET, dialect_for
from manue.protocol.parsing import MAX_EVENTS
from manue.protocol.session import Session
from manue.protocol.turn import Turn
from manue.records.archive import read_log
from manue.records.log_writer import LogWriter
from manue.rules import EAST_ONLY, MAHJONG_SOUL
from tests.conftest import FULL
from tests.messages import start_kyoku
from tests.protocol.minds import FailingMind, RandomMind
from tests.transports.hosts import first_request, riichienv_game, ruby_lines

HANDS = [["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "E", "W", "N"], *[["?"] * 13] * 3]
START = start_kyoku(dora_marker="1s", tehais=HANDS)
DRAW = {"type": "tsumo", "actor": 0, "pai": "P"}


def session_of(dialect, mind=None, **options):
    complaints = []
    session = Session(mind or RandomMind(), dialect, complain=complaints.append, **options)
    return session, complaints


def fed(dialect, *messages, mind=None):
    session, complaints = session_of(dialect, mind, seat=0)
    for message in messages:
        session.receive(json.dumps(message))
    return session, complaints


def test_replies_carry_the_annotation_where_somebody_reads_it():
    for dialect, annotated in ((TCP, True), (LINES, True), (ARRAYS, False), (RIICHILAB, False)):
        assert dialect.annotated == annotated
    session, _ = fed(LINES, START)
    reply = json.loads(session.respond(json.dumps(DRAW)))
    assert reply["log"].startswith("action")
    assert reply["meta"]["manue"]["candidates"][0]["moves"] == [
        {name: value for name, value in reply.items() if name in ("type", "actor", "pai", "tsumogiri")}
    ]


def test_an_impossible_own_draw_is_discarded_again_and_a_repeated_line_answered_as_before():
    session, complaints = fed(TCP, START)
    first = session.respond(json.dumps(DRAW))
    assert session.respond(json.dumps(DRAW)) == first
    other = json.loads(session.respond(json.dumps(DRAW | {"pai": "F"})))
    assert other == {"type": "dahai", "actor": 0, "pai": "F", "tsumogiri": True}
    assert [complaint.split(":")[0] for complaint in complaints] == ["line 3", "line 4"]


def test_a_lost_line_does_not_lead_to_a_discard_of_a_tile_that_is_gone():
    """Found in the soak: a lost draw of another seat let the round fall into step, our hand a turn old."""
    session, complaints = fed(TCP, START, DRAW, DRAW | {"type": "dahai", "pai": "N", "tsumogiri": False})
    for turn in range(2):  # the first draw of seat 1 is lost, its second fits
        for seat in (1, 2, 3):
            draw = {"type": "tsumo", "actor": seat, "pai": "?"}
            assert session.respond("{" if (turn, seat) == (0, 1) else json.dumps(draw)) == '{"type":"none"}'
            session.respond(
                json.dumps({"type": "dahai", "actor": seat, "pai": f"{seat}p", "tsumogiri": True})
            )
        own = {"type": "tsumo", "actor": 0, "pai": f"{turn + 1}s"}
        drawn = {"type": "dahai", "actor": 0, "pai": f"{turn + 1}s", "tsumogiri": True}
        assert json.loads(session.respond(json.dumps(own))) == drawn
        session.respond(json.dumps({"type": "dahai", "actor": 0, "pai": "W", "tsumogiri": False}))
    assert [complaint.endswith("until the next one") for complaint in complaints[:3]] == [False, True, False]
    session.respond(json.dumps(START))
    assert isinstance(session.receive(json.dumps(DRAW)), Turn)


@pytest.mark.parametrize("kind", ["reach", "pon"])
def test_an_impossible_own_call_is_followed_by_a_discard_that_is_not_forbidden(kind):
    session, complaints = fed(TCP, START)
    message = {"type": kind, "actor": 0, "cannot_dahai": ["N", "W"]}
    message |= {"target": 1, "pai": "E", "consumed": ["E", "E"]} if kind == "pon" else {}
    reply = json.loads(session.respond(json.dumps(message)))
    assert reply == {"type": "dahai", "actor": 0, "pai": "E", "tsumogiri": False}
    assert len(complaints) == 1


def test_forbidden_discards_of_the_host_are_obeyed():
    session, _ = fed(
        TCP, START, DRAW, DRAW | {"type": "dahai", "tsumogiri": True}, DRAW | {"actor": 1, "pai": "?"}
    )
    session.receive(json.dumps({"type": "dahai", "actor": 1, "pai": "E", "tsumogiri": True}))
    pon = {"type": "pon", "actor": 0, "target": 1, "pai": "E", "consumed": ["E", "E"]}
    turn = session.receive(json.dumps(pon | {"cannot_dahai": ["E", "W", "1m"]}))
    assert {action.tile for action in turn.actions} == {f"{n}m" for n in range(2, 10)} | {"N"}


def test_only_offered_calls_are_made():
    session, _ = fed(
        TCP, START, DRAW, DRAW | {"type": "dahai", "tsumogiri": True}, DRAW | {"actor": 1, "pai": "?"}
    )
    east = {"type": "dahai", "actor": 1, "pai": "E", "tsumogiri": True, "possible_actions": []}
    assert session.receive(json.dumps(east)).actions == (Pass(),)


def test_an_offer_of_an_unknown_type_is_left_out():
    """The draw or the request that named it was refused, and the turn or the round was lost."""
    skip = {"type": "skip", "actor": 0}
    session, complaints = fed(TCP, START)
    turn = session.receive(json.dumps(DRAW | {"possible_actions": [skip]}))
    assert {type(action) for action in turn.actions} == {Discard}
    session, more = fed(RIICHILAB, START, DRAW)
    offered = [skip, {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": True}]
    request = {"type": "request_action", "request_id": 1, "possible_actions": offered}
    assert session.receive(json.dumps(request)).actions == (Discard("P", from_draw=True),)
    assert complaints == more == []


def test_nothing_leaves_that_is_not_permitted():
    session, complaints = fed(LINES, START)
    turn = session.receive(json.dumps(DRAW))
    reply = json.loads(session.answer(turn, Decision(Win("P", 0))))
    assert reply == {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": True}
    assert "is not among" in complaints[0]
    assert session.answer(turn, Decision(Discard("P", from_draw=True))) is None


def test_a_position_can_be_saved_and_read(tmp_path):
    session, _ = fed(LINES, {"type": "start_game", "names": list("abcd")}, START, START, DRAW)
    with LogWriter(tmp_path / "position.mjson") as log:
        for event in session.position():
            log.write(event)
    events = [entry.event for entry in read_log(tmp_path / "position.mjson")]
    assert events == session.position()
    assert [type(event) for event in events[:2]] == [GameStart, RoundStart]
    assert len(events) == 3


def test_a_saved_position_has_the_rules_that_the_player_was_given():
    session, _ = session_of(LINES, seat=0, rules=MAHJONG_SOUL, last_round=EAST_ONLY)
    session.receive(json.dumps({"type": "start_game"}))
    assert session.position() == [GameStart(seat=0, last_round=EAST_ONLY, rules="mjsoul")]
    session.receive(json.dumps({"type": "start_game", "rules": "tenhou"}))
    assert session.position() == [GameStart(seat=0, last_round=EAST_ONLY, rules="tenhou")]


def test_a_failing_agent_raises_only_where_nobody_catches_it():
    session, _ = fed(LINES, START, mind=FailingMind())
    turn = session.receive(json.dumps(DRAW))
    with pytest.raises(AgentError):
        turn.think()
    assert json.loads(session.fall_back(turn, "broken"))["tsumogiri"] is True


def test_strict_sessions_raise_with_the_line():
    session, _ = session_of(LINES, seat=0, strict=True)
    session.receive(json.dumps(START))
    with pytest.raises(EventError, match=r"^line 2: "):
        session.receive(json.dumps(START | {"type": "tsumo", "actor": 3, "pai": "?"}))
    with pytest.raises(ProtocolError, match=r"^line 3: unknown message type"):
        session.receive('{"type":"x"}')


@pytest.mark.parametrize(
    ("dialect", "line", "words"),
    [
        (LINES, "[]", "not an object but an array; for such lines: --dialect arrays or akagi"),
        (
            ARRAYS,
            b"{}",
            "not an array of events but an object; for such lines: --dialect lines or review or mortal",
        ),
        (WEBSOCKET, "[]", "not an object but an array"),
        (EMBEDDED, "{}", "not an array of events but an object"),
        (ARRAYS, "[3]", "not an object but a number"),
    ],
)
def test_lines_of_another_dialect_are_reported_with_its_name(dialect, line, words):
    session, complaints = session_of(dialect, seat=0)
    session.receive(line)
    assert complaints == [f"line 1: {words}"]


@pytest.mark.parametrize(
    ("url", "name", "dialect"),
    [
        (None, None, LINES),
        (None, "arrays", ARRAYS),
        ("mjsonp://h:1/room", None, TCP),
        ("ws://h/x", None, WEBSOCKET),
        ("wss://game.riichi.dev/ws/ranked", None, RIICHILAB),
        ("wss://riichi.dev.example.org/ws", None, WEBSOCKET),
        ("ws://h/x", "riichilab", RIICHILAB),
    ],
)
def test_the_address_or_the_name_chooses_the_dialect(url, name, dialect):
    assert dialect_for(url, name) is dialect


def test_an_address_of_an_own_scheme_chooses_its_dialect(monkeypatch):
    """It chose that of standard streams, and was then connected to by TCP."""
    own = replace(TCP, name="own", transport="unix")
    monkeypatch.setitem(_USUAL, "unix", own)
    assert dialect_for("unix://localhost/tmp/socket") is own
    with pytest.raises(UsageError, match="dialect 'tcp' runs over tcp"):
        dialect_for("unix://localhost/tmp/socket", "tcp")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://h/", None),
        ("mjsonp://", None),
        ("mjsonp://h:99999/x", None),
        ("mjsonp://h:port/x", None),
        ("ws://[::1/", None),
        ("h:11600", None),
        (None, "tcp"),
        ("ws://h/", "lines"),
        (None, "x"),
    ],
)
def test_addresses_that_make_no_sense_are_usage_errors(url, name):
    with pytest.raises(UsageError):
        dialect_for(url, name)


def mangled(lines):
    """Lines of a conversation with some of them cut, doubled, dropped, swapped or changed in one field."""
    change = st.sampled_from("cut double drop swap field junk".split())
    return st.lists(st.tuples(st.integers(0, len(lines) - 1), change, st.integers(0, 10**6)), max_size=8).map(
        lambda faults: mangle(lines, faults)
    )


ODD_VALUES = [None, True, -1, 0, 3, 4, 10**30, 1.5, "", "?", "1m", "5mr", "E", [], ["1m"] * 3, {}, ["?"] * 13]


def mangle(lines, faults):
    lines = list(lines)
    for place, change, number in faults:
        at = min(place, len(lines) - 1)
        text = lines[at]
        if change == "cut":
            lines[at] = text[: number % (len(text) + 1)]
        elif change == "double":
            lines.insert(at, text)
        elif change == "drop" and len(lines) > 1:
            del lines[at]
        elif change == "swap":
            other = number % len(lines)
            lines[at], lines[other] = lines[other], lines[at]
        elif change == "junk":
            lines.insert(at, ["{}", "[]", "null", '"x"', "[" * 300, '{"type":"tsumo"}'][number % 6])
        elif change == "field":
            with suppress(ValueError, TypeError, ArithmeticError):  # no object, or an empty one
                fields = json.loads(text)
                name = sorted(fields)[number % len(fields)]
                lines[at] = json.dumps(fields | {name: ODD_VALUES[number % len(ODD_VALUES)]})
    return lines


@settings(max_examples=3000 if FULL else 40, deadline=None)
@given(st.data())
def test_mangled_conversations_break_nothing(data):
    """Any dialect, any fault: replies stay one to a line where every line is answered, and are replies."""
    dialect = data.draw(st.sampled_from(sorted(DIALECTS)).map(DIALECTS.get))
    ruby = data.draw(st.booleans())
    captured = riichienv_game()
    events = ruby_lines("tonnan-q20-client0") if ruby else [i["event"] for i in captured if "event" in i]
    rounds = [at for at, event in enumerate(events) if event["type"] == "start_kyoku"]
    start = data.draw(st.sampled_from(rounds))
    chosen = [events[0], *events[start : start + data.draw(st.integers(5, 120))]]
    lines = data.draw(mangled([json.dumps(message) for message in chosen]))
    session, _ = session_of(dialect, RandomMind(start), seat=0)
    for line in lines:
        sent = f"[{line}]" if dialect.frame == "array" and not line.startswith("[") else line
        try:
            reply = session.respond(sent)
        except ThreePlayersError:  # a name was lost: such a game is refused, whatever follows
            return
        if dialect.replies == "every":
            assert (reply is None) == (not sent.strip())
        if reply is not None:
            assert "type" in json.loads(reply)


def test_a_round_without_end_does_not_fill_the_memory():
    session, complaints = fed(LINES, START, *[{"type": "end_kyoku"}] * (MAX_EVENTS + 200))
    assert len(session.position()) == MAX_EVENTS
    assert complaints[0].startswith(f"line {MAX_EVENTS + 1}: more than {MAX_EVENTS} events in one round")
    session.receive(json.dumps(START))
    assert isinstance(session.receive(json.dumps(DRAW)), Turn)
    for _ in range(MAX_EVENTS):
        session.receive('{"type":"end_game"}')
    assert len(session.position()) == 1


def test_memory_stays_flat_over_many_games():
    """The same game again and again in one session keeps nothing of the earlier ones."""
    lines = [json.dumps(message) for message in ruby_lines("fault-noendreply")]
    session, _ = session_of(LINES)

    def play(times):
        for _ in range(times):
            for line in lines:
                session.respond(line)

    play(5)
    session.agent.asked.clear()
    tracemalloc.start()
    play(5)
    session.agent.asked.clear()
    before = tracemalloc.get_traced_memory()[0]
    play(40)
    session.agent.asked.clear()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert session.games == 50
    assert grown < 100_000


def test_a_turn_is_given_to_the_thinker_as_the_round_stood():
    """What arrives while an abandoned turn is still thought about does not reach its state."""
    events, legal = first_request()
    session, _ = session_of(RIICHILAB)
    for event in events:
        session.receive(json.dumps(event))
    request = {"type": "request_action", "request_id": 1, "possible_actions": legal}
    turn = session.receive(json.dumps(request))
    assert isinstance(turn, Turn)
    hand = list(turn.player.state.hand)
    session.receive(json.dumps({"type": "action_ack", "request_id": 1, "status": "defaulted"}))
    drawn = events[-1]["pai"]
    session.receive(json.dumps({"type": "dahai", "actor": 0, "pai": drawn, "tsumogiri": True}))
    assert turn.player.state.hand == hand
    assert session.answer(turn, turn.think()) is None


def test_a_bot_restarted_in_the_middle_of_a_game_plays_on():
    """A host of arrays starts a fresh process after a failure: no first round, other points."""
    session, complaints = session_of(ARRAYS, seat=3)
    game = {"type": "start_game", "names": ["0", "1", "2", "3"], "id": 0}
    late = START | {"bakaze": "S", "kyoku": 3, "oya": 2, "scores": [18_000, 40_000, 12_000, 30_000]}
    own_draw = [late, {"type": "tsumo", "actor": 2, "pai": "?"}]
    own_draw += [
        {"type": "dahai", "actor": 2, "pai": "C", "tsumogiri": True},
        {"type": "tsumo", "actor": 3, "pai": "?"},
    ]
    own_draw += [{"type": "dahai", "actor": 3, "pai": "F", "tsumogiri": False}, DRAW]
    for frame in ([game], [{"type": "end_kyoku"}]):
        assert session.respond(json.dumps(frame)) == '{"type":"none"}'
    assert json.loads(session.respond(json.dumps(own_draw)))["actor"] == 0
    assert complaints == []


def test_the_hosts_seat_or_the_users_is_believed_as_the_dialect_says():
    for dialect, seat in ((ARRAYS, 1), (TCP, 1), (LINES, 2)):
        session, complaints = session_of(dialect, seat=2)
        message = {"type": "start_game", "id": 1}
        session.respond(json.dumps([message] if dialect is ARRAYS else message))
        assert session.position() == [GameStart(seat)]
        said = ["line 1: the host says seat 1; seat 2 was given and is played"]
        assert complaints == (said if dialect is LINES else [])


@pytest.mark.parametrize("dialect", [TCP, LINES, ARRAYS, RIICHILAB], ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("names", [["a", "b", "c"], None], ids=["names", "hands"])
def test_a_three_player_game_ends_the_session_at_once(dialect, names):
    session, _ = session_of(dialect, strict=False)
    start = {"type": "start_game", "id": 0, "names": names}
    deal = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    deal |= {"dora_marker": "1m", "scores": [35000] * 3, "tehais": [["?"] * 13] * 3}
    lines = [json.dumps([event] if dialect is ARRAYS else event) for event in (start, deal)]
    if not names:
        session.receive(lines.pop(0))
    with pytest.raises(ThreePlayersError, match=r"^a three-player game \(sanma\): not supported$"):
        session.receive(lines[0])


def test_an_error_frame_amid_a_game_of_requests_is_reported_and_the_game_goes_on():
    complaints = []
    session = Session(RandomMind(), RIICHILAB, complain=complaints.append)
    session.receive('{"error":"bad token"}')
    assert (session.failure, session.over) == ("the host refused this player: bad token", True)
    session = Session(RandomMind(), RIICHILAB, complain=complaints.append)
    session.receive('{"type":"start_game","id":0}')
    session.receive('{"type":"error","message":"slow\\u0007 down"}')
    assert (session.failure, session.over) == (None, False)
    assert complaints == ["line 2: the host reports an error: slow\\x07 down"]


def test_a_riichi_before_anything_else_was_an_index_error():
    session, complaints = session_of(TCP, seat=0)
    assert session.respond(b'{"type":"reach","actor":2}') == '{"type":"none"}'
    (complaint,) = complaints
    assert complaint.startswith("line 1: seat 2 acts while the round waits for the start of a round")
