"""Built-in agents at a table: when they decide, and what is a fault of theirs."""

import logging

import pytest

from manue.agents.base import Decision
from manue.agents.tsumogiri import Tsumogiri
from manue.errors import AgentError, EventError, SeatFault
from manue.game.actions import Call, Pass, Win
from manue.game.events import Called, Discarded, DoraRevealed, Draw, GameEnd
from manue.player import Player
from manue.rules import TENHOU
from manue.table.referee import Referee
from manue.table.seats import AgentSeat, StandIn, TableEvent, acts_for, is_robbed_late
from manue.table.table import Table
from tests.game.rounds import Round


class Noted(Round):
    """A round that keeps its events for a seat to follow."""

    def apply(self, *events):
        self.events = [*getattr(self, "events", ()), *events]
        return super().apply(*events)


class Refuser:
    """Lets everything pass, and notes what it might have done."""

    name = "refuser"

    def __init__(self):
        self.offered = []

    def decide(self, state, actions):
        self.offered.append(actions)
        return Decision(Pass())


def robbed_kan():
    """A kan added right after another, by seat 3, on the tile that seat 0 waits for."""
    table = Noted("46m456p789s123s99s", dealer=1)
    table.turns((1, "9m")).draw(2).discard(2, "5m").call(3, "pon", "55m", "5m", 2).discard(3, "9p")
    table.draw(0, "F").discard(0, "F", from_draw=True)
    table.turns((1, "E")).call(3, "daiminkan", "EEE", "E", 1)
    return table.draw(3).call(3, "kakan", "555m", "5mr")


@pytest.fixture
def seat():
    return AgentSeat(0, Refuser(), TENHOU)


def batch(*events):
    return [TableEvent({}, event) for event in events]


def follow(seat, events):
    """Show a seat what came before, whatever it might have chosen then."""
    for event in events:
        seat._player.observe(event)


def test_who_robs_a_kan_is_asked_once_the_indicator_of_the_kan_before_is_shown(seat):
    *before, kan = robbed_kan().events
    follow(seat, before)
    answer = seat.observe(batch(kan, DoraRevealed("1p")), asked=True)
    assert answer.reply == {"type": "none"}
    assert seat._player.agent.offered == [(Win("5mr", 3), Pass())]


def test_a_win_that_nobody_asked_for_is_a_fault(seat):
    *before, kan = robbed_kan().events
    follow(seat, before)
    with pytest.raises(SeatFault, match=r"illegal: may choose .* without being asked"):
        seat.observe(batch(kan), asked=False)
    assert seat._player.agent.offered == []


def test_a_win_that_the_draw_took_away_is_a_fault(seat):
    *before, kan = robbed_kan().events
    follow(seat, before)
    with pytest.raises(SeatFault, match=r"illegal: may choose .* before the turn is over"):
        seat.observe(batch(kan, DoraRevealed("1p"), Draw(3, None)), asked=False)


def test_silence_when_asked_is_a_fault(seat):
    with pytest.raises(SeatFault, match="silent: made no decision when asked for one"):
        seat.observe(batch(*robbed_kan().events[:2]), asked=True)


def test_a_seat_follows_only_what_it_may_see(seat, monkeypatch):
    seen = []
    monkeypatch.setattr(Player, "observe", lambda _, event: seen.append(event) or ())
    assert seat.observe(batch(Draw(1, "5m"), Draw(0, "6m")), asked=False) is None
    assert seen == [Draw(1, None), Draw(0, "6m")]


@pytest.mark.parametrize(
    ("error", "fault", "level"),
    [
        (EventError("what cannot be"), "illegal: what cannot be", logging.WARNING),
        (
            AgentError("hasty", "ValueError: no", "hasty.py, line 9"),
            r"died: ValueError: no \(hasty",
            logging.ERROR,
        ),
        (ZeroDivisionError("no"), "died: ZeroDivisionError: no", logging.ERROR),
    ],
)
def test_what_goes_wrong_in_an_agent_is_a_fault_of_its_seat(seat, error, fault, level, monkeypatch, caplog):
    def fail(*_):
        raise error

    monkeypatch.setattr(Player, "observe", fail)
    monkeypatch.setattr("manue.table.seats._REPORTED", set())
    with pytest.raises(SeatFault, match=f"^{fault}"):
        seat.observe(batch(Draw(0, "6m")), asked=True)
    assert [record.levelno for record in caplog.records] == [level]


@pytest.mark.parametrize(
    ("reply", "own"),
    [
        ({"type": "none", "actor": 3}, True),  # whoever passes does nothing for anybody
        ({"type": "dahai", "actor": 1}, True),
        ({"type": "dahai"}, True),
        ({"type": "dahai", "actor": None}, True),
        ({"type": "dahai", "actor": 0}, False),
    ],
)
def test_a_seat_acts_for_itself(reply, own):
    assert acts_for(1, reply) == own


def test_a_kan_is_robbed_late_if_an_indicator_follows_it():
    kan, indicator, draw = Called(3, Call("kakan", ("5m",) * 3, "5mr")), DoraRevealed("1p"), Draw(3, None)
    assert is_robbed_late(batch(draw, kan, indicator))
    for events in ([kan], [indicator], [draw, indicator], [kan, draw], [kan, indicator, draw]):
        assert not is_robbed_late(batch(*events))


class Offering:
    """A referee whose seat may make these discards."""

    def __init__(self, *tiles):
        self.tiles = tiles

    def legal(self, seat):
        return [{"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": False} for tile in self.tiles]


def test_a_stand_in_discarded_after_a_call_what_it_had_drawn_a_turn_before():
    stand_in = StandIn(0, Offering("5m", "9s"))
    pon = Call("pon", ("P", "P"), "P", 3)
    events = batch(Draw(0, "5m"), Discarded(0, "E", from_draw=False), Called(0, pon))
    answer = stand_in.observe(events, asked=True)
    assert answer.reply == {"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": False}


def test_a_stand_in_discards_what_it_drew_itself_if_it_may():
    events = batch(Draw(0, "5m"), Draw(1, "9s"))
    drawn = {"type": "dahai", "actor": 0, "pai": "5m", "tsumogiri": True}
    assert StandIn(0, Offering("5m", "9s")).observe(events, asked=True).reply == drawn
    assert StandIn(0, Offering("1m", "9s")).observe(events, asked=True).reply == drawn | {
        "pai": "9s",
        "tsumogiri": False,
    }
    assert StandIn(0, Offering("5m")).observe(events, asked=False) is None


def test_a_stand_in_passes_wherever_it_may(monkeypatch):
    offering = Offering("5m")
    choices = [{"type": "hora", "actor": 0}, *offering.legal(0), {"type": "none"}]
    monkeypatch.setattr(offering, "legal", lambda _: choices)
    answer = StandIn(0, offering).observe(batch(Draw(0, "5m")), asked=True)
    assert (answer.reply, answer.elapsed_ms) == ({"type": "none"}, None)


class LeavesAtTheEnd(AgentSeat):
    """Hangs up once the last round is over."""

    def observe(self, events, *, asked):
        if isinstance(events[-1].event, GameEnd):
            raise SeatFault("died", "the connection is gone")
        return super().observe(events, asked=asked)


def test_the_result_was_lost_if_the_last_client_hung_up_on_the_last_win():
    pytest.importorskip("riichienv")
    referee = Referee(3, length="east")
    players = [LeavesAtTheEnd(0, Tsumogiri(), TENHOU)]
    players += [AgentSeat(seat, Tsumogiri(), TENHOU) for seat in (1, 2, 3)]
    record = Table(referee, players, client_seats=frozenset({0})).play()
    assert sum(record.scores) == 100_000
    assert [fault.kind for fault in record.faults] == ["died"]
