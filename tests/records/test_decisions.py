"""Every discard, call, riichi and win of a record is read as the choice of a legal action."""

from collections import Counter
from dataclasses import replace

import pytest

from manue.game.actions import Call, Discard, NineTerminals, Pass, Riichi, Win
from manue.game.events import (
    Called,
    Discarded,
    DoraRevealed,
    Draw,
    RiichiAccepted,
    RiichiDeclared,
    RoundDrawn,
    RoundStart,
    Won,
)
from manue.game.legal import legal_actions
from manue.game.state import RoundState
from manue.records.archive import entries_of, entry_of
from manue.records.decisions import _chosen, _following, recorded_decisions, was_preempted
from manue.review.page import page_data
from manue.tiles import parse_tiles
from manue.validation.agreement import ACTION_TYPES, agreement_of_log
from tests.conftest import events_of, game
from tests.table.test_robbed_kan import robbed_kan

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
    assert made == done


def test_a_recorded_call_is_one_of_the_actions_whatever_its_order(events):
    """Regression: a call whose tiles the record names in another order equaled no action."""
    turned = [
        replace(event, call=replace(event.call, consumed=event.call.consumed[::-1]))
        if isinstance(event, Called)
        else event
        for event in events
    ]
    called = [choice for choice in recorded_decisions(turned) if isinstance(choice.chosen, Call)]
    assert called
    assert all(choice.chosen in choice.actions for choice in called)


def test_a_pass_is_only_read_where_it_is_known(events):
    known = [choice for choice in recorded_decisions(events) if choice.chosen == Pass()]
    unknown = [choice for choice in recorded_decisions(events) if choice.chosen is None]
    assert known
    assert unknown
    assert all(Pass() in choice.actions for choice in known + unknown)


def test_both_winners_off_one_discard_chose_to_win():
    """Regression: what the second winner had chosen counted as unknown."""
    events = events_of(game("double-ron"))
    won = Counter(
        choice.state.seat for choice in recorded_decisions(events) if isinstance(choice.chosen, Win)
    )
    assert won == Counter(event.actor for event in events if isinstance(event, Won))


@pytest.mark.parametrize(
    ("actions", "event", "preempted"),
    [
        ("chi", Called(1, Call("pon", ("5m", "5m"), "5m", 0)), True),
        ("chi", Won(1, 0, "5m"), True),
        ("pon", Won(1, 0, "5m"), True),
        ("pon", Called(1, Call("chi", ("4m", "6m"), "5m", 0)), False),
        ("win", Won(1, 0, "5m"), False),
        ("win", Called(1, Call("pon", ("5m", "5m"), "5m", 0)), False),
        ("chi", Draw(1, None), False),
        ("pon", RoundDrawn("sanchaho"), True),
        ("pon", RoundDrawn("fanpai"), False),
    ],
)
def test_whose_answer_comes_first(actions, event, preempted):
    options = {
        "win": Win("5m", 0),
        "chi": Call("chi", ("3m", "4m"), "5m", 0),
        "pon": Call("pon", ("5m",) * 2, "5m", 0),
    }
    assert was_preempted([options[actions], Pass()], event) is preempted


def test_all_three_who_end_a_round_together_chose_to_win():
    """Regression: three wins on one tile counted as passes."""
    state = RoundState(0)
    hands = (tuple(parse_tiles("123m456p789s1133z")), *((None,) * 13,) * 3)
    events = [RoundStart("E", 1, 0, 0, 0, "9m", hands, (25_000,) * 4), Draw(0, "9p")]
    events += [Discarded(0, "9p", from_draw=True), Draw(1, None), Discarded(1, "E", from_draw=True)]
    for event in events:
        state.apply(event)
    actions = legal_actions(state)
    assert any(isinstance(action, Win) for action in actions)
    assert isinstance(_chosen(state, actions, [RoundDrawn("sanchaho")]), Win)
    assert _chosen(state, actions, [Draw(2, None)]) == Pass()
    assert _chosen(state, actions, [RoundDrawn("fanpai")]) == Pass()


def test_an_indicator_and_a_stick_come_between_a_choice_and_its_result():
    between = [DoraRevealed("8p"), RiichiAccepted(1)]
    wins = [Won(2, 1), Won(3, 1)]
    for after in ([], between, between[:1], between[1:], between[::-1]):
        events = [RiichiDeclared(1), Discarded(1, "E", from_draw=True), *after]
        assert _following([*events, Draw(2, None), Discarded(2, "E", from_draw=True)], 1) == [Draw(2, None)]
        assert _following([*events, *wins, Draw(2, None)], 1) == wins


@pytest.mark.parametrize("name", ["four-riichi", "double-ron"])
def test_who_gave_a_round_up_for_nine_terminals_chose_to(name):
    events = events_of(game(name))
    given_up = sum(isinstance(event, RoundDrawn) and event.reason == "kyushukyuhai" for event in events)
    chosen = [one for one in recorded_decisions(events) if isinstance(one.chosen, NineTerminals)]
    assert len(chosen) == given_up > 0
    assert all(one.chosen in one.actions for one in chosen)


def test_greedy_never_calls_and_agrees_about_riichi(log):
    rows = agreement_of_log(log, "greedy")[0]
    calls = rows[rows["type"] > ACTION_TYPES.index("riichi")]
    riichi = rows[rows["type"] == ACTION_TYPES.index("riichi")]
    discards = rows[rows["type"] == 0]
    assert not calls["ours"].any()
    assert calls["people"].any()
    assert riichi["ours"].all()
    assert 0.3 < discards["ours"].mean() < 0.8
    assert (rows["game"] == 0).all()


def test_what_followed_is_what_the_record_says(log, events):
    (rows,) = agreement_of_log(log, "greedy")
    wins = [event for event in events if isinstance(event, Won)]
    paid = {event.points + 1000 * sticks for event in wins for sticks in range(4)}
    assert set(rows["won_points"][rows["won"]].astype(int)) <= paid
    assert rows["won"].any()
    assert not rows["won_points"][~rows["won"]].any()
    assert rows["dealt_in"].any() == any(event.source != event.actor for event in wins)
    assert not (rows["won"] & rows["dealt_in"]).any()


def robbed():
    """Return a round in which seat 1 robs a kan after the indicator of the one before."""
    steps, _ = robbed_kan()
    events = [one.event for messages in steps for one in messages]
    return [*events, Won(1, 0, "5mr", (-2000, 2000, 0, 0))]


def test_robbing_a_kan_was_two_decisions_where_an_indicator_came_between():
    events = robbed()
    wins = [made for made in recorded_decisions(events) if isinstance(made.chosen, Win)]
    assert len(wins) == 1
    data = page_data(entries_of(events), source="robbed", title="robbed")
    chosen = [one["options"][one["played"]]["kind"] for one in data["decisions"][1]]
    assert chosen.count("win") == 1


@pytest.mark.parametrize("annotated", ["kakan", "dora"])
def test_robbing_a_kan_has_its_numbers_wherever_they_were_noted(annotated):
    entries = entries_of(robbed())
    log = [entry.fields() for entry in entries]
    kinds = [fields["type"] for fields in log]
    at = len(kinds) - 1 - kinds[::-1].index(annotated)
    log[at]["logs"] = [None, "numbers of the choice", None, None]
    game_read = [entry_of(f"event {number}", fields) for number, fields in enumerate(log, 1)]
    decisions = page_data(game_read, source="robbed", title="robbed")["decisions"][1]
    assert [one["log"] for one in decisions if one["log"]] == ["numbers of the choice"]
    assert len({one["at"] for one in decisions}) == len(decisions)
