"""What is measured about rollouts: gains without luck in choosing, other weights, hands by turn."""

import copy
from types import SimpleNamespace

import numpy as np
import pytest

from manue.agents.base import Decision
from manue.agents.manue import Manue
from manue.decision.report import Report, Worth
from manue.decision.settings import Settings
from manue.features.call_policy import DECLARATIONS
from manue.game.actions import Call, Discard, Pass, Riichi, Win
from manue.game.events import Discarded
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.records.decisions import recorded_decisions
from manue.rollouts.comparison import Played
from manue.rollouts.player import RolloutManue
from manue.tiles import KIND_OF
from manue.validation import rollouts
from manue.validation.hands_by_turn import hands_data, hands_of_log, hands_table
from manue.validation.played_declarations import (
    DECLARED,
    SAMPLED_DECLARATIONS,
    Sides,
    _row,
    declarations_table,
    played_declarations,
    sides_of,
)
from manue.validation.rollouts import (
    DANGERS,
    FACTORS,
    PLAYED,
    SAMPLED_KINDS,
    RolloutTables,
    _dangers,
    _kind,
    _played,
    chosen_by_weights,
    gain_in_other_half,
    rollout_tables,
)
from tests.conftest import events_of, game


def test_what_is_best_in_one_half_is_measured_in_the_other():
    worth = np.array([[0.0, 100.0], [0.0, 300.0], [0.0, -50.0], [0.0, -150.0]])
    # chosen by the first half: -100 in the second; by the second: the chosen one, 0
    assert gain_in_other_half(worth, np.arange(4)) == pytest.approx(-50.0)
    assert gain_in_other_half(worth[:2], np.arange(2)) == pytest.approx(200.0)
    assert gain_in_other_half(worth, np.zeros(4, np.int64)) == pytest.approx(-50.0)


def test_worlds_with_the_same_hands_are_in_the_same_half():
    worth = np.array([[0.0, 300.0], [0.0, -100.0], [0.0, 300.0], [0.0, -100.0]])
    # against hands 5 the other option brings 300, against the others -100
    assert gain_in_other_half(worth, np.array([5, 7, 5, 7])) == pytest.approx(-50.0)
    assert gain_in_other_half(worth, np.array([7, 5, 7, 5])) == pytest.approx(-50.0)
    most = np.concatenate([worth, worth[::2]])
    assert gain_in_other_half(most, np.array([5, 7, 5, 7, 5, 5])) == pytest.approx(-50.0)
    assert gain_in_other_half(most, np.array([7, 5, 7, 5, 7, 7])) == pytest.approx(-50.0)


def test_other_weights_of_the_human_policy_choose_another_option():
    assert FACTORS == (0.0, 0.5, 2.0)
    worths = (Worth(100.0, 0.0), Worth(40.0, -80.0), Worth(70.0, 50.0))
    # without the human policy 100, 120, 20; with half of it 100, 80, 45; with twice 100, -40, 120
    reports = (Report(Pass()), *(Report(Discard(tile)) for tile in ("1m", "2m")))
    assert chosen_by_weights(Decision(Pass(), reports, worths=worths)) == [1, 0, 2]
    assert chosen_by_weights(Decision(Pass(), reports[:2], worths=(Worth(1.0, 0.0), None))) == [0, 0, 0]
    win = Report(Win("1m", 0))
    assert chosen_by_weights(Decision(win.action, (win, *reports), worths=(worths[0], *worths))) == [0, 0, 0]
    sealed = (*worths, Worth(500.0, 0.0))  # a win that would seal the last place
    assert chosen_by_weights(Decision(Pass(), (*reports, win), worths=sealed)) == [1, 0, 2]
    assert chosen_by_weights(Decision(Pass())) == [0, 0, 0]


def test_what_other_weights_gain_is_the_mean_over_all_decisions_of_a_kind():
    played = np.zeros(4, PLAYED)
    played["game"] = [0, 0, 1, 1]
    played["differs"][0], played["weighed"][0] = (True, False, True), (-80.0, 0.0, 20.0)
    found = RolloutTables(np.zeros(0, DANGERS), played, np.zeros(0, DECLARED))
    lines = rollout_tables(found, 2, 100).splitlines()
    name = next(iter(SAMPLED_KINDS))
    assert lines[-6:-3] == [
        f"| {name} | x 0 | 4 | 1 (25 %) | -20.0 ± 254.1 |",
        f"| {name} | x 0.5 | 4 | 0 (0 %) | +0.0 ± 0.0 |",
        f"| {name} | x 2 | 4 | 1 (25 %) | +5.0 ± 63.5 |",
    ]


def test_what_worlds_and_options_say_is_tabled_by_kind():
    dangers = np.zeros(3, DANGERS)
    dangers["prob"], dangers["share"] = [0.5, 0.1, 0.2], [0.25, 0.0, 0.4]
    dangers["wins"], dangers["threat"] = [True, False, False], [True, False, False]
    played = np.zeros(4, PLAYED)
    played["kind"], played["options"] = [3, 3, 3, 1], [2, 3, 2, 0]
    played["better"][0], played["confirmed"][1] = True, True
    played["error"][:3], played["points"][:3], played["seconds"][:3] = [90, 110, 100], [60, 0, 0], 0.5
    lines = rollout_tables(RolloutTables(dangers, played, np.zeros(0, DECLARED)), 1, 100).splitlines()
    calm = [-np.log([0.9, 0.8]).mean(), -np.log([0.995, 0.6]).mean()]  # 0 of 100 worlds count as half a world
    losses = f"{calm[0]:.5f} | {calm[1]:.5f} | {calm[1] / calm[0]:.4f}"
    assert lines[5:7] == [
        "| an opponent in riichi | 1 | 1.0000 | 0.5000 | 0.2500 | 0.69315 | 1.38629 | 2.0000 |",
        f"| no riichi | 2 | 0.0000 | 0.1500 | 0.2000 | {losses} |",
    ]
    assert lines[10:12] == [
        "| call or pass | 1 | 0 | | | | | | |",
        "| other discards | 3 | 3 | 1 (33 %) | 1 (33 %) | 1 (33 %) | ± 100 | +20 | 0.5 |",
    ]


OPTIONS = tuple(Report(Discard(tile)) for tile in ("1m", "2m", "3m"))


@pytest.mark.parametrize("sampled", [0, 1])
def test_every_decision_of_the_record_is_in_the_sample_by_its_kind(monkeypatch, sampled):
    """Dangers are judged at discards, where 0 is drawn; decisions of all kinds are played on where 1 is."""
    judged, played, expected = [], [], []

    def note(found, table):
        def noted(_player, state, actions, *_):
            found.append((state.seat, state.round_wind, state.number, state.event_count, actions))
            return np.zeros(1, table)

        return noted

    monkeypatch.setattr(rollouts, "position_seed", lambda *_: sampled)
    monkeypatch.setattr(rollouts, "_dangers", note(judged, DANGERS))
    monkeypatch.setattr(rollouts, "_played", note(played, PLAYED))
    events = events_of(game("robbed-kan"))
    dangers, decisions = rollouts._collect(events, None)
    for made in recorded_decisions(events):
        if len(made.actions) > 1 and (sampled == 1 or isinstance(made.actions[-1], Discard)):
            state = made.state
            expected.append((state.seat, state.round_wind, state.number, state.event_count, made.actions))
    assert (played if sampled else judged) == expected
    assert not (judged if sampled else played)
    assert (len(dangers), len(decisions)) == ((0, len(expected)) if sampled else (len(expected), 0))
    assert len(expected) > 100


class Foreseen:
    """A player whose three options bring given points in each world."""

    def __init__(self, worth, *worths):
        self.manue = self
        self.worth = np.array(worth, np.float64).T
        worths = worths or (Worth(100.0, 0.0),) * 3
        self.decision = Decision(OPTIONS[0].action, OPTIONS, worths=worths)

    def decide(self, _state, _actions):
        return self.decision

    def play(self, _decision, _state, _actions, options):
        worth = self.worth[:, options]
        return Played(worth, np.zeros(worth.shape), worth, np.arange(len(worth)))


@pytest.mark.parametrize(
    ("worth", "better", "confirmed", "points"),
    [
        ([[0, 0, 0, 0], [90, 110, 100, 100], [-50, -60, -50, -40]], True, False, 100.0),
        ([[0, 0, 0, 0], [-90, -110, -100, -100], [-50, -60, -50, -40]], False, True, 0.0),
        ([[0, 0, 0, 0], [-90, -110, -100, -100], [900, -800, 500, -700]], False, False, -50.0),
        ([[0, 0, 0, 0], [90, 110, 100, 100], [900, -500, 800, -700]], True, False, 75.0),
        ([[0, 0, 0, 0], [90, -70, 80, -60], [-50, -60, -50, -40]], False, False, 10.0),
        ([[0, 0, 0, 0], [90, -70, 80, -60], [-900, -800, -900, -800]], False, False, 10.0),
    ],
)
def test_an_option_is_better_or_worse_beyond_its_interval_or_nothing_is_said(
    worth, better, confirmed, points
):
    (row,) = _played(Foreseen(worth), None, (), 2)
    assert (row["kind"], row["options"]) == (2, 3)
    assert (row["better"], row["confirmed"]) == (better, confirmed)
    assert row["points"] == points
    assert row["error"] > 0


CHOSEN, FAR = Worth(100.0, 0.0), Worth(-800.0, -1000.0)
"""Without habit, and only without it, the far option comes first."""


def test_what_other_weights_choose_is_played_on_where_nothing_is_close():
    (row,) = _played(Foreseen([[0, 0], [50, 50], [70, 90]], CHOSEN, Worth(-900.0, -1000.0), FAR), None, (), 3)
    assert row["options"] == 0
    assert row["differs"].tolist() == [True, False, False]
    assert row["weighed"].tolist() == [80.0, 0.0, 0.0]


def test_what_is_not_close_counts_for_no_gain():
    (row,) = _played(Foreseen([[0, 0], [50, 50], [700, 900]], CHOSEN, CHOSEN, FAR), None, (), 3)
    assert (row["options"], row["points"], row["weighed"].tolist()) == (2, 50.0, [800.0, 0.0, 0.0])
    (row,) = _played(Foreseen([[0, 0], [-50, -50], [700, 900]], CHOSEN, CHOSEN, FAR), None, (), 3)
    assert (row["better"], row["confirmed"]) == (False, True)


def test_the_kind_of_a_decision():
    calm, threat = SimpleNamespace(opponent_in_riichi=False), SimpleNamespace(opponent_in_riichi=True)
    kinds = [
        _kind(state, actions)
        for actions in (
            (Discard("1m"), Riichi()),
            (Pass(), Call("pon", ("E", "E"), "E", 1)),
            (Discard("1m"),),
        )
        for state in (calm, threat)
    ]
    names = [list(SAMPLED_KINDS)[kind] for kind in kinds]
    assert names == ["riichi"] * 2 + ["call or pass"] * 2 + [
        "other discards",
        "discard, an opponent in riichi",
    ]


def test_a_kind_held_would_win_if_another_seat_could_win_on_its_discard(monkeypatch):
    """With the true hands, as the rules of the game have it."""
    monkeypatch.setattr(rollouts, "draw_worlds", lambda *_: SimpleNamespace(any_wins=lambda: np.zeros(34)))
    player, states = RolloutManue(Manue(), 2), [RoundState(seat) for seat in range(4)]
    judged = won = 0
    for event in events_of(game("four-kans")):
        for state in states:
            state.apply(event)
        for state in states:
            actions = legal_actions(state)
            waits = any(other.waits for other in states if other is not state)
            if not waits or not actions or not isinstance(actions[-1], Discard):
                continue
            discards = {KIND_OF[one.tile]: one for one in actions if isinstance(one, Discard)}
            rows = _dangers(player, state, actions, states)
            for kind, wins in zip(np.flatnonzero(state.counts).tolist(), rows["wins"], strict=True):
                if kind in discards:
                    assert wins == could_win(states, state.seat, discards[kind])
                    judged, won = judged + 1, won + int(wins)
    assert judged > 500
    assert won > 20


def could_win(states, seat, discard):
    """Return whether another seat may win on a discard."""
    after = [copy.deepcopy(state) for state in states if state.seat != seat and state.waits]
    for state in after:
        state.apply(Discarded(seat, discard.tile, discard.from_draw))
    return any(isinstance(action, Win) for state in after for action in legal_actions(state))


def test_a_declaration_is_compared_with_the_best_option_that_makes_none():
    kan, chi = Call("ankan", ("1z",) * 4), Call("chi", ("1m", "2m"), "3m", 3)
    actions = (kan, chi, Discard("9p", from_draw=True), Discard("1z", from_draw=False), chi)
    reports = tuple(Report(action) for action in actions)
    worths = tuple(Worth(100.0 * (5 - place), 10.0) for place in range(5))
    decision = Decision(kan, reports, worths=worths)
    assert list(sides_of(decision)) == [Sides("ankan", 0, 2), Sides("chi", 1, 2)]
    assert list(sides_of(Decision(kan, reports[:2], worths=worths[:2]))) == []
    assert list(sides_of(Decision(kan, reports, worths=(None, *worths[1:])))) == []
    reports = (*reports[:4], Report(Win("1z", 0)))
    assert list(sides_of(Decision(kan, reports, worths=worths))) == []


@pytest.mark.parametrize(("chosen", "theirs"), [(Call("ankan", ("1z",) * 4), True), (Discard("9p"), False)])
def test_a_declaration_brings_what_making_it_is_worth_more_than_leaving_it(chosen, theirs):
    """By the value without the human policy, by that policy, and as played on."""
    kan, leave, riichi = Call("ankan", ("1z",) * 4), Discard("9p"), Riichi()
    worths = (Worth(100.0, 30.0), Worth(60.0, 10.0), Worth(50.0, 0.0))
    decision = Decision(kan, tuple(Report(one) for one in (kan, leave, riichi)), worths=worths)
    player = Foreseen([[110, 90], [30, 50], [0, 0]])
    made = SimpleNamespace(chosen=chosen, state=None, actions=())
    (row,) = _row(player, made, decision, Sides("ankan", 0, 1))
    assert DECLARATIONS[row["declaration"]] == "ankan"
    assert (row["ours"], row["theirs"]) == (True, theirs)
    assert (row["value"], row["habit"], row["gain"]) == (20.0, 20.0, 60.0)
    assert _row(player, made, decision, Sides("riichi", 2, 1)) is None


def test_kans_of_a_record_are_played_on_from_both_sides():
    manue = Manue(Settings(mc_draws=50))
    rows = played_declarations(events_of(game("after-a-kan")), RolloutManue(manue, 20))
    kans = rows[[DECLARATIONS[number].endswith("kan") for number in rows["declaration"]]]
    assert len(kans)
    assert (rows["ours"] | rows["theirs"]).all()
    assert all(DECLARATIONS[number] in SAMPLED_DECLARATIONS for number in rows["declaration"])
    assert np.isfinite(rows["gain"]).all()
    assert rows["gain"].any()


def test_what_declarations_bring_is_tabled_by_who_makes_them():
    rows = np.zeros(4, DECLARED)
    rows["declaration"], rows["game"] = DECLARATIONS.index("ankan"), [0, 0, 1, 1]
    rows["ours"], rows["theirs"] = [True, True, True, False], [True, False, False, True]
    rows["value"], rows["habit"], rows["gain"] = [50.0, 10.0, 30.0, -5.0], 7.0, [80.0, 300.0, 100.0, -60.0]
    assert declarations_table(rows)[2:] == [
        "| ankan | both | 1 | +50 | +7 | +80 |",
        "| ankan | `manue` alone | 2 | +20 | +7 | +200 ± 1271 |",
        "| ankan | people alone | 1 | -5 | +7 | -60 |",
    ]


def test_hands_that_are_not_tenpai_are_counted_by_calls_and_discards():
    (counts,) = hands_of_log(game("east-rules"))
    rounds = counts[0, 0].sum()
    assert rounds >= 12  # three hands of every round that are dealt without a draw
    assert counts[0, 0, :2].sum() < counts[0, 0, 2:].sum()
    found = hands_data(counts, 1)
    assert found["hands"] == counts.sum() > 100
    assert hands_table(found).startswith(f"1 game, {found['hands']:,} hands that were not tenpai")


def test_shares_of_no_hand_were_0_each():
    """So many calls after so many discards were in no game: of the six shares none was known."""
    counts = np.zeros((4, 19, 6), np.int64)
    counts[0, 3, 1] = 5
    lines = hands_table(hands_data(counts, 1)).splitlines()
    assert "| 0 | 3 | 0.0 % | 100.0 % | 0.0 % | 0.0 % | 0.0 % | 0.0 % |" in lines
    assert "| 3 | 15 | - | - | - | - | - | - |" in lines
