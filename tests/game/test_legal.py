"""Every rule of play by an example of its own."""

import pytest

from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import DoraRevealed, RiichiDeclared
from manue.rules import MAHJONG_SOUL, Rules
from tests.game.rounds import Round

DRAGONS = "123m456p789s5577z"  # waits for P and C, each of them a yaku
NO_YAKU = "123m456p789s46m99p"  # waits for 5m, no yaku on a discard
READY = "123m456p789s1123z"  # with a third E: riichi by discarding S or W
NINE = "19m19p19s1237z234m"  # ten kinds of terminals and honors


# ---- discards


def test_nothing_to_decide_is_silence():
    table = Round("123456789m1122z", dealer=1)
    assert table.legal == ()
    assert table.draw(1).legal == ()
    assert table.discard(1, "9p").legal == ()


def test_every_different_tile_can_be_discarded_and_the_drawn_one_as_such():
    table = Round("550p99p111m22z348s").draw(0, "5p")
    assert table.discards() == {"5p", "5pr", "9p", "1m", "S", "3s", "4s", "8s", "5p*"}


@pytest.mark.parametrize(
    ("hand", "consumed", "taken", "left"),
    [
        ("45m3678m2468p999s", "45m", "3m", {"7m", "8m", "2p", "4p", "6p", "8p", "9s"}),
        ("45m3678m2468p999s", "45m", "6m", {"7m", "8m", "2p", "4p", "6p", "8p", "9s"}),
        ("35m2467m2468p999s", "35m", "4m", {"2m", "6m", "7m", "2p", "4p", "6p", "8p", "9s"}),
        ("12m3467m2468p999s", "12m", "3m", {"4m", "6m", "7m", "2p", "4p", "6p", "8p", "9s"}),
        ("40m3678m2468p999s", "40m", "6m", {"7m", "8m", "2p", "4p", "6p", "8p", "9s"}),
        ("1234m678m2468p99s", "23m", "4m", {"6m", "7m", "8m", "2p", "4p", "6p", "8p", "9s"}),
    ],
)
def test_swap_calling_is_forbidden_at_both_ends(hand, consumed, taken, left):
    table = Round(hand, dealer=3).turns((3, taken)).call(0, "chi", consumed, taken, 3)
    assert table.discards() == left
    free = Round(hand, dealer=3, rules=Rules(swap_calling_forbidden=False))
    free.turns((3, taken)).call(0, "chi", consumed, taken, 3)
    assert free.discards() == set(free.state.hand) > left


@pytest.mark.parametrize(
    ("hand", "consumed", "taken"),
    [
        ("89m1234p1234s159m", "89m", "7m"),
        ("12p2359m1s4s79s123z", "12p", "3p"),
        ("89s2359m147p1234z", "89s", "7s"),
    ],
)
def test_a_run_at_the_end_of_a_suit_has_no_other_end(hand, consumed, taken):
    table = Round(hand, dealer=3).turns((3, taken)).call(0, "chi", consumed, taken, 3)
    assert table.discards() == set(table.state.hand)


def test_swap_calling_counts_a_red_five_as_its_kind():
    table = Round("550m13678m2468p9s", dealer=3).turns((3, "5m")).call(0, "pon", "55m", "5m", 3)
    assert "5mr" not in table.discards()


# ---- calls


def test_red_and_plain_fives_are_different_calls():
    table = Round("5m5mr6m4m111p99s1234z", dealer=3).turns((3, "5m"))
    assert table.calls("pon") == {"5m 5mr"}
    assert table.calls("chi") == {"4m 6m"}
    table = Round("5m5mr6m7m111p99s123z4z", dealer=3).turns((3, "4m"))
    assert table.calls("chi") == {"5m 6m", "5mr 6m"}
    assert Pass() in table.legal


def test_runs_are_made_from_the_left_neighbour_alone():
    assert Round("56m19p19s1234567z", dealer=2).turns((2, "4m")).legal == ()
    assert Round("56m19p19s1234567z", dealer=3).turns((3, "4m")).calls("chi") == {"5m 6m"}


@pytest.mark.parametrize(("hand", "tile"), [("89m2p19p19s123456z", "1p"), ("89p139m19s123456z", "1s")])
def test_runs_do_not_cross_suits(hand, tile):
    assert Round(hand, dealer=3).turns((3, tile)).legal == ()


@pytest.mark.parametrize(("hand", "calls"), [("4555m", {"4m 5m"}), ("4566m", set())])
def test_a_call_that_leaves_only_forbidden_tiles_is_no_call(hand, calls):
    """With three sets on the table: 45m for a 3m or 6m must leave something beside 3m and 6m."""
    table = Round(f"{hand}112233p777z", dealer=3)
    for number in "123":
        tile = f"{number}p"
        table.turns((3, tile)).call(0, "pon", tile + tile, tile, 3).discard(0, "C")
        table.turns((1, f"{number}s"), (2, f"{number}s"))
    table.turns((3, "6m"))
    assert table.calls("chi") == calls


def test_no_calls_and_no_kans_when_the_wall_is_empty():
    assert Round("550m46m11p99s1234z", dealer=3).leave(1).turns((3, "5m")).legal == ()
    assert Round("1111m111p99s1234z").leave(1).draw(0, "9p").calls("ankan") == set()
    assert Round("1111m111p99s1234z").leave(2).draw(0, "9p").calls("ankan") == {"1m 1m 1m 1m"}


def test_a_call_names_the_tile_and_whose_it_was():
    table = Round("55m34m2468p999s12z", dealer=3).turns((3, "5m"))
    assert table.offers(Call) == [Call("pon", ("5m", "5m"), "5m", 3), Call("chi", ("3m", "4m"), "5m", 3)]


def test_after_a_kan_nothing_is_asked_but_who_robs_it():
    table = Round("23m111m456p789s55z", dealer=1).turns((1, "1m"))
    own = table.call(0, "daiminkan", "111m", "1m", 1)
    assert own.legal == ()
    others = Round(DRAGONS, dealer=1).draw(1).call(1, "ankan", "2222s")
    assert others.legal == ()
    others.state.apply(DoraRevealed("8p"))
    assert others.legal == ()


def test_there_is_no_fifth_kan():
    table = Round("111m999p19s12345z", dealer=1)
    for tile in "234":
        table.draw(1).call(1, "ankan", tile * 4 + "s")
    table.draw(1).discard(1, "1m")
    assert table.calls("daiminkan") == {"1m 1m 1m"}
    assert table.calls("pon") == {"1m 1m"}
    table.turns((2, "7p"), (3, "7p"), (0, "7p")).draw(1).call(1, "ankan", "8888s").draw(1).discard(1, "9p")
    assert table.calls("daiminkan") == set()
    assert table.calls("pon") == {"9p 9p"}


def test_after_four_kans_of_one_seat_nobody_makes_one_of_its_own_tiles():
    table = Round("1111m99p1p19s1234z", dealer=1).turns((1, "9p")).call(0, "pon", "99p", "9p", 1)
    table.discard(0, "1s")
    for tile in "234":
        table.draw(1).call(1, "ankan", tile * 4 + "s")
    table.draw(1).discard(1, "6m").turns((2, "6m"), (3, "6m")).draw(0, "9p")
    assert (table.calls("ankan"), table.calls("kakan")) == ({"1m 1m 1m 1m"}, {"9p 9p 9p"})
    table.discard(0, "E").draw(1).call(1, "ankan", "8888s").draw(1).discard(1, "6m")
    table.turns((2, "7m"), (3, "7m")).draw(0, "7m")
    assert (table.calls("ankan"), table.calls("kakan")) == (set(), set())


def test_after_four_kans_of_several_seats_a_discard_may_be_won_on_but_not_called():
    """Unless somebody wins, the round ends with that discard."""
    for waiting, answers in ((False, ()), (True, (Win("9p", 3), Pass()))):
        hand = "111222m3399p" if waiting else "123m4699p1234z"
        table = Round(hand + ("555z" if waiting else "55z"), dealer=1)
        for tile in "234":
            table.draw(1).call(1, "ankan", tile * 4 + "s")
        table.draw(1).discard(1, "6m").turns((2, "7p"))
        table.draw(3).call(3, "ankan", "8888s").draw(3).discard(3, "9p")
        assert table.legal == answers


def test_an_added_kan_names_the_tiles_of_its_pon():
    table = Round("55m678m11p99s1234z", dealer=1).turns((1, "5mr")).call(0, "pon", "55m", "5mr", 1)
    table.discard(0, "N").turns((1, "W"), (2, "W"), (3, "N")).draw(0, "5m")
    assert table.offers(Call) == [Call("kakan", ("5m", "5m", "5mr"), "5m")]


def test_a_new_indicator_asks_nothing():
    table = Round("111m999p19s12345z", dealer=1).turns((1, "1m"))
    table.call(0, "daiminkan", "111m", "1m", 1).draw(0, "7p")
    assert table.legal
    assert table.apply(DoraRevealed("8p")).legal == ()


# ---- wins


def test_a_win_needs_a_yaku():
    assert Round(DRAGONS, dealer=3).turns((3, "P")).offers(Win) == [Win("P", 3)]
    assert Round(NO_YAKU, dealer=3).turns((3, "5m")).offers(Win) == []
    assert Round(NO_YAKU, dealer=3).turns((3, "N")).draw(0, "5m").offers(Win) == [Win("5m", 0)]


def test_the_last_discard_is_a_yaku():
    assert Round(NO_YAKU, dealer=3).leave(1).turns((3, "5m")).legal == (Win("5m", 3), Pass())


def test_an_added_kan_may_be_robbed_and_that_is_a_yaku():
    table = Round("46m456p789s123s99s", dealer=1)
    table.turns((1, "9m")).draw(2).discard(2, "5m")
    assert table.offers(Win) == []
    table.call(3, "pon", "55m", "5m", 2).discard(3, "9p").turns((0, "F"), (1, "F"), (2, "F"))
    table.draw(3).call(3, "kakan", "555m", "5mr")
    assert table.legal == (Win("5mr", 3), Pass())


def test_a_kan_may_still_be_robbed_after_the_indicator_of_the_kan_before():
    table = Round("46m456p789s123s99s", dealer=1)
    table.turns((1, "9m")).draw(2).discard(2, "5m").call(3, "pon", "55m", "5m", 2).discard(3, "9p")
    table.turns((0, "F"), (1, "E")).call(3, "daiminkan", "EEE", "E", 1).draw(3)
    table.call(3, "kakan", "555m", "5mr").apply(DoraRevealed("1p"))
    assert table.legal == (Win("5mr", 3), Pass())
    assert not table.state.furiten
    assert table.draw(3).state.furiten


def test_nobody_robs_a_kan_of_its_own():
    """The hand is tenpai for the tile it adds."""
    table = Round("55m46m456p789s99s1z", dealer=1).turns((1, "5m")).call(0, "pon", "55m", "5m", 1)
    table.discard(0, "E").turns((1, "9p"), (2, "9p"), (3, "9p")).draw(0, "5mr")
    assert table.call(0, "kakan", "555m", "5mr").state.waits == (4,)
    assert table.legal == ()
    assert table.apply(DoraRevealed("1p")).legal == ()


@pytest.mark.parametrize(("rules", "answers"), [(MAHJONG_SOUL, (Win("C", 1), Pass())), (Rules(), ())])
def test_thirteen_orphans_rob_a_closed_kan_where_the_rules_allow_it(rules, answers):
    table = Round("19m19p19s1234566z", dealer=1, rules=rules).draw(1).call(1, "ankan", "7777z")
    assert table.legal == answers


def test_no_other_hand_robs_a_closed_kan():
    table = Round("46m456p789s123s99s", dealer=1, rules=MAHJONG_SOUL).draw(1).call(1, "ankan", "5055m")
    assert table.state.waits == (4,)
    assert table.legal == ()
    table.draw(1).discard(1, "1p")
    assert not table.state.furiten


# ---- furiten


def test_own_discards_make_furiten_even_when_called_away():
    """Waits for 6s and 9s; our 6s is in another seat's pon."""
    table = Round("123m456p78s11555z").turns((0, "6s")).call(2, "pon", "66s", "6s", 0).discard(2, "1m")
    assert table.state.waits == (23, 26)
    assert table.state.furiten
    assert table.turns((3, "9s")).offers(Win) == []
    other = Round("123m456p78s11555z").turns((0, "2s")).call(2, "pon", "22s", "2s", 0).discard(2, "1m")
    assert other.turns((3, "9s")).offers(Win) == [Win("9s", 3)]


def test_temporary_furiten_lasts_until_the_own_discard():
    table = Round(DRAGONS, dealer=1).turns((1, "P"))
    assert table.offers(Win) == [Win("P", 1)]
    assert not table.state.furiten
    table.turns((2, "C"))
    assert table.state.furiten
    assert table.offers(Win) == []
    table.turns((3, "9p")).draw(0, "9p")
    assert table.state.furiten
    table.discard(0, "9p", from_draw=True)
    assert not table.state.furiten
    assert table.turns((1, "C")).offers(Win) == [Win("C", 1)]


def test_a_winning_tile_without_a_yaku_makes_furiten_too():
    table = Round(NO_YAKU, dealer=1).turns((1, "5m"))
    assert table.legal == ()
    assert table.turns((2, "9s")).state.furiten


def test_furiten_after_riichi_is_for_the_rest_of_the_round():
    table = Round(DRAGONS).riichi(0, "9p").turns((1, "P"))
    assert table.offers(Win) == [Win("P", 1)]
    table.turns((2, "9p"), (3, "9p"), (0, "8p"))
    assert table.state.furiten
    assert table.turns((1, "C")).offers(Win) == []
    assert table.turns((2, "7p"), (3, "7p")).draw(0, "P").offers(Win) == [Win("P", 0)]


# ---- riichi


def test_riichi_needs_tenpai_and_a_closed_hand():
    assert Riichi() in Round(READY).draw(0, "E").legal
    assert Riichi() not in Round("124m456p789s1235z").draw(0, "E").legal
    closed = Round("123m456p7777s112z").draw(0, "E").call(0, "ankan", "7777s").draw(0, "P")
    assert Riichi() in closed.legal
    opened = (
        Round("123m456p77s11122z", dealer=1).turns((1, "7s")).call(0, "pon", "77s", "7s", 1).discard(0, "S")
    )
    assert Riichi() not in opened.turns((1, "W"), (2, "W"), (3, "W")).draw(0, "P").legal


@pytest.mark.parametrize(("points", "possible"), [(1000, True), (900, False)])
def test_riichi_costs_a_thousand_points(points, possible):
    table = Round(READY, scores=(points, 99_000 - points, 500, 500)).draw(0, "E")
    assert (Riichi() in table.legal) == possible


@pytest.mark.parametrize(("left", "possible"), [(4, True), (3, False)])
def test_riichi_needs_four_tiles_in_the_wall(left, possible):
    table = Round(READY).leave(left + 1).draw(0, "E")
    assert table.state.tiles_left == left
    assert (Riichi() in table.legal) == possible


def test_the_riichi_discard_leaves_tenpai():
    table = Round(READY).draw(0, "E").apply(RiichiDeclared(0))
    assert table.discards() == {"S", "W"}


def test_a_fifth_copy_is_no_wait():
    """The Ruby server lets 1p go here, after which only a fifth 8m would win."""
    table = Round("34m8888m1p555777z").draw(0, "2m").apply(RiichiDeclared(0))
    assert table.discards() == {"8m"}


def test_in_riichi_only_the_drawn_tile_can_go():
    table = Round(DRAGONS).riichi(0, "9p").turns((1, "9p"), (2, "9p"), (3, "8p")).draw(0, "1m")
    assert table.legal == (Discard("1m", from_draw=True),)


@pytest.mark.parametrize(
    ("hand", "drawn", "kans"),
    [
        ("111m456p789s55p22z", "1m", {"1m 1m 1m 1m"}),
        ("111222333m999s4p", "1m", {"1m 1m 1m 1m"}),  # other readings vanish, the wait stays
        ("11123m456p789s22z", "1m", set()),  # a win
        ("2333m456p789s222z", "3m", set()),  # 1m 2m 4m would become 2m
        ("12333m456p789s11z", "3m", set()),  # a win, and the wait for 3m would lose its last tile
    ],
)
def test_a_kan_in_riichi_keeps_the_waits(hand, drawn, kans):
    table = Round(hand).riichi(0, "N").turns((1, "9p"), (2, "9p"), (3, "8p")).draw(0, drawn)
    assert table.calls("ankan") == kans


def test_four_tiles_held_since_before_riichi_are_no_kan_in_it():
    table = Round("1111m23m456p789s2z").riichi(0, "9p").turns((1, "9p"), (2, "9p"), (3, "8p")).draw(0, "C")
    assert table.legal == (Discard("C", from_draw=True),)


# ---- nine terminals


def test_nine_terminals_on_the_undisturbed_first_draw():
    assert NineTerminals() in Round(NINE).draw(0, "5m").legal
    assert NineTerminals() in Round(NINE, dealer=3).turns((3, "5p")).draw(0, "5m").legal
    assert NineTerminals() not in Round("19m19p19s12z23456m").draw(0, "5m").legal
    assert NineTerminals() in Round("19m19p19s12z23456m").draw(0, "W").legal


def test_nine_terminals_are_over_after_a_call_or_a_discard():
    called = Round(NINE, dealer=2).turns((2, "5p")).call(1, "pon", "55p", "5p", 2).discard(1, "8s")
    assert NineTerminals() not in called.turns((2, "8s"), (3, "8s")).draw(0, "5m").legal
    second = Round(NINE).turns((0, "5m"), (1, "8s"), (2, "8s"), (3, "8s")).draw(0, "5m")
    assert NineTerminals() not in second.legal
