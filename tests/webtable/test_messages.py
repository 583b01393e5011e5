"""The texts of the page: every language has every message, with the same places to fill in."""

import json
import re
from pathlib import Path

import pytest

from manue.commands.table import LANGUAGES

STATIC = Path(__file__).parents[2] / "manue/webtable/static"
SCRIPTS = sorted(path for path in STATIC.glob("*.js") if path.name != "messages.js")
ACTIONS = {"riichi", "chi", "pon", "daiminkan", "kakan", "ankan", "pass", "nine_terminals"}
"""The kinds of options that are named by messages of the same name."""


@pytest.fixture(scope="module")
def messages():
    """The table of messages, read as the language it is written in allows: strings in objects."""
    text = (STATIC / "messages.js").read_text("utf-8")
    text = text[text.index("= {") + 2 :].rstrip().removesuffix(";")
    text = re.sub(r"^(\s*)(\w+):", r'\1"\2":', text, flags=re.MULTILINE)
    return json.loads(re.sub(r",(\s*\})", r"\1", text))


def test_every_language_has_every_message(messages):
    assert tuple(messages) == LANGUAGES
    for language in LANGUAGES:
        assert list(messages[language]) == list(messages["en"]), language
        assert all(messages[language].values()), language


def test_messages_have_the_same_places(messages):
    for key, english in messages["en"].items():
        places = sorted(re.findall(r"\{(\w+)\}", english))
        for language in LANGUAGES:
            assert sorted(re.findall(r"\{(\w+)\}", messages[language][key])) == places, (language, key)


def test_no_message_was_forgotten_in_another_language(messages):
    for language in ("ja", "zh"):
        for key, words in messages[language].items():
            assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", words), (language, key)


def test_every_message_is_used_and_every_one_used_is_there(messages):
    used = set(re.findall(r'data-(?:text|label)="(\w+)"', (STATIC / "table.html").read_text("utf-8")))
    code = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    used |= set(re.findall(r'\btext\("(\w+)"', code)) | ACTIONS
    named = set(re.findall(r'"(\w+)"', code)) | set(re.findall(r"\b(\w+):", code))
    assert used <= set(messages["en"])
    assert set(messages["en"]) <= used | named


def test_nothing_on_the_page_is_said_past_the_table(messages):
    """No string literal of the scripts has two words: such a text would stay English."""
    for path in SCRIPTS:
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
        for literal in re.findall(r'"([^"\n]*)"', code):
            classes = re.fullmatch(r"[a-z-]+( [a-z-]+)*", literal)
            assert classes or not re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", literal), (path.name, literal)
