"""Monte Carlo draws against plain re-evaluation of the same draws and against listing every draw."""

from itertools import product

import numpy as np
import pytest

from manue.draws import sampling
from manue.draws.frequent_hands import frequent_hands
from manue.draws.sampling import NO_DISCARD
from manue.draws.target_hands import find_target_hands
from manue.draws.win import (
    LOCKED,
    RIICHI,
    SILENT,
    WinStatistics,
    described_targets,
    estimate_wins,
    values_of_targets,
)
from manue.features.hand_view import HandView
from manue.hand.points import sizes_of_wins
from manue.rules import TENHOU
from manue.tiles import KIND_OF, Meld, counts_of, parse_tiles
from tests.oracles import target_hands as oracle


def view_of(text, own_draws, melds=(), unseen=None, reds=(0, 0, 0), dora=()):
    counts = counts_of(parse_tiles(text))
    left = (4 - counts if unseen is None else np.asarray(unseen)).astype(np.int8)
    han = [0] * 34
    for tile in dora:
        han[KIND_OF[tile]] += 1
    return HandView(counts, reds, melds, left, (0, 0, 0), own_draws, tuple(han), "S", "E")


def valued_targets(view, extra):
    targets = find_target_hands(view.counts, view.unseen, len(view.melds), extra)
    wanted = np.ones(len(targets.forms), np.bool_)
    return targets, values_of_targets(described_targets(view, targets, WinStatistics(), TENHOU), wanted)


def drawn_in_each_trial(rows, mc_draws):
    for mc_draw in range(mc_draws):
        word, bit = mc_draw >> 6, 1 << (mc_draw & 63)
        yield [sum(int(rows[4 * kind + c, word]) & bit != 0 for c in range(4)) for kind in range(34)]


@pytest.mark.parametrize(
    ("text", "melds"),
    [
        ("123456m23p4478s13z", ()),
        ("123456m23p4478s1z", ()),
        ("1122m3344p556s17z", ()),
        ("2234455678m", (Meld("pon", ("P",) * 3, "P", 1),)),
        ("2244m3p66778s567z", ()),
        ("123456m23p44778s6z", ()),
        ("123456m23p44789s", ()),
        ("123456m11p44789s", ()),
        ("123456m23p44789s1p", ()),
        ("1122m3344p556677s", ()),
        ("19m19p19s12345677z", ()),
    ],
)
def test_monte_carlo_draws_equal_their_plain_evaluation(text, melds):
    view = view_of(text, 10, melds, dora=("5m", "4s"))
    mc_draws = 300
    result = estimate_wins(view, seed=5, mc_draws=mc_draws)
    targets, values = valued_targets(view, 1)
    rows = sampling.draw_rows(view.unseen, 10, mc_draws, 1.0, 5)
    options = [NO_DISCARD] if view.counts.sum() % 3 == 1 else [int(k) for k in np.flatnonzero(view.counts)]
    for column in (SILENT, RIICHI, LOCKED):
        worth, most = values[:, min(column, RIICHI)], 1 if column == LOCKED else targets.bound
        for option in options:
            wins, points = plain_wins(view, targets, worth, option, most, drawn_in_each_trial(rows, mc_draws))
            if column != SILENT and melds:
                wins, points = 0, 0.0
            assert result.prob[column, option] * mc_draws == pytest.approx(wins)
            assert result.points[column, option] * wins == pytest.approx(points, rel=1e-4)


def test_only_target_hands_that_a_draw_reaches_are_valued():
    view, mc_draws = view_of("123456m23p4478s13z", 6), 100
    targets, values = valued_targets(view, 1)
    rows = sampling.draw_rows(view.unseen, 6, mc_draws, 1.0, 5)
    reached = sampling.reached_targets(targets.members, sampling.part_rows(targets.parts, rows))
    drawn = [np.array(tiles) for tiles in drawn_in_each_trial(rows, mc_draws)]
    needed = [targets.needed(target) for target in range(len(values))]
    assert reached.tolist() == [any((need <= tiles).all() for tiles in drawn) for need in needed]
    assert 0 < reached.sum() < len(reached)
    kept = estimate_wins(view, 5, mc_draws, keep_targets=True).tally
    assert np.array_equal(kept.values, values * reached[:, None])


@pytest.mark.parametrize("text", ["123456m23p4478s13z", "1122m3344p556s17z", "340678m234p34s22z1z"])
def test_the_ways_of_the_wins_have_their_mean_points(text):
    statistics = WinStatistics((0.35, 0.5), (0.5, 0.35, 0.15))
    result = estimate_wins(view_of(text, 10, dora=("5m", "4s")), 5, win_statistics=statistics)
    sizes = np.stack([sizes_of_wins(dealer=False, tsumo=tsumo) for tsumo in (True, False)])  # the seat is S
    won = result.prob > 0
    assert won.any()
    assert result.ways.sum(axis=(2, 3)) == pytest.approx(won.astype(float))
    means = (result.ways * sizes).sum(axis=(2, 3))
    inside = won & (result.ways[:, :, :, -1].sum(axis=2) == 0)
    for row in (RIICHI, LOCKED):
        assert means[row][inside[row]] == pytest.approx(result.points[row][inside[row]], rel=1e-3)
    # a last tile without a yaku counts for nothing in the points, but is no win by ron
    assert (means[SILENT] >= 0.999 * result.points[SILENT])[inside[SILENT]].all()
    by_draw = result.ways[:, :, 0].sum(axis=2)
    assert by_draw[RIICHI][won[RIICHI]] == pytest.approx(0.5, abs=1e-6)
    assert (by_draw[SILENT][won[SILENT]] >= 0.35 - 1e-6).all()  # without a yaku by self-draw alone


def test_a_closed_hand_without_yaku_wins_by_self_draw_alone():
    estimate = estimate_wins(view_of("123456m24p789s11z", 10), 1, extra=0)
    silent, riichi = estimate.ways[SILENT, NO_DISCARD], estimate.ways[RIICHI, NO_DISCARD]
    assert silent.sum(axis=1) == pytest.approx([1.0, 0.0])
    assert riichi.sum(axis=1) == pytest.approx([0.4, 0.6])


def plain_wins(view, targets, values, option, most, own_draws):
    """Count wins of one option: the best target hand that the drawn tiles complete after the discard."""
    hand = view.counts.copy()
    if option != NO_DISCARD:
        hand[option] -= 1
    targets = [targets.tiles(row) for row in range(len(values))]
    needs = [np.maximum(tiles - hand, 0) for tiles in targets]
    wins, points = 0, 0.0
    for drawn in own_draws:
        reached = [
            value
            for need, value in zip(needs, values, strict=True)
            if value > 0 and need.sum() <= most and (need <= drawn).all()
        ]
        if reached:
            wins += 1
            points += in_steps(reached)
    return wins, points


def in_steps(values):
    """Target hands within 50 points of each other are taken in the order they are listed."""
    best = max(int(value / 50) for value in values)
    return float(next(value for value in values if int(value / 50) == best))


def test_the_chance_is_that_of_all_draws_listed():
    unseen = np.zeros(34, np.int8)
    unseen[[0, 3, 10, 13, 20, 27]] = [2, 3, 2, 4, 3, 2]
    view = view_of("2355m456p678s112z", 3, unseen=unseen)
    targets, values = valued_targets(view, 3)
    targets = [
        tuple((int(kind), int(targets.needed(row)[kind])) for kind in np.flatnonzero(targets.needed(row)))
        for row in range(len(values))
        if values[row, SILENT] > 0
    ]
    exact = oracle.reach_prob(targets, unseen.tolist(), 3)
    result = estimate_wins(view, seed=1, mc_draws=100_000, extra=3)
    option = NO_DISCARD
    assert 0 < exact < 1
    assert abs(result.prob[SILENT, option] - exact) < 4 * result.prob_error[SILENT, option]


def test_draws_are_fair_and_without_replacement():
    unseen = np.array([4, 1] + [0] * 31 + [3], np.int8)
    rows = sampling.draw_rows(unseen, 5, 20_000, 1.0, 9)
    drawn = np.array(list(drawn_in_each_trial(rows, 20_000)))
    assert (drawn <= unseen).all()
    assert (drawn.sum(1) == 5).all()
    assert drawn.mean(0)[[0, 1, 33]] == pytest.approx(np.array([4, 1, 3]) * 5 / 8, abs=0.02)


def test_the_same_seed_gives_the_same_numbers_and_another_does_not():
    view = view_of("123456m23p4478s13z", 12)
    first, second, other = (estimate_wins(view, seed).prob for seed in (1, 1, 2))
    assert (first == second).all()
    assert (first != other).any()


def test_more_draws_only_add_wins():
    probs = [
        estimate_wins(view_of("123456m23p4478s13z", own_draws), 3).prob.max() for own_draws in range(1, 19)
    ]
    assert (np.diff(probs) >= 0).all()


def test_each_indicator_has_ura_dora_of_its_own():
    """Those of further indicators once counted nowhere."""
    statistics = WinStatistics(riichi_han=(0.8, 0.2), ura_han=(0.7, 0.2, 0.1))
    for indicators in range(4):
        chances = np.zeros(2 * indicators + 2)
        for ippatsu, *ura in product(range(2), *[range(3)] * indicators):
            chance = statistics.riichi_han[ippatsu] * np.prod([statistics.ura_han[han] for han in ura])
            chances[ippatsu + sum(ura)] += chance
        assert statistics.han_on_top(indicators) == pytest.approx(chances)


@pytest.mark.parametrize("dora", [(), ("1m",), ("1m", "1m"), ("1m", "9m")])
def test_ura_dora_make_a_riichi_win_a_han_larger_for_each_indicator(dora):
    view = view_of("234567m23p44789s6s", 12, dora=dora)
    by_ura = estimate_wins(view, 1, win_statistics=WinStatistics(ura_han=(0.0, 1.0)))
    han = (0.0,) * len(dora) + (1.0,)
    by_han = estimate_wins(view, 1, win_statistics=WinStatistics(riichi_han=han))
    assert by_ura.points[LOCKED].max() > 0
    assert (by_ura.points == by_han.points).all()


def test_survival_takes_wins_away():
    view = view_of("123456m23p4478s13z", 12)
    classic = estimate_wins(view, 1).prob.max()
    assert 0 < estimate_wins(view, 1, win_statistics=WinStatistics(survival=0.95)).prob.max() < classic


def test_a_hand_without_yaku_wins_nothing():
    chi = Meld("chi", ("1m", "2m", "3m"), "1m", 3)
    estimate = estimate_wins(view_of("456p789s23m11s7z", 10, (chi,)), 1, extra=0)
    assert estimate.prob[SILENT].max() == 0.0


def test_after_riichi_only_the_wait_counts():
    view = view_of("123456m23p447896s", 12)
    drawn = sampling.draw_rows(view.unseen, 12, 1000, 1.0, 1)
    waits = sum(
        sum(hand[KIND_OF[tile]] for tile in ("1p", "4p")) > 0 for hand in drawn_in_each_trial(drawn, 1000)
    )
    estimate = estimate_wins(view, 1)
    assert estimate.prob[LOCKED, KIND_OF["6s"]] == waits / 1000
    assert estimate.prob[LOCKED, KIND_OF["1m"]] == 0.0
    assert estimate.prob[RIICHI, KIND_OF["6s"]] > waits / 1000


def test_a_red_five_in_the_hand_is_worth_a_han():
    with_red = estimate_wins(view_of("340678m234p34s22z", 12, reds=(1, 0, 0)), 1)
    without = estimate_wins(view_of("345678m234p34s22z", 12), 1)
    assert with_red.points[RIICHI, NO_DISCARD] > 1.3 * without.points[RIICHI, NO_DISCARD]


def test_the_tally_holds_all_that_was_won():
    view = view_of("340678m234p34s22z1z", 12, reds=(1, 0, 0))
    plain, tallied = (estimate_wins(view, 1, mc_draws=500, keep_targets=keep) for keep in (False, True))
    assert plain.tally is None
    assert np.array_equal(plain.prob, tallied.prob)
    assert np.array_equal(plain.points, tallied.points)
    taken, values = tallied.tally.taken, tallied.tally.values
    assert np.allclose(taken.sum(axis=1) / 500, tallied.prob)
    for row in (SILENT, RIICHI, LOCKED):
        points = taken[row].T @ values[:, min(row, RIICHI)].astype(float)
        assert np.allclose(points, tallied.prob[row] * 500 * tallied.points[row])


def test_the_most_frequent_hands_of_a_tenpai_hand():
    """34s and pairs kept: 2s and 5s win alike, 5s is seen twice."""
    unseen = np.full(34, 3)
    unseen[KIND_OF["5s"]] = 1
    view = view_of("340678m234p34s22z1z", 12, unseen=unseen, reds=(1, 0, 0))
    tally = estimate_wins(view, 1, mc_draws=4000, keep_targets=True).tally
    options = {"reds": view.reds, "unseen": view.unseen}
    hands = frequent_hands(tally, LOCKED, KIND_OF["E"], 5, **options)
    assert [hand.last for hand in hands] == ["2s", "5s"]
    assert hands[0].share > 0.6
    assert sum(hand.share for hand in hands) == pytest.approx(1.0)
    assert hands[0].tiles == tuple(parse_tiles("340678m234p234s22z"))
    assert frequent_hands(tally, LOCKED, KIND_OF["E"], 1, **options) == hands[:1]
    assert frequent_hands(tally, LOCKED, KIND_OF["2m"], 5, **options) == []
