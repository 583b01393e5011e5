"""Final places beside those reached: figures that came true."""

import numpy as np
import pytest

from manue.game.events import GameEnd, RoundStart
from manue.models.placement import RoundPosition
from manue.tiles import round_index
from manue.validation.placement import ROUND_STARTS, placement_of_log, placement_tables
from tests.conftest import events_of, game
from tests.models.loaded import shipped


def made_up_rows():
    """Of each rank 1,000 games, in which all places are reached alike, as predicted."""
    rows = np.zeros(4_000, ROUND_STARTS)
    rows["game"], rows["last_round"], rows["rank"] = np.arange(4_000), 3, np.arange(4_000) % 4
    rows["place"] = np.arange(4_000) // 4 % 4
    rows["predicted"] = rows["as_hanchan"] = 0.25
    return rows


def test_figures_that_came_true_are_counted():
    rows = made_up_rows()
    assert "16 figures of 1,000 cases or more:\n16 within 0.02," in placement_tables(rows)
    rows["predicted"][rows["rank"] == 0] = [0.4, 0.2, 0.2, 0.2]
    assert "\n12 within 0.02," in placement_tables(rows)
    assert ", 12 within that or two standard errors" in placement_tables(rows)


def test_what_chance_allows_is_two_standard_errors():
    """The first rank is off by 0.025 twice, where the standard error is 0.014."""
    rows = made_up_rows()
    rows["predicted"][rows["rank"] == 0] = [0.275, 0.225, 0.25, 0.25]
    found = placement_tables(rows)
    assert "\n14 within 0.02, 16 within that or two standard errors;" in found
    squares = 2 * 0.025**2 / (0.25 * 0.75 / 1_000 * 1_000 / 999) / 16
    assert f"the mean squared error is {squares:.2f} squared standard errors" in found


def test_a_figure_that_is_near_holds_though_chance_does_not_explain_it():
    """The first rank is first in all but 4 of 1,000 games, and not last; the model says 0.985."""
    rows = made_up_rows()
    first = np.flatnonzero(rows["rank"] == 0)
    rows["place"][first] = 0
    rows["place"][first[:4]] = [1, 2, 3, 3]
    rows["predicted"][first] = [0.985, 0.005, 0.005, 0.005]
    assert "16 within 0.02, 16 within that or two standard errors;" in placement_tables(rows)


def test_few_cases_and_rounds_beyond_the_last_make_no_figures():
    rows = made_up_rows()
    beyond = rows.copy()
    beyond["round"] = 4
    assert "16 figures of" in placement_tables(np.concatenate([rows, beyond]))
    assert "12 figures of" in placement_tables(rows[1:])
    assert "figures of" not in placement_tables(rows[4:])
    assert "| all | 1 | 999 (few) | " in placement_tables(rows[1:])


def test_places_and_log_loss_by_hand():
    rows = made_up_rows()
    rows["predicted"][rows["rank"] == 3] = [0.5, 0.25, 0.125, 0.125]
    rows["as_hanchan"] = [0.5, 0.5, 0.0, 0.0]
    lines = placement_tables(rows).splitlines()
    deviation = np.sqrt(1.25 / 999)
    assert f"| all | 1 | 1,000 | 2.500 | 2.500 | ± {deviation:.3f} |" in lines
    assert f"| all | 4 | 1,000 | 1.875 | 2.500 | ± {deviation:.3f} |" in lines
    assert f"| the model | {(3 * 2 + (1 + 2 + 3 + 3) / 4) / 4 * np.log(2):.4f} |" in lines
    as_hanchan = (np.log(2) + 6 * np.log(10)) / 2  # what was said to be impossible counts as a millionth
    assert f"| the model, the game taken for a hanchan | {as_hanchan:.4f} |" in lines


@pytest.mark.parametrize(("name", "last"), [("east-rules", 3), ("two-manue", 7)])
def test_rows_are_the_starts_of_rounds_by_seat(name, last):
    (rows,) = placement_of_log(game(name), last)
    events = events_of(game(name))
    (final,) = (event.scores for event in events if isinstance(event, GameEnd))
    starts = [event for event in events if isinstance(event, RoundStart)]
    assert len(rows) == 4 * len(starts)
    for start, seats in zip(starts, rows.reshape(-1, 4), strict=True):
        index = round_index(start.round_wind, start.number)
        assert set(seats["round"]) == {index}
        assert set(seats["last_round"]) == {last}
        for column, scores in (("rank", start.scores), ("place", final)):
            order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
            assert seats[column][order].tolist() == [0, 1, 2, 3]
        for column, planned in (("predicted", last), ("as_hanchan", 7)):
            position = RoundPosition(index, start.dealer, start.honba, last=planned)
            assert np.array_equal(seats[column], shipped().placement.final_places(start.scores, position))
