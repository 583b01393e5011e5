"""Figures that the placement model is measured against: tables, losses and leaders, counted one by one."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import round_name
from manue.training.placement import _from_table, _log_loss, _report_of_length, _Starts, _table


def starts(rng, last):
    """Starts of rounds of a game of either length, up to two rounds beyond the last planned one."""
    number = 60
    scores = 1000.0 * rng.integers(0, 50, (number, 4))
    positions = np.stack(
        [rng.integers(0, last + 3, number), rng.integers(0, 4, number), np.zeros(number, int)], 1
    )
    places = np.array([rng.permutation(4) for _ in range(number)])
    return _Starts(scores, positions, places, last, validation=False)


def place_now(scores, seat):
    """Count the seats ahead; of equal ones the earlier is."""
    return sum((-points, other) < (-scores[seat], seat) for other, points in enumerate(scores))


def test_the_table_holds_how_often_a_place_now_became_each_final_place():
    """By the rounds that are left: an extra round is a last one. Every cell has one case more of each."""
    rng = np.random.default_rng(3)
    games = [starts(rng, HANCHAN), starts(rng, EAST_ONLY)]
    counted = Counter()
    for part in games:
        for scores, (index, *_), places in zip(part.scores, part.positions, part.places, strict=True):
            for seat in range(4):
                counted[max(part.last - index, 0), place_now(scores, seat), places[seat]] += 1
    table = _table(games)
    for left in range(8):
        for now in range(4):
            cases = [counted[left, now, final] + 1 for final in range(4)]
            assert table[left, now] == pytest.approx(np.array(cases) / sum(cases))
    for part in games:
        found = _from_table(table, part)
        for at, (scores, (index, *_)) in enumerate(zip(part.scores, part.positions, strict=True)):
            for seat in range(4):
                expected = table[max(part.last - index, 0), place_now(scores, seat)]
                assert found[at, seat] == pytest.approx(expected)


def test_the_loss_is_that_of_the_places_reached():
    predicted = np.array(
        [[[0.7, 0.1, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.1, 0.2, 0.5, 0.2], [0.1, 0.1, 0.2, 0.6]]]
    )
    expected = -np.log([0.7, 0.2, 0.2, 0.6]).mean()
    assert _log_loss(predicted, np.array([[0, 2, 1, 3]])) == pytest.approx(expected)


def test_the_leader_of_every_round_is_measured_apart():
    """In East 1 seat 2 leads and comes first once in two games, in East 2 seat 0 always does."""
    game = _Starts(
        np.array([[20.0, 20, 40, 20], [20, 20, 40, 20], [40, 20, 20, 20]]) * 1000,
        np.array([[0, 0, 0], [0, 0, 0], [1, 1, 0]]),
        np.array([[1, 2, 0, 3], [0, 1, 2, 3], [0, 1, 2, 3]]),
        HANCHAN,
        validation=True,
    )
    predicted = np.full((3, 4, 4), 0.25)
    predicted[:2, 2] = [0.6, 0.2, 0.1, 0.1]
    predicted[2, 0] = [0.7, 0.1, 0.1, 0.1]
    lines = list(_report_of_length(predicted, predicted, game))
    (first,) = (line for line in lines if line.startswith(f"| {round_name(0)} |"))
    (second,) = (line for line in lines if line.startswith(f"| {round_name(1)} |"))
    assert first.split("|")[2].strip() == "2"
    assert [cell.strip() for cell in first.split("|")[4:-1]] == ["0.600", "0.500"]
    assert [cell.strip() for cell in second.split("|")[4:-1]] == ["0.700", "1.000"]
    assert not any(line.startswith(f"| {round_name(2)} |") for line in lines)
    shorter = replace(game, last=EAST_ONLY)
    assert list(_report_of_length(predicted, predicted, shorter))[-2:] == lines[-2:]
