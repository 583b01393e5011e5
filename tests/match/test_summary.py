"""Intervals against plain arithmetic and a simulation; timing against sorted lists."""

import math
import random
import statistics

from hypothesis import given
from hypothesis import strategies as st

from manue.intervals import WallMean, student_t
from manue.match.summary import Summary
from manue.table.decision_times import Timing
from manue.table.tally import SeatTally

NO_TALLY = SeatTally(rounds=1).to_json()
NO_TIMES = Timing().to_json()


def line(game, wall, agents, placements, scores=(25_000,) * 4):
    return {
        "game": game,
        "wall": wall,
        "agents": agents,
        "placements": placements,
        "scores": list(scores),
        "rounds": 1,
        "draws": 0,
        "seats": [NO_TALLY] * 4,
        "timings": [NO_TIMES] * 4,
        "faults": [],
    }


def test_equal_walls_give_the_textbook_interval():
    rng = random.Random(1)
    walls = [[rng.randint(1, 4) for _ in range(4)] for _ in range(30)]
    mean = WallMean()
    for wall in walls:
        mean.add_wall(sum(wall), len(wall))
    means = [statistics.mean(wall) for wall in walls]
    assert math.isclose(mean.mean, statistics.mean(means))
    error = statistics.stdev(means) / math.sqrt(30)
    assert math.isclose(mean.ci95, 2.0452 * error, rel_tol=1e-3)


def test_student_t_against_tables():
    published = {1: 12.706, 10: 2.228, 11: 2.201, 30: 2.042, 120: 1.980, 100_000: 1.960}
    for freedom, value in published.items():
        assert abs(student_t(freedom) - value) < 2e-3


def test_the_interval_covers_the_truth_as_often_as_it_says():
    rng = random.Random(2)
    hits = 0
    for _ in range(400):
        mean = WallMean()
        for _ in range(12):
            shift = rng.gauss(0, 1)  # walls differ, games on a wall are alike
            mean.add_wall(round(1000 * sum(5 + shift + rng.gauss(0, 0.3) for _ in range(4))), 4)
        hits += abs(mean.mean - 5000) <= mean.ci95
    assert 0.92 <= hits / 400 <= 0.98


def test_pairing_takes_the_luck_of_the_wall_out():
    summary = Summary(block=2)
    for wall in range(20):
        good, bad = (1, 2) if wall % 2 else (3, 4)  # a is always one place better, whatever the wall
        rest = sorted({1, 2, 3, 4} - {good, bad})
        summary.add(line(2 * wall, wall, ["a", "b", "c", "c"], [good, bad, *rest]))
        summary.add(line(2 * wall + 1, wall, ["b", "a", "c", "c"], [bad, good, *rest]))
    summary.finish()
    data = summary.to_json()
    (pair,) = [pair for pair in data["paired"] if (pair["agent"], pair["against"]) == ("a", "b")]
    assert pair["placement_difference"] == -1
    assert pair["ci95"] == 0
    assert data["agents"]["a"]["ci95"] > 0.4


def test_incomplete_walls_count_at_the_end_but_not_in_pairs():
    summary = Summary(block=2)
    summary.add(line(0, 0, ["a", "b", "b", "b"], [1, 2, 3, 4]))
    summary.finish()
    data = summary.to_json()
    assert data["agents"]["a"]["mean_placement"] == 1
    assert data["agents"]["a"]["ci95"] is None
    assert data["paired"] == []


def test_faults_go_to_the_agent_in_the_seat():
    faulty = line(0, 0, ["a", "b", "b", "b"], [1, 2, 3, 4])
    faulty["faults"] = [{"seat": 2, "kind": "illegal"}, {"seat": 0, "kind": "late"}]
    summary = Summary(block=4)
    summary.add(faulty)
    summary.finish()
    agents = summary.to_json()["agents"]
    assert agents["b"]["illegal"] == 1
    assert agents["a"]["faults"] == {"late": 1}


@given(st.lists(st.floats(min_value=0.001, max_value=50_000), min_size=1, max_size=200), st.integers(0, 200))
def test_quantiles_within_two_percent(times, cut):
    first, second = Timing(), Timing()
    for place, value in enumerate(times):
        (first if place < cut else second).add(value)
    first.merge(Timing.from_json(second.to_json()))
    ordered = sorted(times)
    for share in (0.5, 0.99, 1.0):
        exact = ordered[max(0, math.ceil(share * len(ordered)) - 1)]
        assert math.isclose(first.quantile(share), exact, rel_tol=0.021)
    assert math.isclose(first.max_ms, max(times), rel_tol=1e-3, abs_tol=1e-4)
    assert first.count == len(times)
