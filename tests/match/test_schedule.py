import pytest

from manue.errors import UsageError
from manue.match.schedule import (
    FORMATS,
    fixed_seats,
    options_of,
    rotations,
    round_robin,
    schedule_of,
    two_against_two,
)


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


def test_every_rotation_moves_the_players_on_by_one_seat():
    assert ["".join(lineup) for lineup in rotations(tuple("abcd"))] == ["abcd", "dabc", "cdab", "bcda"]
    assert schedule_of("one-three", ["a", "b"]).lineups == rotations(tuple("abbb"))


def test_two_against_two_has_every_seating():
    lineups = two_against_two("a", "b").lineups
    assert len(set(lineups)) == 6
    assert all(lineup.count("a") == 2 for lineup in lineups)


def test_round_robin_is_fair():
    for agents in (["a", "b"], list("abc"), list("abcd"), list("abcde")):
        lineups = round_robin(agents).lineups
        seated = [(agent, seat) for lineup in lineups for seat, agent in enumerate(lineup)]
        counts = {pair: seated.count(pair) for pair in seated}
        assert len(counts) == 4 * len(agents)
        assert len(set(counts.values())) == 1


def test_four_agents_of_a_round_robin_meet_at_one_table():
    assert all(set(lineup) == set("abcd") for lineup in round_robin(list("abcd")).lineups)


SEATED = {
    "seats": ("abca", {"abca", "aabc", "caab", "bcaa"}),
    "self": ("a", {"aaaa"}),
    "one-three": ("ab", {"abbb", "babb", "bbab", "bbba"}),
    "two-two": ("ab", {"aabb", "abab", "abba", "baab", "baba", "bbaa"}),
    "round-robin": ("ab", {"aabb", "abab", "abba", "baab", "baba", "bbaa"}),
}


def test_who_sits_where_by_the_name_of_the_format():
    assert set(SEATED) == set(FORMATS)
    for form, (agents, lineups) in SEATED.items():
        found = ["".join(lineup) for lineup in schedule_of(form, list(agents)).lineups]
        assert sorted(found) == sorted(lineups)


@pytest.mark.parametrize(
    ("form", "agents", "words"),
    [
        ("self", "ab", "--format self takes 1 agent, not 2"),
        ("one-three", "abb", "--format one-three takes 2 agents, not 3"),
        ("two-two", "a", "--format two-two takes 2 agents, not 1"),
        ("seats", "abc", "a table has four seats, not 3: a, b, c"),
        ("seats", "", "a table has four seats: name an agent for each"),
        ("seats", [""], "a table has four seats: name an agent for each"),  # --seats ""
    ],
)
def test_a_format_names_how_many_agents_it_takes(form, agents, words):
    with pytest.raises(UsageError, match=words):
        schedule_of(form, list(agents))


def test_an_agent_twice_in_a_round_robin_is_named():
    with pytest.raises(UsageError, match="greedy is named twice"):
        round_robin(["rules", "greedy", "tsumogiri", "greedy"])


def test_wrong_numbers_of_agents():
    for make in (lambda: fixed_seats(["a"]), lambda: round_robin(["a"]), lambda: round_robin(["a", "a"])):
        with pytest.raises(UsageError):
            make()


@pytest.mark.parametrize(
    ("form", "agents", "options"),
    [
        ("seats", list("abac"), "--seats a,b,a,c"),
        ("seats", list("abcd"), "--seats a,b,c,d"),
        ("self", ["a"], "--seats a --format self"),
        ("one-three", ["a", "b"], "--seats a,b --format one-three"),
        ("two-two", ["a", "b"], "--seats a,b --format two-two"),
        ("round-robin", list("abc"), "--seats a,b,c --format round-robin"),
        ("round-robin", list("abcde"), "--seats a,b,c,d,e --format round-robin"),
        ("one-three", ["a", "cmd:./b x"], "--seats 'a,cmd:./b x' --format one-three"),
    ],
)
def test_the_options_of_a_schedule(form, agents, options):
    assert options_of(schedule_of(form, agents)) == options
