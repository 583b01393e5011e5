"""Values of target hands against the score of each win, one at a time."""

import random

import numpy as np
import pytest

from manue.hand.complete import complete_readings, is_orphans, seven_pairs_kinds
from manue.hand.points import SIZES, sizes_of_wins
from manue.hand.score import score_win, set_code
from manue.hand.shape import OPEN, TRIPLET
from manue.hand.value import (
    ORPHANS,
    REGULAR,
    SEVEN_PAIRS,
    add_sizes,
    value_target,
    value_targets,
    win_context,
)
from manue.rules import MAHJONG_SOUL, TENHOU
from manue.tiles import KIND_OF, TERMINALS_AND_HONORS, counts_of, dora_of
from tests.conftest import FULL
from tests.oracles.situations import situation

EVEN = np.ones(34, np.float32)


def batch(targets, scene):
    """Value target hands given as (form, codes, pair, kinds, lasts, dora)."""
    forms, sets, pairs, kinds, lasts, dora = zip(*targets, strict=True)
    out = np.full((len(targets), 4), np.nan, np.float32)
    value_targets(
        np.array(forms, np.int8),
        np.array(sets, np.int16),
        np.array(pairs, np.int8),
        np.array(kinds, np.int64),
        np.array(lasts, np.int64),
        np.array(dora, np.float32),
        scene,
        out,
    )
    return out


def goals_of(closed, melds, win, dora):
    """Every reading of a complete hand as a target hand that lacks one tile."""
    counts = counts_of(closed)
    last = 1 << KIND_OF[win]
    readings = np.empty((64, 5), np.int16)
    n = complete_readings(counts, 4 - len(melds), readings)
    codes = [set_code(meld) for meld in melds]
    targets = [(REGULAR, (*row[: 4 - len(melds)], *codes), row[4], 0, last, dora) for row in readings[:n]]
    if not melds and (kinds := seven_pairs_kinds(counts)):
        targets.append((SEVEN_PAIRS, (0, 0, 0, 0), -1, kinds, last, dora))
    if not melds and is_orphans(counts):
        pair = next(kind for kind in TERMINALS_AND_HONORS if counts[kind] == 2)
        targets.append((ORPHANS, (0, 0, 0, 0), pair, 0, last, dora))
    return targets


def test_best_reading_is_worth_what_score_win_says():
    rng = random.Random(7)
    for _ in range(10_000 if FULL else 1_000):
        case = situation(rng)
        seat, wind = case.circumstances["seat_wind"], case.circumstances["round_wind"]
        indicators = case.circumstances["dora_indicators"]
        tiles = [*case.closed, *(tile for meld in case.melds for tile in meld.tiles)]
        kinds = [KIND_OF[tile] for tile in tiles]
        dora = sum(kinds.count(dora_of(i)) for i in indicators) + sum(len(tile) == 3 for tile in tiles)
        best = batch(
            goals_of(case.closed, case.melds, case.win_tile, dora), win_context(seat, wind, EVEN)
        ).max(0)
        closed = not any(meld.is_open for meld in case.melds)
        for column, (riichi, tsumo) in enumerate(
            ((False, True), (False, False), (True, True), (True, False))
        ):
            if riichi and not closed:
                assert best[column] == 0
                continue
            score = score_win(
                case.closed,
                case.melds,
                case.win_tile,
                tsumo=tsumo,
                riichi=riichi,
                dora_indicators=indicators,
                seat_wind=seat,
                round_wind=wind,
            )
            assert best[column] == (score.total if score else 0), (case, column)


def sizes_of(target, scene, riichi):
    """How likely each size is by self-draw and by ron: of one target hand."""
    form, codes, pair, kinds, lasts, dora = target
    out = np.zeros((2, SIZES))
    codes = tuple(int(code) for code in codes)
    add_sizes(form, codes, int(pair), int(kinds), lasts, float(dora), scene, riichi, out)
    return out


@pytest.mark.parametrize("riichi_han", [(1.0,), (0.5, 0.35, 0.15)])
def test_sizes_have_the_mean_of_the_value(riichi_han):
    rng = random.Random(11)
    checked = 0
    for _ in range(2_000 if FULL else 300):
        case = situation(rng)
        seat, wind = case.circumstances["seat_wind"], case.circumstances["round_wind"]
        scene = win_context(seat, wind, EVEN, riichi_han=riichi_han)
        grid = [sizes_of_wins(dealer=seat == "E", tsumo=tsumo) for tsumo in (True, False)]
        for target in goals_of(case.closed, case.melds, case.win_tile, rng.choice((0, 1, 2.5))):
            values = batch([target], scene)[0]
            for riichi in (0, 1):
                for way, row in enumerate(sizes_of(target, scene, riichi)):
                    value = values[2 * riichi + way]
                    assert row.sum() == pytest.approx(float(value > 0), abs=1e-5)
                    if value < grid[way][-1] and row[-1] == 0:
                        assert row @ grid[way] == pytest.approx(value, rel=1e-4)
                        checked += value > 0
    assert checked > 300


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL])
def test_orphans_are_doubled_where_the_last_tile_makes_the_pair_and_the_rules_say_so(rules):
    scene = win_context("S", "E", EVEN, rules=rules)
    sizes = sizes_of_wins(dealer=False, tsumo=False).tolist()
    for lasts, on_pair in ((1 << 27, 1.0), (1 << 33, 0.0), (1 << 27 | 1 << 33, 0.5)):
        doubled = on_pair * rules.double_yakuman_patterns
        target = (ORPHANS, (0, 0, 0, 0), 27, 0, lasts, 0)
        value = batch([target], scene)[0]
        assert value.tolist() == [32_000 * (1 + doubled)] * 4
        for row in sizes_of(target, scene, riichi=0):
            assert row[sizes.index(32_000)] == 1 - doubled
            assert row[sizes.index(64_000)] == doubled


TANYAO = (1, 10 + 3, 19, 21, 7)  # 234m 567p 234s 456s 88m


def test_mean_over_the_last_tiles_follows_the_weights():
    weights = np.zeros(34, np.float32)
    weights[[1, 2]] = 3, 1  # 2m: ryanmen and pinfu; 3m: kanchan
    target = (REGULAR, TANYAO[:4], TANYAO[4], 0, 1 << 1 | 1 << 2, 0)
    value = batch([target], win_context("S", "E", weights))[0]
    # ron: pinfu tanyao 30 fu 2000, tanyao 40 fu 1300; with riichi 3900 and 2600
    assert value[1] == pytest.approx((3 * 2000 + 1300) / 4)
    assert value[3] == pytest.approx((3 * 3900 + 2600) / 4)
    assert batch([target], win_context("S", "E", np.zeros(34, np.float32)))[0].tolist() == [0, 0, 0, 0]


def test_dora_between_whole_numbers_is_interpolated():
    targets = [(REGULAR, TANYAO[:4], TANYAO[4], 0, 1 << 1, dora) for dora in (0, 0.25, 1)]
    none, quarter, one = batch(targets, win_context("S", "E", EVEN))
    assert quarter == pytest.approx(0.75 * none + 0.25 * one)


def test_ura_dora_raise_riichi_alone():
    plain, ura = (
        batch([(REGULAR, TANYAO[:4], TANYAO[4], 0, 1 << 1, 0)], win_context("S", "E", EVEN, riichi_han=han))[
            0
        ]
        for han in ((1.0,), (0.5, 0.5))
    )
    assert ura[:2].tolist() == plain[:2].tolist()
    assert ura[3] == pytest.approx((3900 + 7700) / 2)


def test_sizes_follow_the_last_tile_and_the_dora_under_the_wall():
    weights = np.zeros(34, np.float32)
    weights[[1, 2]] = 3, 1  # 2m: pinfu tanyao, 2000 by ron and 3900 with riichi; 3m: tanyao, 1300 and 2600
    target = (REGULAR, TANYAO[:4], TANYAO[4], 0, 1 << 1 | 1 << 2, 0)
    scene = win_context("S", "E", weights, riichi_han=(0.5, 0.5))
    ron, riichi = (sizes_of(target, scene, declared)[1] for declared in (0, 1))
    assert ron == pytest.approx([0.25 * 0.7, 0.75 + 0.25 * 0.3, 0, 0, 0, 0, 0, 0, 0])
    small = (3900 - 2600) / 1900
    mangan = (7700 - 5200) / 2800  # with one more: 7700, between 5200 and 8000; 2600 becomes 5200
    sizes = [0, 0.125 * small, 0.375 + 0.125 * (1 - small), 0.375 * (1 - mangan) + 0.125, 0.375 * mangan]
    assert riichi == pytest.approx([*sizes, 0, 0, 0, 0], abs=1e-6)


def test_open_hand_without_yaku_is_worth_nothing():
    sets = (1 + OPEN, 12, 19, 27 + 3 + TRIPLET + OPEN)  # N is neither seat nor round wind
    value = batch([(REGULAR, sets, 7, 0, 1 << 19, 2)], win_context("S", "E", EVEN))[0]
    assert value.tolist() == [0, 0, 0, 0]


def test_a_tile_of_a_called_set_cannot_be_the_last():
    sets = (1 + OPEN, 12, 19, 21)
    value = batch([(REGULAR, sets, 7, 0, 1 << 1, 0)], win_context("S", "E", EVEN))[0]
    assert value.tolist() == [0, 0, 0, 0]


def test_one_goal_alone_equals_the_batch():
    scene = win_context("E", "E", EVEN, riichi_han=(0.7, 0.3))
    alone = value_target(REGULAR, TANYAO[:4], TANYAO[4], 0, 1 << 1 | 1 << 3, 1.5, scene)
    assert batch([(REGULAR, TANYAO[:4], TANYAO[4], 0, 1 << 1 | 1 << 3, 1.5)], scene)[0] == pytest.approx(
        alone
    )
