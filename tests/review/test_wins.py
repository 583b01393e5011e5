"""Wins of logs that do not say what they were made of."""

from dataclasses import replace

import pytest
from pydantic_core import to_json

from manue.__main__ import main
from manue.agents.registry import make_agent
from manue.protocol.codec import message_to_event
from manue.protocol.parsing import parse_value
from manue.records.archive import read_games
from manue.review.frames import replay
from manue.review.judge import review_game
from manue.review.page import page_data
from manue.review.yaku_names import are_ours, shown_yaku
from manue.rules import RULES, TENHOU
from tests.conftest import GAMES
from tests.records.test_payments import three_dragons
from tests.review.conftest import data_in


def wins_of(log):
    """Frame facts computed, and the fields that the record has."""
    for game in read_games(log):
        shown = replay(game)
        for at, found in shown.wins.items():
            yield found, shown.entries[at].fields()


@pytest.mark.parametrize("log", GAMES, ids=lambda log: log.name.split(".")[0])
def test_computed_wins_are_those_recorded(log):
    for found, fields in wins_of(log):
        assert (found["fu"], found["points"]) == (fields["fu"], fields["hora_points"])
        assert found["han"] == fields["han"] or found["han"] >= 13
        assert sorted(map(tuple, found["yaku"])) == sorted(map(tuple, shown_yaku(fields)))
        assert found["tile"] == fields["pai"]


def game_without_values():
    """Return a log and its game, of whose wins it does not say what they were made of."""
    log = next(log for log in GAMES if "two-manue" in log.name)
    game = next(read_games(log))
    return log, [entry if entry.message.type != "hora" else strip(entry) for entry in game]


def test_a_log_without_values_shows_them():
    log, bare = game_without_values()
    game = next(read_games(log))
    full = [event for event in page_data(game, source="x", title="x")["events"] if event["type"] == "win"]
    found = [event for event in page_data(bare, source="x", title="x")["events"] if event["type"] == "win"]
    assert len(found) == len(full) > 3
    for one, two in zip(found, full, strict=True):
        assert (one["fu"], one["points"], sorted(one["hand"])) == (
            two["fu"],
            two["points"],
            sorted(two["hand"]),
        )


def named_otherwise(entry, name, points=0):
    """Name the yaku of a win in words of somebody's own, with ``points`` more."""
    fields = entry.fields()
    del fields["yaku_ids"], fields["yaku_han"]
    fields |= {"yaku_names": [name, "赤ドラ(1飜)"], "hora_points": fields["hora_points"] + points}
    message = parse_value(fields)
    return replace(entry, event=message_to_event(message), message=message, text=to_json(fields))


@pytest.mark.parametrize("name", ["Seat Wind(1Han)", "门风刻(1番)"])
def test_yaku_in_words_of_its_own_are_those_of_the_hand(name):
    """Regression: yaku of records saved from Mahjong Soul were shown as these named them, in any language."""
    log = next(log for log in GAMES if "two-manue" in log.name)
    game = next(read_games(log))
    renamed = [named_otherwise(one, name) if one.message.type == "hora" else one for one in game]
    for one in wins_on_page(renamed):
        assert are_ours(one["yaku"])
        assert sum(han for _, han in one["yaku"]) >= one["han"]
    other = [named_otherwise(one, name, points=100) if one.message.type == "hora" else one for one in game]
    assert all(not are_ours(one["yaku"]) for one in wins_on_page(other))


def wins_on_page(game):
    return [event for event in page_data(game, source="x", title="x")["events"] if event["type"] == "win"]


@pytest.mark.parametrize(
    ("source", "deltas", "liable"),
    [
        (0, [32_000, 0, 0, -32_000], 3),
        (1, [32_000, -16_000, 0, -16_000], 3),
        (3, [32_000, 0, 0, -32_000], None),  # who dealt in
        (0, [32_000, -16_000, -8_000, -8_000], None),  # by other rules
    ],
)
def test_nobody_said_who_was_liable_for_a_win(source, deltas, liable):
    (win,) = wins_on_page(three_dragons(source, deltas=deltas))
    assert win.get("pao") == liable


def test_a_game_by_other_rules_is_shown_by_them():
    """Regression: pages of games by Mahjong Soul's rules had the points of Tenhou's."""
    log, bare = game_without_values()

    def red_wins(rules):
        _, data = review_game(bare, log, make_agent("tsumogiri"), "tsumogiri", [0], rules=rules)
        return sum("red dora" in dict(event["yaku"]) for event in data["events"] if event["type"] == "win")

    assert red_wins(TENHOU) > 0 == red_wins(replace(TENHOU, red_fives=False))


@pytest.mark.parametrize("command", ["view", "review"])
def test_the_rules_of_a_record_may_be_named(command, tmp_path, monkeypatch):
    monkeypatch.setitem(RULES, "mjsoul", replace(TENHOU, red_fives=False))
    record, page = tmp_path / "record.mjson", tmp_path / "page.html"
    record.write_bytes(b"".join(bytes(entry.text) + b"\n" for entry in game_without_values()[1]))
    judge = ["--agent", "tsumogiri"] if command == "review" else []
    shown = {}
    for rules in RULES:
        assert main([command, str(record), "--rules", rules, "-o", str(page), *judge]) == 0
        wins = [event for event in data_in(page)["events"] if event["type"] == "win"]
        shown[rules] = any("red dora" in dict(win["yaku"]) for win in wins)
    assert shown == {"tenhou": True, "mjsoul": False}


def strip(entry):
    """Take out of a win what own logs do not have."""
    event = replace(entry.event, han=None, fu=None, points=None, hand=None, tile=None)
    fields = {
        key: value
        for key, value in entry.fields().items()
        if key in {"type", "actor", "target", "deltas", "ura_markers"}
    }
    return replace(entry, event=event, message=parse_value(fields), text=to_json(fields))
