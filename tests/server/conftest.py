"""Compile and load once what tables need, so that no client waits for it and no limit of a test counts it."""

import pytest

from manue.table.specs import check_specs


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    check_specs(["greedy", "tsumogiri"])
