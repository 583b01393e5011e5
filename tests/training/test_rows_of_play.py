"""Rows in play and rows in training are the same, because the same code builds them."""

import numpy as np
import pytest

from manue.decision.afterstates import afterstates_of, discards_by_hand
from manue.decision.options import DrawSettings, options_of, options_of_scene
from manue.decision.settings import position_seed
from manue.features.scene import scene_of
from manue.game.actions import Discard
from manue.game.events import Called
from manue.game.legal import swapped_kinds
from manue.records.decisions import recorded_decisions
from tests.conftest import GAMES, events_of
from tests.models.loaded import shipped

DECISIONS = 2_000
STATISTICS = shipped().afterstate.win_statistics


def rows(scene, options, seat, danger):
    """Afterstate rows and discard policy rows by kind discarded, of the options that declare nothing."""
    after = afterstates_of(scene, options, danger, seat, STATISTICS.discard_rates)
    found = {}
    for i, option in enumerate(options):
        if option.branch.action is None and not option.declares_riichi:
            found[option.kind] = after.rows[i]
    hands = discards_by_hand(scene, options, after, danger)
    policy = {options[i].kind: row for hand in hands for i, row in zip(hand.members, hand.rows, strict=True)}
    return found, policy


def test_rows_of_play_equal_rows_of_training():
    checked = after_calls = 0
    for log in GAMES:
        for made in recorded_decisions(events_of(log)):
            state = made.state
            if not isinstance(made.chosen, Discard):
                continue
            called = state.last_event.call if isinstance(state.last_event, Called) else None
            forbidden = () if called is None else swapped_kinds(state, called)
            after_calls += called is not None
            scene = scene_of(state)
            draws = DrawSettings(position_seed(state, 0), 64, 1, STATISTICS)
            danger = shipped().dangers.read(scene, 0)
            play = rows(scene, list(options_of(state, scene, made.actions, draws)), 0, danger)
            training = rows(scene, options_of_scene(scene, draws, forbidden=forbidden), 0, danger)
            for ours, theirs in zip(play, training, strict=True):
                assert ours.keys() == theirs.keys()
                for kind, row in ours.items():
                    np.testing.assert_array_equal(row, theirs[kind])
            checked += 1
            if checked == DECISIONS:
                assert after_calls
                return
    pytest.fail(f"only {checked} decisions")
