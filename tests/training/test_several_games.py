"""What is learned from a file that holds several games is what is learned from the games alone."""

from functools import partial

import numpy as np
import pytest

from manue.decision.settings import Settings
from manue.sim.net import SHAPES
from manue.training import call_policy, dataset
from manue.training.afterstate_sample import RatingModels, _rows_of_log
from manue.training.framework import Run, held_kinds, sample
from manue.training.placement import _starts_of_log
from manue.training.policy_examples import examples_of
from manue.validation.agreement import agreement_of_log
from manue.validation.calibration import calibrate_log, join_calibrations
from manue.validation.numbers import itself, with_game_numbers
from manue.validation.placement import placement_of_log
from manue.validation.values import join_values, values_of_log
from tests.conftest import game, one_file
from tests.models.loaded import shipped
from tests.training.shapes import SHAPES_FILE
from tests.training.watchers import Silent

LOGS = (game("east-rules"), game("four-agents"), game("thirteen-orphans"))
SETTINGS = Settings(policy="points-classic", mc_draws=16)


@pytest.fixture(scope="module")
def together(tmp_path_factory):
    return one_file(tmp_path_factory.mktemp("logs") / "together.mjson", *LOGS)


def extracted(logs, folder):
    return dataset.extract(logs, folder, seed=0, workers=1, progress=lambda _logs: None)


def test_scenes_and_final_places_are_those_of_each_game(together, tmp_path):
    """All discards had the final places of the last game, and rounds counted on from game to game."""
    alone, found = extracted(LOGS, tmp_path), extracted([together], tmp_path)
    assert (found.games, found.skipped) == (3, ())
    one, other = next(iter(alone)), next(iter(found))
    assert other.games == (together.name,) * 3
    assert np.array_equal(one.scenes, other.scenes)
    for field in ("game", "round", "seat", "turn", "ending", "final_rank"):
        assert np.array_equal(one.truths[field], other.truths[field]), field


def test_all_games_of_a_file_are_on_the_side_of_its_name(together, tmp_path):
    held = tmp_path / next(f"{at}.mjson" for at in range(99) if dataset.is_validation(f"{at}.mjson"))
    held.write_bytes(together.read_bytes())
    data = extracted([held], tmp_path)
    assert data.decisions[0] == 0 < data.decisions[1]


def test_rounds_of_many_games_in_few_files_have_numbers_of_their_own(tmp_path):
    """Games were numbered as if no block of files held more than 40."""
    many = [one_file(tmp_path / f"{at}.mjson", *[game("thirteen-orphans")] * 45) for at in range(2)]
    extractions = [extracted([log], tmp_path) for log in many]
    data = dataset.Extraction(tuple(one.shards[0] for one in extractions), tuple(many), 90, (), "", (1, 1))
    run = Run(data, 0, 1, Silent(), {"shapes": SHAPES_FILE})
    rows = [sample(run, "x", held_kinds, 10**6, validation=validation) for validation in (False, True)]
    assert sum(len(np.unique(part.game)) for part in rows) == 90


def test_final_places_are_learned_from_each_game(together):
    found, alone = _starts_of_log(together), [starts for log in LOGS for starts in _starts_of_log(log)]
    assert len(found) == 3
    for one, other in zip(found, alone, strict=True):
        assert np.array_equal(one.places, other.places)
        assert np.array_equal(one.scores, other.scores)


def test_hands_left_are_rated_by_how_their_own_round_ended(together):
    models = RatingModels(shipped().dangers, shipped().afterstate.win_statistics, shipped().discard_policy)
    found = _rows_of_log(together, 0, 1.0, models)
    alone = [rows for log in LOGS for rows in _rows_of_log(log, 0, 1.0, models)]
    assert len(found) == 3
    for one, other in zip(found, alone, strict=True):
        assert np.array_equal(one["x"], other["x"])
        assert np.array_equal(one["ending"], other["ending"])
        assert one["group"].max() < dataset.SEQUENCES_OF_GAME


def test_declarations_and_choices_are_those_of_each_game(together):
    found, alone = (
        [rows for log in logs for rows in call_policy._rows_of_log(log, shipped(), 1.0, 0)]
        for logs in ([together], LOGS)
    )
    for one, other in zip(found, alone, strict=True):
        assert np.array_equal(one[1], other[1])
    examples, games, skipped = examples_of([together])
    assert (games, skipped) == (3, [])
    alone = examples_of(LOGS).examples
    assert [len(examples[name]) for name in SHAPES] == [len(alone[name]) for name in SHAPES]


def test_what_followed_is_measured_in_each_game(together):
    """Every measure of `calibrate` had one game in place of three."""
    for of_log in (partial(agreement_of_log, spec="rules"), placement_of_log):
        alone = np.concatenate([rows for (rows,) in with_game_numbers(map(of_log, LOGS), len(LOGS), itself)])
        (found,) = with_game_numbers([of_log(together)], 1, itself)
        assert np.concatenate(found).tobytes() == alone.tobytes()
    of_log = partial(calibrate_log, settings=SETTINGS)
    (found,) = with_game_numbers([of_log(together)], 1, tuple)
    assert len(found) == 3
    alone = join_calibrations([one for (one,) in with_game_numbers(map(of_log, LOGS), len(LOGS), tuple)])
    for name in ("game", "round", "won", "rank", "dealt_in", "delta"):
        assert np.array_equal(join_calibrations(found).discards[name], alone.discards[name]), name
    assert set(join_calibrations(found).folds["game"]) == {0, 1, 2}


def test_numbers_of_games_do_not_meet_where_files_hold_several(together):
    first, second = with_game_numbers([placement_of_log(together) for _ in range(2)], 2, itself)
    assert [int(rows["game"][0]) for rows in first] == [0, 2, 4]
    assert [int(rows["game"][0]) for rows in second] == [1, 3, 5]


def test_values_are_those_of_each_game(together):
    found = values_of_log(together, Settings(mc_draws=16))
    parts = [values_of_log(log, Settings(mc_draws=16)) for log in LOGS]
    alone = join_values([part.with_game_numbers(at, 3) for at, part in enumerate(parts)])
    assert found.games == 3
    for name in ("game", "round", "points_then", "place_then"):
        assert np.array_equal(found.values[name], alone.values[name]), name
    assert set(found.with_game_numbers(1, 2).values["game"]) == {1, 3, 5}
