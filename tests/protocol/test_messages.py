import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from manue.errors import ProtocolError, ThreePlayersError
from manue.protocol.messages import Choice, Failure, Hora, Incoming, StartKyoku
from manue.protocol.parsing import MAX_ARRAY, MAX_LINE, parse_array, parse_choice, parse_message, parse_value
from tests.messages import start_kyoku

START = start_kyoku(tehais=[["?"] * 13] * 4)


def test_optional_fields_may_be_absent_null_or_unknown():
    absent = parse_message(json.dumps(START))
    null = parse_message(json.dumps(START | {"scores": None, "meta": None, "haiyama": [1, 2]}))
    assert absent == null
    assert absent.scores is None


def test_points_may_be_an_empty_list():
    message = parse_message('{"type":"ryukyoku","reason":"yao9","deltas":[],"scores":[]}')
    assert message.deltas is None
    assert message.scores is None
    with pytest.raises(ProtocolError, match="field 'deltas' of 'ryukyoku'"):
        parse_message('{"type":"ryukyoku","deltas":[0]}')


def test_points_may_be_written_with_a_decimal_point():
    """Regression: the start of the round was refused, and with it the whole round."""
    assert parse_message(json.dumps(START | {"scores": [25_000.0, 24_000, 26_000.0, -100.0]})).scores == [
        25_000,
        24_000,
        26_000,
        -100,
    ]
    for odd in (0.5, float("nan"), float("inf"), "1"):
        with pytest.raises(ProtocolError, match=r"field 'scores.0' of 'start_kyoku'"):
            parse_message(json.dumps(START | {"scores": [odd, 0, 0, 0]}))


@pytest.mark.parametrize(
    "shown",
    [
        [],
        None,
        5,
        [["1m"], [], []],
        [["1m"], [], [], ["x"]],
        [["1m"], [], [], None],
        [["1m"] * 15, [], [], []],
    ],
)
def test_hands_shown_at_a_draw_say_something_or_nothing(shown):
    """The game does not depend on them."""
    drawn = {"type": "ryukyoku", "tehais": [["1m", "?"], [], [], ["E"]]}
    assert parse_message(json.dumps(drawn)).tehais == [["1m", "?"], [], [], ["E"]]
    assert parse_message(json.dumps(drawn | {"tehais": shown})).tehais is None


def test_a_byte_order_mark_may_stand_before_a_line():
    line = '{"type":"none"}'
    for marked in (f"\ufeff{line}", b"\xef\xbb\xbf" + line.encode()):
        assert parse_message(marked) == parse_message(line)
        assert parse_choice(marked) == parse_choice(line)
    assert parse_array(f"\ufeff[{line}]") == [{"type": "none"}]


def test_a_name_may_end_in_half_a_character():
    """Regression: with a name that JavaScript had cut in the middle of an emoji no game could be played."""
    start = json.dumps({"type": "start_game", "id": 0, "names": ["A", "B\ud83d", "C", "D"]})
    for line in (start, start.encode()):
        assert parse_message(line).names == ["A", "B\ufffd", "C", "D"]


def test_a_name_may_be_cut_in_mid_byte_or_be_in_another_encoding():
    """The whole line was refused, and with it the seat that it gives."""
    start = '{"type":"start_game","id":2,"names":["A","%s","C","D"]}'
    for name in ("雀".encode()[:-1], "é".encode("latin-1"), "雀".encode("shift-jis")):
        message = parse_message(start.encode().replace(b"%s", name))
        assert (message.id, message.names[0], message.names[2:]) == (2, "A", ["C", "D"])
        assert "\ufffd" in message.names[1]
    assert parse_message(start.replace("%s", "\ud83d")).id == 2


@pytest.mark.parametrize("left_out", [{}, {"pai": None}])
def test_a_draw_that_is_not_shown_may_have_no_tile(left_out):
    """The draw was refused, and with it the view of the round."""
    assert parse_message(json.dumps({"type": "tsumo", "actor": 2} | left_out)).pai == "?"


@pytest.mark.parametrize("left_out", [[], None])
@pytest.mark.parametrize("seat", [0, 3])
def test_the_hands_that_a_seat_does_not_see_may_be_left_out(left_out, seat):
    """The round was refused, and played by discarding what was drawn."""
    own = START["tehais"][0]
    hands = [own if other == seat else left_out for other in range(4)]
    message = parse_message(json.dumps(START | {"tehais": hands}))
    assert message.tehais == [own if other == seat else ["?"] * 13 for other in range(4)]


def test_no_hand_at_all_is_refused():
    with pytest.raises(ProtocolError, match=r"field 'tehais\.0' of 'start_kyoku' is \[\]"):
        parse_message(json.dumps(START | {"tehais": [[]] * 4}))


def test_an_indicator_may_be_a_list_of_one():
    message = parse_message(json.dumps(START | {"dora_marker": ["5pr"]}))
    assert isinstance(message, StartKyoku)
    assert message.dora_marker == "5pr"


@pytest.mark.parametrize("field", ["uradora_marker", "uradora_markers", "ura_markers"])
def test_hosts_name_ura_indicators_differently(field):
    message = parse_message(json.dumps({"type": "hora", "actor": 1, "target": 2, field: ["3s"]}))
    assert isinstance(message, Hora)
    assert getattr(message, field) == ["3s"]


def test_a_single_ura_indicator_may_be_a_string():
    message = parse_message('{"type":"hora","actor":1,"target":2,"uradora_marker":"3s"}')
    assert message.uradora_marker == ["3s"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ({"type": "hello", "protocol": 1, "protocol_version": 3}, {"protocol_version": 3}),
        ({"type": "reach_accepted", "actor": 1, "deltas": "odd"}, {"actor": 1}),
        (
            {"type": "validation_result", "passed": False, "reason": ["too", "slow"]},
            {"reason": "['too', 'slow']"},
        ),
        (
            {"type": "action_ack", "status": "rejected", "reason": 5, "message": None},
            {"reason": "5", "message": ""},
        ),
    ],
)
def test_what_nothing_depends_on_refused_a_message(line, read):
    message = parse_message(json.dumps(line))
    assert {name: getattr(message, name) for name in read} == read


def test_a_bare_error_is_a_failure():
    assert parse_message('{"error":"This bot is already connected"}') == Failure(
        message="This bot is already connected"
    )


@pytest.mark.parametrize("field", ["message", "reason", "error", "detail", "code"])
def test_hosts_put_an_error_into_words_differently(field):
    """Without a `message` it was "no reason given"."""
    message = parse_message(json.dumps({"type": "error", "message": None, "reason": "", field: "room full"}))
    assert isinstance(message, Failure)
    assert message.words == "room full"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"type":"tsumo","actor":0,"pai":"5', "not JSON: EOF while parsing a string at column 34"),
        ("", "not JSON: EOF while parsing a value at column 0"),
        (b"\xff\xfe", "not JSON: expected value at column 1"),
        ("[]", "not an object but an array"),
        ("3", "not an object but a number"),
        ("{}", "no field 'type'"),
        ('{"type":"pei","actor":0}', "unknown message type 'pei'"),
        ('{"type":"dahai","actor":0}', "missing field 'pai' of 'dahai'"),
        ('{"type":"tsumo","actor":4,"pai":"?"}', "field 'actor' of 'tsumo' is 4"),
        ('{"type":"tsumo","actor":true,"pai":"?"}', "field 'actor' of 'tsumo' is True"),
        ('{"type":"tsumo","actor":"0","pai":"?"}', "field 'actor' of 'tsumo' is '0'"),
        ('{"type":"tsumo","actor":0,"pai":"0m"}', "field 'pai' of 'tsumo' is '0m': not a tile name"),
        ('{"type":"dahai","actor":0,"pai":"?","tsumogiri":true}', "field 'pai' of 'dahai' is '?'"),
        ('{"type":"chi","actor":0,"target":3,"pai":"1m","consumed":["2m"]}', "field 'consumed' of 'chi'"),
        (json.dumps(START | {"tehais": [["?"] * 13] * 2}), "field 'tehais' of 'start_kyoku'"),
        (json.dumps(START | {"honba": 10**400}), "field 'honba' of 'start_kyoku'"),
        (json.dumps(START | {"scores": [0, 0, 0, 1 << 60]}), "field 'scores.3' of 'start_kyoku'"),
        (json.dumps(START | {"tehais": [["1m"] * 3] * 4}), "field 'tehais.0' of 'start_kyoku'"),
        ('{"type":"start_game","num_players":2}', "field 'num_players' of 'start_game' is 2"),
        ('{"type":"none","x":' + "[" * 500 + "]" * 500 + "}", "not JSON: recursion limit exceeded"),
        ('{"type":"none","x":"' + "a" * MAX_LINE + '"}', "bytes in one line (at most"),
    ],
)
def test_bad_lines_are_refused_with_one_clear_reason(line, reason):
    with pytest.raises(ProtocolError) as caught:
        parse_message(line)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("names", "read"),
    [
        ("[]", None),
        ("null", None),
        ('["a"]', None),
        ('{"0":"a"}', None),
        ("[1,2,3,4]", [""] * 4),
        ('["a",{"name":"b"},"c","d"]', ["a", "", "c", "d"]),
    ],
)
def test_odd_names_of_players_cost_nobody_the_seat(names, read):
    """The game was refused, and with it our seat: "the host does not give our seat"."""
    start = parse_message(f'{{"type":"start_game","id":2,"names":{names}}}')
    assert (start.id, start.names) == (2, read)


def test_a_player_may_have_no_name():
    """The game was refused, and with it our seat."""
    start = parse_message('{"type":"start_game","id":2,"names":["a",null,"c","d"]}')
    assert (start.id, start.names) == (2, ["a", "", "c", "d"])


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ('{"type":"hello","protocol_version":"3"}', "protocol_version", None),
        ('{"type":"hello","protocol_version":20261126}', "protocol_version", None),
        ('{"type":"hello","protocol_version":2}', "protocol_version", 2),
        ('{"type":"hello","waiting_for":true}', "waiting_for", None),
        ('{"type":"start_game","id":2,"kyoku_first":"4"}', "id", 2),
        ('{"type":"start_game","id":2,"kyoku_first":4}', "kyoku_first", 4),
        ('{"type":"start_game","rules":"mjsoul"}', "rules", "mjsoul"),
        ('{"type":"start_game","rules":"of the house"}', "rules", None),
        ('{"type":"start_game","rules":["mjsoul"]}', "rules", None),
        ('{"type":"end_game","logs":"a table"}', "logs", None),
        ('{"type":"end_game","logs":["a","b","c","d","e"]}', "logs", None),
        ('{"type":"end_game","logs":[null,"b"]}', "logs", [None, "b"]),
        ('{"type":"error","message":null}', "message", ""),
        ('{"type":"error","message":{"code":3}}', "message", "{'code': 3}"),
    ],
)
def test_what_no_game_depends_on_may_have_any_form(line, field, value):
    """Regression: such a message was refused: nobody joined, the seat was lost, an error ended nothing."""
    assert getattr(parse_message(line), field) == value


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "kita", "actor": 0, "pai": "N"},
        {"type": "nukidora", "actor": 2, "pai": "N", "tsumogiri": False},
        START | {"tehais": [*[["?"] * 13] * 3, []]},
    ],
)
def test_what_only_three_players_have_is_refused_as_their_game(fields):
    """Regression: a kita was an unknown message; play went on without a view of the round."""
    with pytest.raises(ThreePlayersError):
        parse_message(json.dumps(fields))
    with pytest.raises(ThreePlayersError):
        parse_value(fields)


def test_an_array_is_limited():
    assert parse_array('[{"type":"none"}, 3]') == [{"type": "none"}, 3]
    with pytest.raises(ProtocolError, match="at most"):
        parse_array(json.dumps([1] * (MAX_ARRAY + 1)))
    with pytest.raises(ProtocolError, match="not an array of events but an object"):
        parse_array("{}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=5),
    max_leaves=20,
)
KEYS = st.sampled_from(
    "type actor target pai consumed tsumogiri scores deltas id names tehais dora_marker error time".split()
)
TYPES = st.sampled_from(
    "hello start_game start_kyoku tsumo dahai chi pon ankan kakan hora request_action action_ack".split()
)
ALMOST = st.dictionaries(KEYS, JSON, max_size=6).flatmap(
    lambda fields: TYPES.map(lambda kind: fields | {"type": kind})
)


def complaint(parse, value):
    try:
        parse(value)
    except ProtocolError as error:
        return str(error)
    return ""


@given(st.binary(max_size=60) | st.text(max_size=60) | st.builds(json.dumps, JSON | ALMOST))
def test_any_line_is_a_message_or_a_protocol_error(line):
    for parse in (parse_message, parse_choice, parse_array):
        assert "\n" not in complaint(parse, line)


@given(JSON | ALMOST)
def test_any_value_is_a_message_or_a_protocol_error(value):
    assert "\n" not in complaint(parse_value, value)


BAD_LIST = [{"type": 0}] * 1_000


@pytest.mark.parametrize("model", [*get_args(Incoming), Choice])
def test_every_element_of_a_bad_list_made_an_error(model):
    """An error for each of a million elements cost 27 s and 4.2 GB, to show the first."""
    for field in model.model_fields:
        for bad in (BAD_LIST, [BAD_LIST] * 4, [True] * 1_000):
            errors = 0
            try:
                model.model_validate_json(json.dumps({field: bad}))
            except ValidationError as error:
                errors = error.error_count()
            assert errors <= 2 * len(model.model_fields)


@pytest.mark.parametrize(
    ("kind", "field", "element"),
    [
        ("tsumo", "possible_actions", {"type": "none"}),
        ("reach", "cannot_dahai", "1m"),
        ("hora", "ura_markers", "1m"),
        ("hora", "hora_tehais", "1m"),
    ],
)
def test_lists_are_bounded(kind, field, element):
    with pytest.raises(ProtocolError, match=rf"{field}.* at most \d+ items"):
        parse_message(
            json.dumps({"type": kind, "actor": 0, "target": 0, "pai": "1m", field: [element] * 10_000})
        )


def test_the_value_in_an_error_is_cut_short():
    with pytest.raises(ProtocolError) as caught:
        parse_value({"type": "tsumo", "actor": 0, "pai": [["x" * 1_000_000] * 1_000] * 1_000})
    assert len(str(caught.value)) < 200
