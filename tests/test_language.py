"""The tables of messages: none missing, none unused, the same values everywhere."""

import argparse
import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from manue.agents.manue import SEALS_LAST, WORTH_MORE
from manue.agents.policy import _NOTES
from manue.commands.options import add_language
from manue.decision.tie_break import NOTE
from manue.hand.yaku_list import YAKU
from manue.language.messages import LANGUAGES, messages
from manue.protocol.figures import COLUMNS
from manue.records.drawn_rounds import word_of
from manue.records.tenhou_json import _REASONS
from manue.records.tenhou_yaku import TENHOU_YAKU
from manue.review.summary import DECISION_KINDS, WEIGHTS
from manue.review.yaku_names import our_name, written_yaku
from manue.sim import codes
from manue.table.mjai_ruby import REASONS
from manue.table.situations import DIVISIONS
from manue.webtable.game_review import ReviewFailure
from tests.texts import values_named

PACKAGE = Path(__file__).parent.parent / "manue"
STATICS = [PACKAGE / room / "static" for room in ("review", "webtable")]
ENGLISH = messages("en").table
NAMED = re.compile(r'"([a-z_]+(?:\.[\w ]+)+)"')
"""A key in full, wherever it stands in a script."""
PREFIXED = re.compile(r"[`\"]([a-z]+(?:\.[\w]+)*\.)\$?\{")
"""The beginning of a key whose end is a value."""


def sources():
    scripts = [path.read_text() for static in STATICS for path in static.glob("*.js")]
    pages = [path.read_text() for static in STATICS for path in static.glob("*.html")]
    page = [key for text in pages for key in re.findall(r'data-(?:text|label)="([^"]+)"', text)]
    modules = [path.read_text() for path in PACKAGE.rglob("*.py") if "language" in path.read_text()]
    return scripts, page, modules


def strings_of(module):
    """The texts of a Python module, those with values in them up to the first."""
    for node in ast.walk(ast.parse(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, True
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            yield node.values[0].value, False


@pytest.fixture(scope="module")
def used():
    """Keys used in full, and the beginnings of those put together."""
    scripts, page, modules = sources()
    whole, begun = set(page), set()
    for script in scripts:
        whole |= set(NAMED.findall(script))
        begun |= set(PREFIXED.findall(script))
    for module in modules:
        for string, complete in strings_of(module):
            (whole if complete else begun).add(string)
    return whole, {prefix for prefix in begun if prefix.endswith(".") and len(prefix) > 1}


def test_every_language_has_every_text():
    for language in LANGUAGES:
        assert set(messages(language).table) == set(ENGLISH), language


def test_chinese_texts_call_the_reader_by_one_word():
    texts = messages("zh-Hans").table
    assert [key for key, text in texts.items() if "我" in text.replace("自我对局", "")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_names_the_same_values(language):
    for key, text in messages(language).table.items():
        assert values_named(text) <= values_named(ENGLISH[key]), key
        assert text.strip() or key.startswith("list."), key


HALF_WIDTH = re.compile(r"(?:^|\s)\(|\)(?:\s|$)|[:,;](?:\s|$)")
"""Punctuation as it is written in English."""
PUT_TOGETHER = re.compile(r"\}[:,;] ?\$\{|\}: ?`|\} ?\(\$\{|`[:,;] \$\{")
"""The same between the values that a script puts together."""


def test_punctuation_belongs_to_the_texts():
    """Regression: scripts put half-width colons, commas and brackets into Japanese and Chinese."""
    scripts, _, _ = sources()
    assert [found[0] for script in scripts for found in PUT_TOGETHER.finditer(script)] == []


@pytest.mark.parametrize("language", ["ja", "zh-Hans"])
def test_east_asian_texts_have_punctuation_of_full_width(language):
    plain = {key: re.sub(r"\{[^}]*\}", "_", text) for key, text in messages(language).table.items()}
    assert {key: text for key, text in plain.items() if HALF_WIDTH.search(text)} == {}


@pytest.mark.parametrize(("language", "sign"), [("en", "\u00a0%"), ("ja", "%"), ("zh-Hans", "%")])
def test_a_line_may_not_end_between_a_number_and_its_percent_sign(language, sign):
    """Regression: "49.0" at the end of a line and "%" at the beginning of the next."""
    texts = messages(language).table.items()
    found = {key: re.findall(r"(?<=[\d}])\s*%", text) for key, text in texts if key != "match.column.p99"}
    assert {key: signs for key, signs in found.items() if set(signs) - {sign}} == {}
    assert messages(language).percent(0.1234) == f"12.3{sign}"
    assert messages(language).percent(None) == "-"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_shows_no_signs_of_markdown(language):
    """Regression: that a table was closed, with backticks around the command that reads its log."""
    assert [key for key, text in messages(language).table.items() if "`" in text] == []


def test_no_text_is_missing(used):
    scripts, page, _ = sources()
    calls = {key for script in scripts for key in re.findall(r'\btext\("([^"]+)"', script)}
    assert {key for key in calls | set(page) if key not in ENGLISH} == set()


def test_no_text_is_unused(used):
    whole, begun = used
    assert [key for key in ENGLISH if key not in whole and not key.startswith(tuple(begun))] == []


def test_texts_put_together_exist():
    names = [f"yaku.{yaku.name}" for yaku in YAKU] + [f"row.{column.wire}" for column in COLUMNS]
    names += [f"kind.{kind}" for kind in DECISION_KINDS] + [f"weight.{weight}" for weight in WEIGHTS]
    names += [f"situation.{part}" for parts in DIVISIONS.values() for part in parts]
    names += [f"sit.review.failed.{failure}" for failure in get_args(ReviewFailure)]
    names += [f"draw.{reason}" for reason in _REASONS.values()] + [f"yaku.{name}" for name in TENHOU_YAKU]
    assert [name for name in names if name not in ENGLISH] == []


def test_values_and_plurals():
    words = messages("en")
    assert words.text("tile.suit.p", n=5) == "5 pin"
    assert messages("ja").text("round.honba", round="東1局", n=2) == "東1局 2本場"
    from manue.language.messages import Messages

    plural = Messages("en", {"tiles": "{n} {n:tile|tiles}"})
    assert [plural.text("tiles", n=n) for n in (1, 2)] == ["1 tile", "2 tiles"]


@pytest.mark.parametrize(
    ("key", "values", "words"),
    [
        ("why.gain.useful", {"n": 1, "other": 0}, "1 useful tile against 0"),
        ("why.gain.points", {"n": 1}, "1 more point"),
        ("sit.useful", {"kinds": 1, "copies": 3}, "1 kind, 3 tiles"),
        ("sit.useful", {"kinds": 2, "copies": 1}, "2 kinds, 1 tile"),
        ("review.sum", {"agreement": "-", "n": 1, "lost": 1}, "- agreement over 1 decision, 1 point lost"),
    ],
)
def test_one_thing_is_in_the_singular(key, values, words):
    """Regression: "1 kinds, 3 tiles"."""
    assert messages("en").text(key, **values) == words


def test_the_terms_of_players():
    shown = " ".join(messages("ja").table.values())
    for term in ("牌効率", "放銃率", "和了率", "局収支", "順位期待値", "押し引き"):
        assert term in shown


def test_every_note_of_our_agents_has_words():
    """Regression: pages of `rules`, `greedy` and `policy` gave their reasons in English in any language."""
    notes = {NOTE, SEALS_LAST, WORTH_MORE, *_NOTES.values()}
    for path in (PACKAGE / "agents").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                given = [keyword.value for keyword in node.keywords if keyword.arg == "note"]
                if getattr(node.func, "id", "") == "_reports":
                    given += node.args[1:]
                notes |= {one.value for one in given if isinstance(one, ast.Constant)}
    assert len(notes) > 12
    assert {note for note in notes if f"note.{note}" not in ENGLISH} == set()
    script = (PACKAGE / "review/static/why.js").read_text()
    declined = re.search(r"DECLINED = new Set\(\[(.+)\]\)", script)[1]
    assert set(re.findall('"(.+?)"', declined)) == {SEALS_LAST, WORTH_MORE}, (
        "by which the page knows a win passed on"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_share_of_strong_players_says_of_what(language):
    """Regression: a discard that all make, most with riichi, "100.0 %" beside the riichi's "98.6 %"."""
    table = messages(language).table
    assert table["kind.riichi"] in table["row.playedProb"]


@pytest.mark.parametrize(
    ("text", "yaku"),
    [
        ("断幺九(1飜)", ["tanyao", 1]),
        ("役牌 白(1飜)", ["haku", 1]),
        ("場風 南(1飜)", ["round wind", 1]),
        ("自風 東(1飜)", ["seat wind", 1]),
        ("赤ドラ(2飜)", ["red dora", 2]),
        ("国士無双(役満)", ["kokushi musou", None]),
        ("国士無双１３面(役満)", ["kokushi musou 13-wait", None]),
        ("両立直(2飜)", ["double riichi", 2]),
        ("役牌:自風牌(1飜)", ["seat wind", 1]),
        ("役牌:場風牌(1飜)", ["round wind", 1]),
        ("ダブル立直(2飜)", ["double riichi", 2]),
        ("国士無双十三面待ち(役満)", ["kokushi musou 13-wait", None]),
        ("dora 2", ["dora", 2]),
        ("pinfu", ["pinfu", None]),
        ("something else", ["something else", None]),
    ],
)
def test_yaku_get_our_names(text, yaku):
    assert written_yaku(text) == yaku


def test_names_that_we_do_not_know_stay():
    assert our_name("<b>") == "<b>"


def test_every_draw_of_our_own_games_has_words():
    """Draws once appeared under the names that the referee or the original server has for them."""
    names = {*codes.REASONS, *REASONS.values()}
    assert {f"draw.{word_of(name)}" for name in names} <= ENGLISH.keys()


def test_names_of_languages_are_the_same_for_every_command(capsys):
    """A table spoke zh where a review wanted zh-Hans."""
    parser = argparse.ArgumentParser()
    add_language(parser, "this")
    for name, language in (("zh", "zh-Hans"), ("zh-Hans", "zh-Hans"), ("zh-CN", "zh-Hans"), ("ja-JP", "ja")):
        assert parser.parse_args(["--lang", name]).lang == language
    with pytest.raises(SystemExit):
        parser.parse_args(["--lang", "tlh"])
    assert "'tlh' is none of en, ja, zh-Hans" in capsys.readouterr().err


def test_pages_hold_no_texts_that_only_python_writes():
    scripts, page, _ = sources()
    assert not [script for script in scripts for key in ("match.", "situation.") if f'"{key}' in script]
    shown = messages("en").of_pages()
    assert not any(key.startswith(("match.", "situation.", "index.")) for key in shown)
    assert set(page) <= set(shown)
