"""The texts of the table's page come from the tables of messages, and from nowhere else."""

import re
from pathlib import Path

STATIC = Path(__file__).parents[2] / "manue/webtable/static"


def test_nothing_on_the_page_is_said_past_the_tables():
    """No string of the scripts has two words, and the page no text of its own: it would stay English."""
    for path in STATIC.glob("*.js"):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
        for literal in re.findall(r'"([^"\n]*)"', code):
            classes = re.fullmatch(r"[a-z-]+( [a-z-]+)*", literal)
            assert classes or not re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", literal), (path.name, literal)
    page = re.sub(
        r"<title>.*?</title>|<h1.*?</h1>|\{\{\w+\}\}|<[^>]*>", "", (STATIC / "table.html").read_text("utf-8")
    )
    assert page.split() == []
