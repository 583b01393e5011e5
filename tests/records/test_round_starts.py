"""Where rounds started, and final places, whether or not the end of the game says the scores."""

from dataclasses import replace

import pytest

from manue.errors import EventError
from manue.game.events import GameEnd
from manue.records.round_starts import round_starts
from tests.conftest import events_of, game


def test_places_are_the_same_without_scores_at_the_end():
    events = events_of(game("two-manue"))
    silent = [replace(event, scores=None) if isinstance(event, GameEnd) else event for event in events]
    said, counted = round_starts(events), round_starts(silent)
    assert said.places.tolist() == counted.places.tolist()
    assert sorted(said.places) == [0, 1, 2, 3]
    assert said.index[0] == said.honba[0] == 0
    assert said.scores[0].tolist() == [25_000] * 4


def test_round_dealer_and_honba_of_a_whole_hanchan():
    found = round_starts(events_of(game("four-kans")))
    assert found.index.tolist() == [0, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 7, 7]
    assert found.dealer.tolist() == [0, 0, 1, 2, 2, 3, 0, 1, 1, 2, 3, 3, 3]
    assert found.honba.tolist() == [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2]


def test_a_game_without_its_end_has_no_places():
    events = [event for event in events_of(game("two-manue")) if not isinstance(event, GameEnd)]
    with pytest.raises(EventError, match="no end of the game"):
        round_starts(events)
