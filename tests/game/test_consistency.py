"""Each fault that a recount can find, put into a sound state, is named in one sentence."""

from manue.game.consistency import problems
from manue.game.events import RoundDrawn, RoundEnd
from manue.tiles import Meld
from tests.game.rounds import Round, deal

HAND = "123m456p789s1122z"


def test_the_own_tiles_are_counted_again():
    table = Round(HAND)
    table.state.concealed.counts[0] += 1
    assert problems(table.state) == ["our tiles are miscounted"]


def test_a_red_five_is_there_once():
    table = Round("123m406p789s1122z", indicator="5p")
    table.state.dora_indicators[0] = "5pr"
    assert problems(table.state) == ["2 copies of 5pr"]


def test_melds_disturb_the_first_turn():
    table = Round(HAND, dealer=1).turns((1, "9m")).call(3, "pon", "99m", "9m", 1)
    table.state.undisturbed = True
    assert problems(table.state) == ["melds although nobody has called"]


def test_there_are_four_kans_at_most():
    table = Round(HAND)
    kans = [Meld("ankan", (tile,) * 4) for tile in ("6m", "7m", "8m", "9m", "1p")]
    for number in (4, 5):
        table.state.players[1].melds[:] = kans[:number]
        assert ("5 kans" in problems(table.state)) == (number == 5)


def test_after_riichi_every_discard_is_the_tile_drawn():
    table = Round(HAND).riichi(0, "9p").turns((1, "9m"), (2, "9m"), (3, "9m"), (0, "8p"))
    table.state.me.river[-1].from_draw = False
    assert problems(table.state) == ["seat 0: a discard from the hand after riichi"]


def test_no_points_are_lost_from_one_round_to_the_next():
    table = Round(HAND, deposits=1).draw(0, "9p").apply(RoundDrawn("fanpai"), RoundEnd())
    table.state.apply(deal(HAND, number=2, dealer=1, honba=1, scores=(26_000, *(25_000,) * 3)))
    assert problems(table.state) == []
    table = Round(HAND, deposits=1).draw(0, "9p").apply(RoundDrawn("fanpai"), RoundEnd())
    table.state.apply(deal(HAND, number=2, dealer=1, honba=1))
    assert problems(table.state) == ["100000 points on the table, 101000 at the start"]
