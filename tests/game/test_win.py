"""What a win is worth is read off the state: indicators, honba, and how the tile came."""

from itertools import product

import pytest

from manue.game.events import DoraRevealed
from manue.game.state import RoundState
from manue.game.win import deltas_of_win, feeders, score_of_win, scores_of_win
from manue.hand.score import score_win
from manue.rules import MAHJONG_SOUL, TENHOU
from manue.tiles import KINDS, Meld
from tests.game.rounds import Round, deal

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


def test_the_chances_of_two_ura_indicators_are_those_of_all_pairs():
    found = Round(TANYAO, dealer=3).turns((3, "N")).riichi(0, "W").draw(1).call(1, "ankan", "1111m")
    found.apply(DoraRevealed("9m")).draw(1)
    state = found.discard(1, "3p", from_draw=True).state
    left = {tile: 4 - int(count) for tile, count in zip(KINDS, state.visible, strict=True)}
    slow = dict.fromkeys(range(20), 0.0)
    for pair in product(left, repeat=2):
        score = score_of_win(state, "3p", 1, ura_indicators=pair)
        slow[score.han] += left[pair[0]] * left[pair[1]] / sum(left.values()) ** 2
    fast = dict.fromkeys(range(20), 0.0)
    for chance, score in scores_of_win(state, "3p", 1):
        fast[score.han] += chance
    assert sum(chance > 0.0 for chance in fast.values()) > 4
    assert fast == pytest.approx(slow)


def three_dragons():
    """Seat 0 has called all dragons, the last one from seat 3, and waits for 1-4 of manzu; seat 1 deals."""
    found = Round("PPFFCC23m99s147p", dealer=1, indicator="E")
    found.turns((1, "P")).call(0, "pon", "PP", "P", 1).discard(0, "1p")
    found.turns((1, "W"), (2, "F")).call(0, "pon", "FF", "F", 2).discard(0, "4p")
    found.turns((1, "W"), (2, "W"), (3, "C")).call(0, "pon", "CC", "C", 3).discard(0, "7p")
    return found


@pytest.mark.parametrize(
    ("source", "deltas"),
    [(0, [32_000, 0, 0, -32_000]), (1, [32_000, -16_000, 0, -16_000]), (3, [32_000, 0, 0, -32_000])],
)
def test_who_fed_the_last_dragon_pays_for_it(source, deltas):
    """Regression: expected places after a win were those of payments by the others, too."""
    before = [(seat, "8s") for seat in range(1, source or 4)]
    found = three_dragons().turns(*before).draw(source, None if source else "4m")
    state = (found.discard(source, "4m") if source else found).state
    assert deltas_of_win(state, score_of_win(state, "4m", source), source) == deltas
    assert feeders(state.me.melds) == (3, None)


def winds(*sources):
    return [Meld("pon", (wind,) * 3, wind, source) for wind, source in zip("ESWN", sources, strict=True)]


def test_only_who_fed_the_last_of_all_winds_is_liable():
    assert feeders(winds(1, 2, 3, 1)) == (None, 1)
    assert feeders([*winds(1, 2, 3, 1)[:3], Meld("ankan", ("N",) * 4)]) == (None, None)
    assert feeders(winds(1, 2, 3, 1)[:3]) == (None, None)


@pytest.mark.parametrize(
    ("rules", "deltas"),
    [(TENHOU, [64_000, 0, -64_000, 0]), (MAHJONG_SOUL, [96_000, -16_000, -72_000, -8_000])],
)
def test_how_many_yakuman_are_paid_for_by_who_fed_the_last_wind(rules, deltas):
    """Big four winds with honors alone: all is paid for on Tenhou, the winds alone in Mahjong Soul."""
    state = RoundState(0, rules)
    state.apply(deal("EESSWWNNPP11m2m", dealer=1))
    state.me.melds.extend(winds(1, 1, 1, 2))
    score = score_win(["P", "P"], state.me.melds, "P", tsumo=True, seat_wind="N", rules=rules)
    assert deltas_of_win(state, score, 0) == deltas
