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
    kan = Round("1111m456p678s336p", dealer=1).turns((1, "9s"), (2, "9s"), (3, "9s")).draw(0, "3p")
    after_kan = score_of_win(kan.call(0, "ankan", "1111m").draw(0, "6p").state, "6p", 0)
    usual = Round(TANYAO, dealer=1).turns((1, "9s"), (2, "9s"), (3, "9s")).draw(0, "3p")
    assert "rinshan" in dict(after_kan.yaku)
    assert "rinshan" not in dict(score_of_win(usual.state, "3p", 0).yaku)
