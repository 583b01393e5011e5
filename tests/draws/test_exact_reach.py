"""The exact oracle against all draws listed and plain sampling; the Monte Carlo draws against the oracle."""

import numba
import numpy as np
import pytest

from manue.draws import sampling
from manue.draws.sampling import NO_DISCARD
from manue.draws.target_hands import find_target_hands
from manue.errors import HandError
from manue.hand.shanten import TABLES, regular_of, shanten_batch, shanten_of
from manue.tiles import counts_of, parse_tiles
from tests.conftest import FULL
from tests.oracles import reach as oracle
from tests.oracles.exact_reach import reach_by_discard, reach_prob
from tests.oracles.hands import dealt

NEAR = [
    ("123456m23p4478s1z", 0),
    ("1122m3344p5566s7z", 0),
    ("19m19p19s1234567z", 0),
    ("1119m19p9s123456z", 0),
    ("1112345678999m", 0),
    ("22344568m1z", 2),
    ("55577m", 3),
    ("4m", 4),
    ("24m123p456s1122z3z", 0),
]


def random_hand(rng, tiles, melds, most):
    """A random hand, often within a few kinds, at most ``most`` from a win."""
    while True:
        weights = np.where(np.isin(np.arange(34) // 9, rng.choice(4, 2, replace=False)), 1.0, 0.2)
        hands = dealt(64, tiles, rng, weights)
        near = np.flatnonzero(shanten_batch(hands, melds) <= most)
        if len(near):
            return hands[near[0]]


def some_of(rng, left, size):
    """Keep this many of the tiles left unseen."""
    pool = np.repeat(np.arange(34), left)
    return np.bincount(rng.choice(pool, size, replace=False), minlength=34).astype(np.int8)


@pytest.mark.parametrize(("text", "melds"), NEAR)
@pytest.mark.parametrize("forms", ["any", "regular"])
def test_the_judge_equals_every_draw_listed(text, melds, forms):
    counts = counts_of(parse_tiles(text))
    rng = np.random.default_rng(len(text))
    for own_draws in (0, 1, 2, 4):
        unseen = some_of(rng, 4 - counts, 12)
        useful = np.flatnonzero(4 - counts)[:3]
        unseen[useful] = np.maximum(unseen[useful], 1)
        exact = oracle.reach_prob(tuple(counts.tolist()), melds, unseen.tolist(), own_draws, forms)
        assert reach_prob(counts, melds, unseen, own_draws, forms) == pytest.approx(exact, abs=1e-12)


def test_the_judge_equals_every_draw_listed_on_random_hands():
    rng = np.random.default_rng(5)
    inside = 0
    for mc_draw in range(200 if FULL else 40):
        melds = mc_draw % 3
        counts = random_hand(rng, 13 - 3 * melds, melds, 1)
        unseen = some_of(rng, 4 - counts, 12)
        exact = oracle.reach_prob(tuple(counts.tolist()), melds, unseen.tolist(), 3, "any")
        assert reach_prob(counts, melds, unseen, 3) == pytest.approx(exact, abs=1e-12)
        inside += 0 < exact < 1
    assert inside > 8


def test_a_discard_is_the_hand_without_the_tile():
    counts = counts_of(parse_tiles("123456m23p44778s13z"))
    unseen = (4 - counts).astype(np.int8)
    chances = reach_by_discard(counts, 0, unseen, 9)
    for kind in range(34):
        left = counts.copy()
        left[kind] -= 1
        assert chances[kind] == (0.0 if counts[kind] == 0 else pytest.approx(reach_prob(left, 0, unseen, 9)))


def test_more_draws_never_hurt():
    counts = counts_of(parse_tiles("123456m23p4478s13z"))
    unseen = (4 - counts).astype(np.int8)
    chances = [reach_prob(counts, 0, unseen, own_draws) for own_draws in range(0, 60, 5)]
    assert (np.diff(chances) >= 0).all()
    assert reach_prob(counts, 0, unseen, int(unseen.sum())) == 1.0


@pytest.mark.parametrize(
    ("melds", "own_draws", "copies", "message"),
    [(5, 1, 1, "5 melds"), (0, 35, 1, "35 draws from 34"), (0, 1, 4, "four"), (0, -1, 1, "-1 draws")],
)
def test_impossible_questions_are_refused(melds, own_draws, copies, message):
    counts = np.zeros(34, np.int8)
    counts[0] = 3
    with pytest.raises(HandError, match=message):
        reach_prob(counts, melds, np.full(34, copies, np.int8), own_draws)


@numba.njit
def _completed(counts, pool, own_draws, samples, rng, melds, tables, any_form):
    """Count the samples of ``draws`` tiles that complete the hand."""
    reached = 0
    hand = counts.copy()
    for _ in range(samples):
        for i in range(own_draws):
            at = i + int(rng.random() * (len(pool) - i))
            pool[i], pool[at] = pool[at], pool[i]
            hand[pool[i]] += 1
        reached += (shanten_of(hand, melds, tables) if any_form else regular_of(hand, melds, tables)) < 0
        for i in range(own_draws):
            hand[pool[i]] -= 1
    return reached


def test_sampled_draws_agree_with_the_judge():
    rng = np.random.default_rng(11)
    hands, samples = (60, 1_000_000) if FULL else (20, 50_000)
    for hand in range(hands):
        melds = int(rng.integers(0, 3))
        counts = random_hand(rng, 13 - 3 * melds, melds, 3)
        unseen = some_of(rng, 4 - counts, int(rng.integers(50, 90)))
        own_draws = int(rng.integers(1, 19))
        forms = ("any", "regular")[hand % 2]
        exact = reach_prob(counts, melds, unseen, own_draws, forms)
        pool = np.repeat(np.arange(34), unseen)
        reached = _completed(counts, pool, own_draws, samples, rng, melds, TABLES.packed, forms == "any")
        error = max((exact * (1 - exact) / samples) ** 0.5, 1 / samples)
        assert abs(reached / samples - exact) <= 4 * error


def reach_by_draws(counts, unseen, melds, own_draws, *, extra, mc_draws, seed, limit=20_000):
    """Reach every listed target hand, whatever its worth: probability by option, and the target hands."""
    targets = find_target_hands(counts, unseen, melds, extra, limit=limit)
    rows = sampling.draw_rows(unseen, own_draws, mc_draws, 1.0, seed)
    wins = np.zeros((35, 3))
    sampling.tally(
        counts,
        targets.members,
        targets.costs,
        targets.bound,
        np.ones(len(targets.forms), np.float32),
        targets.parts,
        sampling.part_rows(targets.parts, rows),
        rows,
        mc_draws,
        wins,
        np.empty((sampling.room_for_wins(len(targets.forms), mc_draws), 3), np.int32),
    )
    return wins[:, 0] / mc_draws, targets


def test_the_draws_are_unbiased_where_the_target_hands_are_complete():
    """About 0.27 % of the errors lie beyond 3 standard deviations; none far out, nor all to a side."""
    rng = np.random.default_rng(3)
    mc_draws, errors = 4000, []
    while len(errors) < (2000 if FULL else 500):
        melds = int(rng.choice([0, 0, 0, 1, 2]))
        tiles = 13 + int(rng.integers(0, 2)) - 3 * melds
        counts = random_hand(rng, tiles, melds, int(rng.integers(0, 4)))
        own_draws = int(rng.integers(1, 19))
        unseen = some_of(rng, 4 - counts, int(rng.integers(own_draws, own_draws + 14)))
        shape, targets = reach_by_draws(
            counts, unseen, melds, own_draws, extra=own_draws, mc_draws=mc_draws, seed=len(errors)
        )
        if targets.bound < own_draws and not targets.complete:
            continue
        if tiles % 3 == 2:
            option = int(rng.choice(np.flatnonzero(counts)))
            counts[option] -= 1
        else:
            option = NO_DISCARD
        expected, found = reach_prob(counts, melds, unseen, own_draws), shape[option]
        if expected < 1e-9 or expected > 1 - 1e-9:
            assert found == pytest.approx(expected, abs=1e-9)
        else:
            errors.append((found - expected) / (expected * (1 - expected) / mc_draws) ** 0.5)
    errors = np.array(errors)
    assert (np.abs(errors) > 3).mean() <= 0.01
    assert np.abs(errors).max() < 5
    assert abs(errors.mean()) < 4 / len(errors) ** 0.5


def test_target_hands_left_out_only_lose_and_one_more_exchange_loses_less():
    rng = np.random.default_rng(7)
    lost = []
    for hand in range(60 if FULL else 20):
        counts = random_hand(rng, 13, 0, hand % 4)
        unseen = (4 - counts).astype(np.int8)
        exact = reach_prob(counts, 0, unseen, 9)
        lost.append(
            [
                exact
                - reach_by_draws(counts, unseen, 0, 9, extra=extra, mc_draws=20_000, seed=hand)[0][NO_DISCARD]
                for extra in range(3)
            ]
        )
    none, one, two = np.mean(lost, axis=0)
    assert none > one > two > -0.005
