"""Text from outside reaches a terminal escaped, on one line, and bounded."""

import json
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from manue.__main__ import main
from manue.agents.tsumogiri import Tsumogiri
from manue.commands.review_text import print_review
from manue.foreign import printable, whole_characters
from manue.language.messages import messages
from manue.match.summary import Summary
from manue.match.tables import print_summary
from manue.protocol.dialect import DIALECTS
from manue.protocol.session import Session

HOSTILE = "\x1b[2J\x1b]0;owned\x07\r\nmanue: all is well\u202e" + "x" * 100_000


@given(st.text(st.characters()), st.integers(10, 400))
def test_the_result_is_one_printable_bounded_line(text, most):
    shown = printable(text, most)
    assert all(letter.isprintable() or category(letter) == "Zs" for letter in shown)
    assert len(shown) <= most


@pytest.mark.parametrize("text", ["", "天鳳 ねこ", "a man, a plan", "5mr 白"])
def test_ordinary_text_stays_as_it_is(text):
    assert printable(text) == text


@pytest.mark.parametrize("text", ["66.1\N{NO-BREAK SPACE}%", "雀士\N{IDEOGRAPHIC SPACE}太郎"])
def test_spaces_that_do_not_break_or_are_wide_stay_as_they_are(text):
    """The shares of a review were "66.1\\xa0%", and a Japanese name had an escape between its words."""
    assert printable(text) == text


def test_a_lone_surrogate_can_be_printed():
    assert printable("a\ud800b") == "a\\ud800b"


PIECES = ["\ud83c", "\udc04", "\U0001f004", "\\", "\\ud83c", "u", "d83c", '"', "\n", "天", "\x00"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_halves_of_characters_are_replaced_as_by_a_decoder_of_utf_16(text):
    wanted = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert from_json(whole_characters(json.dumps(text).encode())) == wanted


def test_halves_of_characters_may_be_written_in_capitals():
    assert (
        whole_characters(rb'"\uD83C\uDC04 \uD83C \uDC04 \\\uDC04"')
        == rb'"\uD83C\uDC04 \ufffd \ufffd \\\ufffd"'
    )


def assert_harmless(text, most=2_500):
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\nmanue: all is well" not in text
    assert len(text) <= most


@pytest.mark.parametrize(
    "message",
    [
        {"type": "error", "message": HOSTILE},
        {"type": HOSTILE},
        {"type": "action_ack", "status": HOSTILE, "reason": HOSTILE},
        {"type": "action_ack", "status": "rejected", "message": HOSTILE},
    ],
)
def test_a_host_wrote_to_the_terminal(message):
    complaints = []
    keep = complaints.append
    session = Session(Tsumogiri(), DIALECTS["riichilab"], complain=keep, inform=keep)
    session.receive(json.dumps(message))
    for text in complaints:
        assert_harmless(text)


def test_an_error_message_is_one_line(tmp_path, capsys):
    missing = tmp_path / "\x1b[2Jno\nsuch\u202efile"
    assert main(["view", str(missing), "-o", str(tmp_path / "page.html")]) == 1
    error = capsys.readouterr().err
    assert_harmless(error)
    assert error.count("\n") == 1


NAME = "[/] [bold]" + HOSTILE


def test_names_of_agents_broke_the_tables(capsys):
    summary = Summary(1)
    tally = {"rounds": 1}
    timing = {"total_ms": 0, "max_ms": 0, "bins": {}}
    names = [NAME, "b", "c", "d"]
    line = {"game": 0, "wall": 0, "agents": names, "scores": [25_000] * 4, "placements": [1, 2, 3, 4]}
    line |= {"rounds": 1, "draws": 0, "faults": [], "seats": [tally] * 4, "timings": [timing] * 4}
    summary.add(line)
    summary.finish()
    print_summary(summary.to_json())
    shown = capsys.readouterr().out
    assert "[/] [bold]" in shown.replace("\n", "")
    assert_harmless(shown, 20_000)


def test_names_of_players_broke_the_review(capsys):
    seat = {"seat": 0, "name": NAME, "agreement": None, "decisions": 0, "lost": None, "kinds": []}
    seat |= {"costliest": [], "rounds": [], "perDecision": None, "better": None, "mortal": None}
    seat |= {"rollouts": None}
    data = {"review": {"seats": [seat], "agent": NAME}, "rounds": [], "decisions": [[]] * 4}
    data |= {"names": [NAME] * 4, "nameless": []}
    print_review(data, messages("en"))
    assert_harmless(capsys.readouterr().out, 20_000)


@pytest.mark.parametrize(
    "command", [["calibrate", "--all", "--placement"], ["compare", "greedy", "tsumogiri"]]
)
def test_names_of_skipped_logs_were_printed_as_they_are(command, tmp_path, capsys):
    log = tmp_path / "a\x1b[2J\u202e.mjson"
    log.write_text('{"type":"start_game"}\nnot json\n')
    assert main([*command, str(log)]) == 1
    error = capsys.readouterr().err
    assert "manue: skipped " in error
    assert_harmless(error)
