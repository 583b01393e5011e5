"""Details behind the numbers: given on request, consistent with the numbers, and at no cost otherwise."""

import numpy as np
import pytest

from manue.agents.manue import Manue
from manue.agents.registry import make_agent
from manue.decision.details import OPTIONS, WAITS, WORTH_EXPLAINING, notable_dangers, with_details
from manue.decision.evaluation import expected_values
from manue.decision.report import Details
from manue.decision.settings import FIRST, Settings
from manue.errors import UsageError
from manue.features.reasons import AT
from manue.game.actions import Call, Discard, Pass
from manue.game.events import Called, Discarded, DoraRevealed, Draw, RiichiAccepted, RiichiDeclared
from manue.game.legal import legal_actions
from manue.hand.score import score_win
from manue.hand.shanten import shanten, ukeire_by_discard
from manue.rules import TENHOU
from manue.table.seat_factory import make_seat_player
from manue.table.thinking_time import Limits
from manue.tiles import KIND_OF, KINDS, counts_of
from tests.agents.test_manue import state_of
from tests.models.loaded import dangers, explain, shipped


@pytest.fixture(scope="module")
def threatened():
    """This seat's turn, one from tenpai with a red five, against a riichi by the next player."""
    state = state_of("345m40p4678s2255z", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    events = [RiichiDeclared(1), Discarded(1, "1m", from_draw=False), RiichiAccepted(1)]
    for seat in (2, 3):
        events += [Draw(seat, None), Discarded(seat, "1m", from_draw=False)]
    for event in [*events, Draw(0, "3s")]:
        state.apply(event)
    return state


@pytest.fixture(scope="module")
def detailed(threatened):
    return Manue(Settings(details=True)).decide(threatened, legal_actions(threatened))


def test_the_choice_and_its_numbers_are_the_same(threatened, detailed):
    plain = Manue().decide(threatened, legal_actions(threatened))
    assert detailed.fold == plain.fold
    assert all(report.details is None for report in plain.reports)
    assert detailed.action == plain.action
    for ours, theirs in zip(detailed.reports, plain.reports, strict=True):
        assert (ours.action, ours.expected_points, ours.win_prob) == (
            theirs.action,
            theirs.expected_points,
            theirs.win_prob,
        )


def test_the_best_options_have_details(detailed):
    assert len(detailed.reports) > OPTIONS
    assert [isinstance(report.details, Details) for report in detailed.reports] == [
        at < OPTIONS for at in range(len(detailed.reports))
    ]
    assert 0 < detailed.fold.prob < 1
    assert detailed.fold.points > 1000


def test_the_outcome_has_the_mean_that_is_reported(detailed):
    for report in detailed.reports[:OPTIONS]:
        points, probs = np.array(report.details.outcome).T
        assert (np.diff(points) > 0).all()
        assert probs.sum() == pytest.approx(1.0)
        assert (probs >= 0).all()
        # a yakuman of the dealer lies beyond the outermost step
        assert points @ probs == pytest.approx(report.expected_points, abs=0.1)


def test_reasons_are_those_of_the_model_of_danger(threatened, detailed):
    danger = dangers(threatened)
    for report in detailed.reports[:OPTIONS]:
        kind = KIND_OF[report.action.tile]
        for seat in range(4):
            reason = report.details.explain[seat] if report.details.explain else None
            assert (reason is not None) == (danger.prob[seat, kind] >= WORTH_EXPLAINING)
            if reason is not None:
                known = explain(threatened, seat, kind)
                assert reason.words == tuple((one.word, one.number, one.weight) for one in known)
                assert len(reason.path) == len(known) <= 3
                assert reason.rated == danger.prob[seat, kind]
    assert any(any(report.details.explain) for report in detailed.reports[:OPTIONS])


def test_a_closed_kan_is_not_counted_among_the_calls(monkeypatch):
    """Regression: an opponent with a pon and a closed kan was explained by "2 calls"."""
    kan, pon = Call("ankan", ("9s",) * 4), Call("pon", ("C", "C"), "C", 0)
    state = state_of("345m40p4678s2255z", Draw(0, "C"), Discarded(0, "C", from_draw=True), Called(1, pon))
    events = [Discarded(1, "1m", from_draw=False)]
    for seat in (2, 3, 0):
        events += [Draw(seat, "N" if seat == 0 else None), Discarded(seat, "N", from_draw=True)]
    events += [Draw(1, None), Called(1, kan), DoraRevealed("8p"), Draw(1, None)]
    for event in [*events, Discarded(1, "W", from_draw=False)]:
        state.apply(event)
    for seat in (2, 3):
        for event in (Draw(seat, None), Discarded(seat, "W", from_draw=True)):
            state.apply(event)
    state.apply(Draw(0, "3s"))
    said = {(one.word, one.number) for kind in range(34) for one in explain(state, 1, kind)}
    assert {number for word, number in said if word.startswith("melds.")} == {1}
    for tile, of_column in (("1s", "suit_melds"), ("1m", "other_melds"), ("N", "other_melds")):
        given = []
        monkeypatch.setattr(
            "manue.models.danger.word_of", lambda *facts, to=given: to.append(facts) or ("", None)
        )
        explain(state, 1, KIND_OF[tile])
        for _, row, closed_kans in given:
            assert {name for name, kans in closed_kans.items() if kans} == {"melds", of_column}
            assert row[getattr(AT, of_column)] == row[AT.melds] - 1 == 1  # the pon is one of honors


def test_winning_hands_are_complete_and_keep_the_red_five(threatened, detailed):
    for report in detailed.reports[:OPTIONS]:
        targets = report.details.targets
        assert 1 <= len(targets) <= 3
        assert [target.prob for target in targets] == sorted(
            (target.prob for target in targets), reverse=True
        )
        assert sum(target.prob for target in targets) <= report.win_prob
        for target in targets:
            assert len(target.tiles) == 14
            assert shanten(counts_of(target.tiles), 0) == -1
            assert "5p" not in target.tiles or "5pr" in target.tiles
            assert "riichi" in target.yaku
            assert target.points >= 1000 + 1000  # the stick on the table


def test_winning_hands_bring_honba_and_sticks(threatened):
    """Two honba and two more sticks on the table; everything else is the same."""
    found = expected_values(
        threatened, legal_actions(threatened), 0, Settings(details=True, mc_draws=50), shipped()
    )
    points = []
    for honba, deposits in ((0, 1), (2, 3)):
        threatened.honba, threatened.deposits = honba, deposits
        reports = with_details(found.bases, found.valued, shipped().dangers)
        points.append([hand.points for report in reports[:OPTIONS] for hand in report.details.targets])
    threatened.honba, threatened.deposits = 0, 1
    assert points[0]
    assert np.subtract(points[1], points[0]) == pytest.approx(np.full(len(points[0]), 2 * 300 + 2 * 1000))


def test_winning_hands_do_not_hold_a_red_five_that_is_discarded(threatened, monkeypatch):
    monkeypatch.setattr("manue.decision.details.OPTIONS", 99)
    decision = Manue(Settings(details=True)).decide(threatened, legal_actions(threatened))
    (report,) = (report for report in decision.reports if report.action == Discard("5pr"))
    assert report.details.targets
    assert not any("5pr" in target.tiles for target in report.details.targets)
    others = [report for report in decision.reports if report.action != Discard("5pr")]
    assert any("5pr" in target.tiles for report in others for target in report.details.targets)


def test_the_yaku_of_winning_hands_are_those_of_a_ron_in_riichi(threatened, detailed):
    for report in detailed.reports[:OPTIONS]:
        for target in report.details.targets:
            scores = [
                score_win(
                    target.tiles,
                    (),
                    tile,
                    riichi=True,
                    dora_indicators=threatened.dora_indicators,
                    seat_wind=threatened.seat_wind,
                    round_wind=threatened.round_wind,
                )
                for tile in set(target.tiles)
            ]
            names = [tuple(n if "dora" not in n or h == 1 else f"{n} {h}" for n, h in s.yaku) for s in scores]
            assert target.yaku in names
            assert "menzen tsumo" not in target.yaku


def test_notable_dangers_are_those_of_tiles_held_and_of_the_likeliest_waits(threatened):
    danger = dangers(threatened)
    for seat, found in enumerate(notable_dangers(threatened, danger)):
        probs = danger.prob[seat].tolist()
        waits = sorted(range(34), key=lambda kind: (-probs[kind], kind))[:WAITS]
        kinds = {*waits, *(KIND_OF[tile] for tile in threatened.hand)}
        expected = {KINDS[kind]: probs[kind] for kind in sorted(kinds) if probs[kind] >= WORTH_EXPLAINING}
        assert list(found.items()) == list(expected.items())
        assert found or seat != 1  # in riichi


def test_useful_tiles_are_those_of_the_hand_left(threatened, detailed):
    _, useful = ukeire_by_discard(threatened.counts, 0)
    for report in detailed.reports[:OPTIONS]:
        kinds = np.flatnonzero(useful[KIND_OF[report.action.tile]] & (threatened.unseen > 0))
        assert report.details.useful == tuple(KINDS[kind] for kind in kinds)


def test_useful_tiles_of_which_none_is_left_were_named():
    """Regression: they stood on the page below the number of useful kinds, which leaves them out."""
    seen = [
        event for seat in (1, 2, 3) for event in (Draw(seat, None), Discarded(seat, "9s", from_draw=True))
    ]
    state = state_of(
        "123m456p78s5577z6m", Draw(0, "9s"), Discarded(0, "9s", from_draw=True), *seen, Draw(0, "N")
    )
    decision = Manue(Settings(details=True, mc_draws=50)).decide(state, legal_actions(state))
    assert state.unseen[KIND_OF["9s"]] == 0
    for report in decision.reports[:OPTIONS]:
        assert "9s" not in report.details.useful
        assert len(report.details.useful) == report.ukeire_kinds


def test_winning_hands_after_a_call_include_the_called_tiles():
    state = state_of("234m456p78s5577z1m", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    state.apply(Discarded(1, "P", from_draw=False))
    decision = Manue(Settings(details=True)).decide(state, legal_actions(state))
    by_kind = {type(report.action): report for report in decision.reports[::-1] if report.details}
    passing, pon = by_kind[Pass], by_kind[Call]
    assert passing.details.explain == ()
    for target in pon.details.targets:
        assert target.tiles[-3:] == ("P", "P", "P")
        assert "haku" in target.yaku
        assert "riichi" not in target.yaku


def test_the_classic_policy_gives_no_outcome(threatened):
    settings = Settings(policy=FIRST.policy, details=True)
    decision = Manue(settings).decide(threatened, legal_actions(threatened))
    assert decision.reports[0].details.outcome == ()
    assert decision.reports[0].details.targets
    assert isinstance(decision.action, Discard)


def test_the_classic_policy_has_details_of_calls():
    state = state_of("234m456p78s5577z1m", Draw(0, "9p"), Discarded(0, "9p", from_draw=True), Draw(1, None))
    state.apply(Discarded(1, "P", from_draw=False))
    decision = Manue(Settings(policy=FIRST.policy, details=True)).decide(state, legal_actions(state))
    assert {type(report.action) for report in decision.reports if report.details} == {Call, Pass}


def test_details_are_requested_by_option_or_by_the_match():
    assert make_agent("manue:details=1").settings.details
    assert not make_agent("manue:details=0").settings.details
    with pytest.raises(UsageError, match="details must be 0 or 1"):
        make_agent("manue:details=yes")
    for details in (False, True):
        player = make_seat_player("manue", 0, TENHOU, Limits(), details=details)._player
        assert (player.agent.name, player.agent.settings.details) == ("manue", details)
