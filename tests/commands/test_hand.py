"""``manue hand``: what it prints, its JSON, its errors."""

import json
import sys

import pytest

from manue.__main__ import main
from manue.errors import HandError
from manue.hand.analysis import Circumstances, analyse
from manue.hand.shanten import shanten_forms
from manue.tiles import Meld, counts_of, parse_meld, parse_tiles


@pytest.fixture
def ask(capsys):
    """Run ``manue hand`` and return its output."""

    def run(*words: str) -> str:
        assert main(["hand", *words]) == 0
        return capsys.readouterr().out

    return run


def data(ask, *words):
    return json.loads(ask(*words, "--json"))


def test_ready_hand_is_read_and_valued(ask):
    out = ask("123m456p789s1122z")
    lines = out.splitlines()
    assert [line.split() for line in lines[:4]] == [
        ["m", "1", "2", "3"],
        ["p", "4", "5", "6"],
        ["s", "7", "8", "9"],
        ["z", "E", "E", "S", "S"],
    ]
    assert "tenpai  (regular 0 · seven pairs 4 · thirteen orphans 8)" in out
    assert "E·2  S·2  2 kinds, 4 tiles" in out
    assert "123m  456p  789s  | EESS shanpon → E S" in out
    assert "no yaku" in out
    assert "seat wind 1, round wind 1" in out


def test_ready_hand_as_data(ask):
    found = data(ask, "123m406p789s1122z", "--dora", "4p", "--honba", "1")
    assert found["forms"] == {"regular": 0, "seven pairs": 4, "thirteen orphans": 8}
    assert found["useful"] == [{"tile": "E", "unseen": 2}, {"tile": "S", "unseen": 2}]
    assert (found["shanten"], found["ukeire"]) == (0, 4)
    (reading,) = found["readings"]
    assert reading["wait"] == {"kind": "shanpon", "held": ["E", "E", "S", "S"], "tiles": ["E", "S"]}
    east, east_drawn, south, _ = found["wins"]
    assert (east["tile"], east["tsumo"], east["points"], east["ron"]) == ("E", False, 12_300, 12_300)
    assert {"name": "red dora", "han": 1} in east["yaku"]
    assert (east_drawn["tsumo"], east_drawn["tsumo_other"]) == (True, 4100)
    assert (south["points"], south["yaku"]) == (0, [])


def test_the_red_five_left_alone_was_won_on_as_a_plain_one(ask):
    hand = ["55567p234m456s88m", "--seat", "S"]
    ron = next(win for win in data(ask, *hand)["wins"] if win["tile"] == "5p")
    assert (ron["tile"], ron["unseen"], ron["points"]) == ("5p", 1, 2600)
    assert {"name": "red dora", "han": 1} in ron["yaku"]
    assert "5pr     1     ron" in ask(*hand)
    with_red = data(ask, "50567p234m456s88m", "--seat", "S")["wins"]
    assert {
        (win["points"], win["unseen"]) for win in with_red if win["tile"] == "5p" and not win["tsumo"]
    } == {(2600, 1)}


def test_fourteen_tiles_name_each_discard(ask):
    found = data(ask, "123m406p789s1122z", "--draw", "3z")
    best, *others = found["discards"]
    assert (best["tile"], best["shanten"], best["ukeire"]) == ("W", 0, 4)
    assert len(best["wins"]) == 4
    assert {choice["tile"] for choice in others} == {*"ES", *parse_tiles("123m406p789s")}
    assert all(choice["shanten"] == 1 and not choice["wins"] for choice in others)
    assert "Wins after discarding W" in ask("123m406p789s1122z", "--draw", "3z")


def test_complete_hand_is_scored_on_its_last_tile(ask):
    found = data(ask, "234567m234p45688s", "--riichi", "--seat", "S")
    assert found["shanten"] == -1
    assert [(win["tile"], win["tsumo"], win["han"], win["fu"]) for win in found["wins"]] == [
        ("8s", False, 2, 40),
        ("8s", True, 3, 30),
    ]
    drawn = data(ask, "234567m23p45688s", "--draw", "4p", "--seat", "S")
    assert [(win["tile"], win["tsumo"], win["han"]) for win in drawn["wins"]] == [("4p", True, 3)]


def test_tsumo_alone(ask):
    found = data(ask, "123m456p789s1122z", "--tsumo")
    assert [win["tsumo"] for win in found["wins"]] == [True, True]


def test_melds(ask):
    found = data(ask, "2345p", "--melds", "PPP", "ankan:1111m", "789s", "--seat", "S", "--dora", "4p")
    assert [meld["kind"] for meld in found["melds"]] == ["pon", "ankan", "chi"]
    assert found["forms"] == {"regular": 0}
    assert [win["points"] for win in found["wins"]] == [3900, 4000, 7700, 7900]
    out = ask("2345p", "--melds", "PPP", "ankan:1111m", "789s")
    assert "345p  [PPP]  (1111m)  [789s]  | 2p tanki → 2p" in out


@pytest.mark.parametrize(
    ("text", "meld"),
    [
        ("123m", Meld("chi", ("1m", "2m", "3m"))),
        ("0p55p", Meld("pon", ("5pr", "5p", "5p"))),
        ("EEEE", Meld("daiminkan", ("E",) * 4)),
        ("kakan:1z1z1z1z", Meld("kakan", ("E",) * 4)),
        ("ankan:EEEE", Meld("ankan", ("E",) * 4)),
    ],
)
def test_parse_meld(text, meld):
    assert parse_meld(text) == meld


@pytest.mark.parametrize("text", ["124m", "EE", "ESW", "89m1p", "chi:EEE", "pon:EEEE", "swap:123m"])
def test_parse_meld_refuses(text):
    with pytest.raises(HandError, match="is not a"):
        parse_meld(text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["123m456p789s112z"], "12 tiles"),
        (["11111m456p789s12s"], "5 copies of 1m"),
        (["123m456p78x"], "unknown tile 'x' at position 11"),
        (["1m", "--melds", "123m", "456m", "789m", "123p", "456p"], "5 melds"),
        (["123m456p789s1122z", "--melds", "124m"], "'124m' is not a meld"),
        (["123m456p789s1122z", "--dora", "EEE"], "5 copies of E"),
        (["123m456p789s1122z", "--riichi", "--dora", "E", "--ura", "EE"], "5 copies of E"),
        (["123m456p789s2233z", "--dora", "E" * 257], "257 indicators; there are at most 5"),
        (["123m406p789s2233z", "--dora", "0p"], "2 copies of 5pr"),
        (["123m456p789s1122z", "--draw", "12m"], "one tile is drawn"),
        (["123m406p11z22s", "--melds", "PPP", "--riichi"], "riichi is impossible"),
        (["2468m", "--melds", "PPP", "789s", "ankan:1111m", "--riichi"], "riichi is impossible"),
        (["123m456p789s1122z", "--draw", "3"], "manue: --draw: no suit after '3'"),
        (["123m456p789s1122z", "--dora", "9x"], "manue: --dora: unknown tile 'x'"),
        (["123m456p789s1122z", "--melds", "12"], "manue: --melds: "),
        ([], "which tiles"),
        (["123m456p789s1122z", "-o", "x.png"], "-o goes with"),
        (["123m456p789s1122z", "--honba", "-1"], "--honba: '-1'"),
        (["123m456p789s1122z", "--honba", "1001"], "'1001' is not a number of sticks, 0 to 1000"),
        (["--distribution", "0"], "'0' is not a whole number from 1"),
        (["123m", "--distribution", "5"], "leave out TILES"),
        (["--distribution", "5", "--riichi"], "leave out --riichi"),
        (["--distribution", "5", "--seat", "S"], "leave out --seat"),
        (["--distribution", "5", "--dora", "1m"], "leave out --dora"),
        (["--distribution", "5", "--rules", "mjsoul"], "leave out --rules"),
        (["--distribution", "5", "-o", "x.pdf"], "the picture is a PNG"),
        (["123m456p789s1122z", "--seed", "3"], "--seed goes with"),
        (["123m456p789s1122z", "--dora", "1m2m3m4m5m6m"], "6 indicators; there are at most 5"),
    ],
)
def test_bad_input_is_one_line(words, message, capsys):
    assert main(["hand", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("manue: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_distribution(ask, tmp_path):
    picture = tmp_path / "shanten.png"
    out = ask("--distribution", "2000", "--seed", "3", "-o", str(picture))
    assert "2,000 random starting hands" in out
    assert "0.382946" in out  # exact share of 4-shanten
    assert picture.read_bytes().startswith(b"\x89PNG")
    found = data(ask, "--distribution", "2000", "--seed", "3")
    assert sum(found["sampled"]["regular"]) == found["sampled"]["hands"] == 2000


def test_a_plot_that_cannot_be_written_was_found_out_after_the_dealing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("manue.commands.hand.sample_distribution", None)  # nothing is to be dealt
    deal = ["hand", "--distribution", "10", "-o"]
    for place, why in ((tmp_path, "is a folder"), (tmp_path / "none" / "x.png", "there is no folder")):
        assert main([*deal, str(place)]) == 2
        assert why in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main([*deal, str(tmp_path / "x.png")]) == 2
    assert "pip install 'manue[plots]'" in capsys.readouterr().err


def test_a_double_yakuman_was_a_single_one_by_any_rules(ask):
    thirteen_waits = ["19m19p19s1234567z", "--tsumo", "--seat", "S"]
    for rules, yakuman in (("tenhou", 1), ("mjsoul", 2)):
        assert {win["yakuman"] for win in data(ask, *thirteen_waits, "--rules", rules)["wins"]} == {yakuman}


def test_useful_tiles_are_counted_with_everything_in_sight():
    melds = [Meld("pon", ("E", "E", "E"))]
    found = analyse(parse_tiles("23m456p7899s2p"), melds, Circumstances(dora_indicators=("1m", "6s")))
    assert found.forms == {"regular": shanten_forms(counts_of(found.tiles), 1)[0]}
    unseen = {useful.tile: useful.unseen for useful in found.useful}
    assert (unseen["1m"], unseen["4m"], unseen["6s"]) == (3, 4, 3)


@pytest.mark.parametrize(
    ("tiles", "drawn", "allowed"),
    [
        ("111m456p789s2334s", "1m", True),
        ("123m456p11123s99s", "1s", False),
        ("123m456p789s1122z", "3z", None),
    ],
)
def test_a_hand_in_riichi_says_whether_a_closed_kan_would_change_it(ask, tiles, drawn, allowed):
    found = data(ask, tiles, "--draw", drawn, "--riichi")
    assert found.get("riichi_kan") is allowed
    assert ("Closed kan in riichi" in ask(tiles, "--draw", drawn, "--riichi")) == (allowed is not None)
    assert "riichi_kan" not in data(ask, tiles, "--draw", drawn)


def test_what_went_into_a_pipe_was_wrapped_at_80_columns_with_blanks_at_the_end(ask):
    lines = ask("19m19p19s1234567z").splitlines()
    assert max(map(len, lines)) > 80
    assert lines == [line.rstrip() for line in lines]
    assert sum(line.startswith("Useful") for line in lines) == 1
