"""The length of a game: from the record, from the host, or guessed; and what it does to placement."""

import pytest
from pydantic_core import to_json

from manue.decision.outcomes import position_of
from manue.game.events import Discarded, Draw, GameEnd, GameStart, RoundEnd, RoundStart, Won
from manue.game.state import RoundState
from manue.protocol.codec import event_to_fields, message_to_event
from manue.protocol.parsing import parse_message, parse_value
from manue.records.archive import LogEntry
from manue.records.length import guessed_length, stated_length, with_length
from manue.records.mjlog import read_mjlog
from manue.records.tenhou_json import read_tenhou_json
from manue.rules import EAST_ONLY, HANCHAN
from tests.models.loaded import shipped

HAND = ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "S", "S")
HANDS = (HAND, *((None,) * 13,) * 3)


def entries(*events):
    return [
        LogEntry(f"event {at}", parse_message(to_json(event_to_fields(event))), event, b"{}")
        for at, event in enumerate(events, 1)
    ]


def round_of(wind, number, scores=(25_000,) * 4):
    return RoundStart(wind, number, 0, 0, number - 1, "1m", HANDS, scores)


@pytest.mark.parametrize(("kyoku_first", "length"), [(0, HANCHAN), (4, EAST_ONLY), (None, None)])
def test_a_mjai_start_says_the_length(kyoku_first, length):
    fields = {"type": "start_game", "names": ["a", "b", "c", "d"], "kyoku_first": kyoku_first}
    event = message_to_event(parse_value(fields))
    assert event.last_round == length
    assert event_to_fields(event).get("kyoku_first") == kyoku_first


@pytest.mark.parametrize(("kind", "length"), [(169, HANCHAN), (225, EAST_ONLY), (9, HANCHAN), (1, EAST_ONLY)])
def test_tenhous_type_says_the_length(kind, length):
    record = (
        f'<mjloggm ver="2.3"><GO type="{kind}" lobby="0"/><UN n0="a" n1="b" n2="c" n3="d"/>'
        '<INIT seed="0,0,0,1,2,4" ten="250,250,250,250" oya="0" hai0="0" hai1="1" hai2="2" hai3="3"/>'
        "</mjloggm>"
    )
    (_, start), *_ = read_mjlog(record.encode(), "record")
    assert message_to_event(parse_value(start)).last_round == length


@pytest.mark.parametrize(
    ("shown", "length"),
    [
        ("鳳南喰赤", HANCHAN),
        ("般東喰赤", EAST_ONLY),
        ("般南暗", HANCHAN),
        ("銀南祝0", HANCHAN),
        ("四若東速祝５", EAST_ONLY),
        ("玉の間南", HANCHAN),
        ("Jade Room East", EAST_ONLY),
        ("東京リーグ最終戦", None),
        ("南関東リーグ", None),
        ("第三期名人戦ルール", None),  # nor are they three
        ("?", None),
    ],
)
def test_the_name_of_the_rule_says_the_length(shown, length):
    record = {"name": ["a", "b", "c", "d"], "rule": {"disp": shown}, "log": []}
    assert message_to_event(parse_value(next(read_tenhou_json(record, "record")))).last_round == length


@pytest.mark.parametrize(
    ("wind", "number", "scores", "length"),
    [
        ("E", 4, (40_000, 20_000, 20_000, 20_000), EAST_ONLY),
        ("S", 2, (31_000, 29_000, 20_000, 20_000), EAST_ONLY),
        ("S", 4, (40_000, 20_000, 20_000, 20_000), HANCHAN),
        ("E", 3, (40_000, 20_000, 20_000, 20_000), HANCHAN),
        ("S", 1, (60_000, 41_000, 0, -1_000), HANCHAN),
        ("W", 1, (31_000, 29_000, 20_000, 20_000), HANCHAN),
    ],
)
def test_without_a_word_it_is_guessed_from_where_the_game_ended(wind, number, scores, length):
    game = entries(GameStart(), round_of("E", 1), round_of(wind, number), GameEnd(scores))
    assert stated_length(game) is None
    assert guessed_length(game) == length


def test_who_went_bust_is_known_without_scores_of_the_result():
    """Regression: where a win gives only what changed, a hanchan ended by a bust was taken for East-only."""
    start = RoundStart("S", 2, 0, 0, 0, "1m", HANDS, (60_000, 30_000, 8_000, 2_000))
    for lost, length in ((1_000, EAST_ONLY), (3_900, HANCHAN)):
        won = Won(0, 3, "9m", deltas=(lost, 0, 0, -lost))
        game = entries(GameStart(), start, Draw(0, "9m"), Discarded(0, "1m", from_draw=False))
        game += entries(Draw(1, None), Discarded(1, "W", from_draw=True), Draw(2, None))
        game += entries(Discarded(2, "W", from_draw=True), Draw(3, None), Discarded(3, "9m", from_draw=True))
        assert guessed_length([*game, *entries(won, RoundEnd(), GameEnd())]) == length


def test_an_unfinished_game_is_taken_for_a_hanchan():
    assert guessed_length(entries(GameStart(), round_of("E", 4))) == HANCHAN


def test_a_length_can_be_written_into_a_game():
    for game in (entries(GameStart(), round_of("E", 4)), entries(round_of("E", 4))):
        changed = with_length(game, EAST_ONLY)
        assert stated_length(changed) == EAST_ONLY
        assert [type(entry.event) for entry in changed] == [GameStart, RoundStart]
        assert [entry.event for entry in changed][-1] == game[-1].event


def test_the_leader_of_east_4_is_first_in_an_east_only_game_as_in_south_4_of_a_hanchan():
    """Once the leader of East 4 with 36 900 stood at place 1.64: an East-only game was a hanchan."""
    scores = (36_900, 24_100, 20_000, 19_000)
    found = {}
    for wind, last in (("E", EAST_ONLY), ("E", HANCHAN), ("S", HANCHAN)):
        state = RoundState(0)
        state.apply(GameStart(0, (), last))
        state.apply(round_of(wind, 4, scores))
        places = shipped().placement.final_places(scores, position_of(state))[0]
        found[wind, last] = float(places @ [1, 2, 3, 4])
    assert found["E", EAST_ONLY] == pytest.approx(found["S", HANCHAN])
    assert found["E", EAST_ONLY] < 1.2
    assert found["E", HANCHAN] > 1.4
