"""The documents: links and paths lead somewhere, examples run, synopses are those of the commands."""

import argparse
import doctest
import importlib
import re
from pathlib import Path

import pytest

from manue.__main__ import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = "manue|tests|models|scripts|docs|data"
MADE_UP = {"manue/commands/NAME.py", "manue/kernels", "models/NAME.npz", "manue/trained"}


def test_the_readme_is_short():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 200
    assert max(map(len, lines)) <= 120


def test_the_examples_of_the_readme(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        assert "://" in link or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_headings(page):
    for link, heading in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", page.read_text()):
        target = page.parent / link if link else page
        headings = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings}
        assert heading in anchors, (link, heading)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_that_are_named_exist(page):
    for path in re.findall(rf"(?<![\w./$-])(?:{FOLDERS})/[\w./-]*\w", page.read_text()):
        assert path in MADE_UP or (ROOT / path).exists(), path


@pytest.mark.parametrize("command", COMMANDS)
def test_synopses_are_those_of_the_commands(command):
    parser = argparse.ArgumentParser(prog=f"manue {command}")
    importlib.import_module(f"manue.commands.{command}").add_arguments(parser)
    wanted = " ".join(parser.format_usage().split())
    page = " ".join((ROOT / "docs" / "commands.md").read_text().split())
    assert wanted in page
