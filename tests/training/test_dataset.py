"""The truth at every discard, compared with the record: hands, who won and how, how the game ended."""

import random

import numpy as np
import pytest

from manue.game.events import Discarded, DoraRevealed, Draw, RoundStart, Won
from manue.game.state import RoundState
from manue.records.games import games_of
from manue.records.results import final_places, round_results
from manue.tiles import KIND_OF, RED_FIVES
from manue.training.dataset import ABORTED, EXHAUSTED, RON, TSUMO, _rounds, _ura, replay
from tests.conftest import events_of, game

NAMES = ("four-riichi", "double-ron", "double-riichi", "two-manue")


@pytest.fixture(scope="module", params=NAMES)
def replayed(request):
    """The events of a game and the truths at its discards."""
    (found,) = games_of(game(request.param))
    return found.events, replay(found.events, request.param, seed=0)[1]


def test_the_end_of_a_round_is_told_as_its_seat_sees_it(replayed):
    events, truths = replayed
    results, places = round_results(events), final_places(events)
    for truth in truths:
        result, seat = results[truth["round"]], int(truth["seat"])
        seats = [(seat + i) % 4 for i in range(4)]
        assert truth["winner"].tolist() == [other in result.winners for other in seats]
        assert truth["payer"] == (-1 if result.payer is None else seats.index(result.payer))
        assert truth["final_rank"].tolist() == [places[other] for other in seats]
        drawn = EXHAUSTED if result.exhausted else ABORTED
        won = TSUMO if result.payer is None else RON
        assert truth["ending"] == (won if result.winners else drawn)


def test_nobody_wins_on_a_tile_while_furiten_or_not_tenpai(replayed):
    _, truths = replayed
    able = (truths["win_points"] > 0).any(2)
    assert able.any()
    assert (truths["tenpai"][:, 1:][able] > 0).all()
    assert (truths["furiten"][:, 1:][able] == 0).all()


def test_the_observer_is_tenpai_and_furiten_as_after_its_discard(replayed):
    events, truths = replayed
    states, expected = [RoundState(seat) for seat in range(4)], []
    for event in events:
        for state in states:
            state.apply(event)
        if isinstance(event, Discarded):
            state = states[event.actor]
            expected.append((bool(state.waits), state.furiten))
    found = zip(truths["tenpai"][:, 0] > 0, truths["furiten"][:, 0] > 0, strict=True)
    assert [(bool(one), bool(other)) for one, other in found] == expected


def test_indicators_under_the_dora_are_tiles_that_nobody_ever_saw():
    """Those that were shown come first; no red five is there twice, and no kind five times."""
    for part in _rounds(events_of(game("four-riichi"))):
        seen, shown = [], ()
        for event in part:
            match event:
                case RoundStart():
                    seen += [*(tile for hand in event.hands for tile in hand), event.dora_indicator]
                case Draw(tile=tile):
                    seen.append(tile)
                case DoraRevealed(indicator=tile):
                    seen.append(tile)
                case Won():
                    shown = event.ura_indicators or shown
        for seed in range(20):
            ura = _ura(part, random.Random(seed))
            assert ura[: len(shown)] == tuple(shown)
            assert len(ura) == 5
            tiles = [*seen, *ura]
            assert all(tiles.count(red) <= 1 for red in RED_FIVES)
            assert np.bincount([KIND_OF[tile] for tile in tiles]).max() <= 4
            assert all(tiles.count(red[:2]) <= 3 for red in RED_FIVES)
