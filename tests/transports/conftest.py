"""Compile and load everything once, so that no test pays for it; notes are written at once."""

import sys

import pytest

from manue.foreign import MESSAGE, printable
from manue.player import warm_up
from manue.transports import driver
from manue.transports.notes import Notes
from tests.protocol.minds import RandomMind


@pytest.fixture(scope="session", autouse=True)
def _rehearsed():
    assert warm_up(RandomMind()) >= 6


class Prompt(Notes):
    """Notes that are there for a test to read as soon as they are made."""

    def __call__(self, text):
        print(f"manue: {printable(text, MESSAGE)}", file=sys.stderr, flush=True)


@pytest.fixture(autouse=True)
def _prompt_notes(monkeypatch):
    monkeypatch.setattr(driver, "_note", Prompt())
