"""What options were said to be worth beside what followed: sum rules, results of the record, differences."""

import shutil
from collections import Counter
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from manue.__main__ import main
from manue.decision.declarations import declaration_of
from manue.decision.evaluation import evaluate_options
from manue.decision.settings import Settings, position_seed
from manue.errors import UsageError
from manue.features.call_policy import DECLARATIONS
from manue.features.scene import SCENE
from manue.game.actions import Call, Discard, NineTerminals, Pass, Win
from manue.game.events import Discarded, RiichiAccepted, RiichiDeclared, RoundStart, Won
from manue.models.files import models_dir, read_model, write_model
from manue.models.model_set import Models
from manue.records.decisions import recorded_decisions
from manue.records.results import RoundResult, final_places, round_results
from manue.training.dataset import TRUTH
from manue.validation.choices import by_declaration, difference, differences, groups_of
from manue.validation.defence import FOLDING_ROWS, folded
from manue.validation.kept_games import KeptGames
from manue.validation.plots import plot_values
from manue.validation.runs import values
from manue.validation.values import (
    CHOICES,
    DRAW,
    ENDING_GROUPS,
    LATER,
    NOW,
    OPTION_KINDS,
    RON,
    TSUMO,
    VALUES,
    WIN,
    ValuesOfGames,
    _ending,
    _facts,
    _questions,
    join_values,
    predicted_parts,
    values_of_log,
)
from manue.validation.values_report import (
    LARGE_LEAD,
    _choices,
    measures_of,
    slices_of_decisions,
    values_tables,
)
from tests.conftest import events_of, game
from tests.report_tables import rows_of_tables

SETTINGS = Settings(mc_draws=16)


@pytest.fixture(scope="module")
def log():
    return game("east-rules")


@pytest.fixture(scope="module")
def found(log):
    return values_of_log(log, SETTINGS)


def test_the_chances_of_all_endings_add_up_to_one(found):
    assert found.values["probs"].sum(1) == pytest.approx(np.ones(len(found.values)))
    assert (found.values["probs"] >= 0).all()


def test_the_parts_add_up_to_the_expected_points(log):
    models, checked = Models.load(), 0
    for made in islice(recorded_decisions(events_of(log)), 40):
        seed = position_seed(made.state, 0)
        for one in evaluate_options(made.state, made.actions, seed, SETTINGS, models).valued:
            if one.endings:
                chances, points = predicted_parts(one)
                assert chances.sum() == pytest.approx(1.0)
                assert points.sum() == pytest.approx(one.report.expected_points)
                checked += 1
    assert checked > 100


def test_what_followed_adds_up_to_the_change_of_the_score(found, log):
    events = events_of(log)
    results = round_results(events)
    starts = [event.scores for event in events if isinstance(event, RoundStart)]
    rows, first = found.values, set()
    for row in rows:
        number, seat = int(row["round"]), int(row["seat"])
        if (number, seat) not in first:
            first.add((number, seat))
            assert row["points_then"].sum() == results[number].scores[seat] - starts[number][seat]
    assert len(first) > 10


def test_every_decision_of_a_round_has_the_seat_s_own_ending(found, log):
    results = round_results(events_of(log))
    for row in found.values:
        result, seat = results[row["round"]], int(row["seat"])
        ending = int(row["ending"])
        assert (ending == WIN) == (seat in result.winners)
        assert (ending == DRAW) == (not result.winners)
        assert (ending in {NOW, LATER}) == (result.payer == seat)
        assert (ending == TSUMO) == (ending not in {WIN, DRAW} and result.payer is None)


def test_only_the_discard_that_was_won_on_is_a_deal_in_now(found, log):
    paid = sum(isinstance(event, Won) and event.source != event.actor for event in events_of(log))
    rows = found.values
    now = rows[
        (rows["ending"] == NOW)
        & np.isin(rows["kind"], [OPTION_KINDS.index("discard"), OPTION_KINDS.index("riichi")])
    ]
    assert 0 < len(now) <= paid
    for row in now:
        same = rows[(rows["round"] == row["round"]) & (rows["seat"] == row["seat"])]
        assert row["turn"] == same["turn"].max()


def ending_of_a_deal_in(kind, turn, fatal_discard):
    """The ending, as seen from a decision, of a round in which its seat deals in."""
    row, nobody = np.zeros(1, VALUES), (False,) * 4
    row["kind"], row["turn"] = OPTION_KINDS.index(kind), turn
    scores, winners = (33_000, 17_000, 25_000, 25_000), frozenset({0})
    result = RoundResult(scores, winners, 0, 1, fatal_discard, exhausted=False, tenpai=nobody, sticks=nobody)
    return _ending(row, result, 1)


@pytest.mark.parametrize("kind", OPTION_KINDS)
@pytest.mark.parametrize(("turn", "now"), [(4, False), (5, True)])
def test_whatever_ends_with_the_discard_that_was_won_on_is_a_deal_in_now(kind, turn, now):
    """A kan risks the discard after it in the prediction, too; what followed once counted that as later."""
    assert ending_of_a_deal_in(kind, turn, 5) == (NOW if now and kind != "pass" else LATER)


@pytest.mark.parametrize("kind", OPTION_KINDS)
def test_a_robbed_kan_is_a_deal_in_now(kind):
    assert ending_of_a_deal_in(kind, 5, 0) == (NOW if kind == "kakan" else LATER)


def test_what_a_decision_risks_now_is_what_may_come_true_now():
    """Neither side knows a deal-in now where the other rules it out."""
    seen = set()
    for name in ("robbed-kan", "four-kans"):
        rows = values_of_log(game(name), SETTINGS).values
        risky = np.unique(rows["kind"][rows["probs"][:, NOW] > 0])
        assert OPTION_KINDS.index("pass") not in risky
        assert set(rows["kind"][rows["ending"] == NOW]) <= set(risky)
        seen |= set(rows["kind"][rows["ending"] == NOW])
    assert OPTION_KINDS.index("kakan") in seen


def test_a_stick_is_lost_where_a_riichi_neither_wins_nor_deals_in_at_once(found):
    declared = found.values[found.values["kind"] == OPTION_KINDS.index("riichi")]
    kept = declared["probs"][:, [WIN, NOW]].sum(1)
    assert len(declared)
    assert declared["points"][:, -1] == pytest.approx(-1_000 * (1 - kept))


def test_every_declaration_that_was_possible_is_a_choice_unless_another_was_made(found, log):
    expected = Counter()
    for made in recorded_decisions(events_of(log)):
        declares = isinstance(made.state.last_event, RiichiDeclared)
        wins = any(isinstance(action, Win) for action in made.actions)
        if made.chosen is None or declares or wins or isinstance(made.chosen, NineTerminals):
            continue
        did = declaration_of(made.chosen)
        for name in {declaration_of(action) for action in made.actions} - {""}:
            if did in {"", name}:
                expected[name, did == name] += 1
    rows = found.choices
    counted = Counter(
        (DECLARATIONS[declaration], bool(taken)) for declaration, taken in rows[["declaration", "taken"]]
    )
    assert counted == expected
    assert {taken for _, taken in expected} == {False, True}


def test_a_choice_holds_what_was_predicted_for_the_side_that_was_taken(found):
    """Of what was done no more was expected than of the best way to do it."""
    rows = found.choices
    side = np.where(rows["taken"], rows["points"][:, 0], rows["points"][:, 1])
    assert (rows["points"][:, 2] <= side + 1e-6).all()
    assert np.isclose(rows["points"][:, 2], side).mean() > 0.4
    wins = np.where(rows["taken"], rows["win"][:, 0], rows["win"][:, 1])
    same = np.isclose(rows["points"][:, 2], side)
    assert rows["win"][same, 2] == pytest.approx(wins[same])


def test_the_last_round_of_a_hanchan_is_south_4():
    events = events_of(game("four-kans"))
    starts = [event for event in events if isinstance(event, RoundStart)]
    late = [(start.round_wind, start.number) == ("S", 4) for start in starts]
    assert 0 < sum(late) < len(late)
    found = {
        (made.round, bool(_facts(made)["last_round"][0]))
        for made in recorded_decisions(events)
        if isinstance(made.chosen, Discard)
    }
    assert found == set(enumerate(late))


def test_of_two_calls_only_the_one_that_is_rated_highest_is_ours():
    """Each is compared by its best discard with the pass that leaves both."""
    chi, pon = Call("chi", ("1m", "2m"), "3m", 3), Call("pon", ("3m", "3m"), "3m", 3)
    rated = [(chi, 400, 2.6), (chi, 900, 2.3), (pon, 1_000, 2.2), (pon, 100, 2.7), (Pass(), 500, 2.5)]
    valued = [
        SimpleNamespace(
            report=SimpleNamespace(
                action=action,
                expected_points=points,
                expected_rank=place,
                overall_win_prob=points / 2_000,
                played_prob=0.25,
            )
        )
        for action, points, place in rated
    ]
    found = SimpleNamespace(valued=valued, options=valued)
    rows = np.concatenate(list(_questions(found, SimpleNamespace(chosen=Pass()), valued[2])))
    assert [DECLARATIONS[number] for number in rows["declaration"]] == ["chi", "pon"]
    assert rows["ours"].tolist() == [False, True]
    assert not rows["taken"].any()
    assert rows["points"][:, :2].tolist() == [[900, 500], [1_000, 500]]
    assert rows["place"][:, :2].tolist() == [[2.3, 2.5], [2.2, 2.5]]
    assert rows["win"][:, :2].tolist() == [[0.45, 0.25], [0.5, 0.25]]
    (after,) = _questions(found, SimpleNamespace(chosen=chi), valued[2])  # the pon was not left for a pass
    assert (DECLARATIONS[after["declaration"][0]], after["taken"][0], after["ours"][0]) == (
        "chi",
        True,
        False,
    )


def test_sticks_are_a_part_of_their_own(found, log):
    events = events_of(log)
    paid = sum(isinstance(event, RiichiAccepted) for event in events)
    rows = found.values
    declared = rows[rows["kind"] == OPTION_KINDS.index("riichi")]
    assert 0 < len(declared) <= sum(isinstance(event, RiichiDeclared) for event in events)
    assert (declared["points"][:, -1] < 0).all()
    assert set(declared["points_then"][:, -1]) <= {0.0, -1000.0}
    seats = {(int(row["round"]), int(row["seat"])) for row in rows[rows["points_then"][:, -1] < 0]}
    assert len(seats) <= paid
    after = rows[rows["riichi"] & (rows["kind"] != OPTION_KINDS.index("riichi"))]
    assert not after["points_then"][:, -1].any()


def test_places_are_those_reached(found, log):
    places = final_places(events_of(log))
    assert sorted(places) == [1, 2, 3, 4]
    assert all(row["place_then"] == places[row["seat"]] for row in found.values)


def test_facts_of_the_table_are_those_of_the_record(found, log):
    """Points beside those of the others and the dealer, from the starts of the rounds."""
    rows = found.values
    starts = [event for event in events_of(log) if isinstance(event, RoundStart)]
    for number, start in enumerate(starts):
        first = rows[(rows["round"] == number) & (rows["turn"] == 1) & ~rows["threat"]]
        assert len(first)
        for row in first:
            others = [points for seat, points in enumerate(start.scores) if seat != row["seat"]]
            own = start.scores[row["seat"]]
            assert row["lead"] == own - max(others)
            assert row["rank"] == sum(points > own for points in others)
            assert row["dealer"] == (row["seat"] == start.dealer)


def test_a_hand_in_riichi_is_tenpai_at_every_draw(found):
    rows = found.values
    assert (rows["tenpai"] <= rows["probs"][:, DRAW] + 1e-9).all()
    riichi = rows[rows["riichi"]]
    assert len(riichi)
    assert riichi["tenpai"] == pytest.approx(riichi["probs"][:, DRAW])


def test_a_call_is_rated_with_the_discard_that_followed(found, log):
    made = [one.chosen for one in recorded_decisions(events_of(log)) if one.chosen is not None]
    discards = sum(isinstance(chosen, Discard) for chosen in made)
    kinds = np.bincount(found.values["kind"], minlength=len(OPTION_KINDS))
    declared = sum(isinstance(event, RiichiDeclared) for event in events_of(log))
    assert kinds[OPTION_KINDS.index("discard")] <= discards - declared
    assert kinds[OPTION_KINDS.index("pass")] > 0
    assert len(found.folds) == sum(isinstance(event, Discarded) for event in events_of(log))


def choices(size, *, seed=0):
    """Decisions whose true difference is known: strong players take what is better for reasons unseen."""
    rng = np.random.default_rng(seed)
    rows = np.zeros(size, CHOICES)
    rows["game"] = np.arange(size) % 50
    prob = rng.uniform(0.1, 0.9, size)
    rows["prob"], rows["taken"] = prob, rng.random(size) < prob
    take, leave = rng.normal(0, 500, size), rng.normal(0, 500, size)
    rows["points"][:, 0], rows["points"][:, 1] = take, leave
    rows["points"][:, 2] = np.where(rows["taken"], take, leave)
    # leaving is worth 300 more than predicted
    rows["points_then"] = rows["points"][:, 2] + 300 * ~rows["taken"] + rng.normal(0, 2000, size)
    return rows


def test_the_difference_is_found_where_the_prediction_is_wrong():
    found = difference(choices(40_000), "points")
    assert found.observed - found.predicted == pytest.approx(-300, abs=4 * found.error)
    assert found.error < 60
    assert found.cut == 0.0


def test_the_difference_of_two_decisions_by_hand():
    """A riichi was taken by an even chance, a pon was left, as one in four does."""
    rows = np.zeros(2, CHOICES)
    rows["game"], rows["taken"], rows["prob"] = [0, 1], [True, False], [0.5, 0.75]
    rows["declaration"] = [DECLARATIONS.index("riichi"), DECLARATIONS.index("pon")]
    rows["points"], rows["points_then"] = [[1000, 400, 900], [200, 500, 500]], [1300, 0]
    rows["win"], rows["won"] = [[0.5, 0.3, 0.5], [0.1, 0.2, 0.2]], [True, False]
    observed = [600 + 400 / 0.5, -300 + 500 / 0.25]
    assert differences(rows, "points") == pytest.approx(observed)
    assert differences(rows, "win") == pytest.approx([0.2 + 0.5 / 0.5, -0.1 + 0.2 / 0.25])
    found = difference(rows, "points")
    assert (found.count, found.taken, found.predicted, found.observed) == (2, 1, 150, 1550)
    assert found.error == pytest.approx(600)  # of 800 and 2000
    assert [(name, len(part)) for name, part in by_declaration(rows)] == [("riichi", 1), ("pon", 1)]


def test_the_difference_where_we_would_take_it_counts_both_who_took_it_and_who_did_not():
    """Regression: of those who left it alone the estimate is too large by one over the share who did."""
    rows = choices(40_000)
    rows["ours"] = True
    lines = [line for line in _choices(rows) if line.startswith(("| all", "| where we would take it"))]
    assert len(lines) >= 2
    assert lines[0].split("|")[2:] == lines[1].split("|")[2:]


def test_cut_weights_are_shown():
    rows = choices(4_000)
    rows["prob"] = np.where(rows["taken"], 0.01, 0.99)
    assert difference(rows, "points").cut == pytest.approx(0.8)


def test_groups_are_ordered_by_the_predicted_difference():
    means = [difference(part, "points").predicted for part in groups_of(choices(5_000), "points")]
    assert len(means) == 10
    assert means == sorted(means)
    for size, groups in ((49, 1), (99, 1), (100, 2), (499, 9), (500, 10)):
        assert len(list(groups_of(choices(size), "points"))) == groups


def test_the_tables_and_pictures_show_every_part(found, tmp_path, monkeypatch):
    monkeypatch.setattr("manue.validation.values_report.MIN_SLICE", 1)
    text = values_tables(found, SETTINGS)
    for name in (*ENDING_GROUPS, "kind: riichi", "declined: chi", "tenpai, no riichi", "earlier rounds"):
        assert name in text
    for name in ("expPt", "final place"):
        assert f"## {name}" in text
    assert "| part | predicted | observed |" in text
    plot_values(found, tmp_path / "values.png")
    assert (tmp_path / "values.png").read_bytes().startswith(b"\x89PNG")


def test_the_parts_of_the_value_by_hand():
    """A win of 8,000 was expected every other time; 40 of 100 won, 9,000 each."""
    rows = np.zeros(100, VALUES)
    rows["game"], rows["ending"] = np.arange(100), np.where(np.arange(100) < 40, WIN, DRAW)
    rows["probs"][:, WIN] = rows["probs"][:, DRAW] = 0.5
    rows["points"][:, WIN], rows["points_then"][:40, WIN] = 4_000, 9_000
    rows["points"][:, -1], rows["points_then"][:, -1] = -100, -50
    text = values_tables(ValuesOfGames(rows, games=100), SETTINGS)
    # too many wins by a tenth were foreseen, of 8,000 each; those of 40 in 100 were 1,000 too small
    by_chance, by_size = "+800", "-400"
    assert rows_of_tables(text, "own win") == [["4000", "3600", "+400", by_chance, by_size, "-50"]]
    assert rows_of_tables(text, "sticks lost") == [["-100", "-50", "-50", "-", "-", "+400"]]
    before, *_, parts = rows_of_tables(text, "expPt")
    assert parts == ["3900", "3550", "+350", "", "", ""]
    assert before[:4] == ["100", "3900", "3550", "+350"]


def test_sizes_are_those_foreseen_where_the_ending_came(monkeypatch):
    monkeypatch.setattr("manue.validation.values_report.MIN_SLICE", 1)
    rows = np.zeros(4, VALUES)
    rows["game"], rows["ending"] = np.arange(4), [WIN, WIN, TSUMO, LATER]
    rows["probs"], rows["points"][:, WIN] = 0.25, [500, 1_500, 50_000, 50_000]
    rows["points_then"][:, WIN] = [1_000, 8_000, 0, 0]
    (cells, *_) = rows_of_tables(values_tables(ValuesOfGames(rows), SETTINGS), "points: own win")
    assert cells[:4] == ["2", "4000", "4500", "-500"]  # 2,000 and 6,000, were they to come


def test_who_makes_a_declaration_and_what_folding_pays(monkeypatch):
    monkeypatch.setattr("manue.validation.values_report.MIN_SLICE", 1)
    rows = np.zeros(6, CHOICES)
    rows["declaration"], rows["prob"] = DECLARATIONS.index("pon"), 0.5
    rows["taken"], rows["ours"] = [1, 1, 0, 0, 0, 0], [1, 0, 1, 1, 0, 0]
    folds = np.zeros(4, FOLDING_ROWS)
    folds["game"], folds["threat"], folds["folded"] = np.arange(4), [1, 1, 0, 0], [1, 0, 1, 0]
    folds["cost"], folds["points"], folds["paid"] = 100, [1_000, 2_000, 4_000, 9_000], [50, 60, 70, 80]
    text = values_tables(ValuesOfGames(np.zeros(1, VALUES), rows, folds), SETTINGS)
    assert rows_of_tables(text, "pon") == [["6", "2", "3", "1"]]
    for title, number, observed in (
        ("if folded: all", "4", "4000"),
        ("if folded: a riichi on the table", "2", "1500"),
        ("if folded: no riichi on the table", "2", "6500"),
        ("folded: a riichi on the table", "1", "50"),
    ):
        ((count, predicted, found, *_),) = rows_of_tables(text, title)
        assert (count, predicted, found) == (number, "100", observed)


def test_the_seats_of_a_drawn_round_counted_as_four_by_chance():
    def by_chance(seats):
        rows = np.zeros(4_000, VALUES)
        rows["round"], rows["seat"] = np.arange(4_000) // 400, np.arange(4_000) % seats
        rows["probs"][:, DRAW] = np.linspace(0.1, 0.3, 4_000)
        text = values_tables(ValuesOfGames(rows), SETTINGS)
        (line,) = (line for line in text.splitlines() if line.startswith("| P(draw), all"))
        return float(line.split("|")[-2])

    assert by_chance(4) == by_chance(1) > 0


def test_slices_cover_every_decision(found):
    rows = found.values
    slices = slices_of_decisions(rows)
    assert sum(slices[f"kind: {name}"].sum() for name in OPTION_KINDS) == len(rows)
    assert (slices["open hand"] ^ slices["closed hand"]).all()
    assert all((rows["declined"][slices[f"declined: {name}"]] > 0).all() for name in DECLARATIONS)
    assert {len(measure.predicted) == len(measure.rows) for measure in measures_of(rows)} == {True}


def test_slices_are_what_they_are_called():
    rows = np.zeros(9, VALUES)
    rows["lead"] = [
        -LARGE_LEAD - 1,
        -LARGE_LEAD,
        1 - LARGE_LEAD,
        -1,
        0,
        1,
        LARGE_LEAD - 1,
        LARGE_LEAD,
        20_000,
    ]
    rows["turn"] = [1, 6, 7, 12, 13, 18, 5, 8, 14]
    rows["shanten"] = [0, 0, 1, 2, 3, 4, 5, 6, 3]
    rows["riichi"] = np.arange(9) == 1
    rows["declined"] = [1 << number for number in range(len(DECLARATIONS))] + [0] * (9 - len(DECLARATIONS))
    slices = {name: np.flatnonzero(mask).tolist() for name, mask in slices_of_decisions(rows).items()}
    assert slices["behind by 8,000 or more"] == [0, 1]
    assert slices["behind by less"] == [2, 3]
    assert slices["ahead by less"] == [4, 5, 6]
    assert slices["ahead by 8,000 or more"] == [7, 8]
    assert slices["turns 1-6"] == [0, 1, 6]
    assert slices["turns 7-12"] == [2, 3, 7]
    assert slices["turns 13 and later"] == [4, 5, 8]
    assert [slices[f"{number}-shanten"] for number in range(4)] == [[0, 1], [2], [3], [4, 8]]
    assert slices["4-shanten or more"] == [5, 6, 7]
    assert (slices["tenpai, no riichi"], slices["in riichi"]) == ([0], [1])
    assert [slices[f"declined: {name}"] for name in DECLARATIONS] == [[i] for i in range(len(DECLARATIONS))]


def test_a_seat_that_threw_a_dangerous_tile_did_not_fold():
    scenes, truths = np.zeros(3, SCENE), np.zeros(3, TRUTH)
    scenes["hand"][:, 0] = scenes["hand"][:, 1] = 1
    prob = np.zeros((3, 3, 34))
    prob[:, 0, 1] = 0.1
    truths["discarded"] = [0, 1, 0]
    truths["win_points"][2, 0, 0] = 39
    safe, paid = folded(scenes, truths, prob)
    assert safe.tolist() == [False, False, True]
    assert paid[2] == 3900


def test_an_interrupted_run_is_continued(log, found, tmp_path, monkeypatch):
    """Games that are kept are not collected again, whatever number they had."""
    kept = KeptGames(tmp_path / "values", SETTINGS, None, resume=False)
    kept.write(log, found)
    monkeypatch.setattr("manue.validation.runs.WorkerPool", None)  # nothing is left to do
    text, complete = values([log], SETTINGS, 1, tmp_path, resume=True)
    assert complete
    assert f"1 game, {len(found.values):,} decisions" in text
    assert (tmp_path / "values.png").exists()


def test_another_run_s_games_are_refused(log, tmp_path, capsys):
    out = tmp_path / "out"
    KeptGames(out / "values", SETTINGS, None, resume=False)
    command = ["calibrate", str(log), "--all", "--values", "--mc-draws", "16", "--out", str(out)]
    assert main(command) == 2
    assert "--resume" in capsys.readouterr().err
    command[command.index("16")] = "17"
    assert main([*command, "--resume"]) == 2
    assert "collected with another policy or number of draws" in capsys.readouterr().err
    assert main(["calibrate", str(log), "--resume"]) == 2


def test_a_log_that_has_changed_is_collected_again(log, found, tmp_path):
    """What was kept of a file of the same path was taken for it, whatever the file held by then."""
    changing = tmp_path / log.name
    changing.write_bytes(log.read_bytes())
    kept = KeptGames(tmp_path / "values", SETTINGS, None, resume=False)
    kept.write(changing, found)
    assert kept.read(log).games == 1  # the same game in another folder
    changing.write_bytes(game("four-agents").read_bytes())
    assert kept.read(changing) is None


def test_what_another_version_has_kept_is_refused(tmp_path, monkeypatch):
    KeptGames(tmp_path, SETTINGS, None, resume=False)
    monkeypatch.setattr("manue.validation.kept_games.__version__", "9.9")
    with pytest.raises(UsageError, match="collected with another version"):
        KeptGames(tmp_path, SETTINGS, None, resume=True)


def test_several_games_of_a_log_are_kept_together(log, found, tmp_path):
    both = replace(join_values([found, found.with_game_numbers(1, 1)]), skipped=("game 3: why",))
    kept = KeptGames(tmp_path, SETTINGS, None, resume=False)
    kept.write(log, both)
    read = kept.read(log)
    assert (read.games, read.skipped) == (2, ("game 3: why",))
    assert read.values.tobytes() == both.values.tobytes()


def test_a_damaged_kept_game_was_a_traceback(log, found, tmp_path):
    kept = KeptGames(tmp_path / "values", SETTINGS, None, resume=False)
    kept.write(log, found)
    (file,) = (tmp_path / "values").glob("*.npz")
    whole = file.read_bytes()
    for damaged in (
        b"",
        whole[: len(whole) // 2],
        whole[:200] + bytes(200) + whole[400:],
        b"PK\3\4" + bytes(60),
    ):
        file.write_bytes(damaged)
        assert kept.read(log) is None  # it is collected again
    file.write_bytes(whole)
    assert kept.read(log) is not None


def test_ctrl_c_prints_what_there_is(log, found, tmp_path, monkeypatch, capsys):
    other = game("four-agents")
    KeptGames(tmp_path / "values", SETTINGS, None, resume=False).write(log, found)

    def interrupted(_futures):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("manue.validation.runs.as_completed", interrupted)
    command = ["calibrate", str(log), str(other), "--all", "--values", "--mc-draws", "16", "--resume"]
    assert main([*command, "--workers", "1", "--out", str(tmp_path)]) == 130
    printed = capsys.readouterr()
    assert "interrupted after 1 of 2 logs" in printed.out
    assert f"1 game, {len(found.values):,} decisions" in printed.out
    assert (tmp_path / "values.md").exists()


def test_games_are_joined_with_their_numbers(found):
    joined = join_values([found, found.with_game_numbers(1, 2), ValuesOfGames(skipped=("x",))])
    assert joined.games == 2
    assert set(joined.values["game"]) == {0, 1}
    assert joined.skipped == ("x",)
    assert joined.values.dtype == VALUES
    assert RON in joined.values["ending"]


def test_no_two_games_of_any_logs_share_a_number():
    """The first of each log has the number of the log."""
    two = ValuesOfGames(np.zeros(4, VALUES), np.zeros(4, CHOICES), games=2)
    for table in (two.values, two.choices):
        table["game"] = [0, 0, 1, 1]
    numbered = [two.with_game_numbers(log, 3) for log in range(3)]
    assert [part.values["game"][0] for part in numbered] == [0, 1, 2]
    assert len({number for part in numbered for number in part.values["game"].tolist()}) == 6
    assert all((part.choices["game"] == part.values["game"]).all() for part in numbered)


def test_models_packed_anew_counted_as_other_models(tmp_path, monkeypatch):
    """A match with the same files went on: what counts is their content."""
    models = tmp_path / "models"
    shutil.copytree(models_dir(), models, ignore=shutil.ignore_patterns("generations"))
    monkeypatch.setenv("MANUE_MODELS", str(models))
    KeptGames(tmp_path / "kept", SETTINGS, None, resume=False)
    with np.load(models / "placement.npz") as content:
        np.savez(models / "placement.npz", **content)
    KeptGames(tmp_path / "kept", SETTINGS, None, resume=True)
    file = read_model(models / "placement.npz")
    write_model(models / "placement.npz", file.arrays, {**file.meta, "note": "another"})
    with pytest.raises(UsageError, match="collected with other models"):
        KeptGames(tmp_path / "kept", SETTINGS, None, resume=True)
