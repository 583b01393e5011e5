"""The hands that calls lead to, and how many own draws each way to go on leaves, counted out tile by tile."""

from collections import Counter

import pytest

from manue.decision.basis import unless_won
from manue.decision.branches import branches_of
from manue.game.actions import Call, Pass
from manue.game.events import Called, Discarded, Draw, RiichiAccepted, RiichiDeclared, RoundStart
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.records.decisions import recorded_decisions
from manue.tiles import parse_tiles
from tests.conftest import GAMES, events_of

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


@pytest.mark.parametrize(
    ("offered", "calls"),
    [("2m", {"chi"}), ("1m", {"pon"}), ("5p", {"chi"}), ("7s", {"chi", "pon"}), ("P", {"pon", "daiminkan"})],
)
@pytest.mark.parametrize("riichi", [False, True])
def test_a_pass_knows_which_calls_it_leaves(offered, calls, riichi):
    """Also on the tile of a riichi, where the table is that on which nobody has won."""
    state = state_of("1134m46p5677s555z", Draw(0, "9p"), Discarded(0, "9p", from_draw=True))
    for seat in (1, 2):
        state.apply(Draw(seat, None))
        state.apply(Discarded(seat, "N", from_draw=True))
    state.apply(Draw(3, None))
    if riichi:
        state.apply(RiichiDeclared(3))
    state.apply(Discarded(3, offered, from_draw=False))
    (passing,) = branches_of(unless_won(state), (Pass(),))
    assert passing.passed == calls


def test_a_kan_that_may_be_robbed_leaves_no_call():
    state = state_of("23m456p4567s5577z", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    state.apply(Called(1, Call("ankan", ("1m",) * 4)))
    (passing,) = branches_of(state, (Pass(),))
    assert passing.passed == set()


@pytest.mark.parametrize("double", [False, True])
def test_a_double_riichi_stays_one_after_a_kan_and_after_a_pass(double):
    def turn_of_others(last):
        for seat, tile in ((1, "N"), (2, "N"), (3, last)):
            yield from (Draw(seat, None), Discarded(seat, tile, from_draw=True))

    before = [] if double else [Draw(0, "W"), Discarded(0, "W", from_draw=True), *turn_of_others("W")]
    riichi = [Draw(0, "9s"), RiichiDeclared(0), Discarded(0, "9s", from_draw=True), RiichiAccepted(0)]
    state = state_of("111m456p789p3445s", *before, *riichi, *turn_of_others("W"), Draw(0, "1m"))
    discarding, after_kan = branches_of(state, legal_actions(state))
    assert after_kan.is_kan
    for event in (Discarded(0, "1m", from_draw=True), Draw(1, None), Discarded(1, "3s", from_draw=True)):
        state.apply(event)
    (passing,) = branches_of(state, (Pass(),))
    for branch in (discarding, after_kan, passing):
        assert (branch.in_riichi, branch.double_riichi) == (True, double)


def _shown(meld):
    return meld.kind, sorted(meld.tiles), meld.called, meld.source


def _same(action, call):
    """Return whether an action is a recorded call, which may name its tiles in another order."""
    return isinstance(action, Call) and (action.kind, action.tile, sorted(action.consumed)) == (
        call.kind,
        call.tile,
        sorted(call.consumed),
    )


def test_the_hand_after_a_call_is_the_one_that_the_game_goes_on_with():
    seen = Counter()
    for log in GAMES:
        called = {}  # by (round, seat): after a robbed kan the round has no further decision of that seat
        for decision in recorded_decisions(events_of(log)):
            state, at = decision.state, (decision.round, decision.state.seat)
            if branch := called.pop(at, None):
                drawn = () if branch.discards else (state.drawn,)
                assert [_shown(meld) for meld in state.me.melds] == [_shown(meld) for meld in branch.melds]
                assert sorted((*branch.tiles, *drawn)) == sorted(state.hand)
                seen[branch.action.kind] += 1
            if isinstance(decision.chosen, Call):
                branches = branches_of(state, decision.actions)
                called[at] = next(one for one in branches if _same(one.action, decision.chosen))
    assert set(seen) == {"chi", "pon", "daiminkan", "ankan", "kakan"}
