"""Versions of the Monte Carlo draws differ as their corrections imply, for the same discards and draws."""

from dataclasses import replace

import numpy as np
import pytest

from manue.decision.settings import Settings
from manue.game.events import Discarded, Won
from manue.records.archive import read_log
from manue.validation import ablation
from manue.validation.ablation import AS_IN_PLAY, LEARNED, ablate_log, join_ablations
from manue.validation.ablation_report import ablation_tables
from manue.validation.calibration import calibrate_log
from tests.conftest import events_of, game

SETTINGS = Settings(mc_draws=64)
EVERY = 2


@pytest.fixture(scope="module")
def log():
    return game("east-rules")


@pytest.fixture(scope="module")
def data(log, tmp_path_factory):
    broken = tmp_path_factory.mktemp("logs") / "broken.mjson"
    broken.write_text('{"type":"start_game"}\nnot json\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ablation, "EVERY", EVERY)
        (found,), (line,) = ablate_log(log, SETTINGS), ablate_log(broken, SETTINGS)
        assert line.startswith(f"{broken}, line 2: ")
        return join_ablations([found])


def test_one_discard_in_so_many_is_evaluated(log, data):
    events = [entry.event for entry in read_log(log)]
    seats = [event.actor for event in events if isinstance(event, Discarded)][::EVERY]
    for rows in data.values():
        assert rows["seat"].tolist() == seats


def test_corrections_move_the_probabilities_in_the_right_direction(data):
    prob = {name: rows["prob"] for name, rows in data.items()}
    plain = prob[AS_IN_PLAY]
    assert (prob["no exchange beyond the fewest"] <= plain).all()
    assert (prob["two exchanges beyond the fewest"] >= plain).all()
    assert prob["every draw of the wall comes"].mean() > plain.mean() > 0
    assert (prob["every win a self-draw"] == plain).all()
    assert (prob["no han from ippatsu and ura-dora"] == plain).all()
    riichi = data[AS_IN_PLAY]["riichi"]
    assert riichi.any()
    changed = prob["a hand in riichi may change"]
    assert (changed[riichi] >= plain[riichi]).all()
    assert (changed[~riichi] == plain[~riichi]).all()
    points = {name: rows["win_points"] for name, rows in data.items()}
    assert (points["no han from ippatsu and ura-dora"] <= points[AS_IN_PLAY] + 1e-3).all()


def test_predictions_equal_those_of_calibration_for_the_same_discards(log, data):
    rows = calibrate_log(log, SETTINGS)[0].discards[::EVERY]
    learned, plain = data[LEARNED], data[AS_IN_PLAY]
    assert np.allclose(learned["prob"], rows["win_prob"])
    assert np.allclose(plain["prob"], rows["mc_win_prob"])
    assert (plain["won"] == rows["won"]).all()
    sticks = rows["points"] - plain["points"]  # those that others paid later, which the draws do not predict
    assert np.isin(sticks, (0, 1000, 2000, 3000)).all()
    assert (sticks == 0).mean() > 0.8


def test_the_learned_layer_predicted_sticks_that_were_not_counted(log, data):
    rows = calibrate_log(log, SETTINGS)[0].discards[::EVERY]
    assert (data[LEARNED]["points"] == rows["points"]).all()
    assert (rows["points"] != data[AS_IN_PLAY]["points"]).any()


def test_the_table_has_every_version(data):
    text = ablation_tables(data, 1, SETTINGS)
    for name in data:
        assert f"| {name} |" in text


def test_a_win_of_unknown_size_counted_as_lost(log):
    events = events_of(log)
    wins = [event for event in events if isinstance(event, Won)]
    without = [replace(event, points=None, deltas=None) if event in wins else event for event in events]
    known, unknown = ablation._points_of_wins(events), ablation._points_of_wins(without)
    assert wins
    assert known.keys() == unknown.keys()
    assert np.isnan(list(unknown.values())).all()


def test_games_without_a_discard_of_the_sample_are_joined(data):
    joined = join_ablations([{}, data])
    assert joined.keys() == data.keys()
    assert "2 games" in ablation_tables(joined, 2, SETTINGS)
    assert "1 game, one discard in" in ablation_tables(join_ablations([{}]), 1, SETTINGS)
