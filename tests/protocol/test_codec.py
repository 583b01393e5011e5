import json

import pytest

from manue.errors import IllegalActionError, ProtocolError
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import Draw, GameEnd, GameStart, RiichiAccepted, RoundDrawn, Won
from manue.protocol.codec import (
    action_to_fields,
    allowed_by,
    allowed_by_host,
    choice_to_action,
    event_to_fields,
    fields_to_action,
    matches,
    message_to_choice,
    message_to_event,
)
from manue.protocol.parsing import parse_choice, parse_message
from manue.records.archive import read_log
from manue.rules import EAST_ONLY
from tests.conftest import GAMES

REPLIES = [
    (Pass(), {"type": "none"}),
    (Discard("5mr", from_draw=True), {"type": "dahai", "actor": 2, "pai": "5mr", "tsumogiri": True}),
    (Riichi(), {"type": "reach", "actor": 2}),
    (
        Call("chi", ("2m", "3m"), "1m", 1),
        {"type": "chi", "actor": 2, "target": 1, "pai": "1m", "consumed": ["2m", "3m"]},
    ),
    (
        Call("pon", ("5pr", "5p"), "5p", 0),
        {"type": "pon", "actor": 2, "target": 0, "pai": "5p", "consumed": ["5pr", "5p"]},
    ),
    (
        Call("daiminkan", ("E", "E", "E"), "E", 3),
        {"type": "daiminkan", "actor": 2, "target": 3, "pai": "E", "consumed": ["E", "E", "E"]},
    ),
    (Call("ankan", ("C",) * 4), {"type": "ankan", "actor": 2, "consumed": ["C", "C", "C", "C"]}),
    (
        Call("kakan", ("5sr", "5s", "5s"), "5s"),
        {"type": "kakan", "actor": 2, "pai": "5s", "consumed": ["5sr", "5s", "5s"]},
    ),
    (Win("3s", 1), {"type": "hora", "actor": 2, "target": 1, "pai": "3s"}),
    (NineTerminals(), {"type": "ryukyoku", "actor": 2, "reason": "kyushukyuhai"}),
]
ACTIONS = [action for action, _ in REPLIES]


@pytest.mark.parametrize(("action", "reply"), REPLIES, ids=lambda x: type(x).__name__)
def test_replies_have_exactly_the_fields_of_the_reference(action, reply):
    assert json.loads(json.dumps(action_to_fields(action, 2))) == reply


@pytest.mark.parametrize(("action", "reply"), REPLIES, ids=lambda x: type(x).__name__)
def test_a_reply_is_read_back_as_its_action(action, reply):
    choice = parse_choice(json.dumps(reply))
    assert [other for other in ACTIONS if matches(choice, other)] == [action]
    assert choice_to_action(choice, ACTIONS) == action


@pytest.mark.parametrize(("action", "reply"), REPLIES, ids=lambda x: type(x).__name__)
def test_a_complete_reply_is_read_without_a_round(action, reply):
    assert fields_to_action(reply) == action
    for missing in reply.keys() - {"type", "actor", "reason"}:
        with pytest.raises(ProtocolError, match=f"^incomplete '{reply['type']}': "):
            fields_to_action({name: value for name, value in reply.items() if name != missing})


@pytest.mark.parametrize(
    "reply", [{"type": "ankan", "consumed": ["C"] * 3}, REPLIES[6][1] | {"consumed": ["5s"]}]
)
def test_a_kan_of_too_few_tiles_is_incomplete(reply):
    with pytest.raises(ProtocolError, match=f"^incomplete '{reply['type']}': "):
        fields_to_action(reply)


@pytest.mark.parametrize(("action", "reply"), REPLIES[1:], ids=lambda x: type(x).__name__)
def test_a_message_of_a_log_is_the_choice_that_the_reply_made(action, reply):
    found = message_to_choice(parse_message(json.dumps(reply)))
    assert found.model_dump(exclude_none=True) == reply
    assert choice_to_action(found, ACTIONS) == action


@pytest.mark.parametrize(
    "other",
    [
        {"type": "hora", "pai": "4s"},
        {"type": "hora", "target": 3},
        {"type": "pon", "pai": "6p"},
        {"type": "kakan", "pai": "6s"},
        {"type": "chi", "pai": "1m", "consumed": ["2m", "2m"]},
    ],
)
def test_what_an_entry_of_a_host_names_must_be_that_of_the_action(other):
    assert allowed_by([parse_choice(json.dumps(other))], ACTIONS) == ()


@pytest.mark.parametrize("kind", ["chi", "pon", "daiminkan", "ankan", "kakan", "hora"])
def test_an_entry_of_a_host_may_name_the_kind_alone(kind):
    (allowed,) = allowed_by([parse_choice(json.dumps({"type": kind}))], ACTIONS)
    assert action_to_fields(allowed, 2)["type"] == kind


def test_short_entries_of_a_host_match():
    short = [
        parse_choice(text)
        for text in (
            '{"type":"chi","pai":"1m","consumed":["3m","2m"]}',
            '{"type":"ankan","pai":"C","consumed":["C","C","C","C"]}',
            '{"type":"dahai","pai":"5mr"}',
            '{"type":"dahai","pai":"5mr"}',
            '{"type":"hora"}',
            '{"type":"none"}',
        )
    ]
    assert allowed_by(short, ACTIONS) == (
        Pass(),
        Discard("5mr", from_draw=True),
        Call("chi", ("2m", "3m"), "1m", 1),
        Call("ankan", ("C",) * 4),
        Win("3s", 1),
    )


def test_a_discard_without_flag_comes_from_the_hand_if_it_can():
    both = [Discard("1m", from_draw=True), Discard("1m")]
    assert choice_to_action(parse_choice('{"type":"dahai","pai":"1m"}'), both) == Discard("1m")


def test_a_red_five_is_not_a_plain_one():
    with pytest.raises(IllegalActionError, match="5m"):
        choice_to_action(parse_choice('{"type":"dahai","pai":"5m","tsumogiri":true}'), ACTIONS)


@pytest.mark.parametrize(
    ("message", "actions", "allowed"),
    [
        ({"type": "reach", "actor": 2, "cannot_dahai": ["1m"]}, [Discard("1m"), Discard("2m")], [1]),
        ({**REPLIES[7][1], "possible_actions": []}, [Win("5s", 2), Pass()], [1]),
        ({"type": "request_action", "possible_actions": []}, [Discard("1m"), Pass()], []),
        ({"type": "request_action"}, [Discard("1m"), Pass()], [0, 1]),
        (
            {"type": "request_action", "possible_actions": [{"type": "chi", "pai": "5m"}]},
            [Call("chi", ("4m", "6m"), "5mr", 1), Pass()],
            [0],
        ),
    ],
)
def test_a_host_permits_what_its_message_says(message, actions, allowed):
    found = allowed_by_host(parse_message(json.dumps(message)), tuple(actions))
    assert found == tuple(actions[at] for at in allowed)


def test_an_illegal_reply_is_quoted_without_its_notes():
    noted = '{"type":"dahai","pai":"5m","log":"thought","meta":{"a":1}}'
    said = r"^\{'type': 'dahai', 'pai': '5m'\} is not one of the legal actions$"
    with pytest.raises(IllegalActionError, match=said):
        choice_to_action(parse_choice(noted), ACTIONS)


@pytest.mark.parametrize("name", ["ura_markers", "uradora_markers", "uradora_marker"])
def test_the_indicators_below_have_three_names(name):
    win = {"type": "hora", "actor": 1, "target": 0, name: ["4m", "E"]}
    assert message_to_event(parse_message(json.dumps(win))).ura_indicators == ("4m", "E")


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        (GameStart(), {"type": "start_game"}),
        (
            GameStart(3, tuple("abcd"), EAST_ONLY, red_fives=False, rules="mjsoul", open_tanyao=False),
            {
                "type": "start_game",
                "id": 3,
                "names": list("abcd"),
                "kyoku_first": 4,
                "aka_flag": False,
                "kuitan_flag": False,
                "rules": "mjsoul",
            },
        ),
        (Draw(1, None), {"type": "tsumo", "actor": 1, "pai": "?"}),
        (
            RiichiAccepted(1, (25_000, 24_000, 25_000, 25_000)),
            {"type": "reach_accepted", "actor": 1, "scores": [25_000, 24_000, 25_000, 25_000]},
        ),
        (
            Won(1, 1, points=2_000, hand=("1m", "5pr")),
            {
                "type": "hora",
                "actor": 1,
                "target": 1,
                "ura_markers": [],
                "hora_points": 2_000,
                "hora_tehais": ["1m", "5pr"],
            },
        ),
        (RoundDrawn(), {"type": "ryukyoku"}),
        (
            GameEnd((40_000, 30_000, 20_000, 10_000)),
            {"type": "end_game", "scores": [40_000, 30_000, 20_000, 10_000]},
        ),
    ],
    ids=lambda x: type(x).__name__,
)
def test_an_event_is_written_with_all_that_is_known_of_it(event, fields):
    assert json.loads(json.dumps(event_to_fields(event))) == fields
    assert message_to_event(parse_message(json.dumps(fields))) == event


@pytest.mark.parametrize("number", [None, 1, 7])
def test_a_length_that_a_host_does_not_explain_is_unknown(number):
    start = {"type": "start_game", "kyoku_first": number}
    assert message_to_event(parse_message(json.dumps(start))) == GameStart()


def test_every_dialect_of_a_win_says_the_same():
    ruby = (
        '{"type":"hora","actor":1,"target":1,"pai":"W","uradora_markers":["4m"],"fu":25,"fan":10,'
        '"hora_points":16000,"deltas":[-8000,17000,-4000,-5000],"scores":[17000,41000,21000,21000]}'
    )
    ours = message_to_event(parse_message(ruby))
    assert isinstance(ours, Won)
    assert (ours.han, ours.fu, ours.points, ours.ura_indicators) == (10, 25, 16000, ("4m",))
    bare = message_to_event(parse_message('{"type":"hora","actor":1,"target":0,"deltas":null}'))
    assert bare == Won(1, 0)


def test_hands_shown_at_a_draw():
    hands = [["1m", "1m", "5mr", "6m"], ["?"] * 13, ["E"], ["?"] * 10]
    shown = {"type": "ryukyoku", "reason": "fanpai", "tenpais": [True, False, True, False], "tehais": hands}
    event = message_to_event(parse_message(json.dumps(shown)))
    assert event.hands == (("1m", "1m", "5mr", "6m"), (None,) * 13, ("E",), (None,) * 10)
    assert json.loads(json.dumps(event_to_fields(event))) == shown


def test_messages_without_an_event():
    for line in ('{"type":"none"}', '{"type":"error","message":"x"}', '{"type":"request_action"}'):
        assert message_to_event(parse_message(line)) is None
    assert message_to_event(parse_message('{"type":"end_game"}')) == GameEnd()
    assert message_to_event(parse_message('{"type":"ryukyoku","reason":null}')) == RoundDrawn()


def test_records_survive_the_way_to_events_and_back():
    """Whatever an event keeps of a record's line is written back as it stood."""
    kept = total = 0
    for path in GAMES:
        for entry in read_log(path):
            written = json.loads(json.dumps(event_to_fields(entry.event)))
            original = entry.fields()
            assert {name: original[name] for name in written if name in original} == {
                name: value for name, value in written.items() if name in original
            }
            assert message_to_event(parse_message(json.dumps(written))) == entry.event
            kept += len(written)
            total += len(original)
    assert kept / total > 0.9


def test_choices_are_read_from_a_log():
    line = '{"type":"kakan","actor":0,"pai":"5s","consumed":["5sr","5s","5s"]}'
    choice = message_to_choice(parse_message(line))
    assert choice.actor == 0
    assert choice_to_action(choice, ACTIONS) == Call("kakan", ("5sr", "5s", "5s"), "5s")
    assert message_to_choice(parse_message('{"type":"tsumo","actor":0,"pai":"?"}')) is None
    assert message_to_choice(parse_message('{"type":"ryukyoku","reason":"fanpai","actor":null}')) is None
    nine = message_to_choice(parse_message('{"type":"ryukyoku","reason":"kyushu_kyuhai"}'))
    assert choice_to_action(nine, ACTIONS) == NineTerminals()
