"""What one seat sees, as a record."""

import pytest

from manue.features.danger import danger_features
from manue.features.danger_columns import OPPONENT, SHAPE_WEIGHTS
from manue.features.hand_view import view_of_scene
from manue.features.scene import scene_of
from manue.game.events import GameStart
from manue.game.state import RoundState
from manue.rules import EAST_ONLY, HANCHAN
from tests.game.rounds import deal


@pytest.mark.parametrize(
    ("length", "wind", "number", "left"),
    [
        (HANCHAN, "E", 1, 7),
        (HANCHAN, "S", 4, 0),
        (HANCHAN, "W", 1, -1),
        (EAST_ONLY, "E", 1, 3),
        (EAST_ONLY, "E", 4, 0),
        (EAST_ONLY, "S", 4, -4),
    ],
)
def test_rounds_left_count_down_to_the_end_of_either_length(length, wind, number, left):
    state = RoundState(0)
    state.apply(GameStart(last_round=length))
    state.apply(deal("123456789m1234z", round_wind=wind, number=number))
    scene = scene_of(state)
    assert scene["rounds_left"][0] == left
    assert (danger_features(scene, SHAPE_WEIGHTS)[1][0, :, OPPONENT.rounds_left] == left).all()


def test_points_of_no_real_game_are_alike():
    """Regression: ten millions, which the protocol admits, ended in a traceback."""
    state = RoundState(0)
    state.apply(deal("123456789m1234z", scores=(10_000_000, 5_000_000, -10_000_000, 25_000)))
    assert scene_of(state)["scores"][0].tolist() == [32_767, 32_767, -32_767, 250]


@pytest.mark.parametrize(("red_fives", "left"), [(True, 3), (False, 0)])
def test_no_red_five_is_still_to_come_in_a_game_without_them(red_fives, left):
    """Regression: where the host says that there are none, hands to come and opponents still had them."""
    state = RoundState(0)
    state.apply(GameStart(red_fives=red_fives))
    state.apply(deal("12346789m12345p", indicator="9s"))
    scene = scene_of(state)
    assert sum(view_of_scene(scene).unseen_reds) == left
    assert (danger_features(scene, SHAPE_WEIGHTS)[1][0, :, OPPONENT.dora_unseen] == 4 + left).all()
