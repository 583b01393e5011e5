"""Features after a discard against their definitions, on real games; differences between options."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from manue.decision.afterstates import afterstates_of
from manue.decision.evaluation import expected_values
from manue.decision.options import DrawSettings, options_of
from manue.decision.settings import Settings
from manue.draws.win import WinStatistics
from manue.features.afterstate import AT, COLUMNS
from manue.features.hand_view import view_of_scene
from manue.features.scene import scene_of
from manue.features.wait_discard_rates import CLASSES, TABLE_SHAPE
from manue.game.actions import Call, Pass
from manue.game.legal import legal_actions
from manue.game.position import Position
from manue.game.state import RoundState
from manue.hand.score import set_code
from manue.models.afterstate import GrowthByKan, best_by_draws
from manue.records.archive import read_log
from manue.review.problem_book import load_book, state_of
from manue.tiles import KIND_OF
from tests.conftest import GAMES, game
from tests.features.dangers import made_up_danger
from tests.models.loaded import shipped
from tests.oracles import afterstate as oracle

BOOK = Path(__file__).parents[2] / "data/problems"
COLUMN = {column.name: index for index, column in enumerate(COLUMNS)}
NO_KAN = np.zeros(100, np.bool_)
NO_PREFERENCE = np.zeros(len(NO_KAN))
MC_DRAWS = DrawSettings(seed=1, number=64, extra=0, win_statistics=WinStatistics())


def decisions(log, every):
    """One in ``every`` position of a game at which a seat had something to decide."""
    states = [RoundState(seat) for seat in range(4)]
    count = 0
    for entry in read_log(log):
        for state in states:
            state.apply(entry.event)
            actions = legal_actions(state)
            if actions:
                count += 1
                if count % every == 0:
                    yield state, actions


@pytest.fixture(scope="module")
def logs():
    return GAMES[::3]


def test_every_column_follows_its_definition(logs):
    checked = ready = 0
    passed = set()
    discard_rates = np.random.default_rng(1).random(CLASSES)
    for log in logs:
        for state, actions in decisions(log, every=12):
            scene, danger = scene_of(state), made_up_danger(state)
            options = list(options_of(state, scene, actions, MC_DRAWS))
            rows = afterstates_of(scene, options, danger, state.seat, discard_rates).rows
            deal_in = [danger.deal_in(kind) for kind in range(34)]
            for option, row in zip(options, rows, strict=True):
                expected = oracle.columns(
                    state, option, deal_in, danger.tenpai, discard_rates.reshape(TABLE_SHAPE)
                )
                assert list(expected) == [column.name for column in COLUMNS]
                for column, value in zip(COLUMNS, row, strict=True):
                    assert value == pytest.approx(float(expected[column.name]), rel=1e-4, abs=1e-6), (
                        column.name
                    )
                checked += 1
                ready += row[COLUMN["ron_share"]] > 0
                passed.add((float(row[COLUMN["passed_chi"]]), float(row[COLUMN["passed_pon"]])))
    assert checked > 300
    assert ready > 10
    assert passed >= {(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)}


def test_what_leaves_one_hand_wins_as_the_trees_say():
    """Regression: passes and kans were shifted by what corrects the comparison of discards."""
    model = replace(shipped().afterstate, mc_shift=0.4)
    kinds = set()
    for state, actions in decisions(game("four-kans"), every=2):
        scene = scene_of(state)
        danger = shipped().dangers.read(scene, state.seat)
        options = list(options_of(state, scene, actions, MC_DRAWS))
        found = afterstates_of(scene, options, danger, state.seat, model.win_statistics.discard_rates)
        preference = np.zeros(len(options))
        predicted = model.prospects(found.rows, found.groups, found.kan, preference).win
        for i, option in enumerate(options):
            if option.discard is None and state.tiles_left > 0 and not state.me.riichi:
                assert predicted[i] == model.win.probabilities(found.rows)[i]
                kinds.add(type(option.action))
    assert kinds == {Pass, Call}


def test_a_scene_gives_back_the_hand_it_was_made_from(logs):
    for log in logs[:2]:
        for state, _ in decisions(log, every=25):
            view = view_of_scene(scene_of(state))
            assert (view.counts == state.counts).all()
            assert [meld.kind for meld in view.melds] == [meld.kind for meld in state.me.melds]
            assert [set_code(meld) for meld in view.melds] == [set_code(meld) for meld in state.me.melds]
            assert (view.seat_wind, view.round_wind) == (state.seat_wind, state.round_wind)
            assert (view.unseen == np.maximum(4 - state.visible, 0)).all()


@pytest.mark.parametrize(
    ("slopes", "by_preference"),
    [((0.0,) * 6, 0.0), ((0.4,) * 6, 0.05), ((1.0, 0.1, 0.2, 0.5, 0.9, 1.2), 0.03)],
)
def test_log_odds_fall_behind_the_best_as_in_the_draws_and_by_preference(logs, slopes, by_preference):
    """The trees rate the best of a group; slopes times what the draws and people say give the others."""
    model = replace(
        shipped().afterstate, mc_slope=np.array(slopes), preference_slope=by_preference, mc_shift=0.1
    )
    rng = np.random.default_rng(7)
    apart = 0
    for state, actions in decisions(logs[0], every=40):
        scene = scene_of(state)
        options = list(options_of(state, scene, actions, MC_DRAWS))
        danger = shipped().dangers.read(scene, state.seat)
        rows = afterstates_of(scene, options, danger, state.seat, model.win_statistics.discard_rates).rows
        groups = np.arange(len(rows)) % 2
        preference = -rng.exponential(3.0, len(rows))
        predicted = model.prospects(rows, groups, NO_KAN[: len(rows)], preference).win
        for group in (0, 1):
            members = [i for i in range(len(rows)) if groups[i] == group]
            if not members:
                continue
            mc_win_prob = {i: min(max(options[i].mc_win_prob, 0.001), 0.999) for i in members}
            best = max(members, key=lambda i: mc_win_prob[i])
            if options[best].mc_win_prob == 0:
                continue
            top = math.log(mc_win_prob[best] / (1 - mc_win_prob[best]))
            base = float(model.win.sums(rows[best : best + 1])[0])
            for i in members:
                tiles = (rows[i, AT.useful_tiles], rows[best, AT.useful_tiles])
                if options[i].shanten == options[best].shanten == 0 and min(tiles) > 0:
                    continue
                if options[i].discard is None:
                    continue
                threat = 1.0 if state.opponent_in_riichi else float(rows[i, AT.tenpai_max])
                calm = slopes[min(options[best].shanten, 4)]
                slope = calm * (1 - threat) + slopes[5] * threat
                odds = base + 0.1 + slope * (math.log(mc_win_prob[i] / (1 - mc_win_prob[i])) - top)
                preferred = max(preference[i], -6.0) - max(preference[best], -6.0)
                odds += by_preference * (1 - threat) * preferred
                assert predicted[i] == pytest.approx(1 / (1 + math.exp(-odds)), rel=1e-4)
                apart += mc_win_prob[i] < mc_win_prob[best]
    assert apart > 50


def test_trees_rate_tenpai_hands_by_how_readily_their_waits_are_discarded():
    """Seven pairs once waited on a middle tile as readily as on a terminal with as many copies."""
    problem = next(each for each in load_book(BOOK) if each.id == "seven-pairs-wait")
    state = state_of(problem)
    scene = scene_of(state)
    model = shipped().afterstate
    options = [option for option in options_of(state, scene, legal_actions(state), MC_DRAWS) if option.riichi]
    danger = shipped().dangers.read(scene, state.seat)
    rows = afterstates_of(scene, options, danger, state.seat, model.win_statistics.discard_rates).rows
    predicted = model.prospects(
        rows, np.zeros(len(rows), np.int64), NO_KAN[: len(rows)], NO_PREFERENCE[: len(rows)]
    ).win
    assert predicted == pytest.approx(model.win.probabilities(rows))
    by_discard = dict(zip((option.discard.tile for option in options), predicted, strict=True))
    assert set(by_discard) == {"6m", "9p"}
    assert by_discard["6m"] > by_discard["9p"] + 0.03


def test_a_wait_of_which_no_tile_is_left_wins_nothing_in_riichi_and_is_no_better_than_another():
    """Regression: three E and this one are seen, yet trees gave it more than C, and a riichi .034."""
    problem = Position(
        hand=tuple("1m 2m 3m 4p 5p 6p 7s 8s 9s 2p 2p 2p E".split()),
        draw="C",
        seat="N",
        dora="W",
        rivers={
            "E": "1m_ E_ N_ 8p_ 2s_",
            "S": "W_ E_ 9m_ 8p_ C_",
            "W": "9p_ E_ 1s_ 8p_ F_",
            "N": "P_ S_ P_ 1p_",
        },
    )
    state = problem.state()
    found = expected_values(state, legal_actions(state), 1, Settings(), shipped())
    win = {
        (one.kind, one.riichi): each.report.win_prob
        for one, each in zip(found.options, found.valued, strict=True)
    }
    dead, alive = KIND_OF["C"], KIND_OF["E"]
    assert win[dead, True] == 0.0 < win[alive, True]
    assert 0.0 < win[dead, False] < win[alive, False]


def test_silent_tenpai_hands_with_a_yaku_bring_the_points_of_their_draws():
    """The trees once said 2,341 of a silent tanyao and pinfu that wins at least 2,000."""
    model = replace(shipped().afterstate, silent_points=np.array([1.1, 0.9]))
    rows = np.zeros((5, len(COLUMNS)), np.float32)
    rows[:, COLUMN["mc_win_prob"]] = [0.5, 0.4, 0.3, 0.2, 0.2]
    rows[:, COLUMN["mc_win_points"]] = [2_000, 4_000, 8_000, 8_000, 3_000]
    rows[:, COLUMN["ron_tiles"]] = [4, 4, 4, 4, 0]  # the last has no yaku, and may declare riichi later
    rows[2, COLUMN["open"]], rows[3, COLUMN["riichi"]] = 1, 1
    for groups in (np.zeros(5, np.int64), np.arange(5)):
        found = model.prospects(rows, groups, NO_KAN[:5], NO_PREFERENCE[:5]).win_points
        assert found[:3] == pytest.approx([2_200, 4_400, 7_200])
    assert found[3:] == pytest.approx(np.maximum(model.win_points.sums(rows)[3:], 1_000))


@pytest.mark.parametrize(("dealer", "least"), [(0, 1_000), (1, 1_500)])
def test_a_win_of_the_dealer_was_said_to_bring_less_than_the_smallest(dealer, least):
    """Like 1,320 points of a hand of nothing but a pon of dragons."""
    rows = np.zeros((2, len(COLUMNS)), np.float32)
    rows[:, COLUMN["mc_win_prob"]], rows[:, COLUMN["mc_win_points"]] = [0.4, 0.2], [1_500, 750]
    rows[:, COLUMN["dealer"]], rows[:, COLUMN["open"]] = dealer, 1
    model = shipped().afterstate
    model = replace(model, win_points=replace(model.win_points, base=-100_000.0))
    for groups in (np.zeros(2, np.int64), np.arange(2)):
        found = model.prospects(rows, groups, NO_KAN[:2], NO_PREFERENCE[:2]).win_points
        assert found.tolist() == [least] * 2


def test_yakuman_bring_what_they_are_worth():
    """The trees know none: they rated four concealed triplets in riichi at about 24,000 points."""
    rows = np.zeros((6, len(COLUMNS)), np.float32)
    rows[:, COLUMN["mc_win_prob"]] = [0.3, 0.2, 0.2, 0.3, 0.2, 0.3]
    rows[:, COLUMN["mc_win_points"]] = [32_000, 5_200, 48_000, 5_200, 32_000, 28_000]
    rows[:, COLUMN["shanten"]] = [0, 0, 0, 1, 1, 2]
    rows[:, COLUMN["riichi"]] = [1, 1, 1, 0, 0, 0]
    model, groups = shipped().afterstate, np.array([0, 0, 0, 1, 1, 2])
    found = model.prospects(rows, groups, NO_KAN[:6], NO_PREFERENCE[:6]).win_points
    alone = model.win_points.sums(rows)
    assert found[[0, 2, 4]].tolist() == [32_000, 48_000, 32_000]
    assert found[[1, 3]] == pytest.approx(alone[[1, 3]])  # not a share of the yakuman beside them
    assert found[5] == pytest.approx((alone[5] + 28_000) / 2)


def test_without_a_threat_hands_share_the_prospects_of_the_one_people_would_leave():
    """Their mean was once taken: that of hands which nobody leaves, who deal in less often later."""
    model = shipped().afterstate
    rows = np.zeros((4, len(COLUMNS)), np.float32)
    rows[:, COLUMN["shanten"]] = [2, 1, 3, 1]
    rows[:, COLUMN["mc_win_prob"]] = [0.1, 0.3, 0.0, 0.2]
    rows[:, COLUMN["own_draws"]], rows[:, COLUMN["tiles_left"]] = 12, 48
    groups = np.array([0, 0, 0, 1])
    assert best_by_draws(rows, groups).tolist() == [1, 1, 1, 3]
    calm = model.prospects(rows, groups, NO_KAN[: len(rows)], NO_PREFERENCE[: len(rows)])
    for trees, chance in (
        (model.deal_in_later, calm.deal_in_later / (1 - calm.win)),
        (model.stick, calm.stick),
    ):
        assert chance[:3] == pytest.approx(np.full(3, trees.probabilities(rows)[1]))
    rows[:, COLUMN["riichi_opponents"]] = 1
    own = model.prospects(rows, groups, NO_KAN[: len(rows)], NO_PREFERENCE[: len(rows)])
    assert own.deal_in_later / (1 - own.win) == pytest.approx(model.deal_in_later.probabilities(rows))


def test_only_a_closed_hand_that_has_not_declared_pays_for_riichi_later():
    rows = np.zeros((3, len(COLUMNS)), np.float32)
    rows[:, COLUMN["own_draws"]], rows[:, COLUMN["tiles_left"]] = 14, 56
    rows[1, COLUMN["riichi"]] = rows[2, COLUMN["open"]] = 1
    stick = shipped().afterstate.prospects(rows, np.arange(3), NO_KAN[:3], NO_PREFERENCE[:3]).stick
    assert stick[0] > 0.0
    assert stick[1:].tolist() == [0.0, 0.0]


def test_a_silent_hand_grows_until_it_wins():
    """A self-draw brings more than a win off a discard; a hand in riichi is what it is."""
    silent, riichi = [0.1, 0.08, 0, 0, 3000, 50], [1, 1, 1, 0, 6000, 50]
    off_discard, drawn = shipped().afterstate.growths(np.array([silent, riichi], np.float64))
    assert (drawn > off_discard).all()
    assert off_discard[0] > off_discard[1]
    assert ((off_discard > 0.5) & (drawn < 3.0)).all()


def test_only_own_wins_after_a_kan_are_made_larger_by_its_dora():
    """They were once rated as if the dora that the kan reveals did not exist."""
    model = replace(shipped().afterstate, growth_by_kan=GrowthByKan(1.5, 1.25))
    rows = np.zeros((2, len(COLUMNS)), np.float32)
    rows[:, COLUMN["mc_win_prob"]], rows[:, COLUMN["mc_win_points"]] = 0.3, 5000
    rows[:, COLUMN["own_draws"]], rows[:, COLUMN["tiles_left"]] = 12, 48
    plain = model.prospects(rows, np.arange(2), np.array([False, False]), NO_PREFERENCE[:2])
    grown = model.prospects(rows, np.arange(2), np.array([False, True]), NO_PREFERENCE[:2])
    assert grown.win_points.tolist() == [plain.win_points[0], 1.5 * plain.win_points[1]]
    assert (grown.win == plain.win).all()


@pytest.mark.parametrize("tiles_left", [1, 2, 3])
def test_a_hand_without_a_draw_left_was_only_perhaps_tenpai_at_the_draw(tiles_left):
    """Of such hands left tenpai by people 99 % were tenpai at the draw, where .81 were predicted."""
    rows = np.zeros((2, len(COLUMNS)), np.float32)
    rows[:, COLUMN["tiles_left"]] = tiles_left
    rows[:, COLUMN["shanten"]] = [0, 1]
    found = shipped().afterstate.prospects(rows, np.zeros(2, np.int64), NO_KAN[:2], NO_PREFERENCE[:2])
    assert found.tenpai_at_draw.tolist() == [1.0, 0.0]
    assert found.deal_in_later.tolist() == found.stick.tolist() == [0.0, 0.0]
    assert (found.win > 0).all()


def test_where_no_draw_wins_the_first_discard_counted_as_the_best_hand():
    rows = np.zeros((3, len(COLUMNS)), np.float32)
    rows[:, COLUMN["shanten"]] = [3, 1, 2]
    assert best_by_draws(rows, np.zeros(3, np.int64)).tolist() == [1, 1, 1]
