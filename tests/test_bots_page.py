"""docs/bots.md is the contract: its bots play, its events are what is sent, its limits those that hold."""

import json
import re
from argparse import ArgumentParser
from pathlib import Path

import pytest

from manue.commands.serve import add_arguments
from manue.protocol.dialect import DEFAULT_ROOM
from manue.protocol.messages import Join
from manue.protocol.parsing import MAX_LINE, parse_choice, parse_message
from manue.rehearsal.rehearsal import SEAT, script
from manue.table.conversation_log import MAX_BYTES
from manue.table.faults import MAX_SENT
from manue.table.mjai_ruby import REASONS
from manue.table.payments import Payments
from manue.table.referee import masked
from manue.table.standard_error import KEPT
from manue.table.tcp_listener import HELLO, JOIN_SECONDS, MAX_CLIENT_LINE
from manue.table.thinking_time import ByoYomi, Limits

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "bots.md").read_text()
SENT, ANSWERED = PAGE.split("## What a bot answers")
EXAMPLE = re.compile(r"`(\{\"type\":.*?\})`(?= \|)")


def test_the_bots_of_the_page_are_the_starters():
    """Those are run by tests/rehearsal."""
    for name, language in (("bot.py", "python"), ("bot.js", "js")):
        text = (ROOT / "manue" / "rehearsal" / "starters" / name).read_text()
        assert f"```{language}\n{text}```" in PAGE


def test_every_event_is_shown_as_it_is_sent():
    payments = Payments()
    sent = [masked(payments.completed(message), SEAT) for message in script()]
    examples = [json.loads(example) for example in EXAMPLE.findall(SENT)]
    assert {example["type"] for example in examples} == {message["type"] for message in sent}
    for example in examples:
        assert example in sent


@pytest.mark.parametrize("example", EXAMPLE.findall(ANSWERED.split("## Limits", 1)[0]))
def test_every_answer_is_one(example):
    parse_choice(example)


def test_nothing_that_is_sent_is_an_answer_to_be_sent_back():
    kinds = {json.loads(example)["type"] for example in EXAMPLE.findall(ANSWERED)}
    assert kinds == {"none", "dahai", "reach", "hora", "pon", "daiminkan", "ankan", "kakan", "ryukyoku"}
    for example in EXAMPLE.findall(SENT):
        parse_message(example)


def test_the_limits_of_the_page_are_those_of_the_program():
    limits = Limits()
    for option, value in (
        ("start-seconds", f"{limits.start:g} s"),
        ("decision-seconds", f"{limits.decision:g} s"),
        ("game-seconds", f"{limits.game:g} s"),
        ("strikes", str(limits.strikes)),
    ):
        assert f"| {value} | `--{option}` |" in PAGE
    assert f"| length of a line | {MAX_LINE >> 20} MiB |" in PAGE
    assert f"the last {KEPT >> 10} KiB" in PAGE
    assert f"at most {MAX_BYTES >> 20} MiB each" in PAGE
    assert f"the first {MAX_SENT} characters" in PAGE


def test_what_is_said_over_the_network():
    """The requests by WebSocket are compared with those of a game in tests/server/test_serve.py."""
    network = PAGE.split("## Over the network")[1].split("\n## ")[0]
    hello, join, _request, answer, _acknowledgement = re.findall(
        r"^    [<>] (\{.*\})$", network, re.MULTILINE
    )
    assert json.loads(hello) == HELLO
    joined = parse_message(join)
    assert isinstance(joined, Join)
    assert joined.room == DEFAULT_ROOM
    assert parse_choice(answer).request_id == 7
    assert set(REASONS.values()) <= set(re.findall(r"`(\w+)`", network))
    times, options = ByoYomi(), ArgumentParser()
    add_arguments(options)
    assert f"within {JOIN_SECONDS:g} s" in network
    assert f"at most {MAX_CLIENT_LINE >> 10} KiB a line or frame" in network
    assert f"`--decision-seconds` ({options.get_default('decision_seconds'):g} s)" in network
    assert f"`--game-seconds` ({options.get_default('game_seconds'):g} s)" in network
    assert f"`--grace-seconds` ({times.grace:g} s)" in network
    assert f"`--bank-seconds` ({times.bank:g} s)" in network
