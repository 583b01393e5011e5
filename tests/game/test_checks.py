"""Refusals that few games come near: calls that leave no tile, too few points, kans on the wrong pon."""

import pytest

from manue.errors import EventError
from manue.game.actions import Call
from manue.game.events import Called, GameEnd, RiichiAccepted, RoundDrawn, Won
from tests.game.rounds import Round

HAND = "123m456p789s1122z"


def refusal(table, event):
    with pytest.raises(EventError) as caught:
        table.state.apply(event)
    return str(caught.value)


def with_four_pons():
    """Seat 1 has called four times and draws a second tile."""
    table = Round("2345m2345p23456s")
    for tile, pair in (("9m", "99m"), ("9p", "99p"), ("9s", "99s"), ("W", "33z")):
        table.turns((0, tile)).call(1, "pon", pair, tile, 0).discard(1, "1s").turns((2, "1m"), (3, "1p"))
    return table.turns((0, "E")).draw(1)


def test_a_kan_that_leaves_no_tile_is_refused():
    said = refusal(with_four_pons(), Called(1, Call("ankan", ("7m",) * 4)))
    assert said == "ankan leaves seat 1 without a tile"


def test_a_fourth_tile_may_be_added_to_the_last_of_four_pons():
    table = with_four_pons().call(1, "kakan", "333z", "W")
    assert table.state.players[1].hand_size == 1


def test_a_closed_kan_needs_a_tile_to_draw():
    table = Round("1111m111p99s1234z").leave(1).draw(0, "9p")
    assert refusal(table, Called(0, Call("ankan", ("1m",) * 4))) == "ankan when no tile is left to draw"


def test_a_tile_is_added_to_a_pon_of_its_kind_alone():
    table = Round(HAND).draw(0, "9p").discard(0, "E").call(2, "pon", "11z", "E", 0).discard(2, "9m")
    table.turns((3, "9m"), (0, "9p"), (1, "9m")).draw(2)
    said = refusal(table, Called(2, Call("kakan", ("W", "W", "W"), "W")))
    assert said == "seat 2 has no pon of W W W to add W to"


def test_whoever_has_declared_riichi_calls_nothing():
    table = Round(HAND).riichi(0, "9p").turns((1, "S"))
    assert refusal(table, Called(0, Call("pon", ("S", "S"), "S", 1))) == "seat 0 calls in riichi"


def test_a_run_that_is_none_is_named():
    table = Round(HAND, dealer=3).turns((3, "4m"))
    assert refusal(table, Called(0, Call("chi", ("1m", "2m"), "4m", 3))) == "4m with 1m 2m is not a run"


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (RiichiAccepted(0, (1, 2)), "2 scores for 4 seats"),
        (Won(0, 0, deltas=(1, 2, 3)), "3 deltas for 4 seats"),
        (Won(0, 0, scores=(1, 2)), "2 scores for 4 seats"),
        (RoundDrawn(deltas=(1, 2, 3)), "3 deltas for 4 seats"),
        (RoundDrawn(scores=(1, 2)), "2 scores for 4 seats"),
        (RoundDrawn(tenpai=(True,)), "1 tenpai flags for 4 seats"),
        (RoundDrawn(hands=((),)), "1 hands for 4 seats"),
        (GameEnd((1, 2)), "2 scores for 4 seats"),
    ],
)
def test_lists_of_points_have_four_entries(event, said):
    assert refusal(Round(HAND).draw(0, "E"), event) == said
