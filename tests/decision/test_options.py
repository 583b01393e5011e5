"""The options of a decision: under which plan the draws win with a hand."""

import pytest

from manue.decision.options import DrawSettings, options_of
from manue.draws.win import RIICHI, SILENT, WinStatistics
from manue.features.scene import scene_of
from manue.game.actions import Riichi
from manue.game.events import Called, Draw
from manue.game.legal import legal_actions
from tests.agents.test_manue import state_of

DRAWS = DrawSettings(seed=0, number=16, extra=1, win_statistics=WinStatistics())


def options(state):
    return list(options_of(state, scene_of(state), legal_actions(state), DRAWS))


@pytest.mark.parametrize(("points", "tiles_left"), [(1000, 5), (1000, 4), (900, 5), (1000, 40), (900, 40)])
def test_riichi_after_a_kan_is_planned_where_it_will_be_legal(points, tiles_left):
    """With four tiles left it once was, though the replacement tile leaves three."""
    state = state_of("222m34567p44s678s", Draw(0, "2m"), indicator="1s")
    state.tiles_left, state.scores[0] = tiles_left, points
    (kan,) = (option for option in options(state) if option.is_kan)
    assert kan.shanten == 0
    state.apply(Called(0, kan.action))
    state.apply(Draw(0, "9p"))
    assert (kan.plan == RIICHI) == (Riichi() in legal_actions(state)) == (points >= 1000 and tiles_left > 4)


@pytest.mark.parametrize("points", [900, 1000])
def test_riichi_on_the_way_to_tenpai_needs_its_points(points):
    state = state_of("123m456p789s1155z", Draw(0, "9m"))
    state.scores[0] = points
    far = [option.plan for option in options(state) if option.shanten > 0]
    assert far
    assert set(far) == {RIICHI if points >= 1000 else SILENT}


def test_where_riichi_takes_too_many_of_the_tiles_left_a_hand_stays_silent():
    state = state_of("123m456p789s1155z", Draw(0, "9m"))
    state.tiles_left = 3
    assert {option.plan for option in options(state)} == {SILENT}
