"""What ``manue calibrate`` collects agrees with the record; its tables agree with hand-made figures."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from manue.__main__ import main
from manue.decision.endings import COUNT, Endings
from manue.decision.settings import Settings
from manue.decision.values import OutcomeDistribution
from manue.errors import LogError
from manue.game.events import Discarded, RiichiAccepted, RiichiDeclared, RoundStart, Won
from manue.game.state import RoundState
from manue.records.archive import read_log
from manue.records.results import RoundResult, final_places
from manue.rules import STICK
from manue.training.dataset import ABORTED, EXHAUSTED, RON, TRUTH, TSUMO, is_validation
from manue.training.quality import continuous_ranked_scores
from manue.validation.agreement import DECISIONS
from manue.validation.agreement_report import agreement_tables
from manue.validation.calibration import (
    DISCARDS,
    Calibration,
    _note_estimates,
    _note_truth,
    _score_of_sizes,
    calibrate_log,
)
from manue.validation.calibration_report import calibration_tables, slices_of_discards
from manue.validation.defence import LOSSES
from manue.validation.defence_report import _fold_section, defence_tables, later_prob, spread_line
from manue.validation.plots import draw_diagrams, plot_calibration
from manue.validation.runs import chosen_logs
from manue.validation.tables import (
    by_other_games,
    by_threat,
    chance_error,
)
from manue.validation.values import DRAW, LATER, NOW, WIN, values_of_log
from tests.conftest import events_of, game
from tests.report_tables import cells_of

SETTINGS = Settings(policy="points-classic", mc_draws=64)


@pytest.fixture(scope="module")
def log():
    """A short game."""
    return game("east-rules")


@pytest.fixture(scope="module")
def collected(log, tmp_path_factory):
    broken = tmp_path_factory.mktemp("logs") / "broken.mjson"
    broken.write_text('{"type":"start_game"}\nnot json\n')
    (found,), (line,) = calibrate_log(log, SETTINGS), calibrate_log(broken, SETTINGS)
    assert line.startswith(f"{broken}, line 2: ")
    return found


@pytest.fixture(scope="module")
def learned(log):
    """The discards of the same game with the predictions of the afterstate model."""
    return calibrate_log(log, Settings(mc_draws=16))[0].discards


def test_every_discard_of_the_record_is_a_row(log, collected):
    events = [entry.event for entry in read_log(log) if entry.event is not None]
    rows = collected.discards
    assert len(rows) == sum(isinstance(event, Discarded) for event in events)
    assert rows["declared"].sum() == sum(isinstance(event, RiichiDeclared) for event in events)
    rounds = sum(isinstance(event, RoundStart) for event in events)
    assert set(rows["round"]) == set(range(rounds))
    assert (rows["turn"] >= 1).all()


def test_every_discard_has_the_facts_of_its_round(log, collected):
    """All are in the order of the record, so they can be counted along with its events."""
    events, rows = events_of(log), collected.discards
    facts, ends, made, threats = [], [], [0] * 4, set()
    for event in events:
        match event:
            case RoundStart():
                made, threats = [0] * 4, set()
                ends.append("draw")
            case RiichiAccepted(actor=actor):
                threats.add(actor)
            case Won():
                ends[-1] = "win"
            case Discarded(actor=actor):
                made[actor] += 1
                facts.append((len(ends) - 1, actor, made[actor], bool(threats - {actor})))
    found = [tuple(row) for row in rows[["round", "seat", "turn", "threat"]].tolist()]
    assert found == facts
    last = {(index, seat): turn for index, seat, turn, _ in facts}
    assert rows["last"].tolist() == [last[index, seat] == turn for index, seat, turn, _ in facts]
    assert rows["drawn"].tolist() == [ends[index] == "draw" for index, *_ in facts]
    places = final_places(events)
    assert rows["rank"].tolist() == [places[seat] for _, seat, *_ in facts]


def test_every_opponent_without_riichi_is_tenpai_as_its_hand_is(log, collected):
    states, expected = [RoundState(seat) for seat in range(4)], []
    for event in events_of(log):
        if isinstance(event, Discarded):
            others = [states[(event.actor + i) % 4] for i in (1, 2, 3)]
            expected += [bool(other.waits) for other in others if not other.me.riichi]
        for state in states:
            state.apply(event)
    assert collected.opponents["is_tenpai"].tolist() == expected
    assert 0 < sum(expected) < len(expected)


def test_won_and_points_are_those_of_the_record(log, collected):
    """Points of a win are those of the hand, and sticks that others paid after the seat's last discard."""
    points, sticks, index = {}, [0] * 4, -1
    for entry in read_log(log):
        match entry.event:
            case RoundStart():
                index += 1
            case Discarded(actor=actor):
                sticks[actor] = 0
            case RiichiAccepted(actor=actor):
                sticks = [more + (seat != actor) for seat, more in enumerate(sticks)]
            case Won(actor=actor, points=hand):
                points[index, actor] = hand + 1000 * sticks[actor]
    rows = collected.discards
    found = {
        (int(row["round"]), int(row["seat"])): row["points"] for row in rows if row["won"] and row["last"]
    }
    assert found == {key: value for key, value in points.items() if key in found}
    assert len(found) >= len(points) - 1  # a win before the seat's first discard has no row
    assert not rows["points"][~rows["won"]].any()


def test_a_tile_that_wins_costs_at_least_the_cheapest_hand(collected):
    losses = collected.losses
    assert len(losses) >= collected.kinds["wins"].sum() > 0
    assert (losses["points"] >= 1000).all()
    assert (losses["mean"] >= 1000).all()
    assert losses["sizes"].mean(1) == pytest.approx(losses["mean"])


def test_only_seats_that_paid_dealt_in_now_or_later(log, collected):
    paid, index = set(), -1
    for entry in read_log(log):
        index += isinstance(entry.event, RoundStart)
        if isinstance(entry.event, Won) and entry.event.source != entry.event.actor:
            paid.add((index, entry.event.source))
    rows = collected.discards
    for name in ("dealt_in", "dealt_in_later"):
        assert {(int(row["round"]), int(row["seat"])) for row in rows[rows[name]]} <= paid
    assert {(int(row["round"]), int(row["seat"])) for row in rows[rows["dealt_in"]]} == paid
    assert not (rows["dealt_in"] & rows["dealt_in_later"]).any()


@pytest.mark.parametrize(
    ("payer", "fatal", "now", "later"),
    [
        (-1, 0, False, False),  # an opponent could have won, but did not declare it
        (0, 5, True, False),
        (0, 7, False, True),  # the seat dealt in with a later discard only
        (2, 5, False, False),  # another seat did, with a discard of the same number
    ],
)
def test_a_win_that_nobody_declared_was_a_deal_in(payer, fatal, now, later):
    row, truth = np.zeros(1, DISCARDS), np.zeros(1, TRUTH)
    truth["turn"], truth["payer"], truth["win_points"] = 4, payer, 39
    nobody = (False,) * 4
    result = RoundResult(
        (25_000,) * 4, frozenset(), None, None, fatal, exhausted=False, tenpai=nobody, sticks=nobody
    )
    _note_truth(row, truth[0], result)
    assert (bool(row["dealt_in"][0]), bool(row["dealt_in_later"][0])) == (now, later)


@pytest.mark.parametrize(
    ("ending", "drawn"), [(TSUMO, False), (RON, False), (EXHAUSTED, True), (ABORTED, True)]
)
def test_a_round_is_drawn_whether_the_wall_ran_out_or_it_was_aborted(ending, drawn):
    row, truth = np.zeros(1, DISCARDS), np.zeros(1, TRUTH)
    truth["ending"], nobody = ending, (False,) * 4
    result = RoundResult(
        (25_000,) * 4, frozenset(), None, None, 0, exhausted=False, tenpai=nobody, sticks=nobody
    )
    _note_truth(row, truth[0], result)
    assert row["drawn"][0] == drawn


def test_the_cost_of_folding_has_an_error_by_game(collected):
    """Its error took every discard for a game of its own."""
    folds = np.repeat(collected.folds[:1], 400)
    folds["game"] = np.repeat(np.arange(4), 100)
    folds["points"], folds["cost"] = np.repeat([1_000.0, 3_000.0, 1_000.0, 3_000.0], 100), np.arange(400) % 7
    text = "\n".join(_fold_section(folds))
    lines = [line for line in text.splitlines() if line.count("|") == 4 and "±" in line and " 80 |" in line]
    assert len(lines) == 5
    assert all(500 < int(line.split("±")[1].strip(" |")) < 600 for line in lines)  # 1,000 / sqrt(3)


def test_tables_and_pictures(collected, tmp_path):
    text = calibration_tables(collected, 1, SETTINGS)
    assert f"{len(collected.discards):,} discards made" in text
    assert "afterstate model |" not in text  # the classic policy has none
    text = defence_tables(collected)
    assert f"| all: model | {len(collected.kinds):,} |" in text
    assert f"| model | {len(collected.folds):,} |" in text
    assert "P(dealing in later)" not in text  # the classic policy does not predict that either
    plot_calibration(collected, tmp_path / "calibration.png")
    assert (tmp_path / "calibration.png").read_bytes().startswith(b"\x89PNG")


def test_a_diagram_without_a_case_was_a_traceback(collected, tmp_path):
    """Nobody could have dealt in: as in a game of a few rounds."""
    nobody = collected._replace(losses=collected.losses[:0])
    plot_calibration(nobody, tmp_path / "calibration.png")
    assert (tmp_path / "calibration.png").read_bytes().startswith(b"\x89PNG")
    draw_diagrams({}, tmp_path / "nothing.png")
    assert (tmp_path / "nothing.png").read_bytes().startswith(b"\x89PNG")


def test_the_intervals_of_few_games_set_the_scale_of_a_diagram(tmp_path, monkeypatch):
    """Regression: chances were drawn on a scale from -6 to 6, on which no curve could be seen."""
    drawn = []

    def figure(**options):
        drawn.append(Figure(**options))
        return drawn[-1]

    monkeypatch.setattr("manue.validation.plots.figure_class", lambda: figure)
    predicted = np.linspace(0.1, 0.4, 40)
    games = np.tile([0, 1], 20)
    draw_diagrams({"winning": {"model": (predicted, games.astype(np.float64), games)}}, tmp_path / "few.png")
    low, high = drawn[0].axes[0].get_ylim()
    assert -0.1 < low < high < 1.1


@pytest.mark.parametrize("measured", [[], ["--values"]])
def test_pictures_that_cannot_be_drawn_were_measured_first(measured, log, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("manue.commands.calibrate._measured", None)  # nothing is to be measured
    arguments = ["calibrate", str(log), "--all", "--out", str(tmp_path), *measured]
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "matplotlib.figure", None)
        assert main(arguments) == 2
    assert "pip install 'manue[plots]'" in capsys.readouterr().err
    (tmp_path / f"{measured[0][2:] if measured else 'calibration'}.png").mkdir()
    assert main(arguments) == 2
    assert "is a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "reason"),
    [([], "pip install 'manue[plots]'"), (["--agreement", "--agent", "nobody"], "unknown agent")],
)
def test_options_that_cannot_be_used_left_an_empty_folder(
    options, reason, log, tmp_path, monkeypatch, capsys
):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["calibrate", str(log), "--all", "--out", str(tmp_path / "out"), *options]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_discards_are_predicted_as_the_values_of_all_decisions_are(log, learned):
    """Both measure the same decisions: one by what the report says, the other by all endings."""
    values = values_of_log(log, Settings(mc_draws=16)).values
    alone = values[(values["kind"] == 0) & (values["declined"] == 0)]  # nothing but discards was possible
    by_place = {(int(row["round"]), int(row["seat"]), int(row["turn"])): row for row in learned}
    rows = np.array([by_place[int(row["round"]), int(row["seat"]), int(row["turn"])] for row in alone])
    assert len(rows) > 150
    for name, ending in (
        ("win_prob", WIN),
        ("draw_prob", DRAW),
        ("deal_in_prob", NOW),
        ("deal_in_later_prob", LATER),
    ):
        assert rows[name] == pytest.approx(alone["probs"][:, ending])
    assert rows["expected_points"] == pytest.approx(alone["points"].sum(1))
    assert rows["expected_rank"] == pytest.approx(alone["place"])


def test_points_of_a_win_are_predicted_without_what_lay_on_the_table(log, learned):
    """The sizes of the endings hold it as well; honba and sticks are those of the record."""
    table, bonus = 0, {}
    for event in events_of(log):
        match event:
            case RoundStart():
                table, made = 300 * event.honba + STICK * event.deposits, [0] * 4
                index = len({key[0] for key in bonus})
            case RiichiAccepted():
                table += STICK
            case Discarded(actor=actor):
                made[actor] += 1
                bonus[index, actor, made[actor]] = table
    values = values_of_log(log, Settings(mc_draws=16)).values
    alone = values[(values["kind"] == 0) & (values["declined"] == 0) & (values["probs"][:, WIN] > 0)]
    predicted = {(int(row["round"]), int(row["seat"]), int(row["turn"])): row for row in learned}
    lain = 0
    for row in alone:
        key = int(row["round"]), int(row["seat"]), int(row["turn"])
        paid = row["points"][WIN] / row["probs"][WIN]
        # a self-draw is rounded up to hundreds for each who pays
        assert -2 < paid - predicted[key]["win_points"] - bonus[key] < 300
        lain += bonus[key] > 0
    assert lain > 50


def estimated_by(learned, drawn):
    """Return the row of a discard, the first of some with these chances to win: learned and drawn."""
    row, endings = np.zeros(1, DISCARDS), SimpleNamespace(probabilities=np.zeros(COUNT))
    valued = [
        SimpleNamespace(
            report=SimpleNamespace(
                win_prob=chance,
                deal_in_prob=0.0,
                overall_win_prob=chance,
                win_points=4_000.0,
                draw_prob=0.0,
                expected_points=0.0,
                expected_rank=2.5,
            ),
            endings=(endings, endings),
        )
        for chance in learned
    ]
    _note_estimates(row, SimpleNamespace(bonus=0), valued, 0, np.array(drawn))
    return row[0]


def test_both_prefer_the_same_discard_if_the_draws_favourite_wins_most():
    assert estimated_by([0.2, 0.4, 0.3], [0.1, 0.3, 0.2])["same_best"]
    assert not estimated_by([0.2, 0.4, 0.3], [0.1, 0.2, 0.3])["same_best"]
    assert estimated_by([0.4, 0.1, 0.4], [0.1, 0.2, 0.3])["same_best"]  # equal ones are as good
    assert estimated_by([0.2, 0.4, 0.3], [0.1, 0.2, 0.3])["win_range"] == pytest.approx(0.2)


def test_sizes_of_wins_are_scored_by_the_wins_alone():
    """The hand wins by ron or by self-draw; what is lost otherwise does not count."""
    points, probs = np.zeros(COUNT), np.zeros(COUNT)
    points[Endings.own_tsumo], points[Endings.own_ron] = 6_000.0, 2_000.0
    probs[Endings.own_tsumo.start], probs[Endings.own_ron.start] = 0.1, 0.3
    points[Endings.draw], probs[Endings.draw.start] = -1_500.0, 0.6
    valued = SimpleNamespace(endings=(None, OutcomeDistribution(points, points, probs)))
    row = np.zeros(1, DISCARDS)
    row["delta"] = 2_000
    # E|X - 2,000| = 1/4 * 4,000; E|X - X'| = 2 * 1/4 * 3/4 * 4,000
    assert _score_of_sizes(row, valued) == pytest.approx(1_000 - 750)


def test_the_learned_layer_predicts_later_deal_ins(learned):
    rows = learned
    predicted = later_prob(rows)
    assert ((predicted > 0) & (predicted < 1)).all()
    rest = rows["win_prob"] + rows["draw_prob"] + rows["deal_in_prob"] + rows["deal_in_later_prob"]
    assert (rest <= 1 + 1e-9).all()


def test_crps_by_hand():
    thirds = np.full((1, 3), 1 / 3)
    assert continuous_ranked_scores(np.array([[1.0, 2.0, 3.0]]), thirds, [2.0]) == pytest.approx([2 / 9])
    assert continuous_ranked_scores(np.array([[5.0, 5.0, 5.0]]), thirds, [2.0]) == pytest.approx([3])
    # in any order; E|X - y| = 1, E|X - X'| = 2 * .75 * .25 * 4
    found = continuous_ranked_scores(np.array([[6.0, 2.0]]), np.array([[0.25, 0.75]]), [2.0])
    assert found == pytest.approx([1.0 - 0.75])


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0.01, 1)), min_size=1, max_size=6), st.floats(0, 100))
def test_crps_is_that_of_all_pairs(weighted, actual):
    values, weights = np.array(weighted).T
    probs = weights / weights.sum()
    apart = np.abs(values[:, None] - values[None, :])
    expected = probs @ np.abs(values - actual) - probs @ apart @ probs / 2
    assert continuous_ranked_scores(values[None], probs[None], [actual]) == pytest.approx([expected])


def test_the_sizes_of_wins_are_scored(learned):
    rows = learned
    assert (np.isnan(rows["crps"]) == ~rows["won"]).all()
    wins = rows[rows["won"]]
    assert len(wins) > 40
    assert (wins["crps"] >= 0).all()
    assert wins["crps"].mean() < np.abs(wins["win_points"] - wins["points"]).mean()


def test_spread_by_hand():
    losses = np.zeros(6, LOSSES)
    losses["mean"], losses["sizes"] = 4000, (2000, 4000, 6000)
    losses["points"] = (1000, 3000, 3000, 5000, 5000, 7000)
    line = spread_line("x", losses)
    assert "| 0.50 / 1.00 / 1.50 | 0.50 / 1.00 / 1.50 | 16.7 % | 33.3 % | 33.3 % | 16.7 % |" in line


def test_a_baseline_never_learns_from_its_own_game():
    rows = np.zeros(6, DISCARDS)
    rows["game"] = [0, 0, 1, 1, 2, 2]
    rows["won"] = [True, True, False, False, True, False]
    predicted = by_other_games(rows, [], rows["won"])
    mean = {0: 1 / 4, 1: 3 / 4, 2: 2 / 4}
    assert predicted == pytest.approx([mean[game] for game in (0, 0, 1, 1, 2, 2)])


def test_two_games_five_numbers_apart_were_one_part_of_a_table():
    """Each was then predicted by itself, though the report says that it learned from the other games."""
    rows = np.zeros(4, DISCARDS)
    rows["game"], rows["won"] = [0, 0, 5, 5], [True, True, False, False]
    assert by_other_games(rows, [], rows["won"]).tolist() == [0.0, 0.0, 1.0, 1.0]


def test_a_table_holds_the_means_of_equal_columns_in_the_other_parts():
    """And one case more, as frequent as all: rows with other columns have no say, however near."""
    rng = np.random.default_rng(2)
    rows = np.zeros(400, DISCARDS)
    rows["game"], rows["won"] = rng.integers(0, 10, 400), rng.random(400) < 0.4
    columns = [rng.integers(0, 7, 400), rng.integers(1, 5, 400) * 5, rng.random(400) < 0.5]
    cells = list(zip(*(column.tolist() for column in columns), strict=True))
    found = by_other_games(rows, columns, rows["won"])
    for at, cell in enumerate(cells):
        others = [i for i in range(400) if rows["game"][i] % 5 != rows["game"][at] % 5]
        won = [bool(rows["won"][i]) for i in others if cells[i] == cell]
        assert found[at] == pytest.approx((sum(won) + rows["won"][others].mean()) / (len(won) + 1))


def test_the_parts_by_turn_hold_every_discard_once():
    rows = np.zeros(20, DISCARDS)
    rows["turn"] = np.arange(1, 21)
    parts = slices_of_discards(rows)
    of_turn = [
        next(name for name in parts if "turns" in name and parts[name][turn - 1]) for turn in rows["turn"]
    ]
    assert of_turn == ["turns 1-6"] * 6 + ["turns 7-12"] * 6 + ["turns 13 and later"] * 8
    assert sum(parts[name].sum() for name in parts if "turns" in name) == 20


def test_positions_are_divided_by_a_riichi_on_the_table():
    rows = np.zeros(5, DISCARDS)
    rows["threat"] = [True, False, False, True, False]
    masks = by_threat(rows)
    assert [int(mask.sum()) for mask in masks.values()] == [5, 3, 2]
    assert masks["a riichi on the table"].tolist() == rows["threat"].tolist()


def test_the_tables_by_hand():
    """Forty discards of which one half won; the sizes of the wins and the end of the round were foreseen."""
    rows = np.zeros(80, DISCARDS)
    rows["game"], rows["shanten"] = np.arange(80), np.arange(80) >= 30
    rows["won"] = rows["last"] = np.arange(80) < 40
    rows["mc_win_prob"], rows["win_prob"] = 0.5, 0.25
    rows["mc_range"], rows["win_range"], rows["same_best"] = 0.125, 0.375, np.arange(80) < 20
    rows["points"][:40], rows["win_points"] = np.tile([2_000, 6_000], 20), 5_000
    rows["crps"][:40] = 500
    rows["drawn"], rows["draw_prob"] = np.arange(80) >= 60, np.where(np.arange(80) >= 60, 0.9, 0.1)
    rows["expected_points"], rows["delta"] = 100, np.tile([-900, 300], 40)
    rows["expected_rank"], rows["rank"] = 2, np.tile([1, 4], 40)
    text = calibration_tables(Calibration(rows, *[rows[:0]] * 4), 80, SETTINGS)
    # mean 100, of the errors -3,000 and 1,000
    assert cells_of(text, "all") == ["40", "500", "2000"]
    assert cells_of(text, "draw: model")[:3] == ["80", "0.2500", f"{-np.log(0.9):.5f}"]
    assert cells_of(text, "points of the rest of the round") == ["100", "-300", "721", "600"]
    assert cells_of(text, "final placement") == ["2.000", "2.500", "1.581", "1.500"]
    for number in (80, 30):  # all, and those in tenpai
        by_chance = chance_error(rows[:number], rows["win_prob"][:number])
        assert f"if it were exactly right {by_chance:.4f}\n" in text
    assert "0.125 by the Monte Carlo draws alone, 0.375 with the afterstate model." in text
    assert "Both prefer the same discard in 25.0 %." in text
    for part in ("every discard", "the last discard before the win"):
        assert cells_of(text, f"{part}: Monte Carlo draws and afterstate model")[:2] == ["40", "4000"]


def test_wins_are_divided_by_hands_that_are_described_once():
    """Tenpai or not, in riichi, open or neither: no win is of two kinds, and none is left out."""
    rows = np.zeros(6 * 30, DISCARDS)
    rows["game"], rows["won"] = np.arange(180), True
    rows["shanten"] = np.repeat([0, 0, 0, 1, 1, 1], 30)
    rows["riichi"] = np.repeat([True, False, False, False, False, False], 30)
    rows["open"] = np.repeat([False, True, False, True, False, True], 30)
    rows["points"] = np.repeat([1_000, 2_000, 3_000, 4_000, 5_000, 6_000], 30)
    text = calibration_tables(Calibration(rows, *[rows[:0]] * 4), 180, SETTINGS)
    assert cells_of(text, "tenpai, in riichi") == ["30", "0", "1000"]
    assert cells_of(text, "tenpai, open") == ["30", "0", "2000"]
    assert cells_of(text, "tenpai, closed without riichi") == ["30", "0", "3000"]
    assert cells_of(text, "before tenpai, open") == ["60", "0", "5000"]
    assert cells_of(text, "before tenpai, closed") == ["30", "0", "5000"]


def test_the_error_by_chance_falls_with_the_number_of_rounds():
    def error(rounds):
        rows = np.zeros(rounds * 10, DISCARDS)
        rows["game"], rows["round"] = np.divmod(np.arange(rounds).repeat(10), 10)
        return chance_error(rows, np.random.default_rng(1).uniform(0.1, 0.3, len(rows)))

    few, many = error(50), error(5000)
    assert 0 < many < few / 5
    assert few < 0.3


def test_precision_and_recall():
    rows = np.zeros(5, DECISIONS)
    rows["type"] = 1
    rows["people"] = [True, True, True, False, False]
    rows["ours"] = [True, False, False, True, False]
    rows["lost_points"] = [0, 100, np.nan, 200, 0]
    rows["lost_rank"] = np.nan
    assert "| riichi, all | 5 | 3 | 2 | 50.0 % | 33.3 % | 40.0 % | 75 | - |" in agreement_tables(rows, "x", 1)


def test_what_followed_is_shown_by_who_takes_the_call():
    rows = np.zeros(6, DECISIONS)
    rows["type"] = 1
    rows["game"] = np.arange(6)
    rows["people"] = [True, True, True, True, False, True]
    rows["ours"] = [False, False, False, True, True, False]
    rows["predicted_win"] = [0.2, 0.4, 0.6, 0.5, 0.3, np.nan]
    rows["preferred_win"] = [0.3, 0.3, 0.6, 0.5, 0.4, 0.5]
    rows["won"] = [True, False, True, True, False, True]
    rows["predicted_points"] = [4000, 9000, 6000, 5000, 3000, np.nan]
    rows["won_points"] = [3900, 0, 8000, 7700, 0, 1000]
    rows["dealt_in"] = [False, True, False, False, False, False]
    text = agreement_tables(rows, "x", 1)
    assert "| riichi: only people take it | 3 | 0.400 | 0.667 ± 0.333 | 5000 | 5950 | 0.333 | 0.400 |" in text
    assert "| riichi: both take it | 1 | 0.500 | 1.000 | 5000 | 7700 | 0.000 | 0.500 |" in text
    assert "| riichi: only we take it | 1 | 0.300 | 0.000 | - | - | 0.000 | 0.400 |" in text
    assert "neither" not in text
    rows["preferred_win"] = np.nan
    text = agreement_tables(rows, "x", 1)
    assert "| riichi: both take it | 1 | 0.500 | 1.000 | 5000 | 7700 | 0.000 | - |" in text


def test_the_shortest_way_is_compared_by_the_shanten_that_it_leaves():
    """Of 4 and more together; riichi and calls are left out."""
    rows = np.zeros(7, DECISIONS)
    rows["type"] = [0, 0, 0, 0, 0, 0, 1]
    rows["shanten"] = [1, 1, 1, 4, 6, 1, -1]
    rows["threat"] = [False, False, False, False, False, True, False]
    rows["people_lowest"] = [True, True, False, True, False, True, False]
    rows["ours_lowest"] = [True, True, True, True, True, False, False]
    rows["people_widest"] = [False, True, False, False, False, False, False]
    rows["ours_widest"] = [True, True, False, True, False, False, False]
    rows["ours"] = [False, True, False, False, False, True, True]
    shown = [line for line in agreement_tables(rows, "x", 1).splitlines() if "-shanten" in line]
    assert shown == [
        "| 1-shanten, no riichi on the table | 3 | 33.3 % | 66.7 % | 100.0 % | 33.3 % | 66.7 % |",
        "| 1-shanten, a riichi on the table | 1 | 100.0 % | 100.0 % | 0.0 % | 0.0 % | 0.0 % |",
        "| 4-shanten or more, no riichi on the table | 2 | 0.0 % | 50.0 % | 100.0 % | 0.0 % | 50.0 % |",
    ]


def test_only_validation_games_are_read(tmp_path):
    names = [f"{number}.mjson" for number in range(60)]
    for name in names:
        (tmp_path / name).write_text(name)  # no copies
    kept = {name for name in names if is_validation(name)}
    assert {log.name for log in chosen_logs([tmp_path], None, every=False)} == kept
    assert len(chosen_logs([tmp_path], None, every=True)) == 60
    assert len(chosen_logs([tmp_path], 7, every=True)) == 7
    trained_on = next(name for name in names if name not in kept)
    with pytest.raises(LogError, match="held out"):
        chosen_logs([tmp_path / trained_on], None, every=False)
