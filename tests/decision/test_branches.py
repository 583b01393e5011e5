"""How many own draws each way to go on leaves, counted out tile by tile."""

import pytest

from manue.decision.branches import branches_of
from manue.game.actions import Call, Pass
from manue.game.events import Discarded, Draw, RoundStart
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.tiles import parse_tiles

HIDDEN = (None,) * 13


def state_of(hand, *events):
    state = RoundState(0)
    hands = (tuple(parse_tiles(hand)), HIDDEN, HIDDEN, HIDDEN)
    state.apply(RoundStart("E", 1, 0, 0, 0, "9s", hands, (25_000,) * 4))
    for event in events:
        state.apply(event)
    return state


def own_draws(tiles_left, seats_before):
    """Deal the wall out, the next tile to the first of the seats before us."""
    return sum(place % 4 == seats_before for place in range(tiles_left))


@pytest.mark.parametrize("tiles_left", range(1, 9))
def test_on_the_own_turn_three_seats_draw_first_and_a_kan_adds_a_draw(tiles_left):
    state = state_of("1111m456p78s5577z", Draw(0, "9p"))
    actions = legal_actions(state)
    state.tiles_left = tiles_left
    discarding, after_kan = branches_of(state, actions)
    assert discarding.own_draws == own_draws(tiles_left, 3)
    assert after_kan.own_draws == 1 + own_draws(tiles_left - 1, 3)


@pytest.mark.parametrize("tiles_left", range(1, 9))
def test_after_a_call_three_seats_draw_first(tiles_left):
    state = state_of("234m456p78s5577z1m", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    state.apply(Discarded(1, "P", from_draw=False))
    state.tiles_left = tiles_left
    (pon,) = (
        branch for branch in branches_of(state, legal_actions(state)) if isinstance(branch.action, Call)
    )
    assert pon.own_draws == own_draws(tiles_left, 3)


@pytest.mark.parametrize("tiles_left", range(1, 9))
@pytest.mark.parametrize("seats_before", [0, 1, 2])
def test_after_passing_the_seats_in_between_draw_first(seats_before, tiles_left):
    source = 3 - seats_before
    state = state_of("1134m456p78s5577z", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    for seat in range(1, source):
        state.apply(Discarded(seat, "N", from_draw=False))
        state.apply(Draw(seat + 1, None))
    state.apply(Discarded(source, "P", from_draw=False))
    state.tiles_left = tiles_left
    (passing,) = (
        branch for branch in branches_of(state, legal_actions(state)) if isinstance(branch.action, Pass)
    )
    assert passing.own_draws == own_draws(tiles_left, seats_before)
