"""Every discard, call, riichi and win of a record is read as the choice of a legal action."""

from collections import Counter

import pytest

from manue.game.actions import Call, Discard, Pass, Riichi, Win
from manue.game.events import Called, Discarded, RiichiDeclared, Won
from manue.records.decisions import recorded_decisions
from manue.validation.agreement import DECLARATIONS, agreement_of_log
from tests.conftest import events_of, game

CALLS = (Called, Discarded, RiichiDeclared, Won)


@pytest.fixture(scope="module")
def log():
    return game("two-manue")


@pytest.fixture(scope="module")
def events(log):
    return events_of(log)


def declaration_of(choice):
    match choice:
        case Call(kind=kind, consumed=consumed):
            return kind, *sorted(consumed)
        case Discard(tile=tile, from_draw=from_draw):
            return "discard", tile, from_draw
        case _:
            return type(choice).__name__


def test_every_choice_is_legal_and_every_deed_is_a_choice(events):
    made, done = Counter(), Counter()
    for choice in recorded_decisions(events):
        assert choice.actions
        if choice.chosen is None or isinstance(choice.chosen, Pass):
            continue
        assert declaration_of(choice.chosen) in {declaration_of(action) for action in choice.actions}
        made[choice.state.seat, declaration_of(choice.chosen)] += 1
    for event in events:
        match event:
            case Discarded():
                done[event.actor, ("discard", event.tile, event.from_draw)] += 1
            case Called():
                done[event.actor, declaration_of(event.call)] += 1
            case RiichiDeclared():
                done[event.actor, Riichi.__name__] += 1
            case Won():
                done[event.actor, Win.__name__] += 1
    # the second winner of a double ron cannot be distinguished from a seat that was too late
    assert sum((done - made).values()) <= sum(isinstance(event, Won) for event in events)
    assert not made - done
    assert all(what == "Win" for _, what in done - made)


def test_a_pass_is_only_read_where_it_is_known(events):
    known = [choice for choice in recorded_decisions(events) if choice.chosen == Pass()]
    unknown = [choice for choice in recorded_decisions(events) if choice.chosen is None]
    assert known
    assert unknown
    assert all(Pass() in choice.actions for choice in known + unknown)


def test_greedy_never_calls_and_agrees_about_riichi(log):
    rows = agreement_of_log(0, log, "greedy")
    calls = rows[rows["sort"] > DECLARATIONS.index("riichi")]
    riichi = rows[rows["sort"] == DECLARATIONS.index("riichi")]
    discards = rows[rows["sort"] == 0]
    assert not calls["ours"].any()
    assert calls["people"].any()
    assert riichi["ours"].all()
    assert 0.3 < discards["ours"].mean() < 0.8
    assert (rows["game"] == 0).all()


def test_what_followed_is_what_the_record_says(log, events):
    rows = agreement_of_log(0, log, "greedy")
    wins = [event for event in events if isinstance(event, Won)]
    paid = {event.deltas[event.actor] for event in wins}
    assert set(rows["won_points"][rows["won"]].astype(int)) <= paid
    assert rows["won"].any()
    assert not rows["won_points"][~rows["won"]].any()
    assert rows["dealt_in"].any() == any(event.source != event.actor for event in wins)
    assert not (rows["won"] & rows["dealt_in"]).any()
