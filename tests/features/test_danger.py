"""Features of scenes against slow, obvious twins, over records."""

from dataclasses import replace

import numpy as np
import pytest

from manue.features import danger_columns as c
from manue.features.danger import danger_features
from manue.features.fold import AT, fold_features
from manue.features.opponent_columns import OPPONENT_FEATURES
from manue.features.scene import FROM_DRAW, RIICHI_TILE, scene_of
from manue.game.events import Discarded
from manue.game.state import RoundState
from manue.hand.points import LEAST_WIN
from manue.records.archive import read_log
from manue.tiles import KIND_OF, WINDS, dora_of
from tests.conftest import game
from tests.models.loaded import dangers, explain, shipped


@pytest.fixture(scope="module")
def states():
    """Yield (state, scene) before every discard of seat 0 in a few games, the state as it was then."""
    import copy

    found = []
    for path in (game("two-manue"), game("four-riichi")):
        state = RoundState(0)
        for entry in read_log(path):
            if entry.event is None:
                continue
            if isinstance(entry.event, Discarded) and entry.event.actor == 0:
                found.append((copy.deepcopy(state), scene_of(state)))
            state.apply(entry.event)
    return found


def computed(scene):
    kinds, opponents = danger_features(scene, c.SHAPE_WEIGHTS)
    return kinds[0], opponents[0]


def test_scene_tells_the_state(states):
    for state, scene in states:
        one = scene[0]
        for i in range(4):
            player = state.players[(state.seat + i) % 4]
            kinds = one["river"][i][: one["river_len"][i]].tolist()
            assert kinds == [KIND_OF[tile.tile] for tile in player.river]
            flags = one["river_flag"][i]
            assert [bool(flags[j] & FROM_DRAW) for j in range(len(kinds))] == [
                t.from_draw for t in player.river
            ]
            assert [bool(flags[j] & RIICHI_TILE) for j in range(len(kinds))] == [
                t.riichi for t in player.river
            ]
            assert one["meld_len"][i] == len(player.melds)
            assert one["meld_first"][i][: len(player.melds)].tolist() == [m.first_kind for m in player.melds]
            assert np.array_equal(one["safe"][i] > 0, player.safe)
            assert np.array_equal(one["passed"][i] > 0, player.passed)
        assert np.array_equal(one["hand"], state.counts)
        assert np.array_equal(one["visible"], state.visible)
        assert one["scores"].tolist() == [state.scores[(state.seat + i) % 4] // 100 for i in range(4)]
        assert one["tiles_left"] == state.tiles_left
        dora = [dora_of(tile) for tile in state.dora_indicators]
        assert one["dora"].tolist() == [dora.count(kind) for kind in range(34)]
        assert one["seat_wind"][0] == 27 + WINDS.index(state.seat_wind)


def slow_suji(safe, kind):
    """Suji by its definition: every two-sided wait on the kind is ruled out by the tile at its other end."""
    if kind >= 27:
        return 2
    n, base = kind % 9, kind - kind % 9
    ends = [base + m for m in (n - 3, n + 3) if 0 <= m <= 8]
    ruled_out = sum(bool(safe[end]) for end in ends)
    return 2 if ruled_out == len(ends) else ruled_out


def slow_shares(state, player):
    """Walk through every waiting shape of two tiles or fewer and add it to the kinds it waits for."""
    w = c.SHAPE_WEIGHTS
    held = (4.0 - state.visible).tolist()
    for indicator in state.dora_indicators:
        held[dora_of(indicator)] *= w[c.FACTOR.dora]
    for five in (4, 13, 22):
        held[five] *= w[c.FACTOR.five]
    end = len(player.river) if player.riichi_index is None else player.riichi_index + 1
    for i, tile in enumerate(player.river[:end]):
        factor = w[c.FACTOR.discarded_early] if i < c.EARLY else w[c.FACTOR.discarded_late]
        held[KIND_OF[tile.tile]] *= w[c.FACTOR.riichi_tile] if tile.riichi else factor
    share = [0.0] * 34
    for low in range(27):
        n = low % 9
        if n <= 7:  # two neighbours
            ways = held[low] * held[low + 1]
            waits = [k for k, m in ((low - 1, n - 1), (low + 2, n + 2)) if 0 <= m <= 8]
            if len(waits) == 1:
                share[waits[0]] += w[c.FACTOR.edge] * ways
            elif not any(player.safe[k] for k in waits):
                for k in waits:
                    share[k] += w[c.FACTOR.two_sided] * ways
        if n <= 6:  # a gap
            share[low + 1] += w[c.FACTOR.closed] * held[low] * held[low + 2]
    for kind in range(34):
        copies = 4 - int(state.visible[kind])
        pair, single = (
            (c.FACTOR.pair, c.FACTOR.single) if kind < 27 else (c.FACTOR.honor_pair, c.FACTOR.honor_single)
        )
        share[kind] += held[kind] * (w[pair] * (copies - 1) / 2 + w[single])
        if player.safe[kind] or copies == 0:
            share[kind] = 0.0
    return np.array(share) / sum(share)


def test_kind_features_against_slow_twins(states):
    for state, scene in states[::3]:
        kinds, _ = computed(scene)
        for o in range(3):
            player = state.players[(state.seat + o + 1) % 4]
            assert np.allclose(kinds[o, :, c.KIND.combo_share], slow_shares(state, player), atol=1e-6)
            assert kinds[o, :, c.KIND.suji].tolist() == [slow_suji(player.safe, kind) for kind in range(34)]
            assert np.array_equal(kinds[o, :, c.KIND.unseen], 4 - state.visible)
            assert np.array_equal(kinds[o, :, c.KIND.passed] > 0, player.passed)
            river = [KIND_OF[tile.tile] for tile in player.river]
            end = len(river) if player.riichi_index is None else player.riichi_index + 1
            for kind in range(27):
                near = [t for t in river[:end] if t // 9 == kind // 9]
                assert kinds[o, kind, c.KIND.next_discards] == sum(abs(t - kind) == 1 for t in near)
                assert kinds[o, kind, c.KIND.gap_discards] == sum(abs(t - kind) == 2 for t in near)


def test_opponent_features_against_the_state(states):
    for state, scene in states:
        _, opponents = computed(scene)
        for o in range(3):
            player = state.players[(state.seat + o + 1) % 4]
            row = opponents[o]
            from_hand = [not tile.from_draw for tile in player.river]
            streak = from_hand[::-1].index(True) if any(from_hand) else len(from_hand)
            assert row[c.OPPONENT.turn] == len(player.river)
            assert row[c.OPPONENT.melds] == len(player.melds)
            assert row[c.OPPONENT.hand_changes] == sum(from_hand)
            assert row[c.OPPONENT.streak] == streak
            assert row[c.OPPONENT.safe_kinds] == player.safe.sum()
            assert (row[c.OPPONENT.riichi] > 0) == player.riichi
            assert row[c.OPPONENT.riichi_turn] == (-1 if player.riichi_index is None else player.riichi_index)
            lines = [line for line in range(27) if line % 9 < 6]
            assert row[c.OPPONENT.suji_ruled_out] == sum(player.safe[k] or player.safe[k + 3] for k in lines)


def test_the_order_of_discards_is_found_again():
    """``since_change`` counts everybody's discards: compare with a count made while the game goes on."""
    state = RoundState(0)
    since = [0] * 4
    checked = 0
    for entry in read_log(game("double-ron")):
        event = entry.event
        if event is None:
            continue
        kind = type(event).__name__
        if isinstance(event, Discarded) and event.actor == 0:
            _, opponents = computed(scene_of(state))
            for o in range(3):
                seat = o + 1
                if not state.players[seat].river or all(t.from_draw for t in state.players[seat].river):
                    continue
                if state.players[seat].melds:
                    continue  # kans do not show in the rivers
                assert opponents[o, c.OPPONENT.since_change] == since[seat]
                checked += 1
        state.apply(event)
        if kind == "RoundStart":
            since = [0] * 4
        if isinstance(event, Discarded):
            since = [n + 1 for n in since]
            if not event.from_draw:
                since[event.actor] = 0
    assert checked > 100


def test_dangers_are_probabilities_and_safe_tiles_are_safe(states):
    for state, _ in states[::5]:
        danger = dangers(state)
        assert ((danger.prob >= 0) & (danger.prob <= 1)).all()
        assert (danger.can_win <= danger.tenpai + 1e-12).all()
        for seat in range(1, 4):
            player = state.players[seat]
            assert not danger.prob[seat][player.safe].any()
            assert danger.tenpai[seat] == 1.0 or not player.riichi
            wanted = danger.prob[seat] > 0
            assert (danger.loss[seat][wanted] >= 1000).all()
        assert not danger.prob[0].any()
        held = dangers(state, held_only=True)
        mask = state.counts > 0
        assert np.array_equal(held.prob[:, mask], danger.prob[:, mask])


def test_a_tile_that_cannot_deal_in_needs_no_other_reason(states):
    state = next(state for state, _ in states if state.players[2].riichi)
    safe = next(k for k in range(34) if state.players[2].safe[k])
    assert [one.word for one in explain(state, 2, safe)] == ["safe"]


def test_who_can_win_is_tenpai():
    """Also where the trees of the two, learned apart, say otherwise."""
    model = shipped().dangers.opponents
    crossed = replace(model, tenpai=model.can_win, can_win=model.tenpai)
    rows = np.random.default_rng(5).random((200, 3, len(OPPONENT_FEATURES)), np.float32)
    rows[..., c.OPPONENT.riichi] = 0
    plain, found = model.read(rows), crossed.read(rows)
    assert (plain.tenpai > plain.can_win).any()
    assert (found.can_win <= found.tenpai).all()
    assert (plain.can_win <= plain.tenpai).all()


def test_sizes_of_a_loss_keep_its_mean():
    means = np.array([1500.0, 4000.0, 9000.0, 20000.0] * 2)
    riichi = np.arange(len(means)) < 4
    sizes = shipped().dangers.opponents.loss_sizes(means, riichi)
    assert sizes.mean(axis=1) == pytest.approx(means)
    assert (np.diff(sizes) >= 0).all()
    assert not np.allclose(sizes[:4], sizes[4:])


def test_sizes_of_a_loss_are_those_of_the_bin_of_its_mean():
    model = shipped().dangers.opponents
    for riichi, edges in enumerate(model.edges):
        for i, edge in enumerate(edges):
            means, silent = np.array([edge, edge + 1.0]), np.full(2, bool(riichi))
            below, above = model.loss_sizes(means, silent) / means[:, None]
            assert below.tolist() == pytest.approx(model.sizes[riichi, i].tolist())
            assert above.tolist() == pytest.approx(model.sizes[riichi, i + 1].tolist())


def test_a_deal_in_to_the_dealer_was_said_to_cost_less_than_the_smallest_win():
    model = shipped().dangers.opponents
    rows = np.zeros((2, c.KIND_SIZE + c.OPPONENT_SIZE), np.float32)
    rows[1, c.KIND_SIZE + c.OPPONENT.dealer] = 1
    cheap = replace(model, loss=replace(model.loss, base=-100_000.0))
    assert cheap.points(rows).tolist() == [1_000, 1_500]


def test_folding_is_rated_by_the_safest_tiles_of_the_hand(states):
    for state, scene in states[::5]:
        danger = dangers(state)
        fold = shipped().fold.cost(scene, danger, state.seat)
        assert 0 <= fold.prob <= 1
        assert fold.points >= LEAST_WIN
        seats = [1, 2, 3]
        row = fold_features(scene, danger.prob[seats][None], danger.can_win[seats][None])[0]
        tiles = sorted(danger.deal_in(k) for k in range(34) for _ in range(state.counts[k]))
        own_draws = state.tiles_left // 4
        assert row[AT.danger_1] == pytest.approx(tiles[0], abs=1e-6)
        assert row[AT.danger_needed] == pytest.approx(sum(tiles[: own_draws + 1]), rel=1e-4, abs=1e-6)
