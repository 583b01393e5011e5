"""Options played on: the same in equal worlds, whatever the order; a deal-in that is certain is paid."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from manue.decision.settings import Settings
from manue.game.actions import Call, Discard, Pass, Riichi
from manue.game.events import RiichiDeclared
from manue.game.legal import legal_actions
from manue.game.position import Position
from manue.models.model_set import Models
from manue.models.placement import EXHAUSTED, WON
from manue.models.policy import load_policy
from manue.rollouts import playouts
from manue.rollouts.comparison import gain_of, valued, worth_of
from manue.rollouts.hands import put_hand, winning_kinds
from manue.rollouts.playouts import Results, play_options, put_wall
from manue.rollouts.snapshot import snapshot_of
from manue.rollouts.worlds import Worlds
from manue.rules import TENHOU
from manue.sim.codes import TILE_NUMBER
from manue.sim.kit import new_kit
from manue.sim.table import new_tables
from manue.tiles import parse_tiles

OURS = "123m456p789p1144s"
IN_RIICHI = "123456789m11p23s"
RIVERS = {
    "E": {"E": "9s 9s", "S": "P C!", "W": "P C", "N": "P C"},
    "W": {"E": "P C F", "S": "P C F", "W": "9s 9s", "N": "P C!"},
}
"""By who draws: the seat after it is in riichi, and waits for 1s and 4s."""


def position_of(seat, *, hand=OURS, draw="N", **changed):
    """A seat in tenpai draws; changed are the rivers of some winds."""
    rivers = RIVERS[seat] | changed
    return Position(hand=tuple(parse_tiles(hand)), draw=draw, dora="W", seat=seat, rivers=rivers).state(
        TENHOU
    )


def snapshot_in(state):
    return snapshot_of(state, legal_actions(state))


@pytest.fixture(scope="module")
def riichi():
    state = position_of("E")
    return state, snapshot_in(state)


def numbers_of(hand):
    """Count the tiles of a hand: int8[37]."""
    tiles = [TILE_NUMBER[tile] for tile in parse_tiles(hand)]
    return np.bincount(tiles, minlength=37).astype(np.int8)


def worlds_with(snapshot, hand, number):
    """Give the next seat a hand, and the others any tiles."""
    rng = np.random.default_rng(3)
    hands = np.zeros((number, 4, 37), np.int8)
    following, *others = snapshot.opponents
    for world in hands:
        world[following] = numbers_of(hand)
        left = rng.permutation(np.repeat(np.arange(37), snapshot.unseen - world[following]))
        for at, seat in enumerate(others):
            world[seat] = np.bincount(left[13 * at : 13 * at + 13], minlength=37)
    nothing = np.zeros((number, 4))
    return Worlds(hands, nothing > 0, nothing.astype(np.int64), np.arange(number))


def played(snapshot, worlds, plans, seed=5):
    return play_options(snapshot, worlds, plans, seed, TENHOU, load_policy())


@pytest.mark.parametrize("seat", ["E", "W"])
def test_a_certain_deal_in_is_paid_in_every_world(seat):
    state = position_of(seat)
    snapshot = snapshot_in(state)
    worlds = worlds_with(snapshot, IN_RIICHI, 40)
    plans = [(Discard("N", from_draw=True), None), (Discard("4s"), None), (Riichi(), Discard("4s"))]
    results = played(snapshot, worlds, plans)
    us, winner = state.seat, snapshot.opponents[0]
    paid = state.scores[us] - results.scores[:, 1:, us]
    assert (paid >= 1300).all()
    assert (
        results.scores[:, 1:, winner] - state.scores[winner] >= 1300 + 1000
    ).all()  # and its stick is back
    assert (paid[:, 0] == paid[:, 1]).all()  # a riichi that is won on pays no stick
    assert not results.stays[:, 1:].any()
    assert (results.ended[:, 1:] == WON).all()
    assert (results.scores[:, 0, us] != results.scores[:, 1, us]).mean() > 0.5


def test_a_call_is_played_on_with_its_discard():
    """As an answer to the turn of another seat: pon of South's 7s, and a discard on which North wins."""
    state = position_of("W", hand="123m456p789p4477s", draw=None, S="P C 7s")
    snapshot = snapshot_in(state)
    worlds = worlds_with(snapshot, IN_RIICHI, 40)
    pon = Call("pon", ("7s", "7s"), "7s", 1)
    results = played(snapshot, worlds, [(pon, Discard("4s")), (Pass(), None), (pon, Discard("1m"))])
    assert (state.scores[2] - results.scores[:, 0, 2] >= 1300).all()
    assert (results.scores[:, 0, 3] > state.scores[3]).all()
    assert all((results.scores[:, 0] != results.scores[:, at]).any(axis=1).mean() > 0.5 for at in (1, 2))


def test_after_a_pass_the_seat_after_the_discarder_draws():
    """West and North wait for 4m, and all that is left to be drawn are 4m: who draws first wins."""
    state = position_of("W", hand="1112345678999m", draw=None, S="P C 2m")
    snapshot = snapshot_in(state)
    worlds = worlds_with(snapshot, "123456789p11p23m", 1)
    left = np.zeros(37, np.int8)
    left[TILE_NUMBER["4m"]] = len(snapshot.places)
    results = played(replace(snapshot, unseen=worlds.hands[0].sum(axis=0) + left), worlds, [(Pass(), None)])
    assert (results.scores[0, 0] > state.scores).tolist() == [False, False, True, False]


def test_a_riichi_declared_already_is_played_on_as_one_to_be_declared(riichi):
    state, snapshot = riichi
    worlds, discard = worlds_with(snapshot, IN_RIICHI, 40), Discard("N", from_draw=True)
    to_declare = played(snapshot, worlds, [(Riichi(), discard)])
    declared = position_of("E")
    declared.apply(RiichiDeclared(state.seat))
    results = played(snapshot_in(declared), worlds, [(discard, None)])
    assert (results.scores == to_declare.scores).all()


@pytest.mark.parametrize(
    ("rivers", "wins"),
    [
        ({}, True),
        ({"S": "P C"}, True),  # without riichi
        ({"W": "4s C"}, True),
        ({"W": "P 4s"}, False),
        ({"S": "P C", "W": "P 4s"}, False),
        ({"S": "P C", "W": "4s P"}, True),
        ({"S": "4s C!"}, False),
        ({"S": "4s C"}, False),
    ],
)
def test_who_let_a_tile_pass_or_discarded_it_does_not_win(riichi, rivers, wins):
    """On both tiles of the wait; without riichi, for as long as the hand stays as it is."""
    kit = new_kit()
    t = snapshot_in(position_of("E", **rivers)).tables[0]
    put_hand(t, 1, numbers_of(IN_RIICHI), kit["tables"])
    waits = 1 << TILE_NUMBER["1s"] | 1 << TILE_NUMBER["4s"]
    assert int(t["waits"][1]) == waits
    assert winning_kinds(t, 1, kit) == (waits if wins else 0)


def test_tiles_of_the_wall_lie_in_any_order():
    t = new_tables(1)[0]
    t["rng"] = 5
    left = np.zeros(37, np.int8)
    left[[3, 20, 36]] = 1
    places = np.array([2, 70, 130])
    found = Counter()
    for _ in range(6000):
        put_wall(t, left, places)
        found[tuple(t["wall"][places].tolist())] += 1
    assert sorted(found) == sorted(permutations([3, 20, 36]))
    assert all(abs(times - 1000) < 150 for times in found.values())  # five standard errors


def test_options_meet_the_same_worlds(riichi, monkeypatch):
    state, snapshot = riichi
    worlds = worlds_with(snapshot, IN_RIICHI, 30)
    north, five, declared = (
        (Discard("N", from_draw=True), None),
        (Discard("9p"), None),
        (Riichi(), Discard("N", from_draw=True)),
    )
    results = played(snapshot, worlds, [north, five, north, declared])
    assert (results.scores[:, 0] == results.scores[:, 2]).all()
    assert (results.scores[:, 0] != results.scores[:, 3]).any()
    change = np.abs(results.scores - state.scores).max(axis=2)
    assert 0 < (results.ended == EXHAUSTED).sum() < results.ended.size / 2
    assert (change[results.ended == EXHAUSTED] <= 3000 + 1000).all()
    assert (change[results.ended == WON] >= 1000).all()
    monkeypatch.setattr(playouts, "CHUNK", 7)
    again = played(snapshot, worlds, [five, north])
    assert (again.scores[:, 0] == results.scores[:, 1]).all()
    assert (again.scores[:, 1] == results.scores[:, 0]).all()
    assert (played(snapshot, worlds, [north], seed=6).scores[:, 0] != results.scores[:, 0]).any()


def test_no_points_are_lost(riichi):
    state, snapshot = riichi
    results = played(snapshot, worlds_with(snapshot, IN_RIICHI, 30), [(Discard("N", from_draw=True), None)])
    sticks = sum(state.scores) + 1000 * state.deposits - results.scores.sum(axis=2)
    assert (sticks >= 0).all()
    assert (sticks % 1000 == 0).all()


def test_a_position_that_is_not_whole_is_not_played_on(riichi):
    state, _ = riichi
    left = state.tiles_left
    state.tiles_left -= 1
    assert snapshot_of(state, legal_actions(state)) is None
    state.tiles_left = left
    assert snapshot_of(state, legal_actions(state)) is not None


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


def test_results_are_valued_one_by_one_for_the_seat_that_decides():
    rng = np.random.default_rng(2)
    scores = 25_000 + rng.integers(-80, 80, (5, 3, 4)).astype(np.int32) * 100
    scores[0, 0], scores[0, 1] = (17_000, 17_000, 49_000, 17_000), (49_000, 17_000, 17_000, 17_000)
    stays, ended = rng.random((5, 3)) < 0.5, rng.integers(0, 3, (5, 3)).astype(np.int8)
    state, model = position_of("W"), Models.load().placement

    def valued_as(*place):
        part = Results(scores[place], stays[place], ended[place], np.arange(len(scores[place])))
        return valued(part, state, model, Settings(policy="points"))

    found = valued_as()
    assert (found.points == scores[:, :, 2] - state.scores[2]).all()
    assert found.ranks[0, 0] < 1.5
    assert found.ranks[0, 1] > 2.5
    for world in range(5):
        for option in range(3):
            alone = valued_as(slice(world, world + 1), slice(option, option + 1))
            assert alone.ranks[0, 0] == pytest.approx(found.ranks[world, option])


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
