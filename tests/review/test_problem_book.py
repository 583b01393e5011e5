"""The problem book: every position can arise, every answer is legal, and efficiency agrees with counting."""

import json
from pathlib import Path

import pytest

import manue
from manue.__main__ import main
from manue.agents.base import Decision
from manue.bench.problems import (
    answer,
    measure_problems,
    problems_as_data,
    score_by_theme,
)
from manue.errors import ProblemError
from manue.game.actions import Riichi
from manue.game.consistency import problems
from manue.game.position import Position
from manue.hand.shanten import shanten
from manue.review.problem_book import accepts, answers_of, load_book, state_of
from manue.tiles import COPIES, KIND_OF, WINDS, parse_tiles

FOLDER = Path(__file__).parents[2] / "data" / "problems"
BOOK = load_book(FOLDER)
AT_LEAST = {
    "efficiency": 20, "value": 6, "riichi": 8, "push or fold": 12, "calls": 10, "kans": 3, "last round": 6,
}  # fmt: skip


def useful_tiles(counts, seen, melds):
    """Count unseen tiles that lower the shanten, by trying every kind."""
    now = shanten(counts, melds)
    total = 0
    for kind in range(34):
        if counts[kind] < COPIES:
            drawn = counts.copy()
            drawn[kind] += 1
            if shanten(drawn, melds) < now:
                total += COPIES - int(seen[kind])
    return now, total


def test_the_book_is_large_enough():
    themes = [problem.theme for problem in BOOK]
    assert {theme: themes.count(theme) for theme in AT_LEAST if themes.count(theme) < AT_LEAST[theme]} == {}
    assert len(BOOK) >= 60


@pytest.mark.parametrize("problem", BOOK, ids=lambda problem: problem.id)
def test_position_is_the_one_described(problem):
    state = state_of(problem)
    assert problems(state) == []
    assert sorted(state.hand) == sorted(
        parse_tiles(problem.hand) + ([problem.draw] if problem.draw is not None else [])
    )
    assert state.drawn == problem.draw
    assert state.seat_wind == problem.seat
    assert state.dora_indicators == [problem.dora, *problem.kan_dora]
    assert (state.honba, state.deposits) == (problem.honba, problem.deposits)
    for wind in WINDS:
        player = state.players[(state.dealer + WINDS.index(wind)) % 4]
        assert state.scores[player.seat] == problem.scores[wind]
        shown = [tile.tile + "_" * tile.from_draw + "!" * tile.riichi for tile in player.river]
        assert shown == [word.split("^")[0] for word in problem.rivers.get(wind, "").split()]
        assert len(player.melds) == len(problem.melds.get(wind, []))


@pytest.mark.parametrize(
    "problem", [problem for problem in BOOK if problem.judge], ids=lambda problem: problem.id
)
def test_answers_agree_with_counted_tiles(problem):
    state = state_of(problem)
    results = {}
    for kind in state.counts.nonzero()[0].tolist():
        after = state.counts.copy()
        after[kind] -= 1
        results[kind] = useful_tiles(after, state.visible, len(state.me.melds))
    least = min(level for level, _ in results.values())
    at_least = {kind: tiles for kind, (level, tiles) in results.items() if level == least}
    best = {kind for kind, tiles in at_least.items() if tiles == max(at_least.values())}
    accepted = {KIND_OF[answer.split()[-1]] for answer in problem.accept}
    if problem.judge == "ukeire":
        assert accepted == best
    elif problem.judge == "tie":
        assert accepted < best
    else:
        assert accepted <= set(at_least)


def test_every_efficiency_problem_is_judged():
    assert [problem.id for problem in BOOK if problem.theme == "efficiency" and not problem.judge] == []


@pytest.mark.parametrize(("name", "rival"), [("last-needs-points", "N"), ("third-needs-2000", "W")])
def test_a_silent_ron_passes_only_off_the_rival_and_riichi_off_anybody(name, rival):
    """Regression: a dora in the hand of `last-needs-points` made its silent win pass off anybody, too."""
    (problem,) = [problem for problem in BOOK if problem.id == name]
    behind = problem.scores[rival] - problem.scores[problem.seat]
    for tile in manue.ukeire(problem.hand):
        silent, declared = (
            manue.score_win(f"{problem.hand} {tile}", dora=problem.dora, seat=problem.seat, riichi=riichi).ron
            for riichi in (False, True)
        )
        assert silent == 1000
        assert silent < behind < min(2 * silent, declared)


BASE = {
    "id": "one", "question": "?", "round": "E2", "seat": "S", "dora": "3m", "hand": "123m456p789s44s12p",
    "draw": "7m", "rivers": {"E": "9p"}, "accept": ["7m"], "why": "because",
}  # fmt: skip


def broken(tmp_path, **changes):
    file = tmp_path / "theme.json"
    fields = {name: value for name, value in (BASE | changes).items() if value is not None}
    file.write_text(json.dumps({"theme": "t", "problems": [fields]}))
    return file


def test_a_small_problem_stands(tmp_path):
    (problem,) = load_book(broken(tmp_path))
    state = state_of(problem)
    assert (state.dealer, state.seat, state.turn) == (1, 2, 2)
    assert {"7m", "riichi 7m"} <= set(answers_of(state))
    assert accepts(problem, "7m")
    assert not accepts(problem, "riichi 7m")


def test_a_kan_shows_its_indicator(tmp_path):
    kan = {"hand": "456p789s44s12p", "melds": {"S": ["ankan 1m 1m 1m 1m"]}, "kan_dora": ["8s"]}
    rivers = {"E": "9p 9p", "S": "N", "W": "9m", "N": "9m"}
    (problem,) = load_book(broken(tmp_path, **kan, rivers=rivers))
    state = state_of(problem)
    assert state.dora_indicators == ["3m", "8s"]
    assert [meld.kind for meld in state.me.melds] == ["ankan"]
    (problem,) = load_book(broken(tmp_path, **kan | {"melds": {}, "hand": BASE["hand"]}))
    with pytest.raises(ProblemError, match="problem 'one'"):
        state_of(problem)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hand": "123m"}, "a hand of 3 tiles, 13 expected"),
        ({"hand": "11111m456p789s44s"}, "a fifth 1m"),
        ({"hand": "123x"}, "unknown tile 'x'"),
        ({"dora": "0m"}, "dora"),
        ({"round": "N9"}, "is not E1..W4"),
        ({"accept": ["9m"]}, "'9m', which is not legal; legal: "),
        ({"accept": [*(f"{n}m" for n in (1, 2, 3, 7)), "4p", "5p", "6p", "1p", "2p", "7s", "8s", "9s",
                     "4s", "riichi"]}, "accepts every legal answer"),
        ({"deposits": 1}, "add up to 100000 points"),
        ({"scores": {"E": 100000}}, "add up to 100000 points"),
        ({"rivers": {"E": "9p!"}}, "0 deposits with 1 riichi paid"),
        ({"rivers": {"E": "9p", "S": "1s"}}, "draws a tile on the turn of W"),
        ({"rivers": {"E": "9p", "W": "1s"}}, "the river of S ends before that of W"),
        ({"rivers": {"E": "9q"}}, "'9q' is not a river tile"),
        ({"rivers": {"E": "9p^N"}}, "9p was called, but the next meld of the caller is None"),
        ({"melds": {"W": ["pon C C + C"]}}, "no discard is marked as called for 'pon C C + C' of W"),
        ({"draw": None, "rivers": {}}, "nothing was drawn"),
        ({"why": ""}, "why"),
        ({"colour": "red"}, "colour: Extra inputs"),
    ],
)  # fmt: skip
def test_errors_name_file_and_problem(tmp_path, changes, reason):
    file = broken(tmp_path, **changes)
    with pytest.raises(ProblemError) as caught:
        state_of(load_book(file)[0])
    assert str(caught.value).startswith(f"{file}: problem 'one'")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_calls_and_riichi_are_played(tmp_path):
    file = broken(
        tmp_path,
        round="E1", hand="123m456p789s4s", melds={"S": ["pon C C + C"], "E": ["chi 6s 7s + 5s"]},
        draw="7m", rivers={"E": "9p C^S 1p", "S": "1s", "W": "1m 2m! 9p_", "N": "E 5s^E 9s_"},
        deposits=1, scores={"E": 25000, "S": 25000, "W": 24000, "N": 25000},
    )  # fmt: skip
    with pytest.raises(ProblemError, match="S does not discard after its call"):
        state_of(load_book(file)[0])
    rivers = {"E": "C^S 1p", "S": "1s", "W": "2m!", "N": "5s^E"}
    raw = json.loads(file.read_text())
    raw["problems"][0]["rivers"] = rivers
    file.write_text(json.dumps(raw))
    state = state_of(load_book(file)[0])
    assert [player.melds[0].kind if player.melds else None for player in state.players] == [
        "chi", "pon", None, None,
    ]  # fmt: skip
    assert state.players[2].riichi_accepted
    assert state.players[0].river[0].called_by == 1


def test_without_points_everybody_had_as_many_but_for_the_sticks():
    """A riichi is paid for once its discard has passed."""
    hand = tuple(parse_tiles("123m456p789s44s11z"))
    offered = Position(hand, "N", seat="W", rivers={"E": "9p", "S": "1s!"}).state()
    assert (offered.scores, offered.deposits) == ([25_000] * 4, 0)
    rivers = {"E": "9p", "S": "1s!", "W": "2m!", "N": "9s"}
    passed = Position(hand, "N", seat="E", draw="P", rivers=rivers).state()
    assert (passed.scores, passed.deposits) == ([25_000, 24_000, 24_000, 25_000], 2)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"theme": "t"}', '{"theme": "t", "problems": []}', "[" * 200_000],
    ids=["empty", "array", "brace", "no problems", "none", "nested"],
)
def test_damaged_files(tmp_path, text):
    file = tmp_path / "theme.json"
    file.write_text(text)
    with pytest.raises(ProblemError, match=r"theme\.json"):
        load_book(file)


def test_what_is_no_problem_book_was_an_error_of_python(tmp_path):
    file = tmp_path / "README.md"
    file.write_text("# manue")
    with pytest.raises(ProblemError, match=r"README\.md: not a problem book: not JSON \(Expecting value"):
        load_book(file)


def test_missing_book_and_double_problem(tmp_path):
    with pytest.raises(ProblemError, match="no problem book there"):
        load_book(tmp_path / "none")
    (tmp_path / "a.json").write_text(json.dumps({"theme": "a", "problems": [BASE, BASE]}))
    with pytest.raises(ProblemError, match="occurs twice"):
        load_book(tmp_path)


class Chooser:
    """Riichi if it may, else the first action."""

    name = "chooser"

    def decide(self, state, actions):
        return Decision(Riichi() if Riichi() in actions else actions[0])


def test_answer_names_the_discard_of_a_riichi():
    problem = next(problem for problem in BOOK if problem.id == "best-wait-riichi")
    given = answer(Chooser(), problem)
    assert given.answer in answers_of(state_of(problem))
    assert given.answer.startswith("riichi ")
    assert given.accepted == accepts(problem, given.answer)


def test_scores_are_counted():
    steps = []
    answers = measure_problems("tsumogiri", BOOK, steps.append)
    scores = score_by_theme(answers)
    assert len(steps) == len(answers) == scores["all"][1] == len(BOOK)
    assert scores["all"][0] == sum(right for theme, (right, _) in scores.items() if theme != "all")
    assert problems_as_data("tsumogiri", answers)["themes"]["all"]["problems"] == len(BOOK)
    assert 0 < scores["all"][0] < len(BOOK) / 2


def test_rules_know_more_than_discarding_what_is_drawn():
    rules = score_by_theme(measure_problems("rules", BOOK))["all"][0]
    assert rules > score_by_theme(measure_problems("tsumogiri", BOOK))["all"][0]


def test_bench_prints_scores_and_misses(capsys):
    assert main(["bench", "--problems", str(FOLDER), "--agent", "tsumogiri"]) == 0
    out = capsys.readouterr().out
    assert "problem book, tsumogiri" in out
    assert "not accepted" in out
    assert main(["bench", "--problems", str(FOLDER), "--agent", "tsumogiri", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert result["themes"]["all"]["problems"] == len(BOOK)


def test_bench_tells_of_a_missing_book(tmp_path, capsys):
    assert main(["bench", "--problems", str(tmp_path / "none")]) == 1
    err = capsys.readouterr().err
    assert "no problem book there" in err
    assert len(err.splitlines()) == 1
