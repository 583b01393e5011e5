"""How a win comes about: each option's sizes have the mean that they are given."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.decision.own_wins import ways_of_wins
from manue.hand.points import SIZES, sizes_of_wins

share = st.floats(0.0, 1.0)


def grid(dealer):
    return np.stack([sizes_of_wins(dealer=dealer, tsumo=tsumo) for tsumo in (True, False)])


def ways(drawn, points, *, dealer=False, tsumo_share=0.4):
    return ways_of_wins(np.array([drawn], float), np.array([points]), np.array([tsumo_share]), dealer=dealer)[
        0
    ]


def drawn_with(**shares):
    """Shares by name: tsumo or ron and the place of the size."""
    out = np.zeros((2, SIZES))
    for name, value in shares.items():
        out[int(name.startswith("ron")), int(name[-1])] = value
    return out


@given(st.lists(share, min_size=2 * SIZES, max_size=2 * SIZES), st.floats(300, 60_000), st.booleans())
def test_shares_sum_to_one_and_have_the_mean(shares, points, dealer):
    drawn = np.reshape(shares, (2, SIZES))
    if drawn.sum() < 1e-3:
        drawn[:] = 0.0
    found = ways(drawn / max(drawn.sum(), 1e-9), points, dealer=dealer)
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1.0)
    sizes = grid(dealer)
    if sizes[:, 0].max() <= points <= sizes[:, -1].min():
        assert (found * sizes).sum() == pytest.approx(points, abs=2.0)


def test_without_any_win_in_the_draws_the_mean_is_divided_between_two_sizes():
    found = ways(np.zeros((2, SIZES)), 6600.0)
    assert found[0, 3:5].sum() == pytest.approx(0.4)
    assert found[1, 3:5] == pytest.approx([0.3, 0.3])


def test_only_sizes_that_the_draws_saw_are_possible_where_they_can_have_the_mean():
    drawn = drawn_with(tsumo1=0.2, ron1=0.3, ron4=0.5)
    for points in (3_000.0, 4_000.0, 6_000.0):
        found = ways(drawn, points)
        assert (found * grid(dealer=False)).sum() == pytest.approx(points, abs=1.0)
        assert (found[drawn == 0] == 0).all()


def test_of_two_sizes_the_greater_gains_where_the_mean_is_higher():
    drawn = drawn_with(ron1=0.5, ron4=0.5)
    low, high = (ways(drawn, points)[1, 4] for points in (4_000.0, 6_000.0))
    assert low == pytest.approx(2 / 6, abs=1e-3)
    assert high == pytest.approx(4 / 6, abs=1e-3)


def test_a_hand_of_one_size_keeps_most_of_it():
    """3,900 and now and then a stick: a small share moves up."""
    found = ways(drawn_with(ron2=1.0), 4_100.0)
    assert found[1, 2:4] == pytest.approx([1 - 200 / 1300, 200 / 1300], abs=1e-3)


def test_a_mean_that_no_moderate_power_reaches_moves_all_sizes():
    found = ways(drawn_with(ron0=0.99, ron1=0.01), 7_000.0)
    assert (found * grid(dealer=False)).sum() == pytest.approx(7_000.0, abs=1.0)
