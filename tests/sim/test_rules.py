"""The rules that a table in compiled code reads."""

from dataclasses import replace

import numpy as np
import pytest

from manue.hand.score import score_win
from manue.hand.value import Best
from manue.hand.yaku_list import DAISUUSHII, SUUKANTSU
from manue.models.placement import RoundPosition, game_over
from manue.rules import EXTRA_ROUNDS, MAHJONG_SOUL, TENHOU
from manue.sim.codes import EXHAUSTIVE, FOUR_WINDS, NAGASHI, NINE, TRIPLE_RON
from manue.sim.games import dealer_stays, finish_round, is_aborted
from manue.sim.kit import new_kit
from manue.sim.legal import may_riichi
from manue.sim.payments import pay_rons
from manue.sim.scoring import pay, score_of
from manue.sim.table import new_tables
from manue.tiles import KIND_OF, TILES, parse_tiles


@pytest.mark.parametrize(("target", "over"), [(30_000, 0), (28_000, 1)])
def test_the_last_round_ends_the_game_once_somebody_has_the_points_for_it(target, over):
    rules = replace(TENHOU, target_points=target)
    t = new_tables(1, rules)[0]
    t["index"], t["ending"] = rules.last_round, EXHAUSTIVE
    t["scores"][:] = [29_000, 23_000, 24_000, 24_000]
    finish_round(t, new_kit(rules))
    assert t["over"] == over


def test_a_game_ends_when_the_model_of_final_places_says_so():
    """The two have the rule each: over arrays of results, and at a table in compiled code."""
    rng, kit = np.random.default_rng(0), new_kit()
    ended = 0
    for _ in range(3000):
        index, last = int(rng.integers(0, 12)), int(rng.choice([3, 7]))
        index = min(index, last + EXTRA_ROUNDS)
        scores = 100 * rng.multinomial(1000, rng.dirichlet([4] * 4)) - 1000 * rng.integers(0, 2, 4)
        t = new_tables(1)[0]
        t["index"], t["last_index"], t["scores"] = index, last, scores
        t["ending"] = rng.choice([-1, EXHAUSTIVE, NAGASHI, NINE, FOUR_WINDS])
        t["winners"], t["waits"] = rng.integers(1, 16), rng.integers(0, 2, 4)
        stays, aborted = dealer_stays(t), is_aborted(t)
        position = RoundPosition(index, index % 4, last=last)
        over = game_over(scores[None].astype(float), np.array([stays]), position, TENHOU, np.array([aborted]))
        finish_round(t, kit)
        assert t["over"] == over[0]
        ended += int(over[0])
    assert 500 < ended < 2500


@pytest.mark.parametrize(("needed", "allowed"), [(4, False), (3, True)])
def test_riichi_needs_as_many_tiles_as_the_rules_say(needed, allowed):
    rules = replace(TENHOU, riichi_needs_tiles=needed)
    t = new_tables(1, rules)[0]
    t["tiles_left"] = 3
    assert may_riichi(t, 0, 0, new_kit(rules)) == allowed


def test_a_riichi_is_not_paid_for_if_three_seats_win_on_its_tile():
    """Regression: the stick went to the table; riichienv, whose games these are, leaves it with the seat."""
    t = new_tables(1)[0]
    t["source"], t["riichi"][0], t["riichi_at"][0], t["river_len"][0] = 0, 1, 0, 1
    pay_rons(t, 0b1110, new_kit())
    assert t["ending"] == TRIPLE_RON
    assert t["scores"].tolist() == [25_000] * 4
    assert t["deposits"] == 0


@pytest.mark.parametrize(
    ("rules", "yakuman", "paid"),
    [(TENHOU, 2, [-32_000, 0, -32_000, 64_000]), (MAHJONG_SOUL, 3, [-32_000, 0, -64_000, 96_000])],
)
def test_who_is_liable_for_one_yakuman_of_several(rules, yakuman, paid):
    """Regression: by Tenhou's rules, too, the others were left out; riichienv's docs/RULES.md has both."""
    t = new_tables(1, rules)[0]
    t["index"], t["liable_winds"][3] = 1, 0
    best = Best(1 << DAISUUSHII | 1 << SUUKANTSU, 0, 0, yakuman, 0)
    pay(t, 3, 2, best, 0, new_kit(rules))
    assert t["deltas"].tolist() == paid


@pytest.mark.parametrize(("rules", "points"), [(TENHOU, 96_000), (MAHJONG_SOUL, 144_000)])
def test_a_heavenly_hand_of_thirteen_orphans_is_worth_what_it_is_elsewhere(rules, points):
    hand = parse_tiles("19m19p19sESWNPFCC")
    t = new_tables(1, rules)[0]
    t["tiles_left"], t["undisturbed"] = 69, 1
    for tile in hand:
        t["hand"][0, KIND_OF[tile]] += 1
    kit = new_kit(rules)
    best = score_of(t, 0, TILES.index("E"), True, kit["no_ura"], kit)  # noqa: FBT003
    assert best.points == points
    assert score_win(hand, [], "E", tsumo=True, first_turn=True, rules=rules).points == points
