"""Intervals against plain arithmetic and a simulation; timing against sorted lists."""

import math
import random
import statistics
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manue.intervals import WallMean, student_t
from manue.match.games import MatchSettings, play_fixture
from manue.match.schedule import fixed_seats
from manue.match.summary import Summary, failed_in_every_game
from manue.table.decision_times import Timing
from manue.table.tally import SeatTally
from manue.table.thinking_time import Limits

NO_TALLY = SeatTally(rounds=1).to_json()
NO_TIMES = Timing().to_json()
IN_TIME = Timing.of([1.0]).to_json()


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


def test_the_paired_difference_of_one_against_three_is_that_of_the_mean_places():
    rng = random.Random(3)
    summary = Summary(block=4)
    walls = []
    for wall in range(12):
        places = [rng.sample([1, 2, 3, 4], 4) for _ in range(4)]
        for seat in range(4):
            agents = ["a" if other == seat else "b" for other in range(4)]
            summary.add(line(4 * wall + seat, wall, agents, places[seat]))
        own = statistics.mean(places[seat][seat] for seat in range(4))
        others = statistics.mean(places[game][seat] for game in range(4) for seat in range(4) if seat != game)
        walls.append(own - others)
    (pair,) = summary.to_json()["paired"]
    assert math.isclose(pair["placement_difference"], statistics.mean(walls), abs_tol=1e-4)
    error = statistics.stdev(walls) / math.sqrt(12)
    assert math.isclose(pair["ci95"], 2.201 * error, rel_tol=2e-3)


def test_incomplete_walls_count_at_the_end_but_not_in_pairs():
    summary = Summary(block=2)
    summary.add(line(0, 0, ["a", "b", "b", "b"], [1, 2, 3, 4]))
    summary.finish()
    data = summary.to_json()
    assert data["agents"]["a"]["mean_placement"] == 1
    assert data["agents"]["a"]["ci95"] is None
    assert data["paired"] == []


def summary_of_two_games():
    """Of a busy game of agent a and a calm one."""
    busy = SeatTally(
        rounds=8, wins=2, tsumo_wins=1, win_points=15_000, deal_ins=3, deal_in_points=9_000, riichi=4,
        riichi_wins=1, calls=5,
    )  # fmt: skip
    calm = SeatTally(rounds=2)
    first = line(0, 0, ["a", "b", "b", "b"], [1, 2, 3, 4], (40_000, 30_000, 20_000, 10_000))
    second = line(1, 1, ["b", "a", "b", "b"], [1, 2, 3, 4], (35_000, 32_000, 18_000, 15_000))
    first |= {"seats": [busy.to_json(), *[NO_TALLY] * 3], "rounds": 8, "draws": 3}
    second |= {"seats": [NO_TALLY, calm.to_json(), *[NO_TALLY] * 2], "rounds": 2, "draws": 1}
    summary = Summary(block=1)
    summary.add(first)
    summary.add(second)
    summary.finish()
    return summary.to_json()


def test_rates_are_per_round_per_win_and_per_deal_in():
    data = summary_of_two_games()
    wanted = {
        "games": 2,
        "places": [1, 1, 0, 0],
        "mean_placement": 1.5,
        "mean_points": 36_000,
        "rounds": 10,
        "win_rate": 0.2,
        "tsumo_share": 0.5,
        "win_points": 7_500,
        "deal_in_rate": 0.3,
        "deal_in_points": 3_000,
        "riichi_rate": 0.4,
        "riichi_win_rate": 0.25,
        "call_rate": 0.5,
        "sound_games": 2,
    }
    assert {name: data["agents"]["a"][name] for name in wanted} == wanted
    assert math.isclose(data["agents"]["a"]["mean_points_ci95"], 12.706 * 4_000, rel_tol=1e-3)
    assert (data["agents"]["b"]["win_rate"], data["agents"]["b"]["win_points"]) == (0.0, None)
    assert data["agents"]["b"]["mean_points"] == 21_333.3  # over its three seats of each game
    assert (data["games"], data["rounds"], data["draw_rate"]) == (2, 10, 0.4)


def test_games_with_faults_count_apart():
    summary = Summary(block=1)
    late = [{"seat": 1, "kind": "late", "lost": True}, {"seat": 1, "kind": "late"}]
    died = [{"seat": 1, "kind": "died", "lost": True}, {"seat": 0, "kind": "late"}]
    for game, faults in enumerate((late, died, [])):
        placements = [1, 4, 2, 3] if faults else [2, 1, 3, 4]
        summary.add(
            line(game, game, ["a", "b", "c", "c"], placements) | {"faults": faults, "timings": [IN_TIME] * 4}
        )
    data = summary.to_json()
    assert (data["faulty_games"], data["faulty_kinds"]) == (2, {"died": 1, "late": 2})
    agent = data["agents"]["b"]
    assert (agent["faults"], agent["seats_lost"]) == ({"died": 1, "late": 2}, 1)
    assert (agent["sound_games"], agent["sound_mean_placement"], agent["mean_placement"]) == (1, 1, 3)
    assert data["agents"]["a"]["sound_games"] == 1  # a fault of anybody counts
    assert failed_in_every_game(data) == []


def test_who_lost_the_seat_in_every_game_failed_in_all():
    summary = Summary(block=1)
    died = [{"seat": 1, "kind": "died", "lost": True}]
    for game in range(2):
        summary.add(line(game, game, ["a", "b", "c", "c"], [1, 2, 3, 4]) | {"faults": died})
    assert failed_in_every_game(summary.to_json()) == ["b"]
    assert summary.to_json()["agents"]["b"]["sound_mean_placement"] is None


def test_a_program_that_never_answers_was_counted_by_the_moves_of_its_stand_in():
    """They passed for answers in time, so that it had lost no seat."""
    pytest.importorskip("riichienv")
    silent = f"mute=cmd:{sys.executable} -c 'import sys; sys.stdin.read()'"
    schedule = fixed_seats([silent, "tsumogiri", "tsumogiri", "tsumogiri"])
    limits = Limits(decision=0.05, start=0.05, strikes=2)
    settings = MatchSettings(schedule, length="east", limits=limits, logs=False)
    summary = Summary(schedule.block)
    for game in range(2):
        summary.add(play_fixture(settings, schedule.fixture(game))[0])
    summary.finish()
    agent = summary.to_json()["agents"]["mute"]
    assert agent["faults"] == {"late": 4}
    assert (agent["games"], agent["seats_lost"]) == (2, 2)
    assert agent["decisions"] == 0
    assert agent["decision_ms"] == {"median": None, "p99": None, "max": None}
    assert failed_in_every_game(summary.to_json()) == ["mute"]


def test_who_was_in_time_once_has_not_failed_by_lateness():
    summary = Summary(block=1)
    late = {"faults": [{"seat": 1, "kind": "late", "lost": True}], "timings": [IN_TIME] * 4}
    summary.add(line(0, 0, ["a", "b", "c", "c"], [1, 2, 3, 4]) | late)
    assert failed_in_every_game(summary.to_json()) == []


def test_who_was_late_and_kept_the_seat_has_not_failed():
    summary = Summary(block=1)
    summary.add(line(0, 0, ["a", "b", "c", "c"], [1, 2, 3, 4]) | {"faults": [{"seat": 1, "kind": "late"}]})
    assert summary.to_json()["agents"]["b"]["seats_lost"] == 0
    assert failed_in_every_game(summary.to_json()) == []


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
