"""One position from a hand and flags, from lines, out of a log."""

import gzip
import io
import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from manue.__main__ import main
from manue.records.formats import read_game
from manue.rules import EAST_ONLY, MAHJONG_SOUL, RULES
from tests.conftest import game
from tests.messages import start_kyoku
from tests.project import ROOT
from tests.review.conftest import data_in

LOG = game("double-riichi")
HAND = "2m4568p34567s11z9s5z"
CLOSE = "22m456p34567s11z9s5z"
"""A hand of which two discards are worth nearly the same."""
RIVERS = ["--river", "E=9p 1m", "S=N", "W=C", "N=W"]


def shown(capsys, *arguments):
    assert main(["position", *arguments, "--agent", "rules", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_hand_and_flags(capsys, tmp_path):
    page = tmp_path / "page.html"
    found = shown(capsys, "--hand", HAND, "--seat", "S", *RIVERS, "--riichi", "E@2", "-o", str(page))
    moves = [tuple(one["moves"][0].items()) for one in found["candidates"]]
    assert len(moves) == len(set(moves)) > 8
    assert all(one["moves"][0]["actor"] == 1 for one in found["candidates"])
    assert page.stat().st_size > 10_000
    game = data_in(page)["game"]
    assert (game["places"], game["cut"]) == (None, False)  # a position has no end, and does not break off
    assert main(["position", "--hand", HAND, "--seat", "S", *RIVERS, "--agent", "rules"]) == 0
    assert "chosen" in capsys.readouterr().out


def test_a_hand_in_several_words_was_refused(capsys):
    """Regression: `manue hand` takes them."""
    found = [
        shown(capsys, "--hand", *words)
        for words in (["123m406p789s1122z9m"], ["123m", "406p789s", "1122z9m"])
    ]
    for one in found:
        del one["elapsed_ms"]
    assert found[0] == found[1]


def test_scores_that_begin_below_zero_were_taken_for_an_option(capsys):
    hand = ("--hand", HAND, "--seat", "S", *RIVERS, "--scores")
    assert shown(capsys, *hand, "-100,50100,25000,25000") == shown(
        capsys, *hand[:-1], "--scores=-100,50100,25000,25000"
    )


def test_players_of_a_position_are_named_by_the_page(tmp_path):
    """Regression: they were "Player" and "Seat 2" in every language."""
    page = tmp_path / "page.html"
    assert (
        main(["position", "--hand", HAND, "--seat", "S", *RIVERS, "--agent", "rules", "-o", str(page)]) == 0
    )
    data = data_in(page)
    assert data["nameless"] == [0, 1, 2, 3]
    assert (data["open"], data["seat"]) == ([False, True, False, False], 1)


def test_a_table_is_no_wider_than_the_terminal(capsys, monkeypatch):
    """Regression: the tables of position and view had up to 137 characters a line, whatever the terminal."""
    hand = ["position", "--hand", HAND, "--seat", "S", *RIVERS, "--agent", "rules"]
    monkeypatch.setenv("COLUMNS", "40")
    assert main(hand) == 0
    assert max(map(len, capsys.readouterr().out.splitlines()[:3])) > 40
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(hand) == 0
    *table, _foot = capsys.readouterr().out.splitlines()
    assert max(map(len, table)) <= 40


def test_nothing_was_played_in_a_position_about_a_discard(capsys, tmp_path):
    """Regression: the page said of a pass that it was played."""
    page = tmp_path / "page.html"
    rivers = ["--river", "E=9s P W 1m", "S=S E 1m 2s", "W=P 9s 1s F", "N=9s N W C"]
    shown(capsys, "--hand", "CC34678m22p4567s", "--seat", "S", *rivers, "-o", str(page))
    (decision,) = data_in(page)["decisions"][1][-1:]
    assert {option["kind"] for option in decision["options"]} == {"pass", "pon"}
    assert decision["played"] is None


def test_kans_and_their_indicators(capsys, tmp_path):
    page = tmp_path / "page.html"
    kans = ["--meld", "S=ankan 1p 1p 1p 1p", "E=daiminkan C C C + C", "--dora", "9p8s2m"]
    rivers = ["--river", "E=9p 1m", "S=N", "W=C^E"]
    found = shown(capsys, "--hand", "4568p34567s9s5z", "--seat", "S", *rivers, *kans, "-o", str(page))
    assert all(one["moves"][0]["actor"] == 1 for one in found["candidates"])
    first, *changes = data_in(page)["frames"]
    revealed = [tile for frame in changes if "dora" in frame for tile in frame["dora"]["+"]]
    assert [*first["dora"], *revealed] == ["9p", "8s", "2m"]
    rejected = ["--hand", "4568p34567s9s1p", "--seat", "S", *rivers, *kans, "--agent", "rules"]
    assert main(["position", *rejected]) == 2
    reason = "'ankan 1p 1p 1p 1p' of S has all four of its kind, but one is in the hand of S"
    assert capsys.readouterr().err == f"manue: {reason}\n"


def test_riichi_marks_the_discard_it_names(capsys):
    calm = shown(capsys, "--hand", HAND, "--seat", "S", *RIVERS)
    assert calm != shown(capsys, "--hand", HAND, "--seat", "S", *RIVERS, "--riichi", "E@2")


def test_close_options_are_played_on(capsys):
    arguments = ["position", "--hand", CLOSE, "--seat", "S", *RIVERS, "--riichi", "E@2"]
    assert main([*arguments, "--rollouts", "20", "--json"]) == 0
    options = json.loads(capsys.readouterr().out)["candidates"]
    played = [one["rollout"] for one in options if "rollout" in one]
    assert len(played) > 1
    assert (played[0]["gain"], played[0]["error"]) == (0, 0)
    assert main([*arguments, "--rollouts", "20"]) == 0
    said = capsys.readouterr().out
    assert said.count("Played on in 20 worlds: ") == len(played) - 1
    assert " points beside " in said


def test_the_position_that_compiles_for_playing_on_was_close_no_more():
    """With newer models, so that `scripts/test` left the kernels of playing on for the tests to compile."""
    assert f"manue position --hand {CLOSE} " in (ROOT / "scripts/test").read_text()


@pytest.mark.parametrize("number", ["1", "1000001", "x"])
@pytest.mark.parametrize("command", [["position"], ["review", "a.mjson"], ["calibrate", "a.mjson"]])
def test_worlds_out_of_range_are_refused_at_once(command, number, capsys):
    """`calibrate` learned of it from its workers."""
    assert main([*command, "--rollouts", number]) == 2
    assert (
        f"argument --rollouts: '{number}' is not a number of worlds, 2 to 1000000" in capsys.readouterr().err
    )


def test_what_is_not_close_is_not_played_on(capsys):
    arguments = ["position", "--hand", "123m456p789s11222z", "--rollouts", "4"]
    assert main(arguments) == 0  # a win
    shown = capsys.readouterr()
    assert "Played on" not in shown.out
    assert "nothing was played on" in shown.err


def lines_before_the_first_discard_of(seat):
    entries = read_game(LOG)
    acts = [(entry.message.type, getattr(entry.message, "actor", None)) for entry in entries]
    return [entry.text for entry in entries[: acts.index(("dahai", seat))]]


@pytest.mark.parametrize("between", [None, b",", b",\n "], ids=["lines", "array", "printed-array"])
def test_lines_on_standard_input(capsys, monkeypatch, between):
    lines = lines_before_the_first_discard_of(2)
    text = b"\n".join(lines) if between is None else b"[" + between.join(lines) + b"]"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    found = shown(capsys, "-", "--seat", "2")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    assert main(["position", "-", "--agent", "rules"]) == 2
    assert "give --seat" in capsys.readouterr().err
    at_log = shown(capsys, f"{LOG}:East-1.1", "--seat", "2")
    for one in (found, at_log):
        del one["elapsed_ms"]
    assert found == at_log


def test_the_length_given_goes_before_that_of_the_lines(capsys, monkeypatch):
    """Regression: the length in the lines went before the option."""
    start, *lines = lines_before_the_first_discard_of(2)
    start = start.replace(b'"start_game"', b'"start_game","kyoku_first":4', 1)
    places = {}
    for options in ((), ("--east",), ("--hanchan",)):
        text = SimpleNamespace(buffer=io.BytesIO(b"\n".join([start, *lines])))
        monkeypatch.setattr(sys, "stdin", text)
        assert main(["position", "-", "--seat", "2", "--agent", "manue:mc_draws=50", "--json", *options]) == 0
        places[options] = json.loads(capsys.readouterr().out)["candidates"][0]["avgRank"]
    assert places[()] == places[("--east",)] != places[("--hanchan",)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--hand, from LOG:MOMENT, or from -"),
        ([str(LOG)], "as in game.mjson:South-2.7"),
        ([f"{LOG}:West-4.1", "--seat", "0"], "West-4.1: no such round; there are East-1, "),
        ([f"{LOG}:East-1.40", "--seat", "0"], "has nothing to decide in this turn"),
        ([f"{LOG}:South", "--seat", "0"], "South: not a moment, such as South-2.7 or S2.7 (round and turn"),
        ([f"{LOG}:South", "--seat", "0"], "; there are East-1, "),
        ([f"{'x' * 300}:South"], "as in game.mjson:South-2.7"),
        ([f"{LOG}:East-1.1"], "give --seat"),
        (["--hand", HAND, "--seat", "2"], "a wind, E, S, W or N"),
        (["--hand", HAND, "--seat", "S", "--riichi", "E@2"], "the river of E has 0 tiles"),
        (["--hand", HAND, "--river", "X=9p"], "begins with a wind"),
        (["--hand", HAND, "--river", "E=9p", "--river", "E=1m"], "--river: two rivers of E"),
        (["--hand", HAND, "--scores", "a"], "four whole numbers"),
        (["--hand", HAND, "--scores", "1,2,3"], "manue: --scores 1,2,3: four whole numbers"),
        (["--hand", HAND, "--round", "E5"], "argument --round: 'E5' is not a round, E1 to W4"),
        (["--hand", HAND, "--dora", "9x"], "manue: --dora: unknown tile 'x'"),
        (["--hand", "123m"], "manue: --hand: 3 tiles; a hand has 14"),
        (["--hand", HAND, "--meld", "S=pon C"], "manue: --meld: 'pon C' of S is not a meld"),
        (["--hand", HAND, "--river", "E=9x"], "manue: --river: '9x' is not a river tile"),
    ],
)
def test_what_is_missing_is_said_in_one_line(capsys, arguments, words):
    assert main(["position", *arguments, "--agent", "tsumogiri"]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_an_option_given_twice_replaced_what_it_gave_first(capsys):
    """Regression: of `--riichi E@2 --riichi W@1` the second alone counted, and of rivers too."""
    once = shown(capsys, "--hand", HAND, "--seat", "S", *RIVERS, "--riichi", "E@2", "W@1")
    rivers = [word for river in RIVERS[1:] for word in ("--river", river)]
    twice = shown(capsys, "--hand", HAND, "--seat", "S", *rivers, "--riichi", "E@2", "--riichi", "W@1")
    for one in (once, twice):
        del one["elapsed_ms"]
    assert once == twice


def test_a_hand_in_riichi_is_tenpai(capsys):
    """Regression: a hand two exchanges from tenpai was valued as one that stays in riichi."""
    arguments = [
        "position",
        "--hand",
        HAND,
        "--seat",
        "S",
        *RIVERS,
        "--riichi",
        "S@1",
        "--agent",
        "tsumogiri",
    ]
    assert main(arguments) == 2
    assert capsys.readouterr().err == "manue: S is in riichi with a hand that is not tenpai\n"


def test_a_round_after_the_end_of_an_east_only_game_was_valued(capsys):
    arguments = ["position", "--hand", HAND, "--agent", "tsumogiri", "--east", "--round"]
    assert main([*arguments, "W1"]) == 2
    assert capsys.readouterr().err == "manue: round W1 comes after the end of a game of this length\n"
    assert main([*arguments, "S4"]) == 0


def test_a_position_was_checked_by_tenhous_rules_whatever_the_rules(capsys, monkeypatch):
    monkeypatch.setitem(RULES, "mjsoul", replace(MAHJONG_SOUL, last_round=EAST_ONLY))
    late = ["position", "--hand", "123m456p789s1122z9m", "--round", "W1", "--agent", "greedy"]
    assert main(late) == 0
    capsys.readouterr()
    assert main([*late, "--rules", "mjsoul"]) == 2
    assert "comes after the end of a game of this length" in capsys.readouterr().err


def test_a_moment_was_looked_for_by_tenhous_rules_whatever_the_rules(capsys, tmp_path):
    """By Mahjong Soul's rules thirteen orphans may rob a closed kan."""
    orphans = "1m 9m 1p 9p 1s 9s E S W N P F F".split()
    lines = [
        {"type": "start_game", "names": list("abcd")},
        start_kyoku(tehais=[["C"] * 3 + "3m 3m 3m 4m 4m 4m 5p 5p 6p 7p".split(), orphans, *[["?"] * 13] * 2]),
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "ankan", "actor": 0, "consumed": ["C"] * 4},
        {"type": "hora", "actor": 1, "target": 0, "pai": "C", "deltas": [-32_000, 32_000, 0, 0]},
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ]
    path = tmp_path / "kan.mjson"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    moment = ["position", f"{path}:East-1.1", "--seat", "1", "--agent", "rules"]
    assert main([*moment, "--rules", "tenhou"]) == 2
    assert "has nothing to decide in this turn" in capsys.readouterr().err
    assert main([*moment, "--rules", "mjsoul"]) == 0
    assert "win C" in capsys.readouterr().out


@pytest.mark.parametrize("moment", ["E1.5", "e1.5", "E1-0.5", "East-1-0.5"])
def test_a_moment_could_not_name_its_round_as_positions_do(capsys, moment):
    """Regression: `--round E1` but `LOG:East-1.5`."""
    found = [shown(capsys, f"{LOG}:{text}", "--seat", "0") for text in ("East-1.5", moment)]
    for one in found:
        del one["elapsed_ms"]
    assert found[0] == found[1]


def test_a_moment_of_a_damaged_record_says_so(capsys, tmp_path):
    lines = gzip.decompress(LOG.read_bytes()).decode().splitlines(keepends=True)
    path = tmp_path / "cut.mjson"
    path.write_text("".join(lines[:-3]) + '{"type": "tsu')
    assert main(["position", f"{path}:East-1.1", "--seat", "0", "--agent", "tsumogiri"]) == 0
    assert "cut.mjson, line" in capsys.readouterr().err


def test_the_record_is_not_written_over(capsys, tmp_path):
    """Regression: the page took the place of the game."""
    path = tmp_path / "game.mjson.gz"
    path.write_bytes(LOG.read_bytes())
    arguments = ["position", f"{path}:East-1.1", "--seat", "0", "--agent", "tsumogiri"]
    assert main([*arguments, "-o", str(path)]) == 2
    assert capsys.readouterr().err == f"manue: {path} is one of the records to read\n"
    assert path.read_bytes() == LOG.read_bytes()
