import pytest

from manue.errors import UsageError
from manue.match.schedule import fixed_seats, rotations, round_robin, two_against_two


def test_every_agent_sits_everywhere_on_every_wall():
    schedule = fixed_seats(["a", "b", "c", "d"])
    games = [schedule.fixture(game) for game in range(8)]
    assert [game.wall for game in games] == [0, 0, 0, 0, 1, 1, 1, 1]
    for seat in range(4):
        assert {game.seats[seat] for game in games[:4]} == set("abcd")


def test_equal_rotations_are_played_once():
    assert rotations(("a", "a", "a", "a")) == (("a",) * 4,)
    assert len(rotations(("a", "b", "a", "b"))) == 2
    assert len(rotations(("a", "b", "b", "b"))) == 4


def test_two_against_two_has_every_seating():
    tables = two_against_two("a", "b").tables
    assert len(set(tables)) == 6
    assert all(table.count("a") == 2 for table in tables)


def test_round_robin_is_fair():
    for agents in (["a", "b"], list("abc"), list("abcd"), list("abcde")):
        tables = round_robin(agents).tables
        seated = [(agent, seat) for table in tables for seat, agent in enumerate(table)]
        counts = {pair: seated.count(pair) for pair in seated}
        assert len(counts) == 4 * len(agents)
        assert len(set(counts.values())) == 1


def test_an_agent_twice_in_a_round_robin_is_named():
    with pytest.raises(UsageError, match="greedy is named twice"):
        round_robin(["rules", "greedy", "tsumogiri", "greedy"])


def test_wrong_numbers_of_agents():
    for make in (lambda: fixed_seats(["a"]), lambda: round_robin(["a"]), lambda: round_robin(["a", "a"])):
        with pytest.raises(UsageError):
            make()
