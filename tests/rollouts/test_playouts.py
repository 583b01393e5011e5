"""Options played on: the same in equal worlds, whatever the order; a deal-in that is certain is paid."""

import numpy as np
import pytest

from manue.decision.settings import Settings
from manue.game.actions import Discard, Riichi
from manue.game.legal import legal_actions
from manue.game.position import Position
from manue.models.model_set import Models
from manue.models.placement import DRAWN, WON
from manue.models.policy import load_policy
from manue.rollouts import playouts
from manue.rollouts.comparison import gain_of, valued, worth_of
from manue.rollouts.moment import moment_of
from manue.rollouts.playouts import Results, play_options
from manue.rollouts.worlds import Worlds
from manue.rules import TENHOU
from manue.sim.codes import TILE_NUMBER
from manue.tiles import parse_tiles

OURS = "123m456p789p1144s"
SOUTH = "123456789m11p23s"


@pytest.fixture(scope="module")
def riichi():
    """East draws, in tenpai; South is in riichi and waits for 1s and 4s."""
    position = Position(
        hand=tuple(parse_tiles(OURS)),
        draw="N",
        dora="W",
        seat="E",
        rivers={"E": "9s 9s", "S": "P C!", "W": "P C", "N": "P C"},
    )
    state = position.state(TENHOU)
    return state, moment_of(state, legal_actions(state))


def worlds_with(moment, hand, number):
    """Give South a hand, and the others any tiles."""
    rng = np.random.default_rng(3)
    hands = np.zeros((number, 4, 37), np.int8)
    for world in hands:
        world[1] = np.bincount([TILE_NUMBER[tile] for tile in parse_tiles(hand)], minlength=37)
        left = rng.permutation(np.repeat(np.arange(37), moment.unseen - world[1]))
        world[2], world[3] = (np.bincount(part, minlength=37) for part in (left[:13], left[13:26]))
    nothing = np.zeros((number, 4))
    return Worlds(hands, nothing > 0, nothing.astype(np.int64), np.arange(number))


def played(moment, worlds, plans, seed=5):
    return play_options(moment, worlds, plans, seed, TENHOU, load_policy())


def test_a_certain_deal_in_is_paid_in_every_world(riichi):
    state, moment = riichi
    worlds = worlds_with(moment, SOUTH, 40)
    plans = [(Discard("N", from_draw=True), None), (Discard("4s"), None), (Riichi(), Discard("4s"))]
    results = played(moment, worlds, plans)
    paid = state.scores[0] - results.scores[:, 1:, 0]
    assert (paid >= 1300).all()
    assert (results.scores[:, 1:, 1] - state.scores[1] >= 1300 + 1000).all()  # and its own stick is back
    assert (paid[:, 0] == paid[:, 1]).all()  # a riichi that is won on pays no stick
    assert not results.stays[:, 1:].any()
    assert (results.ended[:, 1:] == WON).all()
    assert (results.scores[:, 0, 0] != results.scores[:, 1, 0]).mean() > 0.5


def test_options_meet_the_same_worlds(riichi, monkeypatch):
    state, moment = riichi
    worlds = worlds_with(moment, SOUTH, 30)
    north, five, declared = (
        (Discard("N", from_draw=True), None),
        (Discard("9p"), None),
        (Riichi(), Discard("N", from_draw=True)),
    )
    results = played(moment, worlds, [north, five, north, declared])
    assert (results.scores[:, 0] == results.scores[:, 2]).all()
    assert (results.scores[:, 0] != results.scores[:, 3]).any()
    change = np.abs(results.scores - state.scores).max(axis=2)
    assert 0 < (results.ended == DRAWN).sum() < results.ended.size / 2
    assert (change[results.ended == DRAWN] <= 3000 + 1000).all()
    assert (change[results.ended == WON] >= 1000).all()
    monkeypatch.setattr(playouts, "CHUNK", 7)
    again = played(moment, worlds, [five, north])
    assert (again.scores[:, 0] == results.scores[:, 1]).all()
    assert (again.scores[:, 1] == results.scores[:, 0]).all()
    assert (played(moment, worlds, [north], seed=6).scores[:, 0] != results.scores[:, 0]).any()


def test_no_points_are_lost(riichi):
    state, moment = riichi
    results = played(moment, worlds_with(moment, SOUTH, 30), [(Discard("N", from_draw=True), None)])
    sticks = sum(state.scores) + 1000 * state.deposits - results.scores.sum(axis=2)
    assert (sticks >= 0).all()
    assert (sticks % 1000 == 0).all()


def test_a_position_that_is_not_whole_is_not_played_on(riichi):
    state, _ = riichi
    left = state.tiles_left
    state.tiles_left -= 1
    assert moment_of(state, legal_actions(state)) is None
    state.tiles_left = left
    assert moment_of(state, legal_actions(state)) is not None


def test_gains_are_means_of_the_differences_in_each_world():
    scores = np.full((3, 2, 4), 25_000, np.int32)
    scores[:, 0, 0] += np.array([0, 1000, 2000], np.int32)
    scores[:, 1, 0] += np.array([300, 1300, 3500], np.int32)
    model = Models.load().placement
    found = valued(
        Results(scores, np.zeros((3, 2), np.bool_), np.zeros((3, 2), np.int8), np.arange(3)),
        Position(hand=tuple(parse_tiles(OURS)), draw="N", dora="W", seat="E").state(TENHOU),
        model,
        Settings(policy="points"),
    )
    chosen, other = found.rollouts()
    assert (chosen.gain, chosen.error, chosen.points) == (0.0, 0.0, 1000.0)
    assert (other.worlds, other.gain, other.points) == (3, 700.0, 1700.0)
    assert other.error == pytest.approx(4.303 * np.std([300, 300, 1500], ddof=1) / np.sqrt(3))
    assert 1.0 < other.rank < chosen.rank < 4.0


def test_few_worlds_had_the_interval_of_many():
    rng = np.random.default_rng(3)
    intervals = [gain_of(rng.standard_normal(3), np.arange(3)) for _ in range(2_000)]
    assert np.mean([abs(gain) <= error for gain, error in intervals]) == pytest.approx(0.95, abs=0.015)


def test_worlds_with_the_same_hands_are_not_taken_for_independent():
    """Regression: where a few hands had nearly all the weight, the interval was several times too narrow."""
    rng = np.random.default_rng(4)
    by_hands = rng.normal(0, 1000, 30)
    drawn = np.repeat(np.arange(30), 40)
    gain, error = gain_of(by_hands[drawn], drawn)
    once = gain_of(by_hands, np.arange(30))
    assert (gain, error) == pytest.approx(once)
    assert error > 5 * gain_of(by_hands[drawn], np.arange(1200))[1]


def test_places_count_as_the_points_that_they_are_worth():
    points = np.array([[0.0, 0.0], [8000.0, 8000.0]])
    places = np.zeros((2, 2, 4))
    places[0, :, 1] = 1.0  # second: 45
    places[1, 0, 0] = 1.0  # first: 90, so that a point is worth 45 / 8000
    places[1, 1, 3] = 1.0  # last: -135
    worth = worth_of(points, places, Settings())
    assert worth[1, 0] - worth[0, 0] == pytest.approx(8000.0)
    assert worth[1, 1] - worth[1, 0] == pytest.approx(-225 / 45 * 8000)
    assert (worth_of(points, places, Settings(policy="points")) == points).all()
