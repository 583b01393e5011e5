"""The distribution of shanten over starting hands."""

from math import comb

import numpy as np
import pytest

from manue.hand.distribution import (
    PUBLISHED,
    exact_distribution,
    plot_distribution,
    random_hands,
    sample_distribution,
)

LISTED = [6.67e-5, 0.005090, 0.076466, 0.311138, 0.382946, 0.185713, 0.036082, 0.002457, 4.16e-5]
"""The exact probabilities as an independent computation lists them (13 tiles, regular form)."""


@pytest.fixture(scope="module")
def exact():
    return exact_distribution()


@pytest.fixture(scope="module")
def sample():
    return sample_distribution(200_000, seed=3)


def test_exact_numbers_are_complete_and_as_listed(exact):
    assert exact.hands == exact.regular.sum() == exact.least.sum() == comb(136, 13)
    assert exact.regular / exact.hands == pytest.approx(LISTED, rel=2e-3)


def test_the_sample_is_within_its_error_of_the_exact_numbers(sample, exact):
    for sampled, true in ((sample.regular, exact.regular), (sample.least, exact.least)):
        assert sampled.sum() == sample.hands
        share = true / exact.hands
        error = np.sqrt(sample.hands * share * (1 - share)) + 1e-9
        assert np.abs((sampled - sample.hands * share) / error).max() < 5


def test_every_tile_is_dealt_equally_often():
    counts = random_hands(100_000, seed=5)
    assert (counts.sum(1) == 13).all()
    assert counts.max() == 4
    expected, error = 13 / 34, np.sqrt(13 / 34 / 100_000)
    assert np.abs(counts.mean(0) - expected).max() < 5 * error


def test_the_same_seed_deals_the_same_hands():
    first, again, other = (sample_distribution(150_000, seed).regular.tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_progress_is_reported():
    seen = []
    sample_distribution(250_000, 1, seen.append)
    assert seen == [100_000, 100_000, 50_000]


def test_no_standard_definition_gives_the_published_table(exact):
    assert sum(PUBLISHED) == 100_000
    levels = np.arange(9)
    published = np.array(PUBLISHED) @ levels / 100_000
    assert published == pytest.approx(3.978, abs=1e-3)
    for numbers, mean in ((exact.regular, 3.786), (exact.least, 3.580)):
        assert numbers @ levels / exact.hands == pytest.approx(mean, abs=1e-3)


def test_plot(tmp_path, sample, exact):
    pytest.importorskip("matplotlib")
    plot_distribution(tmp_path / "shanten.png", sample, exact)
    assert (tmp_path / "shanten.png").read_bytes().startswith(b"\x89PNG")
