"""The documents: links and paths lead somewhere, examples run, synopses are those of the commands."""

import argparse
import doctest
import importlib
import re
from pathlib import Path

import pytest

from manue.__main__ import COMMANDS, main
from manue.agents.registry import BUILDERS
from manue.decision.endings import COUNT
from manue.warming import HEAVY, SIMPLE

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = [page for folder in (".", "docs", "models") for page in sorted((ROOT / folder).glob("*.md"))]
TRANSLATED = sorted(ROOT.glob("README.*.md"))
FOLDERS = "manue|tests|models|scripts|docs|data"
MADE_UP = {"manue/commands/NAME.py", "manue/kernels", "models/NAME.npz"}


def test_the_readme_is_short():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 200
    assert max(map(len, lines)) <= 120


ENDINGS = r"(\d+) endings|(\d+) ways for the round to end|(\d+) 通りの結末|(\d+) 种结局"


def test_pages_have_the_number_of_endings_that_there_are():
    named = [match.groups() for page in PAGES for match in re.finditer(ENDINGS, page.read_text())]
    assert {int(next(filter(None, groups))) for groups in named} == {COUNT}
    assert len(named) >= 5


def test_the_examples_of_the_readme(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


def test_the_review_that_is_shown_is_what_the_command_prints(monkeypatch, capsys):
    """Its figures were those of two days before."""
    monkeypatch.chdir(ROOT)
    main(["review", "data/games/four-manue.mjson.gz", "--seat", "0"])
    printed = capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")
    for page in ("README.md", "docs/commands.md"):
        shown = re.search(
            r"^seat 0 manue@first 0.*?(?=^\.\.\.$|^```$)", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL
        )
        assert shown is not None
        assert printed.startswith(shown[0])


def _anchors(page: Path) -> set[str]:
    """Return what links to the headings of a page end with."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text()):
        target = page.parent / link if link else page
        assert "://" in link or target.exists(), link
        assert not anchor or "://" in link or anchor in _anchors(target), f"{link}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_that_are_named_exist(page):
    for path in re.findall(rf"(?<![\w./$-])(?:{FOLDERS})/[\w./-]*\w", page.read_text()):
        assert path in MADE_UP or (ROOT / path).exists(), path


def _shown_commands(page: Path) -> list[tuple[str, str]]:
    """Return the commands of the examples of a page, with their arguments."""
    return re.findall(r"^ *(?:MANUE_\S+ )?manue (\w+)(.*)", page.read_text(), re.MULTILINE)


def test_translated_readmes_name_the_same_commands():
    japanese, chinese = ([command for command, _ in _shown_commands(page)] for page in TRANSLATED)
    assert japanese == chinese
    assert len(japanese) > 5
    assert set(japanese) <= set(COMMANDS)


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: page.name)
def test_options_of_translated_readmes_exist(page):
    for command, arguments in _shown_commands(page):
        parser = argparse.ArgumentParser()
        importlib.import_module(f"manue.commands.{command}").add_arguments(parser)
        known = {option for action in parser._actions for option in action.option_strings}
        assert set(re.findall(r"(?<=\s)--?[a-z][\w-]*", arguments)) <= known, arguments


def test_agents_of_the_package_are_those_of_the_table_and_known_to_be_simple_or_heavy():
    page = (ROOT / "docs" / "commands.md").read_text()
    table = page[page.index("| agent | how it plays |") :].partition("\n\n")[0]
    named = set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))
    assert named - {"package.module:Class"} == set(BUILDERS) == SIMPLE | HEAVY


@pytest.mark.parametrize("command", COMMANDS)
def test_synopses_are_those_of_the_commands(command):
    parser = argparse.ArgumentParser(prog=f"manue {command}")
    importlib.import_module(f"manue.commands.{command}").add_arguments(parser)
    wanted = " ".join(parser.format_usage().split())
    page = " ".join((ROOT / "docs" / "commands.md").read_text().split())
    assert wanted in page
