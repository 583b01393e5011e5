"""Compile and load everything once, so that no test pays for it."""

import pytest

from manue.player import rehearse
from tests.protocol.minds import RandomMind


@pytest.fixture(scope="session", autouse=True)
def _rehearsed():
    assert rehearse(RandomMind()) >= 6
