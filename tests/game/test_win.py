"""What a win is worth is read off the state: indicators, honba, and how the tile came."""

import pytest

from manue.game.win import score_of_win
from tests.game.rounds import Round

TANYAO = "234m456p678s3366p"


@pytest.mark.parametrize(("indicator", "han"), [("N", 0), ("2p", 3)])
def test_dora_count_by_the_indicators_on_the_table(indicator, han):
    plain, counted = (
        score_of_win(Round(TANYAO, dealer=1, indicator=shown).turns((1, "3p")).state, "3p", 1)
        for shown in ("N", indicator)
    )
    assert counted.han == plain.han + han


def test_honba_are_paid_for():
    plain, late = (
        score_of_win(Round(TANYAO, dealer=1, honba=honba).turns((1, "3p")).state, "3p", 1) for honba in (0, 2)
    )
    assert late.ron == plain.ron + 600


def test_a_self_draw_is_after_a_kan_where_the_tile_came_from_the_dead_wall():
    def second_turn(hand):
        return Round(hand).turns((0, "9s"), (1, "9s"), (2, "9s"), (3, "9s")).draw(0, "3p")

    usual = score_of_win(second_turn(TANYAO).state, "3p", 0)
    kan = second_turn("1111m456p678s336p").call(0, "ankan", "1111m").draw(0, "6p")
    after_kan = score_of_win(kan.state, "6p", 0)
    assert dict(usual.yaku) == {"menzen tsumo": 1, "tanyao": 1}
    assert "rinshan" in dict(after_kan.yaku)
