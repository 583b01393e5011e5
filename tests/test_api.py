"""The library: its names, its examples, its errors."""

import doctest
import gzip
import inspect
import json
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import manue
from manue.__main__ import main
from manue.agents.greedy import Greedy
from manue.agents.registry import agent_of
from manue.errors import (
    AgentError,
    EventError,
    HandError,
    IllegalActionError,
    LogError,
    PositionError,
    ProtocolError,
    SeatFault,
    TileError,
    UsageError,
)
from manue.game.actions import Call, Discard, Pass, Riichi, Win
from manue.game.events import seen_by
from manue.game.legal import legal_actions
from manue.game.position import Position
from manue.player import Player
from manue.protocol.codec import event_to_fields
from manue.records.archive import read_games, read_log
from manue.records.formats import read_game
from manue.records.length import stated_length
from manue.records.log_writer import LogWriter
from manue.review.problem_book import as_position, load_book, state_of
from manue.review.summary import strong_players
from tests.conftest import game
from tests.messages import start_kyoku

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "data" / "games" / "four-manue.mjson.gz"
NAMES = {
    "Action", "Agent", "Bot", "Call", "Decider", "Decision", "Discard", "Length", "ManueError",
    "NineTerminals", "Pass", "Report", "Riichi", "RoundState", "RulesName", "Win", "decision_table",
    "evaluate", "evaluate_lines", "evaluate_record", "make_agent", "play_match", "read_record", "readings",
    "review_record", "score_win", "shanten", "ukeire", "win_among",
}  # fmt: skip
TYPES = {"Action", "Length", "RulesName"}
"""Names for type checkers, which cannot have a docstring."""
WITH_EXAMPLES = [
    "manue.agents.registry", "manue.api.decisions", "manue.api.hands", "manue.api.matches",
    "manue.api.records", "manue.api.reviews", "manue.bot", "manue.game.actions",
]  # fmt: skip
TENPAI = "123m456p789s1122z"


# ---- the names


def test_the_names_are_these():
    assert set(manue.__all__) == NAMES
    assert set(dir(manue)) >= NAMES


@pytest.mark.parametrize("name", sorted(NAMES - TYPES))
def test_every_name_is_there_and_documented(name):
    found = getattr(manue, name)
    assert found is getattr(manue, name)
    assert len(inspect.getdoc(found)) > 40
    if inspect.isfunction(found):
        raises = () if name == "win_among" else ("Raises",)
        for section in ("Parameters", "Returns", *raises, "Examples"):
            assert f"{section}\n{'-' * len(section)}\n" in inspect.getdoc(found), section
        for parameter in inspect.signature(found).parameters:
            assert parameter in inspect.getdoc(found)


def test_a_name_that_is_not_there_is_said_as_python_says_it():
    with pytest.raises(AttributeError, match="module 'manue' has no attribute 'nothing'"):
        manue.nothing  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, manue; print([m for m in ('numba', 'numpy', 'pydantic', 'rich') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_the_names_do_not_hide_modules_of_the_package():
    modules = {path.stem for path in (ROOT / "manue").iterdir() if path.suffix in {"", ".py"}}
    assert not NAMES & modules


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "manue" / "py.typed").is_file()
    assert "py.typed" in (ROOT / "pyproject.toml").read_text()


def test_a_type_checker_sees_the_names(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(
        "from typing_extensions import assert_type\n"
        "import manue\n"
        "class Own:\n"
        "    name = 'own'\n"
        "    def decide(self, state: object, actions: object) -> manue.Decision:\n"
        "        raise NotImplementedError\n"
        "agent: manue.Agent = Own()\n"
        "class Nameless:\n"
        "    def decide(self, state: object, actions: object) -> manue.Decision:\n"
        "        raise NotImplementedError\n"
        "nameless: manue.Decider = Nameless()\n"
        "class Careful:\n"
        "    def decide(\n"
        "        self, state: manue.RoundState, actions: tuple[manue.Action, ...]\n"
        "    ) -> manue.Decision:\n"
        "        win = manue.win_among(actions)\n"
        "        last = actions[-1]\n"
        "        if isinstance(last, manue.Discard):\n"
        "            assert_type(last.tile, str)\n"
        "        return manue.Decision(win or last)\n"
        "careful: manue.Decider = Careful()\n"
        "length: manue.Length = 'east'\n"
        "rules: manue.RulesName = 'mjsoul'\n"
        "manue.evaluate('', length=length, rules=rules, agent=careful)\n"
        "assert_type(manue.evaluate('').reports[0].label, str)\n"
        "manue.evaluate('', agent=nameless)\n"
        "manue.Bot(0, agent=Nameless())\n"
        "assert_type(manue.evaluate('').reports[0], manue.Report)\n"
        "assert_type(manue.shanten(''), int)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(tmp_path / "use.py")]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_the_label_of_a_choice_has_the_discard_of_a_riichi():
    """Regression: the text of an option was to be had from a table alone."""
    decision = manue.evaluate("123m456p789s1122z 9m", agent="rules")
    assert (decision.label, decision.action.label) == ("riichi 9m drawn", "riichi")
    assert [report.label for report in decision.reports[:2]] == ["riichi 9m drawn", "9m drawn"]
    assert manue.Decision(Pass()).label == "pass"


# ---- records


def test_the_events_of_a_record_are_those_of_any_format(tmp_path):
    """Regression: the library could not read a record."""
    events = manue.read_record(SAMPLE)
    assert len(events) == len(read_game(SAMPLE))
    assert any("logs" in event for event in events)
    assert main(["convert", str(SAMPLE), "-o", str(tmp_path / "game.mjlog")]) == 0
    same = manue.read_record(tmp_path / "game.mjlog")
    kinds = [event["type"] for event in events if event["type"] != "dora"]
    assert [event["type"] for event in same if event["type"] != "dora"] == kinds


def test_a_game_of_a_file_with_several_is_chosen(tmp_path):
    path = tmp_path / "two.mjson"
    path.write_bytes(2 * gzip.decompress(game("east-rules").read_bytes()))
    with pytest.raises(UsageError, match=r"holds 2 games; choose one with game=1\.\.2"):
        manue.read_record(path)
    assert manue.read_record(path, 2) == manue.read_record(game("east-rules"))
    with pytest.raises(UsageError, match="there is no game 3"):
        manue.read_record(path, game=3)


def test_a_moment_of_a_record_is_evaluated_as_the_command_does(capsys):
    """Regression: the library had no counterpart of `manue position LOG:MOMENT`."""
    asked = ["position", f"{SAMPLE}:South-4.5", "--seat", "manue@first 0", "--agent", "manue:mc_draws=50"]
    assert main([*asked, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["candidates"]
    for moment, seat in (("South-4.5", 0), ("S4.5", "manue@first 0"), ("s4-0.5", np.int64(0))):
        decision = manue.evaluate_record(SAMPLE, moment, seat, agent="manue:mc_draws=50")
        assert [report.label for report in decision.reports] == [one["action"] for one in shown]


@pytest.mark.parametrize(
    ("moment", "seat", "reason"),
    [
        ("South-9.7", 0, "South-9.7: not a moment, such as South-2.7 or S2.7 .*; there are East-1, East-2, "),
        ("West-4.1", 0, "West-4.1: no such round; there are East-1, East-2, East-3-1, "),
        ("E1.40", 0, "E1.40: manue@first 0 has nothing to decide in this turn"),
        ("E1.1", "nobody", r"seat: nobody is called 'nobody' \(0 to 3, or a name: 0 manue@first"),
        ("E1.1", 4, "a seat is 0, 1, 2 or 3, not 4"),
        (7, 0, "a moment is a text, as 'South-2.7', not 7"),
    ],
)
def test_what_is_no_moment_of_a_record_is_named(moment, seat, reason):
    with pytest.raises(UsageError, match=f"^{reason}"):
        manue.evaluate_record(SAMPLE, moment, seat, agent="tsumogiri")


def test_a_seat_of_a_review_may_be_a_name():
    """Regression: `manue review --seat NAME` took one, `review_record` a number alone."""
    by_name = manue.review_record(game("east-rules"), "Manue", agent="tsumogiri")
    assert by_name == manue.review_record(game("east-rules"), 1, agent="tsumogiri")


# ---- the examples


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_the_examples_of_docstrings(module, monkeypatch):
    monkeypatch.chdir(ROOT)
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0
    assert found.failed == 0


def test_the_examples_of_the_page_about_the_library(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert found.attempted > 15
    assert found.failed == 0


def test_no_example_of_that_page_takes_more_than_five_lines():
    text = (ROOT / "docs" / "library.md").read_text()
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert len(blocks) >= 7
    for block in blocks:
        lines = [line for line in block.splitlines() if line.startswith((">>>", "..."))]
        assert len([line for line in lines if "import" not in line]) <= 5, block


# ---- hands


def test_hands_as_text_and_as_tiles():
    assert manue.shanten(TENPAI) == manue.shanten(
        ["1m", "2m", "3m", "4p", "5pr", "6p", *"7s 8s 9s E E S S".split()]
    )
    assert manue.shanten("2345p", ["PPP", "ankan:1111m", "789s"]) == 0
    assert manue.ukeire("1239m406p789s112z") == {"7m": 4, "8m": 4, "9m": 3, "E": 2, "S": 3}
    with pytest.raises(TileError, match="'8z'"):
        manue.shanten("8z")
    with pytest.raises(TileError, match="not a tile"):
        manue.shanten(["1x"])
    with pytest.raises(HandError):
        manue.shanten("123m")
    with pytest.raises(HandError, match="5 copies of E in sight"):
        manue.ukeire(TENPAI, visible="EEE")


@pytest.mark.parametrize(
    ("tiles", "melds", "reason"),
    [
        ("123m456p789s1z", ["PPPPP"], "'PPPPP' is not a meld"),
        ("123m456p789s1z", ["nothing"], "unknown tile"),
        ("123m456p789s1z", "123m", r"as \['123m'\], not '123m'"),
        ("11m23p456789s", ["111m"], "5 copies of 1m in sight"),
        (f"{'1m' * 256}{TENPAI}", [], "257 copies of 1m in sight"),
    ],
)
def test_the_melds_of_a_hand_were_only_counted(tiles, melds, reason):
    for measure in (manue.shanten, manue.ukeire):
        with pytest.raises((HandError, TileError), match=reason):
            measure(tiles, melds)


def test_a_score_takes_the_winning_tile_in_either_notation_and_no_negative_honba():
    score = manue.score_win("234567m234p88s 1z1z1z", win="1z")
    assert score == manue.score_win("234567m234p88s EEE", win="E")
    with pytest.raises(HandError, match="'1z2z' is not one winning tile"):
        manue.score_win("234567m234p88s 1z1z1z", win="1z2z")
    with pytest.raises(HandError, match="-1 honba"):
        manue.score_win("234567m234p88s 1z1z1z", honba=-1)


def test_what_is_no_winning_tile_was_an_error_of_python():
    for hand, win, said in (
        ("", None, "a hand without a tile"),
        ("", "5m5m", "'5m5m' is not one winning tile"),
    ):
        with pytest.raises(HandError, match=said):
            manue.score_win(hand, win=win, chankan=True)
    for hand in ([["1m"]], [1]):
        with pytest.raises(TileError, match="is not a tile"):
            manue.shanten(hand)


WIN = "234567m234p4588s 6s"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"haitei": True}, "haitei is impossible off a discard"),
        ({"rinshan": True}, "rinshan is impossible off a discard"),
        ({"rinshan": True, "tsumo": True}, "rinshan is impossible without a kan"),
        ({"houtei": True, "chankan": True}, "houtei and chankan cannot both be"),
        ({"first_turn": True, "tsumo": True, "riichi": True}, "first_turn and riichi cannot both be"),
        ({"first_turn": True, "tsumo": True, "haitei": True}, "first_turn and haitei cannot both be"),
        ({"riichi": True, "ippatsu": True, "houtei": True}, "ippatsu and houtei cannot both be"),
        ({"first_turn": True, "chankan": True}, "first_turn and chankan cannot both be"),
        (
            {"double_riichi": True, "ippatsu": True, "haitei": True, "tsumo": True},
            "ippatsu of a double_riichi is over long before haitei",
        ),
        ({"riichi": True, "dora": "7s", "ura": "1z2z"}, "2 ura-dora indicators, but 1 of the dora"),
        ({"dora": "1m2m3m4m5m6m"}, "6 indicators; there are at most 5"),
        ({"double_riichi": "yes"}, "double_riichi must be True or False, not 'yes'"),
        ({"houtei": True, "tsumo": True}, "houtei is impossible by self-draw"),
        ({"chankan": True, "tsumo": True}, "chankan is impossible by self-draw"),
        ({"dora": "11111z"}, "5 copies of E in sight"),
        ({"riichi": True, "dora": "7s", "ura": "7777s"}, "5 copies of 7s in sight"),
        ({"honba": 1.5}, "honba must be a whole number, not 1.5"),
        ({"honba": "1"}, "honba must be a whole number, not '1'"),
    ],
)
def test_circumstances_that_cannot_be_were_left_out_of_a_score_or_counted(options, reason):
    with pytest.raises(HandError, match=reason):
        manue.score_win(WIN, **options)


def test_a_review_has_every_choice_and_not_the_costliest_alone():
    review = manue.review_record(SAMPLE, 0, agent="manue:mc_draws=100")
    assert len(review.choices) == review.decisions
    lost = [choice.points_lost for choice in review.choices]
    assert sum(lost) == pytest.approx(review.points_lost, abs=0.05 * len(lost))
    assert sum(choice.points_lost == 0.0 for choice in review.choices) >= review.agreement * review.decisions
    assert [choice.points_lost for choice in review.worst] == sorted(lost, reverse=True)[:10]
    assert set(review.worst) <= set(review.choices)
    strong = strong_players()["weights"]
    for weight, above in (("blunder", None), ("mistake", "blunder"), ("inaccuracy", "mistake")):
        most = strong[above] if above else float("inf")
        assert review.weights[weight] == sum(strong[weight] <= points < most for points in lost)


def test_without_estimates_nothing_is_known_to_be_lost():
    review = manue.review_record(SAMPLE, 0, agent="tsumogiri")
    assert (review.points_lost, review.better_than, review.worst) == (None, None, ())
    assert {choice.points_lost for choice in review.choices} == {0.0, None}


@pytest.mark.usefixtures("arena")
def test_a_summary_that_was_pickled_is_equal_and_can_be_read():
    one, other = (
        manue.play_match(["greedy", "tsumogiri"], games=1, seed=seed, length="east") for seed in (0, 1)
    )
    assert pickle.loads(pickle.dumps(one)) == one != other
    assert repr(one).startswith("<Summary of 1 game, mean places {'greedy': ")


UNGUARDED = """
import manue
print(manue.play_match(["greedy", "tsumogiri"], games=2, length="east", workers=2).games)
"""


@pytest.mark.usefixtures("arena")
def test_a_script_that_does_not_guard_its_match_hears_what_is_wrong(tmp_path):
    """It was several hundred lines of tracebacks, none of which named the call."""
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED)
    from_file = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert from_file.returncode == 1
    said = [line for line in from_file.stderr.splitlines() if line.startswith("manue: ")]
    assert "play_match(workers=...) has to stand under `if __name__ == '__main__':`" in said[0]
    assert from_file.stderr.count("freeze_support") == 0
    piped = subprocess.run(
        [sys.executable, "-"], input=UNGUARDED, capture_output=True, text=True, check=False
    )
    assert piped.returncode == 1
    assert piped.stderr.count("Traceback") == 1
    assert piped.stderr.splitlines()[-1].endswith("<stdin> is no file: play with workers=1")


@pytest.mark.parametrize("value", ["E", 1, True])
def test_a_mistyped_circumstance_is_named_whatever_its_value(value):
    with pytest.raises(TypeError, match="unexpected keyword argument 'sea'"):
        manue.score_win(WIN, sea=value)


def test_a_robbed_kan_left_a_tile_of_its_kind_in_the_hand_and_a_kan_the_ippatsu():
    with pytest.raises(HandError, match="chankan is impossible on 6s: another of its kind is in the hand"):
        manue.score_win("234567m234p456s6s 6s", chankan=True)
    kan = {"melds": ["ankan:EEEE"], "tsumo": True, "riichi": True, "rinshan": True}
    assert manue.score_win("234567m88s45s 6s", **kan) is not None
    with pytest.raises(HandError, match="ippatsu and rinshan cannot both be"):
        manue.score_win("234567m88s45s 6s", **kan, ippatsu=True)


def test_a_closed_kan_left_double_riichi_its_ippatsu():
    with pytest.raises(HandError, match="a closed kan ends double_riichi or ippatsu"):
        manue.score_win("234567m88s45s 6s", ["ankan:EEEE"], double_riichi=True, ippatsu=True)


def test_bytes_were_read_as_the_numbers_of_their_letters():
    with pytest.raises(TileError, match="are not tiles"):
        manue.shanten(b"123m456p789s1122z")


def test_a_record_without_a_path_was_a_type_error():
    with pytest.raises(UsageError, match="path must be a str or a Path, not None"):
        manue.review_record(None, 0, agent="rules")


def test_a_win_with_a_closed_kan_was_one_on_the_first_turn():
    with pytest.raises(HandError, match="a first-turn win is impossible after a call or a kan"):
        manue.score_win("234567m23p88s 4p", ["ankan:1111p"], tsumo=True, first_turn=True)


def test_two_red_fives_of_a_suit_were_two_dora():
    hand = "234m0p0p0p456s789s11z"
    for use in (manue.score_win, manue.shanten, manue.ukeire, manue.readings):
        with pytest.raises(HandError, match="3 copies of 5pr in sight; there is only one"):
            use(hand)


def test_payments_with_the_honba_of_an_array_were_numbers_of_numpy():
    score = manue.score_win(WIN, honba=np.int64(2))
    assert json.dumps(score.total) == "3500"


@pytest.mark.parametrize("tiles", [None, 5])
def test_what_is_no_hand_and_no_meld_was_a_traceback(tiles):
    for use in (manue.shanten, manue.ukeire, manue.readings, manue.score_win, manue.evaluate):
        with pytest.raises(TileError, match=f"^{tiles} are not tiles"):
            use(tiles)
    for melds in (tiles, [tiles], [("1m", "2m", "3m")]):
        with pytest.raises(HandError, match=r"melds are a sequence|is not a meld"):
            manue.shanten("123m456p7sEES", melds)


def test_scores_of_wins():
    pon = manue.score_win("234m567p55s", ["PPP", "678s"], seat="W", honba=2)
    assert (pon.han, pon.ron) == (1, 1000 + 600)
    assert manue.score_win("234m567p55s 567m", ["678s"], seat="W") is not None
    assert manue.score_win("234m567p999s EE", ["678s"], seat="S", round="S") is None
    for hand in ("", "123m", TENPAI):
        with pytest.raises(HandError):
            manue.score_win(hand)
    with pytest.raises(HandError, match="'X' is not a wind"):
        manue.score_win("234567m234p4588s 6s", riichi=True, seat="X")
    with pytest.raises(HandError, match="not among"):
        manue.score_win("234567m234p4588s 6s", win="1m")
    with pytest.raises(TypeError, match="unexpected keyword argument 'richi'"):
        manue.score_win("234567m234p4588s 6s", richi=True)


# ---- a decision from a hand alone


@pytest.mark.parametrize("width", ["80", 0, -1, 2.5, True])
def test_a_table_of_anything_else_ended_in_an_error_of_python(width):
    decision = manue.evaluate(f"{TENPAI} 9m", agent="greedy")
    with pytest.raises(UsageError, match=f"^{width!r} is not a number of characters, from 1"):
        manue.decision_table(decision, width)
    with pytest.raises(UsageError, match=r"^None is not a Decision"):
        manue.decision_table(None)


@pytest.mark.parametrize("seat", "ESWN")
def test_a_hand_alone_has_every_discard_and_riichi(seat):
    decision = manue.evaluate(f"{TENPAI} 9m", seat=seat, agent="manue:mc_draws=50")
    actions = [report.action for report in decision.reports]
    assert {action.tile for action in actions if isinstance(action, Discard)} == set(
        "1m 2m 3m 9m 4p 5p 6p 7s 8s 9s E S".split()
    )
    assert Riichi() in actions
    assert isinstance(decision.reports[0], manue.Report)
    assert manue.decision_table(decision).startswith("action")


def test_thirteen_orphans_leave_tiles_for_the_others_to_discard():
    for seat in "ESWN":
        assert manue.evaluate("19m19p19s1234567z 5m", seat=seat, agent="rules").reports


def test_the_circumstances_reach_the_agent():
    seen = []

    class Watcher:
        name = "watcher"

        def decide(self, state, actions):
            seen.append(state)
            return manue.Decision(actions[-1])

    manue.evaluate(
        "123m456p78s44s 7m", dora="3m", round="S2", seat="W", scores=(20_000, 30_000, 25_000, 24_000),
        honba=2, melds={"W": ["pon C C + C"]}, rivers={"E": "C^W 9s", "S": "1s", "W": "9p", "N": "1m!"},
        agent=Watcher(),
    )  # fmt: skip
    (state,) = seen
    assert (state.round_wind, state.number, state.honba, state.seat_wind) == ("S", 2, 2, "W")
    assert (state.seat, state.dealer, state.deposits) == (3, 1, 1)
    assert [state.scores[(1 + wind) % 4] for wind in range(4)] == [20_000, 30_000, 25_000, 24_000]
    assert state.dora_indicators == ["3m"]
    assert [len(player.river) for player in state.players] == [1, 2, 1, 1]
    assert state.players[0].riichi_accepted
    assert state.drawn == "7m"


def test_the_last_discard_of_another_seat_may_be_the_question():
    decision = manue.evaluate("123m456p78s44sCCE", seat="S", rivers={"E": "C"}, agent="rules")
    assert decision.action == Call("pon", ("C", "C"), "C", 0)
    assert Pass() in [report.action for report in decision.reports]
    with pytest.raises(PositionError, match="nothing to decide"):
        manue.evaluate("123m456p78s44sCCE", seat="S", rivers={"E": "9m"}, agent="rules")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"round": None}, "round None is not E1..W4"),
        ({"seat": ["S"]}, r"\['S'\] is not a seat"),
        ({"scores": 5}, "the scores are four numbers"),
        ({"scores": "abcd"}, "the scores are four numbers"),
        ({"melds": "pon C C + C"}, "the melds are sequences by seat"),
        ({"melds": {"E": "pon C C + C"}}, "the melds of E are a sequence"),
        ({"melds": {"S": None}}, "the melds of S are a sequence"),
        ({"rivers": ["9p"]}, "the rivers are texts by seat"),
        ({"rivers": {"E": ["9p"]}}, "the river of E is a text"),
    ],
)
def test_arguments_of_other_types_were_a_traceback(options, reason):
    with pytest.raises(PositionError, match=reason):
        manue.evaluate(f"{TENPAI} 9m", agent="rules", **options)


def test_true_and_false_were_taken_for_numbers():
    hand = f"{TENPAI} 9m"
    for use, what in (
        (lambda: manue.evaluate(hand, agent="rules", honba=True), "honba"),
        (lambda: manue.evaluate(hand, agent="rules", deposits=False), "deposits"),
        (lambda: manue.evaluate(hand, agent="rules", scores=[True] * 4), "points"),
        (lambda: manue.evaluate(hand, agent="rules", rollouts=True), "rollouts"),
        (lambda: manue.evaluate_lines([], seat=True, agent="rules"), "a seat"),
        (lambda: manue.Bot(seat=True, agent="rules"), "a seat"),
        (lambda: manue.review_record(SAMPLE, seat=False, agent="tsumogiri"), "a seat"),
        (lambda: manue.review_record(SAMPLE, 0, agent="tsumogiri", game=True), "game"),
        (lambda: manue.play_match(["greedy", "tsumogiri"], games=True), "games"),
        (lambda: manue.play_match(["greedy", "tsumogiri"], seed=np.False_), "seed"),
    ):
        with pytest.raises((PositionError, UsageError), match=f"^{what} must be a whole number, not "):
            use()


def test_arguments_of_any_type_that_can_be_read_are_taken():
    expected = manue.evaluate(f"{TENPAI} 9m", agent="rules").action
    scores = (25_000 for _ in range(4))
    assert manue.evaluate(iter("1m 2m 3m 4p 5p 6p 7s 8s 9s E E S S 9m".split()), agent="rules",
                          scores=scores, melds={}, rivers={}).action == expected  # fmt: skip


@pytest.mark.parametrize("event", [None, 5, [], {"type": "tsumo", "pai": np.int64(1)}])
def test_an_event_that_is_none_was_a_traceback(event):
    with pytest.raises(ProtocolError, match=r"^line 1: "):
        manue.evaluate_lines([event], 0, agent="rules")


@pytest.mark.parametrize("as_text", [True, False])
def test_blank_lines_were_not_counted_by_the_error_that_names_the_line(as_text):
    first, second = lines_of_sample(2)
    lines = [first, "", " ", "", second, "oops"]
    with pytest.raises(ProtocolError, match=r"^line 6: not JSON"):
        manue.evaluate_lines("\n".join(lines) if as_text else lines, 0, agent="rules")


def test_blank_lines_at_the_end_leave_the_decision():
    lines = lines_of_sample(3)
    decision = manue.evaluate_lines([*lines, "", " "], 0, agent="rules")
    assert decision.action == manue.evaluate_lines(lines, 0, agent="rules").action


def test_numbers_of_numpy_in_an_event_were_no_json():
    hidden = ["?"] * 13
    hands = ["1m 2m 3m 4p 5p 6p 7s 8s 9s E E S S".split(), *[hidden] * 3]
    lines = [start_kyoku(tehais=hands), {"type": "tsumo", "actor": np.int64(0), "pai": "9m"}]
    expected = manue.evaluate_lines([lines[0], lines[1] | {"actor": 0}], 0, agent="rules")
    decision = manue.evaluate_lines(lines, 0, agent="rules")
    assert decision.action == expected.action
    with pytest.raises(ProtocolError, match=r"line 2: .*longdouble is no type of JSON"):
        manue.evaluate_lines([lines[0], lines[1] | {"actor": np.longdouble(0)}], 0, agent="rules")


def test_the_bytearray_of_a_file_was_read_as_numbers():
    lines = gzip.decompress(SAMPLE.read_bytes()).split(b"\n")[:3]
    decision = manue.evaluate_lines(bytearray(b"\n".join(lines)), 0, agent="rules")
    assert decision.action == manue.evaluate_lines(lines, 0, agent="rules").action


@pytest.mark.parametrize("lines", [None, 5, SAMPLE, {"type": "start_game"}])
def test_what_is_no_sequence_of_lines_was_a_traceback(lines):
    with pytest.raises(ProtocolError, match="a text with an event on each line, or a sequence of events"):
        manue.evaluate_lines(lines, 0, agent="rules")


def test_names_and_numbers_of_other_types_were_a_traceback():
    hand = f"{TENPAI} 9m"
    for use in (
        lambda: manue.make_agent(None),
        lambda: manue.make_agent(Path("rules")),
        lambda: manue.evaluate(hand, agent="rules", rules=["tenhou"]),
        lambda: manue.evaluate(hand, rollouts="5"),
        lambda: manue.review_record(SAMPLE, 0, agent="tsumogiri", game="1"),
    ):
        with pytest.raises(UsageError):
            use()


def test_the_length_of_a_game_whose_lines_do_not_say_it_could_not_be_given():
    start, deal, draw = (json.loads(line) for line in lines_of_sample(3))
    deal |= {"bakaze": "E", "kyoku": 4, "scores": [30_000, 30_000, 25_000, 15_000], "oya": 0}
    agent = "manue:mc_draws=50"

    def rank(lines, **options):
        return manue.evaluate_lines(lines, 0, agent=agent, **options).reports[0].expected_rank

    lines = [start, deal, draw]
    assert rank(lines) == rank(lines, length="hanchan")
    assert rank(lines, length="east") == rank([start | {"kyoku_first": 4}, deal, draw])
    assert abs(rank(lines, length="east") - rank(lines)) > 0.01
    replies = [
        manue.Bot(0, agent=manue.make_agent(agent), length=length).react(json.dumps(lines))
        for length in ("hanchan", "east")
    ]
    best = [json.loads(reply)["meta"]["manue"]["candidates"][0]["avgRank"] for reply in replies]
    assert best == [round(rank(lines), 4), round(rank(lines, length="east"), 4)]
    for use in (manue.evaluate_lines, manue.Bot, manue.review_record):
        first = 0 if use is manue.Bot else SAMPLE if use is manue.review_record else lines
        seat = () if use is manue.Bot else (0,)
        with pytest.raises(UsageError, match="length 'west' is not hanchan or east"):
            use(first, *seat, agent="tsumogiri", length="west")


def test_a_review_of_a_game_of_east_rounds_is_as_the_command_has_it(capsys):
    agent = "manue:mc_draws=20"
    review = manue.review_record(SAMPLE, 1, agent=agent, length="east")
    assert main(["review", str(SAMPLE), "--seat", "1", "--agent", agent, "--east", "--json"]) == 0
    (said,) = json.loads(capsys.readouterr().out)["seats"]
    assert (review.agreement, review.points_lost) == (said["agreement"], said["lost"])
    assert review.points_lost != manue.review_record(SAMPLE, 1, agent=agent).points_lost


def test_the_length_of_the_game_counts():
    situation = {"round": "E4", "scores": (30_000, 30_000, 25_000, 15_000), "agent": "manue:mc_draws=50"}
    ranks = [
        manue.evaluate(f"{TENPAI} 9m", length=length, **situation).reports[0].expected_rank
        for length in ("hanchan", "east")
    ]
    assert abs(ranks[0] - ranks[1]) > 0.01


def test_points_of_numpy_give_the_same_numbers():
    """They were drawn with another seed, because they are printed in another way."""
    scores = np.array([31_000, 21_000, 20_000, 28_000])
    seeds = {
        manue.evaluate(f"{TENPAI} 9m", scores=given, agent="manue:mc_draws=50").seed
        for given in (scores, scores.tolist())
    }
    assert len(seeds) == 1


def test_points_left_out_are_those_of_the_start_less_the_riichi_paid():
    state = Position(
        hand=tuple("1m 2m 3m 4p 5p 6p 7s 8s 9s E E S S".split()),
        dora="9p",
        draw="9m",
        seat="W",
        rivers={"E": "N", "S": "1s!"},
    ).state()
    assert (state.scores, state.deposits) == ([25_000, 24_000, 25_000, 25_000], 1)


@pytest.mark.parametrize(
    ("given", "error", "reason"),
    [
        ({"hand": TENPAI}, PositionError, "13 tiles leave nothing to decide: add the tile drawn"),
        ({"hand": "123m"}, PositionError, "3 tiles; a hand has 14 with the tile drawn"),
        (
            {"hand": "123m456p789s", "melds": {"E": ["pon C C + C"]}},
            PositionError,
            "9 tiles beside 1 meld; a hand has 11 with the tile drawn",
        ),
        ({"hand": f"{TENPAI} 99m"}, PositionError, "15 tiles"),
        ({"hand": ""}, PositionError, "0 tiles"),
        ({"hand": "11111m456p789s112z"}, PositionError, "a fifth 1m"),
        ({"hand": f"{TENPAI} 9x"}, TileError, "unknown tile 'x'"),
        ({"seat": "X"}, PositionError, "'X' is not a seat"),
        ({"round": "N1"}, PositionError, "'N1' is not E1..W4"),
        ({"round": "W1", "length": "east"}, PositionError, "round W1 comes after the end of a game"),
        ({"dora": "1m2m"}, PositionError, "2 dora indicators with 0 kans"),
        ({"dora": ""}, PositionError, "'' is not one dora indicator"),
        ({"dora": "111222s"}, PositionError, "'111222s' is not one dora indicator"),
        ({"scores": (25_000,) * 3}, PositionError, "3 scores"),
        ({"scores": (25_000, 25_000, 25_000, 24_000)}, PositionError, "add up to 100000 points"),
        ({"scores": (25_000.0,) * 4}, PositionError, "points must be a whole number, not 25000.0"),
        ({"honba": 1.5}, PositionError, "honba must be a whole number, not 1.5"),
        ({"deposits": "1"}, PositionError, "deposits must be a whole number, not '1'"),
        ({"rivers": {"S": "1m"}}, PositionError, "the river of E ends before that of S"),
        ({"rivers": {"E": "1q"}}, PositionError, "'1q' is not a river tile"),
        ({"rivers": {"Q": "1m"}}, PositionError, "'Q' is not a seat"),
        ({"melds": {"S": ["pon C C + C"]}}, PositionError, "no discard is marked as called"),
        ({"melds": {"S": ["CCC"]}}, PositionError, "'CCC' of S is not a meld, as 'chi 6s 7s + 5s'"),
        ({"length": "west"}, UsageError, "length 'west' is not hanchan or east"),
        ({"length": ["east"]}, UsageError, "length ['east'] is not hanchan or east"),
        ({"agent": "nobody"}, UsageError, "unknown agent 'nobody'"),
    ],
)
def test_errors_of_evaluate_are_one_clear_line(given, error, reason):
    with pytest.raises(error) as caught:
        manue.evaluate(**{"hand": f"{TENPAI} 9m", "agent": "rules"} | given)
    assert isinstance(caught.value, manue.ManueError)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("round_name", ["E1", "S3"])
def test_errors_of_positions_numbered_the_seats_that_are_given_by_their_winds(round_name):
    rivers = {"E": "1s 9s", "S": "1s! 9s!", "W": "1s 9s", "N": "C C"}
    with pytest.raises(PositionError, match=r"^S declares riichi twice$"):
        manue.evaluate(f"{TENPAI} 9m", round=round_name, rivers=rivers, agent="rules")


def test_a_kan_and_its_indicator_are_part_of_a_position():
    """The events of the position, as lines, lead to the same decision."""
    melds = {"S": ["ankan 1m 1m 1m 1m"], "W": ["kakan C C C + C"], "N": ["daiminkan P P P + P"]}
    rivers = {"E": "9p C^W 1p P^N", "S": "9p 6m", "W": "9s_ 8s 6m", "N": "9s 2m 6m 3m"}
    position = Position(
        hand=tuple("2m 3m 4m 4p 5p 6p 7s 8s 9s E E S S".split()),
        dora="9p", kan_dora=("8p", "7p"), draw="9m", melds=melds, rivers=rivers,
    )  # fmt: skip
    lines = [event_to_fields(event) for event in position.events()]
    agent = manue.make_agent("manue:mc_draws=50")
    given = manue.evaluate(
        [*position.hand, "9m"], dora="987p", melds=melds, rivers=rivers, agent=agent, length="hanchan"
    )
    assert given.reports == manue.evaluate_lines(lines, 0, agent=agent).reports


def test_the_indicator_that_is_assumed_made_a_called_set_dora():
    seen = []

    class Watcher:
        def decide(self, state, actions):
            seen.extend(state.dora_indicators)
            return manue.Decision(actions[-1])

    rivers = {"E": "9p 1p", "S": "E^E 2p", "W": "2p", "N": "2p"}
    manue.evaluate("123m456p78s44s7m", melds={"E": ["pon E E + E"]}, rivers=rivers, agent=Watcher)
    assert seen == ["W"]


def test_more_discards_from_the_hand_than_it_has_tiles():
    melds = {"E": [f"ankan {tile} {tile} {tile} {tile}" for tile in ("1m", "2m", "3m", "4m")]}
    rivers = {"E": "9p 8p 7p", "S": "1s 2s 3s", "W": "1s 2s 3s", "N": "1s 2s 3s"}
    assert manue.evaluate("E 9m", melds=melds, rivers=rivers, agent="rules").reports


def test_what_is_left_out_beside_a_kan_holds_none_of_its_tiles():
    """The indicator and the discards before ours are honors where no kan has them all."""
    kans = {"E": ["ankan N N N N"], "S": ["ankan E E E E"]}
    assert manue.evaluate("123m456p789s1p 9m", seat="S", melds=kans, agent="rules").reports


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"honba": 10**20}, rf"^{10**20} honba and 0 deposits: at most 1000"),
        ({"scores": (10**12, 10**5 - 10**12, 0, 0)}, "at most 10000000 points each"),
        ({"scores": (10**5 - 10**30, 10**30, 0, 0)}, "at most 10000000 points each"),
    ],
)
@pytest.mark.parametrize("agent", ["policy", "rules"])
def test_numbers_beyond_all_measure_were_a_traceback_or_valued(given, reason, agent):
    with pytest.raises(PositionError, match=reason):
        manue.evaluate(f"{TENPAI} 9m", agent=agent, **given)


def test_positions_of_the_problem_book_are_evaluated_from_their_fields():
    """The same position by `evaluate` and by the problem book gives the same figures."""
    agent = manue.make_agent("manue:mc_draws=50")
    for problem in load_book(ROOT / "data" / "problems" / "riichi.json")[:3]:
        hand = [*as_position(problem).hand, *([problem.draw] if problem.draw else [])]
        decision = manue.evaluate(
            hand,
            dora=problem.dora,
            round=problem.round,
            seat=problem.seat,
            scores=[problem.scores[wind] for wind in "ESWN"],
            honba=problem.honba,
            deposits=problem.deposits,
            melds=problem.melds,
            rivers=problem.rivers,
            agent=agent,
        )
        state = state_of(problem)
        assert agent.decide(state, legal_actions(state)).reports == decision.reports


# ---- a decision from lines


def lines_of_sample(count):
    return gzip.decompress(SAMPLE.read_bytes()).decode().split("\n")[:count]


def test_lines_as_text_as_bytes_and_as_dictionaries():
    lines = lines_of_sample(3)
    expected = manue.evaluate_lines(lines, 0, agent="rules")
    assert isinstance(expected.action, Discard)
    assert manue.evaluate_lines("\n".join(lines) + "\n\n", 0, agent="rules") == expected
    assert manue.evaluate_lines([line.encode() for line in lines], 0, agent="rules") == expected
    as_saved_by_an_editor = b"\xef\xbb\xbf" + "\r\n".join(lines).encode()
    assert manue.evaluate_lines(as_saved_by_an_editor, 0, agent="rules") == expected
    messages = [json.loads(line) for line in lines]
    assert manue.evaluate_lines(messages, 0, agent="rules") == expected
    messages[0]["id"] = 0
    assert manue.evaluate_lines(messages, agent="rules") == expected


def test_lines_are_evaluated_as_a_review_evaluates_them():
    (game,) = read_games(SAMPLE)
    agent = manue.make_agent("manue:mc_draws=50")
    player, checked = Player(2, agent), 0
    for at, entry in enumerate(game[:120]):
        decision = player.receive(seen_by(entry.event, 2))
        if decision is not None:
            lines = [one.text for one in game[: at + 1]]
            assert manue.evaluate_lines(lines, 2, agent=agent).reports == decision.reports
            checked += 1
    assert checked > 10


def a_closed_kan_that_completes_thirteen_orphans():
    hidden = ["?"] * 13
    hand = "1m 9m 1p 9p 1s 9s E S W N P F F".split()
    return [
        {"type": "start_game", "id": 0},
        start_kyoku(tehais=[hand, hidden, hidden, hidden]),
        {"type": "tsumo", "actor": 0, "pai": "5p"},
        {"type": "dahai", "actor": 0, "pai": "5p", "tsumogiri": True},
        {"type": "tsumo", "actor": 1, "pai": "?"},
        {"type": "ankan", "actor": 1, "consumed": ["C"] * 4},
    ]


def test_who_may_rob_a_closed_kan_depends_on_the_rules(tmp_path):
    lines = a_closed_kan_that_completes_thirteen_orphans()
    with pytest.raises(PositionError, match="nothing to decide"):
        manue.evaluate_lines(lines, agent="greedy")
    assert manue.evaluate_lines(lines, agent="greedy", rules="mjsoul").action == Win("C", 1)
    text = json.dumps(lines)
    assert json.loads(manue.Bot(0, "greedy").react(text))["type"] == "none"
    assert json.loads(manue.Bot(0, "greedy", rules="mjsoul").react(text))["type"] == "hora"
    command = [sys.executable, "-m", "manue.bot", "0", "--agent", "greedy"]
    typed = "".join(f"{json.dumps(line)}\n" for line in [*lines, {"type": "end_game"}])
    for options, answers in ((), 1), (("--rules", "mjsoul"), 2):
        ran = subprocess.run([*command, *options], input=typed, capture_output=True, text=True, check=True)
        assert len(ran.stdout.splitlines()) == answers


def test_an_indicator_left_out_was_a_fifth_copy_of_an_honor_in_the_rivers():
    rivers = {"E": "N 1p", "S": "N 9p", "W": "N 1s", "N": "9s N"}
    hand = "123m406p789s22z55z6m"
    decision = manue.evaluate(hand, rivers=rivers, agent="rules")
    assert decision.action == manue.evaluate(hand, rivers=rivers, dora="9m", agent="rules").action


def test_a_position_in_which_every_indicator_means_something_was_a_traceback():
    melds = {
        "W": ["pon S S + S"],
        "S": ["pon P P + P", "pon E E + E"],
        "N": ["chi 7m 8m + 9m", "chi 7p 8p + 9p", "chi 7s 8s + 9s"],
    }
    rivers = {"E": "P^S E^S S^W", "S": "1m 5m", "W": "9m^N 9p^N 9s^N", "N": "3m 3m 5p"}
    hand = "2468m2468p2468sWC"
    with pytest.raises(PositionError, match="give the one on the table"):
        manue.evaluate(hand, melds=melds, rivers=rivers, agent="rules")
    assert manue.evaluate(hand, melds=melds, rivers=rivers, dora="1s", agent="rules").reports


def test_double_yakuman_depend_on_the_rules():
    """A dealer dealt pure nine gates has two yakuman, or three."""
    for rules, points in (("tenhou", 96_000), ("mjsoul", 144_000)):
        found = manue.evaluate("1112345678999m 2m", agent="manue:mc_draws=50", rules=rules)
        assert [one.win_points for one in found.reports if isinstance(one.action, Win)] == [points]


def test_the_score_of_a_double_yakuman_was_that_of_a_single_one_by_any_rules():
    for rules, yakuman in (("tenhou", 1), ("mjsoul", 2)):
        assert manue.score_win("1112345678999m 2m", seat="S", rules=rules).yakuman == yakuman


@pytest.mark.parametrize(
    "ask",
    [
        lambda rules: manue.score_win("123m456p789s11122z", rules=rules),
        lambda rules: manue.evaluate(f"{TENPAI} 9m", agent="greedy", rules=rules),
        lambda rules: manue.evaluate_lines(lines_of_sample(3), 0, agent="greedy", rules=rules),
        lambda rules: manue.review_record(SAMPLE, 0, agent="greedy", rules=rules),
        lambda rules: manue.Bot(0, "greedy", rules=rules),
        lambda rules: manue.play_match(["greedy", "tsumogiri"], rules=rules),
    ],
)
def test_unknown_rules_are_refused(ask):
    with pytest.raises(UsageError, match="rules 'wrc' are not tenhou or mjsoul"):
        ask("wrc")


def test_errors_of_lines_name_the_line():
    lines = lines_of_sample(3)
    with pytest.raises(ProtocolError, match=r"^line 2: not JSON"):
        manue.evaluate_lines([lines[0], "{"], 0, agent="rules")
    with pytest.raises(EventError, match=r"^line 4: "):
        manue.evaluate_lines([*lines, lines[2]], 0, agent="rules")
    with pytest.raises(PositionError, match="nothing to decide"):
        manue.evaluate_lines(lines, 1, agent="rules")
    with pytest.raises(PositionError, match="nothing to decide"):
        manue.evaluate_lines("", 1, agent="rules")
    with pytest.raises(UsageError, match="give the seat"):
        manue.evaluate_lines(lines, agent="rules")


# ---- matches


class Drawing:
    """Discards what it draws."""

    name = "drawing"

    def __init__(self):
        self.asked = 0

    def decide(self, state, actions):
        self.asked += 1
        return manue.Decision(actions[-1])


class Broken(Drawing):
    name = "broken"

    def decide(self, state, actions):
        raise RuntimeError("out of ideas")


class Tired(Broken):
    """Fails in the midst of a round."""

    name = "tired"

    def decide(self, state, actions):
        return (
            super().decide(state, actions)
            if len(state.me.river) > 5
            else Drawing.decide(self, state, actions)
        )


@pytest.fixture
def arena():
    pytest.importorskip("riichienv")


@pytest.mark.usefixtures("arena")
def test_an_own_agent_plays_as_object_and_as_class_and_as_module(tmp_path):
    one = Drawing()
    others = ["tsumogiri", "greedy"]
    by_object = manue.play_match([one, *others, one], games=2, length="east", out=tmp_path / "out")
    assert one.asked > 20
    assert set(by_object.agents) == {"drawing", "tsumogiri", "greedy"}
    by_class = manue.play_match([Drawing, *others, Drawing], games=2, length="east")
    assert by_class.agents["drawing"].places == by_object.agents["drawing"].places
    spec = "tests.test_api:Drawing"
    by_name = manue.play_match([spec, *others, spec], games=2, length="east")
    assert by_name.agents[spec].places == by_object.agents["drawing"].places
    assert (tmp_path / "out" / "report.html").is_file()
    assert len(list((tmp_path / "out" / "games").iterdir())) == 2


class Nameless:
    """Says nothing about itself."""

    def decide(self, state, actions):
        return manue.Decision(actions[-1])


@pytest.mark.parametrize("agent", [Nameless, Nameless()])
def test_an_agent_without_a_name_and_a_class_were_for_some_functions_alone(agent):
    assert manue.evaluate(f"{TENPAI} 9m", agent=agent).action == Discard("9m", from_draw=True)
    assert manue.evaluate_lines(lines_of_sample(3), 0, agent=agent).action == Discard("3p", from_draw=True)
    assert manue.review_record(SAMPLE, 0, agent=agent).decisions == 149
    reply = json.loads(manue.Bot(0, agent=agent).react(f"[{','.join(lines_of_sample(3))}]"))
    assert (reply["pai"], reply["tsumogiri"]) == ("3p", True)
    pytest.importorskip("riichienv")
    summary = manue.play_match([agent, "tsumogiri"], games=1, length="east")
    assert set(summary.agents) == {"Nameless", "tsumogiri"}


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_of_an_agent_was_its_name_in_tables(name):
    agent = Nameless()
    agent.name = name
    assert agent_of(agent).name == "Nameless"


@pytest.mark.parametrize("agent", [None, 5, dict])
def test_what_is_no_agent_is_refused(agent):
    for use in (
        lambda: manue.evaluate(f"{TENPAI} 9m", agent=agent),
        lambda: manue.review_record(SAMPLE, 0, agent=agent),
        lambda: manue.Bot(0, agent=agent),
    ):
        with pytest.raises(UsageError, match="has no method decide"):
            use()


@pytest.mark.usefixtures("arena")
def test_the_error_of_an_illegal_choice_had_every_legal_action_as_python_writes_it():
    class Blind:
        def decide(self, state, actions):
            return manue.Decision(Discard("9s"))

    chosen = r"Discard\(tile='9s', from_draw=False\)"
    said = rf"^Blind chose {chosen}; allowed: 1m, 2m, 3m, 1p, 4p, 5p, 6p, 7s, 8s, E, S, 9m drawn$"
    with pytest.raises(IllegalActionError, match=said):
        manue.evaluate("123m456p78s1122z1p 9m", agent=Blind)


def test_what_a_match_refuses():
    with pytest.raises(UsageError, match="several processes"):
        manue.play_match([Drawing, "greedy"], workers=2)
    with pytest.raises(UsageError, match="two different agents are called 'drawing'"):
        manue.play_match([Drawing(), Drawing(), "greedy"])
    greedy = Greedy()
    for agents in (["greedy", greedy], [greedy, "greedy"]):
        with pytest.raises(UsageError, match="two different agents are called 'greedy'"):
            manue.play_match(agents)
    with pytest.raises(UsageError, match="two or more"):
        manue.play_match(["greedy"])
    with pytest.raises(UsageError, match="length 'west' is not hanchan or east"):
        manue.play_match(["greedy", "tsumogiri"], length="west")
    with pytest.raises(UsageError, match="games: 1 or more, not 0"):
        manue.play_match(["greedy", "tsumogiri"], games=0)
    with pytest.raises(UsageError, match="workers: 1 or more, not 0"):
        manue.play_match(["greedy", "tsumogiri"], workers=0)
    with pytest.raises(UsageError, match="unknown agent"):
        manue.play_match(["greedy", "nobody"])
    with pytest.raises(UsageError, match="has no method decide"):
        manue.play_match([dict, "greedy"])
    with pytest.raises(UsageError, match=r"^/dev/null/match: Not a directory$"):
        manue.play_match(["greedy", "tsumogiri"], out="/dev/null/match")


@pytest.mark.usefixtures("arena")
@pytest.mark.parametrize(
    ("out", "reason"),
    [
        (5, "out must be a str or a Path, not 5"),
        (b"x", "out must be a str or a Path, not b'x'"),
        ("a\0b", r"out 'a\\x00b' names no file or folder"),
        ("", "out '' names no file or folder"),
    ],
)
def test_what_names_no_folder_was_a_traceback_or_the_folder_one_is_in(out, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"^{reason}$"):
        manue.play_match(["greedy", "tsumogiri"], games=1, length="east", out=out)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("arena")
def test_a_folder_with_a_match_was_refused_with_options_of_the_command(tmp_path):
    (tmp_path / "match.json").write_text("{}")
    with pytest.raises(UsageError, match=r"already holds a match: choose another folder$"):
        manue.play_match(["greedy", "tsumogiri"], games=1, length="east", out=tmp_path)


@pytest.mark.usefixtures("arena")
def test_a_match_of_the_library_is_that_of_the_command(tmp_path):
    """With a seed, a length and rules that are not those by default, and as many games as one wall takes."""
    summary = manue.play_match(
        ["greedy", "tsumogiri"], seed=3, length="east", rules="mjsoul", out=tmp_path / "library"
    )
    options = ["--seed", "3", "--east", "--rules", "mjsoul", "--games", str(summary.games)]
    seats = ["--seats", "greedy,tsumogiri", "--format", "two-two"]
    assert main(["match", *seats, *options, "--out", str(tmp_path / "command")]) == 0
    kept = [
        [json.loads(line) for line in (tmp_path / name / "results.jsonl").read_text().splitlines()]
        for name in ("library", "command")
    ]
    for line in (*kept[0], *kept[1]):
        del line["timings"], line["seconds"]
    assert kept[0] == sorted(kept[1], key=lambda line: line["game"])
    (start, *_), *_ = (list(read_log(path)) for path in sorted((tmp_path / "library" / "games").iterdir()))
    assert (start.event.rules, start.event.last_round) == ("mjsoul", 3)


@pytest.mark.usefixtures("arena")
@pytest.mark.parametrize("name", ["games", "seed", "workers"])
def test_numbers_of_a_match_may_be_those_of_numpy_and_nothing_else(name):
    agents = ["tsumogiri", "tsumogiri", "greedy", "greedy"]
    options = {"games": 1, "length": "east"}
    summary = manue.play_match(agents, **options | {name: np.int64(1)})
    expected = manue.play_match(agents, **options | {name: 1})
    assert summary.agents["greedy"].places == expected.agents["greedy"].places
    assert summary.agents["greedy"].points == expected.agents["greedy"].points
    with pytest.raises(UsageError, match=f"{name} must be a whole number, not '1'"):
        manue.play_match(agents, **options | {name: "1"})


@pytest.mark.usefixtures("arena")
@pytest.mark.parametrize("agents", ["greedy", None, 5])
def test_agents_that_are_no_sequence_were_letters_or_a_traceback(agents):
    with pytest.raises(UsageError, match="the agents are a sequence"):
        manue.play_match(agents)


@pytest.mark.usefixtures("arena")
@pytest.mark.parametrize("name", ["v1: fast", "cmd", "a=cmd:b", "tcp:99", "lr=0.1, v2", "greedy"])
def test_the_name_of_an_own_agent_was_read_as_a_spec(name, tmp_path):
    agent = Drawing()
    agent.name = name
    summary = manue.play_match([agent, "tsumogiri"], games=1, length="east", out=tmp_path)
    assert list(summary.agents) == [name, "tsumogiri"]
    described = json.loads((tmp_path / "match.json").read_text())
    assert described["own"] == [name]
    assert {"danger.npz", "policy.npz"} <= set(described["played_by"])  # nobody knows what it reads


def test_an_own_agent_may_not_share_its_name_with_a_program():
    agent = Drawing()
    agent.name = "a"
    with pytest.raises(UsageError, match="two different agents are called 'a'"):
        manue.play_match([agent, f"a=cmd:{sys.executable}"])


@pytest.mark.usefixtures("arena")
def test_a_failing_agent_loses_its_seat_or_ends_a_strict_match():
    summary = manue.play_match([Tired, "tsumogiri"], games=1, length="east")
    assert summary.agents["tired"].faults == {"died": 2}
    with pytest.raises(SeatFault, match="out of ideas"):
        manue.play_match([Tired, "tsumogiri"], games=1, length="east", strict=True)


@pytest.mark.usefixtures("arena")
@pytest.mark.parametrize("agent", [Broken, Broken(), f"{__name__}:Broken"], ids=["class", "object", "spec"])
def test_an_own_agent_was_warmed_up_by_its_spec_alone(agent, tmp_path):
    with pytest.raises(AgentError, match=r"^agent broken failed: RuntimeError: out of ideas"):
        manue.play_match([agent, "tsumogiri"], games=1, length="east", out=tmp_path)
    assert not list(tmp_path.iterdir())


# ---- reviews


def test_the_seat_of_a_review_was_a_number_of_numpy():
    review = manue.review_record(SAMPLE, np.int64(1), agent="tsumogiri")
    assert json.dumps(review.seat) == "1"


def test_a_review_says_what_the_command_says(capsys):
    review = manue.review_record(SAMPLE, 1, agent="manue:mc_draws=50")
    assert main(["review", str(SAMPLE), "--seat", "1", "--agent", "manue:mc_draws=50", "--json"]) == 0
    (said,) = json.loads(capsys.readouterr().out)["seats"]
    assert (review.decisions, review.agreement, review.points_lost) == (
        said["decisions"],
        said["agreement"],
        said["lost"],
    )
    assert [(one.where, one.kind, one.played, one.best, one.points_lost) for one in review.worst] == [
        (one["where"], one["kind"], one["played"], one["best"], one["lost"]) for one in said["costliest"]
    ]


def test_a_review_guesses_the_length_as_the_command_does(tmp_path, capsys):
    """Regression: a record without its length was judged as a hanchan, also where it ended in East 4."""
    path = tmp_path / "east.mjson"
    with LogWriter(path) as log:
        for entry in read_game(game("east-rules")):
            log.write({name: value for name, value in entry.fields().items() if name != "kyoku_first"})
    review = manue.review_record(path, 1, agent="manue:mc_draws=50")
    assert main(["review", str(path), "--seat", "1", "--agent", "manue:mc_draws=50", "--json"]) == 0
    (said,) = json.loads(capsys.readouterr().out)["seats"]
    assert (review.agreement, review.points_lost) == (said["agreement"], said["lost"])
    assert stated_length(read_game(path)) is None


def test_the_rules_of_a_review_say_what_there_is_to_decide(tmp_path):
    """By Mahjong Soul's rules thirteen orphans may rob a closed kan."""
    lines = [*a_closed_kan_that_completes_thirteen_orphans(), {"type": "tsumo", "actor": 1, "pai": "?"}]
    path = tmp_path / "kan.mjson"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for rules, decisions in (("tenhou", 1), ("mjsoul", 2)):
        assert manue.review_record(path, 0, agent="greedy", rules=rules).decisions == decisions


def test_a_parameter_to_give_was_named_as_an_option_of_the_command(tmp_path, capsys):
    record = tmp_path / "two.mjson"
    record.write_bytes(gzip.decompress(SAMPLE.read_bytes()) * 2)
    link = "https://tenhou.net/0/?log=2019050417gm-0029-0000-4f2a8622&tw=2"
    for source, asked in ((record, "holds 2 games; choose one with {}1..2"), (link, "that file with {}2")):
        name = "game" if source is record else "seat"
        with pytest.raises(UsageError) as error:
            manue.review_record(source, 0, agent="greedy")
        assert str(error.value).endswith(asked.format(f"{name}="))
        assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
        assert main(["view", str(source), "-o", str(tmp_path / "page.html")]) == 2
        assert capsys.readouterr().err.endswith(asked.format(f"--{name} ") + "\n")


def test_errors_of_a_review(tmp_path):
    with pytest.raises(LogError, match="none"):
        manue.review_record(tmp_path / "none.mjson", 0, agent="greedy")
    with pytest.raises(UsageError, match="there is no game 7"):
        manue.review_record(SAMPLE, 0, agent="greedy", game=7)


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_what_names_no_record_was_a_traceback_or_the_folder_one_is_in(path):
    with pytest.raises(UsageError, match=r"^path '.*' names no file or folder$"):
        manue.review_record(path, 0, agent="greedy")


@pytest.mark.parametrize("seat", [-1, 4, 1.5, None])
def test_what_is_no_seat_is_named(seat):
    wanted = f"a seat is 0, 1, 2 or 3, not {seat!r}"
    with pytest.raises(UsageError, match=wanted):
        manue.review_record(SAMPLE, seat, agent="greedy")
    if seat is not None:
        with pytest.raises(UsageError, match=wanted):
            manue.evaluate_lines([], seat, agent="greedy")
