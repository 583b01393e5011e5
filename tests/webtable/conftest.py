"""Tables that end with the test."""

import pytest

from manue.player import warm_up
from manue.table.specs import check_specs
from tests.browsing import browser, node_modules
from tests.webtable.players import ADVISOR, Seated

__all__ = ["browser", "node_modules"]
pytest.importorskip("riichienv")


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    """Compile and load once what a table and its help need: it may take longer than a page waits."""
    check_specs(["greedy", "tsumogiri", "manue"])
    warm_up(ADVISOR.explaining())


@pytest.fixture
def sit_down(tmp_path):
    """Start games; whatever is still being played at the end is left."""
    started = []

    def start(**settings):
        seated = Seated(tmp_path / f"game-{len(started)}.mjson.gz", **settings)
        started.append(seated)
        return seated

    yield start
    for seated in started:
        seated.leave()
