"""A kan added right after another: an indicator comes before whoever may rob it is asked."""

import sys

import pytest

from manue.errors import SeatFault
from manue.models.placement import RoundPosition
from manue.rules import MAHJONG_SOUL, TENHOU
from manue.table.network_seats import TcpSeat
from manue.table.process_seat import ProcessSeat
from manue.table.program_spec import ProgramSpec
from manue.table.referee import Referee
from manue.table.seats import TableEvent
from manue.table.table import event_of
from manue.table.thinking_time import Limits
from manue.tiles import tile_name
from tests.table.fakes import FakeClient
from tests.table.test_referee import wall_of

pytest.importorskip("riichienv")

LIMITS = Limits(decision=600, game=600, start=600)
WIN = {"type": "hora", "actor": 1, "target": 0, "pai": "5mr"}
MAKES_KANS = {0: ("kakan", "daiminkan", "pon")}


def robbed_kan():
    """Play up to the choice to rob the second kan of seat 0; return the events, and when seat 1 was asked."""
    referee = Referee(1)
    hands = "55mEEE147p147s12s", "46m456p789s123s99s", "1119m19p19sSWNPF"
    wall = wall_of(*hands, draws=["9m", "9p", "5m", "E"])
    red = next(at for at, tile in enumerate(wall) if tile_name(tile) == "5mr")
    wall[red], wall[-1] = wall[-1], wall[red]  # the replacement tile of the first kan
    steps = [referee.start_at(RoundPosition(0, 0, 0, 0), [25_000] * 4, wall)]
    asked = [1 in referee.asked]
    while steps[-1][-1]["type"] != "dora":
        replies = {seat: move_of(referee.legal(seat), seat, steps[-1]) for seat in referee.asked}
        steps.append(referee.step(replies))
        asked.append(1 in referee.asked)
    return [[TableEvent(one, event_of(one)) for one in messages] for messages in steps], asked


def move_of(legal, seat, messages):
    """Return a kan or pon of seat 0; else pass, discard what was drawn, or after the pon 1p."""
    drawn = [one["pai"] for one in messages if one["type"] == "tsumo" and one["actor"] == seat]
    wanted = [*MAKES_KANS.get(seat, ()), "none"]
    moves = [move for kind in wanted for move in legal if move["type"] == kind]
    return moves[0] if moves else next(move for move in legal if move.get("pai") == (drawn or ["1p"])[-1])


def reply_to(event, *, winning):
    if event["type"] in winning:
        return WIN
    if event["type"] == "tsumo" and event["actor"] == 1:
        return {"type": "dahai", "actor": 1, "pai": event["pai"], "tsumogiri": True}
    return {"type": "none"}


@pytest.mark.parametrize("winning", [("kakan",), ("dora",), ("kakan", "dora"), ()])
def test_a_tcp_client_that_robbed_a_kan_before_its_indicator_lost_its_seat(winning):
    steps, asked = robbed_kan()
    client = FakeClient(lambda event: reply_to(event, winning=winning))
    seat = TcpSeat(1, client, TENHOU, LIMITS)
    answers = [seat.observe(events, asked=is_asked) for events, is_asked in zip(steps, asked, strict=True)]
    assert [one["type"] for one in client.sent[-2:]] == ["kakan", "dora"]
    assert client.sent[-2]["possible_actions"] == [WIN]
    assert answers[-1].reply == (WIN if winning else {"type": "none"})


def test_a_tcp_client_wins_on_no_indicator_that_nobody_asked_about():
    steps, asked = robbed_kan()
    seat = TcpSeat(1, FakeClient(lambda event: reply_to(event, winning=("kakan",))), TENHOU, LIMITS)
    for events, is_asked in zip(steps[:-1], asked[:-1], strict=True):
        seat.observe(events, asked=is_asked)
    with pytest.raises(SeatFault, match="where there was no choice"):
        seat.observe(steps[-1], asked=False)


def test_the_original_client_was_not_told_that_it_may_rob_a_closed_kan():
    referee = Referee(1, rules=MAHJONG_SOUL)
    wall = wall_of("234m234p678s8s666z", "19m19p19s1234577z", draws=["F"])
    steps = [referee.start_at(RoundPosition(0, 0, 0, 0), [25_000] * 4, wall)]
    steps.append(referee.step({0: {"type": "ankan", "actor": 0, "consumed": ["F"] * 4}}))
    client = FakeClient(lambda event: event.get("possible_actions", [{"type": "none"}])[0])
    seat = TcpSeat(1, client, MAHJONG_SOUL, LIMITS)
    answers = [
        seat.observe([TableEvent(one, event_of(one)) for one in messages], asked=at == 1)
        for at, messages in enumerate(steps)
    ]
    assert answers[-1].reply == {"type": "hora", "actor": 1, "target": 0, "pai": "F"}
    assert referee.is_legal(1, answers[-1].reply)


BOT = """
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] in {winning}:
        reply = {win}
    elif event["type"] == "tsumo" and event["actor"] == 1:
        reply = {{"type": "dahai", "actor": 1, "pai": event["pai"], "tsumogiri": True}}
    else:
        reply = {{"type": "none"}}
    print(json.dumps(reply), flush=True)
"""


@pytest.mark.parametrize("winning", [("kakan",), ("dora",), ()])
def test_the_win_of_a_program_that_answers_every_line_was_lost_to_the_indicator(winning, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(winning=winning, win=WIN))
    steps, asked = robbed_kan()
    seat = ProcessSeat(1, ProgramSpec("cmd-each", f"{sys.executable} {bot}"), LIMITS)
    try:
        answers = [seat.observe(events, asked=one) for events, one in zip(steps, asked, strict=True)]
    finally:
        seat.close()
    assert answers[-1].reply == (WIN if winning else {"type": "none"})
