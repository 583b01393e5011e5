"""Values of target hands against the score of each win, one at a time."""

import random

import numpy as np
import pytest

from manue.hand.complete import complete_readings, is_orphans, seven_pairs_kinds
from manue.hand.score import score_win, set_code
from manue.hand.shape import OPEN, TRIPLET
from manue.hand.value import ORPHANS, REGULAR, SEVEN_PAIRS, value_target, value_targets, win_context
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
