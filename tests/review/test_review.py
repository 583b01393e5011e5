"""Reviews: what the agent is shown, what is summed up, the command."""

import json
from collections import Counter
from pathlib import Path

import pytest

from manue.__main__ import main
from manue.agents.base import Decision
from manue.agents.greedy import Greedy
from manue.agents.manue import Manue
from manue.commands.review_text import print_review
from manue.decision.report import Report
from manue.decision.settings import Settings
from manue.errors import UsageError
from manue.game.actions import Discard
from manue.game.events import Discarded, Draw, RiichiDeclared, RoundStart, seen_by
from manue.language.messages import messages
from manue.protocol.annotation import KEY
from manue.records.archive import entries_of, read_games, read_log
from manue.records.decisions import recorded_decisions
from manue.records.formats import read_game
from manue.review.annotate import annotate
from manue.review.decisions import ROW, mark_named
from manue.review.judge import review_game
from manue.review.page import page_data
from manue.review.summary import (
    DECISION_KINDS,
    MIN_DECISIONS,
    WEIGHTS,
    agrees,
    better_than,
    judged,
    kind_of,
    option_words,
    points_lost,
    round_label,
    strong_players,
    summarize,
    translated_option,
    weight_of,
)
from manue.tiles import parse_tiles
from tests.conftest import GAMES
from tests.review.annotated import annotate as make_annotated
from tests.review.conftest import data_in, make_page
from tests.review.made_up import made_up_game, write_game
from tests.review.test_page import masked


def test_the_rating_was_a_percentile_too_low():
    lost = strong_players()["lost"]
    assert lost[41] < lost[42] < lost[43]
    assert better_than(lost[42]) == pytest.approx(0.58)
    assert better_than((lost[42] + lost[43]) / 2) == pytest.approx(0.575)
    assert (better_than(lost[0]), better_than(0.0)) == (1.0, 1.0)
    assert 0.0 < better_than((lost[-2] + lost[-1]) / 2) < 0.01
    assert better_than(lost[-1] + 1) == 0.0


def game_of(log):
    return next(read_games(log))


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return write_game(tmp_path_factory.mktemp("review") / "game.mjson", made_up_game(seed=8))


def metas(entries, seat):
    found = [(entry.message.meta or [None] * 4)[seat] for entry in entries]
    for meta in filter(None, found):
        meta[KEY].pop("elapsed_ms", None)
    return found


def test_hidden_information_stays_hidden(plain, tmp_path):
    hidden = masked(tmp_path / "masked.mjson.gz", plain, 1)
    open_hands = annotate(game_of(plain), Greedy(), [1])
    assert metas(open_hands, 1) == metas(annotate(game_of(hidden), Greedy(), [1]), 1)
    assert any(metas(open_hands, 1))
    assert not any(metas(open_hands, 0))


def test_a_seat_sees_its_own_hand_and_draws_alone(plain):
    shown = [seen_by(entry.event, 2) for entry in game_of(plain) if entry.event is not None]
    starts = [event for event in shown if isinstance(event, RoundStart)]
    draws = [event for event in shown if isinstance(event, Draw)]
    assert starts
    for start in starts:
        assert [set(hand) == {None} for hand in start.hands] == [True, True, False, True]
    assert {draw.actor for draw in draws} == {0, 1, 2, 3}
    assert all((draw.tile is None) == (draw.actor != 2) for draw in draws)


def test_a_hidden_seat_cannot_be_reviewed(plain, tmp_path):
    hidden = masked(tmp_path / "masked.mjson.gz", plain, 1)
    with pytest.raises(UsageError, match="hides the hand of seat 0"):
        annotate(game_of(hidden), Greedy(), [0])


def test_annotations_of_other_seats_stay(made_up):
    before = game_of(made_up[0])
    after = annotate(before, Greedy(), [3])
    annotated = [(old, new) for old, new in zip(before, after, strict=True) if old.message.meta is not None]
    assert any(any(old.message.meta[:3]) for old, _ in annotated)
    assert all(new.message.meta[:3] == old.message.meta[:3] for old, new in annotated)


class Copycat:
    """Weighs every option by a fixed rule, so that losses are known."""

    name = "copycat"
    best = 700.0

    def decide(self, state, actions):
        reports = [
            Report(action, expected_points=self.best - 300.0 * number)
            for number, action in enumerate(actions)
        ]
        return Decision(actions[0], tuple(reports))


@pytest.fixture(scope="module")
def reviewed(plain):
    data = page_data(annotate(game_of(plain), Copycat(), [0, 2]), source="x", title="x")
    return data, summarize(data, [0, 2], "copycat")


def test_the_summary_adds_up(reviewed):
    data, review = reviewed
    for seat in review["seats"]:
        decisions = judged(data["decisions"][seat["seat"]])
        assert seat["decisions"] == len(decisions) == sum(kind["decisions"] for kind in seat["kinds"])
        assert seat["lost"] == pytest.approx(sum(kind["lost"] for kind in seat["kinds"]))
        assert seat["agreement"] == pytest.approx(sum(map(agrees, decisions)) / len(decisions))
        for entry, turn in zip(data["rounds"], seat["rounds"], strict=True):
            assert turn["result"] == entry["result"][seat["seat"]]
            assert turn["result"] == pytest.approx(turn["expected"] + turn["skill"] + turn["luck"])
        assert not any(str(turn["skill"]).startswith("-0.0") for turn in seat["rounds"])
        assert sum(-turn["skill"] for turn in seat["rounds"]) == pytest.approx(seat["lost"])
        costs = [choice["lost"] for choice in seat["costliest"]]
        assert costs == sorted((points_lost(d) for d in decisions if points_lost(d)), reverse=True)[:10]


def test_mistakes_are_the_losses_that_strong_players_seldom_have(reviewed):
    data, review = reviewed
    least = strong_players()["weights"]
    for seat in review["seats"]:
        losses = {d["at"]: points_lost(d) for d in judged(data["decisions"][seat["seat"]])}
        heavy = {at: lost for at, lost in losses.items() if lost >= least["inaccuracy"]}
        assert heavy == {mistake["at"]: mistake["lost"] for mistake in seat["mistakes"]}
        worst = sum(lost >= least["blunder"] for lost in heavy.values())
        bad = sum(lost >= least["mistake"] for lost in heavy.values())
        found = {"blunder": worst, "mistake": bad - worst, "inaccuracy": len(heavy) - bad}
        assert seat["weights"] == found == Counter(one["weight"] for one in seat["mistakes"])


def test_a_mistake_has_the_heaviest_weight_that_its_loss_reaches():
    least = strong_players()["weights"]
    assert [weight_of(least[weight]) for weight in WEIGHTS] == list(WEIGHTS)
    assert [weight_of(least[weight] - 0.1) for weight in WEIGHTS] == [*WEIGHTS[1:], None]


def test_the_page_opens_the_seat_asked_for_else_the_one_that_lost_most(reviewed):
    data, review = reviewed
    lost = {seat["seat"]: seat["lost"] for seat in review["seats"]}
    most, least = sorted(lost, key=lost.get, reverse=True)
    exchanged = {**data, "decisions": data["decisions"][2:] + data["decisions"][:2]}
    assert lost[most] > lost[least]
    for seats in ([0, 2], [2, 0]):
        assert summarize(data, seats, "copycat")["open"] == most
        assert summarize(exchanged, seats, "copycat")["open"] == least
        for page in (data, exchanged):
            assert [summarize(page, seats, "copycat", asked=seat)["open"] for seat in (0, 2)] == [0, 2]
    assert summarize(data, [], "copycat")["open"] is None


def test_a_mistake_is_marked_with_its_round_and_whether_a_riichi_was_declared_there(reviewed):
    data, _ = reviewed
    first, second, *_ = (entry["start"] for entry in data["rounds"])
    events = list(data["events"])
    events[first + 3] = {"type": "riichi"}
    other = option("discard", "2m")
    other["row"][ROW.index("gap")] = -1_000.0
    wrong = choice(option("discard", "1m"), other) | {"turn": 1}
    decisions = [wrong | {"at": at} for at in (first + 2, first + 3, second)]
    changed = {**data, "events": events, "decisions": [decisions, [], [], []]}
    mistakes = summarize(changed, [0], "x")["seats"][0]["mistakes"]
    marks = [(mistake["at"], mistake["round"], mistake["riichi"]) for mistake in mistakes]
    assert marks == [(first + 2, 0, False), (first + 3, 0, True), (second, 1, False)]


def test_the_costliest_decisions_say_where_they_were_and_what_was_best(reviewed):
    data, review = reviewed
    for seat in review["seats"]:
        by_event = {decision["at"]: decision for decision in judged(data["decisions"][seat["seat"]])}
        assert len({turn["label"] for turn in seat["rounds"]}) > 1
        for cost in seat["costliest"]:
            decision = by_event[cost["at"]]
            options, turn = decision["options"], f", turn {decision['turn']}"
            label = [turn["label"] for turn in seat["rounds"] if turn["at"] <= cost["at"]][-1]
            assert cost["where"] == label + turn
            assert cost["kind"] == kind_of(decision)
            assert cost["played"] == option_words(options[decision["played"]])
            assert cost["best"] == option_words(options[decision["chosen"]])


def test_losses_are_those_of_the_agents_numbers(reviewed):
    data, _ = reviewed
    lost = [points_lost(decision) for decision in judged(data["decisions"][0])]
    played = [d["options"][d["played"]]["row"][0] for d in judged(data["decisions"][0])]
    assert all(cost in (0, Copycat.best - points) for cost, points in zip(lost, played, strict=True))
    assert sum(lost) > 0


@pytest.mark.parametrize(
    ("gap", "habit", "lost"),
    [(-300.0, None, 300.0), (-300.0, -80.0, 220.0), (40.0, None, 0.0), (None, 0.0, None)],
)
def test_habit_is_no_loss_and_what_was_better_loses_nothing(gap, habit, lost):
    row = [{"gap": gap, "habit": habit}.get(name, 0.0) for name in ROW]
    options = [{"kind": "discard", "tiles": ["1m"]}, {"kind": "riichi", "tiles": [], "row": row}]
    assert points_lost({"chosen": 0, "played": 1, "options": options}) == lost


def test_unknown_losses_are_not_called_zero(reviewed):
    """An agent that takes a win without weighing it leaves the loss of passing unknown."""
    data, _ = reviewed
    unknown = {
        "options": [
            {"kind": "win", "tiles": ["1m"], "row": None},
            {"kind": "pass", "tiles": [], "row": [5.0] + [None] * (len(ROW) - 1)},
        ]
    }
    unknown |= {"chosen": 0, "played": 1, "at": 2, "turn": 1}
    changed = {**data, "decisions": [[unknown], [], [], []]}
    seat = summarize(changed, [0], "x")["seats"][0]
    assert seat["kinds"] == [{"kind": "win", "decisions": 1, "agreement": 0.0, "lost": None}]
    assert seat["lost"] is None
    changed = {**data, "decisions": [[unknown | {"played": 0}], [], [], []]}
    seat = summarize(changed, [0], "x")["seats"][0]
    assert seat["lost"] == 0.0
    assert seat["rounds"][0]["expected"] is seat["rounds"][0]["luck"] is None


@pytest.mark.parametrize(("ending", "known"), [("win", True), ("exhausted", True), ("draw", False)])
def test_a_round_that_ended_has_a_result_and_begins_with_the_worth_of_the_best_choice(
    reviewed, ending, known
):
    data, _ = reviewed
    first = data["rounds"][0]
    events = [{"type": ending if event["type"] == "exhausted" else event["type"]} for event in data["events"]]
    best = option("discard", "1m")
    best["row"][ROW.index("expPt")] = 500.0
    decision = choice(best, option("discard", "2m")) | {"at": first["start"] + 1, "turn": 1}
    changed = {**data, "events": events, "decisions": [[decision], [], [], []]}
    found = summarize(changed, [0], "x")["seats"][0]["rounds"][0]
    assert (found["expected"], str(found["skill"])) == (500.0, "0.0")
    assert found["result"] == (first["result"][0] if known else None)
    assert found["luck"] == (first["result"][0] - 500.0 if known else None)


def test_an_agent_that_estimates_nothing_says_nothing_of_points(reviewed):
    data, _ = reviewed
    options = [{"kind": "discard", "tiles": [tile], "row": None} for tile in ("1m", "2m")]
    alike = {"options": options, "chosen": 0, "played": 0, "at": 2, "turn": 1}
    seat = summarize({**data, "decisions": [[alike], [], [], []]}, [0], "x")["seats"][0]
    assert (seat["agreement"], seat["lost"], seat["perDecision"]) == (1.0, None, None)


def option(kind, *tiles, then=None):
    found = {"kind": kind, "tiles": list(tiles), "row": [0.0] * len(ROW)}
    return found if then is None else found | {"then": then}


def choice(*options, best=0, played=1):
    return {"chosen": best, "played": played, "options": list(options)}


def judged_of(*decisions):
    mark_named(decisions)
    return judged(decisions)


@pytest.mark.parametrize("kind", ["riichi", "chi", "pon"])
def test_a_wrong_discard_right_after_a_riichi_or_call_counted_twice(kind):
    first = choice(option(kind, then="1m"), option(kind, then="2m"))
    discard = choice(option("discard", "1m"), option("discard", "2m"))
    later = choice(option("discard", "1m"), option("discard", "2m"))
    assert judged_of(first, discard, later) == [first, later]


def test_a_choice_is_judged_where_both_sides_of_it_are_known():
    two = [option("discard", "1m"), option("discard", "2m")]
    sides = [(0, 1), (None, 1), (0, None), (None, None)]
    decisions = [choice(*two, best=best, played=played) for best, played in sides]
    assert judged_of(*decisions, choice(two[0], played=0)) == decisions[:1]


def test_a_discard_that_the_call_before_did_not_name_is_judged():
    discards = [option("discard", tile) for tile in ("1m", "2m", "3m")]
    calls = [option("pon", then="1m"), option("pon", then="2m"), option("pon")]
    other = [choice(*calls), choice(*discards, played=2)]
    without = [choice(*calls, played=2), choice(*discards)]
    unjudged = [choice(*calls, best=None), choice(*discards)]
    assert judged_of(*other) == other
    assert judged_of(*without) == without
    assert judged_of(*unjudged) == unjudged[1:]


def test_options_are_described_with_their_tiles_and_the_discard_that_follows():
    assert option_words(option("pon", "E", "E", "E", then="1m")) == "pon E E E, then 1m"
    assert option_words(option("discard", "5mr")) == "discard 5mr"
    assert option_words(option("nine_terminals")) == "nine terminals"


def test_rounds_are_named_with_their_honba():
    entry = {"wind": "S", "number": 3, "honba": 0}
    assert round_label(entry) == "South 3"
    assert round_label(entry | {"honba": 2}) == "South 3, honba 2"


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["discard", "discard"], "discard"),
        (["discard", "riichi", "ankan"], "riichi"),
        (["pon", "pass"], "call"),
        (["daiminkan", "pass"], "call"),
        (["discard", "kakan"], "kan"),
        (["ankan", "discard"], "kan"),
        (["win", "riichi", "discard"], "win"),
        (["win", "pass", "pon"], "win"),
        (["nine_terminals", "discard"], "abort"),
    ],
)
def test_kinds_of_decision(kinds, expected):
    assert kind_of({"options": [{"kind": kind} for kind in kinds]}) == expected
    assert expected in DECISION_KINDS


def test_the_command_writes_page_log_and_json(plain, tmp_path, capsys):
    page, log = tmp_path / "r.html", tmp_path / "r.mjson.gz"
    arguments = ["review", str(plain), "--agent", "greedy", "--seat", "1", "-o", str(page), "--log", str(log)]
    assert main([*arguments, "--json"]) == 0
    review = json.loads(capsys.readouterr().out)
    assert review["seats"][0]["name"] == "Bo"
    assert page.stat().st_size > 100_000
    assert sum(entry.message.meta is not None for entry in read_log(log)) >= review["seats"][0]["decisions"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "agreement over" in said
    assert "lost" not in said  # it was "- points lost", above columns of dashes


def test_a_blank_line_stands_between_seats(plain, capsys):
    assert main(["review", str(plain), "--agent", "greedy"]) == 0
    parts = capsys.readouterr().out.split("\n\n")
    assert [part.split()[:2] for part in parts] == [["seat", str(seat)] for seat in range(4)]


@pytest.mark.parametrize("seat", ["4", "x", ""])
def test_an_impossible_seat_is_one_line(plain, capsys, seat):
    assert main(["review", str(plain), "--agent", "greedy", "--seat", seat]) == 2
    assert "0 to 3, or a name" in capsys.readouterr().err


def test_the_summary_links_to_its_moments(show, reviewed, tmp_path, plain):
    from manue.review.page import page_html

    data, review = reviewed
    path = tmp_path / "review.html"
    path.write_text(page_html(data | {"review": review}), "utf-8")
    shown = show(path)
    page = shown.page
    choice = review["seats"][0]["costliest"][0]
    page.uncheck("#by-mine")
    page.click(f"#mistakes li[data-at='{choice['at']}'] a")
    page.wait_for_function("at => document.getElementById('slider').value === String(at)", arg=choice["at"])
    assert page.locator(".badge.played").count() == 1


def test_a_page_without_review_shows_none(show, plain, tmp_path):
    assert not show(make_page(plain, tmp_path / "page.html")).page.is_visible("#review")


def test_a_written_review_tells_the_details(plain, tmp_path, capsys):
    log, page = tmp_path / "reviewed.mjson", tmp_path / "page.html"
    command = ["review", str(plain), "--seat", "1", "--agent", "manue:trials=50"]
    assert main([*command, "--log", str(log), "-o", str(page)]) == 0
    assert "judged by manue:trials=50" in capsys.readouterr().out
    found = [meta[KEY] for meta in filter(None, metas(game_of(log), 1))]
    assert all("fold" in decision for decision in found)
    first = [decision["candidates"][0] for decision in found]
    assert any("explain" in candidate for candidate in first)
    assert any("goals" in candidate and "outcome" in candidate for candidate in first)
    assert any(decision["fold"] for decision in data_in(page)["decisions"][1])


@pytest.mark.parametrize(
    ("spec", "rated"),
    [
        ("manue:mc_draws=10", True),
        ("manue:mc_draws=10,policy=points", False),
        ("manue:mc_draws=10,uma=club", False),
        ("manue@first:mc_draws=10", False),
    ],
)
def test_losses_by_other_values_were_rated_beside_those_of_manue(plain, tmp_path, capsys, spec, rated):
    page = tmp_path / "page.html"
    assert main(["review", str(plain), "--seat", "1", "--agent", spec, "-o", str(page)]) == 0
    assert data_in(page)["review"]["rated"] is rated
    said = capsys.readouterr().out
    assert ("strong players' games" in said) is rated
    assert "Inaccuracies" in said


def beginning_reviewed(plain, folder, limit):
    """Return the data of a page on seat 2 in the first events of a game."""
    log = folder / "beginning.mjson"
    make_annotated(plain, log, seats=(2,), limit=limit)
    data = page_data(game_of(log), source="log", title="log")
    data["review"] = summarize(data, [2], "manue")
    return data


def test_a_few_decisions_were_rated_as_a_game(plain, tmp_path, capsys):
    data = beginning_reviewed(plain, tmp_path, limit=12)
    seat = data["review"]["seats"][0]
    assert 0 < seat["decisions"] < MIN_DECISIONS
    assert seat["perDecision"] is not None
    assert seat["better"] is None
    print_review(data, messages("en"))
    said = capsys.readouterr().out
    assert "strong players" not in said
    assert "Inaccuracies" in said


@pytest.mark.parametrize("unknown", [0, 1])
@pytest.mark.parametrize("known", [MIN_DECISIONS - 1, MIN_DECISIONS])
def test_a_rating_needs_enough_losses_that_are_known(reviewed, known, unknown):
    data, _ = reviewed
    other, unweighed = option("discard", "2m"), option("discard", "3m") | {"row": None}
    other["row"][ROW.index("gap")] = -30.0
    wrong = choice(option("discard", "1m"), other) | {"at": 2, "turn": 1}
    decisions = [wrong] * known + [wrong | {"options": [wrong["options"][0], unweighed]}] * unknown
    seat = summarize({**data, "decisions": [decisions, [], [], []]}, [0], "x")["seats"][0]
    assert (seat["decisions"], seat["perDecision"]) == (known + unknown, 30.0)
    share = pytest.approx(better_than(30.0), abs=0.0005)
    assert seat["better"] == (share if known == MIN_DECISIONS else None)


def test_a_round_that_breaks_off_had_a_result_and_luck(plain, tmp_path, capsys):
    data = beginning_reviewed(plain, tmp_path, limit=40)
    (turn,) = data["review"]["seats"][0]["rounds"]
    assert (turn["result"], turn["luck"]) == (None, None)
    assert isinstance(turn["expected"], float)
    assert turn["skill"] < 0
    print_review(data, messages("en"))
    assert capsys.readouterr().out.splitlines()[-2].split() == ["round", "expected", "skill"]


def test_what_playing_on_said_is_summed_up(plain, tmp_path, capsys):
    log = tmp_path / "played.mjson"
    make_annotated(plain, log, seats=(2,), limit=60)
    data = page_data(game_of(log), source="log", title="log")
    decisions = judged(data["decisions"][2])
    asked = [one for one in decisions if len(one["options"]) > 1]
    first, second, *_ = asked
    first["options"][1]["rollout"] = [4000, 300, 95]  # better than the best
    del second["options"][2:]  # one other, which is worse
    data["review"] = summarize(data, [2], "manue")
    found = data["review"]["seats"][0]["rollouts"]
    assert found["worlds"] == 4000
    assert found["better"] == 1
    assert found["confirmed"] == sum(len(one["options"]) == 2 for one in asked) > 0
    assert found["better"] + found["confirmed"] + found["unclear"] == len(found["decisions"]) == len(asked)
    one = found["decisions"][0]
    assert (one["says"], one["gain"], one["error"], one["option"]) == ("better", 300, 95, 1)
    print_review(data, messages("en"))
    said = capsys.readouterr().out
    assert f"{len(asked)} close decisions played on in 4,000 worlds each: another option was better" in said
    assert "+300 ± 95" in said
    assert said.count(" ± ") == 1
    print_review(data, messages("ja"))
    assert "続きを打った局面" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("gains", "other", "says"),
    [
        ([(100, 200), (50, 20)], 2, "better"),  # the smaller gain is the surer one
        ([(-100, 20), (-70, 40)], 2, "confirmed"),
        ([(-100, 20), (-30, 40)], 2, "unclear"),
        ([(10, 20), (-100, 20)], 1, "unclear"),
    ],
)
def test_an_option_is_better_if_it_surely_gains_and_the_best_confirmed_if_all_others_surely_lose(
    reviewed, gains, other, says
):
    data, _ = reviewed
    others = [option("discard", "2m"), option("discard", "3m"), option("discard", "4m")]
    for one, (gain, error) in zip(others, gains, strict=False):
        one["rollout"] = [1_000, gain, error]
    best = option("discard", "1m") | {"rollout": [1_000, 0, 0]}
    decision = choice(best, *others) | {"at": data["rounds"][1]["start"] + 1, "turn": 1}
    found = summarize({**data, "decisions": [[decision], [], [], []]}, [0], "x")["seats"][0]["rollouts"]
    (one,) = found["decisions"]
    assert (one["option"], one["says"], one["best"]) == (other, says, "discard 1m")
    assert one["other"] == option_words(decision["options"][other])
    assert (one["gain"], one["error"]) == gains[other - 1]
    assert one["where"] == round_label(data["rounds"][1]) + ", turn 1"
    assert {word: found[word] for word in ("better", "confirmed", "unclear") if found[word]} == {says: 1}


def test_a_review_with_rollouts(plain, capsys):
    assert main(["review", str(plain), "--agent", "greedy", "--rollouts", "16"]) == 2
    assert "rollouts need the values of manue: greedy has none" in capsys.readouterr().err
    arguments = ["review", str(plain), "--agent", "manue:mc_draws=20", "--seat", "1", "--json"]
    assert main(arguments) == 0
    without = json.loads(capsys.readouterr().out)["seats"][0]
    assert main([*arguments, "--rollouts", "2"]) == 0
    found = json.loads(capsys.readouterr().out)["seats"][0]
    assert without.pop("rollouts") is None
    assert found.pop("rollouts")["worlds"] == 2
    assert found == without


def with_values_of_mortal(entries):
    """Return a game as Mortal logs it: values beside every discard of seat 1, best for what was discarded."""
    from manue.protocol.mortal import label_of

    for entry in entries:
        fields = entry.fields()
        fields.pop("meta", None)
        if fields["type"] == "dahai" and fields["actor"] == 1:
            label = label_of(Discard(fields["pai"]))
            fields["meta"] = {"mask_bits": 1 << label | 1 << 45, "q_values": [1.25, -0.5], "is_greedy": True}
        yield fields


def test_the_values_of_mortal_stand_beside_ours(plain, tmp_path, capsys):
    log = write_game(tmp_path / "mortal.mjson", list(with_values_of_mortal(game_of(plain))))
    assert main(["review", str(log), "--agent", "greedy", "--json", "--seat", "1"]) == 0
    (seat,) = json.loads(capsys.readouterr().out)["seats"]
    assert seat["mortal"]["decisions"] > 10
    assert 0 < seat["mortal"]["agreement"] < 1
    data = page_data(game_of(log), source="log", title="log")
    beside = [decision for decision in data["decisions"][1] if "mortal" in decision]
    assert len(beside) >= seat["mortal"]["decisions"]
    for decision in beside:
        values = [value for value in decision["mortal"] if value is not None]
        assert max(values) == 1.25
        played = decision["options"][decision["played"]]
        assert decision["mortal"][decision["played"]] == 1.25 or played["kind"] == "riichi"
    assert not any("mortal" in decision for decision in data["decisions"][0])
    assert main(["review", str(log), "--agent", "greedy", "--seat", "1"]) == 0
    assert "Mortal's choice, by its values in the log, is the best one in" in capsys.readouterr().out


def test_meta_that_only_looks_like_mortals_has_no_values():
    from manue.protocol.mortal import values_in

    assert values_in({"mask_bits": 3, "q_values": [1, 2.5]}) == {0: 1.0, 1: 2.5}
    assert values_in(None) == values_in([]) == values_in({"mask_bits": 3}) == {}
    assert values_in({"mask_bits": 3, "q_values": [1]}) == values_in({"mask_bits": -1, "q_values": []}) == {}
    assert values_in({"mask_bits": 1, "q_values": [float("nan")]}) == {}


def test_tiles_are_named_as_the_language_names_them():
    """Readers of Japanese and Chinese know the honors by their characters, not by Mjai's letters."""
    pon = {"kind": "pon", "tiles": ["E", "E", "E"], "then": "5pr"}
    said = [translated_option(pon, messages(language)) for language in ("en", "ja", "zh-Hans")]
    assert said == ["Pon E E E → 5pr", "ポン 東東東 → 赤5p", "碰 东东东 → 赤5p"]


@pytest.mark.parametrize("log", GAMES, ids=lambda log: log.name)
def test_what_was_played_is_unknown_where_another_seat_came_first(log):
    """Regression: a call that another seat's call or win came before counted as a pass."""
    game = read_game(log)
    data = page_data(game, source=log.name, title=log.name)
    at_frame = [entry for entry in game if entry.event is not None]
    events = [entry.event for entry in at_frame]
    played = [[decision["played"] for decision in by_seat] for by_seat in data["decisions"]]
    chosen = [[], [], [], []]
    for made in recorded_decisions(events):
        chosen[made.state.seat].append(made.chosen)
    for ours, theirs in zip(played, chosen, strict=True):
        assert [at is None for at in ours] == [choice is None for choice in theirs]


@pytest.mark.parametrize(("tile", "then"), [("5p", "5p"), ("5pr", "5p"), ("9p", "9p")])
def test_a_riichi_with_a_red_five_passed_for_the_best_riichi(tile, then):
    """It has no option of its own beside the plain five, and the first riichi was taken for it."""
    unseen = (None,) * 13
    hand = tuple(parse_tiles("234m567m345s5679p"))
    events = [
        RoundStart("E", 1, 0, 0, 0, "1m", (hand, unseen, unseen, unseen), (25_000,) * 4),
        Draw(0, "5pr"),
        RiichiDeclared(0),
        Discarded(0, tile, from_draw=tile == "5pr"),
    ]
    agent = Manue(Settings(mc_draws=20))
    _, data = review_game(entries_of(events), Path("x.mjson"), agent, "manue", [0])
    riichi = data["decisions"][0][0]
    played = riichi["options"][riichi["played"]]
    assert (played["kind"], played["then"]) == ("riichi", then)


def test_decisions_of_unknown_loss_counted_as_losing_nothing(plain, tmp_path):
    log = tmp_path / "game.mjson"
    make_annotated(plain, log, seats=(2,))
    data = page_data(game_of(log), source="log", title="log")
    before = summarize(data, [2], "manue")["seats"][0]
    decisions = judged(data["decisions"][2])
    unknown = [decision for decision in decisions if agrees(decision)][:10]
    for decision in unknown:
        decision["played"] = len(decision["options"])
        decision["options"].append({**decision["options"][0], "kind": "none", "tiles": [], "row": None})
    after = summarize(data, [2], "manue")["seats"][0]
    assert (after["decisions"], after["lost"]) == (before["decisions"], before["lost"])
    known = len(decisions) - len(unknown)
    assert after["perDecision"] == pytest.approx(before["lost"] / known, abs=0.051)
