"""How a state follows a game, and what it refuses."""

import pickle

import pytest

from manue.errors import EventError
from manue.game.actions import Call
from manue.game.consistency import problems
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    GameEnd,
    GameStart,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundEnd,
    RoundStart,
    Won,
)
from manue.game.players import Phase
from manue.game.state import RoundState
from manue.rules import Rules
from tests.game.rounds import HIDDEN, Round, deal

HAND = "123m456p789s1122z"


# ---- points


def test_scores_are_kept_where_the_host_does_not_tell_them():
    table = Round(HAND, scores=None)
    assert table.state.scores == [25_000] * 4
    table.riichi(0, "9p")
    assert table.state.scores == [24_000, 25_000, 25_000, 25_000]
    assert table.state.deposits == 1
    table.turns((1, "E")).apply(Won(0, 1, deltas=(6_200, -5_200, 0, 0)), RoundEnd())
    assert table.state.scores == [30_200, 19_800, 25_000, 25_000]
    table.apply(deal(HAND, scores=None, honba=1))
    assert table.state.scores == [30_200, 19_800, 25_000, 25_000]


def test_scores_of_the_host_replace_our_own():
    table = Round(HAND, scores=(10_000, 20_000, 30_000, 38_000), deposits=2, number=3, honba=4, dealer=2)
    assert table.state.scores == [10_000, 20_000, 30_000, 38_000]
    table.draw(2).apply(RoundDrawn("x", scores=(10_100, 20_000, 29_900, 38_000)))
    assert table.state.scores == [10_100, 20_000, 29_900, 38_000]
    table.apply(deal(HAND, scores=(25_000,) * 4, deposits=0))
    assert table.state.scores == [25_000] * 4


def test_points_that_come_from_nowhere_are_a_problem():
    table = Round(HAND).draw(0, "9p")
    table.state.apply(RoundDrawn("x", deltas=(1000, 0, 0, 0)))
    assert problems(table.state) == ["101000 points on the table, 100000 at the start"]


def test_left_over_sticks_go_to_the_winner_of_the_game():
    table = Round(HAND, deposits=1, scores=(24_000, 25_000, 25_000, 25_000)).draw(0, "9p")
    table.apply(RoundDrawn("x", deltas=(0, 0, 0, 0)), RoundEnd(), GameEnd((24_000, 26_000, 25_000, 25_000)))
    assert table.state.deposits == 0


@pytest.mark.parametrize("before_end", [(), (RoundEnd(),)])
@pytest.mark.parametrize(
    ("place", "last"),
    [({"round_wind": "S", "number": 4}, 25_000), ({"number": 2}, -100)],
    ids=["last", "bust"],
)
def test_left_over_sticks_go_to_the_first_place_where_the_host_does_not_say_so(place, last, before_end):
    """Regression: the standings of tenhou.net/6 records lacked them."""
    table = Round(HAND, deposits=1, scores=(24_000, 50_000 - last, 25_000, last), **place).draw(0, "9p")
    table.apply(RoundDrawn("x", deltas=(0, 0, 0, 0)), *before_end, GameEnd())
    assert (table.state.scores, table.state.deposits) == ([24_000, 51_000 - last, 25_000, last], 0)


def test_a_record_that_ends_before_the_game_leaves_its_sticks():
    """Regression: those of a record of a single drawn round went to the first place."""
    table = Round(HAND, deposits=1, scores=(24_000, 25_000, 25_000, 25_000)).draw(0, "9p")
    table.apply(RoundDrawn("x", deltas=(0, 0, 0, 0)), RoundEnd(), GameEnd())
    assert (table.state.scores, table.state.deposits) == ([24_000, 25_000, 25_000, 25_000], 1)


def test_a_game_that_ends_amid_a_round_leaves_its_sticks():
    table = Round(HAND, deposits=1, scores=(24_000, 25_000, 25_000, 25_000)).draw(0, "9p").apply(GameEnd())
    assert (table.state.scores, table.state.deposits) == ([24_000, 25_000, 25_000, 25_000], 1)


# ---- games and rounds


def test_several_seats_win_on_one_tile():
    table = Round("123m456p789s5577z", dealer=1).turns((1, "P"))
    table.apply(Won(2, 1, "P", deltas=(0, -2000, 2000, 0)), Won(0, 1, "P", deltas=(1000, -1000, 0, 0)))
    assert table.state.winners == [2, 0]
    for seat, source in ((2, 1), (1, 1), (3, 0)):
        with pytest.raises(EventError):
            table.state.apply(Won(seat, source))


def test_a_drawn_tile_has_one_winner():
    table = Round(HAND).draw(0, "E").apply(Won(0, 0, "E"))
    with pytest.raises(EventError):
        table.state.apply(Won(1, 0))


@pytest.mark.parametrize("between", [(), (RoundEnd(),), (RoundDrawn(),), (RoundDrawn(), RoundEnd())])
def test_hosts_may_leave_out_how_a_round_ended(between):
    table = Round(HAND).draw(0, "E").discard(0, "1m")
    table.apply(*between, deal("789m456p123s4455z", dealer=3, number=2))
    assert table.state.hand == ["7m", "8m", "9m", "4p", "5p", "6p", "1s", "2s", "3s", "N", "N", "P", "P"]
    assert (table.state.dealer, table.state.number, table.state.seat_wind) == (3, 2, "S")
    assert table.state.tiles_left == 70
    assert table.state.event_count == 1


def test_a_game_may_be_joined_in_its_middle():
    state = RoundState(2)
    state.apply(GameStart(2, ("a", "b", "c", "d")))
    state.apply(RoundEnd())
    hands = (HIDDEN, HIDDEN, deal(HAND).hands[0], HIDDEN)
    state.apply(RoundStart("S", 3, 1, 1, 2, "1m", hands, (20_000, 30_000, 19_000, 30_000)))
    assert problems(state) == []
    assert (state.names, state.round_wind, state.seat_wind) == (("a", "b", "c", "d"), "S", "E")


def test_a_new_game_forgets_the_old_one():
    table = Round(HAND, scores=(1000, 2000, 3000, 94_000)).draw(0, "E")
    table.apply(GameStart())
    assert table.state.scores == [25_000] * 4
    assert table.state.total_points is None
    assert not table.state.in_round


def test_the_seat_must_be_ours():
    state = RoundState(1)
    state.apply(GameStart(None))
    state.apply(GameStart(1))
    with pytest.raises(EventError, match="gives seat 2 to the player in seat 1"):
        state.apply(GameStart(2))


# ---- tiles


def test_every_tile_is_seen_once():
    table = Round("123m456p789s1122z", dealer=3, indicator="E").turns((3, "3m"))
    assert table.state.visible[2] == 2
    table.call(1, "pon", "33m", "3m", 3)
    assert table.state.visible[2] == 4
    assert [tile.called_by for tile in table.state.players[3].river] == [1]
    assert table.state.players[3].safe[2]
    assert table.state.visible[27] == 3


def test_a_state_with_a_fault_names_it():
    table = Round(HAND).draw(0, "9p")
    table.state.visible[0] += 1
    table.state.players[2].hand_size = 12
    assert problems(table.state) == [
        "the visible tiles are miscounted",
        "52 concealed tiles after 1 draws, 0 discards and 0 laid down",
        "seat 2 holds 12 tiles with 0 melds",
    ]


# ---- riichi


def test_ippatsu_ends_with_a_call_or_the_next_discard():
    def ippatsu(table: Round) -> bool:
        return table.state.players[0].ippatsu

    table = Round(HAND).riichi(0, "9p")
    assert ippatsu(table)
    assert ippatsu(table.turns((1, "9p"), (2, "9p"), (3, "9m")))
    assert not ippatsu(table.turns((0, "8p")))
    table = Round(HAND).riichi(0, "9p").turns((1, "9m"))
    assert not ippatsu(table.call(3, "pon", "99m", "9m", 1))


def test_a_kan_that_can_be_robbed_leaves_ippatsu_until_it_is_not():
    table = Round(HAND, dealer=1).turns((1, "9m")).call(3, "pon", "99m", "9m", 1).discard(3, "9p")
    table.riichi(0, "8p").turns((1, "7p"), (2, "7p")).draw(3).call(3, "kakan", "999m", "9m")
    assert table.state.me.ippatsu
    assert not table.draw(3).state.me.ippatsu


def test_double_riichi_needs_an_undisturbed_first_turn():
    assert Round(HAND).riichi(0, "9p").state.me.double_riichi
    later = Round(HAND).turns((0, "9p"), (1, "9p"), (2, "9p"), (3, "9s")).riichi(0, "8p")
    assert not later.state.me.double_riichi
    called = Round(HAND, dealer=2).turns((2, "9m")).call(3, "pon", "99m", "9m", 2).discard(3, "9p")
    assert not called.riichi(0, "8p").state.me.double_riichi


def test_what_was_passed_is_remembered_until_a_hand_changes():
    table = Round(HAND, dealer=1).turns((1, "9m"), (2, "8m"), (3, "7p"), (0, "6p"), (1, "5p"))
    assert [bool(table.state.players[2].passed[kind]) for kind in (8, 7, 15, 14, 13)] == [1, 0, 1, 1, 0]
    table.draw(2).discard(2, "4s")
    assert not table.state.players[2].passed.any()
    assert table.draw(3).state.players[2].passed.sum() == 0


# ---- refusals

START = deal("122334m5p0p9s1122z")
MELD = (Draw(0, "9p"), Discarded(0, "E", from_draw=False), Called(2, Call("pon", ("E", "E"), "E", 0)))


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([Draw(1, None)], "seat 1 acts on the turn of seat 0"),
        ([Draw(0, None)], "the tile drawn by seat 0, which is ours, is hidden"),
        ([Draw(0, "5pr")], "a second 5pr"),
        ([Draw(7, None)], "7 is not a seat"),
        ([Draw(0, "9p"), Draw(0, "9p")], "waits for an action after a draw"),
        ([Discarded(0, "E", from_draw=False)], "waits for a draw or a call"),
        (
            [Draw(0, "9p"), Discarded(0, "8p", from_draw=False)],
            "8p is discarded from the hand, but it is not there",
        ),
        ([Draw(0, "E"), Draw(1, None)], "waits for an action after a draw"),
        (
            [Draw(0, "9p"), Discarded(0, "E", from_draw=True)],
            "E is discarded as just drawn, but 9p was drawn",
        ),
        ([Draw(0, "5p"), Discarded(0, "5pr", from_draw=True)], "5pr is discarded as just drawn, but 5p was"),
        ([*MELD, Discarded(2, "9m", from_draw=True)], "as just drawn after a call"),
        ([*MELD, Draw(3, None)], "waits for the discard after a call"),
        ([*MELD, Called(2, Call("ankan", ("N",) * 4))], "waits for the discard after a call"),
        ([*MELD, RiichiDeclared(2)], "waits for the discard after a call"),
        ([*MELD[:2], Called(2, Call("pon", ("W", "W"), "W", 0))], "but seat 0 discarded E"),
        ([*MELD[:2], Called(2, Call("pon", ("S", "S"), "E", 0))], "are not of the same kind"),
        ([*MELD[:2], Called(2, Call("daiminkan", ("E",) * 3, "E", 0))], "a fifth E"),
        ([*MELD[:2], Called(0, Call("pon", ("E", "E"), "E", 0))], "its own discard"),
        ([*MELD[:2], Called(1, Call("chi", ("S", "W"), "E", 0))], "is not a run"),
        ([*MELD[:2], Called(1, Call("pon", ("E",), "E", 0))], "pon with 1 tiles"),
        ([Called(1, Call("pon", ("E", "E"), "E", 0))], "nothing was discarded"),
        ([Draw(0, "E"), Called(0, Call("ankan", ("E",) * 4))], "does not hold E E E E"),
        ([Draw(0, "E"), Called(0, Call("kakan", ("E",) * 3, "E"))], "has no pon of E E E"),
        ([Draw(0, "9p"), RiichiAccepted(0)], "not declared and followed by a discard"),
        ([Draw(0, "9p"), RiichiDeclared(0), RiichiAccepted(0)], "not declared and followed by a discard"),
        ([Draw(0, "9p"), RiichiDeclared(0), RiichiDeclared(0)], "waits for the discard that declares riichi"),
        ([DoraRevealed("9p")], "dora indicator number 2 with 0 kans"),
        ([Won(1, 0)], "who offered no tile"),
        ([Draw(0, "9p"), Won(0, 0, "8p")], "8p, but 9p was drawn"),
        ([*MELD[:2], Won(1, 0, "S")], "wins on S, but E was offered"),
        ([RoundEnd(), Draw(0, "9p")], "waits for the start of a round"),
        ([RoundDrawn(), RoundDrawn()], "no round is being played"),
        ([RoundDrawn(deltas=(1, 2, 3))], "3 deltas for 4 seats"),
        ([deal("122334m5p0p9s112z")], "tiles instead of four times 13"),
        ([deal("122334m0p0p9s1122z")], "a second 5pr"),
        ([deal("11111m5p0p9s11222z")], "a fifth 1m"),
        ([deal("122334m5p0p9s1122z", number=5)], "round 5 of a wind"),
        ([deal("122334m5p0p9s1122z", honba=-1)], "neither can be negative"),
        ([deal("122334m5p0p9s1122z", round_wind="P")], "'P' is not a wind"),
        ([deal("122334m5p0p9s1122z", scores=(1, 2))], "2 scores for 4 seats"),
        (
            [RoundStart("E", 1, 0, 0, 0, "9p", (HIDDEN,) * 4)],
            "the hand of seat 0, which is ours, is hidden",
        ),
        (["tsumo"], "'tsumo' is not an event"),
    ],
)
def test_an_impossible_event_is_refused_in_one_line_and_changes_nothing(events, reason):
    state = RoundState(0)
    for event in (START, *events[:-1]):
        state.apply(event)
    before = pickle.dumps(state)
    with pytest.raises(EventError) as refusal:
        state.apply(events[-1])
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert pickle.dumps(state) == before


def test_a_drawn_tile_is_not_in_the_hand_but_for_a_dealer_who_is_dealt_fourteen():
    table = Round(HAND).draw(0, "9p").discard(0, "9p")
    assert table.state.hand == Round(HAND).state.hand
    table.turns((1, "1p"), (2, "1p"), (3, "1p")).draw(0, "8p")
    with pytest.raises(EventError, match="8p is discarded from the hand, but it is not there"):
        table.state.apply(Discarded(0, "8p", from_draw=False))


def test_riichi_binds_the_hand():
    table = Round(HAND).riichi(0, "9p").turns((1, "9m"), (2, "S"))
    for event in (Called(0, Call("pon", ("S", "S"), "S", 2)), RiichiAccepted(0)):
        with pytest.raises(EventError):
            table.state.apply(event)
    table.turns((3, "9m")).draw(0, "8p")
    for event in (Discarded(0, "1m", from_draw=False), RiichiDeclared(0)):
        with pytest.raises(EventError):
            table.state.apply(event)


def test_nobody_draws_from_an_empty_wall():
    table = Round(HAND).leave(1).turns((0, "9p"))
    with pytest.raises(EventError, match="no tile is left"):
        table.state.apply(Draw(1, None))
    with pytest.raises(EventError, match="when no tile is left to draw"):
        table.state.apply(Called(2, Call("pon", ("9p", "9p"), "9p", 0)))


def test_a_fifth_kan_is_refused():
    table = Round(HAND, dealer=1)
    for tile in "2345":
        table.draw(1).call(1, "ankan", f"{tile * 4}s" if tile != "5" else "0555s")
    table.draw(1).discard(1, "9m")
    with pytest.raises(EventError, match="a fifth kan"):
        table.state.apply(Called(3, Call("daiminkan", ("9m",) * 3, "9m", 1)))


def test_phases_say_what_is_awaited():
    table = Round(HAND, dealer=1)
    seen = [table.state.phase]
    for step in (
        lambda: table.draw(1),
        lambda: table.discard(1, "9m"),
        lambda: table.call(3, "pon", "99m", "9m", 1),
        lambda: table.discard(3, "1p").draw(0, "9p"),
        lambda: table.apply(RiichiDeclared(0)),
        lambda: table.discard(0, "9p", from_draw=True).draw(1).call(1, "ankan", "7777p"),
        lambda: table.apply(RoundDrawn()),
        lambda: table.apply(RoundEnd()),
    ):
        step()
        seen.append(table.state.phase)
    assert seen == [
        Phase.DRAW,
        Phase.ACT,
        Phase.DRAW,
        Phase.CALL_DISCARD,
        Phase.ACT,
        Phase.RIICHI_DISCARD,
        Phase.KAN_DRAW,
        Phase.ENDED,
        Phase.BETWEEN,
    ]


# ---- what is counted


def test_events_of_a_round_are_counted_from_its_start():
    state = RoundState(0)
    state.apply(GameStart(0))
    assert state.event_count == 0
    events = (START, Draw(0, "9p"), Discarded(0, "E", from_draw=False), Draw(1, None))
    for count, event in enumerate(events, 1):
        state.apply(event)
        assert state.event_count == count


def test_a_state_before_any_game_has_counted_nothing():
    assert RoundState(0).event_count == 0


def test_a_new_game_begins_with_the_first_round():
    table = Round(HAND, round_wind="S", number=3, dealer=2).draw(2)
    table.state.apply(GameStart())
    assert (table.state.round_wind, table.state.number) == ("E", 1)


def test_every_riichi_pays_a_stick():
    table = Round(HAND, scores=None, deposits=1).riichi(0, "9p").riichi(1, "9m")
    assert table.state.deposits == 3


def test_the_hand_is_in_order_after_a_kan_without_the_drawn_tile():
    table = Round("1111m9m1p9p1s9s12z55z").draw(0, "2p").call(0, "ankan", "1111m")
    assert table.state.hand == ["9m", "1p", "2p", "9p", "1s", "9s", "E", "S", "P", "P"]


def test_who_lets_a_closed_kan_pass_that_could_be_robbed_is_furiten():
    table = Round("19m19p19s1234566z", dealer=1, rules=Rules(kokushi_robs_closed_kan=True)).draw(1)
    table.call(1, "ankan", "7777z").draw(1)
    assert table.state.furiten
