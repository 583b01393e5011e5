"""Kinds of useful tiles: those of which a copy is left."""

import pytest

from manue.agents.registry import make_agent
from manue.game.actions import Discard
from manue.game.events import Draw
from manue.game.legal import legal_actions
from manue.tiles import KIND_OF
from tests.agents.test_manue import state_of


@pytest.mark.parametrize("spec", ["manue:mc_draws=64", "rules", "greedy"])
@pytest.mark.parametrize(("shown", "kinds", "tiles"), [(2, 2, 4), (4, 1, 2)])
def test_a_kind_of_which_no_copy_is_left_is_not_counted(spec, shown, kinds, tiles):
    """Once a wait on 3s and 4s counted two kinds though all four 4s lay on the table."""
    state = state_of("123m456p789p3344s", Draw(0, "E"))
    state.tiles_left = 3  # too few for riichi: every option is a discard
    state.visible[KIND_OF["4s"]] = shown
    decision = make_agent(spec).decide(state, legal_actions(state))
    report = next(one for one in decision.reports if one.action == Discard("E", from_draw=True))
    assert (report.shanten, report.ukeire_kinds, report.ukeire_count) == (0, kinds, tiles)
