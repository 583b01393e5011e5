"""Manue with close decisions played on: the choice stays the same, and what was found is in the data."""

from dataclasses import replace

import pytest

from manue.agents.base import Decision
from manue.agents.manue import Manue
from manue.agents.registry import make_agent
from manue.decision.report import Details, Report, Worth
from manue.decision.settings import Settings
from manue.errors import ProtocolError, UsageError
from manue.game.actions import Call, Discard, Pass, Riichi, Win
from manue.protocol.annotation import KEY, decision_to_meta, meta_to_decision
from manue.records.decisions import recorded_decisions
from manue.rollouts.player import MAX_OPTIONS, PLAYED_ON_WITHIN, RolloutManue, close_options, with_rollouts
from tests.conftest import events_of, game

WORLDS = 16


def decision_of(*options):
    """A decision with options of given values, the first chosen."""
    reports = tuple(Report(action, discard) for action, discard, _ in options)
    worths = tuple(None if value is None else Worth(value, 0.0) for *_, value in options)
    return Decision(reports[0].action, reports, worths=worths)


def test_what_is_close():
    riichi, silent = (Riichi(), Discard("N"), 500.0), (Discard("N"), None, 300.0)
    far = (Discard("5m"), None, 500.0 - PLAYED_ON_WITHIN - 1)
    assert close_options(decision_of(riichi, silent, far)) == [0, 1]
    assert close_options(decision_of(riichi, far)) == []
    copies = [(Discard(tile), None, 500.0) for tile in ("5m", "5mr", "6m")]
    assert close_options(decision_of(*copies)) == [0, 2]
    many = [(Discard(f"{n}p"), None, 500.0 - n) for n in range(1, 9)]
    assert close_options(decision_of(*many)) == list(range(MAX_OPTIONS))
    call = (Call("pon", ("E", "E"), "E", 1), Discard("1m"), 200.0)
    assert close_options(decision_of(call, (Pass(), None, 100.0))) == [0, 1]
    assert close_options(decision_of((Win("1m", 0), None, None), riichi, silent)) == []
    assert close_options(replace(decision_of(riichi, silent), worths=())) == []


@pytest.mark.parametrize("worlds", [1, 0, -5, 1_000_001])
def test_a_number_of_worlds_out_of_range_is_refused(worlds):
    with pytest.raises(UsageError, match="rollouts: 2 to 1000000 worlds"):
        RolloutManue(Manue(), worlds)


def test_an_agent_without_values_is_refused():
    with pytest.raises(UsageError, match="rollouts need the values of manue: greedy has none"):
        with_rollouts(make_agent("greedy"), WORLDS)


def without_rollout(report):
    """Return a report as it is where nothing is played on."""
    details = None if report.details is None else replace(report.details, rollout=None)
    return replace(report, details=None if details == Details() else details)


def test_the_choice_is_the_same_and_the_data_keep_what_was_found():
    plain = Manue(Settings(mc_draws=50, details=True))
    seen = []
    deep = with_rollouts(plain, WORLDS, seen.append)
    played_on = 0
    for number, recorded in enumerate(recorded_decisions(events_of(game("east-rules")))):
        if number % 7:
            continue
        expected = plain.decide(recorded.state, recorded.actions)
        found = deep.decide(recorded.state, recorded.actions)
        assert [without_rollout(report) for report in found.reports] == list(expected.reports)
        rollouts = [None if one.details is None else one.details.rollout for one in found.reports]
        close = close_options(expected)
        assert [at for at, rollout in enumerate(rollouts) if rollout is not None] == sorted(close)
        if not close:
            continue
        played_on += 1
        assert (rollouts[0].worlds, rollouts[0].gain, rollouts[0].error) == (WORLDS, 0.0, 0.0)
        again = meta_to_decision(decision_to_meta(found, recorded.state.seat))
        for report, rollout in zip(again.reports, rollouts, strict=True):
            read = None if report.details is None else report.details.rollout
            assert (read is None) == (rollout is None)
            if read is not None:
                assert read.gain == pytest.approx(rollout.gain, abs=0.051)
                assert read.rank == pytest.approx(rollout.rank, abs=0.00051)
        if played_on == 6:
            break
    assert played_on == 6
    assert sum(seen) == 6 * WORLDS


def test_damaged_data_of_a_rollout_are_an_error():
    report = Report(Discard("N"), details=None)
    meta = decision_to_meta(Decision(report.action, (report,)), 0)
    meta[KEY]["candidates"][0]["rollout"] = {"worlds": 0, "gain": 1, "error": 1, "points": 1, "rank": 2}
    with pytest.raises(ProtocolError, match=r"damaged annotation: rollout\.worlds"):
        meta_to_decision(meta)
