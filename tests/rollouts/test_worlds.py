"""Worlds hold no tile twice, agree with what is seen, and are as dangerous as the models say."""

from types import SimpleNamespace

import numpy as np
import pytest

from manue.features.scene import scene_of
from manue.game.actions import Discard
from manue.models.model_set import Models
from manue.records.decisions import recorded_decisions
from manue.rollouts.hands import MAX_SHANTEN
from manue.rollouts.snapshot import snapshot_of
from manue.rollouts.worlds import _systematic, draw_worlds, fit_weights, shanten_shares
from manue.sim.kit import new_kit
from tests.conftest import events_of, game

NUMBER = 1000


def decisions(name, wanted, *, riichi=False):
    """Yield some discards of a game after the first turns, with or without an opponent in riichi."""
    found = 0
    for decision in recorded_decisions(events_of(game(name))):
        state = decision.state
        threat = any(player.riichi for player in state.players)
        if isinstance(decision.actions[-1], Discard) and not state.me.riichi and len(state.me.river) > 5:
            found += threat == riichi
            if threat == riichi and found % 9 == 0:
                yield state, decision.actions
            if found == 9 * wanted:
                return


def assert_near(shares, probs):
    """Shares of the worlds are those wanted, within five standard errors and what is too rare for a pool."""
    assert (np.abs(shares - probs) <= 5 * np.sqrt(probs * (1 - probs) / NUMBER) + 0.003).all()


@pytest.fixture(scope="module")
def dangers():
    return Models.load().dangers


@pytest.mark.parametrize("riichi", [False, True])
def test_worlds_agree_with_what_is_seen_and_with_the_models(dangers, riichi):
    kit, seen = new_kit(), 0
    for state, actions in decisions("east-rules", 3, riichi=riichi):
        snapshot = snapshot_of(state, actions)
        danger = dangers.read(scene_of(state), state.seat)
        worlds = draw_worlds(snapshot, state, danger, NUMBER, 7, kit)
        sizes = [0 if player.seat == state.seat else player.hand_size for player in state.players]
        assert (worlds.hands.sum(axis=2) == sizes).all()
        assert (worlds.hands >= 0).all()
        assert (worlds.hands.sum(axis=1) <= snapshot.unseen).all()
        for seat in snapshot.opponents:
            safe = sum(1 << kind for kind in np.flatnonzero(state.players[seat].safe).tolist())
            assert not (worlds.wins[:, seat] & safe).any()
            assert_near(worlds.tenpai[:, seat].mean(), danger.tenpai[seat])
            assert not worlds.wins[~worlds.tenpai[:, seat], seat].any()
            if state.players[seat].riichi:
                assert worlds.tenpai[:, seat].all()
            won = (worlds.wins[:, seat, None] >> np.arange(34) & 1).mean(axis=0)
            if state.players[seat].riichi:
                assert_near(won, danger.prob[seat])
            # a wait without a yaku is in no world
            assert won.sum() == pytest.approx(danger.prob[seat].sum(), abs=0.1)
        assert np.abs(worlds.any_wins() - danger.any_deal_in).max() < 0.05
        seen += 1
    assert seen == 3


def test_hands_with_calls_win_on_what_the_models_say(dangers):
    """Regression: hands in tenpai after a call had a yaku in one world of a hundred.

    A few worlds then had all the weight, and kinds on which the models feared a win won in none.
    """
    kit, seen = new_kit(), 0
    for decision in recorded_decisions(events_of(game("four-kans"))):
        state, actions = decision.state, decision.actions
        snapshot = snapshot_of(state, actions)
        if (
            snapshot is None
            or sum(not player.is_closed for player in state.players) < 3
            or state.tiles_left > 20
        ):
            continue
        danger = dangers.read(scene_of(state), state.seat)
        worlds = draw_worlds(snapshot, state, danger, NUMBER, 7, kit)
        missed = [
            danger.prob[seat].sum() - (worlds.wins[:, seat, None] >> np.arange(34) & 1).mean(axis=0).sum()
            for seat in snapshot.opponents
        ]
        seen += 1
        assert np.mean(missed) < 0.15
        assert len(set(worlds.drawn.tolist())) > 80
        if seen == 5:
            break
    assert seen == 5


def test_the_seed_says_which_worlds(dangers):
    state, actions = next(decisions("east-rules", 1))
    snapshot, kit = snapshot_of(state, actions), new_kit()
    danger = dangers.read(scene_of(state), state.seat)
    first, again, other = (draw_worlds(snapshot, state, danger, 50, seed, kit).hands for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_hands_are_as_far_from_tenpai_as_strong_players(dangers):
    state, actions = next(decisions("east-rules", 1))
    for seat in snapshot_of(state, actions).opponents:
        shares = shanten_shares(state, seat, 0.2)
        assert shares.sum() == pytest.approx(1.0)
        assert len(shares) == MAX_SHANTEN + 1
        assert shares[0] == (1.0 if state.players[seat].riichi else 0.2)


def test_hands_are_nearer_to_tenpai_after_calls_and_discards():
    """Until late: who is not tenpai after ten discards has begun badly, or is folding."""

    def distance(melds, discards):
        player = SimpleNamespace(riichi=False, melds=(None,) * melds, river=(None,) * discards)
        return shanten_shares(SimpleNamespace(players=[player]), 0, 0.2) @ np.arange(MAX_SHANTEN + 1)

    assert distance(0, 8) > distance(1, 8) > distance(2, 8)
    assert all(distance(0, discards) > distance(0, discards + 1) for discards in range(8))
    assert distance(4, 30) < distance(0, 30) < distance(0, 0)  # more than were counted


def test_no_seat_is_tenpai_in_all_worlds_or_in_none():
    """So that all its waits occur, whatever the model is sure of."""
    player = SimpleNamespace(riichi=False, melds=(), river=())
    state = SimpleNamespace(players=[player])
    assert 0 < shanten_shares(state, 0, 0.0)[0] < 0.1
    assert 0.9 < shanten_shares(state, 0, 1.0)[0] < 1


def test_worlds_are_drawn_as_often_as_they_weigh():
    rng = np.random.default_rng(5)
    weights = rng.exponential(size=40) * np.repeat([0, 1, 2, 3], 10)
    times = np.bincount(_systematic(weights, 500, rng), minlength=40)
    assert (np.abs(times - 500 * weights / weights.sum()) < 1).all()


def test_a_red_five_is_held_as_often_as_any_other_copy(dangers):
    """With the copies of a suit's five exchanged for each other a world is as likely as before."""
    state, actions = next(decisions("east-rules", 1))
    snapshot = snapshot_of(state, actions)
    danger = dangers.read(scene_of(state), state.seat)
    hands = draw_worlds(snapshot, state, danger, 4000, 7, new_kit()).hands.sum(axis=1)
    seen = 0
    for red, five in ((34, 4), (35, 13), (36, 22)):
        copies = snapshot.unseen[red] + snapshot.unseen[five]
        if not snapshot.unseen[red] or copies == 1:
            continue
        reds, fives = hands[:, red], hands[:, red] + hands[:, five]
        assert reds.mean() == pytest.approx(fives.mean() / copies, abs=0.04)
        seen += 1
    assert seen


def test_fitted_weights_add_up_to_the_probabilities_wanted():
    margins = [
        (np.array([0, 1, 2, 3]), 0.25),
        (np.array([0, 4, 5]), 0.5),
        (np.array([], np.int64), 0.3),  # nobody is in it: left out
        (np.array([0, 1, 2, 3, 4, 5, 6]), 1.0),  # the last may not remain
    ]
    weights = fit_weights(8, margins)
    assert weights.sum() == pytest.approx(1.0)
    assert weights[[0, 1, 2, 3]].sum() == pytest.approx(0.25, abs=2e-3)
    assert weights[[0, 4, 5]].sum() == pytest.approx(0.5, abs=2e-3)
    assert weights[7] == 0.0
    assert weights[1] == pytest.approx(weights[2])
