"""Tenhou's formats: written by an oracle and read back, replayed, refused when damaged."""

import gzip
import json
import os
import re

import pytest

from manue.__main__ import main
from manue.errors import LogError
from manue.game.events import GameStart, RiichiAccepted, RoundStart, Won
from manue.records.formats import read_record
from manue.records.mjlog import decode_call
from manue.records.tenhou_json import _value, tile_of
from manue.records.tenhou_json_writer import number_of
from manue.rules import HANCHAN
from manue.tiles import tile_name
from tests.conftest import game

SMALL = """<mjloggm ver="2.3"><GO type="169"/><UN n0="%41" n1="B" n2="C" n3="%E5%B7%9D"/><TAIKYOKU oya="0"/>
<INIT seed="0,0,0,5,4,105" ten="250,250,250,250" oya="0"
 hai0="72,58,22,90,91,2,45,98,63,62,94,50,113" hai1="101,14,54,61,81,12,123,120,110,92,73,65,38"
 hai2="100,43,60,109,28,119,59,77,103,42,106,95,34" hai3="83,51,107,93,97,118,112,37,32,132,31,84,102"/>
<T25/><D25/><U16/><E101/></mjloggm>"""


def test_a_small_mjlog_is_read(tmp_path):
    path = tmp_path / "small.mjlog"
    path.write_bytes(gzip.compress(SMALL.encode()))
    (game,) = read_record(path)
    assert game[0].event == GameStart(None, ("A", "B", "C", "川"), HANCHAN, red_fives=True)
    kinds = [entry.message.type for entry in game]
    assert kinds == ["start_game", "start_kyoku", "tsumo", "dahai", "tsumo", "dahai", "end_kyoku"]
    assert game[3].message.tsumogiri
    assert game[4].message.pai == "5mr"
    assert not game[5].message.tsumogiri
    assert game[3].where == "line 5"


def test_a_blank_line_before_an_xml_declaration_was_damage(tmp_path):
    path = tmp_path / "blank.mjlog"
    path.write_text(f'\n\n<?xml version="1.0" encoding="UTF-8"?>\n{SMALL}')
    (game,) = read_record(path)
    assert game[3].where == "line 8"


def test_changes_without_the_points_before_leave_the_points_to_the_reader(tmp_path):
    """Regression: the points after a round were what was paid in it, where a writer has 0 in their place."""
    path = tmp_path / "bare.mjlog"
    end = '<RYUUKYOKU ba="0,0" sc="0,30,0,-10,0,-10,0,-10"/></mjloggm>'
    path.write_text(SMALL.replace("</mjloggm>", end))
    (game,) = read_record(path)
    assert game[-2].event.deltas == (3000, -1000, -1000, -1000)
    assert game[-2].event.scores is None


@pytest.mark.parametrize("name", ["four-riichi", "double-ron", "robbed-kan"])
def test_a_riichi_is_paid_for_where_the_writer_does_not_say_so(tmp_path, name):
    """Regression: nobody had paid for a riichi in the mjlog of a writer that leaves out its second step."""
    path = tmp_path / "whole.mjlog"
    assert main(["convert", str(game(name)), "-o", str(path)]) == 0
    want = [entry.event for entry in read_record(path)[0]]
    text, steps = re.subn('<REACH [^>]*step="2"/>', "", path.read_text())
    path.write_text(text)
    have = [entry.event for entry in read_record(path)[0]]
    paid = [RiichiAccepted(event.actor) if isinstance(event, RiichiAccepted) else event for event in want]
    assert have == paid
    assert steps == sum(isinstance(event, RiichiAccepted) for event in want)


def test_ura_indicators_of_tenhou_json_are_those_of_winners_in_riichi(tmp_path):
    """The list belongs to the round: of two who win off one discard, one may not have declared."""
    path = tmp_path / "record.json"
    assert main(["convert", str(game("double-riichi")), "-o", str(path)]) == 0
    record = json.loads(path.read_text("utf-8"))
    for entry in record["log"]:
        entry[3] = [11]
    path.write_text(json.dumps(record), "utf-8")
    riichi, found = set(), set()
    for entry in read_record(path)[0]:
        event = entry.event
        if isinstance(event, RoundStart):
            riichi = set()
        if isinstance(event, RiichiAccepted):
            riichi.add(event.actor)
        if isinstance(event, Won):
            found.add((event.actor in riichi, event.ura_indicators))
    assert found == {(True, ("1m",)), (False, ())}


def test_games_without_red_fives_have_none(tmp_path):
    path = tmp_path / "plain.mjlog"
    path.write_text(SMALL.replace('type="169"', 'type="171"'))
    assert read_record(path)[0][4].message.pai == "5m"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # codes seen in published records, worked out by hand
        (42031, ("chi", "9p", ("7p", "8p"))),
        (51243, ("pon", "C", ("C", "C"))),
        (100 << 8, ("ankan", None, ("8s", "8s", "8s", "8s"))),
        (101 << 8 | 2, ("daiminkan", "8s", ("8s", "8s", "8s"))),
    ],
)
def test_codes_of_calls(code, expected):
    fields = decode_call(code, 0, tile_name)
    assert (fields["type"], fields.get("pai"), tuple(fields["consumed"])) == expected


def test_tile_numbers():
    for tile in [*(f"{n}{s}" for s in "mps" for n in range(1, 10)), *"ESWNPFC", "5mr", "5pr", "5sr"]:
        assert tile_of(number_of(tile)) == tile
    for number in (0, 10, 20, 48, 50, 54, 60, 99, -11):
        with pytest.raises(ValueError, match="is not a tile"):
            tile_of(number)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30符4飜7700点", {"fu": 30, "han": 4, "hora_points": 7700}),
        ("満貫2000-4000点", {"hora_points": 8000}),
        ("20符3飜1300点∀", {"fu": 20, "han": 3, "hora_points": 3900}),
        ("役満32000点", {"hora_points": 32000}),
        ("", {}),
        ("30Fu4Han7700Points", {"fu": 30, "han": 4, "hora_points": 7700}),
        ("Mangan 2000-4000Points", {"hora_points": 8000}),
        ("40符5飜満貫4000点∀", {"fu": 40, "han": 5, "hora_points": 12000}),
    ],
)
def test_values_of_hands(text, expected):
    assert _value(text) == expected


def test_a_discard_that_could_be_called_twice_is_called_where_the_rest_fits(tmp_path):
    """Seat 3 takes the second East of seat 1, which calls in between: read greedily, it takes the first."""
    hands = [
        [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24],
        [41, 41, 45, 45, 31, 32, 33, 34, 35, 36, 37, 38, 39],
        [45, 46, 46, 21, 22, 23, 24, 25, 26, 27, 28, 29, 47],
        [41, 41, 11, 12, 13, 14, 15, 16, 17, 18, 19, 31, 32],
    ]
    takes = [[21, 22], [42, "4545p45", 43], [27], ["41p4141"]]
    drops = [[60, 60], [41, 41], [45], [31]]
    seats = [part for seat in range(4) for part in (hands[seat], takes[seat], drops[seat])]
    entry = [[0, 0, 0], [25000] * 4, [47], [], *seats, ["流局", [0, 0, 0, 0]]]
    path = tmp_path / "twice.json"
    path.write_text(json.dumps({"name": list("abcd"), "log": [entry]}))
    events = [entry.message for entry in read_record(path)[0]]
    pon = next(at for at, event in enumerate(events) if event.type == "pon" and event.actor == 3)
    assert sum(event.type == "dahai" and event.actor == 1 for event in events[:pon]) == 2


def tenhou_events(path, takes, drops, result, indicators=(38,), number=0):
    """Write a record of one round in which seat 0 begins, and return its messages."""
    hands = [
        [11, 11, 11, 12, 13, 14, 21, 22, 23, 31, 32, 33, 45],
        [19, 19, 21, 29, 31, 39, 41, 42, 43, 44, 45, 46, 47],
        [15, 16, 17, 25, 26, 27, 33, 33, 35, 36, 46, 46, 46],
        [15, 16, 17, 25, 26, 27, 35, 36, 37, 47, 47, 47, 44],
    ]
    seats = [part for seat in range(4) for part in (hands[seat], takes[seat], drops[seat])]
    entry = [[number, 0, 0], [25000] * 4, indicators, [], *seats, result]
    path.write_text(json.dumps({"name": list("abcd"), "log": [entry]}))
    return [entry.message for entry in read_record(path)[0]]


def test_a_win_on_a_closed_kan_is_on_its_tile(tmp_path):
    """Regression: thirteen orphans that robbed a closed kan won on the tile drawn before it."""
    result = ["和了", [-32000, 32000, 0, 0], [1, 0, 1, "役満32000点", "国士無双(役満)"]]
    at_once = [[11], [], [], []], [["111111a11"], [], [], []]
    later = [[11, 34], [24], [24], [24]], [[45, "111111a11"], [60], [60], [60]]
    for takes, drops in (at_once, later):
        events = tenhou_events(tmp_path / "kan.json", takes, drops, result)
        (win,) = [event for event in events if event.type == "hora"]
        assert win.pai == "1m"


@pytest.mark.parametrize(("named", "liable"), [(0, None), (1, None), (3, 3)])
def test_who_is_liable_is_neither_the_winner_nor_who_dealt_in(tmp_path, named, liable):
    """Tenhou names a seat in any case: the winner or who dealt in where nobody else is liable."""
    result = ["和了", [-16000, 32000, 0, -16000], [1, 0, named, "役満32000点", "大三元(役満)"]]
    tenhou_events(tmp_path / "liable.json", [[11], [], [], []], [[60], [], [], []], result)
    entries = read_record(tmp_path / "liable.json")[0]
    (win,) = [entry.fields() for entry in entries if entry.message.type == "hora"]
    assert win.get("pao") == liable


def test_the_indicator_of_an_open_kan_is_revealed_before_the_tile_of_the_next_kan(tmp_path):
    """Seat 2 makes a kan of a discard, adds the tile that it draws then to a pon, and discards."""
    takes = [[24, 24], [24], ["33p3333", "m46464646", 33, 29], [24]]
    drops = [[33, 60], [46], [15, 0, "33k333333", 60], [60]]
    events = tenhou_events(tmp_path / "kans.json", takes, drops, ["流局", [0] * 4], [38, 31, 32])
    kinds = [event.type for event in events]
    assert kinds[kinds.index("daiminkan") : kinds.index("ryukyoku")] == [
        *("daiminkan", "tsumo", "kakan", "dora", "tsumo", "dora", "dahai"),
    ]


def test_a_riichi_on_which_three_win_is_not_paid_for(tmp_path):
    """Regression: a stick that was never put down went to the table."""
    takes, drops = [[41], [], [], []], [["r60"], [], [], []]
    events = tenhou_events(tmp_path / "three.json", takes, drops, ["三家和了", [0, 0, 0, 0]])
    assert [event.type for event in events if event.type.startswith(("reach", "ryu"))] == [
        "reach",
        "ryukyoku",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SMALL[:300], "line 2"),
        ("<html><body/></html>", "line 1: <html> is not a Tenhou record"),
        ("<!DOCTYPE html><html><body/></html>", "line 1: a web page, not a record"),
        (SMALL.replace('hai2="', 'hay2="'), "line 2: damaged <INIT>: no 'hai2'"),
        (SMALL.replace("<E101/>", "<E999/>"), "line 5: damaged <E999>: 999 is not a tile"),
        (SMALL.replace('type="169"', 'type="185"'), "a three-player game (sanma): not supported"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><mjloggm/>', "declarations"),
        ('{"name": ["a"], "log": []}', "four names"),
        ('{"name": ["a", "b", "c", "d"], "log": [[1, 2]]}', "round 1 of the log: 2 parts instead of 17"),
        ('{"name": ["a", "b", "c", "d"], "log": [[1, 2]', "line 1"),
    ],
)
def test_damage_is_one_clear_line(tmp_path, capsys, text, words):
    path = tmp_path / "damaged"
    path.write_text(text)
    with pytest.raises(LogError) as caught:
        read_record(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert main(["view", str(path), "-o", str(tmp_path / "page.html")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SMALL.replace('hai2="100,', 'hai2="-1,'), "line 2: damaged <INIT>: -1 is not a tile"),
        (SMALL.replace('seed="0,', 'seed="-1,'), "line 2: damaged <INIT>: -1 is not a round"),
    ],
)
def test_negative_numbers_of_tiles_and_rounds_counted_from_the_end(tmp_path, text, words):
    """A tile -1 was a red dragon, a round -1 North 4."""
    path = tmp_path / "damaged.mjlog"
    path.write_text(text)
    with pytest.raises(LogError, match=words):
        read_record(path)


@pytest.mark.parametrize(
    ("round_number", "drops", "words"),
    [
        (-1, [60], "-1 is not a round"),
        (0, ["x"], "'x' is not a call"),
        (0, [{}], "{} is not a tile"),
        (0, ["r"], "'r' is not a riichi"),
    ],
)
def test_damage_in_tenhou_json_was_described_by_where_python_noticed_it(tmp_path, round_number, drops, words):
    with pytest.raises(LogError, match=f"round 1 of the log: {re.escape(words)}"):
        tenhou_events(
            tmp_path / "damaged.json",
            [[24], [], [], []],
            [drops, [], [], []],
            ["流局", [0] * 4],
            number=round_number,
        )


def test_entities_do_not_explode(tmp_path):
    path = tmp_path / "bomb.xml"
    path.write_text('<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><mjloggm x="&b;"/>')
    with pytest.raises(LogError, match="declarations"):
        read_record(path)


def test_a_fifo_kept_the_reader_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LogError, match="not a regular file"):
        read_record(tmp_path / "pipe")


@pytest.mark.parametrize("encoding", ["x-unknown", "utf-32", "euc-jp", "rot13"])
def test_another_encoding_was_a_traceback(tmp_path, encoding):
    path = tmp_path / "record.mjlog"
    path.write_text(f'<?xml version="1.0" encoding="{encoding}"?><mjloggm></mjloggm>')
    with pytest.raises(LogError):
        read_record(path)


@pytest.mark.parametrize("value", ["1e999", "-1e999", "NaN", '"\\ud800"', "9" * 400])
def test_odd_numbers_were_a_traceback(tmp_path, value):
    path = tmp_path / "record.json"
    path.write_text(f'{{"name":["a","b","c",{value}],"log":[[[{value},0,0],[1,2,3,4],[11],[]]]}}')
    with pytest.raises(LogError):
        read_record(path)
    path = tmp_path / "record.mjlog"
    path.write_text(f'<mjloggm><INIT seed="{value.strip(chr(34))},0,0,0,0,0" ten="250" oya="0"/></mjloggm>')
    with pytest.raises(LogError):
        read_record(path)
