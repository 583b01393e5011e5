"""Scoring against published libraries, recorded games and worked examples."""

import doctest
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from manue.errors import HandError, TileError
from manue.hand import score
from manue.hand.points import (
    CELLS,
    FU_COLUMNS,
    base_points,
    cell_of,
    points_table,
    size_table,
    sizes_of_wins,
    split_by_size,
    win_total,
)
from manue.hand.score import Score, score_win
from manue.hand.yaku_list import BY_BIT, RENHOU, YAKU
from manue.rules import TENHOU
from manue.tiles import Meld, parse_tiles
from tests.conftest import FULL, GAMES
from tests.oracles.recorded_wins import recorded_wins
from tests.oracles.scorers import Verdict, ask_mahjong, ask_riichienv
from tests.oracles.situations import Situation, situation

DOUBLED = replace(TENHOU, double_yakuman_patterns=True)
SITUATIONS = 25_000 if FULL else 2_500


def scored(case: Situation, rules=TENHOU) -> Score | None:
    return score_win(case.closed, case.melds, case.win_tile, **case.circumstances, rules=rules)


def differences(score: Score | None, verdict: Verdict | None) -> set[str]:
    if score is None or verdict is None:
        return set() if score is verdict else {"winning at all"}
    return {
        name
        for name, ours, theirs in (
            ("ron", score.ron, verdict.ron),
            ("tsumo_dealer", score.tsumo_dealer, verdict.tsumo_dealer),
            ("tsumo_other", score.tsumo_other, verdict.tsumo_other),
            ("han", score.han, verdict.han),
            ("fu", score.fu, verdict.fu),
            ("yaku", {name for name, _ in score.yaku}, verdict.yaku),
        )
        if ours != theirs
    }


def test_agrees_with_two_libraries():
    """Known ways of theirs, set aside by name.

    - `mahjong` shows the fu of another reading of a yakuman, worth the same; riichienv shows none.
    - `mahjong` takes a tenhou on thirteen orphans for the 13-sided wait by the tile named as drawn alone.
    - riichienv names a dealer's payment to itself (the honba) in a dealer's self-draw.
    - riichienv may keep a reading counted to 13 han where another, worth the same, is a yakuman.
    """
    rng = random.Random(20_240)
    seen: Counter[str] = Counter()
    for _ in range(SITUATIONS):
        case = situation(rng)
        single, double = scored(case), scored(case, DOUBLED)
        seen.update(name for name, _ in single.yaku) if single else seen.update(["none"])
        aside = {"fu"} if single and single.yakuman else set()
        assert bool(aside) == bool(double and double.yakuman)
        assert differences(single, ask_mahjong(case)) <= aside, case
        if not {"tenhou", "kokushi musou"} <= {name for name, _ in (single.yaku if single else ())}:
            assert differences(double, ask_mahjong(case, doubled=True)) <= aside, case
        verdict = ask_riichienv(case)
        if double and double.dealer:
            aside |= {"tsumo_dealer"}
        if (
            double
            and double.yakuman == 1
            and verdict
            and verdict.han >= 13
            and "menzen tsumo" in verdict.yaku
        ):
            aside |= {"han", "yaku"}
        assert differences(double, verdict) <= aside, case
    assert {yaku.name for yaku in YAKU} - set(seen) == {BY_BIT[RENHOU].name}
    assert {"none", "dora", "ura dora", "red dora"} <= set(seen)


def test_agrees_with_every_win_of_the_sample_games():
    assert check_wins(GAMES) > 70


def test_agrees_with_every_recorded_win(records):
    games = sorted(records.glob("*/*.gz"))
    if not FULL:
        games = [path for path in games if path.parent.name == "hanchan_selected"] + games[::20]
    assert check_wins(games) > (16_000 if FULL else 1_500)


def check_wins(logs):
    """Compare every win of some logs with what they say of it; return how many there were."""
    wins = 0
    for win in (win for path in logs for win in recorded_wins(path)):
        wins += 1
        score = score_win(win.closed, win.melds, win.win_tile, **win.circumstances)
        assert score is not None, win
        assert set(score.yaku) == win.yaku, win
        assert score.han == win.han, win
        assert win.fu in (None, score.fu), win  # some records leave out the fu of limit hands
        assert score.points == win.points, win
        deltas = score.deltas(win.winner, win.dealer, win.source, liable=win.liable)
        deltas[win.winner] += 1000 * win.sticks
        assert deltas == win.deltas, win
    return wins


def of(text: str, win: str, *melds: Meld, **options) -> Score | None:
    return score_win(parse_tiles(text), melds, win, **({"seat_wind": "S"} | options))


def test_limits():
    names = [
        of("234567m234p45688s", "6s", riichi=True, dora_indicators=d).limit
        for d in ((), ("7s",), ("7s",) * 2)
    ]
    assert names == ["", "mangan", "haneman"]
    points = [win_total(base_points(han, 30, 0, TENHOU), dealer=False, tsumo=False) for han in range(1, 15)]
    assert points == [
        1000,
        2000,
        3900,
        7700,
        8000,
        12000,
        12000,
        16000,
        16000,
        16000,
        24000,
        24000,
        32000,
        32000,
    ]
    dealer = [win_total(base_points(han, 40, 0, TENHOU), dealer=True, tsumo=True) for han in range(1, 5)]
    assert dealer == [2100, 3900, 7800, 12000]


def test_rules_kiriage_mangan():
    kiriage = replace(TENHOU, kiriage_mangan=True)
    assert (base_points(4, 30, 0, kiriage), base_points(3, 60, 0, kiriage)) == (2000, 2000)
    assert base_points(4, 25, 0, kiriage) == 1600


def test_rules_counted_yakuman():
    assert base_points(13, 30, 0, replace(TENHOU, counted_yakuman=False)) == 6000
    assert base_points(14, 30, 0, TENHOU) == 8000


def test_rules_open_tanyao():
    chi = Meld("chi", ("2m", "3m", "4m"))
    hand = "567m234p45688s"
    assert of(hand, "6s", chi).yaku == (("tanyao", 1),)
    assert of(hand, "6s", chi, rules=replace(TENHOU, open_tanyao=False)) is None


def test_rules_red_fives():
    assert of("234067m234p45688s", "6s").yaku == (("pinfu", 1), ("tanyao", 1), ("red dora", 1))
    assert of("234067m234p45688s", "6s", rules=replace(TENHOU, red_fives=False)).han == 2


def test_rules_double_wind_pair():
    hand = "234567m123p444sEE"  # 20 + 2 self-draw + 2 kanchan + 4 triplet + pair
    four = of(hand, "2p", tsumo=True, seat_wind="E")
    two = of(hand, "2p", tsumo=True, seat_wind="E", rules=replace(TENHOU, double_wind_pair_fu=2))
    assert (four.fu, two.fu) == (40, 30)


def test_rules_renhou():
    assert of("234567m234p45699s", "6s", first_turn=True, rules=replace(TENHOU, renhou=True)).yaku[0] == (
        "renhou",
        5,
    )
    assert of("234567m234p45699s", "6s", first_turn=True).yaku == (("pinfu", 1),)


def test_rules_multiple_yakuman():
    hand = "EEESSSWWWNNNPP"
    assert of(hand, "P", tsumo=True).yakuman == 3
    assert of(hand, "P", tsumo=True, rules=DOUBLED).yakuman == 5
    assert of(hand, "P", tsumo=True, rules=replace(TENHOU, multiple_yakuman=False)).yakuman == 1
    assert of(hand, "P", tsumo=True, rules=replace(DOUBLED, multiple_yakuman=False)).yakuman == 2


@pytest.mark.parametrize(
    ("rules", "seat_wind", "yaku", "points"),
    [
        (DOUBLED, "E", {"tenhou", "kokushi musou 13-wait"}, 144_000),
        (TENHOU, "E", {"tenhou", "kokushi musou"}, 96_000),
        (DOUBLED, "S", {"chiihou", "kokushi musou"}, 64_000),
    ],
)
def test_a_heavenly_hand_of_thirteen_orphans_waits_on_all_where_yakuman_count_twice(
    rules, seat_wind, yaku, points
):
    """Regression: 96,000, where riichienv, which plays these rules, pays 144,000."""
    score = of("19m19p19sESWNPFCC", "E", tsumo=True, first_turn=True, seat_wind=seat_wind, rules=rules)
    assert ({name for name, _ in score.yaku}, score.points) == (yaku, points)


@pytest.mark.parametrize("rules", [TENHOU, DOUBLED])
def test_the_han_of_yakuman_that_count_twice_did_not_add_up_to_those_of_the_hand(rules):
    score = of("EEESSSWWWNNNPP", "P", tsumo=True, rules=rules)
    assert sum(han for _, han in score.yaku) == score.han == 13 * score.yakuman


def test_no_yaku_is_none():
    assert of("234m234p45699s", "5s", Meld("chi", ("7m", "8m", "9m"))) is None
    assert of("234m234p45699s", "5s", Meld("chi", ("7m", "8m", "9m")), dora_indicators=("8s",)) is None


def dragons(**options) -> Score:
    melds = [Meld("pon", (tile,) * 3) for tile in "PFC"]
    return of("23455p", "5p", *melds, **options)


def test_pao_self_draw_is_paid_by_the_liable_seat_alone():
    assert dragons(tsumo=True, honba=2).deltas(1, 0, liable=3) == [0, 32_600, 0, -32_600]


def test_pao_ron_is_halved_and_the_liable_seat_pays_honba():
    assert dragons(honba=1).deltas(1, 0, 2, liable=3) == [0, 32_300, -16_000, -16_300]


def test_pao_seat_that_deals_in_pays_all():
    assert dragons(honba=1).deltas(1, 0, 3, liable=3) == [0, 32_300, 0, -32_300]


def test_pao_covers_only_its_own_yakuman_or_all():
    melds = [Meld("pon", (tile,) * 3) for tile in "PFC"]
    drawn = of("EEESS", "E", *melds, tsumo=True, honba=1)
    assert drawn.yakuman == 2
    assert drawn.deltas(1, 0, liable=3, liable_yakuman=1) == [-16_000, 64_300, -8_000, -40_300]
    ron = of("EEESS", "E", *melds, honba=1)
    assert ron.deltas(1, 0, 2, liable=3, liable_yakuman=1) == [0, 64_300, -48_000, -16_300]
    assert drawn.deltas(1, 0, liable=3) == [0, 64_300, 0, -64_300]
    assert ron.deltas(1, 0, 2, liable=3) == [0, 64_300, -32_000, -32_300]


def test_deltas_refuse_seats_that_contradict_the_score():
    with pytest.raises(HandError, match="contradict"):
        dragons().deltas(1, 1, 2)
    with pytest.raises(HandError, match="contradict"):
        dragons(tsumo=True).deltas(1, 0, 2)


@pytest.mark.parametrize(
    ("seats", "liability", "reason"),
    [
        ((1, 0, 7), {}, "7 is not a seat, 0 to 3"),
        ((1, 0, -1), {}, "-1 is not a seat"),
        ((-3, 0, 2), {}, "-3 is not a seat"),
        ((1, 9, 2), {}, "9 is not a seat"),
        ((1, 0, 2), {"liable": 9}, "9 is not a seat"),
        ((1, 0, 2), {"liable": 3, "liable_yakuman": 2}, "liable for 2 yakuman of 1"),
        ((1, 0, 2), {"liable": 3, "liable_yakuman": 0}, "liable for 0 yakuman of 1"),
    ],
)
def test_payments_of_seats_that_do_not_exist_did_not_add_up(seats, liability, reason):
    with pytest.raises(HandError, match=reason):
        dragons().deltas(*seats, **liability)


@pytest.mark.parametrize(
    ("tiles", "win", "melds", "options", "message"),
    [
        ("234567m234p4568s", "6s", [], {}, "13 concealed tiles"),
        ("234567m234p45688s", "9s", [], {}, "winning tile 9s"),
        ("11111m23456p888s", "8s", [], {}, "13 concealed"),
        ("8s", "8s", [Meld("pon", ("P",) * 3)], {}, "1 concealed tile with 1 meld; a win has 11"),
        ("11111m234p456s888s", "8s", [], {}, "5 copies of 1m"),
        ("234567m234p45679s", "6s", [], {}, "not a complete hand"),
        ("234m", "2m", [Meld("pon", (t,) * 3) for t in "ESWNP"], {}, "5 melds"),
        ("567m234p45688s", "6s", [Meld("chi", ("2m", "3m", "4m"))], {"riichi": True}, "riichi is impossible"),
        ("234567m234p45688s", "6s", [], {"ippatsu": True}, "ippatsu"),
    ],
)
def test_bad_input_names_the_reason(tiles, win, melds, options, message):
    with pytest.raises(HandError, match=message):
        of(tiles, win, *melds, **options)


def test_unknown_names_are_refused():
    hand = parse_tiles("234567m234p45688s")
    with pytest.raises(TileError, match="'5z' is not a tile"):
        score_win(["5z", *hand[1:]], [], "8s")
    with pytest.raises(TileError, match="'0m' is not a tile"):
        score_win(hand, [], "8s", dora_indicators=("0m",))
    with pytest.raises(HandError, match="'X' is not a wind"):
        score_win(hand, [], "8s", seat_wind="X")


def test_points_tables_hold_the_payments():
    table = points_table(TENHOU, dealer=True, tsumo=False)
    assert table.shape == (CELLS,)
    assert table[cell_of(3, 30, 0)] == 5800
    assert table[cell_of(0, 0, 2)] == 96_000
    assert table[cell_of(0, 30, 0)] == 0
    shifted = points_table(TENHOU, dealer=True, tsumo=False, extra_han=(0.75, 0.25))
    assert shifted[cell_of(3, 30, 0)] == pytest.approx(0.75 * 5800 + 0.25 * 11600)


@pytest.mark.parametrize("dealer", [False, True])
@pytest.mark.parametrize("tsumo", [False, True])
def test_tables_of_sizes_keep_the_points_of_every_cell(dealer, tsumo):
    sizes = sizes_of_wins(dealer=dealer, tsumo=tsumo)
    assert (np.diff(sizes) > 0).all()
    for extra in ((1.0,), (0.5, 0.3, 0.2)):
        options = {"dealer": dealer, "tsumo": tsumo, "extra_han": extra}
        table, points = size_table(TENHOU, **options), points_table(TENHOU, **options)
        assert (table >= 0).all()
        assert table.sum(axis=1) == pytest.approx((points > 0).astype(float), abs=1e-6)
        cells = np.arange(CELLS)  # from 30 fu on: there is no hand of 1 han and less
        real = (cells % FU_COLUMNS >= 3) & (points > 0) & (points <= sizes[-1])
        assert (table @ sizes)[real] == pytest.approx(points[real], rel=1e-4)
    mangan = size_table(TENHOU, dealer=dealer, tsumo=tsumo)[cell_of(5, 30, 0)]
    assert mangan.tolist() == (sizes == (12_000 if dealer else 8_000)).tolist()


def test_points_between_two_sizes_are_divided_and_others_count_for_the_outermost():
    sizes = sizes_of_wins(dealer=False, tsumo=False)
    assert sizes.tolist() == [1000, 2000, 3900, 5200, 8000, 12_000, 16_000, 32_000, 64_000]
    split = split_by_size(np.array([500.0, 1300.0, 8000.0, 24_000.0, 64_000.0, 96_000.0]), sizes)
    assert split[0].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert split[1] == pytest.approx([0.7, 0.3, 0, 0, 0, 0, 0, 0, 0])
    assert split[2].tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert split[3] == pytest.approx([0, 0, 0, 0, 0, 0, 0.5, 0.5, 0])
    assert split[4].tolist() == split[5].tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 1]


def test_examples_in_the_documentation():
    assert doctest.testmod(score).attempted > 0
    assert doctest.testmod(score).failed == 0
