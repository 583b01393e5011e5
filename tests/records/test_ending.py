"""Which recorded games were played to their end."""

import json

import pytest

from manue.__main__ import main
from manue.game.events import Discarded, Draw, GameEnd, RoundDrawn, RoundStart, Won
from manue.records.completed import completed
from manue.records.ending import is_finished
from manue.records.formats import read_game
from manue.records.length import guessed_length, known_length, with_length
from manue.rules import EAST_ONLY, HANCHAN
from manue.tiles import parse_tiles
from tests.conftest import GAMES, events_of, game
from tests.records.mahjong_soul_writer import written


@pytest.mark.parametrize("log", GAMES, ids=lambda log: log.name)
def test_a_game_is_finished_by_its_last_round_or_its_record(log):
    events = events_of(log)
    assert is_finished(events)
    rounds = [event for event in events if not isinstance(event, GameEnd)]
    assert is_finished(rounds), "a host that writes no end_game"
    for at, event in enumerate(rounds):
        if isinstance(event, RoundStart):
            assert not is_finished(rounds[:at])
    last_result = max(at for at, event in enumerate(rounds) if isinstance(event, Won | RoundDrawn))
    while isinstance(rounds[last_result - 1], Won):
        last_result -= 1  # a double ron
    assert not is_finished(rounds[:last_result])


@pytest.mark.parametrize("name", ["record.mjlog", "record.json"])
def test_a_game_converted_to_a_format_of_tenhou_is_finished(tmp_path, name):
    assert main(["convert", str(game("four-riichi")), "-o", str(tmp_path / name)]) == 0
    assert is_finished([entry.event for entry in read_game(tmp_path / name) if entry.event is not None])


def test_a_game_of_mahjong_soul_is_finished(tmp_path):
    record = written(completed(with_length(read_game(game("four-riichi")), HANCHAN), "test"))
    path = tmp_path / "record.json"
    path.write_bytes(record if isinstance(record, bytes) else json.dumps(record).encode())
    assert is_finished([entry.event for entry in read_game(path) if entry.event is not None])


def excerpt(tmp_path, rounds, **more):
    """The first rounds of a hanchan as tenhou.net/6 without final scores; the sixth is the last of East 4."""
    assert main(["convert", str(game("after-a-kan")), "-o", str(tmp_path / "record.json")]) == 0
    value = json.loads((tmp_path / "record.json").read_text())
    (tmp_path / "excerpt.json").write_text(
        json.dumps({"name": value["name"], "log": value["log"][:rounds], **more})
    )
    return read_game(tmp_path / "excerpt.json")


@pytest.mark.parametrize("rounds", [1, 3, 6, 7])
def test_an_excerpt_of_tenhou_json_counted_as_a_finished_game(tmp_path, rounds):
    """Each such record was given an ``end_game``: one that breaks off in East 4 was an East-only game."""
    found = excerpt(tmp_path, rounds)
    assert not is_finished([entry.event for entry in found])
    assert guessed_length(found) == HANCHAN


def test_a_game_of_tenhou_json_without_final_scores_is_over_after_its_last_round(tmp_path):
    assert excerpt(tmp_path, 6, rule={"disp": "般東喰赤"})[-1].event == GameEnd()
    assert not isinstance(excerpt(tmp_path, 5, rule={"disp": "般東喰赤"})[-1].event, GameEnd)
    assert excerpt(tmp_path, None)[-1].event == GameEnd()
    east, _ = known_length(excerpt(tmp_path, 6), EAST_ONLY)
    assert is_finished([entry.event for entry in east])


def last_round(wind, *, drawn):
    """The fourth round of a wind, dealt by seat 3, until so many tiles have been drawn and discarded."""
    hands = (tuple(parse_tiles("19m19p19s1234567z")), *((None,) * 13,) * 3)
    wall = parse_tiles("".join(f"{number * 4}{suit}" for suit in "mps" for number in "234678"))
    events = [RoundStart(wind, 4, 0, 0, 3, "9s", hands, (25_000,) * 4)]
    for at, tile in enumerate(wall[:drawn]):
        seat = (3 + at) % 4
        events += [Draw(seat, None if seat else tile), Discarded(seat, tile, from_draw=True)]
    return events


BEHIND, AHEAD, SHORT = (20, 31, 20, 29), (20, 29, 20, 31), (28, 24, 19, 29)
"""Thousands of points after the round: the dealer is behind, is ahead, and nobody has the target."""


@pytest.mark.parametrize(
    ("wind", "scores", "drawn", "winners", "tenpai", "finished"),
    [
        ("S", BEHIND, 70, (), (0, 1, 2), True),
        ("S", BEHIND, 70, (), (3,), False),  # the dealer stays
        ("S", AHEAD, 70, (), (3,), True),  # and stops
        ("S", SHORT, 70, (), (0,), False),
        ("S", AHEAD, 8, (), (), False),  # an aborted round is played again
        ("W", SHORT, 8, (), (), False),
        ("W", SHORT, 70, (), (), True),  # West 4 is the last in any case
        ("W", SHORT, 70, (), (3,), False),
        ("S", BEHIND, 10, (1,), (), True),
        ("S", BEHIND, 10, (1, 3), (), False),  # of two winners the dealer is the further one, and stays
        ("S", AHEAD, 10, (1, 3), (), True),
    ],
)
def test_the_last_round_ends_a_game_unless_its_dealer_stays(wind, scores, drawn, winners, tenpai, finished):
    points = tuple(1_000 * score for score in scores)
    events = last_round(wind, drawn=drawn)
    if not winners:
        reason = "exhaustive_draw" if drawn == 70 else "suucha_riichi"
        ready = tuple(seat in tenpai for seat in range(4))
        events.append(RoundDrawn(reason, tenpai=ready, scores=points))
    for seat in winners:
        events.append(Won(seat, 0, scores=points))  # the tenth discard is that of seat 0
    assert is_finished(events) is finished
