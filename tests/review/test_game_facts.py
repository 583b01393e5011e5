"""What the head of a page says: which games were finished."""

import json

import pytest

from manue.__main__ import main
from manue.game.events import GameEnd, RoundDrawn, RoundStart, Won
from manue.records.completed import completed
from manue.records.formats import read_game
from manue.records.length import with_length
from manue.review.game_facts import is_finished
from manue.rules import HANCHAN
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
