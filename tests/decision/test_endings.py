"""Endings of a round: probabilities sum to 1, points to 0, and payments follow the rules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.decision.endings import (
    COUNT,
    SCORE_STEPS,
    Endings,
    OutcomeProbabilities,
    endings_after,
    endings_of_deal_in,
    score_distribution,
)
from manue.decision.payoffs import ScoreSituation, payoffs_of
from manue.hand.points import sizes_of_wins, split_by_size
from manue.models.placement import ABORTED, PlacementModel, RoundPosition

MODEL = PlacementModel.learned(
    np.log([4.0, 6.0, 8.0, 10.0, 11.0, 12.0, 13.0, 14.0]),
    np.zeros(5),
    np.array([1.0, 0, 1, 0, 1, 0]),
)
MANGAN = sizes_of_wins(dealer=False, tsumo=False).tolist().index(8000)
chance = st.floats(0, 1)
sizes = st.lists(st.sampled_from([1000, 2600, 3900, 7700, 8000, 12000]), min_size=18, max_size=18)


@st.composite
def situations(draw):
    position = RoundPosition(
        draw(st.integers(0, 8)), draw(st.integers(0, 3)), draw(st.integers(0, 4)), draw(st.integers(0, 3))
    )
    points = np.reshape(draw(sizes), (2, 3, 3)).astype(float)
    return ScoreSituation(draw(st.integers(0, 3)), (25_000,) * 4, position, points, draw(st.booleans()))


@st.composite
def all_chances(draw):
    shares = np.array([draw(st.floats(0.001, 1)) for _ in range(4)])
    win, later, exhaust, _ = shares / shares.sum()
    weights = np.array([draw(st.floats(0.01, 1)) for _ in range(3)])
    tenpai = [draw(chance) for _ in range(4)]
    return single_option(
        win, later, exhaust, draw(st.floats(500, 50_000)), draw(chance), weights, draw(chance), tenpai
    )


def single_option(win, later, exhaust, points, tsumo, weights, other_tsumo, tenpai):
    """OutcomeProbabilities of a single option; ``tenpai``: this seat first."""
    ways = np.stack(
        [
            share * split_by_size(np.array([points]), sizes_of_wins(dealer=False, tsumo=drawn))
            for drawn, share in ((True, tsumo), (False, 1.0 - tsumo))
        ],
        axis=1,
    )
    before, own = (np.array([value]) for value in (win, later, exhaust)), np.array([tenpai[0]])
    shares = np.asarray(weights) / np.sum(weights)
    tenpai_of_others, aborted = np.array([tenpai[1:]]), np.array([False])
    return OutcomeProbabilities(*before, ways, own, shares, other_tsumo, tenpai_of_others, aborted)


@given(all_chances())
def test_probabilities_sum_to_one(probabilities):
    vector = endings_after(probabilities)[0]
    assert (vector >= 0).all()
    assert vector.sum() == pytest.approx(1.0)


@given(st.lists(chance, min_size=3, max_size=3))
def test_a_deal_in_keeps_its_probability(probs):
    vectors, wins = endings_of_deal_in(np.array([probs]))
    assert (vectors >= 0.0).all()
    assert vectors.sum() == pytest.approx(1.0 - np.prod(1.0 - np.array(probs)))
    assert wins * vectors.sum() == pytest.approx(sum(probs))


def test_opponents_win_by_their_shares():
    probabilities = single_option(0.1, 0.2, 0.3, 2000.0, 0.5, [1, 2, 5], 0.25, [0.5] * 4)
    vector = endings_after(probabilities)[0]
    for where, total in (
        (Endings.deal_in, 0.2),
        (Endings.other_tsumo, 0.4 * 0.25),
        (Endings.other_ron, 0.4 * 0.75),
    ):
        by_winner = vector[where].reshape(3, -1).sum(axis=1)
        assert by_winner == pytest.approx(total * np.array([1, 2, 5]) / 8)


def test_an_abortive_draw_changes_no_points_and_is_played_again():
    probabilities = single_option(0.0, 0.0, 1.0, 1000.0, 0.0, [1, 1, 1], 0.5, [0.5] * 4)
    vector = endings_after(probabilities._replace(aborted=np.array([True])))[0]
    assert vector[Endings.any_draw].tolist() == pytest.approx([*np.zeros(16), 1.0])
    scores, position = (36_000, 30_000, 20_000, 14_000), RoundPosition(7, 3)
    payoffs = payoffs_of([ScoreSituation(1, scores, position, np.full((2, 3, 3), 8000.0))], MODEL)[0]
    assert vector @ payoffs.points == 0.0
    again = MODEL.places_after([scores], [True], position, 1, ended=ABORTED)[0]
    assert vector @ payoffs.places == pytest.approx(again)
    assert 0.0 < again[0] < 1.0  # a draw without a tenpai dealer would end the game in second place


@given(situations())
def test_points_and_deposits_sum_to_zero(situation):
    result = payoffs_of([situation], MODEL)[0]
    on_table = 1000 * (situation.position.deposits + situation.pays_stick)
    won = np.ones(COUNT, bool)
    won[Endings.any_draw] = False
    taken = np.where(won, 1000 * situation.position.deposits, -1000 * situation.pays_stick)
    assert result.deltas.sum(1) == pytest.approx(taken)
    assert on_table >= 0
    assert result.places.sum(1) == pytest.approx(1.0)


def test_a_self_draw_is_paid_by_halves_and_quarters():
    situation = ScoreSituation(1, (25_000,) * 4, RoundPosition(0, 0, 2, 1), np.full((2, 3, 3), 8000.0))
    mangan = payoffs_of([situation], MODEL)[0].deltas[Endings.own_tsumo][MANGAN]
    assert mangan.tolist() == [-4200, 4200 + 2200 + 2200 + 1000, -2200, -2200]


def test_a_dealer_is_paid_by_thirds():
    situation = ScoreSituation(0, (25_000,) * 4, RoundPosition(0, 0), np.full((2, 3, 3), 8000.0))
    assert payoffs_of([situation], MODEL)[0].deltas[Endings.own_tsumo][MANGAN].tolist() == [
        12_000,
        -4000,
        -4000,
        -4000,
    ]


def test_a_riichi_stick_comes_back_with_the_win_and_stays_at_a_draw():
    situation = ScoreSituation(
        2, (25_000,) * 4, RoundPosition(0, 0), np.full((2, 3, 3), 8000.0), pays_stick=True
    )
    result = payoffs_of([situation], MODEL)[0]
    off_next = result.deltas[Endings.own_ron][MANGAN]
    assert off_next.tolist() == [0, 0, 8000, -8000]
    alone_tenpai = result.deltas[Endings.draw][1]
    assert alone_tenpai.tolist() == [-1000, -1000, 2000, -1000]


def test_self_draws_of_opponents_have_sizes_of_their_own():
    points = np.stack([np.full((3, 3), 4000.0), np.full((3, 3), 8000.0)])
    deltas = payoffs_of([ScoreSituation(1, (25_000,) * 4, RoundPosition(0, 0), points)], MODEL)[0].deltas
    assert (deltas[Endings.deal_in][:, 1] == -4000).all()
    assert (deltas[Endings.other_ron].max(axis=1) == 4000).all()
    assert (deltas[Endings.other_tsumo].max(axis=1) >= 8000).all()


@pytest.mark.parametrize(
    ("points", "kept"),
    [
        (500, 1000),
        (1500, 1500),
        (2000, 2000),
        (6700, 6700),
        (29_000, 29_000),
        (32_000, 32_000),
        (48_000, 48_000),
        (96_000, 64_000),
    ],
)
def test_the_mean_of_the_win_is_kept_between_the_smallest_and_the_largest(points, kept):
    vector = endings_after(single_option(1.0, 0.0, 0.0, float(points), 0.0, [1, 1, 1], 0.5, [0.0] * 4))[0]
    situation = ScoreSituation(0, (25_000,) * 4, RoundPosition(0, 1), np.full((2, 3, 3), 8000.0))
    assert vector @ payoffs_of([situation], MODEL)[0].points == pytest.approx(kept)


def test_all_tenpai_patterns_have_their_probability():
    tenpai = np.array([0.9, 0.1, 0.2, 0.3])
    probabilities = single_option(0.0, 0.0, 1.0, 1000.0, 0.0, [1, 1, 1], 0.5, list(tenpai))
    patterns = endings_after(probabilities)[0, Endings.draw]
    for pattern in range(16):
        expected = np.prod([p if pattern >> bit & 1 else 1 - p for bit, p in enumerate(tenpai)])
        assert patterns[pattern] == pytest.approx(expected)


@given(st.lists(st.tuples(st.floats(-48_000, 48_000), chance), min_size=1, max_size=20))
def test_the_distribution_of_scores_keeps_sum_and_mean(endings):
    points, probs = np.array(endings).T
    distribution = score_distribution(points, probs)
    assert (distribution >= 0).all()
    assert distribution.sum() == pytest.approx(probs.sum())
    assert distribution @ np.array(SCORE_STEPS) == pytest.approx(points @ probs, abs=1e-6)


def test_the_steps_of_scores_are_the_usual_wins_for_and_against():
    limits = {
        8000,
        12_000,
        18_000,
        32_000,
        48_000,
    }  # a non-dealer's mangan and haneman, a dealer's haneman ...
    assert [-step for step in reversed(SCORE_STEPS)] == list(SCORE_STEPS) == sorted(SCORE_STEPS)
    assert limits | {0, 1000, 2000, 4000} == {step for step in SCORE_STEPS if step >= 0}


def test_score_changes_are_divided_between_the_neighbouring_steps():
    distribution = dict(
        zip(
            SCORE_STEPS,
            score_distribution(np.array([-1500.0, 0.0, 99_000.0, -99_000.0]), np.ones(4) / 4),
            strict=True,
        )
    )
    assert {points: prob for points, prob in distribution.items() if prob} == pytest.approx(
        {SCORE_STEPS[0]: 1 / 4, -2000: 1 / 8, -1000: 1 / 8, 0: 1 / 4, 48_000: 1 / 4}
    )
