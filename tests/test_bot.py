"""The bot that other programs embed: events as text in, one answer as text out."""

import json
import logging
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manue.agents.base import Decision
from manue.agents.registry import make_agent
from manue.agents.rules import RulePlayer
from manue.bot import Bot, MessageBot, main
from manue.decision.report import Report
from manue.errors import AgentError, EventError, ManueError, ModelError, ProtocolError, UsageError
from manue.protocol.codec import event_to_fields
from manue.protocol.dialect import ARRAYS
from manue.protocol.session import Session
from manue.records.archive import read_games
from manue.review.annotate import seen_by
from tests.captures import lines_of
from tests.conftest import FULL, game
from tests.messages import start_kyoku
from tests.protocol.minds import FailingMind, Unwritable

SAMPLE = Path(__file__).parent.parent / "data" / "games" / "four-manue.mjson.gz"
NONE = '{"type":"none"}'
START = start_kyoku(
    dora_marker="1s", tehais=["1m 2m 3m 4m 5m 6m 7m 8m 9m E E W N".split(), *[["?"] * 13] * 3]
)
DRAW = {"type": "tsumo", "actor": 0, "pai": "P"}


def events_of_sample(seat, count):
    (game,) = read_games(SAMPLE)
    return [event_to_fields(seen_by(entry.event, seat)) for entry in game[:count]]


def answer(bot, *events):
    return json.loads(bot.react(json.dumps(events)))


def without_times(reply):
    """Drop what differs from run to run: how long the decision took, in the data and in the table."""
    reply = json.loads(reply)
    reply.pop("log", None)
    if "meta" in reply:
        del reply["meta"]["manue"]["elapsed_ms"]
        reply["meta"].pop("eval_time_ns")
    return reply


# ---- what it answers


def test_a_decision_carries_its_annotation():
    bot = Bot(0, agent=make_agent("manue:mc_draws=20"))  # by its name, `rules` may decide while it compiles
    assert answer(bot, {"type": "start_game"}, START) == {"type": "none"}
    reply = answer(bot, DRAW)
    assert reply["type"] in ("dahai", "reach")
    assert reply["actor"] == 0
    assert reply["log"].startswith("action")
    options = reply["meta"]["manue"]["candidates"]
    assert options[0]["moves"][0]["type"] == reply["type"]
    assert {"horaProb", "unsafeProb", "expPt"} <= options[0].keys()


def test_a_single_event_is_an_array_of_one():
    bot, other = Bot(0, agent="rules"), Bot(0, agent="rules")
    for event in (START, DRAW):
        assert bot.react(f" {json.dumps(event)}\n") == other.react(json.dumps([event]))
    assert json.loads(bot.react(json.dumps(DRAW | {"type": "dahai", "tsumogiri": True}))) == {"type": "none"}


@pytest.mark.parametrize("nothing", ["", " \n", "[]"])
def test_no_events_no_answer(nothing):
    assert Bot(0, agent="rules").react(nothing) == NONE


def test_the_seat_is_the_one_given_unless_the_game_says_another():
    bot = Bot(1, agent="tsumogiri")
    assert answer(bot, {"type": "start_game"}, START, DRAW) == {"type": "none"}
    assert answer(bot, {"type": "start_game", "id": 0}, START, DRAW)["pai"] == "P"
    assert answer(bot, {"type": "start_game"}, START, DRAW) == {"type": "none"}


def test_games_follow_one_another():
    bot = Bot(0, agent="rules")
    first = answer(bot, {"type": "start_game", "id": 0}, START, DRAW)
    assert answer(bot, {"type": "end_kyoku"}, {"type": "end_game"}) == {"type": "none"}
    assert answer(bot, {"type": "start_game", "id": 0}, START, DRAW) == first


def test_an_agent_or_its_spec_and_models(tmp_path):
    bot = Bot(0, RulePlayer())
    assert answer(bot, START, DRAW)["type"] == "dahai"
    with pytest.raises(ModelError, match=r"no model .*: run manue train"):
        Bot(0, "rules", models=tmp_path)
    with pytest.raises(ModelError, match=r"no model .*: there is no folder .*/none$"):
        Bot(0, "rules", models=tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(ModelError, match=r"file/.*\.npz: Not a directory$"):
        Bot(0, "rules", models=tmp_path / "file")
    with pytest.raises(UsageError, match="an agent has its own"):
        Bot(0, RulePlayer(), models=tmp_path)
    with pytest.raises(UsageError, match="a seat is"):
        Bot(4)
    with pytest.raises(UsageError, match="unknown agent"):
        Bot(0, "nobody")


def test_a_bot_in_a_seat_of_numpy_answers_with_a_plain_one():
    assert '"actor":0' in Bot(np.int64(0), agent="tsumogiri").react(json.dumps([START, DRAW]))


def test_a_program_without_standard_error_could_not_make_a_bot(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr("manue.warming.has_compiler", lambda: False)
    monkeypatch.setattr("manue.warming.use_plain", lambda: True)
    assert answer(Bot(0), {"type": "start_game", "id": 0}) == {"type": "none"}


# ---- bad input


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not an object"),
        ('"text"', "not an array"),
        ('{"type": "unheard"}', "unknown message type"),
        (json.dumps(DRAW | {"actor": 9}), "actor"),
    ],
)
def test_bad_input_is_a_warning_or_an_error(text, reason, caplog):
    with caplog.at_level(logging.WARNING, "manue.bot"):
        assert Bot(0, agent="tsumogiri").react(text) == NONE
    (record,) = caplog.records
    assert reason in record.message
    with pytest.raises(ProtocolError, match=reason):
        Bot(0, agent="tsumogiri", strict=True).react(text)


@pytest.mark.parametrize("events", [None, b"[]", [START], START])
def test_events_that_are_no_text_were_a_traceback(events, caplog):
    assert Bot(0, agent="tsumogiri").react(events) == NONE
    assert f"events are a text of JSON, not {type(events).__name__}" in caplog.text
    with pytest.raises(ProtocolError, match="events are a text of JSON"):
        Bot(0, agent="tsumogiri", strict=True).react(events)


def test_a_message_that_is_no_json_was_a_traceback(caplog):
    assert MessageBot(0, agent="tsumogiri").react({"type": "start_game", "id": {1}}) is None
    assert "field 'id' of 'start_game'" in caplog.text


def test_a_number_of_numpy_in_a_message_was_bad_input(caplog):
    bot = MessageBot(0, agent="tsumogiri")
    assert bot.react(START | {"oya": np.int64(0)}) is None
    reply = bot.react(DRAW | {"actor": np.int32(0)})
    assert (reply["type"], reply["pai"]) == ("dahai", "P")
    assert not caplog.text


def test_a_message_with_keys_of_other_types_or_within_itself_was_a_traceback(caplog):
    endless = {"type": "start_game"}
    endless["names"] = endless
    for message in ({(1, 2): 3}, endless):
        caplog.clear()
        assert MessageBot(0, agent="tsumogiri").react(message) is None
        assert "a message that is no JSON: " in caplog.text


class Float32:
    name = "float32"

    def decide(self, state, actions):
        half = np.float32(0.5)
        return Decision(actions[0], [Report(one, expected_points=half, ukeire_count=3) for one in actions])


class Int64:
    name = "int64"

    def decide(self, state, actions):
        three = np.int64(3)
        return Decision(actions[0], [Report(one, ukeire_kinds=three, ukeire_count=three) for one in actions])


def test_counts_of_numpy_left_a_bot_s_turn_unanswered(caplog):
    reply = answer(Bot(0, Int64()), START, DRAW)
    assert reply["pai"] == "1m"
    assert reply["meta"]["manue"]["candidates"][0]["ukeire"] == [3, 3]


def test_values_of_numpy_made_a_bot_discard_what_it_drew(caplog):
    reply = answer(Bot(0, Float32(), strict=True), START, DRAW)
    assert reply["meta"]["q_values"]
    assert "None" not in reply["log"]


def test_an_impossible_own_draw_is_answered_by_the_tile(caplog):
    bot = Bot(0, agent="tsumogiri")
    assert answer(bot, START, DRAW)["pai"] == "P"
    assert answer(bot, DRAW | {"pai": "F"}) == {"type": "dahai", "actor": 0, "pai": "F", "tsumogiri": True}
    assert len(caplog.records) == 1
    strict = Bot(0, agent="tsumogiri", strict=True)
    strict.react(json.dumps([START, DRAW]))
    with pytest.raises(EventError, match=r"^line 2: "):
        strict.react(json.dumps(DRAW | {"pai": "F"}))


def test_a_decision_that_cannot_be_written_left_a_bot_s_turn_unanswered(caplog):
    assert answer(Bot(0, Unwritable()), START, DRAW)["pai"] == "P"
    assert "answering P drawn" in caplog.text


def test_a_failing_agent_discards_what_it_drew(caplog):
    reply = answer(Bot(0, FailingMind()), START, DRAW)
    assert reply == {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": True}
    assert "out of ideas" in caplog.text
    with pytest.raises(AgentError, match="out of ideas"):
        Bot(0, FailingMind(), strict=True).react(json.dumps([START, DRAW]))


@settings(max_examples=300 if FULL else 60)
@given(st.lists(st.text(max_size=40) | st.sampled_from([json.dumps(START), json.dumps([DRAW])]), max_size=8))
def test_any_text_has_an_answer_or_an_error_of_ours(texts):
    patient, strict = Bot(0, agent="tsumogiri"), Bot(0, agent="tsumogiri", strict=True)
    for text in texts:
        assert "type" in json.loads(patient.react(text))
        with suppress(ManueError):
            strict.react(text)


# ---- arrays


def test_a_bot_that_joins_late_may_be_told_the_whole_game_at_once(caplog):
    (long,) = read_games(game("double-riichi"))
    events = [event_to_fields(seen_by(entry.event, 0)) for entry in long]
    draws = [at for at, event in enumerate(events) if event["type"] == "tsumo" and event["actor"] == 0]
    so_far = events[: draws[-1] + 1]
    assert len(so_far) > 1_500
    assert answer(Bot(0, agent="tsumogiri"), *so_far)["pai"] == so_far[-1]["pai"]
    assert not caplog.records


@cache
def one_by_one(agent, seat, count):
    bot = Bot(seat, agent)
    return [without_times(bot.react(json.dumps([event]))) for event in events_of_sample(seat, count)]


@pytest.mark.parametrize(
    ("agent", "count"), [("rules", 400), ("manue:mc_draws=20", 150)], ids=["rules", "manue"]
)
def test_however_events_are_put_into_arrays_the_answers_are_the_same(agent, count):
    @settings(max_examples=100 if FULL else 15)
    @given(st.integers(0, 3), st.sets(st.integers(1, count - 1)))
    def check(seat, cuts):
        events, expected = events_of_sample(seat, count), one_by_one(agent, seat, count)
        bot, begin = Bot(seat, agent), 0
        for end in [*sorted(cuts), count]:
            assert without_times(bot.react(json.dumps(events[begin:end]))) == expected[end - 1]
            begin = end

    check()
    assert sum(reply["type"] == "dahai" for reply in one_by_one(agent, 0, count)) > 5


@pytest.mark.parametrize("seat", range(4))
def test_a_captured_conversation_is_answered_as_by_the_arrays_dialect(seat):
    lines = lines_of("mjaiapp-hanchan-1")
    arrays = [line["msg"] for line in lines if line.get("seat") == seat and line["dir"] == "in"]
    bot = Bot(seat, agent="rules", strict=True)
    session = Session(RulePlayer(), ARRAYS, complain=pytest.fail)
    for array in arrays:
        reply = json.loads(bot.react(json.dumps(array)))
        assert {name: value for name, value in reply.items() if name not in ("log", "meta")} == json.loads(
            session.respond(json.dumps(array))
        )


# ---- as a program


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["5"], "argument ID: invalid choice"),
        (["0", "--ag", "greedy"], "unrecognized arguments: --ag greedy"),
        (["0", "--agent", "nobody"], "unknown agent"),
    ],
)
def test_what_the_program_cannot_read_was_answered_by_its_whole_usage(arguments, reason, capsys):
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("manue: ")
    assert reason in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory: ask for less at a time"),
        (OSError(28, "No space left on device", "log.mjson"), "log.mjson: No space left on device"),
    ],
)
def test_an_error_of_the_system_was_a_traceback_of_the_program(error, said, monkeypatch, capsys):
    def fail(*_, **_by_name):
        raise error

    monkeypatch.setattr("manue.bot.agent_at_once", fail)
    assert main(["0"]) == 1
    assert capsys.readouterr().err == f"manue: {said}\n"
