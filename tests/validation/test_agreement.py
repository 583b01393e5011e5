"""Choices compared with those of a record: also those of agents that report nothing."""

import numpy as np
import pytest

from manue.__main__ import main
from manue.agents.base import Decision
from manue.decision.report import Report
from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import RiichiAccepted, RiichiDeclared, RoundStart, Won
from manue.game.state import RoundState
from manue.records.decisions import RecordedDecision, recorded_decisions
from manue.records.results import round_results
from manue.tiles import KIND_OF
from manue.validation.agreement import (
    ACTION_TYPES,
    DECISIONS,
    _compare,
    _note_efficiency,
    _note_estimates,
    _note_result,
    _type_of,
    _types_to_compare,
    agreement_of_log,
)
from tests.conftest import events_of, game


def noted(names, note, *given):
    """Return the fields of these names that a function writes into a row."""
    rows = np.zeros(1, DECISIONS)
    rows["shanten"] = -1
    note(rows, *given)
    return tuple(rows[0][name].item() for name in names)


LOST, PREDICTED = ("lost_points", "lost_rank"), ("predicted_win", "predicted_points", "preferred_win")


@pytest.mark.parametrize("spec", ["tsumogiri", "policy"])
def test_an_agent_without_reports_was_a_traceback(spec):
    rows = agreement_of_log(game("east-rules"), spec)[0]
    assert not isinstance(rows, str)
    discards = rows[rows["type"] == ACTION_TYPES.index("discard")]
    assert 0.0 < discards["ours"].mean() < 1.0
    assert np.isnan(rows["lost_points"]).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--placement", "--policy", "points"], "--placement does not depend on --policy"),
        (["--rollouts", "2", "--mc-draws", "10"], "--rollouts does not depend on --mc-draws"),
        (["--losses", "x", "--policy", "points"], "--losses does not depend on --policy"),
        (["--hands", "x", "--east"], "--hands does not depend on --hanchan or --east"),
        (["--agreement", "--agent", "rules", "--mc-draws", "5"], "--agent does not depend on --mc-draws"),
    ],
)
def test_options_without_an_effect_were_ignored(given, words, capsys):
    assert main(["calibrate", str(game("east-rules")), "--all", *given]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--losses", "--hands"])
def test_what_cannot_be_written_was_measured_first(option, tmp_path, capsys):
    record = tmp_path / "record.mjson.gz"
    record.write_bytes(game("east-rules").read_bytes())
    for target, words in (
        (record, "is one of the records to read"),
        (tmp_path / "no" / "x", "there is no folder"),
    ):
        assert main(["calibrate", str(record), "--all", option, str(target)]) == 2
        assert words in capsys.readouterr().err
    assert record.read_bytes() == game("east-rules").read_bytes()


@pytest.mark.parametrize("name", ["four-riichi", "two-manue"])
def test_a_riichi_win_was_a_stick_larger_than_predicted(name):
    """Predicted and observed points both leave out what lay on the table, the seat's own stick among it."""
    events = events_of(game(name))
    results, points, compared = round_results(events), [], 0
    for event in events:
        if isinstance(event, RoundStart):
            points.append(0)
        elif isinstance(event, Won):
            points[-1] = event.points
    for made in recorded_decisions(events):
        result, seat = results[made.round], made.state.seat
        if seat in result.winners and len(result.winners) == 1 and result.sticks[seat]:
            others = [other for other in range(4) if other != seat and result.sticks[other]]
            later = sum(not made.state.players[other].riichi_accepted for other in others)
            found = noted(("won", "won_points", "dealt_in"), _note_result, made.state, result)
            assert found == (True, points[made.round] + 1000 * later, False)
            compared += 1
    assert compared > 20


def test_a_discard_that_may_deal_in_was_predicted_to_win_as_if_it_had_passed():
    likely, unsafe = (Report(Pass(), win_prob=0.5, win_points=8_000.0, deal_in_prob=p) for p in (0.0, 0.2))
    assert noted(PREDICTED, _note_estimates, likely, unsafe, 0) == (0.4, 8_000.0, 0.5)
    assert noted(PREDICTED, _note_estimates, unsafe, likely, 0) == (0.5, 8_000.0, 0.4)


def test_predicted_points_leave_out_what_lies_on_the_table():
    report = Report(Pass(), win_prob=0.5, win_points=8_900.0)
    assert noted(PREDICTED, _note_estimates, report, report, 1_300) == (0.5, 7_600.0, 0.5)
    assert np.isnan(noted(PREDICTED, _note_estimates, report, Report(Pass()), 1_300)[1])


def test_who_takes_the_shortest_way_to_a_win_and_who_the_widest():
    """Discarding 1m or 2m leaves the lowest shanten, 2m with the most useful tiles; riichi is no discard."""
    reports = [
        Report(Discard("1m"), shanten=1, ukeire_count=4),
        Report(Discard("2m"), shanten=1, ukeire_count=9),
        Report(Discard("3m"), shanten=2, ukeire_count=30),
        Report(Riichi(), shanten=0, ukeire_count=2, discard=Discard("4m")),
    ]
    first, second, third = (KIND_OF[tile] for tile in ("1m", "2m", "3m"))
    names = ("shanten", "people_lowest", "ours_lowest", "people_widest", "ours_widest")
    assert noted(names, _note_efficiency, reports, first, second) == (1, True, True, False, True)
    assert noted(names, _note_efficiency, reports, second, third) == (1, True, False, True, False)
    assert noted(names, _note_efficiency, reports[3:], first, second) == (-1, False, False, False, False)


def test_people_lose_what_their_choice_is_worth_less_and_places_that_it_is_behind():
    best = Report(Pass(), expected_points=3_000.0, expected_rank=2.25)
    theirs = Report(Pass(), expected_points=1_000.0, expected_rank=2.75)
    assert noted(LOST, _note_estimates, best, theirs, 0) == (2_000.0, 0.5)
    assert np.isnan(noted(LOST, _note_estimates, best, None, 0)).all()
    assert np.isnan(noted(LOST, _note_estimates, best, Report(Pass()), 0)).all()


class Confident:
    """Takes the first action, and expects a win of 8,000 points of each."""

    name = "confident"

    def decide(self, _state, actions):
        return Decision(actions[0], tuple(Report(action, win_points=8_000.0) for action in actions))


def test_honba_sticks_and_riichi_are_those_of_the_record_up_to_the_decision():
    events, played, compared, won = events_of(game("four-riichi")), [], set(), 0
    for event in events:
        if isinstance(event, RoundStart):
            played.append([])
        if played:
            played[-1].append(event)
    for choice in recorded_decisions(events):
        rows, state = _compare(choice, Confident()), choice.state
        start, *before = played[choice.round][: state.event_count]
        in_riichi = {event.actor for event in before if isinstance(event, RiichiDeclared)}
        sticks = start.deposits + sum(isinstance(event, RiichiAccepted) for event in before)
        assert (rows["threat"] == bool(in_riichi - {state.seat})).all()
        if isinstance(choice.chosen, Win):  # what it brings is known: nothing to predict
            assert np.isnan(rows["predicted_points"]).all()
            won += len(rows)
        else:
            assert (rows["predicted_points"] == 8_000 - 300 * start.honba - 1_000 * sticks).all()
        if len(rows):
            compared.add((start.honba > 0, sticks > 0, bool(in_riichi - {state.seat}), state.me.riichi))
    assert len(compared) > 8
    assert won > 0


def test_a_forced_discard_is_no_agreement():
    """Nor is a choice between two copies of a kind. The first of the actions is the chosen one."""
    state = RoundState(0)
    red, plain, other = (Discard(tile, from_draw=tile == "5mr") for tile in ("5mr", "5m", "6m"))
    for actions, types in (
        ((red,), []),
        ((red, plain), []),
        ((red, plain, other), ["discard"]),
        ((red, plain, Riichi()), ["riichi"]),
        ((red, other, Riichi()), ["discard", "riichi"]),
        ((Riichi(), plain, other), ["riichi"]),
    ):
        assert _types_to_compare(RecordedDecision(state, [state], actions, actions[0], 0)) == types


@pytest.mark.parametrize(
    ("action", "found"),
    [
        (Call("chi", ("3m", "4m"), "5m", 3), "chi"),
        (Call("pon", ("5m",) * 2, "5m", 1), "pon"),
        (Call("daiminkan", ("5m",) * 3, "5m", 1), "kan"),
        (Call("kakan", ("5m",) * 3, "5m"), "kan"),
        (Call("ankan", ("E",) * 4), "kan"),
        (Riichi(), "riichi"),
        (Discard("5m"), ""),
        (Pass(), ""),
        (Win("5m", 1), ""),
        (NineTerminals(), ""),
    ],
)
def test_all_kans_are_of_one_type_and_neither_a_discard_nor_a_win_is_a_declaration(action, found):
    assert _type_of(action) == found
