"""How rounds ended: the rare ways, from sample games that hold them."""

from dataclasses import replace

import pytest

from manue.errors import EventError
from manue.game.actions import Win
from manue.game.events import DoraRevealed, Draw, RoundDrawn, RoundStart, Won
from manue.records.decisions import recorded_decisions
from manue.records.drawn_rounds import tenpai_at_draw
from manue.records.results import final_places, is_exhaustive, places_of, round_results
from tests.conftest import GAMES, events_of, game


def results(name):
    return round_results(events_of(game(name)))


def test_a_robbed_kan_is_no_discard():
    robbed = [
        result for result in results("robbed-kan") if result.payer is not None and not result.fatal_discard
    ]
    assert len(robbed) == 1


def with_indicators_late(events):
    """Return the events with the latest indicator of a round moved before its first win."""
    moved = []
    for event in events:
        if isinstance(event, Won) and not isinstance(moved[-1], Won | DoraRevealed):
            start = max(at for at, one in enumerate(moved) if isinstance(one, RoundStart))
            shown = [at for at in range(start, len(moved)) if isinstance(moved[at], DoraRevealed)]
            moved += [moved.pop(at) for at in shown[-1:]]
        moved.append(event)
    return moved


def test_an_indicator_between_a_discard_and_the_win_made_it_no_deal_in():
    """Regression: records of Mahjong Soul may have it there, and the discard was taken for a safe one."""
    differ = 0
    for log in GAMES:
        events = events_of(log)
        late = with_indicators_late(events)
        found = [[(one.payer, one.fatal_discard) for one in round_results(each)] for each in (events, late)]
        assert found[0] == found[1]
        differ += events != late
    assert differ > 0


@pytest.mark.parametrize(
    ("drawn", "exhausted", "tenpai"),
    [
        (RoundDrawn("exhaustive_draw", (1500, 1500, -1500, -1500)), True, (True, True, False, False)),
        (RoundDrawn("fanpai", tenpai=(True,) * 4), True, (True,) * 4),
        (RoundDrawn("", (3000, -1000, -1000, -1000)), True, (True, False, False, False)),
        (RoundDrawn("nagashimangan", (-4000, -2000, 8000, -2000)), True, (False,) * 4),
        (RoundDrawn("", (-4000, -2000, 8000, -2000)), True, (False,) * 4),
        (RoundDrawn("suukaikan", (0,) * 4, tenpai=(False,) * 4), False, (False,) * 4),
        (RoundDrawn("sanchaho"), False, (False,) * 4),
        (RoundDrawn("exhaustive", (1500, 1500, -1500, -1500)), True, (True, True, False, False)),
        (RoundDrawn("流局", (3000, -1000, -1000, -1000)), True, (True, False, False, False)),
        (RoundDrawn("sanchaho", tenpai=(True, True, True, False)), False, (True, True, True, False)),
    ],
)
def test_how_a_draw_with_the_last_tile_is_read(drawn, exhausted, tenpai):
    """Regression: exhaustive draws of our own referee, without `tenpais`, or by another word were aborted."""
    assert is_exhaustive(drawn, [Draw(0, None)] * 70) is exhausted
    assert not is_exhaustive(drawn, [Draw(0, None)] * 69)
    assert tenpai_at_draw(drawn) == tenpai


def test_two_winners_off_one_discard():
    both = [result for result in results("double-ron") if len(result.winners) == 2]
    assert both
    assert all(result.payer is not None and result.fatal_discard > 0 for result in both)


def test_the_second_of_two_winners_lost_honba_and_sticks_that_the_first_had_got():
    """Regression: what a second winner won was learned from, and compared, as so much less."""
    events = events_of(game("double-ron"))
    wins = {}
    for choice in recorded_decisions(events):
        result = round_results(events)[choice.round]
        if isinstance(choice.chosen, Win) and len(result.winners) == 2:
            assert (result.first_winner, choice.state.bonus) == (2, 3_300)
            wins[choice.state.seat] = result.won_points(choice.state)
    assert wins == {0: 12_000, 2: 1_300}


@pytest.mark.parametrize("log", GAMES, ids=lambda log: log.name)
def test_points_are_those_of_the_next_round(log):
    events = events_of(log)
    found = round_results(events)
    starts = [event.scores for event in events if isinstance(event, RoundStart)]
    assert len(found) == len(starts)
    for result, following in zip(found, starts[1:], strict=False):
        assert result.scores == tuple(following)
    assert sum(bool(result.winners) for result in found) <= sum(isinstance(event, Won) for event in events)
    drawn = sum(isinstance(event, RoundDrawn) for event in events)
    assert sum(result.exhausted for result in found) <= drawn
    assert sorted(final_places(events)) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ((25_000,) * 4, (1, 2, 3, 4)),
        ((20_000, 30_000, 30_000, 20_000), (3, 1, 2, 4)),
        ((10_000, 40_000, 10_000, 40_000), (3, 1, 4, 2)),
    ],
)
def test_equal_points_go_by_seat_order(scores, places):
    assert places_of(scores) == places


def test_a_round_cut_short_is_refused():
    events = events_of(game("east-rules"))
    last = max(at for at, event in enumerate(events) if isinstance(event, Won | RoundDrawn))
    with pytest.raises(EventError, match="without its result"):
        round_results(events[:last])


def rounds_of(events):
    starts = [at for at, event in enumerate(events) if isinstance(event, RoundStart)]
    return [events[begin:end] for begin, end in zip(starts, [*starts[1:], len(events)], strict=True)]


def test_where_nobody_was_paid_all_were_taken_for_noten():
    """Regression: our own logs do not say who was tenpai; with all four the dealer lost the deal."""
    shown = 0
    for events in (events_of(log) for log in GAMES):
        for part in rounds_of(events):
            (before,) = round_results(part)
            silent = [
                replace(event, deltas=(0,) * 4, scores=None, tenpai=None)
                if isinstance(event, RoundDrawn)
                else event
                for event in part
            ]
            (found,) = round_results(silent)
            assert found.tenpai == before.tenpai
            shown += sum(found.tenpai)
    assert shown > 10


def test_honba_and_sticks_went_to_the_win_announced_first():
    """Regression: a log may announce them in any order; the first after who dealt in has them."""
    events = events_of(game("double-ron"))
    at = next(
        at for at, event in enumerate(events) if isinstance(event, Won) and isinstance(events[at + 1], Won)
    )
    turned = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
    results_of = [[one.first_winner for one in round_results(each)] for each in (events, turned)]
    assert results_of[0] == results_of[1]
