"""Several games in one file: each with its own length and places, and its own line if it is of no use."""

import gzip
import json

import pytest

from manue.errors import LogError
from manue.records.games import MAX_ROUNDS, collect_games, games_of
from manue.records.round_starts import round_starts
from manue.rules import EAST_ONLY, HANCHAN
from tests.conftest import game, one_file

START = '{"type":"start_game"'
HANCHAN_GAME, EAST_GAME = game("four-kans"), game("east-rules")


@pytest.fixture
def both(tmp_path):
    """A hanchan, and a game that says that it is of East rounds only."""
    path = one_file(tmp_path / "both.mjson", HANCHAN_GAME, EAST_GAME)
    first, second = path.read_text().split(START)[1:]
    path.write_text(START + first + START.replace("{", '{"kyoku_first":4,') + second)
    return path


def test_each_game_of_a_file_has_its_own_length_and_places(both):
    """All had the length of the first and the places of the last."""
    found = [round_starts(one.events) for one in games_of(both)]
    alone = [round_starts(games_of(log)[0].events) for log in (HANCHAN_GAME, EAST_GAME)]
    assert [starts.last for starts in found] == [HANCHAN, EAST_ONLY]
    assert [starts.places.tolist() for starts in found] == [starts.places.tolist() for starts in alone]
    assert [len(starts.scores) for starts in found] == [len(starts.scores) for starts in alone]


def test_a_game_is_named_by_its_file_and_its_number_in_it(both):
    assert [one.name for one in games_of(both)] == ["both.mjson, game 1", "both.mjson, game 2"]
    assert [one.name for one in games_of(EAST_GAME)] == [EAST_GAME.name]


def test_a_length_that_is_given_goes_for_every_game(both):
    assert [round_starts(one.events).last for one in games_of(both, EAST_ONLY)] == [EAST_ONLY] * 2


def test_a_game_of_no_use_spoils_no_other(both):
    """An impossible event left out the whole file."""
    lines = both.read_text().splitlines()
    end = next(at for at, line in enumerate(lines) if '"end_game"' in line)
    both.write_text("\n".join(lines[:end] + lines[end + 1 :]))  # the first game has no end
    line, starts = collect_games(both, lambda one: round_starts(one.events))
    assert line == f"{both}, game 1: the record has no end of the game"
    assert starts.last == EAST_ONLY


def test_more_rounds_than_can_be_numbered_are_refused(tmp_path):
    """Rounds of different games had one number beyond 64 of a file."""
    lines = gzip.decompress(EAST_GAME.read_bytes()).decode().splitlines()
    first = next(at for at, line in enumerate(lines) if json.loads(line)["type"] == "start_kyoku")
    last = next(at for at, line in enumerate(lines) if json.loads(line)["type"] == "end_kyoku")
    log = tmp_path / "endless.mjson"
    log.write_text("\n".join([*lines[:first], *lines[first : last + 1] * (MAX_ROUNDS + 1), lines[-1]]))
    assert collect_games(log, len) == [f"{log}: more than {MAX_ROUNDS} rounds in one game"]


def test_a_file_without_events_is_named(tmp_path):
    (tmp_path / "empty.mjson").touch()
    with pytest.raises(LogError, match=r"empty\.mjson: no events in this file"):
        games_of(tmp_path / "empty.mjson")
    (line,) = collect_games(tmp_path / "missing.mjson", len)
    assert "missing.mjson" in line
