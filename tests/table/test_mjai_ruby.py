"""What clients of the original server receive from us, against the lines that it sent itself."""

from collections import Counter

import pytest

from manue.hand.yaku_list import YAKU
from manue.rules import TENHOU
from manue.table.mjai_ruby import REASONS, YAKU_NAMES, MjaiRubyView, server_yaku
from manue.table.seats import TableEvent
from manue.tiles import TILES, parse_tiles
from tests.captures import lines_of, names
from tests.game.judging import event_of
from tests.messages import start_kyoku

BONUS = {"dora", "red dora", "ura dora"}
FULL_TABLES = ["h8", "q20"]
"""The captured games with the conversations of all four seats."""
OUR_REASONS = {theirs: ours for ours, theirs in REASONS.items()}
ADDED = {
    *("possible_actions", "cannot_dahai", "scores", "tehais", "tenpais"),
    *("hora_tehais", "yakus", "fu", "fan", "hora_points"),
}
"""What the original server adds to the events of a round; the first has its hands from the start."""


def received(name):
    """The messages of a captured conversation that came from the server."""
    for exchange in lines_of(name):
        message = exchange["msg"]
        if exchange["dir"] == "in" and isinstance(message, dict) and message["type"] != "hello":
            yield message


def seen_by_all(views, seat=0):
    """Reconstruct an event, with what the server added for a seat, from what the four seats saw of it."""
    message = dict(views[seat])
    if message["type"] == "tsumo":
        message["pai"] = views[message["actor"]]["pai"]
    if message["type"] == "start_kyoku":
        message["tehais"] = [view["tehais"][at] for at, view in enumerate(views)]
    return message


def as_of_our_referee(views, seat):
    """Reconstruct what our referee reports to a seat from what the four seats saw."""
    message = seen_by_all(views, seat)
    if message["type"] in {"start_kyoku", "end_game"}:
        return message
    message = {name: value for name, value in message.items() if name not in ADDED}
    if message["type"] == "reach_accepted":
        del message["deltas"]
    if message["type"] == "ryukyoku":
        message.pop("actor", None)
        message["reason"] = OUR_REASONS.get(message["reason"], message["reason"])
    return message


def without_order(message):
    """Return a message with its moves in any order, and the tiles that a move uses."""
    if "possible_actions" not in message:
        return message
    moves = [move | {"consumed": sorted(move.get("consumed", ()))} for move in message["possible_actions"]]
    return message | {"possible_actions": sorted(moves, key=lambda move: sorted(move.items(), key=str))}


def test_every_yaku_has_a_name_of_the_original_server():
    assert set(YAKU_NAMES) == {yaku.name for yaku in YAKU} | BONUS


def test_the_names_that_were_captured_are_known():
    heard = {
        name
        for capture in names("ruby-server-")
        for message in received(capture)
        for name, _ in message.get("yakus", ())
    }
    assert len(heard) > 15
    assert heard <= set(YAKU_NAMES.values())


def test_triplets_of_dragons_are_one_entry_and_dora_come_first():
    ours = (("riichi", 1), ("haku", 1), ("chun", 1), ("sanankou", 2), ("dora", 1), ("ura dora", 3))
    assert server_yaku(ours) == [["dora", 1], ["uradora", 3], ["reach", 1], ["sangenpai", 2], ["sananko", 2]]


@pytest.mark.parametrize("table", FULL_TABLES)
def test_every_message_is_as_the_original_server_sent_it(table):
    clients = [list(received(f"ruby-server-tonnan-{table}-client{at}")) for at in range(4)]
    by_seat = sorted(clients, key=lambda seen: seen[0]["id"])
    seats, kinds = [MjaiRubyView(seat, TENHOU) for seat in range(4)], Counter()
    for views in zip(*by_seat, strict=True):
        kinds[views[0]["type"]] += 1
        for seat, view in enumerate(seats):
            message = as_of_our_referee(views, seat)
            sent = view.message_for(TableEvent(message, event_of(message)))
            assert without_order(sent) == without_order(views[seat])
    assert kinds["hora"] > 3
    assert kinds["reach_accepted"] > 3


def shown_at(reason, hands, *events):
    """Return what seat 0 is sent when a round is drawn for a reason of our referee."""
    view = MjaiRubyView(0, TENHOU)
    start = start_kyoku(tehais=[parse_tiles(hand) for hand in hands], oya=0, dora_marker="9m")
    end = {"type": "ryukyoku", "reason": reason, "deltas": [0, 0, 0, 0]}
    return [view.message_for(TableEvent(one, event_of(one))) for one in (start, *events, end)][-1]


def test_the_hand_of_nine_terminals_was_not_shown():
    """As in the capture h8: the hand of the seat that aborts, and which seat it is."""
    ours = next(
        one for one in received("ruby-server-tonnan-h8-client0") if one["type"] == "ryukyoku" and one["actor"]
    )
    hands = ("123m456p789s1122z", "19m19p19s2345678s", "147m147p147s3456z", "258m258p258s3467z")
    discard = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": True}
    draws = [{"type": "tsumo", "actor": seat, "pai": "1m"} for seat in (0, 1)]
    sent = shown_at("kyushu_kyuhai", hands, draws[0], discard, draws[1])
    assert sent.keys() - {"possible_actions"} == ours.keys()
    assert (sent["reason"], sent["actor"], sent["tenpais"]) == ("kyushukyuhai", 1, [False] * 4)
    assert sorted(sent["tehais"][1]) == sorted([*parse_tiles(hands[1]), "1m"])
    assert [sent["tehais"][seat] for seat in (0, 2, 3)] == [["?"] * 13] * 3


def test_the_hands_of_four_riichi_were_not_shown():
    """As in the capture q4."""
    ours = next(one for one in received("ruby-server-tonnan-q4-client0") if one.get("reason") == "suchareach")
    hands = ("123m456p789s1122z", "123m456p789s3344z", "123m456p789s5566z", "123m456p789s1177z")
    sent = shown_at("suucha_riichi", hands)
    assert sent.keys() == ours.keys()
    assert sent["tenpais"] == ours["tenpais"] == [True] * 4
    assert sent["tehais"] == [sorted(parse_tiles(hand), key=TILES.index) for hand in hands]


def test_tenpai_is_shown_at_nagashi_mangan_too():
    """Regression: nobody was shown as tenpai, although the dealer may stay by it."""
    hands = ("123m456p789s1122z", "123m456p789s3344z", "147m147p147s3456z", "258m258p258s3467z")
    view = MjaiRubyView(0, TENHOU)
    start = start_kyoku(tehais=[parse_tiles(hand) for hand in hands], oya=0, dora_marker="9m")
    end = {"type": "ryukyoku", "reason": "nagashimangan", "deltas": [-4000, -2000, 8000, -2000]}
    sent = [view.message_for(TableEvent(message, event_of(message))) for message in (start, end)]
    assert sent[1]["tenpais"] == [True, True, False, False]
    assert sent[1]["tehais"][2:] == [["?"] * 13] * 2
