import json

import pytest

from manue.errors import IllegalActionError
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import GameEnd, RoundDrawn, Won
from manue.protocol.codec import (
    action_to_fields,
    allowed_by,
    choice_to_action,
    event_to_fields,
    matches,
    message_to_choice,
    message_to_event,
)
from manue.protocol.parsing import parse_choice, parse_message
from manue.records.archive import read_log
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
