"""What hosts report wrongly is put right only where the table shows how it was."""

from dataclasses import replace

import pytest

from manue.game.actions import Call
from manue.game.events import Called, Discarded, DoraRevealed, Draw, RiichiAccepted, RiichiDeclared
from manue.protocol.corrections import corrected, first_draw_left_out, riichi_was_not_made
from manue.rules import TENHOU
from tests.game.rounds import Round, deal

TENPAI = "123m456p789s11z2z3z"
KAN = Call("ankan", ("W",) * 4)
PON = Call("pon", ("N", "N"), "N", 0)


@pytest.mark.parametrize("event", [Discarded(2, "E", from_draw=False), RiichiDeclared(2), Called(2, KAN)])
def test_the_first_draw_of_another_dealer_is_made_up_if_the_dealer_acts_without_it(event):
    start = deal(TENPAI, dealer=2)
    assert first_draw_left_out([start], event, 0) == Draw(2, None)
    assert first_draw_left_out([start], event, 2) is None  # nobody can make up what we drew ourselves
    assert first_draw_left_out([start], replace(event, actor=1), 0) is None
    assert first_draw_left_out([Draw(2, None)], event, 0) is None
    assert first_draw_left_out([], event, 0) is None


@pytest.mark.parametrize("event", [Draw(2, "E"), Called(2, PON), RiichiAccepted(2), DoraRevealed("E")])
def test_no_draw_is_made_up_before_what_needs_none(event):
    assert first_draw_left_out([deal(TENPAI, dealer=2)], event, 0) is None


def test_a_riichi_whose_discard_is_called_or_passed_before_it_is_accepted_was_not_made():
    table = Round(TENPAI).draw(0, "N")
    assert not riichi_was_not_made(Draw(1, None), table.state)
    table.apply(RiichiDeclared(0))
    assert riichi_was_not_made(Called(0, KAN), table.state)
    assert not riichi_was_not_made(Called(1, PON), table.state)
    assert not riichi_was_not_made(Discarded(0, "N", from_draw=True), table.state)
    table.discard(0, "N", from_draw=True)
    assert riichi_was_not_made(Draw(1, None), table.state)
    assert riichi_was_not_made(Called(1, PON), table.state)
    assert not riichi_was_not_made(RiichiAccepted(0), table.state)
    table.apply(RiichiAccepted(0))
    assert not riichi_was_not_made(Draw(1, None), table.state)
    assert not riichi_was_not_made(Called(1, PON), table.state)


def from_draw(state, actor, tile):
    """Whether discards come from the draw by the table: one reported to come from it, and one not."""
    events = [Discarded(actor, tile, from_draw=reported) for reported in (True, False)]
    return [corrected(event, state).from_draw for event in events]


def test_our_discard_is_the_tile_drawn_as_reported_if_both_copies_can_be_meant():
    state = Round(TENPAI).draw(0, "3m").state
    assert from_draw(state, 0, "3m") == [True, False]
    assert from_draw(state, 0, "1m") == [False, False]
    assert from_draw(Round(TENPAI).draw(0, "9m").state, 0, "9m") == [True, True]


def test_the_discard_of_another_is_the_tile_drawn_as_reported_unless_a_riichi_or_a_call_decides_it():
    table = Round(TENPAI, dealer=1).draw(1)
    assert from_draw(table.state, 1, "9p") == [True, False]
    table.apply(RiichiDeclared(1))
    assert from_draw(table.state, 1, "9p") == [
        True,
        False,
    ]  # the discard of the riichi may come from the hand
    table.discard(1, "9p").apply(RiichiAccepted(1)).turns((2, "F")).call(3, "pon", "FF", "F", 2)
    assert from_draw(table.state, 3, "9p") == [False, False]
    table.discard(3, "9p").turns((0, "N")).draw(1)
    assert from_draw(table.state, 1, "9p") == [True, True]


def test_the_seat_whose_discard_was_called_is_the_one_that_discarded_it():
    state = Round(TENPAI, dealer=1).turns((1, "F")).state
    pon = Called(3, Call("pon", ("F", "F"), "F", 2))
    assert corrected(pon, state) == Called(3, Call("pon", ("F", "F"), "F", 1))


@pytest.mark.parametrize(
    ("hand", "named", "held"),
    [
        ("5555m456p789s123z", "5mr 5m 5m 5m", "5m 5m 5m 5m"),  # a red five that is not there
        ("5mr 5m 5m 5m 456p789s123z", "5mr 5m 5m 5m", "5mr 5m 5m 5m"),
        ("555m456p789s1112z", "5mr 5m 5m 5m", "5mr 5m 5m 5m"),  # three are no kan
        ("5mr 5m 5m 5m 456p789s123z", "5m 5m 5m 5m", "5m 5m 5m 5m"),  # names no red five
        ("5555m456p789s123z", "", ""),
        ("5555m456p789s123z", "? ? ? ?", "? ? ? ?"),
    ],
)
def test_a_closed_kan_of_ours_has_the_tiles_that_we_hold_if_it_names_a_red_five_too_many(hand, named, held):
    rules = replace(TENHOU, red_fives="5mr" in hand)
    state = Round(hand, rules=rules).draw(0, "N").state
    kan = corrected(Called(0, Call("ankan", tuple(named.split()))), state)
    assert sorted(kan.call.consumed) == sorted(held.split())


def test_an_added_kan_has_the_tiles_of_the_pon_that_it_extends():
    table = Round("123m123p789s1122z", dealer=1).turns((1, "5p")).call(2, "pon", "55p", "5p", 1)
    table.discard(2, "W").turns((3, "5s")).draw(0, "9p")
    state = table.state
    kan = Call("kakan", ("5pr", "5p", "5p"), "5p")
    assert corrected(Called(2, kan), state).call.consumed == ("5p", "5p", "5p")
    for tile in ("5s", "?"):
        other = replace(kan, tile=tile)
        assert corrected(Called(2, other), state).call == other
    assert corrected(Called(3, kan), state).call == kan
