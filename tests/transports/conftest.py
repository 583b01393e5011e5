"""Compile and load everything once, so that no test pays for it."""

import pytest

from manue.player import warm_up
from tests.protocol.minds import RandomMind


@pytest.fixture(scope="session", autouse=True)
def _rehearsed():
    assert warm_up(RandomMind()) >= 6
